"""Checking an operator's files: by the embedded checker, and by a runner's compiler where one is named.

Every result that leaves here is in the severities that the user and the project chose; nobody applies them again.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve, frozen

from kernelgen_ls.kernel.findings import Finding, FoundBy, Location, Position, Range, Severity
from kernelgen_ls.runner.client.fleet import JobRunner
from kernelgen_ls.runner.jobs.messages import CheckRequest, CheckResult, Coverage, Outcome, SourceFile
from kernelgen_ls.settings import CheckSettings
from kernelgen_ls.work.chip import chosen_chip
from kernelgen_ls.work.combined import combined
from kernelgen_ls.work.severities import settled
from kernelgen_ls.workspace.discover import Target
from kernelgen_ls.workspace.encodings import UTF8
from kernelgen_ls.workspace.operators import Operator
from kernelgen_ls.workspace.project import CheckFiles

_WORST = (Outcome.PASSED, Outcome.COMPILE_ERROR, Outcome.TIMEOUT, Outcome.INFRA_ERROR, Outcome.CANCELLED)


MAX_SOURCES = 3
"""Sources through which a header is checked while somebody edits it; ``kernelgen-ls check`` takes all."""


@frozen
class Check:
    """What is checked: an operator's file, through one source or several; ``document`` and ``version`` an editor's."""

    operator: Operator
    parts: tuple[CheckFiles, ...]
    document: str = ""
    version: int = 0

    @classmethod
    def whole(cls, operator: Operator, document: str = "", version: int = 0) -> Check:
        """The check of an editor's document: a header's goes through the first sources that include it."""
        return cls(operator, operator.checks[:MAX_SOURCES], document, version)


def source_files(texts: dict[str, str]) -> tuple[SourceFile, ...]:
    """Texts by path as a runner takes them."""
    return tuple(SourceFile(path, text) for path, text in texts.items())


def requests(check: Check, chip: str, *, foremost: bool = False) -> tuple[CheckRequest, ...]:
    """What a runner is asked for a check; only the first request carries the document, which it supersedes.

    ``chip`` is the one that the user named, "" for what each source is written for.
    """
    return tuple(
        CheckRequest(
            entry=part.entry,
            files=source_files(check.operator.needed(part)),
            chip=chosen_chip(check.operator, chip, part.entry).chip.soc,
            document=check.document if number == 0 else "",
            version=check.version,
            foremost=foremost,
        )
        for number, part in enumerate(check.parts)
    )


def request_of(target: Target, chip: str) -> CheckRequest:
    """What a runner is asked for one file of a user's selection."""
    return requests(Check(target.operator, (target.check,), str(target.place)), chip)[0]


async def check_embedded(
    local: JobRunner, check: Check, settings: CheckSettings, *, foremost: bool = False
) -> CheckResult:
    """The embedded checker's answer; never raises for a failure of the checker.

    With ``foremost`` a kernel of many configurations is checked in the first alone, and the result has ``more``.
    """
    result = settled(await _ask(local, check, settings.chip, foremost), settings.lints)
    notes = tuple(_encoding_notes(check))
    return evolve(result, findings=(*notes, *result.findings)) if notes else result


async def check_compiled(
    remote: JobRunner, check: Check, settings: CheckSettings, embedded: CheckResult
) -> CheckResult:
    """A runner's compiler's findings with the embedded checker's lints; the runner's own failure where it failed.

    Where the compiler does not look into a file at all, the embedded answer stands.
    """
    result = settled(await _ask(remote, check, settings.chip), settings.lints)
    return combined(embedded, result) if result.outcome.is_verdict else result


async def check_both(local: JobRunner, remote: JobRunner | None, check: Check, settings: CheckSettings) -> CheckResult:
    """The embedded answer, and the runner's in its place where one is given; a runner that fails is the answer."""
    embedded = await check_embedded(local, check, settings)
    return embedded if remote is None else await check_compiled(remote, check, settings, embedded)


def merged(results: Sequence[CheckResult]) -> CheckResult:
    """The results of a header's checks through several sources as one: the worst outcome, each finding once."""
    worst = max(results, key=lambda result: _WORST.index(result.outcome) if result.outcome in _WORST else 0)
    findings = dict.fromkeys(finding for result in results for finding in result.findings)
    coverage = sum((result.coverage for result in results), Coverage())
    return evolve(
        worst,
        findings=tuple(findings),
        covered=any(result.covered for result in results),
        more=any(result.more for result in results),
        coverage=coverage,
    )


async def _ask(runner: JobRunner, check: Check, chip: str, foremost: bool = False) -> CheckResult:
    return merged([await runner.run(request) for request in requests(check, chip, foremost=foremost)])


def _encoding_notes(check: Check) -> list[Finding]:
    """What had to be done to read the checked files, where an editor did not already do it."""
    notes = []
    for part in check.parts:
        read = check.operator.files.read(part.entry)
        if read is None or read.encoding == UTF8 or check.operator.files.is_unsaved(part.entry):
            continue
        name = read.encoding.upper() or "UTF-8 with replaced bytes"
        start = Position(0, 0)
        where = Location(part.entry, Range(start, start))
        message = f"the file is not UTF-8; it was read as {name}"
        notes.append(Finding(where, Severity.INFORMATION, message, FoundBy.EMBEDDED, "embedded/encoding"))
    return notes
