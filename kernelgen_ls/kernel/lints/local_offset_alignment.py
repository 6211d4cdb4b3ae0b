"""kernel/local-offset-alignment: a constant offset into a ``LocalTensor`` that is not 32-byte aligned.

The vector unit and the copies address UB in blocks of 32 bytes; global memory may be addressed freely, and so may
single elements (``GetValue``). Only instructions that need the alignment for every operand are looked at.
"""

from __future__ import annotations

from collections.abc import Iterator

from kernelgen_ls.kernel.chips import BLOCK_BYTES
from kernelgen_ls.kernel.constants import TYPE_BYTES
from kernelgen_ls.kernel.findings import Severity
from kernelgen_ls.kernel.instructions import ALIGNED_OPERANDS
from kernelgen_ls.kernel.lints.context import Lint, LintContext, Report


def _check(context: LintContext) -> Iterator[Report]:
    for call in context.structure.calls_of(*sorted(ALIGNED_OPERANDS)):
        if call.receiver:
            continue
        for argument in call.arguments:
            if "[" not in argument.text:
                continue
            tensor = context.tensor(argument)
            if tensor is None or not tensor.is_local or tensor.element is None or not tensor.offset:
                continue
            offset = context.value(tensor.offset, argument.span.start)
            declared = context.element_type(
                tensor.variable.arguments[0] if tensor.variable.arguments else None, tensor.variable.span.start
            )
            size = TYPE_BYTES[declared or tensor.element]
            if offset is None or offset * size % BLOCK_BYTES == 0:
                continue
            aligned = offset * size // BLOCK_BYTES * BLOCK_BYTES // size
            yield Report(
                argument.span,
                f"{call.name} needs an address that is a multiple of {BLOCK_BYTES} bytes, and element {offset} of "
                f"{declared or tensor.element} is at byte {offset * size}: the next aligned elements are {aligned} and "
                f"{aligned + BLOCK_BYTES // size}",
            )


LINT = Lint("kernel/local-offset-alignment", Severity.ERROR, "an offset into a LocalTensor is not aligned", _check)
