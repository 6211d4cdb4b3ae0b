"""kernel/alloc-without-free: a queue's tensors are allocated again and again, and none is ever freed.

A queue has as many buffers as its ``InitBuffer`` gave it; the allocation after the last waits for ever. A tensor
that is allocated once and kept is left alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from kernelgen_ls.kernel.findings import Severity
from kernelgen_ls.kernel.lints.calls import calls_of
from kernelgen_ls.kernel.lints.context import Lint, LintContext, Report
from kernelgen_ls.kernel.lints.queues import queue_uses


def _check(context: LintContext) -> Iterator[Report]:
    calls = calls_of(context)
    for use in queue_uses(context):
        if use.frees:
            continue
        again = [call for call in calls.sure(use.allocs) if calls.runs_again(call)]
        if again:
            yield Report(
                again[0].span,
                f"each turn allocates a tensor of '{use.queue.name}' and no FreeTensor gives one back: when its "
                "buffers are used up, this waits for ever",
                related=((use.queue.name_span, f"'{use.queue.name}' is declared here"),),
            )


LINT = Lint("kernel/alloc-without-free", Severity.WARNING, "a queue's tensors are never freed", _check)
