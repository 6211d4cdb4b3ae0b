"""The verdict on a candidate: its files in their place in the project, checked, then run where something can.

This stands between the rooms: generation knows no runner, and a runner knows no model.
"""

from __future__ import annotations

import logging

from attrs import evolve, frozen

from kernelgen_ls.kernel.findings import Finding, Severity
from kernelgen_ls.kernel.roles import SOURCE_SUFFIXES
from kernelgen_ls.kernel.syntax import Source
from kernelgen_ls.model.generation.candidate import CheckOutcome
from kernelgen_ls.model.prompts.task import GeneratedFile
from kernelgen_ls.runner.client.fleet import JobRunner
from kernelgen_ls.runner.jobs.messages import CheckRequest, Outcome, VerifyRequest, VerifyResult
from kernelgen_ls.settings import CheckSettings
from kernelgen_ls.work.checking import source_files
from kernelgen_ls.work.chip import chosen_chip
from kernelgen_ls.work.severities import settled
from kernelgen_ls.workspace.operators import Operator
from kernelgen_ls.workspace.tree import find_cases

logger = logging.getLogger(__name__)


@frozen
class Judge:
    """Judges candidates for one operator.

    ``own`` are the operator's files by path relative to its folder, whose place a candidate's files take, ``outer``
    what they include from outside, by path from the root under which the folder is ``prefix``. ``verifier`` runs a
    kernel on its cases; without one, or without cases, nothing is said of whether the kernel is right.
    """

    checker: JobRunner
    settings: CheckSettings
    own: dict[str, str]
    outer: dict[str, str]
    prefix: str = ""
    kernel_path: str = ""
    """The kernel's path, where it does not end like source code (a lone ``.h``)."""
    verifier: JobRunner | None = None

    @classmethod
    def of(
        cls,
        operator: Operator,
        checker: JobRunner,
        settings: CheckSettings,
        kernel_path: str = "",
        verifier: JobRunner | None = None,
    ) -> Judge:
        """The judge of candidates for an operator of the disk."""
        own = {path: text for path, text in operator.belonging().items() if not path.endswith(".md")}
        settings = evolve(settings, chip=chosen_chip(operator, settings.chip).chip.soc)
        return cls(checker, settings, own, operator.outside(), operator.prefix, kernel_path, verifier)

    async def __call__(self, generated: tuple[GeneratedFile, ...]) -> CheckOutcome:
        """The findings on every source file of the candidate, and whether it computes what it should, where known.

        The first failure of the check ends it.
        """
        texts = {**self.own, **{file.path: file.text for file in generated}}
        tree = source_files({**{self.prefix + path: text for path, text in texts.items()}, **self.outer})
        findings: dict[Finding, None] = {}
        for file in generated:
            if file.path != self.kernel_path and not file.path.endswith(SOURCE_SUFFIXES):
                continue
            request = CheckRequest(entry=self.prefix + file.path, files=tree, chip=self.settings.chip)
            result = settled(await self.checker.run(request), self.settings.lints)
            if not result.outcome.is_verdict:
                return CheckOutcome(failed=result.message or f"the check ended with {result.outcome.value}")
            below = (one.with_paths(lambda path: path.removeprefix(self.prefix)) for one in result.findings)
            findings.update(dict.fromkeys(below))
        if any(finding.severity is Severity.ERROR for finding in findings):
            return CheckOutcome(tuple(findings))
        run = await self._run(generated, texts)
        if run is None:
            return CheckOutcome(tuple(findings))
        if run.outcome is Outcome.COMPILE_ERROR:  # refused by the compiler there: it was not run
            findings.update(dict.fromkeys(run.findings))
            return CheckOutcome(tuple(findings))
        return CheckOutcome(tuple(findings), verified=run.outcome is Outcome.PASSED)

    async def _run(self, generated: tuple[GeneratedFile, ...], texts: dict[str, str]) -> VerifyResult | None:
        """What became of the candidate's kernel on its cases; None where nothing says."""
        if self.verifier is None:
            return None
        entries = [(file.path, one.name) for file in generated for one in Source.parse(file.text).structure.entries]
        if len(entries) != 1:
            return None
        (path, kernel) = entries[0]
        cases = find_cases(texts, kernel)
        if cases is None:
            return None
        above = self.prefix if self.outer else ""
        tree = source_files({**{above + name: text for name, text in texts.items()}, **self.outer})
        result = await self.verifier.run(VerifyRequest(above + path, tree, self.settings.chip, kernel, above + cases))
        if not result.outcome.is_verdict:
            logger.warning("a candidate was not run: %s", result.message)
            return None
        return evolve(
            result, findings=tuple(one.with_paths(lambda p: p.removeprefix(above)) for one in result.findings)
        )
