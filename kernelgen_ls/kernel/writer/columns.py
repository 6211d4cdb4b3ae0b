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
    """The types of all tensors by name in columns of the same kinds, and the template parameters they are.

    ``parameters`` are names with a tensor whose type each is; ``columns`` are what the kernel is built for.
    """

    tensors: Mapping[str, TensorTypes]
    parameters: tuple[tuple[str, str], ...]
    columns: tuple[Column, ...]


def typed(columns: Sequence[Column], tensors: Sequence[str]) -> list[Typed]:
    """The types of tensors, columns of different kinds apart: one that changes from column to column is a parameter."""
    lists = {name: tuple(kernel_type(column[name]) for column in columns) for name in tensors}
    varying = list(dict.fromkeys(types for types in lists.values() if len(set(types)) > 1))
    names: dict[tuple[str, ...], str] = {}
    for types in varying:
        owner = next(name for name, own in lists.items() if own == types)
        names[types] = "T" if len(varying) == 1 else f"T{owner[:1].upper()}{owner[1:]}"
    groups: dict[tuple[str, ...], list[int]] = {}
    for number in range(len(columns)):
        groups.setdefault(tuple(kind_of(types[number]) for types in lists.values()), []).append(number)
    return [_of_group(columns, lists, names, numbers) for numbers in groups.values()]


def _of_group(
    columns: Sequence[Column],
    lists: Mapping[str, tuple[str, ...]],
    names: Mapping[tuple[str, ...], str],
    numbers: list[int],
) -> Typed:
    tensors: dict[str, TensorTypes] = {}
    parameters: dict[str, str] = {}
    for name, types in lists.items():
        own = tuple(types[number] for number in numbers)
        text = names.get(types, "")
        if text and own[0] != stored_type(own[0]):
            text = ""  # a tensor of truth values is read as bytes
        if text:
            parameters.setdefault(text, name)
        tensors[name] = TensorTypes(own, text or stored_type(own[0]))
    return Typed(tensors, tuple(parameters.items()), tuple(columns[number] for number in numbers))


def stored_type(type_: str) -> str:
    """What a tensor's memory is read as: truth values are bytes."""
    return "uint8_t" if type_ == BOOL.kernel else type_
