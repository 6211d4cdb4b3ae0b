"""Fixes of several findings as one; each finding is written as the columns that its fixes replace."""

import pytest

from kernelgen_ls.kernel.findings import Finding, Fix, FoundBy, Location, Position, Range, Severity, TextEdit
from kernelgen_ls.kernel.fixes import safe_fixes


def span(start: int, end: int) -> Range:
    return Range(Position(0, start), Position(0, end))


def finding(*fixes: tuple[int, int, bool], path: str = "k.cpp") -> Finding:
    made = tuple(Fix("mend", (TextEdit(path, span(start, end), "x"),), safe) for start, end, safe in fixes)
    return Finding(Location(path, span(0, 9)), Severity.WARNING, "", FoundBy.LINT, fixes=made)


@pytest.mark.parametrize(
    ("findings", "replaced"),
    [
        ([finding((0, 2, True)), finding((4, 6, True))], [(0, 2), (4, 6)]),
        ([finding((0, 4, True)), finding((2, 6, True)), finding((4, 8, True))], [(0, 4), (4, 8)]),
        ([finding((3, 3, True)), finding((3, 3, True))], [(3, 3)]),
        ([finding((0, 2, False), (4, 6, True)), finding((5, 6, True), (0, 1, True))], [(5, 6)]),
        ([finding((0, 2, True)), finding((0, 2, True), path="other.h")], [(0, 2), (0, 2)]),
    ],
)
def test_the_first_safe_fix_of_each_that_overlaps_no_earlier_one(
    findings: list[Finding], replaced: list[tuple[int, int]]
) -> None:
    fix = safe_fixes(findings)
    assert fix is not None and fix.safe
    assert [(edit.range.start.column, edit.range.end.column) for edit in fix.edits] == replaced


def test_without_a_safe_fix_there_is_none() -> None:
    assert safe_fixes([finding((0, 2, False)), finding()]) is None
