"""What a specification computes, as a formula: with all that its interface says of the formula's names."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve

from kernelgen_ls.kernel.formula import Assignment, Call, Formula, Name, NotUnderstood, Number, understand
from kernelgen_ls.kernel.formula.rows import NOTHING, Taken
from kernelgen_ls.kernel.formula.tree import Expr
from kernelgen_ls.kernel.spec.specification import Specification


def understood(spec: Specification, text: str | None = None, taken: Taken = NOTHING) -> Formula | NotUnderstood:
    """What ``text`` says, with the specification's names and shapes: its formula, else its reference code.

    Of both the one that leaves nothing open is taken. A name of an axis in an input's shape is that axis' length; an
    output as long as the rows of an input are many is what goes over these rows. ``taken`` is taken for what is open.
    """
    if text is not None:
        return _with_interface(spec, text, taken)
    found = [_with_interface(spec, one, taken) for one in (spec.formula, spec.reference) if one]
    formulas = [one for one in found if isinstance(one, Formula)]
    sure = [one for one in formulas if not one.assumptions]
    return next(
        iter((*sure, *formulas, *found)), NotUnderstood("", "there is no formula: a line `y = x1 + x2` is expected")
    )


def _with_interface(spec: Specification, text: str, taken: Taken) -> Formula | NotUnderstood:
    inputs, attributes, outputs = (
        [one.name for one in named] for named in (spec.inputs, spec.attributes, spec.outputs)
    )
    sizes, rows = _sizes(spec), _goes_over_rows(spec)
    found = understand(text, inputs, attributes, outputs, sizes=sizes, rows=rows, taken=taken)
    return _with_kept_axes(found, spec) if isinstance(found, Formula) else found


def _sizes(spec: Specification) -> Mapping[str, Expr]:
    """The lengths that names in shapes stand for."""
    found: dict[str, Expr] = {}
    for tensor in spec.inputs:
        shape = tensor.shape or ()
        for place, axis in enumerate(shape):
            if axis.isidentifier() and "..." not in shape[place:]:
                found.setdefault(axis, Call("size", (Name(tensor.name),), (("dim", Number(place - len(shape))),)))
    return found


def _goes_over_rows(spec: Specification) -> bool:
    """Whether an output has the shape of an input without its last axis."""
    rows = {tensor.shape[:-1] for tensor in spec.inputs if tensor.shape is not None and len(tensor.shape) > 1}
    return any(one.shape is not None and (one.shape in rows or _kept(one.shape) in rows) for one in spec.outputs)


def _kept(shape: tuple[str, ...]) -> tuple[str, ...] | None:
    """A shape without the axis of one element that a reduction left at its end."""
    return shape[:-1] if len(shape) > 1 and shape[-1] == "1" else None


def _with_kept_axes(formula: Formula, spec: Specification) -> Formula:
    """The formula with the axes that its reductions leave in outputs whose shape has them."""
    kept = {one.name for one in spec.outputs if one.shape is not None and _kept(one.shape) is not None}
    left = tuple(one for one in formula.assignments if not (one.name in kept and _is_squeezed(one)))
    return evolve(formula, assignments=left)


def _is_squeezed(one: Assignment) -> bool:
    value = one.value
    return isinstance(value, Call) and value.op == "squeeze" and value.args == (Name(one.name),)
