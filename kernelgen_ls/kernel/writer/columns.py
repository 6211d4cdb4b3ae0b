"""The element types that an operator's tensors have together, and which of them one kernel text serves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import frozen

from kernelgen_ls.kernel.cases.columns import Column
from kernelgen_ls.kernel.dtypes import BFLOAT16, BOOL, FLOAT16, FLOAT32, find_dtype
from kernelgen_ls.kernel.formula.lowering.lowered import REAL

_REALS = frozenset({FLOAT16.kernel, FLOAT32.kernel, BFLOAT16.kernel})


def kernel_type(dtype: str) -> str:
    """What a kernel calls an element type, "" for one that has no name there."""
    found = find_dtype(dtype)
    return found.kernel if found is not None else ""


def kind_of(type_: str) -> str:
    """``real`` for the types that are computed in float, else the type itself."""
    return REAL if type_ in _REALS else type_


@frozen
class TensorTypes:
    """One tensor's element types in the columns that a kernel serves. ``text`` is what the kernel calls them."""

    types: tuple[str, ...]
    text: str

    @property
    def kind(self) -> str:
        """``real``, or the one integer type."""
        return kind_of(self.types[0])

    @property
    def is_float(self) -> bool:
        """Whether it is float in every column."""
        return set(self.types) == {FLOAT32.kernel}

    @property
    def may_be_float(self) -> bool:
        """Whether it is float in a column."""
        return FLOAT32.kernel in self.types


@frozen
class Typed:
    """The types of all tensors by name, and the kernel's template parameters with the tensors that say them."""

    tensors: Mapping[str, TensorTypes]
    parameters: tuple[tuple[str, str], ...]


def typed(columns: Sequence[Column], tensors: Sequence[str]) -> Typed:
    """The types of tensors in columns: one that changes from column to column is a parameter."""
    lists = {name: tuple(kernel_type(column[name]) for column in columns) for name in tensors}
    varying = list(dict.fromkeys(types for types in lists.values() if len(set(types)) > 1))
    names: dict[tuple[str, ...], str] = {}
    parameters = []
    for types in varying:
        owner = next(name for name, own in lists.items() if own == types)
        names[types] = "T" if len(varying) == 1 else f"T{owner[:1].upper()}{owner[1:]}"
        parameters.append((names[types], owner))
    return Typed(
        {name: TensorTypes(types, names.get(types) or stored_type(types[0])) for name, types in lists.items()},
        tuple(parameters),
    )


def stored_type(type_: str) -> str:
    """What a tensor's memory is read as: truth values are bytes."""
    return "uint8_t" if type_ == BOOL.kernel else type_
