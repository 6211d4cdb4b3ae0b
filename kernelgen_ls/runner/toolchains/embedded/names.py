"""Which declared name an undeclared one looks like: one or two slips away, close enough to be called an error."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from kernelgen_ls.runner.toolchains.embedded.parser import INCLUDE

_WORD = re.compile(r"\b[A-Za-z_]\w{2,}\b")
_COMMENT = re.compile(r"//[^\n]*")


@lru_cache(4096)
def suggest(name: str, scope: str) -> tuple[str, ...]:
    """The declared names that ``name`` is a slip of, best first; ``scope`` "#include" means header names."""
    if scope == "#include":
        candidates, limit = _headers(), 2
    else:
        candidates, limit = _names(), 1 if len(name) <= 5 else 2
        if not name[0].isupper():  # a variable's name: only its letters' case may be wrong
            return tuple(sorted(other for other in candidates if other.casefold() == name.casefold()))
    near = [(distance(name, other, limit), other) for other in candidates if abs(len(other) - len(name)) <= limit]
    return tuple(other for close, other in sorted(near) if close <= limit and other != name)[:3]


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


@cache
def _names() -> frozenset[str]:
    """Every identifier that our kernel and host declarations spell, which begins like a name of the interface."""
    return frozenset(name for name in _words() if name[0].isupper() and not name.isupper())


@cache
def _headers() -> frozenset[str]:
    return frozenset(
        path.relative_to(INCLUDE).as_posix()
        for path in INCLUDE.rglob("*.h")
        if path.relative_to(INCLUDE).parts[0] not in ("std", "ascendc")
    )


def spelled() -> Iterator[str]:
    """Every identifier in our declarations, those of the standard library among them, again and again."""
    for path in INCLUDE.rglob("*.h"):
        yield from _WORD.findall(_COMMENT.sub("", path.read_text(encoding="utf-8")))


def _words() -> Iterator[str]:
    for path in INCLUDE.rglob("*.h"):
        if "std" not in path.relative_to(INCLUDE).parts:
            yield from _WORD.findall(_COMMENT.sub("", path.read_text(encoding="utf-8")))
