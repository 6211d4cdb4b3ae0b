"""A formula lowered: instructions over registers, which any writer of kernels can put into its own words."""

from __future__ import annotations

from attrs import frozen

from kernelgen_ls.kernel.formula.lowering.graph import Access, NotLoweredError, Scalar
from kernelgen_ls.kernel.formula.lowering.space import Space

__all__ = ["Lowered", "NotLoweredError", "Read", "Register", "Step", "Written"]

WIDE = "wide"
"""The type that is computed in: a register's of this type is ``float``, or the operator's own integers'."""
MASK = "mask"
"""One bit an element."""


@frozen
class Register:
    """Where values lie: ``type`` is ``wide``, ``mask``, or what the kernel calls an element type.

    ``is_long``: as many elements as a turn has, not one alone. ``name`` begins with ``%`` where it is no tensor's own.
    """

    name: str
    type: str
    is_long: bool


@frozen
class Step:
    """One instruction: ``dst`` from ``args``, registers and scalars, with ``mode`` where it takes one.

    ``op`` is an instruction's name, or ``Widen`` and ``Narrow`` (from and to a tensor's own type, which is nothing
    where that is the one computed in) and ``GetValue`` (a register's only number for the scalar unit).
    ``comment`` is the assignment that begins with this step.
    """

    op: str
    dst: Register
    args: tuple[Register | Scalar, ...] = ()
    mode: str = ""
    comment: str = ""


@frozen
class Read:
    """An input as it is read: ``local`` is what is loaded, in the tensor's own type, ``value`` what is computed with.

    ``groups`` are the groups of rows that it goes on with, those of its indices where rows are picked; ``is_fixed``:
    every turn reads the same.
    """

    access: Access
    local: Register
    value: Register
    groups: tuple[bool, ...]
    is_fixed: bool


@frozen
class Written:
    """An output: ``local`` is what is stored, in the tensor's own type."""

    tensor: str
    local: Register
    groups: tuple[bool, ...]


@frozen
class Lowered:
    """What a kernel does in one turn. ``temporaries`` are the registers beside those of the tensors."""

    prologue: tuple[Step, ...]
    """What is computed once, from what every turn reads."""
    steps: tuple[Step, ...]
    space: Space
    reads: tuple[Read, ...]
    writes: tuple[Written, ...]
    temporaries: tuple[Register, ...]
    is_native: bool
    """Computed in the tensors' own type, not in float."""
    attributes: tuple[str, ...] = ()
    """The attributes that it reads."""

    @property
    def tensors(self) -> tuple[Read | Written, ...]:
        """The inputs as they are read, then the outputs."""
        return (*self.reads, *self.writes)
