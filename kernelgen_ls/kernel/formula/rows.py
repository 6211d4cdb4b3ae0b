"""Over which axes the reductions of a mathematical formula go, and that their results stand beside whole rows.

Mathematics says ``x - mean(x)`` and leaves open over what. Where any output has the shape of a whole tensor, a
reduction without ``dim`` goes over the last axis; where every output is a reduction's own result, over all elements.
What is reduced keeps its axis inside a formula, so that it broadcasts, and loses it in an output.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kernelgen_ls.kernel.formula.functions import FUNCTIONS
from kernelgen_ls.kernel.formula.tree import Assignment, Call, Expr, FormulaError, Name, Number, Text

_WHOLE = "whole"
_LAST = "the last axis taken for that of a reduction without `dim`"
_ALL = "all elements taken for what a reduction without `dim` goes over"
_VARIANCE = "a variance taken for that of all its elements (divided by their number)"

Shape = frozenset[Expr] | str | None
"""Over what a value was reduced; ``_WHOLE`` for what has its own shape, None for a number."""


def with_axes(
    assignments: Sequence[Assignment], outputs: Sequence[str], attributes: frozenset[str], *, rows: bool = False
) -> tuple[tuple[Assignment, ...], tuple[str, ...]]:
    """The assignments with every reduction's axis said, and what was assumed for it.

    ``rows``: it is known that reductions go over the last axis.
    """
    shapes: dict[str, Shape] = dict.fromkeys(attributes)
    for assignment in assignments:
        shapes[assignment.name] = _shape(assignment.value, shapes)
    by_rows = rows or any(shapes.get(name, _WHOLE) == _WHOLE for name in outputs)
    axis: Expr = Number(-1) if by_rows else Text("")
    assumed: list[str] = []
    result = [Assignment(one.name, _said(one.value, axis, assumed)) for one in assignments]
    assumed = [one for one in assumed if not (rows and one == _LAST)]
    for name in outputs:
        found = shapes.get(name)
        dims = {axis if dim is _UNSAID else dim for dim in found} if isinstance(found, frozenset) else set()
        squeezed = sorted(dims - {Text("")}, key=repr)
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


def _said(expr: Expr, axis: Expr, assumed: list[str]) -> Expr:
    if not isinstance(expr, Call):
        return expr
    args = tuple(_said(arg, axis, assumed) for arg in expr.args)
    options = {name: _said(value, axis, assumed) for name, value in expr.options}
    if _reduces(expr) or (expr.op == "size" and not options):
        if "dim" not in options and axis != Text(""):
            options["dim"] = axis
        if _reduces(expr):
            if expr.option("dim") is None:
                assumed.append(_LAST if axis != Text("") else _ALL)
            if "dim" in options:
                options.setdefault("keepdim", Number(True))
            if expr.op in ("var", "std") and not {"correction", "unbiased"} & set(options):
                assumed.append(_VARIANCE)
                options["correction"] = Number(0)
    return Call(expr.op, args, tuple(options.items()))
