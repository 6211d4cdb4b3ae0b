"""Golden outputs that a formula gives, and how far each element may be off. Runs in the sandbox, for ``golden.py``.

The formula is computed in float64 on the inputs as the kernel reads them. How sensitive a value is to the rounding of
an honest kernel is measured, not assumed: the inputs are moved by as much as their type's last place, up, down and both
ways at random, and what the output moves by is allowed beside the tolerance of its type. So a sum that cancels or a
value beside a rounding edge may differ, and its neighbours may not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from attrs import frozen

from kernelgen_ls.kernel.dtypes import BFLOAT16, FLOAT16, FLOAT32, FLOAT64, INT8, UINT8, find_dtype
from kernelgen_ls.kernel.formula import Formula, NotEvaluatedError, NotUnderstood, evaluate, readings, understand

Numbers = npt.NDArray[Any]

_LAST_PLACE = {FLOAT16.name: 2.0**-10, BFLOAT16.name: 2.0**-8, FLOAT32.name: 2.0**-22, FLOAT64.name: 2.0**-50}
"""How far an input is moved, as a share of it."""
_BY_HALF = (INT8.name, UINT8.name)
"""What the vector unit makes of floats by way of half."""
_RANDOM_MOVES = 2


@frozen
class GoldenOutput:
    """An output: ``allowed`` is the largest difference of each element."""

    name: str
    dtype: str
    values: Numbers
    allowed: Numbers


@frozen
class GoldenReading:
    """What a formula gives as it is read; ``words`` say what was taken for what it leaves open, "" for nothing."""

    words: str
    outputs: tuple[GoldenOutput, ...]


def formula_golden(
    text: str | Mapping[str, str],
    inputs: Mapping[str, tuple[str, Numbers]],
    outputs: Mapping[str, str],
    attributes: Mapping[str, Any],
    tolerances: Mapping[str, float],
    *,
    saturates: bool,
    exact: bool = False,
) -> tuple[GoldenReading, ...]:
    """What a formula gives, for all that it may mean, the likeliest first; ``text`` may be its readings by their words.

    The outputs are in the order of ``outputs``, which gives their element types by name. ``inputs`` are element types
    and values by name, ``tolerances`` shares by element type. Where ``saturates`` what is beyond a type's end is its
    end, else infinite. Where the inputs are ``exact`` no output may move with their last places. Raises ValueError
    where no reading has such outputs.
    """
    found: list[GoldenReading] = []
    problem = ValueError("there is no formula")
    for words, formula in _formulas(text, (list(inputs), list(attributes), list(outputs))):
        one = _Formula(formula, inputs, outputs, attributes, exact)
        try:
            found.append(GoldenReading(words, one.golden(tolerances, saturates)))
        except ValueError as why:
            problem = why
    if not found:
        raise problem
    return tuple(found)


def _formulas(
    text: str | Mapping[str, str], names: tuple[list[str], list[str], list[str]]
) -> list[tuple[str, Formula]]:
    """The readings of a formula, each with its words. Raises ValueError for one that is not understood."""
    if not isinstance(text, str):
        understood = [(words, understand(one, *names)) for words, one in text.items()]
    else:
        several = readings(lambda taken: understand(text, *names, taken=taken))
        if isinstance(several, NotUnderstood):
            raise ValueError(several.message)
        understood = [(_words(one), one) for one in several]
    for _, one in understood:
        if isinstance(one, NotUnderstood):
            raise ValueError(one.message)
    return [(words, one) for words, one in understood if isinstance(one, Formula)]


def _words(formula: Formula) -> str:
    return " and ".join(formula.assumptions)


@frozen
class _Formula:
    """A formula that leaves nothing open, and what it is computed on."""

    formula: Formula
    inputs: Mapping[str, tuple[str, Numbers]]
    outputs: Mapping[str, str]
    attributes: Mapping[str, Any]
    exact: bool

    def golden(self, tolerances: Mapping[str, float], saturates: bool) -> tuple[GoldenOutput, ...]:
        """Its outputs with what each element may be off."""
        found = self._computed(None)
        if len(found) != len(self.outputs):
            given, wanted = (", ".join(names) for names in (self.formula.outputs, self.outputs))
            raise ValueError(f"the formula gives {given}; the outputs are {wanted}")
        apart = self._apart(found)
        return tuple(
            _golden(name, dtype, values, spread, tolerances.get(dtype, 0.0), saturates)
            for (name, dtype), values, spread in zip(self.outputs.items(), found, apart, strict=True)
        )

    def _apart(self, found: list[Numbers]) -> list[Numbers]:
        """How far each element moves with the inputs' last places. What is no float or zero is not moved."""
        moving = not self.exact and any(values.dtype.kind == "f" and values.any() for _, values in self.inputs.values())
        apart = [np.zeros(one.shape) for one in found]
        for move in _moves() if moving else ():
            for number, other in enumerate(self._computed(move)):
                apart[number] = np.maximum(apart[number], _distance(found[number], other))
        return apart

    def _computed(self, move: Callable[[Numbers], Numbers] | None) -> list[Numbers]:
        types = tuple(self.outputs.values())
        moved = {name: _moved(dtype, values, move, types) for name, (dtype, values) in self.inputs.items()}
        try:
            return list(evaluate(self.formula, moved, self.attributes).values())
        except NotEvaluatedError as problem:
            raise ValueError(f"the formula has no value: {problem}") from problem


def _moves() -> Iterator[Callable[[Numbers], Numbers]]:
    yield lambda values: np.ones(values.shape)
    yield lambda values: -np.ones(values.shape)
    rng = np.random.default_rng(0)
    for _ in range(_RANDOM_MOVES):
        yield lambda values: rng.choice([-1.0, 1.0], values.shape)


def _moved(dtype: str, values: Numbers, move: Callable[[Numbers], Numbers] | None, outputs: tuple[str, ...]) -> Numbers:
    if move is None or values.dtype.kind != "f":
        return values
    place = _LAST_PLACE[FLOAT16.name] if any(one in _BY_HALF for one in outputs) else _LAST_PLACE.get(dtype, 0.0)
    return np.asarray(values * (1 + place * move(values)))


def _distance(one: Numbers, other: Numbers) -> Numbers:
    """How far apart the finite ones are; 0 where the one is not finite: an end of the type is judged as it stands."""
    with np.errstate(all="ignore"):
        apart = np.abs(np.asarray(one, np.float64) - np.asarray(other, np.float64))
    return np.where(np.isfinite(one), np.where(np.isnan(apart), np.inf, apart), 0.0)


def _golden(name: str, dtype: str, values: Numbers, spread: Numbers, share: float, saturates: bool) -> GoldenOutput:
    known = find_dtype(dtype)
    if known is None:
        raise ValueError(f"the element type {dtype!r} of {name} is not known")
    if known.kind == "b":
        return GoldenOutput(name, dtype, values != 0, (spread > 0).astype(np.float64))
    if known.kind in "iu":
        whole = np.rint(np.asarray(values, np.float64)) if values.dtype.kind == "f" else values
        ends = np.iinfo(dtype)
        between = (whole != values) | ((spread > 0) & (spread < 0.5))  # whether it is rounded or cut nobody says
        clipped = np.clip(np.nan_to_num(whole), ends.min, ends.max).astype(dtype)
        return GoldenOutput(name, dtype, clipped, np.rint(spread) + between)
    exact = np.asarray(values, np.float64)
    finite = np.abs(exact[np.isfinite(exact)])
    scale = float(finite.mean()) if finite.size else 0.0
    if saturates and dtype in _ENDS:
        exact = np.clip(np.nan_to_num(exact), -_ENDS[dtype], _ENDS[dtype])
    with np.errstate(all="ignore"):
        allowed = share * (np.where(np.isfinite(exact), np.abs(exact), 0.0) + scale) + spread
    return GoldenOutput(name, dtype, exact, allowed)


_ENDS = {FLOAT16.name: 65504.0, BFLOAT16.name: 3.3895313892515355e38}
