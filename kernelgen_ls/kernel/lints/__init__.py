"""Lints: what no compiler says about a kernel. One file each; ``lint_program`` runs them over what is compiled as one.

A lint speaks only of what the text proves. ``// kernelgen: ignore(code)`` on a line, or alone on the line above,
silences it there; ``// kernelgen: ignore-file(code)`` in the whole file; without a code, all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from attrs import evolve, frozen

from kernelgen_ls.kernel.chips import Chip
from kernelgen_ls.kernel.findings import Finding, Fix, FoundBy, Location, Related, Severity, TextEdit
from kernelgen_ls.kernel.lints import (
    alloc_without_free,
    array_bounds,
    buffer_overrun,
    copy_alignment,
    deque_without_enque,
    dtype,
    enque_without_deque,
    flag_pairs,
    free_twice,
    local_offset_alignment,
    mask_range,
    missing_global_buffer,
    missing_init,
    missing_wait,
    pad_stride,
    queue_position,
    return_without_free,
    scalar_loop,
    single_buffer,
    static_variable,
    too_many_tensors,
    ub_budget,
    use_after_free,
)
from kernelgen_ls.kernel.lints.context import Lint, LintContext, Repair, Report
from kernelgen_ls.kernel.lints.evaluated import placed
from kernelgen_ls.kernel.program import Program
from kernelgen_ls.kernel.roles import Role, role_of
from kernelgen_ls.kernel.syntax import Source

LINTS: tuple[Lint, ...] = (
    ub_budget.LINT,
    copy_alignment.LINT,
    local_offset_alignment.LINT,
    buffer_overrun.LINT,
    pad_stride.LINT,
    enque_without_deque.LINT,
    deque_without_enque.LINT,
    alloc_without_free.LINT,
    too_many_tensors.LINT,
    free_twice.LINT,
    use_after_free.LINT,
    return_without_free.LINT,
    missing_init.LINT,
    missing_global_buffer.LINT,
    flag_pairs.LINT,
    missing_wait.LINT,
    mask_range.LINT,
    array_bounds.LINT,
    static_variable.LINT,
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
    """Return what the lints find in a kernel that is one text, in its order; nothing for a text that is no kernel.

    ``path`` is the file's (POSIX, relative to the project's root). ``severities`` overrides a lint's severity by
    its code; None turns it off.
    """
    return lint_program(Program.of_one(source, path), chip, severities=severities)


def lint_program(
    program: Program, chip: Chip, *, severities: Mapping[str, Severity | None] | None = None
) -> tuple[Finding, ...]:
    """Return what the lints find in a program: in its kernels' files, each finding at its own file and line."""
    return Linted.of(program, chip, severities).findings()


@frozen
class Linted:
    """What the lints found in a program, before what a C++ front end found for the same rules is known."""

    _context: LintContext | None
    _chosen: Mapping[str, Severity | None]
    _found: tuple[Finding, ...] = ()

    @classmethod
    def of(cls, program: Program, chip: Chip, severities: Mapping[str, Severity | None] | None = None) -> Linted:
        """Run the lints; nothing is found in a program without a kernel."""
        chosen = {**DEFAULT_SEVERITIES, **(severities or {})}
        if not _kernels(program):
            return cls(None, chosen)
        context = LintContext(program, chip)
        return cls(context, chosen, tuple(_found(context, chosen)))

    def findings(self, evaluated: Iterable[Finding] = ()) -> tuple[Finding, ...]:
        """Return the findings that no comment silences, in the order of their places.

        ``evaluated`` are findings that a C++ front end made for the same rules, at the ends of calls whose arguments
        are constants in some instantiation: they are placed, silenced and said once with the others.
        """
        if self._context is None:
            return ()
        program = self._context.source
        found = list(self._found)
        said = {_place(finding) for finding in found}
        for finding in placed(self._context, evaluated):
            severity = self._chosen.get(finding.code)
            if severity is not None and _place(finding) not in said:
                found.append(evolve(finding, severity=severity))
        kernels = _kernels(program)
        ignored = {part.path: Ignored.of(part.text) for part in program.parts}
        wanted = [
            finding
            for finding in found
            if finding.location.path in kernels
            and not ignored[finding.location.path].silences(finding.code, finding.location.range.start.line)
        ]
        return tuple(sorted(wanted, key=lambda finding: (finding.location.path, finding.location.range, finding.code)))


def _kernels(program: Program) -> set[str]:
    return {part.path for part in program.parts if role_of(part.path, part.text) is Role.KERNEL}


def _found(context: LintContext, chosen: Mapping[str, Severity | None]) -> Iterator[Finding]:
    for rule in LINTS:
        severity = chosen.get(rule.code)
        if severity is None:
            continue
        for report in rule.check(context):
            if not context.is_discarded(report.span.start):
                yield _finding(context.source, context.source.location(report.span), rule.code, severity, report)


def _place(finding: Finding) -> tuple[str, int, str]:
    return finding.location.path, finding.location.range.start.line, finding.code


def _finding(program: Program, place: Location, code: str, severity: Severity, report: Report) -> Finding:
    return Finding(
        location=place,
        severity=severity,
        message=report.message,
        source=FoundBy.LINT,
        code=code,
        related=tuple(Related(program.location(span), message) for span, message in report.related),
        fixes=tuple(_fix(program, repair) for repair in report.repairs),
    )


def _fix(program: Program, repair: Repair) -> Fix:
    places = [(program.location(item.span), item.text) for item in repair.replacements]
    edits = tuple(TextEdit(place.path, place.range, text) for place, text in places)
    return Fix(repair.title, edits, repair.safe)


@frozen
class Ignored:
    """The codes that a file's comments silence, in all of it and by zero-based line; "*" stands for all."""

    everywhere: frozenset[str]
    by_line: Mapping[int, frozenset[str]]

    @classmethod
    def of(cls, text: str) -> Ignored:
        """What the comments of ``text`` say."""
        everywhere: set[str] = set()
        by_line: dict[int, frozenset[str]] = {}
        if "kernelgen:" not in text:
            return cls(frozenset(), by_line)
        for number, line in enumerate(text.split("\n")):
            for match in _COMMENT.finditer(line):
                codes = frozenset(code.strip() for code in (match.group("codes") or "*").split(",") if code.strip())
                if match.group("file"):
                    everywhere |= codes
                    continue
                target = number if line.split("//")[0].strip() else number + 1
                by_line[target] = by_line.get(target, frozenset()) | codes
        return cls(frozenset(everywhere), by_line)

    def silences(self, code: str, line: int) -> bool:
        """Whether a finding of the rule ``code`` on ``line`` is not wanted."""
        codes = self.everywhere | self.by_line.get(line, frozenset())
        return "*" in codes or code in codes or code.removeprefix("kernel/") in codes
