"""The element types that an operator's tensors have together: a column of its definition, or of its specification."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from kernelgen_ls.kernel.blank import strip_comments
from kernelgen_ls.kernel.dtypes import (
    BFLOAT16,
    BOOL,
    BY_KERNEL,
    FLOAT16,
    FLOAT32,
    FLOAT64,
    INT8,
    INT16,
    INT32,
    INT64,
    UINT8,
    UINT16,
    UINT32,
    UINT64,
    Dtype,
    find_dtype,
)
from kernelgen_ls.kernel.opdef import OperatorDefinition, dtype_columns
from kernelgen_ls.kernel.spec.specification import Specification, SpecTensor

Column = Mapping[str, str]
"""The element type of each input and output, by name."""

MAX_COLUMNS = 12

CASE_DTYPES: tuple[Dtype, ...] = (
    *(FLOAT16, BFLOAT16, FLOAT32, FLOAT64, BOOL),
    *(INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64),
)
"""The element types that a case can give a kernel."""


def read_columns(
    specification: Specification, operator: OperatorDefinition | None, families: Sequence[str], code: str
) -> tuple[Column, ...]:
    """The columns that the kernel is built in, most usual first; none where nobody says an element type.

    Without a definition those of the specification whose types the kernel's ``code`` names or is built for, else its
    first.
    """
    tensors = (*specification.inputs, *specification.outputs)
    if operator is not None and len(operator.inputs) + len(operator.outputs) == len(tensors):
        found = tuple(_of_definition(operator, families, [tensor.name for tensor in tensors]))
        if found:
            return found[:MAX_COLUMNS]
    columns, plain = _of_specification(specification, tensors), strip_comments(code)
    if "DTYPE_" in plain:
        return columns
    return tuple(column for column in columns if _names_types(column, plain)) or columns[:1]


def _of_definition(operator: OperatorDefinition, families: Sequence[str], names: Sequence[str]) -> Iterator[Column]:
    operands = [operand.name.upper() for operand in (*operator.inputs, *operator.outputs)]
    for column in dtype_columns(operator, *families):
        defines = dict(column.defines)
        types = [find_dtype(defines.get(f"ORIG_DTYPE_{operand}", "")) for operand in operands]
        known = [dtype.name for dtype in types if dtype in CASE_DTYPES and dtype is not None]
        if len(known) == len(names):
            yield dict(zip(names, known, strict=True))


def _of_specification(specification: Specification, tensors: Sequence[SpecTensor]) -> tuple[Column, ...]:
    said = {tensor.name: specification.tensor_dtypes(tensor) for tensor in tensors}
    first = said[tensors[0].name]
    if not first:
        return ()
    count = max(map(len, said.values()))
    # A tensor of which nothing is said is in the type of the first one.
    return tuple(
        {name: _at(types or first, number) for name, types in said.items()} for number in range(min(count, MAX_COLUMNS))
    )


def _at(types: Sequence[str], number: int) -> str:
    return types[min(number, len(types) - 1)]


_IN_GLOBAL_MEMORY = re.compile(r"\b__gm__\s+(\w+)\s*\*")


def _names_types(column: Column, code: str) -> bool:
    """Whether the kernel has a column's types where it points into global memory, or at all where it names none there.

    A type that is only computed in says nothing of the tensors.
    """
    pointed = {type_ for type_ in _IN_GLOBAL_MEMORY.findall(code) if type_ in BY_KERNEL}
    if pointed:
        code = " ".join(sorted(pointed))
    kernels = (known.kernel for name in column.values() if (known := find_dtype(name)) is not None)
    return all(re.search(rf"\b{kernel}\b", code) for kernel in kernels)
