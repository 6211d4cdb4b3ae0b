"""Edits by lines: applied to the old text they give the new one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelgen_ls.kernel.findings import TextEdit
from kernelgen_ls.lsp.edits.text_diff import edits
from kernelgen_ls.lsp.session.documents import Document


def apply(old: str, changes: tuple[TextEdit, ...]) -> str:
    document = Document("file:///k.cpp", "cpp", 1, old)
    for change in sorted(changes, key=lambda change: change.range.start, reverse=True):
        start, end = document.offset(change.range.start), document.offset(change.range.end)
        old = old[:start] + change.new_text + old[end:]
    return old


@pytest.mark.parametrize(
    ("old", "new", "count"),
    [
        ("a\nb\nc\n", "a\nB\nc\n", 1),
        ("a\nb\nc", "a\nb\nc\nd\n", 1),
        ("", "x\n", 1),
        ("x\n", "", 1),
        ("a\r\nb\r\n", "a\r\nc\r\n", 1),
        ("a\fb\n", "a\fc\n", 1),
        ("same", "same", 0),
    ],
)
def test_edits_are_few_and_right(old: str, new: str, count: int) -> None:
    changes = edits("k.cpp", old, new)
    assert len(changes) == count
    assert apply(old, changes) == new


@given(st.text(alphabet="ab\n\r\f和", max_size=40), st.text(alphabet="ab\n\r\f和", max_size=40))
def test_edits_give_the_new_text(old: str, new: str) -> None:
    assert apply(old, edits("k.cpp", old, new)) == new
