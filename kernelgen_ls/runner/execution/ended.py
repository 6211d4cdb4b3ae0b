"""How a job ends before it has its answer: with an outcome and one line, or with the errors of whoever compiled it."""

from __future__ import annotations

from kernelgen_ls.kernel.chips import Chip, chip_named
from kernelgen_ls.kernel.findings import Finding
from kernelgen_ls.runner.jobs.messages import Outcome


class EndedError(Exception):
    """The job is over early, with an outcome and one line."""

    def __init__(self, outcome: Outcome, message: str) -> None:
        super().__init__(message)
        self.outcome = outcome
        self.message = message


class NotCompiledError(EndedError):
    """The code does not compile; ``findings`` say where."""

    def __init__(self, findings: tuple[Finding, ...], message: str = "the kernel does not compile") -> None:
        super().__init__(Outcome.COMPILE_ERROR, message)
        self.findings = findings


def known_chip(name: str, whose: str = "") -> Chip:
    """The chip called ``name``. Raises :class:`EndedError`, an INFRA_ERROR with the known names, where there is none.

    ``whose`` goes before the message where it is not the request that named it.
    """
    try:
        return chip_named(name)
    except ValueError as problem:
        raise EndedError(Outcome.INFRA_ERROR, f"{whose}{problem}") from problem
