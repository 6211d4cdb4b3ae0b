"""What a verification comes to, in one word and in one line."""

from __future__ import annotations

from kernelgen_ls.kernel.verdict import Verdict, VerdictOutcome
from kernelgen_ls.runner.execution.sandbox import PROTECTIONS
from kernelgen_ls.runner.jobs.messages import CaseResult, Outcome, VerifyResult

_LONGEST_NAME = 80
_MOST_MISMATCHES = 6
_BY = {"twin": "on the twin", "cann": "on the device", "replay": "in the record"}


def verdict(result: VerifyResult) -> Verdict:
    """The verdict that a result comes to."""
    return Verdict(
        _outcome(result),
        result.toolchain.name,
        len(result.cases),
        result.message,
        tuple(word for word in PROTECTIONS if result.isolation is not None and word not in result.isolation),
        result.origin,
        verdict_words(result),
    )


def not_executed(reason: str) -> Verdict:
    """The verdict on a kernel that nobody was asked to run, for a reason."""
    return Verdict(VerdictOutcome.NOT_EXECUTED, message=reason, words=f"not executed: {reason}")


def _outcome(result: VerifyResult) -> VerdictOutcome:
    known = {
        Outcome.PASSED: VerdictOutcome.RIGHT,
        Outcome.NOT_EXECUTED: VerdictOutcome.NOT_EXECUTED,
    }
    other = VerdictOutcome.WRONG if result.outcome.is_verdict else VerdictOutcome.FAILED
    return known.get(result.outcome, other)


def mismatches(result: VerifyResult) -> tuple[str, ...]:
    """What is wrong with a kernel that was run, a line each: the first wrong cases, what they have in common."""
    if _outcome(result) is not VerdictOutcome.WRONG:
        return ()
    bad = [case for case in result.cases if case.outcome is not Outcome.PASSED]
    lines = [f"case {case_name(case)}: {case.message or case.outcome.value}" for case in bad[:_MOST_MISMATCHES]]
    right = len(result.cases) - len(bad)
    counted = f"{len(bad)} of {len(result.cases)} cases are wrong, {right} are right" if bad else result.message
    return tuple(filter(None, (*lines, counted, result.in_common)))


def case_name(case: CaseResult) -> str:
    """What a case is called, in one line that leaves room for more: its name comes from a program of the user's."""
    name = " ".join(case.name.split())
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}..."


def verdict_words(result: VerifyResult) -> str:
    """The verdict in a line: ``right on the twin: 5 cases``, ``wrong on the twin: case odd tail, y[3] is ...``."""
    by = _BY.get(result.toolchain.name, f"by {result.toolchain.name}" if result.toolchain.name else "")
    by = f" {by}" if by and result.cases else ""
    match _outcome(result):
        case VerdictOutcome.RIGHT:
            count = f"{len(result.cases)} case{'s' if len(result.cases) != 1 else ''}"
            count += f" in {result.types} types" if result.types > 1 else ""
            made = f" made from {result.origin}" if result.origin else ""
            return f"right{by}: {count}{made}{f' ({result.message})' if result.message else ''}"
        case VerdictOutcome.WRONG:
            bad = next((one for one in result.cases if one.outcome is result.outcome), None)
            return f"wrong{by}: {f'case {case_name(bad)}, ' if bad else ''}{result.message or result.outcome.value}"
        case VerdictOutcome.NOT_EXECUTED:
            return result.message or "not executed"
        case VerdictOutcome.FAILED:
            return f"no verdict: {result.message or result.outcome.value}"
