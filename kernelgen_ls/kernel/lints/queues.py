"""How a kernel uses each of its queues: what the lints about queues share."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from attrs import frozen

from kernelgen_ls.kernel.lints.context import LintContext
from kernelgen_ls.kernel.structure import Call, KernelClass, Span, Variable

_METHODS = frozenset({"AllocTensor", "FreeTensor", "EnQue", "DeQue"})


@frozen
class QueueUse:
    """A queue whose every use this text shows: the calls of its methods and its ``InitBuffer``s."""

    queue: Variable
    allocs: tuple[Call, ...]
    frees: tuple[Call, ...]
    enques: tuple[Call, ...]
    deques: tuple[Call, ...]
    inits: tuple[Call, ...]


@lru_cache(maxsize=2)
def queue_uses(context: LintContext) -> tuple[QueueUse, ...]:
    """Return the queues whose uses are all in this text; one that is passed on or may be used elsewhere is left out."""
    structure = context.structure
    names = {queue.name for queue in structure.queues}
    by_queue: dict[str, list[Call]] = {name: [] for name in names}
    for call in structure.calls:
        if call.name in _METHODS and call.receiver:
            name = _last_name(call.receiver)
            if name in names:
                by_queue[name].append(call)
        elif call.name == "InitBuffer" and call.arguments:
            name = _last_name(call.arguments[0].text)
            if name in names:
                by_queue[name].append(call)
    uses: list[QueueUse] = []
    for queue in structure.queues:
        places = _places(context, queue)
        if places is None:
            continue
        calls = [call for call in by_queue[queue.name] if any(place.holds(call.span.start) for place in places)]
        if _mentions(context, queue, places) != len(calls):
            continue
        uses.append(
            QueueUse(
                queue,
                allocs=_named(calls, "AllocTensor"),
                frees=_named(calls, "FreeTensor"),
                enques=_named(calls, "EnQue"),
                deques=_named(calls, "DeQue"),
                inits=_named(calls, "InitBuffer"),
            )
        )
    return tuple(uses)


def _named(calls: list[Call], name: str) -> tuple[Call, ...]:
    return tuple(call for call in calls if call.name == name)


def _last_name(expression: str) -> str:
    plain = re.sub(r"\[[^\[\]]*\]|\s", "", expression.replace("->", "."))
    return plain.split(".")[-1].split("::")[-1]


def _places(context: LintContext, queue: Variable) -> list[Span] | None:
    """Return the spans of the text where ``queue`` can be used; None where other texts may use it too."""
    structure = context.structure
    if not queue.owner:
        return [queue.scope] if queue.scope.start else None
    owner = structure.class_named(queue.owner)
    if owner is None or owner.undefined or (context.is_header and queue.access != "private"):
        return None
    family = _family(structure.classes, owner, queue.access != "private")
    if any(item.undefined for item in family):
        return None
    if any(structure.class_named(base) is None for item in family for base in item.bases) and context.is_header:
        return None
    if any(other.name == queue.name and other is not queue for item in family for other in _members(context, item)):
        return None
    spans = [item.span for item in family]
    names = {item.name for item in family}
    spans += [function.span for function in structure.functions if function.owner in names or not function.owner]
    return spans


def _members(context: LintContext, item: KernelClass) -> Iterator[Variable]:
    return (variable for variable in context.structure.variables if variable.owner == item.name)


def _family(classes: tuple[KernelClass, ...], owner: KernelClass, inherited: bool) -> list[KernelClass]:
    """Return ``owner`` and the classes of this text that derive from it.

    Where its members are inherited, a class whose base is not of this text (a template parameter) may be one too.
    """
    known = {item.name for item in classes}
    family = [owner]
    for item in classes:
        derived = any(base == member.name for base in item.bases for member in family)
        mixed_in = inherited and any(base not in known for base in item.bases)
        if item not in family and (derived or mixed_in):
            family.append(item)
    return family


def _mentions(context: LintContext, queue: Variable, places: list[Span]) -> int:
    """Return how often the queue is named in ``places``, beside its declaration."""
    return sum(
        offset != queue.name_span.start and any(place.holds(offset) for place in places)
        for offset in context.mentions(queue.name)
    )
