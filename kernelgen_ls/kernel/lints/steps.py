"""What a function does, in the order in which it runs."""

from __future__ import annotations

from attrs import frozen

from kernelgen_ls.kernel.structure import Call, Conditional, Jump, Loop, Span, Structure


@frozen
class Step:
    """A part of a function in the order it runs: a call, a jump, a loop or a conditional with what stands in it."""

    at: Call | Jump | Loop | Conditional
    inside: tuple[tuple[Step, ...], ...] = ()


def steps_of(structure: Structure, span: Span) -> tuple[Step, ...]:
    """Return what stands in ``span``, in order, with what stands inside of loops and conditionals below them."""
    inside = [
        item
        for items in (structure.calls, structure.jumps, structure.loops, structure.conditionals)
        for item in items
        if span.start <= item.span.start and item.span.end <= span.end
    ]
    # An argument's calls run before the call itself.
    return _nested(structure, sorted(inside, key=lambda item: (item.span.start, -item.span.end)), span)


def _nested(structure: Structure, items: list[Call | Jump | Loop | Conditional], span: Span) -> tuple[Step, ...]:
    steps: list[tuple[int, Step]] = []
    index = 0
    while index < len(items):
        item = items[index]
        index += 1
        if isinstance(item, Call):
            steps.append((item.span.end, Step(item)))
            continue
        within = []
        while index < len(items) and items[index].span.start < item.span.end:
            within.append(items[index])
            index += 1
        if isinstance(item, Jump):
            steps.extend((one.span.end, Step(one)) for one in within if isinstance(one, Call))
            steps.append((item.span.end, Step(item)))
            continue
        places = (item.body,) if isinstance(item, Loop) else item.arms
        asked = [one for one in within if not any(place.holds(one.span.start) for place in places)]
        steps.extend((item.span.start, step) for step in _nested(structure, asked, item.span))
        below = tuple(
            _nested(structure, [one for one in within if place.holds(one.span.start)], place) for place in places
        )
        steps.append((item.span.end, Step(item, below)))
    return tuple(step for _, step in sorted(steps, key=lambda pair: pair[0]))
