"""What a made case is, and why there may be none."""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import Enum
from typing import Any

from attrs import field, frozen

from kernelgen_ls.kernel.cases.rows import Shape


class Domain(str, Enum):
    """What usual floating-point inputs are: where a formula has values."""

    NORMAL = "normal"
    """Normally distributed around 0."""
    POSITIVE = "positive"
    """Evenly between 0.1 and 2."""
    UNIT = "unit"
    """Evenly between -0.9 and 0.9."""


@frozen
class Given:
    """One input of a case; ``below`` bounds the indices that it holds, None where it holds numbers."""

    dtype: str
    shape: Shape
    below: int | None = None


@frozen
class MadeCase:
    """One case: inputs by name, the outputs' element types by name, attributes by name.

    ``largest`` bounds numbers that fill the whole range up to it: 0 for zeros, None for usual ones. ``tentative`` says
    that nobody has promised that the tiling function takes the shapes.
    """

    name: str
    inputs: Mapping[str, Given]
    outputs: Mapping[str, str]
    attributes: Mapping[str, Any] = field(factory=dict)
    largest: int | None = None
    tentative: bool = False
    levels: tuple[float, ...] = ()
    """The numbers that there are, so short that the formula is exact for them; empty for others."""
    times: float | None = None
    """What usual numbers are multiplied by."""

    @property
    def elements(self) -> int:
        """Of all inputs together."""
        return sum(math.prod(one.shape) for one in self.inputs.values())


@frozen
class MadeCases:
    """An operator's cases, none of which anybody wrote.

    ``formula`` may be reference code in Python. ``blocks`` is how many blocks the kernel is launched on, None where
    op_host says it; ``guessed`` that nobody does. ``sources`` are what everything was read from, for people.
    """

    kernel: str
    formula: str
    cases: tuple[MadeCase, ...]
    domain: Domain
    sources: tuple[str, ...]
    blocks: int | None = None
    guessed: bool = False
    negative: bool = False
    """Whether integers may be negative."""
    fixed: bool = False
    """Whether the specification fixes every shape."""
    assumptions: tuple[str, ...] = ()
    """What was taken for what the formula leaves open."""
    readings: Mapping[str, str] = field(factory=dict)
    """What the formula may mean, by what is taken for what it leaves open; empty where it leaves nothing open."""

    @property
    def origin(self) -> str:
        """What the cases were made from, in words."""
        *first, last = self.sources
        return f"{', '.join(first)} and {last}" if first else last

    @property
    def types(self) -> int:
        """In how many columns of element types there are cases."""
        columns = (
            (*((name, one.dtype) for name, one in case.inputs.items()), *case.outputs.items()) for case in self.cases
        )
        return len(set(columns))

    @property
    def words(self) -> str:
        """The origin, what it fixes, and on how many blocks the kernel is launched where nobody says it."""
        fixed = f"{self.origin}, which fixes the shapes" if self.fixed else self.origin
        return f"{fixed}, on {self.blocks} blocks" if self.guessed else fixed


@frozen
class NotMade:
    """Why there are no cases: one line, with what to do about it."""

    reason: str
