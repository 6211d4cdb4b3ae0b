"""A verification as people and programs read it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Any

from attrs import evolve, frozen

from kernelgen_ls.kernel.findings import Finding, FoundBy, Location, Range, Severity
from kernelgen_ls.kernel.verdict import VerdictOutcome
from kernelgen_ls.rpc.wire import to_wire
from kernelgen_ls.runner.jobs.messages import CaseResult, Outcome, VerifyResult
from kernelgen_ls.work.verdicts import case_name, verdict, verdict_words

_MOST_ROWS = 8
"""Findings, and cases, on a page that is looked at while hovering."""


@frozen
class Verified:
    """A kernel's verification; ``path`` and the findings' are as the user would write them."""

    path: str
    kernel: str
    result: VerifyResult


def worst(several: Sequence[Verified]) -> VerdictOutcome:
    """Of several kernels' verdicts: a wrong one, else a failure, else one not executed."""
    found = {verdict(one.result).outcome for one in several}
    order = (VerdictOutcome.WRONG, VerdictOutcome.FAILED, VerdictOutcome.NOT_EXECUTED)
    return next((one for one in order if one in found), VerdictOutcome.RIGHT)


def verdict_brief(result: VerifyResult) -> str:
    """The verdict in a few words: without what is wrong."""
    words = verdict_words(result)
    if result.outcome is Outcome.COMPILE_ERROR:
        return "does not compile"
    return words.partition(" (" if verdict(result).outcome is VerdictOutcome.RIGHT else ":")[0]


def wrong_outputs(result: VerifyResult, path: str, place: Range) -> Finding | None:
    """What is wrong with a kernel's outputs as a finding at ``place`` of ``path``; None where they are right.

    That a kernel does not compile, and what other findings say already, is none.
    """
    if result.outcome not in (Outcome.WRONG_VALUES, Outcome.WRONG_SHAPE, Outcome.WRONG_DTYPE):
        return None
    said = [verdict_words(result), *([result.in_common] if result.in_common else [])]
    return Finding(Location(path, place), Severity.ERROR, "; ".join(said), FoundBy.TWIN, "twin/wrong-outputs")


def verification_page(result: VerifyResult, kernel: str) -> str:
    """The verdict on an entry function as Markdown: in words, then what was found, then the other wrong cases."""
    serious = [finding for finding in result.findings if finding.severity is not Severity.INFORMATION]
    found = [_finding(finding).partition("\n")[0] for finding in serious]
    bad = [case_line(case) for case in result.cases if case.outcome is not Outcome.PASSED]
    # The verdict has the first of them already.
    rows = [*_first(found, "findings"), *_first(bad[1:], "wrong cases"), *notes(result)]
    printed = [f"{case_name(case)}: kernel printed: {line}" for case in result.cases for line in case.printed]
    rows += _first(printed, "printed lines")
    if bad and len(bad) < len(result.cases):
        rows.append(f"{len(result.cases) - len(bad)} of {len(result.cases)} cases passed")
    parts = [f"**{kernel}**: {_markdown(verdict_words(result))}", "\n".join(f"- {_markdown(row)}" for row in rows)]
    limits = f"*{result.toolchain.limits}*" if result.toolchain.limits else ""
    return "\n\n".join(part for part in (*parts, limits) if part)


def _first(rows: list[str], what: str) -> list[str]:
    """As many as a page has room for, and how many more there are."""
    more = len(rows) - _MOST_ROWS
    return [*rows[:_MOST_ROWS], f"{more} more {what}"] if more > 0 else rows


def verification_json(one: Verified) -> dict[str, Any]:
    """The result as plain values for ``--json`` (``docs/schemas/verify.schema.json``), the verdict in one place."""
    said = {"path": one.path, "kernel": one.kernel, "verdict": to_wire(verdict(one.result))}
    return {**said, **to_wire(one.result)}


def verifications_json(several: Sequence[Verified]) -> dict[str, Any]:
    """The results of a folder's kernels for ``--json``."""
    return {"outcome": worst(several).value, "kernels": [verification_json(one) for one in several]}


def verification_lines(result: VerifyResult, kernel: str) -> list[str]:
    """Findings, cases, and the verdict on ``kernel`` as the last line.

    Of what the compiler's own flags mend only the number is said.
    """
    lines = [_finding(finding) for finding in result.findings if finding.severity is not Severity.INFORMATION]
    for case in result.cases:
        lines += [*(f"  kernel printed: {line}" for line in case.printed), case_line(case)]
    lines += notes(result)
    return [*lines, f"{kernel}: {verdict_words(result)}"]


def notes(result: VerifyResult) -> list[str]:
    """What else there is to know of a verdict, a line each."""
    said = [result.in_common] if result.in_common else []
    mended = sum(finding.severity is Severity.INFORMATION for finding in result.findings)
    if mended:
        said.append(f"{mended} more places hold only because of what compilers insert (verify --json lists them)")
    if result.origin and result.cases and verdict(result).outcome is not VerdictOutcome.RIGHT:
        said.append(f"the cases are made from {result.origin}")
    if shared := verdict(result).not_isolated:
        said.append(f"the runs shared this machine's {', '.join(shared)}: it cannot isolate them (docs/runner.md)")
    return said


def case_line(case: CaseResult) -> str:
    """One case in a line."""
    return f"{case_name(case)}: {case.outcome.value}{f': {case.message}' if case.message else ''}"


def seen_from(result: VerifyResult, folder: str) -> VerifyResult:
    """The result with its findings' paths, which are relative to ``folder``, as the user would write them."""
    moved = (finding.with_paths(lambda path: str(PurePosixPath(folder) / path)) for finding in result.findings)
    return evolve(result, findings=tuple(moved))


def _markdown(text: str) -> str:
    """Text as Markdown shows it letter by letter; plain where it can be, for editors that show the marks."""
    if not re.search(r"[<*`\\]|\b__|^#", text):
        return text
    return "``" + text.replace("``", "''") + "``"


def _finding(finding: Finding) -> str:
    at = finding.location
    place = f"{at.path}:{at.range.start.line + 1}:{at.range.start.column + 1}"
    related = "".join(
        f"\n  {one.location.path}:{one.location.range.start.line + 1}: {one.message}" for one in finding.related
    )
    code = f" [{finding.code}]" if finding.code else ""
    return f"{place}: {finding.severity.value}: {finding.message}{code}{related}"
