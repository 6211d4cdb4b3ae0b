"""kernel/deque-without-enque: a queue is waited on that nothing is put into, so the kernel hangs there."""

from __future__ import annotations

from collections.abc import Iterator

from kernelgen_ls.kernel.findings import Severity
from kernelgen_ls.kernel.lints.context import Lint, LintContext, Report
from kernelgen_ls.kernel.lints.queues import queue_uses


def _check(context: LintContext) -> Iterator[Report]:
    for use in queue_uses(context):
        if use.deques and not use.enques:
            yield Report(
                use.deques[0].span,
                f"DeQue waits for a tensor in '{use.queue.name}', and no EnQue puts one there",
                related=((use.queue.name_span, f"'{use.queue.name}' is declared here"),),
            )


LINT = Lint("kernel/deque-without-enque", Severity.ERROR, "a queue is waited on and never filled", _check)
