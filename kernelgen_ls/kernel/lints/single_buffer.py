"""kernel/single-buffer: a queue with one buffer, in a loop whose copies could overlap with computing.

With two buffers the next tile is copied while this one is computed. It costs the queue's bytes a second time: where
the sizes are constant and would not fit, nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kernelgen_ls.kernel.findings import Severity
from kernelgen_ls.kernel.lints.calls import calls_of
from kernelgen_ls.kernel.lints.context import Lint, LintContext, Repair, Replacement, Report
from kernelgen_ls.kernel.lints.queues import queue_uses
from kernelgen_ls.kernel.lints.ub_budget import allocated_bytes
from kernelgen_ls.kernel.structure import Call, Span, Variable

_WAITS = frozenset({"SyncAll", "WaitFlag", "wait_flag", "WaitEvent"})


def _check(context: LintContext) -> Iterator[Report]:
    if _waits_for_all(context):
        return
    constant = sum(allocated_bytes(context, call) or 0 for call in context.structure.calls_of("InitBuffer"))
    for use in queue_uses(context):
        if use.queue.position not in ("VECIN", "VECOUT") or len(use.inits) != 1 or not (use.enques and use.deques):
            continue
        call = use.inits[0]
        if len(call.arguments) != 3 or context.value(call.arguments[1].text, call.span.start) != 1:
            continue
        if constant + (allocated_bytes(context, call) or 0) > context.chip.ub_bytes:
            continue
        # Alloc and DeQue in different functions of one loop: one stage can run ahead of the other.
        if not _is_copied(context, use.queue) or not _is_pipelined(context, use.allocs, use.deques):
            continue
        yield Report(
            call.arguments[1].span,
            f"'{use.queue.name}' has one buffer, so copying and computing take turns; with 2 they overlap, if UB has "
            "room for twice its bytes",
            repairs=_doubled(context, call),
        )


def _waits_for_all(context: LintContext) -> bool:
    """Return whether a loop waits by hand, for every unit or by flags: a second buffer would not change that."""
    for call in context.structure.calls:
        if call.name not in _WAITS and call.name not in ("PipeBarrier", "pipe_barrier"):
            continue
        words = (*call.template_arguments, *(item.text for item in call.arguments))
        if (call.name in _WAITS or "PIPE_ALL" in words) and calls_of(context).runs_again(call):
            return True
    return False


def _is_copied(context: LintContext, queue: Variable) -> bool:
    """Return whether a copy fills the tensors of a ``VECIN`` queue, or empties those of a ``VECOUT`` one."""
    side = 0 if queue.position == "VECIN" else 1
    for call in context.structure.calls_of("DataCopy", "DataCopyPad"):
        tensor = context.tensor(call.arguments[side]) if len(call.arguments) >= 3 and not call.receiver else None
        if tensor is not None and tensor.buffer is queue:
            return True
    return False


def _is_pipelined(context: LintContext, allocs: tuple[Call, ...], deques: tuple[Call, ...]) -> bool:
    structure = context.structure
    for alloc in allocs:
        producer = structure.function_at(alloc.span.start)
        if producer is None or not calls_of(context).repeats(producer) or structure.loops_at(alloc.span.start):
            continue
        for deque in deques:
            consumer = structure.function_at(deque.span.start)
            if consumer is not None and consumer is not producer and calls_of(context).repeats(consumer):
                return True
    return False


def _doubled(context: LintContext, call: Call) -> tuple[Repair, ...]:
    """Offer 2 where the number is written, or in the one constant that gives it."""
    argument = call.arguments[1]
    if argument.text.strip() == "1":
        return (Repair("Give the queue 2 buffers", (Replacement(argument.span, "2"),)),)
    name = argument.text.strip()
    found = list(re.finditer(rf"\b{re.escape(name)}\s*=\s*(?P<value>1)\s*;", context.source.plain))
    if len(found) != 1:
        return ()
    span = Span(found[0].start("value"), found[0].end("value"))
    return (Repair(f"Set {name} to 2", (Replacement(span, "2"),)),)


LINT = Lint("kernel/single-buffer", Severity.HINT, "one buffer where copies could overlap", _check)
