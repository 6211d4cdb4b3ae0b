"""What kinds of mistakes are made of: edits of a text, who can find them, and the calls of operations in a text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import Enum
from random import Random
from typing import NamedTuple

from attrs import frozen


class Finder(str, Enum):
    """Who finds a kind of mistake at the earliest."""

    COMPILER = "compiler"
    """It is against the language or the interface: any compiler for the device refuses it."""
    LINT = "lint"
    """It compiles and fails when it runs; the text alone shows it."""
    RUN = "run"
    """Only running it shows it: what it computes is wrong, or wrong now and then."""


class Edit(NamedTuple):
    """Replace what stands between two offsets; ``include`` is a header that the replacement needs."""

    start: int
    end: int
    text: str
    description: str
    include: str = ""


@frozen
class Kind:
    """A kind of mistake: ``edits`` gives those that a text without comments has a place for."""

    name: str
    finder: Finder
    edits: Callable[[str, Random], list[Edit]]


VECTOR_CALLS = (
    "Add|Sub|Mul|Div|Max|Min|Adds|Muls|Maxs|Mins|Exp|Ln|Abs|Sqrt|Rsqrt|Reciprocal|Relu|Cast|Duplicate|Axpy|Compare|"
    "Select|ReduceSum|ReduceMax|ReduceMin|WholeReduceSum|BlockReduceSum|Gather|DataCopy|DataCopyPad|Tanh|Sigmoid|Power|"
    "Brcb|CompareScalar|MulAddDst|FusedMulAdd|Not|And|Or|Transpose|LeakyRelu|Mmad|LoadData|Fixpipe|Broadcast"
)
_CALL = re.compile(rf"(?<![\w.>])(?:AscendC::)?(?P<name>{VECTOR_CALLS})\s*(?:<[^<>;(){{}}]*>\s*)?\(")


def calls(plain: str) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """Yield each call of an operation: its name and the spans of its arguments, without the spaces around them."""
    for match in _CALL.finditer(plain):
        spans: list[tuple[int, int]] = []
        depth, start = 0, match.end()
        for index in range(match.end(), len(plain)):
            character = plain[index]
            if character in "([{":
                depth += 1
            elif character in ")]}":
                if depth == 0:
                    spans.append((start, index))
                    break
                depth -= 1
            elif character == "," and depth == 0 and not _inside_angle(plain[start:index]):
                spans.append((start, index))
                start = index + 1
        yield match.group("name"), [_trimmed(plain, span) for span in spans if plain[span[0] : span[1]].strip()]


def _inside_angle(argument: str) -> bool:
    return argument.count("<") > argument.count(">")


def _trimmed(plain: str, span: tuple[int, int]) -> tuple[int, int]:
    start, end = span
    while start < end and plain[start].isspace():
        start += 1
    while end > start and plain[end - 1].isspace():
        end -= 1
    return start, end
