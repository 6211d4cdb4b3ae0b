"""Over which axes the reductions of a mathematical formula go, and that their results stand beside whole rows.

Mathematics says ``x - mean(x)`` and leaves open over what. Where any output has the shape of a whole tensor, a
reduction without ``dim`` goes over the last axis; where every output is a reduction's own result, over all elements.
What is reduced keeps its axis inside a formula, so that it broadcasts, and loses it in an output.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import frozen

from kernelgen_ls.kernel.formula.functions import FUNCTIONS
from kernelgen_ls.kernel.formula.tree import Assignment, Call, Expr, FormulaError, Name, Number, Text

LAST: Expr = Number(-1)
ALL: Expr = Text("")
"""What a reduction may go over: an axis, or all elements."""
_WHOLE = "whole"
_AXES: Mapping[Expr, str] = {
    LAST: "the last axis",
    ALL: "all elements",
    Number(0): "the first axis",
    Number(1): "the second axis",
    Number(2): "the third axis",
}
_OVER = "taken for what a reduction without `dim` goes over"
_BIASED = "the number of elements"
_UNBIASED = "one less than the number of elements"
_DIVIDED = "taken for what a variance is divided by"
OVER: Mapping[Expr, str] = {axis: f"{words} {_OVER}" for axis, words in _AXES.items()}
"""The assumption that a reduction goes over an axis."""
OPEN = (_OVER, _DIVIDED)
"""How an assumption ends in whose place there may be another one."""


@frozen
class Taken:
    """What is taken for what is not said: ``axis`` as the outputs' shapes make it likely where None is given."""

    axis: Expr | None = None
    unbiased: bool = False


NOTHING = Taken()

Shape = frozenset[Expr] | str | None
"""Over what a value was reduced; ``_WHOLE`` for what has its own shape, None for a number."""


def with_axes(
    assignments: Sequence[Assignment], outputs: Sequence[str], attributes: frozenset[str], taken: Taken
) -> tuple[tuple[Assignment, ...], tuple[str, ...]]:
    """The assignments with every reduction's axis said, and what was assumed for it."""
    shapes: dict[str, Shape] = dict.fromkeys(attributes)
    for assignment in assignments:
        shapes[assignment.name] = _shape(assignment.value, shapes)
    by_rows = any(shapes.get(name, _WHOLE) == _WHOLE for name in outputs)
    axis = taken.axis if taken.axis is not None else LAST if by_rows else ALL
    assumed: list[str] = []
    result = [Assignment(one.name, _said(one.value, axis, taken, assumed)) for one in assignments]
    for name in outputs:
        found = shapes.get(name)
        dims = {axis if dim is _UNSAID else dim for dim in found} if isinstance(found, frozenset) else set()
        squeezed = sorted(dims - {ALL}, key=repr)
        result += [Assignment(name, Call("squeeze", (Name(name),), (("dim", dim),))) for dim in squeezed]
    return tuple(result), tuple(dict.fromkeys(assumed))


_UNSAID: Expr = Text("unsaid")


def _reduces(expr: Call) -> bool:
    return expr.op in FUNCTIONS and FUNCTIONS[expr.op].reduces


def _shape(expr: Expr, shapes: Mapping[str, Shape]) -> Shape:
    if isinstance(expr, Name):
        return shapes.get(expr.name, _WHOLE)
    if not isinstance(expr, Call) or expr.op == "size":
        return None
    if _reduces(expr):
        if expr.option("keepdim") is not None:
            return _WHOLE
        if isinstance(_shape(expr.args[0], shapes), frozenset):
            raise FormulaError(expr.op, "a reduction of what is reduced already: write `keepdim` or several lines")
        return frozenset((expr.option("dim") or _UNSAID,))
    found = [_shape(arg, shapes) for arg in expr.args if not isinstance(arg, Text)]
    found += [_shape(value, shapes) for _, value in expr.options if not isinstance(value, Text)]
    if _WHOLE in found:
        return _WHOLE
    reduced = [one for one in found if isinstance(one, frozenset)]
    return frozenset().union(*reduced) if reduced else None


def _said(expr: Expr, axis: Expr, taken: Taken, assumed: list[str]) -> Expr:
    if not isinstance(expr, Call):
        return expr
    args = tuple(_said(arg, axis, taken, assumed) for arg in expr.args)
    options = {name: _said(value, axis, taken, assumed) for name, value in expr.options}
    if _reduces(expr) or (expr.op == "size" and not options):
        if "dim" not in options and axis != ALL:
            options["dim"] = axis
        if _reduces(expr):
            if expr.option("dim") is None:
                assumed.append(OVER[axis])
            if options.get("dim", ALL) != ALL:
                options.setdefault("keepdim", Number(True))
            if expr.op in ("var", "std") and not {"correction", "unbiased"} & set(options):
                assumed.append(f"{_UNBIASED if taken.unbiased else _BIASED} {_DIVIDED}")
                options["correction"] = Number(int(taken.unbiased))
    return Call(expr.op, args, tuple(options.items()))
