"""The checker that generation is handed: a candidate's files in their place in the project, through a runner.

This stands between the rooms: generation knows no runner, and a runner knows no model.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from attrs import frozen

from kernelgen_ls.kernel.findings import Finding
from kernelgen_ls.model.generation.candidate import CheckOutcome
from kernelgen_ls.model.prompts.task import GeneratedFile
from kernelgen_ls.runner.jobs.messages import CheckRequest, CheckResult, SourceFile

AskRunner = Callable[[CheckRequest], Awaitable[CheckResult]]
_ENTRIES = (".cpp", ".asc", ".cce", ".cc")


@frozen
class CandidateCheck:
    """Checks candidates for one operator. ``files`` are the project's own; a candidate's take their place."""

    ask: AskRunner
    chip: str
    files: tuple[SourceFile, ...] = ()
    entry: str = ""
    """The kernel's path, where it does not end like source code (a lone ``.h``)."""

    async def __call__(self, generated: tuple[GeneratedFile, ...]) -> CheckOutcome:
        """The findings on every source file of the candidate; the first failure of the check ends it."""
        texts = {file.path: file for file in self.files}
        texts.update({file.path: SourceFile(file.path, file.text) for file in generated})
        tree = tuple(texts.values())
        findings: dict[Finding, None] = {}
        for file in generated:
            if file.path != self.entry and not file.path.endswith(_ENTRIES):
                continue
            result = await self.ask(CheckRequest(entry=file.path, files=tree, chip=self.chip))
            if not result.outcome.is_verdict:
                return CheckOutcome(failed=result.message or f"the check ended with {result.outcome.value}")
            findings.update(dict.fromkeys(result.findings))
        return CheckOutcome(tuple(findings))
