"""What the vector unit's instructions take, as data: element types by architecture, and who needs aligned operands.

Written from the public descriptions of the instructions. An instruction or an architecture that is not here is not
known, and nothing is said about it.
"""

from __future__ import annotations

from collections.abc import Mapping

from kernelgen_ls.kernel.chips import Architecture

_FLOATS = frozenset({"half", "float"})
_ARITHMETIC = frozenset({"half", "float", "int16_t", "int32_t"})
_BITS = frozenset({"int16_t", "uint16_t"})
_SHIFTS = frozenset({"int16_t", "uint16_t", "int32_t", "uint32_t"})
FILLED_TYPES = frozenset({"half", "bfloat16_t", "float", "int16_t", "uint16_t", "int32_t", "uint32_t"})
"""What a fill takes: the element types of 2 and 4 bytes."""

_DAV_2201: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("Add", "Sub", "Mul", "Max", "Min", "Adds", "Muls", "Maxs", "Mins"), _ARITHMETIC),
    **dict.fromkeys(("Div", "Exp", "Ln", "Abs", "Reciprocal", "Sqrt", "Rsqrt", "LeakyRelu"), _FLOATS),
    **dict.fromkeys(("ReduceSum", "ReduceMax", "ReduceMin"), _FLOATS),
    "Relu": _FLOATS | {"int32_t"},
    **dict.fromkeys(("And", "Or", "Not"), _BITS),
    **dict.fromkeys(("ShiftLeft", "ShiftRight"), _SHIFTS),
    "Duplicate": FILLED_TYPES,
}
_DAV_2002 = {name: types - {"bfloat16_t"} for name, types in _DAV_2201.items()}

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
