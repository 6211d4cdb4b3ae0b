"""Which findings survive an edit: those of lines it did not touch, moved along."""

import pytest

from kernelgen_ls.kernel.findings import Finding, FoundBy, Location, Position, Range, Severity
from kernelgen_ls.lsp.following.checks import surviving
from kernelgen_ls.lsp.session.documents import Document

TEXT = "a0\nb1\nc2\nd3\n"


def finding(line: int) -> Finding:
    where = Location("k.cpp", Range(Position(line, 0), Position(line, 1)))
    return Finding(where, Severity.ERROR, f"at {TEXT.splitlines()[line]}", FoundBy.EMBEDDED)


def check(new: str, expected: dict[str, int]) -> None:
    before, after = Document("file:///k.cpp", "cpp", 1, TEXT), Document("file:///k.cpp", "cpp", 2, new)
    kept = surviving(tuple(finding(line) for line in range(4)), before, after)
    assert {one.message: one.location.range.start.line for one in kept} == expected


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        ("a0\nb1!\nc2\nd3\n", {"at a0": 0, "at c2": 2, "at d3": 3}),
        ("a0\nb1\nnew\nc2\nd3\n", {"at a0": 0, "at b1": 1, "at d3": 4}),
        ("a0\nd3\n", {"at a0": 0}),
        ("x\na0\nb1\nc2\nd3\n", {"at b1": 2, "at c2": 3, "at d3": 4}),
        ("", {}),
    ],
)
def test_only_untouched_lines_keep_their_findings(new: str, expected: dict[str, int]) -> None:
    check(new, expected)


def test_a_kept_finding_stands_at_the_text_it_was_found_at() -> None:
    before = Document("file:///k.cpp", "cpp", 1, TEXT)
    after = Document("file:///k.cpp", "cpp", 2, "a0\nx\ny\nb1\nc2\nd3\n")
    kept = surviving(tuple(finding(line) for line in range(4)), before, after)
    texts = {one.message: after.line(one.location.range.start.line) for one in kept}
    assert texts == {"at a0": "a0", "at c2": "c2", "at d3": "d3"}
