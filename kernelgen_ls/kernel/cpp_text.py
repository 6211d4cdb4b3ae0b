"""C++ text read without a grammar: matching brackets and the parts between commas.

For texts that no grammar reads well: builder chains and macros of the host side, half-typed calls. Offsets are indices
of the text; the texts are free of comments (``blank.strip_comments``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_BRACKET = re.compile(r'"(?:\\.|[^"\\\n])*"|[()\[\]{}]')


def close(text: str, opened: int) -> int:
    """Return the offset after the bracket that closes the one at ``opened``; the end of the text where none does."""
    depth = 0
    for match in _BRACKET.finditer(text, opened):
        symbol = match.group()
        if symbol in "([{":
            depth += 1
        elif symbol in ")]}":
            depth -= 1
            if depth == 0:
                return match.end()
    return len(text)


def balanced(text: str, opened: int) -> str:
    """Return what stands between the bracket at ``opened`` and the one that closes it."""
    end = close(text, opened)
    return text[opened + 1 : end - 1 if text[end - 1] in ")]}" else end]


def arguments(text: str, opened: int) -> tuple[str, ...]:
    """Return the arguments of the call whose bracket is at ``opened``, stripped."""
    return tuple(split(balanced(text, opened)))


def split(text: str) -> Iterator[str]:
    """Yield the parts of ``text`` between commas outside brackets and strings, stripped; nothing for an empty text."""
    depth = 0
    start = 0
    for match in re.finditer(r'"(?:\\.|[^"\\\n])*"|[()\[\]{},]', text):
        symbol = match.group()
        if symbol in "([{":
            depth += 1
        elif symbol in ")]}":
            depth -= 1
        elif symbol == "," and depth == 0:
            yield text[start : match.start()].strip()
            start = match.end()
    last = text[start:].strip()
    if last:
        yield last


def unquoted(text: str) -> str:
    """Return ``text`` without the double quotes around it."""
    return text.strip().strip('"')
