"""Bytes of a source file as text and back: UTF-8, with or without a mark, UTF-16, GB18030; its line ends.

Sources of AscendC are written on Windows and on Chinese systems too: a header in GB18030 is as good as one in UTF-8.
"""

from __future__ import annotations

import codecs

from attrs import frozen

UTF8, UTF8_MARKED, UTF16_LE, UTF16_BE, GB18030, UNKNOWN = "utf-8", "utf-8-sig", "utf-16-le", "utf-16-be", "gb18030", ""

_LOOKED_AT = 4096
"""Bytes from which UTF-16 without a mark is told."""


@frozen
class Text:
    """A file's text and how it was written: ``encoding`` is a codec's name, "" where bytes had to be replaced.

    ``marked`` tells of a byte order mark, which is not part of the text.
    """

    text: str
    encoding: str = UTF8
    marked: bool = False


def decode(data: bytes) -> Text:
    """The text of a source file, whatever it is encoded in; never raises."""
    for mark, encoding in ((codecs.BOM_UTF8, UTF8), (codecs.BOM_UTF16_LE, UTF16_LE), (codecs.BOM_UTF16_BE, UTF16_BE)):
        if data.startswith(mark):
            return _strictly(data[len(mark) :], encoding, marked=True) or _replaced(data)
    wide = _unmarked_utf16(data)
    if wide and (found := _strictly(data, wide)):
        return found
    return _strictly(data, UTF8) or _strictly(data, GB18030) or _replaced(data)


def encode(text: str, like: Text) -> bytes:
    """``text`` in the encoding and with the mark of ``like``; in UTF-8 where it cannot be written so."""
    encoding = like.encoding or UTF8
    try:
        data = text.encode(encoding)
    except UnicodeEncodeError:
        return text.encode(UTF8, "replace")
    marks = {UTF8: codecs.BOM_UTF8, UTF16_LE: codecs.BOM_UTF16_LE, UTF16_BE: codecs.BOM_UTF16_BE}
    return marks.get(encoding, b"") + data if like.marked else data


def line_end(text: str) -> str:
    """What most of the text's lines end with: ``\\r\\n`` or ``\\n``."""
    return "\r\n" if 2 * text.count("\r\n") > text.count("\n") else "\n"


def with_line_ends_of(text: str, like: str) -> str:
    """``text`` with the line ends of ``like``."""
    plain = text.replace("\r\n", "\n")
    return plain.replace("\n", "\r\n") if line_end(like) == "\r\n" else plain


def _strictly(data: bytes, encoding: str, *, marked: bool = False) -> Text | None:
    try:
        return Text(data.decode(encoding), encoding, marked)
    except UnicodeDecodeError:
        return None


def _replaced(data: bytes) -> Text:
    return Text(data.decode(UTF8, "replace"), UNKNOWN)


def _unmarked_utf16(data: bytes) -> str:
    """The UTF-16 that ``data`` is without saying so: code is mostly ASCII, of which every other byte is then zero."""
    start = data[: min(_LOOKED_AT, len(data) - len(data) % 2)]
    if len(data) % 2 or len(start) < 4 or b"\0" not in start:
        return ""
    half = len(start) // 2
    even, odd = start[::2].count(0), start[1::2].count(0)
    if 10 * odd > 4 * half and 10 * even < half:
        return UTF16_LE
    return UTF16_BE if 10 * even > 4 * half and 10 * odd < half else ""
