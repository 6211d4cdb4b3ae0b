"""The verdict on a candidate: its files in their place in the project, checked, then run where something can.

This stands between the rooms: generation knows no runner, and a runner knows no model.
"""

from __future__ import annotations

import logging

from attrs import frozen

from kernelgen_ls.kernel.findings import Finding, Severity
from kernelgen_ls.kernel.roles import SOURCE_SUFFIXES
from kernelgen_ls.kernel.syntax import Source
from kernelgen_ls.model.generation.candidate import CheckOutcome
from kernelgen_ls.model.prompts.task import GeneratedFile
from kernelgen_ls.runner.client.fleet import JobRunner
from kernelgen_ls.runner.jobs.messages import CheckRequest, Outcome, VerifyRequest
from kernelgen_ls.settings import CheckSettings
from kernelgen_ls.work.checking import source_files
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
        return CheckOutcome(tuple(findings), verified=await self._verified(generated, texts))

    async def _verified(self, generated: tuple[GeneratedFile, ...], texts: dict[str, str]) -> bool | None:
        """Whether the candidate's kernel gives its golden outputs; None where nothing ran it."""
        if self.verifier is None:
            return None
        entries = [(file.path, one.name) for file in generated for one in Source.parse(file.text).structure.entries]
        if len(entries) != 1:
            return None
        (path, kernel) = entries[0]
        cases = find_cases(texts, kernel)
        if cases is None:
            return None
        request = VerifyRequest(path, source_files(texts), self.settings.chip, kernel, cases)
        result = await self.verifier.run(request)
        if not result.outcome.is_verdict:
            logger.warning("a candidate was not run: %s", result.message)
            return None
        return result.outcome is Outcome.PASSED
