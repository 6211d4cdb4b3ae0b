"""A formula as a graph of values that the vector unit can compute: what is used twice is one node.

Composite functions are written out here, constants are folded, and each value knows over which axes of the operator
it stretches. What the vector unit has no way for raises ``NotLoweredError``.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field, frozen

from kernelgen_ls.kernel.dtypes import INT8, INT16, INT32, UINT8
from kernelgen_ls.kernel.formula.tree import Expr, Number

ENDS: Mapping[str, tuple[int, int]] = {
    one.kernel: (-(1 << one.bits - 1), (1 << one.bits - 1) - 1) if one.kind == "i" else (0, (1 << one.bits) - 1)
    for one in (INT8, UINT8, INT16, INT32)
}
"""The least and the greatest number of the integer types that the vector unit converts floats to."""
WHOLE_FLOAT = 1 << 24
"""Up to here a float holds every whole number."""


class NotLoweredError(Exception):
    """What of a formula the vector unit has no way for; the message says it to a user."""


@frozen
class Dim:
    """One axis of a value: its ``size`` as written, and its ``place`` counted from the operator's last axis, from 1."""

    size: str
    place: int

    @property
    def is_one(self) -> bool:
        """Whether it has one element: then it broadcasts."""
        return self.size == "1"


Shape = tuple[Dim, ...]


@frozen
class Access:
    """How an input is read. ``by`` names the input of indices that picks its rows, "" for none.

    These have ``axes`` axes, which stand in the place of the input's first. ``part`` is which of ``parts`` equal pieces
    of the last axis is read.
    """

    tensor: str
    by: str = ""
    axes: int = 0
    part: int = 0
    parts: int = 1


@frozen
class Scalar:
    """A number that the scalar unit computes: a tree over constants, attributes and extents."""

    expr: Expr

    @property
    def number(self) -> float | int | None:
        """Its value where it is a constant."""
        return self.expr.value if isinstance(self.expr, Number) else None


@frozen(eq=False)
class Node:
    """A tensor's value. ``op`` is what ``Selection`` has instructions for; ``detail`` says what it leaves open.

    ``is_truth``: one bit an element. ``is_whole``: whole numbers. ``origin`` is the assignment that first needs it.
    """

    number: int
    op: str
    args: tuple[Node | Scalar, ...]
    shape: Shape
    detail: str = ""
    access: Access | None = None
    is_truth: bool = False
    is_whole: bool = False
    origin: int = 0
    places: frozenset[int] = field(init=False)

    @places.default
    def _stretched(self) -> frozenset[int]:
        return frozenset(dim.place for dim in self.shape if not dim.is_one)


Value = Node | Scalar


def constant(value: float) -> Scalar:
    """A number."""
    return Scalar(Number(value))


def broadcast(shapes: list[Shape]) -> Shape:
    """The shape of what shapes give together. Raises ``NotLoweredError`` where axes do not fit."""
    longest = max(shapes, key=len)
    result = []
    for back in range(1, len(longest) + 1):
        dims = [shape[-back] for shape in shapes if len(shape) >= back]
        wide = [dim for dim in dims if not dim.is_one]
        if any(dim != wide[0] for dim in wide):
            sizes = ", ".join(dict.fromkeys(dim.size for dim in wide))
            raise NotLoweredError(f"axes of {sizes} elements stand beside each other")
        result.append(wide[0] if wide else dims[0])
    return tuple(reversed(result))
