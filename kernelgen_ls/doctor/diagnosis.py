"""One line of the doctor's report."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from enum import Enum

from attrs import frozen

from kernelgen_ls.settings import Settings


class Verdict(str, Enum):
    """How a check came out."""

    GOOD = "good"
    NOTE = "note"
    """Nothing is wrong, but something more is possible."""
    BAD = "bad"
    """A feature does not work; the advice says what to do."""


@frozen
class Diagnosis:
    """What one check found: ``message`` is one line, ``advice`` what to do (empty where nothing is)."""

    name: str
    verdict: Verdict
    message: str
    advice: str = ""


Examination = Callable[[Settings], Awaitable[tuple[Diagnosis, ...]]]
