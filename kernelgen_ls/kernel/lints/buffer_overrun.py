"""kernel/buffer-overrun: an instruction or a copy that reaches past the end of its tensor's buffer.

What lies behind is the next buffer, or nothing. Also a buffer that was given as many bytes as its tensors have
elements.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import frozen

from kernelgen_ls.kernel import cpp_text
from kernelgen_ls.kernel.findings import Severity
from kernelgen_ls.kernel.instructions import COUNTED_OPERANDS
from kernelgen_ls.kernel.lints.context import Lint, LintContext, Repair, Replacement, Report
from kernelgen_ls.kernel.lints.places import Given, bytes_of, given_to, initialised, place_of
from kernelgen_ls.kernel.structure import UB_POSITIONS, Argument, Call, Variable

_NAME = re.compile(r"(this\s*->\s*)?([A-Za-z_]\w*)")
_GIVEN = re.compile(r"\s*=(?!=)(?P<value>[^;]*);")
_ONE_ROW = re.compile(r"(?:AscendC\s*::\s*)?(?:DataCopy(?:Ext)?Params\s*)?[{(](?P<fields>.*)[})]", re.DOTALL)


@frozen
class _Use:
    """What a call uses of a buffer: up to byte ``end``, said at ``argument``."""

    call: Call
    argument: Argument
    buffer: Variable
    end: int


def _check(context: LintContext) -> Iterator[Report]:
    said: set[tuple[str, str, int]] = set()
    for use in (*_views(context), *_counted(context), *_padded(context)):
        room = bytes_of(context, use.buffer)
        key = (use.buffer.owner, use.buffer.name, use.end)
        # One fault is said once: a view that is too long is, what uses all of it is not again.
        if room is None or use.end <= room or key in said:
            continue
        said.add(key)
        yield Report(
            use.argument.span,
            f"{use.call.name} reaches byte {use.end:,} of '{use.buffer.name}', and its buffer has {room:,}",
            related=tuple(
                (given.call.span, f"'{use.buffer.name}' gets its bytes here") for given in given_to(context, use.buffer)
            ),
        )
    yield from _beyond_memory(context)
    bare = [*_without_size(context), *_unlike_others(context)]
    yield from {report.span.start: report for report in reversed(bare)}.values()


def _beyond_memory(context: LintContext) -> Iterator[Report]:
    """Report each constant offset into a buffer of unknown length that is beyond all of UB."""
    ub_bytes = context.chip.ub_bytes
    for call in context.structure.calls:
        for argument in call.arguments if not call.receiver else ():
            tensor = context.tensor(argument) if argument.text.rstrip().endswith("]") else None
            buffer = tensor.buffer if tensor is not None and tensor.is_local else None
            if tensor is None or tensor.offset is None or buffer is None or buffer.position not in UB_POSITIONS:
                continue
            offset = context.value(tensor.offset, call.span.start)
            # An element has at least half a byte.
            if offset is not None and offset >= 2 * ub_bytes and bytes_of(context, buffer) is None:
                message = (
                    f"element {offset:,} of a tensor of '{buffer.name}' is beyond UB, which has {ub_bytes:,} bytes"
                )
                yield Report(argument.span, message)


def _views(context: LintContext) -> Iterator[_Use]:
    """Yield what ``Get`` and ``GetWithOffset`` take of a ``TBuf``."""
    for call in context.structure.calls_of("Get", "GetWithOffset"):
        if len(call.arguments) != (1 if call.name == "Get" else 2) or len(call.template_arguments) != 1:
            continue
        name = re.sub(r"\bthis\s*->\s*|\s", "", call.receiver)
        buffer = context.structure.variable_at(name, call.span.start) if name.isidentifier() else None
        size = context.element_bytes(call.template_arguments[0], call.span.start)
        count = context.value(call.arguments[0].text, call.span.start)
        starts = context.values(call.arguments[1].text, call.span.start) if len(call.arguments) == 2 else (0,)
        if buffer is not None and buffer.kind == "TBuf" and size is not None and count is not None and starts:
            yield _Use(call, call.arguments[0], buffer, max(starts) + count * size)


def _counted(context: LintContext) -> Iterator[_Use]:
    """Yield what instructions and copies of a number of elements use."""
    for call, number, argument in _operands(context):
        count = context.value(number.text, call.span.start)
        if count is None or count <= 0:
            continue
        place = place_of(context, argument)
        if place is not None and place.buffer is not None and place.size is not None and place.starts:
            yield _Use(call, argument, place.buffer, max(place.starts) + count * place.size)


def _padded(context: LintContext) -> Iterator[_Use]:
    """Yield what a ``DataCopyPad`` of one row uses."""
    for call in context.structure.calls_of("DataCopyPad"):
        match = _ONE_ROW.fullmatch(call.arguments[2].text.strip()) if len(call.arguments) > 2 else None
        fields = list(cpp_text.split(match.group("fields"))) if match is not None and not call.receiver else []
        if len(fields) < 4 or context.value(fields[0], call.span.start) != 1:
            continue
        length = context.value(fields[1], call.span.start)
        for argument in call.arguments[:2] if length else ():
            place = place_of(context, argument)
            if length and place is not None and place.buffer is not None and place.starts:
                yield _Use(call, argument, place.buffer, max(place.starts) + length)


def _operands(context: LintContext) -> Iterator[tuple[Call, Argument, Argument]]:
    """Yield the calls of instructions with their number of elements and each of their tensors."""
    for call in context.structure.calls_of(*COUNTED_OPERANDS):
        operands = COUNTED_OPERANDS[call.name]
        if not call.receiver and len(call.arguments) == operands.arguments:
            for index in operands.tensors:
                yield call, call.arguments[-1], call.arguments[index]


def _without_size(context: LintContext) -> Iterator[Report]:
    """Report each ``InitBuffer`` whose bytes are written as the elements that are used of it."""
    said: set[int] = set()
    for _, number, argument in _operands(context):
        place = place_of(context, argument)
        if place is None or place.buffer is None or place.starts != (0,) or place.size in (None, 1):
            continue
        given = given_to(context, place.buffer)
        if len(given) != 1 or given[0].bytes is not None or _plain(given[0].length.text) != _plain(number.text):
            continue
        length = given[0].length
        names = _NAME.findall(length.text)
        if length.span.start in said or not names:
            continue
        if all(context.is_settled(name, bool(own), number.span.start, length.span.start) for own, name in names):
            said.add(length.span.start)
            yield Report(
                length.span,
                f"InitBuffer takes bytes, and '{place.buffer.name}' is used with {number.text.strip()} elements of "
                f"{place.element} ({place.size} bytes each)",
                related=((number.span, "so many elements are used here"),),
                repairs=(_multiplied(length, str(place.element)),),
            )


def _unlike_others(context: LintContext) -> Iterator[Report]:
    """Report each ``InitBuffer`` of a bare number that others of its function multiply by the size of an element."""
    for given in initialised(context):
        number, at = _plain(given.length.text), given.call.span.start
        buffer = context.buffer_of(given.call.arguments[0])
        if buffer is None or not _NAME.search(number) or "sizeof" in number or "byte" in number.lower():
            continue
        if any(_holds_bytes(context, name) for _, name in _NAME.findall(number)):
            continue
        others = [other for other in initialised(context) if _same_function(context, other.call, given.call)]
        sizes = [(match.group("type"), other) for other in others if (match := _times_size(number, other)) is not None]
        types = {call.template_arguments[0].strip() for call in _taking(context, buffer)}
        for written, other in sizes[:1]:
            if types and all((context.element_bytes(one, at) or 1) > 1 for one in types):
                yield Report(
                    given.length.span,
                    f"InitBuffer takes bytes, and this is the number that is multiplied by sizeof({written}) elsewhere",
                    related=((other.length.span, f"'{given.length.text.strip()}' is a number of elements here"),),
                    repairs=(_multiplied(given.length, min(types)),) if len(types) == 1 else (),
                )


def _holds_bytes(context: LintContext, name: str) -> bool:
    """Return whether a variable of that name is given a number of bytes anywhere."""
    plain = context.source.plain
    given = (_GIVEN.match(plain, offset + len(name)) for offset in context.mentions(name))
    return any(match is not None and "sizeof" in match.group("value") for match in given)


def _times_size(number: str, other: Given) -> re.Match[str] | None:
    written = re.escape(number)
    pattern = rf"{written}\*sizeof\((?P<type>\w+)\)"
    return re.fullmatch(pattern, _plain(other.length.text))


def _same_function(context: LintContext, one: Call, other: Call) -> bool:
    function = context.structure.function_at(one.span.start)
    return function is not None and function is context.structure.function_at(other.span.start)


def _taking(context: LintContext, buffer: Variable) -> Iterator[Call]:
    """Yield the calls that take a tensor of a buffer and write its type."""
    for call in context.structure.calls_of("AllocTensor", "DeQue", "Get", "GetWithOffset"):
        name = _plain(call.receiver)
        if name != buffer.name or len(call.template_arguments) != 1:
            continue
        if context.structure.variable_at(name, call.span.start) is buffer:
            yield call


def _multiplied(length: Argument, element: str) -> Repair:
    written = length.text.strip()
    factor = written if re.fullmatch(r"[\w>.\-]+", written) else f"({written})"
    return Repair(f"Multiply by sizeof({element})", (Replacement(length.span, f"{factor} * sizeof({element})"),))


def _plain(expression: str) -> str:
    return re.sub(r"\bthis\s*->|\s", "", expression)


LINT = Lint("kernel/buffer-overrun", Severity.ERROR, "an operand reaches past the end of its buffer", _check)
