"""What is in a 64-bit little-endian ELF file: its sections, the symbols of an object. The format: System V ABI, ch. 4.

The file comes from a compiler that was given a user's text: what cannot be read is not there.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from pathlib import Path


def section(data: bytes, name: bytes) -> bytes:
    """The bytes of a section, b"" where the file has none. Raises struct.error or IndexError for an unsound file."""
    if data[:6] != b"\x7fELF\x02\x01":
        return b""
    (offset,) = struct.unpack_from("<Q", data, 0x28)
    size, count, names = struct.unpack_from("<HHH", data, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", data, offset + size * number) for number in range(count)]
    table = headers[names][4]
    for header in headers:
        start = table + header[0]
        if data[start : data.index(b"\0", start)] == name:
            return data[header[4] : header[4] + header[5]]
    return b""


def lacking_symbols(objects: Iterable[Path]) -> list[str]:
    """The names that some of the objects use and none defines, sorted."""
    used: set[str] = set()
    defined: set[str] = set()
    for path in objects:
        data = path.read_bytes()
        try:
            names = section(data, b".strtab")
            for name, _, _, where, _, _ in struct.iter_unpack("<IBBHQQ", section(data, b".symtab")):
                text = names[name : names.index(b"\0", name)].decode("ascii", "replace")
                (defined if where else used).add(text)
        except (struct.error, IndexError, ValueError):
            continue
    return sorted(used - defined - {""})


def imported_symbols(library: Path) -> list[str]:
    """The names that a library takes from what loads it, mangled; none where the file is not sound."""
    data = library.read_bytes()
    try:
        names = section(data, b".dynstr")
        return [
            names[name : names.index(b"\0", name)].decode("ascii", "replace")
            for name, _, _, where, _, _ in struct.iter_unpack("<IBBHQQ", section(data, b".dynsym"))
            if not where
        ]
    except (struct.error, IndexError, ValueError):
        return []
