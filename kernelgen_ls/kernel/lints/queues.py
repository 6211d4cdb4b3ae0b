"""How a program uses each of its queues: what the lints about queues share.

Every mention of a queue's name has to be understood, or nothing is said about the queue: a call of one of its methods,
the queue of an ``InitBuffer``, an argument for a parameter of a function of this program. What happens to a parameter
happens to every queue that is passed for it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property, lru_cache

from attrs import define, field, frozen

from kernelgen_ls.kernel.lints.calls import calls_of, last_name
from kernelgen_ls.kernel.lints.context import LintContext
from kernelgen_ls.kernel.reading import split_type
from kernelgen_ls.kernel.structure import Call, Function, Variable

METHODS = frozenset({"AllocTensor", "FreeTensor", "EnQue", "DeQue"})
_ASKING = frozenset({"VacantInQue", "HasTensorInQue", "GetTensorCountInQue", "HasIdleBuffer", "FreeAllEvent"})
_QUEUES = ("TQue", "TQueBind", "TSCM")
_USING = re.compile(r"\busing\s+(?:typename\s+)?(?:\w+(?:<[^<>;]*>)?\s*::\s*)+$")
_PLAIN_ARGUMENT = re.compile(r"&?\s*(?:this\s*->\s*)?(?P<name>[A-Za-z_]\w*)\s*(?:\[[^\[\]]*\])?")

Key = tuple[str, str]
"""A queue: the class it is a member of and its name, or "" and its name with the offset of its declaration."""


@frozen
class QueueUse:
    """A queue whose every use this program shows: the calls of its methods and its ``InitBuffer``s.

    ``queue`` is its declaration; of a class with specialisations, the first.
    """

    key: Key
    queue: Variable
    allocs: tuple[Call, ...]
    frees: tuple[Call, ...]
    enques: tuple[Call, ...]
    deques: tuple[Call, ...]
    inits: tuple[Call, ...]


@frozen
class Passed:
    """A call that hands queues on: for which parameter of which function, and the queues that the argument may be."""

    function: Function
    parameter: Key
    queues: frozenset[Key]


@define
class _Uses:
    """What was seen of one queue or parameter."""

    calls: list[Call] = field(factory=list)
    unknown: bool = False


@lru_cache(maxsize=2)
def queue_uses(context: LintContext) -> tuple[QueueUse, ...]:
    """Return the queues whose uses are all understood; one that may be used elsewhere is left out."""
    return queues_of(context).uses


@lru_cache(maxsize=2)
def queues_of(context: LintContext) -> Queues:
    """Return what a program does with its queues."""
    return Queues(context)


@define(eq=False)
class Queues:
    """Every mention of a queue in a program, resolved as far as the text goes."""

    context: LintContext
    operations: dict[int, tuple[Call, frozenset[Key]]] = field(factory=dict)
    """By the offset of a call's name: a method of a queue or an ``InitBuffer``, and the queues it may be of."""
    passed: dict[int, list[Passed]] = field(factory=dict)
    """By the offset of a call's name: the queues among its arguments."""

    asked: set[Key] = field(init=False, factory=set)
    """Queues whose state the program asks for before it uses them."""
    _seen: dict[Key, _Uses] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        for name in self._names:
            for offset in self.context.mentions(name):
                self._mention(name, offset)

    @cached_property
    def uses(self) -> tuple[QueueUse, ...]:
        """The queues whose uses are all understood."""
        found = []
        for key, queue in self.declared.items():
            if key in self.parameters or not self._is_whole(queue):
                continue
            everything = [self._seen.get(one, _Uses()) for one in self.reached(key)]
            if any(one.unknown for one in everything):
                continue
            calls = sorted((call for one in everything for call in one.calls), key=lambda call: call.span.start)
            named = {name: tuple(call for call in calls if call.name == name) for name in (*METHODS, "InitBuffer")}
            found.append(
                QueueUse(
                    key,
                    queue,
                    allocs=named["AllocTensor"],
                    frees=named["FreeTensor"],
                    enques=named["EnQue"],
                    deques=named["DeQue"],
                    inits=named["InitBuffer"],
                )
            )
        return tuple(found)

    @cached_property
    def declared(self) -> dict[Key, Variable]:
        """Every queue and every parameter that may be one, by its key."""
        declared: dict[Key, Variable] = {}
        for variable in self.context.structure.variables:
            if self._is_queue(variable) or _key(variable) in self.parameters:
                declared.setdefault(_key(variable), variable)
        return declared

    @cached_property
    def parameters(self) -> dict[Key, Function]:
        """The parameters of functions that a queue can be passed for."""
        return {
            ("", f"{parameter.name}@{parameter.span.start}"): function
            for function in self.context.structure.functions
            for parameter in function.parameters
            if parameter.name and self._takes_queue(parameter.type, function)
        }

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(variable.name for variable in self.declared.values())

    @cached_property
    def _by_name(self) -> dict[str, list[Key]]:
        by_name: dict[str, list[Key]] = {}
        for key, variable in self.declared.items():
            by_name.setdefault(variable.name, []).append(key)
        return by_name

    def _is_queue(self, variable: Variable) -> bool:
        return calls_of(self.context).type_of(variable.kind) in _QUEUES

    def _takes_queue(self, written: str, function: Function) -> bool:
        kind = calls_of(self.context).type_of(split_type(written)[0])
        return kind in _QUEUES or (kind in function.template_parameters and written.rstrip().endswith(("&", "*")))

    def _mention(self, name: str, offset: int) -> None:
        if offset in self._declarations:
            return
        keys = self._resolve(name, offset)
        if not keys:
            return
        call, argument = self._call_with(name, offset)
        if call is not None and argument is None:
            if call.name in METHODS:
                self._operation(call, keys)
            elif call.name in _ASKING:
                self.asked |= keys
            else:
                self._lose(keys)
        elif call is not None and argument == 0 and call.name == "InitBuffer":
            self._operation(call, keys)
        elif call is not None and argument is not None and self._pass(call, argument, keys):
            pass
        elif not _USING.search(self.context.source.plain, max(0, offset - 120), offset):
            self._lose(keys)

    def _operation(self, call: Call, keys: frozenset[Key]) -> None:
        self.operations[call.name_span.start] = (call, keys)
        for key in keys:
            self._seen.setdefault(key, _Uses()).calls.append(call)

    def _lose(self, keys: frozenset[Key]) -> None:
        for key in keys:
            self._seen.setdefault(key, _Uses()).unknown = True

    def _pass(self, call: Call, argument: int, keys: frozenset[Key]) -> bool:
        """Record that queues are handed to functions of this program; False where one of them is not seen to be."""
        functions = calls_of(self.context).called(call).functions
        found = []
        for function in functions:
            if len(function.parameters) <= argument:
                return False
            parameter = function.parameters[argument]
            key = ("", f"{parameter.name}@{parameter.span.start}")
            if parameter.name and key not in self.parameters:
                return False
            if parameter.name:
                found.append(Passed(function, key, keys))
        self.passed.setdefault(call.name_span.start, []).extend(found)
        return bool(functions)

    @cached_property
    def _declarations(self) -> frozenset[int]:
        return frozenset(
            variable.name_span.start for variable in self.context.structure.variables if variable.name in self._names
        )

    def _resolve(self, name: str, offset: int) -> frozenset[Key]:
        """Return the queues that ``name`` may mean at ``offset``; none where it means something else."""
        structure, plain = self.context.structure, self.context.source.plain
        before = plain[max(0, offset - 80) : offset].rstrip()
        every = self._by_name[name]
        if before.endswith((".", "->")) and not re.search(r"\bthis\s*->$", before):
            return frozenset(key for key in every if key[0])
        own = re.search(r"\bthis\s*->$", before) is not None
        function = structure.function_at(offset)
        variable = None if own else structure.variable_at(name, offset)
        if variable is not None and not variable.owner:
            key = _key(variable)
            return frozenset({key}) if key in self.declared else frozenset()
        if function is None or not function.owner:
            return frozenset(key for key in every if key[0])
        lineage = structure.lineage(function.owner)
        for ancestor in lineage:
            if (ancestor, name) in self.declared:
                return frozenset({(ancestor, name)})
            if any(one.owner == ancestor for one in structure.variables_called(name)):
                return frozenset()
        if all(structure.class_named(ancestor) is not None for ancestor in lineage):
            return frozenset()
        return frozenset(key for key in every if key[0])

    def _call_with(self, name: str, offset: int) -> tuple[Call | None, int | None]:
        """Return the innermost call that ``offset`` is in: its receiver (None) or its argument of that number."""
        for call in self._calls_around(offset):
            for index, argument in enumerate(call.arguments):
                if argument.span.holds(offset):
                    match = _PLAIN_ARGUMENT.fullmatch(argument.text.strip())
                    plain = match is not None and match.group("name") == name
                    return (call, index) if plain or last_name(argument.text) == name else (None, None)
            if call.span.start <= offset < call.name_span.start and call.receiver:
                return (call, None) if last_name(call.receiver) == name else (None, None)
        return None, None

    def _calls_around(self, offset: int) -> Iterator[Call]:
        """Yield the calls whose text holds ``offset``, innermost first."""
        calls = self.context.structure.calls
        index = bisect_right(self._call_starts, offset) - 1
        reach = 0
        while index >= 0 and reach < 64:
            if calls[index].span.holds(offset):
                yield calls[index]
            index -= 1
            reach += 1

    @cached_property
    def _call_starts(self) -> list[int]:
        return [call.span.start for call in self.context.structure.calls]

    def reached(self, key: Key) -> dict[Key, None]:
        """Return a queue and the parameters that it is passed for, directly or through others."""
        found: dict[Key, None] = {key: None}
        waiting = [key]
        while waiting:
            for parameter in self._passed_for.get(waiting.pop(), ()):
                if parameter not in found:
                    found[parameter] = None
                    waiting.append(parameter)
        return found

    @cached_property
    def _passed_for(self) -> dict[Key, list[Key]]:
        passed: dict[Key, list[Key]] = {}
        for listed in self.passed.values():
            for one in listed:
                for queue in one.queues:
                    passed.setdefault(queue, []).append(one.parameter)
        return passed

    def _is_whole(self, queue: Variable) -> bool:
        """Return whether everything that can use a queue is in this program."""
        structure = self.context.structure
        if not queue.owner:
            return queue.scope.start != 0
        classes = [item for item in structure.classes if item.name == queue.owner]
        if not classes or any(item.undefined for item in classes):
            return False
        if queue.access == "private":
            return True
        if self.context.source.is_header:
            return False
        derived = [item for item in structure.classes if queue.owner in structure.lineage(item.name)]
        return not any(item.undefined for item in derived) and self._is_used(queue.owner)

    def _is_used(self, owner: str) -> bool:
        """Return whether a class is named outside of itself: one that this program does not use is for another."""
        structure = self.context.structure
        inside = [item.span for item in structure.classes if item.name == owner]
        inside += [function.span for function in structure.functions if function.owner == owner]
        return any(not any(span.holds(offset) for span in inside) for offset in self.context.mentions(owner))


def _key(variable: Variable) -> Key:
    return (variable.owner, variable.name) if variable.owner else ("", f"{variable.name}@{variable.name_span.start}")
