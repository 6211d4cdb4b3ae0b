"""Tiling data as the bytes a kernel is handed: the fields of a host's struct at their natural alignment."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any

from kernelgen_ls.kernel.dtypes import BOOL, FLOAT32, FLOAT64, INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64
from kernelgen_ls.kernel.tiling import TilingField, TilingStruct

_FORMATS = {
    **dict(zip((INT8, INT16, INT32, INT64), "bhiq", strict=True)),
    **dict(zip((UINT8, UINT16, UINT32, UINT64), "BHIQ", strict=True)),
    BOOL: "?",
    FLOAT32: "f",
    FLOAT64: "d",
}
"""The letter of ``struct`` for each type that a field can have."""
_CODES = {dtype.kernel: letter for dtype, letter in _FORMATS.items()} | {"int": "i", "char": "b"}


class TilingError(Exception):
    """The values do not fit the struct; the message names the field."""


def pack_tiling(kind: TilingStruct, values: Mapping[str, Any], others: Mapping[str, TilingStruct]) -> bytes:
    """The bytes of ``kind`` with ``values`` by field name (nested structs as maps, arrays as lists); rest zero.

    ``others`` are the structs a field may have. Raises :class:`TilingError` for a name that is no field, a value out of
    range, or a field whose type or length is not known.
    """
    unknown = set(values) - {item.name for item in kind.fields}
    if unknown:
        raise TilingError(f"{kind.name} has no field {sorted(unknown)[0]!r}")
    return _pack(kind, values, others)[0]


def _pack(kind: TilingStruct, values: Mapping[str, Any], others: Mapping[str, TilingStruct]) -> tuple[bytes, int]:
    data, alignment = bytearray(), 1
    for item in kind.fields:
        packed, aligned = _field(item, values.get(item.name), others)
        data += b"\0" * (-len(data) % aligned) + packed
        alignment = max(alignment, aligned)
    return bytes(data) + b"\0" * (-len(data) % alignment), alignment


def _field(item: TilingField, value: Any, others: Mapping[str, TilingStruct]) -> tuple[bytes, int]:
    if item.is_struct:
        nested = others.get(item.type)
        if nested is None:
            raise TilingError(f"the struct {item.type} of {item.name!r} is CANN's own: give the tiling as bytes")
        return _pack(nested, value or {}, others)
    code = _CODES.get(item.type.removeprefix("std::"))
    if code is None:
        raise TilingError(f"the type {item.type} of {item.name!r} is not known here: give the tiling as bytes")
    if item.length and item.elements is None:
        raise TilingError(f"the length {item.length} of {item.name!r} is not known here: give the tiling as bytes")
    length = item.elements if item.length and item.elements is not None else 1
    given = list(value or []) if item.length else [value or 0]
    if len(given) > length:
        raise TilingError(f"{item.name!r} has {length} elements; {len(given)} were given")
    try:
        packed = struct.pack(f"<{length}{code}", *given, *[0] * (length - len(given)))
    except struct.error as problem:
        raise TilingError(f"{item.name!r} ({item.type}): {problem}") from problem
    return packed, struct.calcsize(f"<{code}")
