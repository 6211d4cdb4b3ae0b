"""Which queues of a program can be counted, and where: the functions and steps that have to do with any."""

from __future__ import annotations

from functools import cached_property

from attrs import define, field

from kernelgen_ls.kernel.lints.calls import calls_of
from kernelgen_ls.kernel.lints.context import LintContext
from kernelgen_ls.kernel.lints.queues import Key, Queues, queue_uses
from kernelgen_ls.kernel.lints.steps import Step, steps_of
from kernelgen_ls.kernel.reading import split_type
from kernelgen_ls.kernel.structure import Call, Function, Jump, Span, Variable

MOST_DEPTH = 24
"""So deep calls, and classes that are members of each other, are followed."""


@define(eq=False)
class QueueReach:
    """The reach of a program's queues."""

    context: LintContext
    queues: Queues
    _steps: dict[int, tuple[Step, ...] | None] = field(init=False, factory=dict)

    @cached_property
    def followed(self) -> frozenset[Key]:
        """The queues whose counts mean something: every use is understood, and there is one of it at a time."""
        return frozenset(
            use.key
            for use in queue_uses(self.context)
            if not use.queue.is_array
            and self._is_single(use.key[0])
            and use.inits
            and not any(one in self.queues.asked for one in self.queues.reached(use.key))
            and not any(self._in_lambda(call) for call in (*use.allocs, *use.frees, *use.enques, *use.deques))
        )

    def _in_lambda(self, call: Call) -> bool:
        return any(span.holds(call.span.start) for span in self.context.structure.lambdas)

    def _is_single(self, owner: str, depth: int = 0) -> bool:
        """Return whether no two objects of a class live in one scope, where their queues would be counted as one."""
        if not owner:
            return True
        if depth > MOST_DEPTH:
            return False
        objects = self._objects.get(owner, [])
        for index, one in enumerate(objects):
            if one.is_array or (one.owner and not self._is_single(one.owner, depth + 1)):
                return False
            for other in objects[:index]:
                if one.owner == other.owner and (one.owner or _overlap(one.scope, other.scope)):
                    return False
        return True

    @cached_property
    def _objects(self) -> dict[str, list[Variable]]:
        """The variables and members of each class's type, those of what derives from it among them."""
        structure = self.context.structure
        lineages = {item.name: structure.lineage(item.name) for item in structure.classes}
        objects: dict[str, list[Variable]] = {}
        for variable in structure.variables:
            meaning = structure.aliases.get(variable.kind)
            for owner in lineages.get(split_type(meaning)[0] if meaning else variable.kind, ()):
                objects.setdefault(owner, []).append(variable)
        return objects

    def has_queues(self, function: Function) -> bool:
        """Return whether a queue is used in a function, or in one that it names, directly or through others."""
        return function.span.start in self._with_queues

    @cached_property
    def _with_queues(self) -> frozenset[int]:
        """The starts of the functions that have to do with queues."""
        structure = self.context.structure
        naming: dict[str, list[Function]] = {}
        for name in calls_of(self.context).by_name:
            functions = (structure.function_at(offset) for offset in self.context.mentions(name))
            naming[name] = [function for function in functions if function is not None]
        found: set[int] = set()
        used = (structure.function_at(offset) for offset in (*self.queues.operations, *self.queues.passed))
        waiting = [function for function in used if function is not None]
        while waiting:
            function = waiting.pop()
            if function.span.start not in found:
                found.add(function.span.start)
                waiting.extend(naming.get(function.name, ()))
        return frozenset(found)

    def body(self, function: Function) -> tuple[Step, ...] | None:
        """What of a function has to do with queues or leaves it, in order; None where its text is broken."""
        start = function.span.start
        if start not in self._steps:
            broken = any(function.span.holds(offset) for offset in self.context.structure.broken)
            self._steps[start] = None if broken else self._relevant(steps_of(self.context.structure, function.body))
        return self._steps[start]

    def _relevant(self, steps: tuple[Step, ...]) -> tuple[Step, ...]:
        """Return the steps without those that neither use a queue nor leave a function."""
        kept = []
        for step in steps:
            if isinstance(step.at, Call):
                functions = calls_of(self.context).called(step.at).functions
                uses = step.at.name_span.start in self.queues.operations
                if uses or any(self.has_queues(function) for function in functions):
                    kept.append(step)
                continue
            inside = tuple(self._relevant(each) for each in step.inside)
            if isinstance(step.at, Jump) or any(inside):
                kept.append(Step(step.at, inside))
        return tuple(kept)


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end
