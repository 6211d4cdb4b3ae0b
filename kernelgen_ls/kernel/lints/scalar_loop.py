"""kernel/scalar-loop: a loop that fills, computes or sums a ``LocalTensor`` one element at a time.

The scalar unit moves one element where a vector instruction moves 256 bytes. Only loops that one instruction replaces
are reported: element ``i`` of each tensor in turn ``i``, from 0 on, and nothing else in the body.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kernelgen_ls.kernel.dtypes import BFLOAT16
from kernelgen_ls.kernel.findings import Severity
from kernelgen_ls.kernel.instructions import FILLED_TYPES, SUMMED_TYPES
from kernelgen_ls.kernel.lints.context import Lint, LintContext, Report
from kernelgen_ls.kernel.structure import Call

_FEW = 16
_HEADER = re.compile(
    r"for\s*\(\s*(?:[\w:]+\s+)?(?P<start>\w+)\s*=\s*0[uUlL]*\s*;\s*(?P=start)\s*(?:<|!=)\s*(?P<bound>[^;]+);"
    r"\s*(?:\+\+\s*(?P=start)|(?P=start)\s*\+\+|(?P=start)\s*\+=\s*1)\s*\)\s*"
)
_CONTROL = re.compile(r"\b(?:if|while|for|switch|break|continue|return|goto)\b|\?")
# No cast is written with the name of bfloat16_t: ToFloat and ToBfloat16 are its casts.
_CASTS = frozenset({"static_cast", "int", "ToFloat", "ToBfloat16", *FILLED_TYPES}) - {BFLOAT16.kernel}


def _check(context: LintContext) -> Iterator[Report]:
    for loop in context.structure.loops:
        header = _HEADER.fullmatch(context.source.plain[loop.span.start : loop.body.start])
        if header is None:
            continue
        count = context.value(header.group("bound"), loop.span.start)
        body = context.source.plain[loop.body.start : loop.body.end]
        if (count is not None and count <= _FEW) or _CONTROL.search(body):
            continue
        calls = [call for call in context.structure.calls if loop.body.holds(call.span.start)]
        gets = [call for call in calls if call.name == "GetValue"]
        sets = [call for call in calls if call.name == "SetValue"]
        if len(calls) != len(gets) + len(sets) + sum(call.name in _CASTS for call in calls):
            continue
        index = header.group("start")
        if not all(_is_element(context, call, index, not sets) for call in (*gets, *sets)):
            continue
        instead = _instead(body, gets, sets, index)
        if instead:
            yield Report(
                (sets or gets)[0].span,
                f"this loop handles one element a turn on the scalar unit; {instead} does it to 256 bytes at once",
            )


def _is_element(context: LintContext, call: Call, index: str, summed: bool) -> bool:
    """Return whether a call reads or writes element ``index`` of a ``LocalTensor`` that vector instructions take."""
    name = re.sub(r"\bthis\s*->\s*|\s", "", call.receiver)
    if not name.isidentifier() or not call.arguments or call.arguments[0].text.strip() != index:
        return False
    variable = context.structure.variable_at(name, call.span.start)
    if variable is None or variable.is_array:
        return False
    taken = re.search(r"\.\s*(?:template\s+)?(?:AllocTensor|DeQue|Get)\s*<(?P<type>[^<>]*)>", variable.value)
    if variable.kind == "LocalTensor":
        written = variable.arguments[0] if variable.arguments else ""
    elif variable.kind == "auto" and taken is not None:
        written = taken.group("type")
    else:
        return False
    element = context.element_type(written, variable.span.start)
    # A loop that only reads is a sum.
    return element in (SUMMED_TYPES if summed else FILLED_TYPES)


def _instead(body: str, gets: list[Call], sets: list[Call], index: str) -> str:
    """Return what replaces the loop, "" where it is none of the plain cases."""
    statements = [part.strip() for part in body.strip("{} \t\r\n").split(";") if part.strip()]
    if len(sets) == 1 and len(statements) == 1 and len(sets[0].arguments) == 2:
        value = sets[0].arguments[1].text
        if gets:
            return "a vector instruction"
        if re.search(rf"\b{index}\b", value):
            return "ArithProgression" if re.fullmatch(rf"[\s()\w*+:<>]*\b{index}\b[\s()\w*+]*", value) else ""
        return "Duplicate"
    if not sets and len(gets) == 1 and len(statements) == 1 and re.match(r"[\w>.\-]+\s*\+=", statements[0]):
        return "ReduceSum"
    return ""


LINT = Lint("kernel/scalar-loop", Severity.HINT, "a loop handles a tensor one element at a time", _check)
