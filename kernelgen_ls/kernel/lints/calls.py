"""Who calls whom in a program: which functions a call may mean, what the entry surely reaches, what runs repeatedly."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache

from attrs import define, field, frozen

from kernelgen_ls.kernel.lints.context import LintContext
from kernelgen_ls.kernel.reading import split_type
from kernelgen_ls.kernel.structure import Call, Function

_WORD = re.compile(r"[A-Za-z_]\w*")


@frozen
class Called:
    """The functions of the program that a call may mean; ``certain`` where it surely means one of them."""

    functions: tuple[Function, ...]
    certain: bool


_NONE = Called((), False)


@lru_cache(maxsize=2)
def calls_of(context: LintContext) -> Calls:
    """Return who calls whom in a program."""
    return Calls(context)


@define(eq=False)
class Calls:
    """The calls of a program, resolved by name, class and the type of their receiver."""

    context: LintContext
    _called: dict[int, Called] = field(factory=dict, init=False, repr=False)

    def called(self, call: Call) -> Called:
        """Return what ``call`` may mean."""
        start = call.name_span.start
        known = self._called.get(start)
        if known is None:
            known = self._called[start] = self._meant(call)
        return known

    def _meant(self, call: Call) -> Called:
        structure = self.context.structure
        named = self.by_name.get(call.name, ())
        given = len(call.arguments)
        exact = tuple(function for function in named if len(function.parameters) == given)
        # Parameters with defaults may be left out.
        fitting = exact or tuple(function for function in named if len(function.parameters) > given)
        if not fitting:
            return _NONE
        if call.qualifier:
            owner = self.type_of(split_type(call.qualifier.split("::")[-1])[0])
            return _of_class(fitting, structure.lineage(owner), fitting)
        if call.receiver and call.receiver != "this":
            methods = tuple(function for function in fitting if function.owner)
            variable = structure.variable_at(last_name(call.receiver), call.span.start)
            lineage = structure.lineage(self.type_of(variable.kind)) if variable is not None else ()
            return _of_class(methods, lineage, methods)
        caller = structure.function_at(call.span.start)
        lineage = structure.lineage(caller.owner) if caller is not None and caller.owner else ()
        free = tuple(function for function in fitting if not function.owner)
        return _of_class(fitting, lineage, free or fitting)

    def type_of(self, kind: str) -> str:
        """Return the name of the type that a written kind means: itself, or what it is an alias of."""
        meaning = self.context.structure.aliases.get(kind)
        return split_type(meaning)[0] if meaning else kind

    def surely_runs(self, offset: int) -> bool:
        """Return whether what stands at ``offset`` is in a function that every build of the kernel reaches.

        An arm that a template parameter or the build chooses may be in none of this kernel's builds.
        """
        if not self.context.structure.entries:
            return True
        function = self.context.structure.function_at(offset)
        return function is not None and function.span.start in self._reached and not self._is_chosen(offset, function)

    def runs_again(self, call: Call) -> bool:
        """Return whether a call runs more than once: in a loop, or in a function that is called from one."""
        if self.context.structure.loops_at(call.span.start):
            return True
        function = self.context.structure.function_at(call.span.start)
        return function is not None and self.repeats(function)

    def sure(self, calls: tuple[Call, ...]) -> tuple[Call, ...]:
        """Return those of ``calls`` that every build of the kernel reaches."""
        return tuple(call for call in calls if self.surely_runs(call.span.start))

    def repeats(self, function: Function) -> bool:
        """Return whether ``function`` is called from inside a loop, directly or through others."""
        return function.span.start in self._repeated

    @cached_property
    def by_name(self) -> dict[str, list[Function]]:
        """The functions of the program by their names."""
        by_name: dict[str, list[Function]] = {}
        for function in self.context.structure.functions:
            by_name.setdefault(function.name, []).append(function)
        return by_name

    @cached_property
    def _edges(self) -> dict[int, list[tuple[Call, Function]]]:
        """By the start of a function: the calls in it and what they may mean."""
        edges: dict[int, list[tuple[Call, Function]]] = {}
        for name in self.by_name:
            for call in self.context.structure.calls_of(name):
                caller = self.context.structure.function_at(call.span.start)
                if caller is not None:
                    listed = edges.setdefault(caller.span.start, [])
                    listed.extend((call, function) for function in self.called(call).functions)
        return edges

    @cached_property
    def _reached(self) -> frozenset[int]:
        reached: set[int] = set()
        waiting = list(self._roots())
        while waiting:
            function = waiting.pop()
            if function.span.start in reached:
                continue
            reached.add(function.span.start)
            for call, called in self._edges.get(function.span.start, ()):
                if not self._is_chosen(call.span.start, function):
                    waiting.append(called)
        return frozenset(reached)

    def _roots(self) -> Iterator[Function]:
        """Yield what runs without a call that is seen: entries, constructors, what is named other than by a call."""
        structure = self.context.structure
        defined = {item.name for item in structure.classes}
        known = {call.name_span.start for call in structure.calls}
        known |= {function.name_span.start for function in structure.functions}
        for name, functions in self.by_name.items():
            declared = sum(name in item.declared for item in structure.classes)
            inside = [function.span for function in functions]
            named = [
                offset
                for offset in self.context.mentions(name)
                if offset not in known and not any(span.holds(offset) for span in inside)
            ]
            for function in functions:
                # A base that is not seen may call the functions of what derives from it.
                open_base = function.owner and not defined.issuperset(structure.lineage(function.owner))
                if (
                    function.is_entry
                    or function.name.lstrip("~") == function.owner
                    or open_base
                    or len(named) > declared
                ):
                    yield function

    @cached_property
    def _repeated(self) -> frozenset[int]:
        structure = self.context.structure
        repeated: set[int] = set()
        waiting = [
            function
            for edges in self._edges.values()
            for call, function in edges
            if structure.loops_at(call.span.start)
        ]
        while waiting:
            function = waiting.pop()
            if function.span.start not in repeated:
                repeated.add(function.span.start)
                waiting.extend(called for _, called in self._edges.get(function.span.start, ()))
        return frozenset(repeated)

    def is_weighed(self, offset: int) -> bool:
        """Return whether ``offset`` is in an arm of an ``if`` that asks, as it runs, for what an instance knows."""
        function = self.context.structure.function_at(offset)
        if function is None:
            return False
        parameters = frozenset(function.template_parameters)
        return any(
            not item.compile_time
            and item.span.holds(offset)
            and parameters.intersection(
                _WORD.findall(self.context.source.plain, item.condition.start, item.condition.end)
            )
            for item in self.context.structure.conditionals_in(function)
        )

    def _is_chosen(self, offset: int, function: Function) -> bool:
        """Return whether ``offset`` stands in an arm that a template parameter, or the build, chooses.

        Outside of classes such an arm chooses the object, and with it all that is said of its queues.
        """
        if not function.owner:
            return False
        if self.context.source.is_open(offset):
            return True
        parameters = frozenset(function.template_parameters)
        for item in self.context.structure.conditionals_in(function):
            if item.span.holds(offset) and not item.condition.holds(offset):
                asked = self.context.source.plain[item.condition.start : item.condition.end]
                if item.compile_time or parameters.intersection(_WORD.findall(asked)):
                    return True
        return False


def last_name(expression: str) -> str:
    """Return the name that an expression of members ends in: ``this->queues[i]`` gives queues."""
    if expression.isidentifier():
        return expression
    plain = re.sub(r"\[[^\[\]]*\]|[\s&*()]", "", expression.replace("->", "."))
    return plain.split(".")[-1].split("::")[-1]


def _of_class(fitting: tuple[Function, ...], lineage: tuple[str, ...], otherwise: tuple[Function, ...]) -> Called:
    own = tuple(function for function in fitting if function.owner in lineage and function.owner)
    return Called(own, True) if own else Called(otherwise, False)
