"""The open documents: their text, versions, and positions in the client's units.

Everywhere else in this project a column counts code points; a client counts UTF-8 bytes, UTF-16 or UTF-32 units, as
negotiated. A line ends at ``\\n``, ``\\r\\n`` or ``\\r`` and nowhere else.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from enum import Enum
from functools import cached_property
from itertools import accumulate
from pathlib import Path

import attrs
from attrs import frozen
from lsprotocol import types
from pygls.uris import to_fs_path

from kernelgen_ls.kernel.findings import Position, Range

_LINE_END = re.compile(r"\r\n|\r|\n")
_SURROGATE = re.compile("[\ud800-\udfff]")


class Encoding(str, Enum):
    """What a column counts on the wire."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"

    def units(self, text: str) -> int:
        """The length of ``text`` in this encoding's units."""
        if self is Encoding.UTF32 or text.isascii():
            return len(text)
        if self is Encoding.UTF8:
            return len(text.encode("utf-8", "replace"))
        return len(text) + sum(1 for character in text if character > "\uffff")

    def column(self, line: str, units: int) -> int:
        """The column in code points at ``units``: inside a character is before it, beyond the line is its end."""
        if units <= 0:
            return 0
        if self is Encoding.UTF32 or line.isascii():
            return min(units, len(line))
        seen = 0
        for column, character in enumerate(line):
            seen += self.units(character)
            if seen > units:
                return column
        return len(line)


@frozen(slots=False)
class Document:
    """One version of one document; immutable, so that a task may keep it across awaits."""

    uri: str
    language: str
    version: int
    text: str = attrs.field(repr=False)

    @cached_property
    def path(self) -> Path:
        """Where it lies (or would lie, for an untitled document)."""
        return Path(to_fs_path(self.uri) or re.sub(r"^[a-z]+:", "", self.uri).lstrip("/") or "untitled")

    @property
    def on_disk(self) -> bool:
        """Whether it is a file (an untitled document or a version of git's is not)."""
        return self.uri.startswith("file:")

    @cached_property
    def starts(self) -> list[int]:
        """The offset at which each line starts."""
        if "\r" not in self.text:
            lengths = (len(line) + 1 for line in self.text.split("\n")[:-1])
            return [0, *accumulate(lengths)]
        return [0, *(match.end() for match in _LINE_END.finditer(self.text))]

    def line(self, number: int) -> str:
        """A line without its end; empty beyond the last."""
        if not 0 <= number < len(self.starts):
            return ""
        start = self.starts[number]
        end = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")

    def offset(self, position: Position) -> int:
        """The index into ``text``; clamped to the line and the document."""
        if position.line >= len(self.starts):
            return len(self.text)
        return self.starts[position.line] + min(position.column, len(self.line(position.line)))

    def position(self, offset: int) -> Position:
        """The position of an index into ``text``."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self.starts, offset) - 1
        return Position(line, offset - self.starts[line])

    @property
    def end(self) -> Position:
        """Where the document ends."""
        return self.position(len(self.text))

    def from_client(self, position: types.Position, encoding: Encoding) -> Position:
        """A client's position in code points, clamped to the document."""
        if position.line >= len(self.starts):
            return self.end
        return Position(position.line, encoding.column(self.line(position.line), position.character))

    def to_client(self, position: Position, encoding: Encoding) -> types.Position:
        """A position in the client's units."""
        line = self.line(position.line)
        return types.Position(position.line, encoding.units(line[: position.column]))

    def range_from_client(self, span: types.Range, encoding: Encoding) -> Range:
        """A client's range in code points."""
        return Range(self.from_client(span.start, encoding), self.from_client(span.end, encoding))

    def range_to_client(self, span: Range, encoding: Encoding) -> types.Range:
        """A range in the client's units."""
        return types.Range(self.to_client(span.start, encoding), self.to_client(span.end, encoding))

    def changed(
        self, version: int, changes: Iterable[types.TextDocumentContentChangeEvent], encoding: Encoding
    ) -> Document:
        """The document after the client's changes, in their order."""
        document = self
        for change in changes:
            text = _without_lone_surrogates(change.text)
            if isinstance(change, types.TextDocumentContentChangePartial):
                span = document.range_from_client(change.range, encoding)
                start, end = document.offset(span.start), document.offset(span.end)
                text = document.text[:start] + text + document.text[max(start, end) :]
            document = attrs.evolve(document, text=text, version=version)
        return attrs.evolve(document, version=version) if document.version != version else document


class Documents:
    """The open documents by URI."""

    def __init__(self) -> None:
        self.encoding = Encoding.UTF16
        self._open: dict[str, Document] = {}

    def open(self, item: types.TextDocumentItem) -> Document:
        """A document was opened."""
        text = _without_lone_surrogates(item.text)
        document = Document(item.uri, str(item.language_id), item.version, text)
        self._open[item.uri] = document
        return document

    def change(self, params: types.DidChangeTextDocumentParams) -> Document | None:
        """A document was edited; None when it was never opened."""
        old = self._open.get(params.text_document.uri)
        if old is None:
            return None
        document = old.changed(params.text_document.version, params.content_changes, self.encoding)
        self._open[document.uri] = document
        return document

    def close(self, uri: str) -> Document | None:
        """A document was closed."""
        return self._open.pop(uri, None)

    def get(self, uri: str) -> Document | None:
        """The current version of an open document."""
        return self._open.get(uri)

    def current(self, document: Document) -> bool:
        """Whether nothing was edited since ``document`` was taken."""
        now = self._open.get(document.uri)
        return now is not None and now.version == document.version and now.text == document.text

    def at(self, path: Path) -> Document | None:
        """The open document of a file."""
        for document in self._open.values():
            if document.path == path:
                return document
        return None

    def __iter__(self) -> Iterator[Document]:
        return iter(list(self._open.values()))


def _without_lone_surrogates(text: str) -> str:
    """JSON may carry half a character; it would break every encoder later. One unit stays one unit."""
    if text.isascii() or not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
