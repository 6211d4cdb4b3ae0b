"""Where in the user's own files a diagnostic is shown."""

from __future__ import annotations

from kernelgen_ls.kernel.findings import Location, Position, Range
from kernelgen_ls.runner.toolchains.embedded.parser import RawDiagnostic, RawRange
from kernelgen_ls.runner.toolchains.source_tree import SourceTree


def place_of(tree: SourceTree, raw: RawDiagnostic) -> Location | None:
    """The deepest frame inside the user's files: the diagnostic itself, or the first note there."""
    here = location(tree, raw.path, raw.line, raw.column, raw.ranges)
    if here is not None:
        return here
    for note in raw.notes:
        if note.message.startswith(("in file included", "candidate")):
            continue
        there = location(tree, note.path, note.line, note.column, note.ranges)
        if there is not None:
            return there
    return None


def location(tree: SourceTree, path: str, line: int, column: int, ranges: tuple[RawRange, ...] = ()) -> Location | None:
    """The word, or the range, that begins at a line and column of clang's; None outside of the user's files."""
    name = tree.real(path) if path else None
    source = tree.files.get(name) if name is not None else None
    if source is None or name is None or line > len(source.lines):
        return None
    start = source.position(line, column)
    word = source.word(start)
    for item in ranges:
        if item.path == path and (item.line, item.column) == (line, column):
            end = source.position(item.end_line, item.end_column)
            if end > word.end and end.line == start.line:
                word = Range(start, end)
    return Location(name, word)


def follows_text(tree: SourceTree, path: str, line: int) -> bool:
    """Whether it stands in what is compiled behind a file's own text."""
    name = tree.real(path) if path else None
    source = tree.files.get(name) if name is not None else None
    return source is not None and line > len(source.lines)


def name_range(tree: SourceTree, place: Location, name: str) -> Range:
    """The range of a name on the line of a place: the place's own where it does not stand there."""
    line = tree.files[place.path].lines[place.range.start.line]
    start = line.find(name, place.range.start.column)
    if start < 0:
        return place.range
    return Range(Position(place.range.start.line, start), Position(place.range.start.line, start + len(name)))
