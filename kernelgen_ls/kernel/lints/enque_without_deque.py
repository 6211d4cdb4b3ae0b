"""kernel/enque-without-deque: tensors are put into a queue that nothing takes them from.

Nothing waits for what the queue was to order, and once its buffers are used up the next ``AllocTensor`` waits for
ever.
"""

from __future__ import annotations

from collections.abc import Iterator

from kernelgen_ls.kernel.findings import Severity
from kernelgen_ls.kernel.lints.calls import calls_of
from kernelgen_ls.kernel.lints.context import Lint, LintContext, Report
from kernelgen_ls.kernel.lints.queues import queue_uses


def _check(context: LintContext) -> Iterator[Report]:
    for use in queue_uses(context):
        sure = calls_of(context).sure(use.enques)
        if sure and not use.deques:
            yield Report(
                sure[0].span,
                f"'{use.queue.name}' is given tensors by EnQue, and no DeQue takes one: what uses the data does not "
                "wait for it",
                related=((use.queue.name_span, f"'{use.queue.name}' is declared here"),),
            )


LINT = Lint("kernel/enque-without-deque", Severity.WARNING, "a queue is filled and never emptied", _check)
