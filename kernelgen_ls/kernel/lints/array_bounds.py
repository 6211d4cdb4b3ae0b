"""kernel/array-bounds: a loop with constant bounds that runs past the end of an array.

The compiler sees a constant index; it does not see a constant loop.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kernelgen_ls.kernel import cpp_text
from kernelgen_ls.kernel.findings import Severity
from kernelgen_ls.kernel.lints.context import Lint, LintContext, Report
from kernelgen_ls.kernel.structure import Span, Variable

_SUBSCRIPT = re.compile(r"\s*\[")


def _check(context: LintContext) -> Iterator[Report]:
    for variable in context.structure.variables:
        if not variable.is_array or variable.owner or variable.scope.start == 0:
            continue
        length = _length(context, variable)
        for offset in context.mentions(variable.name) if length is not None else ():
            if not variable.scope.holds(offset) or offset <= variable.name_span.start:
                continue
            if context.structure.variable_at(variable.name, offset) is not variable:
                continue
            opened = _SUBSCRIPT.match(context.source.plain, offset + len(variable.name))
            if opened is None:
                continue
            inside = cpp_text.balanced(context.source.plain, opened.end() - 1)
            numbers = context.values(inside, offset)
            if length is not None and len(numbers) > 1 and max(numbers) >= length:
                end = opened.end() + len(inside) + 1
                yield Report(
                    Span(offset, end),
                    f"'{variable.name}' has {length} elements, and the loop's last turn uses element {max(numbers)}",
                    related=((variable.name_span, f"'{variable.name}' is declared here"),),
                )


def _length(context: LintContext, variable: Variable) -> int | None:
    """Return the elements of a one-dimensional array; None where they are not known."""
    plain = context.source.plain
    opened = _SUBSCRIPT.match(plain, variable.name_span.end)
    if opened is None:
        return None
    inside = cpp_text.balanced(plain, opened.end() - 1)
    if _SUBSCRIPT.match(plain, opened.end() + len(inside) + 1):
        return None
    return context.value(inside, variable.span.start)


LINT = Lint("kernel/array-bounds", Severity.ERROR, "a loop runs past the end of an array", _check)
