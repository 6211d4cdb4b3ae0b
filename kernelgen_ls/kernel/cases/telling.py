"""Numbers that tell kernels apart where usual ones do not: at the steps of a formula, and as small as its constants.

Normally distributed numbers are never equal and never halfway between two integers, so that ``>`` for ``>=`` and one
rounding for another give the same; and a constant such as ``eps`` vanishes beside their variance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import field, frozen

from kernelgen_ls.kernel.formula import Call, Formula, Name, Number
from kernelgen_ls.kernel.formula.functions import FUNCTIONS
from kernelgen_ls.kernel.formula.tree import Expr, Text

_STEPS = frozenset(
    (
        *("lt", "le", "gt", "ge", "eq", "ne", "sign", "floor", "ceil", "trunc", "round", "frac", "floordiv"),
        *("heaviside", "threshold", "hardshrink"),
    )
)
"""What jumps where its operand does not."""
_EXACT = frozenset(
    (
        *("add", "sub", "mul", "neg", "abs", "square", "maximum", "minimum", "clamp", "where", "relu", "relu6"),
        *("logical_and", "logical_or", "logical_not"),
    )
)
"""What is not rounded for short numbers, in any type."""
_INDEXING = frozenset(
    ("gather", "index_select", "item", "take", "embedding", "slice", "narrow", "one_hot", "repeat", "arange", "expand")
)
_LEVELS = tuple(step / 2 for step in range(-8, 9))
"""Halves: so few that two tensors have the same ones in many places."""
_FEWEST_BITS = 16
_TINY = 0.01


def levels(formula: Formula, attributes: Mapping[str, Any]) -> tuple[float, ...]:
    """Short numbers on and beside the formula's steps; none where it has no steps, or computes what steps inexactly."""
    given = {one.name: one.value for one in formula.assignments}
    stepping = [call for one in formula.assignments for call in _calls(one.value) if call.op in _STEPS]
    operands = [operand for call in stepping for operand in call.args]
    exact = _Exact(given, attributes)
    if not stepping or not all(exact.of(operand) for operand in operands):
        return ()
    named = {value for value in constants(formula, attributes) if _is_short(value) and abs(value) <= _LEVELS[-1]}
    return tuple(sorted({*_LEVELS, *named}))


def smallness(formula: Formula, attributes: Mapping[str, Any]) -> float | None:
    """By what numbers are multiplied so that their squares are as small as the formula's smallest constant."""
    tiny = [value for value in constants(formula, attributes) if 1e-12 <= abs(value) < _TINY]
    return float(f"{min(tiny) ** 0.5:.1g}") if tiny and min(tiny) > 0 else None


def has_powers(formula: Formula) -> bool:
    """Whether an exponent is no number: of zeros nobody means the power of zero."""
    powers = (call for one in formula.assignments for call in _calls(one.value) if call.op in ("pow", "norm"))
    return any(not isinstance(part, Number | Text) for call in powers for part in _exponents(call))


def order_of_norm(formula: Formula) -> str:
    """The input that says which norm is meant: nobody takes any number there; "" where there is none."""
    calls = [call for one in formula.assignments for call in _calls(one.value)]
    if not any(call.op in FUNCTIONS and FUNCTIONS[call.op].reduces for call in calls):
        return ""
    exponents = (part for call in calls if call.op in ("pow", "norm") for part in _exponents(call))
    return next((part.name for part in exponents if isinstance(part, Name) and part.name in formula.reads), "")


def _exponents(call: Call) -> tuple[Expr, ...]:
    return (*call.args[1:2], *(value for name, value in call.options if name in ("exponent", "p", "ord")))


def takes_negative(formula: Formula) -> bool:
    """Whether integers of any sign make sense: none of them can be a place."""
    return not any(call.op in _INDEXING for one in formula.assignments for call in _calls(one.value))


def constants(formula: Formula, attributes: Mapping[str, Any]) -> Iterator[float]:
    """The numbers that a formula has, and those of the attributes that it reads."""
    trees: list[Expr] = [one.value for one in formula.assignments]
    for tree in trees:
        for part in _parts(tree):
            if isinstance(part, Number) and not isinstance(part.value, bool):
                yield float(part.value)
    values = (attributes.get(name) for name in formula.attributes)
    yield from (float(value) for value in values if isinstance(value, int | float) and not isinstance(value, bool))


@frozen
class _Exact:
    """What is not rounded for short numbers; ``known`` has what was told of a name so many lines down."""

    given: Mapping[str, Expr]
    attributes: Mapping[str, Any]
    known: dict[tuple[str, int], bool] = field(factory=dict)

    def of(self, expr: Expr, depth: int = 0) -> bool:
        """Whether a tree that stands ``depth`` lines down is exact."""
        if isinstance(expr, Number):
            return _is_short(float(expr.value))
        if isinstance(expr, Name):
            if expr.name in self.given:
                return depth < _FEWEST_BITS and self._line(expr.name, depth)
            value = self.attributes.get(expr.name, 0)
            return isinstance(value, int | float) and _is_short(float(value))
        if not isinstance(expr, Call):
            return True
        products = sum(call.op in ("mul", "square") for call in _calls(expr))
        if products > 1 or expr.op not in _EXACT | _STEPS:
            return False
        return all(self.of(arg, depth) for arg in (*expr.args, *(value for _, value in expr.options)))

    def _line(self, name: str, depth: int) -> bool:
        # A line that reads the one above it four times would be told four times, and sixteen times that above.
        key = (name, depth)
        if key not in self.known:
            self.known[key] = self.of(self.given[name], depth + 1)
        return self.known[key]


def _is_short(value: float) -> bool:
    """Whether a product with a level is exact in 8 bits."""
    return float(value * 4).is_integer() and abs(value) <= 8


def _calls(expr: Expr) -> Iterator[Call]:
    return (part for part in _parts(expr) if isinstance(part, Call))


def _parts(expr: Expr) -> Iterator[Expr]:
    yield expr
    if isinstance(expr, Call):
        for child in (*expr.args, *(value for _, value in expr.options)):
            yield from _parts(child)
