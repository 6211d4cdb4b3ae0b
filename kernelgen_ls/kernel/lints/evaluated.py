"""Findings that a C++ front end makes for our rules: it evaluates the arguments of a call, in every instantiation.

Our declarations state the conditions (``ASC_LINT``); a front end points at the end of the call. Here each finding moves
to its call, and those go that are not of code that runs: an arm that a constant, or a template's parameter, leaves out
is evaluated all the same where the ``if`` is no ``if constexpr``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import evolve

from kernelgen_ls.kernel.findings import Finding
from kernelgen_ls.kernel.lints import mask_range
from kernelgen_ls.kernel.lints.calls import calls_of
from kernelgen_ls.kernel.lints.context import LintContext


def placed(context: LintContext, findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the findings that hold, each at the call that it is about."""
    program = context.source
    for finding in findings:
        offset = program.offset(finding.location)
        if offset is None or context.is_discarded(offset) or calls_of(context).is_weighed(offset):
            continue
        if finding.code == mask_range.LINT.code and mask_range.counts_elements(context):
            continue
        call = context.call_around(offset)
        yield finding if call is None else evolve(finding, location=program.location(call.span))
