"""The severities that a user or a project gave to single rules (``check.lints``), laid over what was found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import evolve

from kernelgen_ls.kernel.findings import Finding, Severity
from kernelgen_ls.runner.jobs.messages import CheckResult, Outcome
from kernelgen_ls.settings import LintSeverity


def with_severities(findings: Iterable[Finding], chosen: Mapping[str, LintSeverity]) -> tuple[Finding, ...]:
    """The findings in the chosen severities, without those that are off."""
    kept = []
    for finding in findings:
        severity = chosen.get(finding.code)
        if severity is LintSeverity.OFF:
            continue
        kept.append(evolve(finding, severity=Severity(severity.value)) if severity else finding)
    return tuple(kept)


def settled(result: CheckResult, chosen: Mapping[str, LintSeverity]) -> CheckResult:
    """A check's result as it counts for this user and project: findings and outcome in the chosen severities."""
    if not result.outcome.is_verdict:
        return result
    findings = with_severities(result.findings, chosen)
    wrong = any(finding.severity is Severity.ERROR for finding in findings)
    return evolve(result, findings=findings, outcome=Outcome.COMPILE_ERROR if wrong else Outcome.PASSED)
