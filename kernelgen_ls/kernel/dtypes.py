"""THE table of element types: every name that a type has anywhere, its size and its number, one row a type.

Whoever needs a type's name in C++, in an ``OpDef``, in numpy or in msopgen's JSON takes it from a row. Facts *about*
types that are none of a type's own (what an instruction takes, how far a result may be off) stand where they are used
and name the types by their rows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from attrs import frozen


@frozen
class Dtype:
    """One element type: ``name`` is the one that specifications, cases and messages use (numpy's, where it has it).

    ``graph`` and ``number`` are its name and value in the graph engine's enum, ``bits`` its size and ``kind`` numpy's
    letter for it: ``f`` floating point, ``i`` and ``u`` integers, ``b`` bool, ``c`` complex.
    """

    name: str
    graph: str
    number: int
    kind: str
    bits: int
    kernel: str = ""
    """What a kernel calls it; "" for a type that kernels are checked with ``float`` in its place."""
    spellings: tuple[str, ...] = ()
    """Its other names in C++."""
    numpy: str | None = None
    """Its name in numpy, or in ml_dtypes where that alone has it; None where neither has."""
    ml_dtypes: bool = False
    """Whether only ml_dtypes gives numpy that name."""
    torch: str | None = None
    """Its name in PyTorch; None where that has none."""
    msopgen: str = ""
    """What msopgen's JSON calls it, where that is not ``name``."""
    aliases: tuple[str, ...] = ()
    """Further names that specifications give it."""

    @property
    def bytes(self) -> int | None:
        """Bytes of one element; None for a type narrower than a byte."""
        return self.bits // 8 if self.bits % 8 == 0 else None

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that a specification may give it, in small letters."""
        listed = (self.name, self.graph.removeprefix("DT_").lower(), self.kernel, self.msopgen, *self.aliases)
        return tuple(dict.fromkeys(name for name in listed if name))

    def size_bytes(self, elements: int) -> int:
        """Bytes of ``elements`` of it, of narrow ones packed."""
        return -(-self.bits * elements // 8)


def _usual(
    name: str,
    graph: str,
    number: int,
    kind: str,
    bits: int,
    kernel: str,
    spellings: tuple[str, ...] = (),
    msopgen: str = "",
    aliases: tuple[str, ...] = (),
) -> Dtype:
    """A type that numpy and PyTorch know by its own name."""
    return Dtype(
        name, graph, number, kind, bits, kernel, spellings, numpy=name, torch=name, msopgen=msopgen, aliases=aliases
    )


def _integer(name: str, number: int, bits: int, *spellings: str) -> Dtype:
    kind = "u" if name.startswith("u") else "i"
    return _usual(name, f"DT_{name.upper()}", number, kind, bits, f"{name}_t", spellings)


FLOAT32 = _usual("float32", "DT_FLOAT", 0, "f", 32, "float", ("float32_t",), "fp32", ("float32_t",))
FLOAT16 = _usual("float16", "DT_FLOAT16", 1, "f", 16, "half", ("float16_t",), "fp16", ("float16_t",))
BFLOAT16 = Dtype(
    "bfloat16",
    "DT_BF16",
    27,
    "f",
    16,
    "bfloat16_t",
    numpy="bfloat16",
    ml_dtypes=True,
    torch="bfloat16",
    msopgen="bf16",
    aliases=("bfp16",),
)
FLOAT64 = _usual("float64", "DT_DOUBLE", 11, "f", 64, "double", aliases=("fp64",))
INT8 = _integer("int8", 2, 8)
INT16 = _integer("int16", 6, 16, "short")
INT32 = _integer("int32", 3, 32, "int")
INT64 = _integer("int64", 9, 64)
UINT8 = _integer("uint8", 4, 8)
UINT16 = _integer("uint16", 7, 16)
UINT32 = _integer("uint32", 8, 32, "unsigned")
UINT64 = _integer("uint64", 10, 64)
INT4 = Dtype("int4", "DT_INT4", 29, "i", 4, "int4b_t", numpy="int4", ml_dtypes=True)
BOOL = _usual("bool", "DT_BOOL", 12, "b", 8, "bool")
COMPLEX32 = Dtype("complex32", "DT_COMPLEX32", 33, "c", 32, "complex32", torch="complex32")
COMPLEX64 = _usual("complex64", "DT_COMPLEX64", 16, "c", 64, "complex64")
COMPLEX128 = _usual("complex128", "DT_COMPLEX128", 17, "c", 128, "complex128")
HIFLOAT8 = Dtype("hifloat8", "DT_HIFLOAT8", 34, "f", 8, "hifloat8_t")


def _float8(name: str, number: int, kernel: str, elsewhere: str) -> Dtype:
    return Dtype(name, f"DT_{name.upper()}", number, "f", 8, kernel, numpy=elsewhere, ml_dtypes=True, torch=elsewhere)


FLOAT8_E5M2 = _float8("float8_e5m2", 35, "fp8_e5m2_t", "float8_e5m2")
FLOAT8_E4M3FN = _float8("float8_e4m3fn", 36, "fp8_e4m3fn_t", "float8_e4m3fn")
FLOAT8_E8M0 = _float8("float8_e8m0", 37, "fp8_e8m0_t", "float8_e8m0fnu")

DTYPES: tuple[Dtype, ...] = (
    *(FLOAT32, FLOAT16, BFLOAT16, FLOAT64),
    *(INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64, INT4, BOOL),
    *(COMPLEX32, COMPLEX64, COMPLEX128),
    *(HIFLOAT8, FLOAT8_E5M2, FLOAT8_E4M3FN, FLOAT8_E8M0),
)
"""Every element type that a tensor of a kernel can have."""

_NO_ELEMENTS = {
    "DT_STRING": 13,
    "DT_DUAL_SUB_INT8": 14,
    "DT_DUAL_SUB_UINT8": 15,
    "DT_QINT8": 18,
    "DT_QINT16": 19,
    "DT_QINT32": 20,
    "DT_QUINT8": 21,
    "DT_QUINT16": 22,
    "DT_RESOURCE": 23,
    "DT_STRING_REF": 24,
    "DT_DUAL": 25,
    "DT_VARIANT": 26,
    "DT_UNDEFINED": 28,
    "DT_UINT1": 30,
    "DT_INT2": 31,
    "DT_UINT2": 32,
    "DT_FLOAT6_E3M2": 38,
    "DT_FLOAT6_E2M3": 39,
    "DT_FLOAT4_E2M1": 40,
    "DT_FLOAT4_E1M2": 41,
}
"""What else the graph engine's enum holds: nothing that a kernel's tensor has as its elements."""

GRAPH_NUMBERS: Mapping[str, int] = dict(
    sorted((*((dtype.graph, dtype.number) for dtype in DTYPES), *_NO_ELEMENTS.items()), key=lambda item: item[1])
)
"""The graph engine's enum: every ``DT_`` name with its value, in order."""

BY_KERNEL: Mapping[str, Dtype] = {dtype.kernel: dtype for dtype in DTYPES if dtype.kernel}
"""The types by what a kernel calls them."""

SPELLINGS: Mapping[str, str] = {spelling: dtype.kernel for dtype in DTYPES for spelling in dtype.spellings}
"""A kernel's one name of a type for each of its other names in C++ (``half`` for ``float16_t``)."""

TORCH_METHODS: Mapping[str, Dtype] = {
    "float": FLOAT32,
    "half": FLOAT16,
    "bfloat16": BFLOAT16,
    "double": FLOAT64,
    "char": INT8,
    "short": INT16,
    "int": INT32,
    "long": INT64,
    "byte": UINT8,
    "bool": BOOL,
}
"""The types by the methods of PyTorch's tensors that convert to them, which it has as names of types too."""

_BY_NAME = {name: dtype for dtype in DTYPES for name in dtype.names}
_WORD = re.compile(
    r"(?<![A-Za-z0-9_.])(?:torch\.|np\.|numpy\.|ge::)?(?:DT_)?(?P<name>[A-Za-z][A-Za-z0-9]*(?:_t)?)(?![A-Za-z0-9_])"
)

_PART = re.compile(r"\b(?:first|second|other|lower|upper|left|right|top|bottom)\s+half\b|\bhalf\s+of\b", re.IGNORECASE)
"""A half that is a part of something."""


def find_dtype(name: str) -> Dtype | None:
    """Return the type by any of its names (``DT_FLOAT16``, ``torch.float16``, ``half``, ``fp16``), in any case."""
    plain = name.strip().removeprefix("ge::").removeprefix("torch.").removeprefix("DT_").lower()
    return _BY_NAME.get(plain)


def dtypes_in(text: str) -> tuple[str, ...]:
    """Return the one names of the element types that a text mentions, in order, each once."""
    found = (_BY_NAME.get(match.group("name").lower()) for match in _WORD.finditer(_PART.sub("", text)))
    return tuple(dict.fromkeys(dtype.name for dtype in found if dtype is not None))
