"""How far one spelling is from another, and which are slips of the keyboard."""

from __future__ import annotations

import re

_DIGITS = re.compile(r"\d+")
_SHORT, _LONG = 8, 12
"""Letters of a name below which another one is too near, and from which on two may be wrong."""


def is_slip(written: str, meant: str) -> bool:
    """Whether a file's name looks like a slip of another's: one letter, or two of a long name, and never a digit.

    ``block_v2.h`` is another file than ``block_v1.h``, and ``block.hpp`` than ``block.h``.
    """
    letters = len(meant.rpartition(".")[0])
    if written == meant or letters < _SHORT or written.rpartition(".")[2] != meant.rpartition(".")[2]:
        return False
    if _DIGITS.findall(written) != _DIGITS.findall(meant):
        return False
    limit = 2 if letters >= _LONG else 1
    return distance(written, meant, limit) <= limit


def distance(left: str, right: str, limit: int) -> int:
    """How many letters to insert, drop, change or swap with a neighbour; ``limit + 1`` for anything above ``limit``."""
    if left.casefold() == right.casefold():
        return 0 if left == right else 1
    previous: list[int] = []
    row = list(range(len(right) + 1))
    for i, letter in enumerate(left, 1):
        following = [i]
        for j, other in enumerate(right, 1):
            cost = min(row[j] + 1, following[-1] + 1, row[j - 1] + (letter != other))
            if previous and j > 1 and letter == right[j - 2] and left[i - 2] == other:
                cost = min(cost, previous[j - 2] + 1)
            following.append(cost)
        if min(following) > limit:
            return limit + 1
        previous, row = row, following
    return min(row[-1], limit + 1)
