"""What the two sides of a formula say of an operator's interface: what it gives and what it reads."""

from __future__ import annotations

from collections.abc import Sequence

from kernelgen_ls.kernel.formula import Formula, understand
from kernelgen_ls.kernel.formula.statements import left_sides
from kernelgen_ls.kernel.spec.specification import SpecAttribute, SpecTensor


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


def reads_of(formula: str, attributes: Sequence[str] = ()) -> tuple[str, ...]:
    """The names that a formula reads, in order of first use; none where it is not understood."""
    found = understand(formula, (), attributes)
    return found.reads if isinstance(found, Formula) else ()
