"""Which lines of a text are read as prose: those that somebody wrote as one."""

from __future__ import annotations

LONGEST_LINE = 4_000
"""Nobody writes a longer one, and no text may keep an editor waiting: characters."""


def readable(text: str) -> str:
    """The text with an empty line in the place of every one that is too long to be read."""
    if len(text) <= LONGEST_LINE:
        return text
    return "\n".join(line if len(line) <= LONGEST_LINE else "" for line in text.split("\n"))
