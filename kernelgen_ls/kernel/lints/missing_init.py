"""kernel/missing-init: a queue or buffer without ``InitBuffer``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kernelgen_ls.kernel.findings import Severity
from kernelgen_ls.kernel.lints.calls import calls_of
from kernelgen_ls.kernel.lints.context import Lint, LintContext, Report
from kernelgen_ls.kernel.lints.queues import queue_uses
from kernelgen_ls.kernel.structure import Span, Variable

_READ = re.compile(r"\s*(?:\[|\.\s*(?:GetValue|SetValue|GetSize)\b|[,)])")
_OF_ANOTHER = re.compile(r"(?:\.|(?<!\bthis)->|::)\s*$")
_ARGUMENT = re.compile(r"[(,]\s*(?:this\s*->\s*)?$")
_USED = re.compile(r"\s*(?:\[|\.\s*(?:template\s+)?(?:Get|GetWithOffset)\b)")


def _check(context: LintContext) -> Iterator[Report]:
    # Memory that is given to something undeclared was meant for one of these.
    buffers = (call.arguments[0] for call in context.structure.calls_of("InitBuffer") if call.arguments)
    if any(context.buffer_of(argument) is None for argument in buffers):
        return
    for use in queue_uses(context):
        sure = calls_of(context).sure(use.allocs)
        if sure and not use.inits:
            yield Report(
                sure[0].span,
                f"'{use.queue.name}' has no buffers: no InitBuffer gives it any, and AllocTensor has nothing to give",
                related=((use.queue.name_span, f"'{use.queue.name}' is declared here"),),
            )
    yield from unset(context, "TBuf", "InitBuffer gives it memory")


def unset(context: LintContext, kind: str, given: str) -> Iterator[Report]:
    """Yield the first sure use of each variable of ``kind`` that nothing sets; ``given``: what would have set it."""
    for variable in context.structure.variables:
        if variable.kind != kind or variable.is_array or not _is_whole(context, variable):
            continue
        used = _first_use(context, variable)
        if used is not None:
            yield Report(
                Span(used, used + len(variable.name)),
                f"'{variable.name}' is used, and no {given}",
                related=((variable.name_span, f"'{variable.name}' is declared here"),),
            )


def _is_whole(context: LintContext, variable: Variable) -> bool:
    """Return whether all that can be done to a variable is seen: it is local, or of a class of this program."""
    structure = context.structure
    if not variable.owner:
        function = structure.function_at(variable.span.start)
        is_parameter = function is not None and any(one.span == variable.span for one in function.parameters)
        return variable.scope.start != 0 and not is_parameter and not variable.value
    classes = [item for item in structure.classes if item.name == variable.owner]
    return (
        not context.source.is_header
        and len(classes) == 1
        and not classes[0].undefined
        and len(structure.variables_called(variable.name)) == 1
        and len(context.mentions(variable.owner)) > 1
    )


def _first_use(context: LintContext, variable: Variable) -> int | None:
    """Return where a variable is surely used first; None where it is not, or where something may have set it."""
    first = None
    for offset in context.mentions(variable.name):
        if offset == variable.name_span.start or not _means(context, variable, offset):
            continue
        if not _only_uses(context, variable, offset):
            return None
        if first is None and calls_of(context).surely_runs(offset):
            first = offset
    return first


def _means(context: LintContext, variable: Variable, offset: int) -> bool:
    if variable.owner:
        return True
    return variable.scope.holds(offset) and context.structure.variable_at(variable.name, offset) is variable


def _only_uses(context: LintContext, variable: Variable, offset: int) -> bool:
    """Return whether a mention of a variable cannot set it: it takes an element of it, or copies from or to it."""
    plain = context.source.plain
    end = offset + len(variable.name)
    if _OF_ANOTHER.search(plain, max(0, offset - 40), offset):
        return False
    if variable.kind == "TBuf":
        return _USED.match(plain, end) is not None
    if _READ.match(plain, end) is None:
        return False
    whole = _ARGUMENT.search(plain, max(0, offset - 40), offset) and re.match(r"\s*[,)]", plain[end : end + 8])
    return not whole or _is_of_interface(context, offset)


def _is_of_interface(context: LintContext, offset: int) -> bool:
    """Return whether the call that a tensor is an argument of is a copy, which sets nothing of the tensor."""
    call = context.call_around(offset)
    return call is not None and not call.receiver and call.name in ("DataCopy", "DataCopyPad")


LINT = Lint("kernel/missing-init", Severity.ERROR, "memory is used that nothing was given", _check)
