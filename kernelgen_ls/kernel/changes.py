"""What two versions of a text share, and where they differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

S = TypeVar("S", str, bytes)

_FIRST_STEP = 64


def common_prefix(a: Sequence[object], b: Sequence[object]) -> int:
    """The length of the longest common start of two texts or lists.

    Slices are compared, each twice as long as the last, and the first one that differs is halved: no item is looked
    at by itself, and what lies far behind the difference is not looked at at all.
    """
    longest = min(len(a), len(b))
    low, step = 0, _FIRST_STEP
    while low < longest:
        high = min(low + step, longest)
        if a[low:high] != b[low:high]:
            return _first_difference(a, b, low, high)
        low, step = high, 2 * step
    return longest


def changed_span(old: S, new: S) -> tuple[int, int, int]:
    """``(start, old_end, new_end)``: what ``old[start:old_end]`` was is ``new[start:new_end]`` now."""
    start = common_prefix(old, new)
    tail = common_prefix(old[start:][::-1], new[start:][::-1])
    return start, len(old) - tail, len(new) - tail


def _first_difference(a: Sequence[object], b: Sequence[object], low: int, high: int) -> int:
    """Where ``a[low:high]`` and ``b[low:high]``, which are not equal, differ first."""
    while high - low > 1:
        middle = (low + high) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle
    return low
