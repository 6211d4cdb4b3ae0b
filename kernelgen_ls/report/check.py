"""How ``kernelgen-ls check`` prints what it found: for people, as JSON, as SARIF 2.1.0."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import frozen

from kernelgen_ls import __version__
from kernelgen_ls.kernel.findings import Finding, FoundBy, Range, Severity
from kernelgen_ls.rpc.wire import to_wire
from kernelgen_ls.runner.jobs.messages import CheckResult, Coverage

_SARIF_LEVELS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "note",
    Severity.HINT: "note",
}
_SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


@frozen
class Checked:
    """One file's answer. ``folder`` goes before a finding's path to name it as the user would."""

    shown: str
    folder: str
    result: CheckResult
    because: str = ""
    """Why it was checked for that chip, where nobody named one."""

    def path(self, finding: Finding) -> str:
        """The file a finding is in, as the user would write it."""
        return f"{self.folder}/{finding.location.path}" if self.folder not in ("", ".") else finding.location.path


def answered(item: Checked) -> bool:
    """Whether a file was checked: neither did the check fail nor was the file refused."""
    return item.result.covered and item.result.outcome.is_verdict


def unique(checked: Iterable[Checked]) -> list[tuple[str, Finding]]:
    """Every finding once with its file's path: a header's findings come with each source that includes it."""
    found: dict[tuple[str, Range, str], tuple[str, Finding]] = {}
    for item in checked:
        for finding in item.result.findings:
            path = item.path(finding)
            found.setdefault((path, finding.location.range, finding.message), (path, finding))
    return sorted(found.values(), key=lambda pair: (pair[0], pair[1].location.range.start, pair[1].message))


def line(path: str, finding: Finding) -> str:
    """One finding as compilers print it: one-based line and column, severity, message, rule."""
    start = finding.location.range.start
    only = f" (only for {'; '.join(finding.only_for)})" if finding.only_for else ""
    code = f" [{finding.code}]" if finding.code else ""
    return f"{path}:{start.line + 1}:{start.column + 1}: {finding.severity.value}: {finding.message}{only}{code}"


def summary(checked: list[Checked]) -> str:
    """How many files and findings, in one line."""
    findings = [finding for _, finding in unique(checked)]
    counts = [
        f"{number} {name}{'s' if number != 1 else ''}"
        for severity, name in ((Severity.ERROR, "error"), (Severity.WARNING, "warning"))
        if (number := sum(finding.severity is severity for finding in findings))
    ]
    done = sum(answered(item) for item in checked)
    of = "" if done == len(checked) else f" of {len(checked)}"
    files = f"{done}{of} file{'s' if len(checked) != 1 else ''} checked"
    found = ", ".join(counts) or ("nothing wrong found" if done else "")
    looked = sum((item.result.coverage for item in checked), Coverage())
    part = "" if looked.is_whole else f" ({looked.looked_at:,} of {looked.lines:,} lines looked at)"
    return f"{files}: {found}{part}{_chips(checked)}" if found else files


def _chips(checked: Iterable[Checked]) -> str:
    """For which chips files were checked, and why where it is one reason."""
    chosen = {(item.result.toolchain.soc, item.because) for item in checked if answered(item)}
    named = ", ".join(sorted({soc for soc, _ in chosen if soc}))
    reasons = {because for _, because in chosen}
    why = f" ({reasons.pop()})" if len(reasons) == 1 and "" not in reasons else ""
    return f"; for {named}{why}" if named else ""


def as_json(checked: list[Checked]) -> dict[str, Any]:
    """The whole answer as plain data; positions are zero-based, columns in Unicode code points."""
    return {
        "version": 1,
        "files": [
            {
                "path": item.shown,
                "outcome": item.result.outcome.value,
                "message": item.result.message,
                "seconds": round(item.result.seconds, 4),
                "coverage": to_wire(item.result.coverage),
                "chip_because": item.because,
                "toolchain": to_wire(item.result.toolchain),
            }
            for item in checked
        ],
        "findings": [{**to_wire(finding), "path": path} for path, finding in unique(checked)],
    }


def as_sarif(checked: list[Checked]) -> dict[str, Any]:
    """The answer as a SARIF 2.1.0 log; a file that could not be checked is a tool notification."""
    found = unique(checked)
    rules = sorted({_rule(finding) for _, finding in found})
    failed = [item for item in checked if not answered(item)]
    return {
        "$schema": _SARIF_SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "kernelgen-ls",
                        "semanticVersion": __version__,
                        "rules": [{"id": rule, "shortDescription": {"text": rule}} for rule in rules],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "invocations": [
                    {
                        "executionSuccessful": not failed,
                        "toolExecutionNotifications": [
                            {
                                "level": "error",
                                "message": {
                                    "text": f"{item.shown}: {item.result.message or item.result.outcome.value}"
                                },
                            }
                            for item in failed
                        ],
                    }
                ],
                "results": [_sarif_result(path, finding, rules.index(_rule(finding))) for path, finding in found],
            }
        ],
    }


def _rule(finding: Finding) -> str:
    return finding.code or ("lint" if finding.source is FoundBy.LINT else "compile")


def _sarif_result(path: str, finding: Finding, rule_index: int) -> dict[str, Any]:
    message = finding.message
    if finding.only_for:
        message += f" (only for {'; '.join(finding.only_for)})"
    result: dict[str, Any] = {
        "ruleId": _rule(finding),
        "ruleIndex": rule_index,
        "level": _SARIF_LEVELS[finding.severity],
        "message": {"text": message},
        "locations": [_sarif_location(path, finding.location.range)],
    }
    if finding.related:
        result["relatedLocations"] = [
            {"id": index, **_sarif_location(item.location.path, item.location.range), "message": {"text": item.message}}
            for index, item in enumerate(finding.related)
        ]
    return result


def _sarif_location(path: str, span: Range) -> dict[str, Any]:
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": path.replace("\\", "/"), "uriBaseId": "%SRCROOT%"},
            "region": {
                "startLine": span.start.line + 1,
                "startColumn": span.start.column + 1,
                "endLine": span.end.line + 1,
                "endColumn": span.end.column + 1,
            },
        }
    }
