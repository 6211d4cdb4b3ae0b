"""kernel/ub-budget: the buffers that one function gives a pipe take more unified buffer than the chip has.

Nothing says so before the kernel runs: ``TPipe::InitBuffer`` allocates at run time. Only constant sizes count, each
rounded up to 32 bytes; of an ``if`` only one arm does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import frozen

from kernelgen_ls.kernel.chips import BLOCK_BYTES
from kernelgen_ls.kernel.findings import Severity
from kernelgen_ls.kernel.lints.context import Lint, LintContext, Report
from kernelgen_ls.kernel.structure import UB_POSITIONS, Branch, Call

_SHOWN = 8


@frozen
class _Allocation:
    """One ``InitBuffer`` whose size is constant."""

    call: Call
    buffer: str
    bytes: int

    @property
    def branches(self) -> frozenset[Branch]:
        return frozenset(self.call.branches)


def _check(context: LintContext) -> Iterator[Report]:
    groups: dict[tuple[str, int], list[_Allocation]] = {}
    reset: set[tuple[str, int]] = set()
    for call in context.structure.calls_of("InitBuffer", "Reset"):
        function = context.structure.function_at(call.span.start)
        pipe = re.sub(r"\bthis\s*->\s*|\s", "", call.receiver)
        key = (pipe, function.span.start if function else -1)
        if call.name == "Reset":
            reset.add(key)
            continue
        size = allocated_bytes(context, call)
        if size is not None and not context.structure.loops_at(call.span.start):
            groups.setdefault(key, []).append(_Allocation(call, call.arguments[0].text, size))
    for key, allocations in groups.items():
        if key not in reset:
            yield from _over_budget(context, allocations)


def allocated_bytes(context: LintContext, call: Call) -> int | None:
    """Return the bytes of UB that an ``InitBuffer`` takes: None where unknown or where the buffer is elsewhere."""
    given = call.arguments
    buffer = context.buffer_of(given[0]) if given else None
    if buffer is None or buffer.position not in UB_POSITIONS:
        return None
    if buffer.is_queue and len(given) == 3:
        count = context.value(given[1].text, call.span.start)
        length = context.value(given[2].text, call.span.start)
    elif buffer.kind == "TBuf" and len(given) == 2:
        count, length = 1, context.value(given[1].text, call.span.start)
    else:
        return None
    if count is None or length is None or count < 1 or length < 0:
        return None
    return count * -(-length // BLOCK_BYTES) * BLOCK_BYTES


def _over_budget(context: LintContext, allocations: list[_Allocation]) -> Iterator[Report]:
    """Report the first allocation that does not fit, once for each way through the branches."""
    budget = context.chip.ub_bytes
    reported: set[int] = set()
    for way in {allocation.branches for allocation in allocations}:
        total = 0
        taken: dict[str, _Allocation] = {}
        for allocation in allocations:
            if not allocation.branches <= way or allocation.buffer in taken:
                continue
            taken[allocation.buffer] = allocation
            total += allocation.bytes
            if total > budget and allocation.call.span.start not in reported:
                reported.add(allocation.call.span.start)
                everything = sum(other.bytes for other in allocations if other.branches <= way)
                yield Report(
                    allocation.call.span,
                    f"the buffers of this pipe take {everything:,} bytes of UB, and {context.chip.soc} has {budget:,}: "
                    f"'{allocation.buffer}' ({allocation.bytes:,} bytes) does not fit",
                    related=tuple(
                        (other.call.span, f"'{other.buffer}' takes {other.bytes:,} bytes")
                        for other in list(taken.values())[:-1][:_SHOWN]
                    ),
                )
                break


LINT = Lint("kernel/ub-budget", Severity.ERROR, "the buffers take more UB than the chip has", _check)
