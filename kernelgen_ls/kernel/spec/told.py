"""What sentences tell of parameters whose names are known: ``a, b and c are float arrays with 6007 elements``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from attrs import evolve, frozen

from kernelgen_ls.kernel.dtypes import dtypes_in
from kernelgen_ls.kernel.spec.specification import SpecTensor
from kernelgen_ls.kernel.spec.words import NAME, stated_shape

_ONE = rf"`?{NAME}`?"
_SUBJECT = re.compile(
    rf"(?<![\w.`\[(])(?P<names>{_ONE}(?:\s*(?:,\s*and\b|,|/|\band\b)\s*{_ONE}){{0,8}})"
    rf"(?:\s+(?:is|are|has|have)\b|\s*:|\s+(?=`?[\[(]))"
)
_ENDS = re.compile(r"[;；。]|\.(?:\s|$)")
_COUNT = re.compile(r"(?:\b(?:with|of)|[,:])\s*(?P<count>\d+)\s+elements\b")
_ALL = re.compile(r"\b(?:both|all)\b(?:\s+are)?\s+\S+")
_SAME_SHAPE = re.compile(r"\bof\s+the\s+same\s+shape\b|\bsame\s+shape\b(?!\s+(?:as|of))")

_TENSORS = re.compile(r"\s(?:tensors|arrays|matrices)\b")
_TYPES_BEFORE = re.compile(r"(?:[\w`]+(?:,\s|/|\s(?:or|and)\s)){0,4}[\w`]+\Z")


@frozen
class Told:
    """What is told of a tensor: its element types and shape, empty and None where they are not."""

    dtypes: tuple[str, ...] = ()
    shape: tuple[str, ...] | None = None


def told(text: str, known: Sequence[str]) -> dict[str, Told]:
    """What the sentences of a text tell of the parameters in ``known``, by name."""
    found: dict[str, Told] = {}
    for line in text.split("\n"):
        before = Told()
        for names, facts in _clauses(line, known):
            one = _told(facts)
            if one.shape is None and _SAME_SHAPE.search(facts):
                one = evolve(one, shape=before.shape)
            before = one
            if one != Told():
                found |= {name: one for name in names if name not in found}
        for every in _ALL.findall(line):
            found = {name: evolve(one, dtypes=one.dtypes or dtypes_in(every)) for name, one in found.items()}
    return found


def types_of_all(text: str) -> tuple[str, ...]:
    """The element types that are said of all tensors: ``two float32 tensors``; none where the text has others too."""
    noun = _TENSORS.search(text)
    types = _TYPES_BEFORE.search(text[max(0, noun.start() - 80) : noun.start()]) if noun is not None else None
    found = dtypes_in(types.group()) if types is not None else ()
    return found if set(dtypes_in(text)) == set(found) else ()


def with_told(tensor: SpecTensor, of: dict[str, Told]) -> SpecTensor:
    """A tensor with what is told of it where nothing else says it."""
    one = of.get(tensor.name, Told())
    shape = tensor.shape if tensor.shape is not None else one.shape
    return evolve(tensor, dtypes=tensor.dtypes or one.dtypes, shape=shape)


def _clauses(line: str, known: Sequence[str]) -> list[tuple[list[str], str]]:
    """The parameters that the clauses of a line are about, each with the words about them."""
    subjects = []
    for match in _SUBJECT.finditer(line):
        names = [name for name in re.findall(NAME, match["names"]) if name != "and"]
        if all(name in known for name in names):
            subjects.append((match, names))
    found = []
    for at, (match, names) in enumerate(subjects):
        end = subjects[at + 1][0].start() if at + 1 < len(subjects) else len(line)
        found.append((names, _ENDS.split(line[match.end() : end])[0]))
    return found


def _told(facts: str) -> Told:
    count = _COUNT.search(f":{facts}")
    shape = stated_shape(facts)
    return Told(dtypes_in(facts), shape if shape is not None or count is None else (count["count"],))
