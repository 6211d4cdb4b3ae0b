"""Where a tensor lies: which queue or buffer its memory is of, and at which byte it starts there.

A tensor may have been named on the way: ``auto part = x[64]`` starts where element 64 of ``x`` does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from attrs import frozen

from kernelgen_ls.kernel import cpp_text
from kernelgen_ls.kernel.chips import BLOCK_BYTES
from kernelgen_ls.kernel.constants import TYPE_BYTES
from kernelgen_ls.kernel.lints.context import LintContext
from kernelgen_ls.kernel.structure import Argument, Call, Variable

_NAME = re.compile(r"(?:this\s*->\s*)?(?P<name>[A-Za-z_]\w*)\s*")
_SUFFIX = re.compile(r"\[|(?:\.|->)\s*(?:template\s+)?(?P<method>\w+)\s*(?:<(?P<type>[^<>()]*(?:<[^<>]*>)?)>)?\s*\(")
_TAKING = ("AllocTensor", "DeQue", "Get", "GetWithOffset")
_MAX_DEPTH = 6


@frozen
class Place:
    """A tensor in UB: it starts in a buffer of ``buffer``, and has elements of type ``element``.

    ``starts`` are the bytes where it does so: one, or those of the first, the second and the last turn of a loop with
    constant bounds; none where the text does not say. ``buffer`` is None for a tensor that is handed in: its start is
    taken for aligned.
    """

    buffer: Variable | None
    starts: tuple[int, ...]
    element: str | None

    @property
    def size(self) -> int | None:
        """Bytes of an element."""
        return TYPE_BYTES.get(self.element) if self.element else None


@frozen
class Given:
    """An ``InitBuffer``: ``length`` is its argument with the bytes of a buffer, ``bytes`` its value where known."""

    call: Call
    length: Argument
    bytes: int | None


def place_of(context: LintContext, argument: Argument) -> Place | None:
    """Return where the tensor that an argument is lies; None where it is not seen to be a ``LocalTensor``."""
    known, start = _asked(context), argument.span.start
    if start not in known:
        known[start] = _place(context, argument.text, start, 0)
    return known[start]


def given_to(context: LintContext, buffer: Variable) -> tuple[Given, ...]:
    """Return every ``InitBuffer`` of a queue or buffer."""
    return _given(context).get((buffer.owner, buffer.name, 0 if buffer.owner else buffer.span.start), ())


def initialised(context: LintContext) -> tuple[Given, ...]:
    """Return every ``InitBuffer`` of a queue or buffer that is seen."""
    return tuple(given for each in _given(context).values() for given in each)


def bytes_of(context: LintContext, buffer: Variable) -> int | None:
    """Return the bytes that each buffer of a queue or ``TBuf`` has, at most; None where that is not known."""
    found = [given.bytes for given in given_to(context, buffer)]
    known = [each for each in found if each is not None]
    if not known or len(known) < len(found):
        return None
    return -(-max(known) // BLOCK_BYTES) * BLOCK_BYTES


@lru_cache(maxsize=2)
def _given(context: LintContext) -> dict[tuple[str, str, int], tuple[Given, ...]]:
    given: dict[tuple[str, str, int], tuple[Given, ...]] = {}
    for call in context.structure.calls_of("InitBuffer"):
        buffer = context.buffer_of(call.arguments[0]) if len(call.arguments) in (2, 3) else None
        if buffer is None:
            continue
        length = call.arguments[-1]
        one = Given(call, length, context.value(length.text, call.span.start))
        key = (buffer.owner, buffer.name, 0 if buffer.owner else buffer.span.start)
        given[key] = (*given.get(key, ()), one)
    return given


def _place(context: LintContext, text: str, at: int, depth: int) -> Place | None:
    match = _NAME.match(text.strip())
    if match is None or depth > _MAX_DEPTH:
        return None
    variable = context.structure.variable_at(match.group("name"), at)
    if variable is None or variable.is_array:
        return None
    suffixes = list(_suffixes(match.string[match.end() :]))
    place: Place | None
    if variable.kind in ("LocalTensor", "auto"):
        known, start = _known(context), variable.name_span.start
        if start not in known:
            known[start] = _of_variable(context, variable, depth)
        place = known[start]
    elif suffixes and suffixes[0][0] in _TAKING:
        method, written, arguments = suffixes.pop(0)
        place = _taken(context, variable, method, written, arguments, at)
    else:
        return None
    for method, written, arguments in suffixes:
        if place is None:
            return None
        if method == "[":
            place = _moved(context, place, arguments, at)
        elif method == "ReinterpretCast":
            place = Place(place.buffer, place.starts, context.element_type(written, at))
        else:
            return None
    return place


@lru_cache(maxsize=2)
def _asked(context: LintContext) -> dict[int, Place | None]:
    """Where the arguments lie that were asked for, by their offsets."""
    return {}


@lru_cache(maxsize=2)
def _known(context: LintContext) -> dict[int, Place | None]:
    """Where the variables lie that were asked for, by the offset of their names."""
    return {}


def _of_variable(context: LintContext, variable: Variable, depth: int) -> Place | None:
    element = context.element_type(variable.arguments[0] if variable.arguments else None, variable.span.start)
    if variable.owner or context.is_changed(variable):
        return Place(None, (), element) if variable.kind == "LocalTensor" else None
    found = _place(context, variable.value, variable.span.start, depth + 1) if variable.value else None
    if variable.kind == "auto":
        return found
    if found is None:
        return Place(None, () if variable.value else (0,), element)
    return Place(found.buffer, found.starts, element)


def _taken(context: LintContext, buffer: Variable, method: str, written: str, arguments: str, at: int) -> Place | None:
    given = list(cpp_text.split(arguments))
    starts: tuple[int, ...] = (0,)
    if method == "GetWithOffset":
        starts = context.values(given[1], at) if len(given) == 2 else ()
    elif method != "Get" and given:
        return None
    return Place(buffer, starts, context.element_type(written, at))


def _moved(context: LintContext, place: Place, subscript: str, at: int) -> Place:
    size = place.size
    if size is None:
        return Place(place.buffer, (), place.element)
    counts = context.values(subscript, at)
    return Place(place.buffer, tuple(start + count * size for start in place.starts for count in counts), place.element)


def _suffixes(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield what follows a name: a subscript as ("[", "", inside), a call as (method, template argument, arguments)."""
    while text.strip():
        match = _SUFFIX.match(text.strip())
        if match is None:
            yield "?", "", ""
            return
        opened = match.end() - 1
        yield match.group("method") or "[", match.group("type") or "", cpp_text.balanced(match.string, opened)
        text = match.string[cpp_text.close(match.string, opened) :]
