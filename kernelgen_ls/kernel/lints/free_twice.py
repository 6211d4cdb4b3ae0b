"""kernel/free-twice: a ``FreeTensor`` of a queue none of whose tensors is out.

The queue then counts a buffer as free that is in use, or sets an event that nobody waits for.
"""

from __future__ import annotations

from collections.abc import Iterator

from kernelgen_ls.kernel.findings import Severity
from kernelgen_ls.kernel.lints.context import Lint, LintContext, Report
from kernelgen_ls.kernel.lints.queue_flow import queue_problems
from kernelgen_ls.kernel.lints.queues import queue_uses


def _check(context: LintContext) -> Iterator[Report]:
    uses = {use.key: use for use in queue_uses(context)}
    for problem in queue_problems(context):
        use = uses[problem.queue]
        if problem.kind == "freed" and use.allocs:
            yield Report(
                problem.call.span,
                f"no tensor of '{use.queue.name}' is out here: each one that was allocated has been freed already",
                related=((use.queue.name_span, f"'{use.queue.name}' is declared here"),),
            )


LINT = Lint("kernel/free-twice", Severity.ERROR, "a tensor is given back that is not out", _check)
