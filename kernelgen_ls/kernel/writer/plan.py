"""Everything that is decided before a line is written: types, names, buffers, how long a tile is.

What a kernel keeps in the unified buffer decides how long its tiles are; both files, kernel and host, go by it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum

from attrs import define, field, frozen

from kernelgen_ls.kernel.chips import Chip
from kernelgen_ls.kernel.dtypes import BY_KERNEL
from kernelgen_ls.kernel.formula.lowering import Lowered, Read, Register
from kernelgen_ls.kernel.formula.lowering.steps import MASK, WIDE
from kernelgen_ls.kernel.spec.specification import SpecAttribute, Specification
from kernelgen_ls.kernel.writer.columns import Typed, stored_type
from kernelgen_ls.kernel.writer.hands import Hand
from kernelgen_ls.kernel.writer.naming import Names, camel, pascal

BUFFER_NUM = 2
"""Buffers of a queue: one is copied while the other is computed on."""
ALIGNMENT = 64
"""Elements of which tiles are multiples: whole repeats of float, whole blocks of 32 bytes of every type."""
_KEPT_BYTES = 2 * 1024
"""What is left free of the unified buffer for the tool chain, which keeps a few hundred bytes."""
ONE_BYTES = 256
"""A single number's buffer: a comparison takes a whole repeat."""
_BLOCK_BYTES = 32
"""Buffers take whole blocks: a mask of a tile may end in one."""
MOST_ELEMENTS = 2**32 - 2**16
"""As many elements a kernel counts in 32 bits: what it adds to that, for whole pieces and shares, still fits."""
_LIBRARY_BYTES = 24 * 1024
"""What the library's functions take for themselves while they compute."""
_LIBRARY = frozenset(
    (
        *("Sign", "Erf", "Erfc", "Sin", "Cos", "Tan", "Asin", "Acos", "Atan", "Sinh", "Cosh", "Tanh"),
        *("Asinh", "Acosh", "Atanh", "Lgamma", "Power"),
    )
)


_FILLED = frozenset({"real", "int32_t", "int16_t"})
"""Kinds of tensors that the vector unit fills with a number."""


class Kind(Enum):
    """How a kernel goes over its tensors."""

    FLAT = "flat"
    """All tensors as one row of elements, cut anywhere."""
    ROWS = "rows"
    """Row by row, long rows in tiles."""
    REDUCING = "reducing"
    """Row by row, each as a whole."""
    LIST = "list"
    """The tensors of lists one after the other, each as a row of elements."""

    @property
    def is_flat(self) -> bool:
        """Whether it takes no account of axes."""
        return self in (Kind.FLAT, Kind.LIST)


@frozen
class Attribute:
    """An attribute of the operator: what the kernel calls it, and its C++ type there."""

    spec: SpecAttribute
    name: str
    type: str


@define
class Plan:
    """One kernel as it will be written."""

    specification: Specification
    formula: str
    lowered: Lowered
    typed: Typed
    chip: Chip
    hand: Hand
    attributes: tuple[Attribute, ...]
    static: bool
    parameters: tuple[str, ...]
    """What the entry function calls inputs and outputs, in order."""
    suffix: str = ""
    """What the class's name ends in, where columns of other kinds have a class of their own."""
    names: Names = field(factory=Names)
    tensors: dict[str, str] = field(factory=dict)
    """What names of tensors begin with, by the keys of their registers (``x``, ``x#0``)."""

    def __attrs_post_init__(self) -> None:
        self.names.taken |= {*self.parameters, *(one.name for one in self.attributes)}
        for one in self.lowered.tensors:
            tensor, _, part = one.local.name.partition("#")
            base = camel(tensor) if not part else camel(tensor, f"part {int(part) + 1}")
            number, wanted = 2, base
            while wanted in self.tensors.values():
                wanted, number = f"{base}{number}", number + 1
            self.tensors[one.local.name] = wanted

    @property
    def kind(self) -> Kind:
        """How it goes over its tensors."""
        space = self.lowered.space
        if any(one.requirement == "dynamic" for one in self.specification.inputs):
            return Kind.LIST
        return Kind.FLAT if space.is_flat else Kind.REDUCING if space.reduces else Kind.ROWS

    @property
    def class_name(self) -> str:
        """The kernel's class or function."""
        return f"Kernel{pascal(self.specification.name)}{self.suffix}"

    @property
    def is_converting(self) -> bool:
        """Whether some tensors are float in one column and not in another."""
        return not self.lowered.is_native and any(
            one.kind == "real" and one.may_be_float and not one.is_float for one in self.typed.tensors.values()
        )

    @property
    def indices(self) -> tuple[str, ...]:
        """The inputs of indices."""
        return tuple(dict.fromkeys(read.access.by for read in self.lowered.reads if read.access.by))

    @property
    def fixed(self) -> tuple[Read, ...]:
        """What every turn reads."""
        return tuple(read for read in self.lowered.reads if read.is_fixed)

    @property
    def moving(self) -> tuple[Read, ...]:
        """What every turn reads anew."""
        return tuple(read for read in self.lowered.reads if not read.is_fixed)

    @property
    def single_or_whole(self) -> tuple[str, ...]:
        """Inputs of which nobody says a shape, beside the first: one number for all, or as many as the first has."""
        if self.kind is not Kind.FLAT or self.static:
            return ()
        unsaid = {one.name for one in self.specification.inputs if one.shape is None}
        long = [read.access.tensor for read in self.moving if read.local.is_long]
        filled = [name for name in long if self.typed.tensors[name].kind in _FILLED]
        return tuple(name for name in filled if name in unsaid and name != long[0])

    @property
    def row_or_whole(self) -> tuple[str, ...]:
        """Inputs of which nobody says a shape, beside the first: one row for all, or as many rows as the first has."""
        if self.kind.is_flat or self.static:
            return ()
        unsaid = {one.name for one in self.specification.inputs if one.shape is None}
        long = [read for read in self.moving if read.local.is_long and all(read.groups) and read.groups]
        plain = [read.access.tensor for read in long if read.access.parts == 1 and not read.access.by]
        return tuple(name for name in plain if name in unsaid and name != long[0].access.tensor)

    def parameter(self, tensor: str) -> str:
        """What the entry function calls a tensor."""
        spec = self.specification
        order = [one.name for one in (*spec.inputs, *spec.outputs)]
        return self.parameters[order.index(tensor)]

    def text(self, register: Register) -> str:
        """What the kernel calls the element type of a register."""
        if register.type == MASK:
            return "uint8_t"
        if register.type == "work" or (register.type == WIDE and not self.lowered.is_native):
            return "float"
        if register.type in (WIDE, "local"):
            tensor = register.name.partition("#")[0]
            if tensor in self.typed.tensors:
                return self.typed.tensors[tensor].text
            return next(self.typed.tensors[one.access.tensor].text for one in self.lowered.reads)
        return stored_type(register.type)

    def widened(self) -> Iterator[tuple[Register, str]]:
        """The registers of tensors that are computed in float and may lie in memory of their own, with the tensor."""
        for one in self.lowered.tensors:
            tensor = one.local.name.partition("#")[0]
            value = Register(one.local.name, WIDE, one.local.is_long)
            types = self.typed.tensors[tensor]
            is_used = isinstance(one, Read) or types.kind == "real"
            if one.local != value and is_used and not types.is_float:
                yield value, tensor

    def bytes_per_element(self) -> int:
        """What one element of a tile takes in the unified buffer, in the column that takes most; rounded up."""
        columns = len(next(iter(self.typed.tensors.values())).types)
        return max(-(-self._eighths(column) // 8) for column in range(columns))

    def _eighths(self, column: int) -> int:
        """Eighths of bytes."""
        total = 0
        for one in self.lowered.tensors:
            if one.local.is_long:
                buffers = 1 if isinstance(one, Read) and one.is_fixed else BUFFER_NUM
                total += buffers * BY_KERNEL[self._type(one.local.name, column)].bits
        for register, tensor in self.widened():
            if register.is_long and self._type(tensor, column) != "float":
                total += 32
        for register in self.lowered.temporaries:
            if register.is_long:
                total += self._bits(register, column)
        return total

    def _type(self, key: str, column: int) -> str:
        return self.typed.tensors[key.partition("#")[0]].types[column]

    def _bits(self, register: Register, column: int) -> int:
        if register.type == MASK:
            return 1
        if register.type == "work":
            return 4
        if register.type == WIDE:
            return (
                BY_KERNEL[self._type(self.lowered.reads[0].local.name, column)].bits if self.lowered.is_native else 32
            )
        return BY_KERNEL[register.type].bits

    @property
    def kept_bytes(self) -> int:
        """What of the unified buffer no tile may take."""
        library = any(step.op in _LIBRARY for step in (*self.lowered.prologue, *self.lowered.steps))
        return _KEPT_BYTES + self._single_bytes() + (_LIBRARY_BYTES if library else 0)

    def _single_bytes(self) -> int:
        """What the buffers of single numbers take, and what masks are rounded up by."""
        lowered, total = self.lowered, 0
        for one in lowered.tensors:
            if not one.local.is_long:
                total += ONE_BYTES * (1 if isinstance(one, Read) and one.is_fixed else BUFFER_NUM)
        buffers = [*(value for value, _ in self.widened()), *lowered.temporaries]
        total += ONE_BYTES * sum(not one.is_long for one in buffers)
        return total + _BLOCK_BYTES * sum(one.is_long and one.type == MASK for one in lowered.temporaries)

    def longest_tile(self) -> int:
        """The most elements of a tile on the plan's chip."""
        return max(self.chip.ub_bytes - self.kept_bytes, 0) // self.bytes_per_element() // ALIGNMENT * ALIGNMENT


def aligned(count: int) -> int:
    """A number of elements rounded up to whole repeats."""
    return -(-count // ALIGNMENT) * ALIGNMENT


def sizes_of(plan: Plan) -> Mapping[str, int] | None:
    """The sizes of a static kernel by what tiling calls them; None where a size is no number."""
    space = plan.lowered.space
    counts = [space.count(group) for group in (*space.rows, space.cols)]
    if any(count is None for count in counts):
        return None
    *groups, cols = [count for count in counts if count is not None]
    rows = 1
    for group in groups:
        rows *= group
    longest = plan.longest_tile()
    if plan.kind is Kind.FLAT:
        share = aligned(-(-cols // plan.chip.vector_cores))
        return {"totalLength": cols, "tileLength": min(longest, share)}
    found = {"rows": rows, "cols": cols, "tileLength": min(longest, aligned(cols))}
    if len(groups) > 1:
        found["innerRows"] = groups[-1]
    return found


def count_field(tensor: str) -> str:
    """What tiling calls the number of elements of a tensor that may have one for all."""
    return camel(tensor, "count")


def fields_of(plan: Plan) -> Sequence[tuple[str, str]]:
    """The tiling data's fields: type and name."""
    sizes = {Kind.FLAT: ["totalLength", "tileLength"], Kind.LIST: ["tileLength"]}.get(
        plan.kind, ["rows", "cols", "tileLength"]
    )
    if plan.kind is Kind.LIST:
        sizes += [count_field(read.access.tensor) for read in plan.fixed]
    sizes += [count_field(tensor) for tensor in (*plan.single_or_whole, *plan.row_or_whole)]
    if len(plan.lowered.space.rows) > 1:
        sizes.append("innerRows")
    return [*(("uint32_t", name) for name in sizes), *((one.type, one.name) for one in plan.attributes)]


def known_value(spec: SpecAttribute) -> float | str | None:
    """An attribute's default as it is written in C++ or Python; None where it has none, or none of its type."""
    plain = (spec.default or "").strip()
    if spec.type == "string":
        return plain.strip("\"'") if spec.default is not None else None
    if plain.lower() in ("true", "false"):
        return plain.lower() == "true"
    try:
        number = float(plain.rstrip("fFuUlL"))
    except ValueError:
        return None
    return int(number) if spec.type == "int" and number.is_integer() else number
