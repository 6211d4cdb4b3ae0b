"""What a specification's formula may mean: its readings, less those that the specification's other words rule out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from kernelgen_ls.kernel.cases.shapes import Shapes
from kernelgen_ls.kernel.constants import evaluate
from kernelgen_ls.kernel.formula import Formula, NotEvaluatedError, NotUnderstood, output_shapes, readings
from kernelgen_ls.kernel.formula.readings import OTHER_AXES, USUAL_AXES
from kernelgen_ls.kernel.formula.rows import ALL, LAST
from kernelgen_ls.kernel.formula.tree import Expr, Number
from kernelgen_ls.kernel.spec.specification import Specification
from kernelgen_ls.kernel.spec.understood import understood

_SAID: tuple[tuple[Expr, re.Pattern[str]], ...] = (
    (
        LAST,
        re.compile(
            r"\b(?:last|innermost|final) (?:axis|dim)|\b(?:per|each|every|by)[ -]rows?\b|\brow[ -]?wise|\bdim\s*=\s*-1"
            r"|最后一?(?:个)?(?:维|轴)|末维|尾轴|逐行|每一?行|按行",
            re.IGNORECASE,
        ),
    ),
    (
        ALL,
        re.compile(
            r"\b(?:over|of|across|for) (?:all|the whole|the entire) (?:the )?(?:elements|tensor|input)"
            r"|全部元素|所有元素|整个张量",
            re.IGNORECASE,
        ),
    ),
    (
        Number(0),
        re.compile(
            r"\bfirst (?:axis|dim)|\b(?:per|each|every|by)[ -]columns?\b|\bcolumn[ -]?wise|\b(?:axis|dim)\s*=?\s*0\b"
            r"|第一(?:个)?(?:维|轴)|逐列|每一?列|按列",
            re.IGNORECASE,
        ),
    ),
)
"""How a description says over what an operator reduces."""


def meanings(spec: Specification, text: str, described: str, shapes: Shapes) -> tuple[Formula, ...] | NotUnderstood:
    """The readings of ``text`` that ``described``, the words around it, and the outputs' declared shapes leave open.

    Axes that are neither the last one nor all count where the words name one, or an output has fewer axes than inputs.
    """
    said = tuple(axis for axis, pattern in _SAID if pattern.search(described))
    most = max((len(one.shape or ()) for one in spec.inputs), default=0)
    reduced = any(one.shape is not None and len(one.shape) < most for one in spec.outputs)
    axes = said if len(said) == 1 else (*USUAL_AXES, *OTHER_AXES[: most - 1]) if reduced or Number(0) in said else None
    found = readings(lambda taken: understood(spec, text, taken), axes)
    if isinstance(found, NotUnderstood) or len(found) == 1:
        return found
    declared = dict(_declared(spec, shapes))
    return tuple(one for one in found if _fits(one, shapes, declared)) or found


def _declared(spec: Specification, shapes: Shapes) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The shapes that outputs are declared with, with axes as short as those of inputs in a trial."""
    sizes = shapes.short_sizes()
    lengths = {shapes.usual[name]: size for name, size in sizes.items()}
    for tensor in spec.outputs:
        axes = [
            lengths.get(int(one), int(one)) if one.isdigit() else evaluate(one, sizes) for one in tensor.shape or ()
        ]
        known = [axis for axis in axes if axis is not None]
        if tensor.shape is not None and len(known) == len(axes):
            yield tensor.name, tuple(known)


def _fits(formula: Formula, shapes: Shapes, declared: Mapping[str, tuple[int, ...]]) -> bool:
    """Whether the formula's outputs have the declared shapes; axes of one element count for nothing."""
    inputs = shapes.short()
    try:
        found = output_shapes(formula, inputs or {})
    except NotEvaluatedError:
        return not formula.attributes and inputs is None
    pairs = ((found[name], shape) for name, shape in declared.items() if name in found)
    return all([size for size in one if size != 1] == [size for size in other if size != 1] for one, other in pairs)
