"""kernel/copy-alignment: a ``DataCopy`` whose constant length is not a multiple of 32 bytes.

A plain copy moves whole blocks of 32 bytes; the rest of a shorter one is not copied, or faults. ``DataCopyPad``
copies any length between global memory and UB where the chip has it.
"""

from __future__ import annotations

from collections.abc import Iterator

from kernelgen_ls.kernel.chips import BLOCK_BYTES, Architecture
from kernelgen_ls.kernel.constants import TYPE_BYTES
from kernelgen_ls.kernel.findings import Severity
from kernelgen_ls.kernel.lints.context import Lint, LintContext, Repair, Replacement, Report, Tensor
from kernelgen_ls.kernel.structure import Call

_WITH_PAD = frozenset({Architecture.DAV_2201, Architecture.DAV_3002, Architecture.DAV_3510})


def _check(context: LintContext) -> Iterator[Report]:
    for call in context.structure.calls_of("DataCopy"):
        if len(call.arguments) != 3 or call.receiver:
            continue
        destination, source = (context.tensor(argument) for argument in call.arguments[:2])
        elements = {tensor.element for tensor in (destination, source) if tensor is not None and tensor.element}
        count = context.value(call.arguments[2].text, call.span.start)
        if len(elements) != 1 or count is None or count <= 0:
            continue
        element = elements.pop()
        length = count * TYPE_BYTES[element]
        if length % BLOCK_BYTES == 0:
            continue
        whole = BLOCK_BYTES // TYPE_BYTES[element]
        yield Report(
            call.arguments[2].span,
            f"DataCopy moves blocks of {BLOCK_BYTES} bytes, and {count} elements of {element} are {length} bytes: copy "
            f"a multiple of {whole} elements, or use DataCopyPad",
            repairs=_with_pad(context, call, destination, source, element, length),
        )


def _with_pad(
    context: LintContext, call: Call, destination: Tensor | None, source: Tensor | None, element: str, length: int
) -> tuple[Repair, ...]:
    """Offer ``DataCopyPad`` between global memory and UB; it is not safe, for the rest of the block gets padding."""
    if destination is None or source is None or destination.is_local == source.is_local:
        return ()
    if context.chip.architecture not in _WITH_PAD:
        return ()
    parameters = f"AscendC::DataCopyExtParams{{1, {length}, 0, 0, 0}}"
    if destination.is_local:
        parameters += f", AscendC::DataCopyPadExtParams<{element}>{{false, 0, 0, 0}}"
    replacements = (Replacement(call.name_span, "DataCopyPad"), Replacement(call.arguments[2].span, parameters))
    return (Repair(f"Copy {length} bytes with DataCopyPad", replacements),)


LINT = Lint("kernel/copy-alignment", Severity.ERROR, "a copy's length is not a multiple of 32 bytes", _check)
