"""kernel/missing-wait: a copy from global memory into a ``TBuf``, and an instruction that uses it without waiting.

A queue orders the copy in and the vector unit; a ``TBuf`` orders nothing, and no compiler inserts this wait. Only what
follows in the same statements is looked at, and whatever may wait on the way ends the look.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kernelgen_ls.kernel.findings import Severity
from kernelgen_ls.kernel.instructions import COUNTED_OPERANDS
from kernelgen_ls.kernel.lints.context import Lint, LintContext, Report
from kernelgen_ls.kernel.structure import Call

_COPIES = ("DataCopy", "DataCopyPad")
_HARMLESS = frozenset({"AllocTensor", "Get", "GetWithOffset", "GetBlockIdx", "ReinterpretCast", "static_cast"})
"""What waits for no copy."""


def _check(context: LintContext) -> Iterator[Report]:
    calls = context.structure.calls
    for index, call in enumerate(calls):
        if call.name not in _COPIES or call.receiver or len(call.arguments) < 3:
            continue
        destination, source = (context.tensor(argument) for argument in call.arguments[:2])
        if destination is None or source is None or not destination.is_local or source.is_local:
            continue
        if destination.buffer is None or destination.buffer.kind != "TBuf" or destination.variable.owner:
            continue
        user = _unordered_use(context, index, destination.variable.name)
        if user is not None:
            yield Report(
                user.span,
                f"{user.name} does not wait for the copy into '{destination.variable.name}', which is of a TBuf: set "
                "and wait for a flag of MTE2_V, or take the tensor from a VECIN queue",
                related=((call.span, "the copy"),),
            )


def _unordered_use(context: LintContext, index: int, name: str) -> Call | None:
    """Return the instruction after the copy that uses the tensor ``name``, where nothing between them may wait."""
    calls = context.structure.calls
    copy = calls[index]
    for other in calls[index + 1 :]:
        if other.span.start < copy.span.end:
            continue
        between = context.source.plain[copy.span.end : other.span.start]
        if re.search(r"[{}#]|\b(?:if|for|while|else|return)\b", between):
            return None
        if other.name in COUNTED_OPERANDS and other.name not in _COPIES and not other.receiver:
            if any(re.match(rf"{name}\b", argument.text.strip()) for argument in other.arguments):
                return other
        elif other.name not in _HARMLESS and other.name not in _COPIES:
            return None
    return None


LINT = Lint("kernel/missing-wait", Severity.WARNING, "an instruction does not wait for the copy of its data", _check)
