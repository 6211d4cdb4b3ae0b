"""What a formula may mean that leaves something open: its readings, each a formula that leaves nothing open.

``y = x / sum(x)`` does not say over what it sums, nor ``var(x)`` by what it divides. What people mean are the last axis
and all elements, the variance of the elements and the estimate of one: nothing that nobody would write so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import evolve

from kernelgen_ls.kernel.formula.functions import FUNCTIONS
from kernelgen_ls.kernel.formula.rows import ALL, LAST, NOTHING, OPEN, OVER, Taken
from kernelgen_ls.kernel.formula.tree import Assignment, Call, Expr, Formula, NotUnderstood, Number, Text
from kernelgen_ls.kernel.formula.writing import written

USUAL_AXES: tuple[Expr, ...] = (LAST, ALL)
"""What a reduction goes over of which nothing is said."""
OTHER_AXES: tuple[Expr, ...] = (Number(0), Number(1), Number(2))
"""What it may go over besides, where something speaks for it: the axes before the last one."""


def readings(
    read: Callable[[Taken], Formula | NotUnderstood], axes: Sequence[Expr] | None = None
) -> tuple[Formula, ...] | NotUnderstood:
    """What a text may mean that ``read`` understands, the likeliest first.

    ``axes`` are those that a reduction may go over where they are known. Each reading's ``assumptions`` say what was
    taken for what is open.
    """
    usual = read(NOTHING)
    if isinstance(usual, NotUnderstood) or not is_open(usual):
        return usual if isinstance(usual, NotUnderstood) else (usual,)
    found = {usual.assignments: usual} if axes is None or _axis_of(usual) in (None, *axes) else {}
    for unbiased in (False, True):
        for axis in axes or USUAL_AXES:
            other = read(Taken(axis, unbiased))
            if isinstance(other, Formula):
                found.setdefault(other.assignments, other)
    return tuple(found.values()) or (usual,)


def _axis_of(formula: Formula) -> Expr | None:
    """Over what the formula was taken to reduce; None where that is said."""
    return next((axis for axis, words in OVER.items() if words in formula.assumptions), None)


def is_open(formula: Formula) -> bool:
    """Whether the formula's text may be read otherwise."""
    return any(said.endswith(OPEN) for said in formula.assumptions)


def spelled_out(formula: Formula) -> str:
    """The formula's text with everything said that was left open."""
    assignments = tuple(Assignment(one.name, _over_all(one.value)) for one in formula.assignments)
    return written(evolve(formula, assignments=assignments))


def _over_all(expr: Expr) -> Expr:
    """The tree where a reduction that goes over all elements says so."""
    if not isinstance(expr, Call):
        return expr
    options = {name: _over_all(value) for name, value in expr.options}
    if expr.op in FUNCTIONS and FUNCTIONS[expr.op].reduces:
        options.setdefault("dim", Text(""))
    return Call(expr.op, tuple(map(_over_all, expr.args)), tuple(options.items()))
