"""What the two sides of a formula say of an operator's interface: what it gives and what it reads."""

from __future__ import annotations

import re
from collections.abc import Sequence

from attrs import evolve

from kernelgen_ls.kernel.formula import Formula, understand
from kernelgen_ls.kernel.formula.statements import left_sides
from kernelgen_ls.kernel.spec.items import Item, tensor_of
from kernelgen_ls.kernel.spec.lines import readable
from kernelgen_ls.kernel.spec.specification import SpecAttribute, Specification, SpecTensor

_RETURNED = re.compile(
    r"(?:\bReturns?\b[ \t]*:?|返回值?[ \t]*[:：]?)[\s-]*(?=[^\s-])"
    r"(?P<text>[^\n]*(?:[Tt]ensor|张量|[Oo]utput|输出|ndarray|array)[^\n]*)"
)


def outputs_of(
    formula: str, inputs: Sequence[SpecTensor], attributes: Sequence[SpecAttribute] = ()
) -> tuple[SpecTensor, ...]:
    """What a formula gives and no later line of it reads, in order; without what is an input too.

    A formula that is not understood still has left sides; a text without an equation has none. An output has the
    element types of the inputs where these all have the same.
    """
    reads, known = [one.name for one in inputs], [one.name for one in attributes]
    found = understand(formula, reads, known)
    names = found.outputs if isinstance(found, Formula) else left_sides(formula, frozenset((*reads, *known)))
    dtypes = inputs[0].dtypes if len({one.dtypes for one in inputs}) == 1 else ()
    return tuple(SpecTensor(name, dtypes) for name in names if name not in reads)


def unlisted_outputs(text: str, spec: Specification) -> list[SpecTensor]:
    """The outputs that a text lists nowhere: what its formula gives, with what is said of that which is returned.

    Where nothing more is known than that something is returned, it is called ``out``.
    """
    formula = spec.formula or spec.reference
    given = outputs_of(formula, spec.inputs, spec.attributes) if formula else ()
    returned = _RETURNED.search(readable(text))
    if returned is None or len(given) > 1:
        return list(given)
    taken = {one.name for one in spec.inputs}
    free = next(name for name in ("out", "output", "y", "result") if name not in taken)
    said = tensor_of(Item(given[0].name if given else free, text=returned["text"]))
    return [evolve(said, dtypes=said.dtypes or (given[0].dtypes if given else ()))]


def reads_of(formula: str, attributes: Sequence[str] = ()) -> tuple[str, ...]:
    """The names that a formula reads, in order of first use; none where it is not understood."""
    found = understand(formula, (), attributes)
    return found.reads if isinstance(found, Formula) else ()
