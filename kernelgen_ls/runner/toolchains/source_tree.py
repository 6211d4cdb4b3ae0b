"""The texts of one job as a tree: which file an include means, what a kernel reaches, what a C++ front end is given.

A front end sees the project below a folder of its own, where empty files stand for the texts it is handed: the user's
disk is neither read nor written. What AscendC adds to C++ is blanked with spaces (``kernel.blank``), so lines and
columns are those of the user's text, and there is a way back from byte columns to them.
"""

from __future__ import annotations

import posixpath
import re
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from functools import cached_property

from attrs import define, field

from kernelgen_ls.folders import declared_headers
from kernelgen_ls.kernel.blank import blank
from kernelgen_ls.kernel.distance import is_slip
from kernelgen_ls.kernel.findings import Position, Range
from kernelgen_ls.kernel.includes import Include, fitting, includes
from kernelgen_ls.kernel.roles import HEADER_SUFFIXES, has_entry

_LINE_END = re.compile(r"\r\n|\n|\r")


@define(eq=False)
class SourceText:
    """One text file of a check; ``text`` is as the editor has it."""

    path: str
    text: str
    _lines: list[str] | None = field(default=None, init=False)

    @cached_property
    def prepared(self) -> str:
        """The text that libclang gets: same lines and columns, without what is not C++, BOM or NUL bytes."""
        text = self.text
        if text.startswith("\ufeff"):
            text = " " + text[1:]
        if "\0" in text:
            text = text.replace("\0", " ")
        return blank(text, attributes=True)

    @property
    def lines(self) -> list[str]:
        """The prepared text's lines, without their ends."""
        if self._lines is None:
            self._lines = _LINE_END.split(self.prepared)
        return self._lines

    @cached_property
    def includes(self) -> tuple[Include, ...]:
        """The ``#include`` lines, in order."""
        return tuple(includes(self.text))

    def column(self, line: int, byte: int) -> int:
        """The code point index of the zero-based ``byte`` of zero-based ``line``."""
        if line >= len(self.lines):
            return 0
        text = self.lines[line]
        if text.isascii():
            return min(byte, len(text))
        return len(text.encode()[:byte].decode(errors="ignore"))

    def position(self, line: int, column: int) -> Position:
        """libclang's one-based line and byte column as a position of the user's text."""
        line = min(max(line - 1, 0), len(self.lines) - 1)
        return Position(line, self.column(line, max(column - 1, 0)))

    def position_at(self, offset: int) -> Position:
        """The position of a code point offset of the text."""
        before = _LINE_END.split(self.text[:offset])
        return Position(len(before) - 1, len(before[-1]))

    def offset(self, position: Position) -> int:
        """The code point offset of a position of the text."""
        starts = [0, *(match.end() for match in _LINE_END.finditer(self.text))]
        return starts[min(position.line, len(starts) - 1)] + position.column

    def at(self, span: Range) -> str:
        """What stands in a range of one line."""
        return self.lines[span.start.line][span.start.column : span.end.column]

    def word(self, position: Position) -> Range:
        """The identifier, or else the character, at ``position``; what stands before the line's end at its end."""
        text = self.lines[position.line] if position.line < len(self.lines) else ""
        start = position.column
        if start >= len(text):
            kept = len(text.rstrip())
            return Range(
                Position(position.line, max(kept - 1, 0)), Position(position.line, max(kept, min(1, len(text))))
            )
        match = re.compile(r"\w+|.").match(text, start)
        end = match.end() if match else start + 1
        return Range(position, Position(position.line, end))


@define(eq=False)
class KnownTexts:
    """The texts of the last checks: of an operator that is being edited, all but one are as they were."""

    most: int = 2000
    _sources: OrderedDict[str, SourceText] = field(factory=OrderedDict, init=False)

    def source(self, path: str, text: str) -> SourceText:
        """The file at ``path`` with ``text``, with what was already read of it."""
        source = self._sources.pop(path, None)
        if source is None or source.text != text:
            source = SourceText(path, text)
        self._sources[path] = source
        while len(self._sources) > self.most:
            self._sources.popitem(last=False)
        return source


@define(eq=False)
class SourceTree:
    """The files of one check by path, POSIX and relative to the project; libclang sees them below ``root``."""

    files: dict[str, SourceText]
    root: str = "/kernelgen"

    @classmethod
    def of(cls, texts: Mapping[str, str], root: str = "/kernelgen", known: KnownTexts | None = None) -> SourceTree:
        """The tree of ``texts``, path to content. Paths that leave the project are left out.

        What ``known`` has of an earlier tree is not read again.
        """
        known = KnownTexts() if known is None else known
        normal = {posixpath.normpath(path): text for path, text in texts.items()}
        inside = {path: text for path, text in normal.items() if not path.startswith(("../", "/"))}
        return cls({path: known.source(path, text) for path, text in inside.items()}, root)

    def virtual(self, path: str) -> str:
        """Where libclang sees the project's file ``path``."""
        return posixpath.join(self.root, path)

    def real(self, virtual_path: str) -> str | None:
        """The project's path of a virtual path; None for a file that is not the project's."""
        prefix = self.root + "/"
        path = posixpath.normpath(virtual_path)
        return path[len(prefix) :] if path.startswith(prefix) else None

    def resolve(self, include: Include, includer: str) -> str | None:
        """The path of the project's file that ``include`` in ``includer`` means, or None where it is none of them."""
        found = fitting(include.name, includer, self._by_name.get(posixpath.basename(include.name), ()))
        return found[0] if found else None

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in self.files:
            found.setdefault(posixpath.basename(path), []).append(path)
        return found

    def headers_like(self, name: str, includer: str) -> tuple[str, ...]:
        """The headers of the project that an include names with a slip, as it would be written."""
        folder, wanted = posixpath.split(name)
        near = posixpath.normpath(posixpath.join(posixpath.dirname(includer), folder))
        end = posixpath.normpath(folder).lstrip("./")
        own = {posixpath.basename(include.name) for include in self.files[includer].includes}
        found = set()
        for path in self.files:
            place, header = posixpath.split(path)
            if header in own or path == includer:
                continue  # it is there beside the other, so the other is no slip of it
            if (place == near or f"/{place}".endswith(f"/{end}")) and is_slip(wanted, header):
                found.add(posixpath.join(folder, header))
        return tuple(sorted(found))

    def reachable(self, entry: str) -> Iterator[SourceText]:
        """The entry file and everything of the project that it includes, each once, the entry first."""
        waiting, seen = [entry], {entry}
        while waiting:
            source = self.files.get(waiting.pop())
            if source is None:
                continue
            yield source
            for include in source.includes:
                found = self.resolve(include, source.path)
                if found is not None and found not in seen:
                    seen.add(found)
                    waiting.append(found)

    def included(self, path: str) -> dict[int, str]:
        """The files of the project that the ``#include`` lines of ``path`` mean, by their offsets."""
        found = {include.offset: self.resolve(include, path) for include in self.files[path].includes}
        return {offset: path for offset, path in found.items() if path is not None}

    def kernel_of(self, entry: str) -> str | None:
        """The file to compile for ``entry``: itself, or for a header the kernel that includes it; None where none does.

        A header's templates are instantiated there.
        """
        if not entry.endswith(HEADER_SUFFIXES) or has_entry(self.files[entry].text):
            return entry
        kernels = (p for p, s in sorted(self.files.items()) if not p.endswith(HEADER_SUFFIXES) and has_entry(s.text))
        return next((path for path in kernels if any(item.path == entry for item in self.reachable(path))), None)

    def search_folders(self, entry: str) -> list[str]:
        """The folders in which a front end finds what is included in angle brackets, nearest first."""
        folders: dict[str, None] = {}
        for _, include, found in self._elsewhere(entry):
            name = posixpath.normpath(include.name)
            if not include.quoted and f"/{found}".endswith(f"/{name}"):
                folders[posixpath.join(self.root, found[: -len(name)]).rstrip("/")] = None
        return list(folders)

    def forwarded(self, entry: str) -> dict[str, str]:
        """Texts at the places where a front end looks for what lies elsewhere: each includes the file that is meant."""
        texts: dict[str, str] = {}
        for source, include, found in self._elsewhere(entry):
            place = posixpath.normpath(posixpath.join(posixpath.dirname(source.path), include.name))
            if include.quoted and not place.startswith("../"):
                texts[self.virtual(place)] = f'#include "{self.virtual(found)}"\n'
        return texts

    def _elsewhere(self, entry: str) -> Iterator[tuple[SourceText, Include, str]]:
        """The includes below ``entry`` of files that are not where their names lead, with what they mean."""
        for source in self.reachable(entry):
            for include in source.includes:
                found = self.resolve(include, source.path)
                near = posixpath.normpath(posixpath.join(posixpath.dirname(source.path), include.name))
                if found is not None and found != near and include.name not in declared_headers():
                    yield source, include, found
