"""kernel/queue-position: a copy into a tensor of a ``VECOUT`` queue, or out to global memory from a ``VECIN`` one.

The position tells the queue which two units to order: ``VECIN`` the copy in and the vector unit, ``VECOUT`` the
vector unit and the copy out. With the wrong one nothing waits for the copy. A function that synchronises by hand is
left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kernelgen_ls.kernel.findings import Severity
from kernelgen_ls.kernel.lints.context import Lint, LintContext, Repair, Replacement, Report
from kernelgen_ls.kernel.structure import Call, Function, Variable

_BY_HAND = re.compile(r"flag|sync|event|mte\d", re.IGNORECASE)
"""Names of functions that order the units by hand: the library's, and what kernels wrap them in."""
_COPIES = ("DataCopy", "DataCopyPad")


def _check(context: LintContext) -> Iterator[Report]:
    by_hand = [call.span.start for call in context.structure.calls if _orders_units(call)]
    for call in context.structure.calls_of(*_COPIES):
        if len(call.arguments) < 3 or call.receiver:
            continue
        function = context.structure.function_at(call.span.start)
        if function is None:
            continue
        destination, source = (context.tensor(argument) for argument in call.arguments[:2])
        if destination is None or source is None or destination.is_local == source.is_local:
            continue
        local = destination if destination.is_local else source
        wanted = "VECIN" if destination.is_local else "VECOUT"
        wrong = "VECOUT" if destination.is_local else "VECIN"
        queue = local.buffer
        if queue is None or queue.kind != "TQue" or queue.position != wrong:
            continue
        if destination.is_local and local.taken != "AllocTensor":
            continue
        handling = [function, *_functions_using(context, queue)]
        if any(place.span.holds(offset) for place in handling for offset in by_hand):
            continue
        direction = "from global memory into" if destination.is_local else "to global memory from"
        yield Report(
            call.span,
            f"this copies {direction} a tensor of '{queue.name}', a {wrong} queue: {wanted} is the position that "
            "orders this copy and the vector unit",
            related=((queue.name_span, f"'{queue.name}' is declared here"),),
            repairs=_declare(context, queue, call, wrong, wanted),
        )


def _orders_units(call: Call) -> bool:
    """Return whether a call waits by hand; a barrier of one unit orders nothing between two."""
    if "barrier" in call.name.lower():
        return "PIPE_ALL" in (*call.template_arguments, *(argument.text for argument in call.arguments))
    return _BY_HAND.search(call.name) is not None


def _functions_using(context: LintContext, queue: Variable) -> Iterator[Function]:
    """Yield the functions in which a queue's methods are called: any of them may do the waiting."""
    for offset in context.mentions(queue.name):
        function = context.structure.function_at(offset)
        if function is not None:
            yield function


def _declare(context: LintContext, queue: Variable, call: Call, wrong: str, wanted: str) -> tuple[Repair, ...]:
    """Offer the other position where the declaration is this queue's alone; what else it is used for is not known."""
    written = context.source.text[queue.span.start : queue.span.end]
    alone = sum(other.span == queue.span for other in context.structure.variables) == 1
    if not alone or written.count(wrong) != 1:
        return ()
    start = queue.span.start + written.index(wrong)
    span = type(queue.span)(start, start + len(wrong))
    return (Repair(f"Declare '{queue.name}' at {wanted}", (Replacement(span, wanted),)),)


LINT = Lint("kernel/queue-position", Severity.WARNING, "a copy through a queue of the other direction", _check)
