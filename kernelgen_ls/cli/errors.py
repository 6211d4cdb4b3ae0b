"""How a command ends: one table of exit statuses for people and for CI."""

from __future__ import annotations

from enum import IntEnum

import click


class ExitStatus(IntEnum):
    """What a command's exit status says; every command ends with one of these (``docs/exit-statuses.md``)."""

    DONE = 0
    """The command did what was asked; nothing is wrong with what it looked at."""
    WRONG = 1
    """A verdict: the code has errors, a kernel computes wrongly, something does not work on this machine."""
    NO_ANSWER = 2
    """Nothing could be said: a wrong command line, no model, no runner, a file that cannot be read or written."""
    INTERRUPTED = 130
    """The user stopped it: as shells say it."""


class NoAnswerError(click.ClickException):
    """Nothing could be said; the text says why and what to do."""

    exit_code = ExitStatus.NO_ANSWER
