"""Which operand or attribute of the operator each value of a case is for, where the case says what they are called.

A reference has an order of its own, and takes as a tensor of one element what the operator has as an attribute.
"""

from __future__ import annotations

import re
import struct
from pathlib import Path

from attrs import evolve

from kernelgen_ls.kernel.dtypes import FLOAT32, INT32, INT64
from kernelgen_ls.kernel.opdef import OperatorDefinition
from kernelgen_ls.runner.execution.cases import Case, Tensor

_AROUND = re.compile(r"^input_|_(?:tensor|input)$")
"""What a reference adds to an operand's name."""
_READ = {FLOAT32.name: "<f", INT32.name: "<i", INT64.name: "<q"}


def as_operands(case: Case, operator: OperatorDefinition | None) -> Case:
    """The case with its inputs in the order of the operator's operands, and as attributes what it has as such."""
    if operator is None or not any(tensor.name for tensor in case.inputs):
        return case
    operands = [_plain(operand.name) for operand in operator.inputs]
    known = {_plain(one.name): one.name for one in operator.attributes if _plain(one.name) not in operands}
    inputs, attributes = list[Tensor](), dict(case.attributes or {})
    for tensor in case.inputs:
        name = known.get(_plain(tensor.name), "")
        value = _only_value(tensor) if name else None
        if value is None or name in attributes:
            inputs.append(tensor)
        else:
            attributes[name] = value
    return evolve(case, inputs=tuple(_ordered(inputs, operands)), attributes=attributes or None)


def _ordered(inputs: list[Tensor], operands: list[str]) -> list[Tensor]:
    """Those that are called as an operand in its place, the others in what is left; unchanged where that is unclear."""
    groups = dict[str, list[Tensor]]()
    for tensor in inputs:
        groups.setdefault(_plain(tensor.name), []).append(tensor)
    if len(groups) != len(operands) or len(set(operands)) != len(operands):
        return inputs
    spare = iter([name for name in groups if name not in operands])
    return [tensor for name in operands for tensor in groups[name if name in groups else next(spare)]]


def _only_value(tensor: Tensor) -> float | int | None:
    if tensor.dtype not in _READ or any(length != 1 for length in tensor.shape):
        return None
    value: float | int = struct.unpack(_READ[tensor.dtype], Path(tensor.file).read_bytes())[0]
    return value


def _plain(name: str) -> str:
    return _AROUND.sub("", name.lower()).replace("_", "")
