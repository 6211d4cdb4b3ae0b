"""What the vector unit's instructions take, as data: element types by architecture, and who needs aligned operands.

Written from the public descriptions of the instructions. An instruction or an architecture that is not here is not
known, and nothing is said about it.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from kernelgen_ls.kernel.chips import Architecture
from kernelgen_ls.kernel.dtypes import BFLOAT16, FLOAT16, FLOAT32, INT8, INT16, INT32, UINT8, UINT16, UINT32, Dtype


def _types(*dtypes: Dtype) -> frozenset[str]:
    return frozenset(dtype.kernel for dtype in dtypes)


SUMMED_TYPES = _types(FLOAT16, FLOAT32)
"""What a sum, like every function of real numbers, takes."""
_ARITHMETIC = _types(FLOAT16, FLOAT32, INT16, INT32)
_BITS = _types(INT16, UINT16)
_SHIFTS = _types(INT16, UINT16, INT32, UINT32)
FILLED_TYPES = _types(FLOAT16, BFLOAT16, FLOAT32, INT16, UINT16, INT32, UINT32)
"""What a fill takes: the element types of 2 and 4 bytes."""

_DAV_2201: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("Add", "Sub", "Mul", "Max", "Min", "Adds", "Muls", "Maxs", "Mins"), _ARITHMETIC),
    **dict.fromkeys(("Div", "Exp", "Ln", "Abs", "Reciprocal", "Sqrt", "Rsqrt", "LeakyRelu"), SUMMED_TYPES),
    **dict.fromkeys(("ReduceSum", "ReduceMax", "ReduceMin"), SUMMED_TYPES),
    "Relu": SUMMED_TYPES | _types(INT32),
    "Not": _BITS,
    **dict.fromkeys(("And", "Or"), _BITS | _types(INT8, UINT8, INT32, UINT32)),
    **dict.fromkeys(("ShiftLeft", "ShiftRight"), _SHIFTS),
}
_DAV_2002 = {name: types - _types(BFLOAT16) for name, types in _DAV_2201.items()}

ELEMENT_TYPES: Mapping[Architecture, Mapping[str, frozenset[str]]] = {
    Architecture.DAV_2201: _DAV_2201,
    Architecture.DAV_2002: _DAV_2002,
}
"""Element types that each instruction takes for its destination and first source."""

ALIGNED_OPERANDS = frozenset(
    {
        *("Add", "Sub", "Mul", "Div", "Max", "Min", "And", "Or"),
        *("Adds", "Muls", "Maxs", "Mins", "LeakyRelu", "ShiftLeft", "ShiftRight"),
        *("Exp", "Ln", "Abs", "Reciprocal", "Sqrt", "Rsqrt", "Not", "Relu"),
        *("AddRelu", "SubRelu", "MulAddDst", "FusedMulAdd", "Axpy"),
        *("Cast", "Duplicate", "DataCopy", "DataCopyPad"),
    }
)
"""Instructions whose every tensor operand in UB starts at a multiple of 32 bytes."""


@frozen
class Counted:
    """The form of an instruction that takes a number of elements last: how many arguments, and which are tensors."""

    arguments: int
    tensors: tuple[int, ...]


COUNTED_OPERANDS: Mapping[str, Counted] = {
    **dict.fromkeys(("Exp", "Ln", "Abs", "Reciprocal", "Sqrt", "Rsqrt", "Not", "Relu"), Counted(3, (0, 1))),
    **dict.fromkeys(("Add", "Sub", "Mul", "Div", "Max", "Min", "And", "Or"), Counted(4, (0, 1, 2))),
    **dict.fromkeys(("AddRelu", "SubRelu", "MulAddDst", "FusedMulAdd"), Counted(4, (0, 1, 2))),
    **dict.fromkeys(("Adds", "Muls", "Maxs", "Mins", "LeakyRelu", "ShiftLeft", "ShiftRight"), Counted(4, (0, 1))),
    **dict.fromkeys(("Axpy", "Cast"), Counted(4, (0, 1))),
    "Duplicate": Counted(3, (0,)),
    "DataCopy": Counted(3, (0, 1)),
}
"""What touches as many elements of each tensor as its last argument says."""


@frozen
class Masked:
    """The form of an instruction that takes a mask: how many arguments, which are tensors, and where the mask is."""

    arguments: int
    tensors: tuple[int, ...]
    mask: int


MASKED_OPERANDS: Mapping[str, Masked] = {
    **dict.fromkeys(("Exp", "Ln", "Abs", "Reciprocal", "Sqrt", "Rsqrt", "Not", "Relu"), Masked(5, (0, 1), 2)),
    **dict.fromkeys(("Add", "Sub", "Mul", "Div", "Max", "Min", "And", "Or"), Masked(6, (0, 1, 2), 3)),
    **dict.fromkeys(("Adds", "Muls", "Maxs", "Mins", "LeakyRelu", "Cast"), Masked(6, (0, 1), 3)),
    "Duplicate": Masked(6, (0,), 2),
}
"""What works on some elements of each repeat of 256 bytes."""
