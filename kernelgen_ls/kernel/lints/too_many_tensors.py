"""kernel/too-many-tensors: more tensors of a queue are out at once than it has buffers, or than its position allows.

The allocation that is one too many waits for a tensor that nobody gives back: the kernel hangs there.
"""

from __future__ import annotations

from collections.abc import Iterator

from kernelgen_ls.kernel.findings import Severity
from kernelgen_ls.kernel.lints.context import Lint, LintContext, Report
from kernelgen_ls.kernel.lints.queue_flow import MOST_OF_A_POSITION, Problem, queue_problems
from kernelgen_ls.kernel.lints.queues import QueueUse, queue_uses


def _check(context: LintContext) -> Iterator[Report]:
    uses = {use.key: use for use in queue_uses(context)}
    for problem in queue_problems(context):
        use = uses[problem.queue]
        message = _message(problem, use)
        # A queue that a whole kind of call is missing for is said by the lint of that.
        if message and use.frees and bool(use.enques) is bool(use.deques):
            yield Report(
                problem.call.span, message, related=tuple((one.span, "its buffers come from here") for one in use.inits)
            )


def _message(problem: Problem, use: QueueUse) -> str:
    name, number = use.queue.name, problem.number
    buffers = f"{number} buffer{'s' if number != 1 else ''}"
    if problem.kind == "overdrawn":
        return f"'{name}' has {buffers}, and all of them are out here: this waits for ever"
    if problem.kind == "grows":
        return (
            f"each turn of the loop keeps a tensor of '{name}': when its {buffers} "
            f"{'are' if number != 1 else 'is'} used up, this waits for ever"
        )
    if problem.kind == "position":
        return (
            f"{number} tensors of {use.queue.position} queues are out here, and a position allows {MOST_OF_A_POSITION} "
            "at the same time: free or enqueue others first, or let queues share"
        )
    return ""


LINT = Lint("kernel/too-many-tensors", Severity.ERROR, "more tensors are out than there are buffers", _check)
