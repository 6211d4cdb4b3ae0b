"""The verdict on a candidate: its files in their place in the project, checked, then run where something can.

This stands between the rooms: generation knows no runner, and a runner knows no model.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping

from attrs import evolve, field, frozen

from kernelgen_ls.kernel.cases.case import MadeCases, NotMade
from kernelgen_ls.kernel.cases.written import cases_file
from kernelgen_ls.kernel.chips import chip_named
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
from kernelgen_ls.work.made_cases import made_cases
from kernelgen_ls.work.running import torch_here
from kernelgen_ls.work.severities import settled
from kernelgen_ls.work.verdicts import verdict_words
from kernelgen_ls.workspace.operators import Operator
from kernelgen_ls.workspace.tree import find_cases

logger = logging.getLogger(__name__)


@frozen
class Judge:
    """Judges candidates for one operator.

    ``own`` are the operator's files by path relative to its folder, whose place a candidate's files take, ``outer``
    what they include from outside, by path from the root under which the folder is ``prefix``. ``described`` are all of
    the folder's texts as they were: what specifies the operator, of which a candidate's own comments say nothing.
    ``verifier`` runs a kernel on its cases, made where nobody wrote any; without one nothing is said of whether the
    kernel is right.
    """

    checker: JobRunner
    settings: CheckSettings
    own: dict[str, str]
    outer: dict[str, str]
    prefix: str = ""
    kernel_path: str = ""
    """The kernel's path, where it does not end like source code (a lone ``.h``)."""
    verifier: JobRunner | None = None
    described: Mapping[str, str] = field(factory=dict)

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
        described = operator.belonging()
        own = {path: text for path, text in described.items() if not path.endswith(".md")}
        settings = evolve(settings, chip=chosen_chip(operator, settings.chip).chip.soc)
        return cls(checker, settings, own, operator.outside(), operator.prefix, kernel_path, verifier, described)

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
        if isinstance(run, str):
            return CheckOutcome(tuple(findings), run=run)
        if run.outcome is Outcome.COMPILE_ERROR:  # refused by the compiler there: it was not run
            findings.update(dict.fromkeys(run.findings))
            return CheckOutcome(tuple(findings))
        verified = run.outcome is Outcome.PASSED if run.outcome.is_verdict else None
        return CheckOutcome(tuple(findings), verified=verified, run=verdict_words(run))

    async def _run(self, generated: tuple[GeneratedFile, ...], texts: dict[str, str]) -> VerifyResult | str:
        """What became of the candidate's kernel on its cases; a line that says why it was not run, "" for nobody."""
        if self.verifier is None:
            return ""
        entries = [(file.path, one.name) for file in generated for one in Source.parse(file.text).structure.entries]
        if len(entries) != 1:
            return f"not executed: there are {len(entries)} entry functions"
        (path, kernel) = entries[0]
        cases, origin = find_cases(texts, kernel, torch=torch_here()), ""
        if cases is None:
            made = self._made(path, kernel, texts)
            if isinstance(made, NotMade):
                return f"not executed: {made.reason}"
            cases, origin = f"{kernel}_cases.py", made.words
            texts = {**texts, cases: cases_file(made)}
        above = self.prefix if self.outer else ""
        tree = source_files({**{above + name: text for name, text in texts.items()}, **self.outer})
        result = await self.verifier.run(VerifyRequest(above + path, tree, self.settings.chip, kernel, above + cases))
        if not result.outcome.is_verdict and result.outcome is not Outcome.DIFFERS:
            logger.warning("a candidate was not run: %s", result.message)
        findings = tuple(one.with_paths(lambda p: p.removeprefix(above)) for one in result.findings)
        return evolve(result, findings=findings, origin=origin)

    def _made(self, path: str, kernel: str, texts: dict[str, str]) -> MadeCases | NotMade:
        """The cases of a candidate's kernel, by what specified the operator before it was written."""
        known = {**self.described, **texts}
        return made_cases(known, path, kernel, chip_named(self.settings.chip), self.described.get(path, ""))
