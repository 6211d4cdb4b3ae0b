"""What a verification comes to, in one word and in one line."""

from __future__ import annotations

from enum import Enum

from attrs import frozen

from kernelgen_ls.runner.execution.sandbox import PROTECTIONS
from kernelgen_ls.runner.jobs.messages import CaseResult, Outcome, VerifyResult

_LONGEST_NAME = 80
_BY = {"twin": "on the twin", "cann": "on the device", "replay": "in the record"}


class VerdictOutcome(str, Enum):
    """A verification in one word."""

    RIGHT = "right"
    """Every case gives its golden outputs, and no error was found on the way."""
    WRONG = "wrong"
    DIFFERS = "differs"
    """The outputs are not those of a formula that leaves something open, as it was read: no word on the kernel."""
    NOT_EXECUTED = "not_executed"
    """Whoever was to run it lacks something, or there are no cases: no word on the kernel."""
    FAILED = "failed"
    """Nobody could say: the time was up, or something of ours or of the cases file failed."""


@frozen
class Verdict:
    """The verdict as ``--json`` gives it: ``by`` is the tool chain that answered, ``cases`` how many were run.

    ``not_isolated`` names what the runs shared with this machine although they should not have, ``made_from`` what the
    cases were made from where nobody wrote any.
    """

    outcome: VerdictOutcome
    by: str
    cases: int
    message: str
    not_isolated: tuple[str, ...] = ()
    made_from: str = ""


def verdict(result: VerifyResult) -> Verdict:
    """The verdict that a result comes to."""
    known = {
        Outcome.PASSED: VerdictOutcome.RIGHT,
        Outcome.DIFFERS: VerdictOutcome.DIFFERS,
        Outcome.NOT_EXECUTED: VerdictOutcome.NOT_EXECUTED,
    }
    other = VerdictOutcome.WRONG if result.outcome.is_verdict else VerdictOutcome.FAILED
    shared = tuple(word for word in PROTECTIONS if result.isolation is not None and word not in result.isolation)
    outcome = known.get(result.outcome, other)
    return Verdict(outcome, result.toolchain.name, len(result.cases), result.message, shared, result.origin)


def case_name(case: CaseResult) -> str:
    """What a case is called, in one line that leaves room for more: its name comes from a program of the user's."""
    name = " ".join(case.name.split())
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}..."


def verdict_words(result: VerifyResult) -> str:
    """The verdict in a line: ``right on the twin: 5 cases``, ``wrong on the twin: case odd tail, y[3] is ...``."""
    by = _BY.get(result.toolchain.name, f"by {result.toolchain.name}" if result.toolchain.name else "")
    by = f" {by}" if by and result.cases else ""
    match verdict(result).outcome:
        case VerdictOutcome.RIGHT:
            count = f"{len(result.cases)} case{'s' if len(result.cases) != 1 else ''}"
            made = f" made from {result.origin}" if result.origin else ""
            return f"right{by}: {count}{made}{f' ({result.message})' if result.message else ''}"
        case VerdictOutcome.WRONG:
            bad = next((one for one in result.cases if one.outcome is result.outcome), None)
            return f"wrong{by}: {f'case {case_name(bad)}, ' if bad else ''}{result.message or result.outcome.value}"
        case VerdictOutcome.DIFFERS:
            bad = next((one for one in result.cases if one.outcome is result.outcome), None)
            return f"no verdict{by}: {f'case {case_name(bad)} ' if bad else ''}{result.message}"
        case VerdictOutcome.NOT_EXECUTED:
            return result.message or "not executed"
        case VerdictOutcome.FAILED:
            return f"no verdict: {result.message or result.outcome.value}"
