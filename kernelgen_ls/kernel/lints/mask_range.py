"""kernel/mask-range: a mask that names more elements than one repeat of the instruction has.

A repeat is 256 bytes: 128 elements of two bytes, 64 of four. A mask of two words has its second one for elements 64 to
127, so it is 0 for types of four bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kernelgen_ls.kernel import cpp_text
from kernelgen_ls.kernel.constants import TYPE_BYTES
from kernelgen_ls.kernel.findings import Severity
from kernelgen_ls.kernel.instructions import MASKED_OPERANDS
from kernelgen_ls.kernel.lints.context import Lint, LintContext, Report
from kernelgen_ls.kernel.lints.places import place_of
from kernelgen_ls.kernel.structure import Argument, Call

REPEAT_BYTES = 256


def _check(context: LintContext) -> Iterator[Report]:
    if counts_elements(context):
        return
    for call in context.structure.calls_of(*MASKED_OPERANDS):
        masked = MASKED_OPERANDS[call.name]
        if call.receiver or len(call.arguments) != masked.arguments or "false" in call.template_arguments:
            continue
        sizes = [_size(context, call.arguments[index]) for index in masked.tensors]
        known = [size for size in sizes if size is not None]
        if not known or len(known) < len(sizes):
            continue
        room = REPEAT_BYTES // max(known)
        mask = call.arguments[masked.mask]
        message = _problem(context, call, mask, room)
        if message:
            yield Report(mask.span, message)


def counts_elements(context: LintContext) -> bool:
    """Return whether the program uses the counter mode, in which a mask counts the elements of all repeats."""
    return bool(context.mentions("SetMaskCount"))


def _size(context: LintContext, argument: Argument) -> int | None:
    place = place_of(context, argument)
    return TYPE_BYTES.get(place.element) if place is not None and place.element else None


def _problem(context: LintContext, call: Call, mask: Argument, room: int) -> str:
    count = context.value(mask.text, call.span.start)
    if count is not None:
        return (
            f"a repeat of {call.name} has {room} elements of this type, and the mask takes {count}"
            if count > room
            else ""
        )
    words = _words(context, mask)
    if room >= 2 * 64 or len(words) != 2 or not words[1]:
        return ""
    return f"a repeat of {call.name} has {room} elements of this type: the mask's second word has to be 0"


def _words(context: LintContext, mask: Argument) -> tuple[int | None, ...]:
    """Return the words of a mask that is a local array, as it is initialised; nothing where it is changed."""
    name = mask.text.strip()
    variable = context.structure.variable_at(name, mask.span.start) if name.isidentifier() else None
    if variable is None or not variable.is_array or variable.owner:
        return ()
    match = re.fullmatch(r"\{(?P<words>.*)\}", variable.value.strip(), re.DOTALL)
    if match is None or context.is_filled(variable):
        return ()
    return tuple(context.value(word, variable.span.start) for word in cpp_text.split(match.group("words")))


LINT = Lint("kernel/mask-range", Severity.ERROR, "a mask beyond the elements of a repeat", _check)
