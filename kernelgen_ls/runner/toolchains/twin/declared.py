"""Cases of a reference in the element types that the operator declares.

A reference computes in types of its own: a comparison may give floats where the operator gives booleans, a scalar comes
in the type of the tensor beside it.
"""

from __future__ import annotations

from itertools import combinations, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import evolve

from kernelgen_ls.kernel.dtypes import BFLOAT16, FLOAT32, Dtype, find_dtype
from kernelgen_ls.kernel.opdef import Operand, OperatorDefinition
from kernelgen_ls.runner.execution.cases import Case, Tensor
from kernelgen_ls.runner.toolchains.twin.host_request import operand_tensors

if TYPE_CHECKING:
    import numpy as np  # only where kernels run

_MOST_CHOICES = 20_000
Listed = list[tuple[Operand, tuple[Tensor, ...]]]


def as_declared(case: Case, operator: OperatorDefinition | None) -> Case:
    """The case with every tensor in the type that the operator's definition gives it, its files rewritten.

    The column of types is the one that the first input is in, with the most of the others. Where none has the first
    input's type the case stays as it is. An operator without outputs changes inputs: an output that is none's in its
    type, but one's alone in its shape, has the type of that one. Where a reference gives fewer outputs than there are,
    their types say which, as far as they can.
    """
    if operator is None or not case.inputs:
        return case
    inputs = operand_tensors(operator.inputs, case.inputs)
    outputs = operand_tensors(operator.outputs, case.outputs)
    pairs = [(operand, tensor) for operand, tensors in (*inputs, *outputs) for tensor in tensors]
    columns = range(max((len(operand.dtypes) for operand, _ in pairs), default=0))
    fitting = [column for column in columns if _declares(*pairs[0], column)]
    if not fitting:
        return case
    best = max(fitting, key=lambda column: sum(_declares(operand, tensor, column) for operand, tensor in pairs))
    case = evolve(case, outputs=_of_their_types(operator.outputs, case.outputs, best))
    outputs = operand_tensors(operator.outputs, case.outputs)
    if not operator.outputs:
        return evolve(
            case, inputs=_converted(inputs, best), outputs=tuple(_in_place(one, case) for one in case.outputs)
        )
    return evolve(case, inputs=_converted(inputs, best), outputs=_converted(outputs, best))


def _of_their_types(operands: tuple[Operand, ...], given: tuple[Tensor, ...], column: int) -> tuple[Tensor, ...]:
    """Fewer outputs than there are, under the names of the first ones that may be of their types, in order."""
    if len(given) >= len(operands) or any(tensor.name for tensor in given):
        return given
    choices = islice(combinations(operands, len(given)), _MOST_CHOICES)
    fitting = (
        chosen
        for chosen in choices
        if all(_may_be(operand, tensor, column) for operand, tensor in zip(chosen, given, strict=True))
    )
    chosen = next(fitting, None)
    if chosen is None:
        return given
    return tuple(evolve(tensor, name=operand.name) for operand, tensor in zip(chosen, given, strict=True))


def _declares(operand: Operand, tensor: Tensor, column: int) -> bool:
    known = find_dtype(operand.dtypes[column]) if column < len(operand.dtypes) else None
    return known is not None and known.name == tensor.dtype


def _may_be(operand: Operand, tensor: Tensor, column: int) -> bool:
    """Whether a reference's output may be this one: what it computes in float may be of any floating-point type."""
    known = find_dtype(operand.dtypes[column]) if column < len(operand.dtypes) else None
    return known is not None and (known.name == tensor.dtype or (known.kind == "f" and tensor.dtype == FLOAT32.name))


def _converted(listed: Listed, column: int) -> tuple[Tensor, ...]:
    return tuple(_in_column(operand, tensor, column) for operand, tensors in listed for tensor in tensors)


def _in_column(operand: Operand, tensor: Tensor, column: int) -> Tensor:
    wanted = find_dtype(operand.dtypes[column]) if column < len(operand.dtypes) else None
    return tensor if wanted is None else _as(tensor, wanted)


def _in_place(tensor: Tensor, case: Case) -> Tensor:
    alike = [one.dtype for one in case.inputs if one.shape == tensor.shape]
    wanted = find_dtype(alike[0]) if len(alike) == 1 else None
    return tensor if wanted is None else _as(tensor, wanted)


def _as(tensor: Tensor, wanted: Dtype) -> Tensor:
    if wanted.name == tensor.dtype or (wanted.ml_dtypes and wanted != BFLOAT16):
        return tensor
    import numpy as np  # only where kernels run

    from kernelgen_ls.runner.execution.golden import upper_halves

    values = _values(Path(tensor.file), tensor.dtype)
    if wanted == BFLOAT16:
        upper_halves(values).tofile(tensor.file)
    else:
        values.astype(np.dtype(wanted.numpy).newbyteorder("<")).tofile(tensor.file)
    return evolve(tensor, dtype=wanted.name)


def _values(path: Path, dtype: str) -> np.ndarray[Any, Any]:
    import numpy as np

    if dtype == BFLOAT16.name:
        return (np.fromfile(path, "<u2").astype(np.uint32) << 16).view(np.float32)
    return np.fromfile(path, np.dtype(dtype).newbyteorder("<"))
