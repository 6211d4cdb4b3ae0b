"""Fixes of several findings as one."""

from __future__ import annotations

from collections.abc import Iterable

from kernelgen_ls.kernel.findings import Finding, Fix, TextEdit


def safe_fixes(findings: Iterable[Finding]) -> Fix | None:
    """The first fix of every finding as one where it is safe; one that overlaps an earlier one is left out.

    None when nothing is left.
    """
    edits: list[TextEdit] = []
    for finding in findings:
        for fix in finding.fixes[:1]:
            if fix.safe and not any(_collide(new, old) for new in fix.edits for old in edits):
                edits += fix.edits
    return Fix("Apply every safe fix", tuple(edits), safe=True) if edits else None


def _collide(left: TextEdit, right: TextEdit) -> bool:
    if left.path != right.path:
        return False
    if left.range == right.range:
        return True
    return left.range.start < right.range.end and right.range.start < left.range.end
