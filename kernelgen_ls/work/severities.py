"""The severities that a user or a project gave to single rules (``check.lints``)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import evolve

from kernelgen_ls.kernel.findings import Finding, Severity
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
