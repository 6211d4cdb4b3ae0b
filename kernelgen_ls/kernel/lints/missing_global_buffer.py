"""kernel/missing-global-buffer: a ``GlobalTensor`` without ``SetGlobalBuffer``.

A warning, for pieces of kernels that only show a call are written so and compile.
"""

from __future__ import annotations

from collections.abc import Iterator

from kernelgen_ls.kernel.findings import Severity
from kernelgen_ls.kernel.lints.context import Lint, LintContext, Report
from kernelgen_ls.kernel.lints.missing_init import unset


def _check(context: LintContext) -> Iterator[Report]:
    yield from unset(context, "GlobalTensor", "SetGlobalBuffer points it anywhere")


LINT = Lint("kernel/missing-global-buffer", Severity.WARNING, "global memory is used that nothing points at", _check)
