"""A verdict on a kernel that was run on its cases, as every part of the program and ``--json`` speak of it."""

from __future__ import annotations

from enum import Enum

from attrs import frozen


class VerdictOutcome(str, Enum):
    """A verification in one word."""

    RIGHT = "right"
    """Every case gives its golden outputs, and no error was found on the way."""
    WRONG = "wrong"
    NOT_EXECUTED = "not_executed"
    """Whoever was to run it lacks something, or there are no cases: no word on the kernel."""
    FAILED = "failed"
    """Nobody could say: the time was up, or something of ours or of the cases file failed."""


@frozen
class Verdict:
    """The verdict as ``--json`` gives it: ``by`` is the tool chain that answered, ``cases`` how many were run.

    ``not_isolated`` names what the runs shared with this machine although they should not have, ``made_from`` what the
    cases were made from where nobody wrote any. ``words`` is the verdict in the line that people are shown.
    """

    outcome: VerdictOutcome
    by: str = ""
    cases: int = 0
    message: str = ""
    not_isolated: tuple[str, ...] = ()
    made_from: str = ""
    words: str = ""

    @property
    def brief(self) -> str:
        """The words without what the cases of a right kernel were made from."""
        if self.outcome is not VerdictOutcome.RIGHT:
            return self.words
        return self.words.partition(" made from ")[0].partition(" (")[0]
