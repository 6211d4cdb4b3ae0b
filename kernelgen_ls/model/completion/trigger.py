"""When ghost text may be asked for at all, and whether it may run over several lines."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from attrs import frozen

from kernelgen_ls.kernel.findings import Position
from kernelgen_ls.model.completion.document import Cursor


class Change(str, Enum):
    """What the last edit of a document did to the text before the cursor."""

    NONE = "none"
    INSERTED = "inserted"
    DELETED = "deleted"


@frozen
class Decision:
    """Whether to ask the model; ``reason`` says why not."""

    ask: bool
    reason: str = ""


def decide(cursor: Cursor, change: Change, *, manual: bool) -> Decision:
    """The policy for one cursor. A manual request is always answered."""
    if manual:
        return Decision(True)
    if change is Change.DELETED:
        return Decision(False, "text was deleted: the user is correcting, not continuing")
    if cursor.line_rest[:1].isalnum() or cursor.line_rest[:1] == "_":
        return Decision(False, "the cursor stands inside a word")
    if not cursor.before.strip() and not cursor.after.strip():
        return Decision(False, "the document is empty")
    return Decision(True)


def last_change(before: str, after: str) -> Change:
    """What happened between two versions of a document's text."""
    if len(after) < len(before):
        return Change.DELETED
    return Change.NONE if after == before else Change.INSERTED


def wants_lines(cursor: Cursor, *, manual: bool) -> bool:
    """Whether several lines are welcome: on a line of its own, after an opened block, or on request.

    In the middle of a statement only the rest of the line is: it is what the user is looking at, and on a machine
    where a token takes long it comes soonest.
    """
    if cursor.line_rest.strip():
        return False
    prefix = cursor.line_prefix.strip()
    return manual or not prefix or prefix.endswith(("{", "}", ";", ":", "*/")) or prefix.startswith("//")


def edit_end(before: str, after: str) -> Position:
    """Where an edit ended in ``after``, i.e. where the cursor most likely stands now.

    Found by halving, with whole-slice comparisons: a file of a megabyte costs well under a millisecond.
    """
    longest = min(len(before), len(after))
    same_start = _bisect(longest, lambda count: before[:count] == after[:count])
    rest = longest - same_start
    same_end = _bisect(rest, lambda count: before[len(before) - count :] == after[len(after) - count :])
    head = after[: len(after) - same_end]
    return Position(head.count("\n"), len(head) - head.rfind("\n") - 1)


def _bisect(longest: int, same: Callable[[int], bool]) -> int:
    """The largest count up to ``longest`` for which ``same`` holds, given that it holds for all smaller ones."""
    low, high = 0, longest
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if same(middle) else (low, middle - 1)
    return low
