"""kernel/dtype: an element type that the chip's instruction does not take.

The compiler refuses it too, but from deep inside the library; here it is said where it is written, with what to do.
"""

from __future__ import annotations

from collections.abc import Iterator

from kernelgen_ls.kernel.dtypes import BFLOAT16, FLOAT16, FLOAT32, INT8, UINT8
from kernelgen_ls.kernel.findings import Severity
from kernelgen_ls.kernel.instructions import ELEMENT_TYPES
from kernelgen_ls.kernel.lints.context import Lint, LintContext, Report

_WIDER = {BFLOAT16.kernel: FLOAT32.kernel, INT8.kernel: FLOAT16.kernel, UINT8.kernel: FLOAT16.kernel}
"""The type to cast to first."""


def _check(context: LintContext) -> Iterator[Report]:
    table = ELEMENT_TYPES.get(context.chip.architecture, {})
    own = {function.name for function in context.structure.functions}
    for call in context.structure.calls_of(*table):
        if call.receiver or call.qualifier not in ("", "AscendC") or (call.name in own and not call.qualifier):
            continue
        for argument in call.arguments[:2]:
            tensor = context.tensor(argument)
            if tensor is None or tensor.element is None or not tensor.is_local or tensor.element in table[call.name]:
                continue
            takes = ", ".join(sorted(table[call.name]))
            wider = _WIDER.get(tensor.element)
            yield Report(
                argument.span,
                f"{call.name} on {context.chip.soc} does not take {tensor.element}; it takes {takes}"
                + (f". Cast to {wider} first" if wider else ""),
            )
            break


LINT = Lint("kernel/dtype", Severity.ERROR, "an element type the chip's instruction does not take", _check)
