"""The edits that turn one text into another, by whole lines: an editor keeps cursor, folds and marks elsewhere."""

from __future__ import annotations

from difflib import SequenceMatcher

from kernelgen_ls.kernel.findings import Position, Range, TextEdit

MOST_LINES = 4_000
"""Beyond this a comparison takes too long to be worth it: the whole text is replaced."""


def edits(path: str, old: str, new: str) -> tuple[TextEdit, ...]:
    """Edits of ``old`` (positions in code points) that give ``new``; none when they are equal."""
    if old == new:
        return ()
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    if len(before) > MOST_LINES or len(after) > MOST_LINES or _odd_lines(old) or _odd_lines(new):
        return (TextEdit(path, Range(Position(0, 0), _end(old)), new),)
    found = []
    for tag, start, end, new_start, new_end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag != "equal":
            span = Range(_line(before, start, old), _line(before, end, old))
            found.append(TextEdit(path, span, "".join(after[new_start:new_end])))
    return tuple(found)


def _line(lines: list[str], number: int, text: str) -> Position:
    return Position(number, 0) if number < len(lines) else _end(text)


def _end(text: str) -> Position:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return Position(len(lines) - 1, len(lines[-1]))


def _odd_lines(text: str) -> bool:
    """Whether Python would end a line where the protocol does not."""
    return any(character in text for character in "\v\f\x1c\x1d\x1e\x85\u2028\u2029")
