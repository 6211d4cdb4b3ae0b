"""Which source line an address of a compiled library belongs to: the line table of DWARF 4, read from an ELF file.

A table is a program for a small machine that makes rows (address, file, line); the specification is the DWARF 4
standard, section 6.2. The library comes from a compiler that was given a user's text, so nothing in it is trusted to be
sound: what cannot be read makes no rows.
"""

from __future__ import annotations

import bisect
import posixpath
import struct
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from kernelgen_ls.runner.toolchains.twin.elf import section

_MOST_ROWS = 4_000_000
_MOST_BEFORE = 200
"""How far back a place of the user's own is looked for: what a header's function is inlined into begins before it."""


@frozen
class LineTable:
    """Rows in the order of their addresses: row ``i`` holds from ``addresses[i]`` to the next."""

    addresses: tuple[int, ...]
    places: tuple[tuple[str, int] | None, ...]

    def at(self, address: int) -> tuple[str, int] | None:
        """The file and the one-based line of the code at ``address``; None where no row says."""
        number = bisect.bisect_right(self.addresses, address) - 1
        return self.places[number] if number >= 0 else None

    def leading_to(self, address: int) -> Iterator[tuple[str, int]]:
        """What :meth:`at` says, and what stands before it in the same sequence, nearest first."""
        number = bisect.bisect_right(self.addresses, address) - 1
        for place in reversed(self.places[max(number - _MOST_BEFORE, 0) : number + 1]):
            if place is None:
                return
            yield place


def read_lines(library: Path) -> LineTable:
    """The line table of an ELF library; without rows where it has none that can be read."""
    data = library.read_bytes()
    rows: list[tuple[int, bool, int, tuple[str, int] | None]] = []
    try:
        for row in _rows(section(data, b".debug_line")):
            rows.append((row[0], row[1] is not None, len(rows), row[1]))
            if len(rows) > _MOST_ROWS:
                break
    except (struct.error, ArithmeticError, IndexError, ValueError):
        pass  # what was read so far still holds
    rows.sort(key=lambda row: row[:3])  # where one sequence ends and another begins, what begins holds
    return LineTable(tuple(row[0] for row in rows), tuple(row[3] for row in rows))


class _Reader:
    """Reads a table from its front to its back."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data = data
        self.at = at

    def unpack(self, kind: str) -> int:
        (value,) = struct.unpack_from("<" + kind, self.data, self.at)
        self.at += struct.calcsize("<" + kind)
        return int(value)

    def text(self) -> str:
        end = self.data.index(b"\0", self.at)
        text = self.data[self.at : end].decode("utf-8", "replace")
        self.at = end + 1
        return text

    def leb(self, *, signed: bool = False) -> int:
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                break
        return value - (1 << shift) if signed and byte & 0x40 else value


def _rows(data: bytes) -> Iterator[tuple[int, tuple[str, int] | None]]:
    reader = _Reader(data)
    while reader.at + 4 < len(data):
        length = reader.unpack("I")
        end = reader.at + length
        version = reader.unpack("H")
        if version in (2, 3, 4):
            yield from _unit(reader, version, end)
        reader.at = end


def _unit(reader: _Reader, version: int, end: int) -> Iterator[tuple[int, tuple[str, int] | None]]:
    """The rows of one compilation's table."""
    header = reader.unpack("I")
    program = reader.at + header
    shortest = reader.unpack("B")
    if version >= 4:
        reader.unpack("B")  # operations an instruction: 1 on every processor we know
    reader.unpack("B")
    line_base, line_range, special = reader.unpack("b"), reader.unpack("B"), reader.unpack("B")
    operands = [reader.unpack("B") for _ in range(special - 1)]
    folders = [""]
    while folder := reader.text():
        folders.append(folder)
    files = [""]
    while name := reader.text():
        folder = folders[min(reader.leb(), len(folders) - 1)]
        reader.leb(), reader.leb()
        files.append(posixpath.join(folder, name))
    reader.at = program
    address, file, line = 0, 1, 1

    def place() -> tuple[str, int]:
        return files[file] if file < len(files) else "", line

    while reader.at < end:
        code = reader.unpack("B")
        if code >= special:
            code -= special
            address += code // line_range * shortest
            line += line_base + code % line_range
            yield address, place()
        elif code == 0:
            size = reader.leb()
            following = reader.at + size
            kind = reader.unpack("B")
            if kind == 1:
                yield address, None
                address, file, line = 0, 1, 1
            elif kind == 2:
                address = reader.unpack("Q")
            reader.at = following
        elif code == 1:
            yield address, place()
        elif code == 2:
            address += reader.leb() * shortest
        elif code == 3:
            line += reader.leb(signed=True)
        elif code == 4:
            file = reader.leb()
        elif code == 8:
            address += (255 - special) // line_range * shortest
        elif code == 9:
            address += reader.unpack("H")
        else:
            for _ in range(operands[code - 1]):
                reader.leb()
