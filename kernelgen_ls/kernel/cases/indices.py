"""Which inputs of a formula are indices, and of what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kernelgen_ls.kernel.cases.rows import Shape
from kernelgen_ls.kernel.formula.tree import Call, Expr, Formula, Name, Number

_INDEXED = {
    "gather": (0, 1, 2),
    "index_select": (0, 1, 2),
    "item": (0, None, 1),
    "take": (0, None, 1),
    "embedding": (1, None, 0),
}
"""Which operand is indexed, which says the axis (the first where none does), which holds the indices."""


def bounds(formula: Formula, shapes: Mapping[str, Shape]) -> dict[str, int]:
    """For each input that holds indices the length of the axis that it chooses from."""
    found: dict[str, int] = {}
    for call in (call for one in formula.assignments for call in _calls(one.value)):
        places = _INDEXED.get(call.op)
        if places is None:
            continue
        of, axis, index = (
            call.args[place] if place is not None and place < len(call.args) else None for place in places
        )
        dim = axis if axis is not None else call.option("dim")
        along = int(dim.value) if isinstance(dim, Number) else 0
        if isinstance(of, Name) and isinstance(index, Name) and of.name in shapes and index.name in shapes:
            shape = shapes[of.name]
            if -len(shape) <= along < len(shape):
                found[index.name] = min(found.get(index.name, shape[along]), shape[along])
    return found


def operations(formula: Formula) -> frozenset[str]:
    """The names of everything that the formula calls."""
    return frozenset(call.op for one in formula.assignments for call in _calls(one.value))


def _calls(expr: Expr) -> Iterator[Call]:
    if isinstance(expr, Call):
        yield expr
        for child in (*expr.args, *(value for _, value in expr.options)):
            yield from _calls(child)
