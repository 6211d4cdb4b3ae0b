"""kernel/local-offset-alignment: a constant offset into a ``LocalTensor`` that is not 32-byte aligned.

The vector unit and the copies address UB in blocks of 32 bytes; global memory may be addressed freely, and so may
single elements (``GetValue``). Only instructions that need the alignment for every operand are looked at.
"""

from __future__ import annotations

from collections.abc import Iterator

from kernelgen_ls.kernel.chips import BLOCK_BYTES
from kernelgen_ls.kernel.findings import Severity
from kernelgen_ls.kernel.instructions import ALIGNED_OPERANDS
from kernelgen_ls.kernel.lints.context import Lint, LintContext, Report
from kernelgen_ls.kernel.lints.places import place_of


def _check(context: LintContext) -> Iterator[Report]:
    for call in context.structure.calls_of(*sorted(ALIGNED_OPERANDS)):
        said: set[str] = set()
        for argument in call.arguments if not call.receiver else ():
            place = place_of(context, argument)
            size = place.size if place is not None else None
            if place is None or size is None or argument.text in said:
                continue
            start = next((start for start in place.starts if start % BLOCK_BYTES), None)
            if start is None:
                continue
            said.add(argument.text)
            down = start // BLOCK_BYTES * BLOCK_BYTES
            up = down + BLOCK_BYTES
            yield Report(
                argument.span,
                f"{call.name} needs an address that is a multiple of {BLOCK_BYTES} bytes, and this one is at byte "
                f"{start}: the next aligned elements of {place.element} are {down // size} and {up // size}",
            )


LINT = Lint("kernel/local-offset-alignment", Severity.ERROR, "an offset into a LocalTensor is not aligned", _check)
