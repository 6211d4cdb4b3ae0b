"""What two versions of a text share."""

from __future__ import annotations

from itertools import takewhile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelgen_ls.kernel.changes import changed_span, common_prefix

LONG = "int a = 0;\n" * 10_000


@pytest.mark.parametrize(
    ("a", "b", "length"),
    [
        ("", "", 0),
        ("", "x", 0),
        ("abc", "abc", 3),
        ("abc", "abd", 2),
        ("abc", "ab", 2),
        ("核a", "核b", 1),
        (b"abc", b"abd", 2),
        ([1, 2, 3], [1, 2, 4, 5], 2),
        ([1, 2], (), 0),
        (LONG, LONG + "x", len(LONG)),
        (LONG + "a", LONG + "b", len(LONG)),
        (LONG[:63] + "a" + LONG, LONG[:63] + "b" + LONG, 63),
        (LONG[:64] + "a" + LONG, LONG[:64] + "b" + LONG, 64),
    ],
    ids=lambda value: None if not isinstance(value, str) else value[:8],
)
def test_the_common_start(a: str, b: str, length: int) -> None:
    assert common_prefix(a, b) == common_prefix(b, a) == length


def naive(a: str, b: str) -> int:
    return len(list(takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False))))


TEXTS = st.text("ab\n", max_size=200)


@given(TEXTS, TEXTS, TEXTS)
def test_it_is_what_looking_at_each_character_gives(start: str, a: str, b: str) -> None:
    assert common_prefix(start + a, start + b) == naive(start + a, start + b)


@given(TEXTS, TEXTS)
def test_the_change_makes_the_new_text_of_the_old_and_is_no_longer_than_it_must(old: str, new: str) -> None:
    start, old_end, new_end = changed_span(old, new)
    assert start <= old_end <= len(old) and start <= new_end <= len(new)
    assert old[:start] + new[start:new_end] + old[old_end:] == new
    assert changed_span(old.encode(), new.encode()) == (start, old_end, new_end)
    if old_end > start and new_end > start:
        assert old[start] != new[start] and old[old_end - 1] != new[new_end - 1]


def test_a_repeated_line_is_counted_once() -> None:
    assert changed_span("a\na\n", "a\na\na\n") == (4, 4, 6)
