"""A verification as people and programs read it."""

from __future__ import annotations

from typing import Any

from kernelgen_ls.kernel.findings import Finding, Severity
from kernelgen_ls.rpc.wire import to_wire
from kernelgen_ls.runner.jobs.messages import Outcome, VerifyResult

_WORDS = {Outcome.PASSED: "right", Outcome.NOT_EXECUTED: "not_executed"}
_BY = {"twin": "on the twin", "cann": "on the device", "replay": "in the record"}


def verdict(result: VerifyResult) -> str:
    """One word: ``right``, ``wrong``, ``not_executed``, or ``failed`` where nobody could say."""
    return _WORDS.get(result.outcome) or ("wrong" if result.outcome.is_verdict else "failed")


def verification_json(result: VerifyResult) -> dict[str, Any]:
    """The result as plain values for ``--json``, with the verdict in one place."""
    plain = to_wire(result)
    assert isinstance(plain, dict)
    said = {
        "outcome": verdict(result),
        "by": result.toolchain.name,
        "cases": len(result.cases),
        "message": result.message,
    }
    return {"verdict": said, **plain}


def verification_lines(result: VerifyResult, kernel: str) -> list[str]:
    """Findings, cases, and the verdict as the last line. What the compiler's own flags mend comes where it matters."""
    lines = [_finding(finding) for finding in result.findings if finding.severity is not Severity.INFORMATION]
    lines += [f"{case.name}: {case.outcome.value}{_after(case.message)}" for case in result.cases]
    mended = sum(finding.severity is Severity.INFORMATION for finding in result.findings)
    if mended:
        lines.append(f"{mended} more places hold only because of what compilers insert (--json lists them)")
    by = _BY.get(result.toolchain.name, f"by {result.toolchain.name}" if result.toolchain.name else "")
    words = verdict(result).replace("_", " ")
    return [*lines, f"{kernel}: {words}{' ' + by if by and result.cases else ''}{_after(result.message)}"]


def _after(message: str) -> str:
    return f": {message}" if message else ""


def _finding(finding: Finding) -> str:
    at = finding.location
    place = f"{at.path}:{at.range.start.line + 1}:{at.range.start.column + 1}"
    related = "".join(
        f"\n  {one.location.path}:{one.location.range.start.line + 1}: {one.message}" for one in finding.related
    )
    code = f" [{finding.code}]" if finding.code else ""
    return f"{place}: {finding.severity.value}: {finding.message}{code}{related}"
