"""kernel/return-without-free: a way out of a function that keeps a tensor which the rest of the function gives back.

The queue is a buffer short from then on; when the last one is kept, the next ``AllocTensor`` waits for ever.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kernelgen_ls.kernel.findings import Severity
from kernelgen_ls.kernel.lints.calls import calls_of
from kernelgen_ls.kernel.lints.context import Lint, LintContext, Report
from kernelgen_ls.kernel.lints.queues import queues_of
from kernelgen_ls.kernel.structure import Call, Conditional, Function, Jump, Span, Variable

_GIVING = ("FreeTensor", "EnQue")


def _check(context: LintContext) -> Iterator[Report]:
    queues = queues_of(context)
    structure = context.structure
    tensors = [one for one in structure.variables if _taken(one) and not one.owner]
    for tensor in tensors:
        function = structure.function_at(tensor.span.start)
        if function is None or not calls_of(context).repeats(function):
            continue
        gives = [call for call in structure.calls_of(*_GIVING) if _gives(context, call, tensor)]
        gives = [call for call in gives if call.name_span.start in queues.operations]
        for jump in _ways_out(context, function, tensor):
            if not gives or gives[-1].span.start < jump.span.start or _is_mentioned(context, tensor, jump):
                continue
            yield Report(
                jump.span,
                f"'{tensor.name}' is not given back on this way out: its queue is a buffer short from here on",
                related=(
                    (tensor.name_span, f"'{tensor.name}' is taken here"),
                    (gives[-1].span, "and given back here, on the other way"),
                ),
            )


def _taken(variable: Variable) -> bool:
    return re.search(r"\.\s*(?:template\s+)?(?:AllocTensor|DeQue)\s*<[^;]*>\s*\(\s*\)\s*$", variable.value) is not None


def _gives(context: LintContext, call: Call, tensor: Variable) -> bool:
    given = call.arguments[0].text.strip() if len(call.arguments) == 1 else ""
    return given == tensor.name and context.structure.variable_at(given, call.span.start) is tensor


def _ways_out(context: LintContext, function: Function, tensor: Variable) -> Iterator[Jump]:
    """Yield the ``return``s in arms of conditionals that begin after ``tensor`` was taken."""
    structure = context.structure
    for jump in structure.jumps:
        if jump.kind != "return" or not tensor.scope.holds(jump.span.start) or jump.span.start < tensor.span.end:
            continue
        if any(span.holds(jump.span.start) for span in structure.lambdas) or context.source.is_open(jump.span.start):
            continue
        if any(
            _asks_after(item, tensor.span, jump)
            for item in structure.conditionals
            if function.span.holds(item.span.start)
        ):
            yield jump


def _asks_after(item: Conditional, taken: Span, jump: Jump) -> bool:
    return item.span.holds(jump.span.start) and item.span.start > taken.end and not item.compile_time


def _is_mentioned(context: LintContext, tensor: Variable, jump: Jump) -> bool:
    """Return whether the tensor can have been given back, or handed on, before ``jump``, or is what it returns."""
    between = Span(tensor.span.end, jump.span.end)
    for offset in context.mentions(tensor.name):
        if not between.holds(offset) or _is_other_arm(context, offset, jump):
            continue
        if offset >= jump.span.start:
            return True
        call = context.call_around(offset)
        if call is None or call.receiver or call.name in context.own_functions:
            return True
    return False


def _is_other_arm(context: LintContext, offset: int, jump: Jump) -> bool:
    """Return whether what stands at ``offset`` is in an arm that does not lead to ``jump``: another one, or it left."""
    for item in context.structure.conditionals:
        arm = next((arm for arm in item.arms if arm.holds(offset)), None)
        if arm is None or arm.holds(jump.span.start):
            continue
        if item.span.holds(jump.span.start) or any(
            arm.holds(other.span.start) and other.kind == "return" and other.span.start > offset
            for other in context.structure.jumps
        ):
            return True
    return False


LINT = Lint("kernel/return-without-free", Severity.WARNING, "a way out of a function keeps a tensor", _check)
