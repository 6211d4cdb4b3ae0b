"""What a specification computes, as a formula: with all that its interface says of the formula's names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import evolve

from kernelgen_ls.kernel.formula import (
    Assignment,
    Call,
    Formula,
    Name,
    NotEvaluatedError,
    NotUnderstood,
    Number,
    evaluate,
    understand,
)
from kernelgen_ls.kernel.formula.rows import NOTHING, Taken
from kernelgen_ls.kernel.formula.tree import Expr
from kernelgen_ls.kernel.spec.specification import Specification

_SIZES = (4, 4)
"""The shape on which a formula and reference code are compared: one that fits nearly everything."""


def understood(spec: Specification, text: str | None = None, taken: Taken = NOTHING) -> Formula | NotUnderstood:
    """What ``text`` says, with the specification's names and shapes: its formula, else its reference code.

    Of both the one that leaves nothing open is taken. A name of an axis in an input's shape is that axis' length; an
    output as long as the rows of an input are many is what goes over these rows. ``taken`` is taken for what is open.
    """
    if text is not None:
        return _with_interface(spec, text, taken)
    found = [_with_interface(spec, one, taken) for one in texts_of(spec)]
    formulas = [one for one in found if isinstance(one, Formula) and is_whole(spec, one)]
    found = [_partial(spec, one) if isinstance(one, Formula) else one for one in found]
    sure = [one for one in formulas if not one.assumptions]
    nothing = NotUnderstood("", "there is no formula: a line `y = x1 + x2` is expected")
    return next(iter((*sure, *formulas, *found)), nothing)


def texts_of(spec: Specification) -> tuple[str, ...]:
    """The specification's formula and its reference code, as they are to be believed; empty where it has neither.

    Code that runs is exact. Where the formula is only a part of it, or says something else, the code alone counts.
    """
    texts = tuple(filter(None, (spec.formula, spec.reference)))
    if len(texts) < 2:
        return texts
    formula, code = (_with_interface(spec, text, NOTHING) for text in texts)
    if isinstance(formula, Formula) and isinstance(code, Formula) and not _agree(spec, formula, code):
        return texts[1:]
    return texts


def _partial(spec: Specification, formula: Formula) -> NotUnderstood:
    """What is missing in a formula that is understood and is not all of what the operator computes."""
    unread = [one.name for one in spec.inputs if one.name not in formula.reads]
    if unread:
        return NotUnderstood("", f"the formula does not read {', '.join(unread)}")
    return NotUnderstood("", f"the formula gives {len(formula.outputs)} of {len(spec.outputs)} outputs")


def _agree(spec: Specification, formula: Formula, code: Formula) -> bool:
    """Whether nothing shows that a formula is not what reference code computes."""
    if is_whole(spec, code) and not is_whole(spec, formula):
        return False
    if not is_whole(spec, code):
        return True
    attributes = dict.fromkeys((*formula.attributes, *code.attributes), 0.5)
    for name, default in ((one.name, one.default) for one in spec.attributes):
        if default is not None and name in attributes:
            number = _number(default)
            if number is None:
                return True
            attributes[name] = number
    for truth in ("", *code.reads):
        try:
            exact = _drawn(code, attributes, truth)
        except NotEvaluatedError:
            continue
        try:
            one = _drawn(formula, attributes, truth)
        except NotEvaluatedError:
            return False
        return all(_close(one[name], exact[name]) for name in one if name in exact)
    return True


def is_whole(spec: Specification, formula: Formula) -> bool:
    """Whether a formula reads every input and gives every output of the specification."""
    return {one.name for one in spec.inputs} <= set(formula.reads) and len(formula.outputs) == len(spec.outputs)


def _drawn(formula: Formula, attributes: Mapping[str, float], truth: str) -> Mapping[str, Sequence[float]]:
    """The outputs for inputs between 0.1 and 1, the same for a name in every formula; ``truth`` holds truth values."""
    import numpy as np

    arrays = {}
    for name in formula.reads:
        drawn = np.random.default_rng(sum(name.encode())).uniform(0.1, 1.0, _SIZES).astype(np.float32)
        arrays[name] = drawn > 0.5 if name == truth else drawn
    return {name: value.ravel().tolist() for name, value in evaluate(formula, arrays, attributes).items()}


def _close(one: Sequence[float], other: Sequence[float]) -> bool:
    near = (abs(a - b) <= 0.01 * (1 + abs(a)) or a != a or b != b for a, b in zip(one, other, strict=False))
    return len(one) == len(other) and all(near)


def _number(text: str) -> float | None:
    try:
        return float(text.rstrip("fF"))
    except ValueError:
        return None


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
