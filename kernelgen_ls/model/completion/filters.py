"""Which of a model's texts are fit to be shown; the rest would only disturb."""

from __future__ import annotations

import re
from enum import Enum

from kernelgen_ls.model.completion.document import Cursor
from kernelgen_ls.model.completion.stopping import TAB_COLUMNS, Stopper, indent_columns
from kernelgen_ls.model.messages import StopRules
from kernelgen_ls.model.prompts import frame

_FRAME = "|".join(map(re.escape, (frame.THINK, frame.THINK_END, frame.TAG, frame.TAG_END, frame.FENCE)))
_SPECIAL = re.compile(rf"{_FRAME}|<\|[a-z_]{{2,24}}\|>|<\uff5c[^<>\n]{{2,24}}\uff5c>|\ufffd")
_MOST_LEVELS_DEEPER = 2
_LEVEL_COLUMNS = 4
_REPEATED_LINES = 3
_STUTTER = re.compile(r"(?P<word>[^\n,; ]{2,24}?)(?P=word){3,}|(?P<item>[^\n]{2,24}?)(?P=item){11,}")
"""The same piece four times in a row, or twelve times where it is an item of a list."""


class Rejection(str, Enum):
    """Why a text is not shown."""

    EMPTY = "empty"
    SPECIAL = "special token"
    REPEATS_FOLLOWING = "repeats what follows"
    REPEATS_PRECEDING = "repeats what precedes"
    STUTTERS = "repeats itself"
    INDENTATION = "wrong indentation"


def fitted(text: str, rules: StopRules) -> str:
    """The text cut to today's surroundings: a cached one may have been made before a bracket was closed behind it."""
    stopper = Stopper(rules)
    stopper.feed(text)
    return stopper.text


def rejection(text: str, cursor: Cursor) -> Rejection | None:
    """Why ``text`` must not be shown at the cursor; None when it may."""
    if not text.strip():
        return Rejection.EMPTY
    if _SPECIAL.search(text):
        return Rejection.SPECIAL
    if _repeats_following(text, cursor):
        return Rejection.REPEATS_FOLLOWING
    if _repeats_preceding(text, cursor):
        return Rejection.REPEATS_PRECEDING
    if _stutters(text):
        return Rejection.STUTTERS
    if _badly_indented(text, cursor):
        return Rejection.INDENTATION
    return None


def _stutters(text: str) -> bool:
    """A model caught in a loop within a line (``InirnInirnInirnInirn``); a list of equal dtypes or a ruler is none.

    A long text is looked at from its end, where a loop goes on.
    """
    return any(re.search("[A-Za-z]{2}", found["word"] or found["item"]) for found in _STUTTER.finditer(text[-600:]))


def _repeats_following(text: str, cursor: Cursor) -> bool:
    rest = cursor.line_rest.strip()
    if rest and text.strip() == rest:
        return True
    shown = _code_lines(cursor.line_prefix + text)
    below = _code_lines(cursor.below)[: len(shown)]
    whole_lines = not cursor.line_prefix.strip() or len(shown) > 1
    return bool(below) and whole_lines and any(len(line) > 1 for line in shown) and shown == below


def _repeats_preceding(text: str, cursor: Cursor) -> bool:
    """A model caught in a loop writes the lines above once more."""
    if cursor.line_prefix.strip():
        return False
    shown = _code_lines(text)
    above = _code_lines(cursor.before[-4_000:])
    if len(shown) >= _REPEATED_LINES and len(set(shown)) == 1:
        return True
    return shown == above[-len(shown) :] and any(len(line) > 1 for line in shown)


def _badly_indented(text: str, cursor: Cursor) -> bool:
    lines = text.split("\n")
    indented = [line for line in lines[1:] if line[:1].isspace() and line.strip()]
    uses_tabs = re.search(r"^\t", cursor.before + cursor.after, re.MULTILINE) is not None
    uses_spaces = re.search(r"^ {2}", cursor.before + cursor.after, re.MULTILINE) is not None
    if uses_spaces and not uses_tabs and any(line.startswith("\t") for line in indented):
        return True
    if cursor.line_prefix.strip() or not lines[0].strip():
        return False
    above = next((line for line in reversed(cursor.before.split("\n")[:-1]) if line.strip()), "")
    columns = indent_columns(cursor.line_prefix + lines[0])
    return columns > indent_columns(above) + _MOST_LEVELS_DEEPER * max(TAB_COLUMNS, _LEVEL_COLUMNS)


def _code_lines(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if line.strip()]
