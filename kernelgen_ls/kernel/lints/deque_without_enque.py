"""kernel/deque-without-enque: a queue is waited on that nothing was put into, so the kernel hangs there.

Nothing in the whole program, or nothing that an earlier ``DeQue`` has not taken out again.
"""

from __future__ import annotations

from collections.abc import Iterator

from kernelgen_ls.kernel.findings import Severity
from kernelgen_ls.kernel.lints.calls import calls_of
from kernelgen_ls.kernel.lints.context import Lint, LintContext, Report
from kernelgen_ls.kernel.lints.queue_flow import queue_problems
from kernelgen_ls.kernel.lints.queues import queue_uses


def _check(context: LintContext) -> Iterator[Report]:
    for use in queue_uses(context):
        sure = calls_of(context).sure(use.deques)
        if sure and not use.enques:
            yield Report(
                sure[0].span,
                f"DeQue waits for a tensor in '{use.queue.name}', and no EnQue puts one there",
                related=((use.queue.name_span, f"'{use.queue.name}' is declared here"),),
            )
    uses = {use.key: use for use in queue_uses(context)}
    for problem in queue_problems(context):
        use = uses[problem.queue]
        if problem.kind == "hang" and use.enques:
            yield Report(
                problem.call.span,
                f"'{use.queue.name}' is empty here: DeQue waits for a tensor, and each one that EnQue put there has "
                "been taken",
                related=tuple((call.span, "a tensor is put there here") for call in use.enques),
            )


LINT = Lint("kernel/deque-without-enque", Severity.ERROR, "a queue is waited on and never filled", _check)
