"""Lints: what no compiler says about a kernel. One file each; ``lint`` runs them over one text.

A lint speaks only of what the text proves. ``// kernelgen: ignore(code)`` on a line, or alone on the line above,
silences it there; ``// kernelgen: ignore-file(code)`` in the whole file; without a code, all of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from kernelgen_ls.kernel.chips import Chip
from kernelgen_ls.kernel.findings import Finding, Fix, FoundBy, Location, Related, Severity, TextEdit
from kernelgen_ls.kernel.lints import (
    alloc_without_free,
    copy_alignment,
    deque_without_enque,
    dtype,
    enque_without_deque,
    local_offset_alignment,
    pad_stride,
    queue_position,
    scalar_loop,
    single_buffer,
    ub_budget,
)
from kernelgen_ls.kernel.lints.context import Lint, LintContext, Repair, Report
from kernelgen_ls.kernel.roles import Role, role_of
from kernelgen_ls.kernel.syntax import Source

LINTS: tuple[Lint, ...] = (
    ub_budget.LINT,
    copy_alignment.LINT,
    local_offset_alignment.LINT,
    pad_stride.LINT,
    enque_without_deque.LINT,
    deque_without_enque.LINT,
    alloc_without_free.LINT,
    queue_position.LINT,
    dtype.LINT,
    scalar_loop.LINT,
    single_buffer.LINT,
)

DEFAULT_SEVERITIES: Mapping[str, Severity] = {rule.code: rule.severity for rule in LINTS}

_COMMENT = re.compile(r"//[ \t]*kernelgen:[ \t]*ignore(?P<file>-file)?\b(?:\((?P<codes>[^()]*)\))?")


def lint(
    source: Source, chip: Chip, *, path: str = "", severities: Mapping[str, Severity | None] | None = None
) -> tuple[Finding, ...]:
    """Return what the lints find in a kernel, in the order of the text; nothing for a text that is no kernel.

    ``path`` is the file's (POSIX, relative to the project's root). ``severities`` overrides a lint's severity by
    its code; None turns it off.
    """
    if role_of(path, source.text) is not Role.KERNEL:
        return ()
    chosen = {**DEFAULT_SEVERITIES, **(severities or {})}
    everywhere, by_line = _ignored(source)
    context = LintContext(source, chip, path)
    findings: list[Finding] = []
    for rule in LINTS:
        severity = chosen.get(rule.code)
        if severity is None or _names(rule.code, everywhere):
            continue
        for report in rule.check(context):
            line = source.position(report.span.start).line
            if not _names(rule.code, by_line.get(line, frozenset())):
                findings.append(_finding(source, path, rule.code, severity, report))
    return tuple(sorted(findings, key=lambda finding: (finding.location.range, finding.code)))


def _finding(source: Source, path: str, code: str, severity: Severity, report: Report) -> Finding:
    return Finding(
        location=Location(path, source.range(report.span)),
        severity=severity,
        message=report.message,
        source=FoundBy.LINT,
        code=code,
        related=tuple(Related(Location(path, source.range(span)), message) for span, message in report.related),
        fixes=tuple(_fix(source, path, repair) for repair in report.repairs),
    )


def _fix(source: Source, path: str, repair: Repair) -> Fix:
    edits = tuple(TextEdit(path, source.range(item.span), item.text) for item in repair.replacements)
    return Fix(repair.title, edits, repair.safe)


def _ignored(source: Source) -> tuple[frozenset[str], dict[int, frozenset[str]]]:
    """Return the codes ignored in the whole file and on each line; "*" stands for all."""
    everywhere: set[str] = set()
    by_line: dict[int, frozenset[str]] = {}
    if "kernelgen:" not in source.text:
        return frozenset(), by_line
    for match in _COMMENT.finditer(source.text):
        codes = {code.strip() for code in (match.group("codes") or "*").split(",") if code.strip()}
        if match.group("file"):
            everywhere |= codes
            continue
        line = source.position(match.start()).line
        alone = not source.line_text(line).split("//")[0].strip()
        target = line + 1 if alone else line
        by_line[target] = by_line.get(target, frozenset()) | codes
    return frozenset(everywhere), by_line


def _names(code: str, codes: frozenset[str]) -> bool:
    return "*" in codes or code in codes or code.removeprefix("kernel/") in codes
