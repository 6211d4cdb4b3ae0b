"""kernel/pad-stride: ``DataCopyPad`` parameters in the wrong unit, or a row pitch that they cannot express.

Lengths and the strides of global memory are in bytes; strides in UB are in blocks of 32 bytes, counted from the end
of the row padded to 32 bytes. So a row pitch in UB is always a multiple of 32 bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import frozen

from kernelgen_ls.kernel import cpp_text
from kernelgen_ls.kernel.chips import BLOCK_BYTES
from kernelgen_ls.kernel.constants import TYPE_BYTES
from kernelgen_ls.kernel.findings import Severity
from kernelgen_ls.kernel.lints.context import Lint, LintContext, Report
from kernelgen_ls.kernel.structure import Argument

_BRACED = re.compile(r"(?:AscendC\s*::\s*)?(?:DataCopy(?:Ext)?Params\s*)?[{(](?P<fields>.*)[})]", re.DOTALL)
_DIVIDED = re.compile(r"^\(?(?P<numerator>.+?)\)?\s*/\s*(?P<divisor>\w+)\)?$", re.DOTALL)


@frozen
class _Parameters:
    """``blockCount, blockLen, srcStride, dstStride`` as written, and where."""

    fields: tuple[str, ...]
    at: int


def _check(context: LintContext) -> Iterator[Report]:
    for call in context.structure.calls_of("DataCopyPad"):
        if len(call.arguments) < 3 or call.receiver:
            continue
        destination, source = (context.tensor(argument) for argument in call.arguments[:2])
        parameters = _parameters(context, call.arguments[2])
        if destination is None or source is None or destination.is_local == source.is_local or parameters is None:
            continue
        elements = {tensor.element for tensor in (destination, source) if tensor.element}
        element = elements.pop() if len(elements) == 1 else None
        gm_stride, ub_stride = parameters.fields[2:4] if destination.is_local else parameters.fields[3:1:-1]
        message = _problem(context, parameters, element, gm_stride, ub_stride)
        if message:
            yield Report(call.arguments[2].span, message)


def _problem(context: LintContext, parameters: _Parameters, element: str | None, gm_stride: str, ub_stride: str) -> str:
    """Return what is wrong with the parameters, "" where nothing is proven."""
    count, length, in_gm, in_ub = (
        context.value(written, parameters.at) for written in (*parameters.fields[:2], gm_stride, ub_stride)
    )
    size = TYPE_BYTES[element] if element else None
    if size and length and length % size:
        return f"blockLen is in bytes, and {length} bytes are not a whole number of {element} ({size} bytes each)"
    if count is not None and count <= 1:
        return ""
    if size and in_gm and in_gm % size:
        return f"the stride in global memory is in bytes, and {in_gm} are not a whole number of {element} ({size} each)"
    remainder = _cut_off(context, ub_stride, parameters.at)
    if remainder:
        return (
            f"the stride in UB counts blocks of {BLOCK_BYTES} bytes, and this one is not a whole number of them "
            f"({remainder} bytes are cut off): rows in UB lie at a multiple of {BLOCK_BYTES} bytes"
        )
    if count and length and in_ub:
        row = -(-length // BLOCK_BYTES) * BLOCK_BYTES
        reach = (count - 1) * (row + in_ub * BLOCK_BYTES) + row
        if reach > context.chip.ub_bytes:
            return (
                f"the stride in UB counts blocks of {BLOCK_BYTES} bytes: {count} rows with a stride of {in_ub} reach "
                f"{reach:,} bytes, and {context.chip.soc} has {context.chip.ub_bytes:,}"
            )
    return ""


def _cut_off(context: LintContext, stride: str, at: int) -> int:
    """Return the bytes that a stride written as ``bytes / 32`` loses to the division; 0 where exact or unknown."""
    written = re.sub(r"^static_cast<\w+>\s*\((.*)\)$|^\(u?int(?:16|32)_t\)\s*\((.*)\)$", r"\1\2", stride.strip())
    match = _DIVIDED.match(written)
    if match is None or context.value(match.group("divisor"), at) != BLOCK_BYTES:
        return 0
    numerator = context.value(match.group("numerator"), at)
    return 0 if numerator is None or numerator < 0 else numerator % BLOCK_BYTES


def _parameters(context: LintContext, argument: Argument) -> _Parameters | None:
    """Return the parameters that an argument gives: written in place, or a variable that is initialised and kept."""
    text, at = argument.text.strip(), argument.span.start
    if text.isidentifier():
        variable = context.structure.variable_at(text, at)
        if variable is None or variable.kind not in ("DataCopyExtParams", "DataCopyParams") or variable.owner:
            return None
        changed = rf"\b{text}\s*(?:\.|=(?!=))|&\s*{text}\b"
        if re.search(changed, context.source.plain[variable.span.end : at]) or not variable.value:
            return None
        if context.structure.loops_at(at) != context.structure.loops_at(variable.span.start):
            scope = context.source.plain[variable.span.end : variable.scope.end]
            if re.search(changed, scope):
                return None
        text, at = variable.value.strip(), variable.span.start
    match = _BRACED.fullmatch(text)
    if match is None:
        return None
    fields = tuple(cpp_text.split(match.group("fields")))
    return _Parameters(fields, at) if len(fields) >= 4 else None


LINT = Lint("kernel/pad-stride", Severity.ERROR, "DataCopyPad parameters in the wrong unit", _check)
