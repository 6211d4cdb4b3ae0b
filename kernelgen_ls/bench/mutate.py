"""Defects put into clean kernels, one at a time, of the kinds that people and models make. Text in, text out.

The benchmark measures with them how much the checker finds. What a mutation draws comes from the given ``Random``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from attrs import frozen

from kernelgen_ls.bench.edits import Finder, Kind
from kernelgen_ls.bench.misuses import MISUSES
from kernelgen_ls.bench.slips import SLIPS
from kernelgen_ls.kernel.blank import strip_comments


@frozen
class Mutation:
    """A kernel with one defect: ``line`` (zero-based) is where it was put, ``description`` says what was done."""

    kind: str
    text: str
    line: int
    description: str


_KINDS: dict[str, Kind] = {kind.name: kind for kind in (*SLIPS, *MISUSES)}
KINDS: tuple[str, ...] = tuple(_KINDS)
"""The kinds of defect there are."""


def finder_of(kind: str) -> Finder:
    """Return who finds defects of ``kind`` at the earliest. Raises KeyError for an unknown kind."""
    return _KINDS[kind].finder


def mutate(text: str, kind: str, random: Random) -> Mutation | None:
    """Return ``text`` with one defect of ``kind`` at a place that ``random`` chooses; None where there is no place.

    Raises KeyError for an unknown kind.
    """
    edits = _KINDS[kind].edits(strip_comments(text), random)
    if not edits:
        return None
    edit = random.choice(edits)
    include = f"#include <{edit.include}>\n" if edit.include else ""
    mutated = include + text[: edit.start] + edit.text + text[edit.end :]
    return Mutation(kind, mutated, text.count("\n", 0, edit.start) + include.count("\n"), edit.description)


def mutations(text: str, random: Random, each: int = 1, kinds: Sequence[str] = KINDS) -> Iterator[Mutation]:
    """Yield up to ``each`` different defects of every kind, each in a text of its own."""
    for kind in kinds:
        seen: set[str] = set()
        for _ in range(each * 3):
            mutation = mutate(text, kind, random)
            if mutation is not None and mutation.text not in seen and len(seen) < each:
                seen.add(mutation.text)
                yield mutation
