"""How a command that could not do what was asked ends."""

from __future__ import annotations

import click


class NoAnswerError(click.ClickException):
    """Nothing could be said about the user's code: exit status 2, where 1 is a verdict."""

    exit_code = 2
