"""Two answers about one file as one: the embedded checker's, which is always at hand, and a runner's compiler's."""

from __future__ import annotations

from attrs import evolve

from kernelgen_ls.kernel.findings import FoundBy, Severity
from kernelgen_ls.runner.jobs.messages import CheckResult, Outcome


def combined(embedded: CheckResult, compiled: CheckResult) -> CheckResult:
    """The compiler's findings and the embedded checker's lints; the embedded answer where the compiler gave none.

    ``compiled`` is a verdict: what a failed or ended job means is for the caller to say.
    """
    if not compiled.covered:
        return embedded
    lints = tuple(finding for finding in embedded.findings if finding.source is FoundBy.LINT)
    wrong = any(finding.severity is Severity.ERROR for finding in lints)
    outcome = Outcome.COMPILE_ERROR if wrong and compiled.outcome is Outcome.PASSED else compiled.outcome
    return evolve(compiled, outcome=outcome, findings=compiled.findings + lints)
