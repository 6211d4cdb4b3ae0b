"""A text and its syntax tree, kept together: parsed once, then only where an edit touched it.

The tree is that of the blanked text (``blank.blank_for_syntax``), which is ASCII and has the same length, so a node's
byte offsets are indices of the original text. A ``Source`` never changes; an edit gives a new one that shares the work.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property

from tree_sitter import Node, Parser, Tree

from kernelgen_ls.kernel.blank import blank_for_syntax, strip_comments
from kernelgen_ls.kernel.changes import changed_span
from kernelgen_ls.kernel.constants import read_constants
from kernelgen_ls.kernel.findings import Position, Range
from kernelgen_ls.kernel.reading import CPP, read_structure
from kernelgen_ls.kernel.structure import Span, Structure


class Source:
    """One version of a kernel's text with its syntax tree and the parts read from it (computed when asked for)."""

    __slots__ = ("__dict__", "_encoded", "_tree", "text")

    def __init__(self, text: str, previous: Source | None = None) -> None:
        self.text = text
        self._encoded = blank_for_syntax(text).encode("ascii")
        parser = Parser(CPP)
        if previous is None:
            self._tree = parser.parse(self._encoded)
        else:
            self._tree = parser.parse(self._encoded, _edited(previous._tree, previous._encoded, self._encoded))

    @classmethod
    def parse(cls, text: str) -> Source:
        """Return the source of ``text``, parsed whole."""
        return cls(text)

    def with_text(self, text: str) -> Source:
        """Return the source of a later version of this text; only what differs is parsed again."""
        return self if text == self.text else Source(text, self)

    def edit(self, start: int, end: int, replacement: str) -> Source:
        """Return the source in which the text between the offsets ``start`` and ``end`` is ``replacement``."""
        return self.with_text(self.text[:start] + replacement + self.text[end:])

    @property
    def root(self) -> Node:
        """The root of the syntax tree; offsets of its nodes are indices of ``text``."""
        return self._tree.root_node

    @cached_property
    def structure(self) -> Structure:
        """The entry functions, classes, queues, calls and the like of this text."""
        return read_structure(self.text, self.root)

    @cached_property
    def plain(self) -> str:
        """The text with comments as spaces; offsets stay."""
        return strip_comments(self.text)

    def mentions(self, name: str) -> Iterator[int]:
        """Yield the offsets at which the word ``name`` stands outside comments."""
        # Few names are asked for: searching for each costs less than an index of all words.
        plain, length = self.plain, len(name)
        start = plain.find(name)
        while start >= 0:
            end = start + length
            if not (start and _is_of_word(plain[start - 1])) and not _is_of_word(plain[end : end + 1]):
                yield start
            start = plain.find(name, end)

    @cached_property
    def constants(self) -> dict[str, int]:
        """The integer constants that the text defines and that have one value."""
        return read_constants(self.plain)

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def position(self, offset: int) -> Position:
        """Return the line and column of ``offset``."""
        line = bisect_right(self._line_starts, offset) - 1
        return Position(line, offset - self._line_starts[line])

    def offset(self, position: Position) -> int:
        """Return the offset of ``position``; a place beyond the end of its line or of the text is that end."""
        if position.line >= len(self._line_starts):
            return len(self.text)
        start = self._line_starts[position.line]
        following = position.line + 1
        end = self._line_starts[following] - 1 if following < len(self._line_starts) else len(self.text)
        return min(start + position.column, end)

    def range(self, span: Span) -> Range:
        """Return the range of ``span``."""
        return Range(self.position(span.start), self.position(span.end))

    def line_text(self, line: int) -> str:
        """Return the text of ``line`` without its end; "" beyond the last one."""
        if not 0 <= line < len(self._line_starts):
            return ""
        following = line + 1
        end = self._line_starts[following] - 1 if following < len(self._line_starts) else len(self.text)
        return self.text[self._line_starts[line] : end].rstrip("\r")


def _is_of_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _edited(tree: Tree, old: bytes, new: bytes) -> Tree:
    """Return a copy of ``tree`` told which bytes differ between ``old`` and ``new``."""
    start, old_end, new_end = changed_span(old, new)
    edited = tree.copy()
    edited.edit(start, old_end, new_end, _point(old, start), _point(old, old_end), _point(new, new_end))
    return edited


def _point(data: bytes, offset: int) -> tuple[int, int]:
    return data.count(b"\n", 0, offset), offset - (data.rfind(b"\n", 0, offset) + 1)
