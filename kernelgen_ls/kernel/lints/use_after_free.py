"""kernel/use-after-free: a tensor that is still used after it was given back.

Its buffer belongs to the next ``AllocTensor`` then, and what is read or written is another tensor's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kernelgen_ls.kernel.findings import Severity
from kernelgen_ls.kernel.lints.context import Lint, LintContext, Report
from kernelgen_ls.kernel.lints.queues import queues_of
from kernelgen_ls.kernel.structure import Call, Span, Variable

_BRACE = re.compile(r"[{}]")
_ASSIGNED = re.compile(r"\s*=(?!=)")
_ANOTHER_WAY = re.compile(r"\b(?:return|break|continue|case|default|goto)\b")
_DATALESS = re.compile(r"\s*\.\s*(?:GetSize|GetLength|GetPosition|GetUserTag|GetShapeInfo)\s*\(")
_HANDING = ("AllocTensor", "DeQue", "EnQue", "FreeTensor")
"""What gives the name another tensor, or is another lint's to judge."""


def _check(context: LintContext) -> Iterator[Report]:
    queues = queues_of(context)
    for call in context.structure.calls_of("FreeTensor"):
        name = call.arguments[0].text.strip() if len(call.arguments) == 1 else ""
        tensor = context.structure.variable_at(name, call.span.start) if name.isidentifier() else None
        if tensor is None or tensor.owner or tensor.is_array or call.name_span.start not in queues.operations:
            continue
        offset = _next_use(context, call, tensor)
        if offset is not None:
            yield Report(
                Span(offset, offset + len(name)),
                f"'{name}' was given back before: its buffer may be another tensor's by now",
                related=((call.span, f"'{name}' is given back here"),),
            )


def _next_use(context: LintContext, call: Call, tensor: Variable) -> int | None:
    """Return where the tensor is used next in the block that gave it back, if that is the same tensor for certain."""
    plain = context.source.plain
    before = plain[: call.span.start].rstrip()
    if before.endswith((")", "else")):
        return None  # one arm of a conditional without braces
    end = _end_of_block(plain, call.span.end)
    after = [offset for offset in context.mentions(tensor.name) if call.span.end <= offset < end]
    after = [one for one in after if not _DATALESS.match(plain, one + len(tensor.name))]
    offset = next((one for one in after if context.structure.variable_at(tensor.name, one) is tensor), None)
    if offset is None or _ANOTHER_WAY.search(plain, call.span.end, offset):
        return None
    around = context.call_around(offset)
    taken = around is not None and (around.name in _HANDING or around.name in context.own_functions)
    return None if taken or _ASSIGNED.match(plain, offset + len(tensor.name)) else offset


def _end_of_block(plain: str, offset: int) -> int:
    depth = 0
    for match in _BRACE.finditer(plain, offset):
        depth += 1 if match.group() == "{" else -1
        if depth < 0:
            return match.start()
    return len(plain)


LINT = Lint("kernel/use-after-free", Severity.WARNING, "a tensor is used after it was given back", _check)
