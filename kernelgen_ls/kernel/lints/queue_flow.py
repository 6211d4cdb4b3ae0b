"""What happens to a program's queues when it runs, counted: tensors that are out, tensors that wait.

A program is walked from its entry through the functions it calls. Of every queue it is known between which numbers
lie the tensors that are allocated and not freed, and those that were enqueued and not dequeued. An ``if`` widens them
to what either arm leaves; a loop is walked twice, for what its first and its second turn do is certain whenever they
run. A problem is only what holds at both ends of the numbers: whichever way the kernel got there. After one, nothing
more is said of its queue.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache

from attrs import define, evolve, field, frozen

from kernelgen_ls.kernel.lints.calls import calls_of
from kernelgen_ls.kernel.lints.context import LintContext
from kernelgen_ls.kernel.lints.queues import Key, Passed, Queues, queue_uses, queues_of
from kernelgen_ls.kernel.reading import split_type
from kernelgen_ls.kernel.structure import Call, Conditional, Function, Jump, Loop, Span, Variable

MOST_OF_A_POSITION = 8
"""Tensors that the queues of one position can have out at the same time: each takes an event of the pipe."""

_MANY = 1 << 30
_MOST_STEPS = 3_000
_MOST_DEPTH = 24


@frozen
class Problem:
    """What ``call`` does to ``queue``: ``kind`` is hang, overdrawn, grows, position or freed.

    ``number`` is how many buffers the queue has (overdrawn, grows) or how many tensors are out (position).
    """

    kind: str
    call: Call
    queue: Key
    number: int
    arms: int
    """How many arms of conditionals the walk was inside of."""


@frozen
class _Count:
    """What is known of one queue: between which numbers its tensors lie, and its buffers (None: not known)."""

    least_out: int = 0
    most_out: int = 0
    least_waiting: int = 0
    most_waiting: int = 0
    buffers: int | None = None


_ANYTHING = _Count(0, _MANY, 0, _MANY, None)
_State = Mapping[Key, _Count]


@lru_cache(maxsize=2)
def queue_problems(context: LintContext) -> tuple[Problem, ...]:
    """Return what is certain to go wrong with the queues of a program whose entry is seen."""
    return _Walk(context, queues_of(context)).problems()


@frozen
class _Step:
    """A part of a function in the order it runs: a call, a jump, a loop or a conditional with what stands in it."""

    at: Call | Jump | Loop | Conditional
    inside: tuple[tuple[_Step, ...], ...] = ()


@define
class _Ways:
    """The states in which a piece of a function is left: at its end, by ``return``, by ``break`` or ``continue``."""

    end: _State | None
    returned: _State | None = None
    broken: _State | None = None


class _GiveUpError(Exception):
    """The program has more ways than are looked at."""


@define(eq=False)
class _Walk:
    context: LintContext
    queues: Queues
    _found: dict[tuple[str, int], Problem] = field(init=False, factory=dict)
    _steps: dict[int, tuple[_Step, ...] | None] = field(init=False, factory=dict)
    _count: int = field(init=False, default=0)
    _arms: int = field(init=False, default=0)
    _doubts: int = field(init=False, default=0)
    _done: list[tuple[Call, Key]] = field(init=False, factory=list)
    _visited: set[int] = field(init=False, factory=set)
    _within: list[tuple[int, tuple[tuple[Key, frozenset[Key]], ...]]] = field(init=False, factory=list)

    def problems(self) -> tuple[Problem, ...]:
        """Walk from every entry."""
        try:
            for entry in self.context.structure.entries:
                self._function(entry, {}, {})
        except _GiveUpError:
            return ()
        unseen = {
            key
            for offset, (_, keys) in self.queues.operations.items()
            if offset not in self._visited and not self.context.is_discarded(offset)
            for key in self._followed
            if any(one in keys for one in self.queues.reached(key))
        }
        return tuple(problem for problem in self._found.values() if problem.queue not in unseen)

    @cached_property
    def _followed(self) -> frozenset[Key]:
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
        if depth > _MOST_DEPTH:
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

    def _function(self, function: Function, bound: Mapping[Key, frozenset[Key]], state: _State) -> _State | None:
        """Return the state after a call of ``function``; None where it never comes back."""
        if not self._has_queues(function):
            return state
        key = (function.span.start, tuple(sorted(bound.items(), key=lambda item: item[0])))
        if key in self._within or len(self._within) > _MOST_DEPTH:
            return self._lost(function, state)
        self._within.append(key)
        body = self._body(function)
        ways = _Ways(self._lost(function, state)) if body is None else self._block(body, bound, state)
        self._within.pop()
        return _join(ways.end, ways.returned)

    def _lost(self, function: Function, state: _State) -> _State:
        """What is known after a function that cannot be walked: nothing of the queues that it can have to do with."""
        return dict.fromkeys(self._followed | set(state), _ANYTHING) if self._has_queues(function) else state

    def _has_queues(self, function: Function) -> bool:
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

    def _block(self, steps: tuple[_Step, ...], bound: Mapping[Key, frozenset[Key]], state: _State) -> _Ways:
        ways = _Ways(state)
        arms = self._arms
        for step in steps:
            if ways.end is None:
                break
            self._count += 1
            if self._count > _MOST_STEPS:
                raise _GiveUpError
            before = ways.end
            optional = self.context.source.is_open(step.at.span.start)
            self._arms += optional
            inner = self._step(step, bound, before)
            ways.returned = _join(ways.returned, inner.returned)
            ways.broken = _join(ways.broken, inner.broken)
            ways.end = _join(inner.end, before) if optional else inner.end
            self._arms -= optional
            # What stands behind a jump that is not always made is not always reached.
            if inner.returned is not None or inner.broken is not None:
                self._arms += 1
        self._arms = arms
        return ways

    def _step(self, step: _Step, bound: Mapping[Key, frozenset[Key]], state: _State) -> _Ways:
        at = step.at
        if isinstance(at, Call):
            return _Ways(self._call(at, bound, state))
        if isinstance(at, Loop):
            return self._loop(step, at, bound, state)
        if isinstance(at, Conditional):
            self._arms += 1
            ways = self._conditional(at, step, bound, state)
            self._arms -= 1
            return ways
        if at.kind == "goto":
            raise _GiveUpError
        return _Ways(None, returned=state) if at.kind == "return" else _Ways(None, broken=state)

    def _conditional(self, at: Conditional, step: _Step, bound: Mapping[Key, frozenset[Key]], state: _State) -> _Ways:
        ways = _Ways(None if at.exhaustive else state)
        before: _State | None = None
        for index, inside in enumerate(step.inside):
            if at.compile_time and self.context.is_discarded(at.arms[index].start):
                continue
            begin = _join(state, before) if at.falls_through else state
            assert begin is not None, "an arm begins with what stands before it"
            arm = self._block(inside, bound, begin)
            ways.returned = _join(ways.returned, arm.returned)
            if at.falls_through:
                before = arm.end
                ways.end = _join(ways.end, arm.broken)
            else:
                ways.broken = _join(ways.broken, arm.broken)
            ways.end = _join(ways.end, arm.end)
        return ways

    def _loop(self, step: _Step, at: Loop, bound: Mapping[Key, frozenset[Key]], state: _State) -> _Ways:
        outside, begun = self._found, len(self._done)
        first, found = self._turn(step, bound, state)
        done = self._done[begun:]
        once = _join(first.end, first.broken)
        if once is None or _join(state, once) == state:
            self._found = {**found, **outside}
            return _Ways(_join(state, once), first.returned)
        second, more = self._turn(step, bound, once)
        twice = _join(second.end, second.broken)
        # Which arm a turn takes can depend on the turn: in arms only what every turn may find counts.
        certain = {key: one for key, one in {**more, **found}.items() if one.arms == self._arms}
        whole = _widened(state, once, twice)
        _, anywhere = self._turn(step, bound, whole)
        self._found = {**anywhere, **certain, **outside}
        if twice is not None and first.broken is None and second.broken is None:
            self._growth(at, done, state, once, twice)
        return _Ways(whole, _join(first.returned, second.returned))

    def _turn(
        self, step: _Step, bound: Mapping[Key, frozenset[Key]], state: _State
    ) -> tuple[_Ways, dict[tuple[str, int], Problem]]:
        """Walk a loop's body once; return how it is left and the problems found in it."""
        self._found = {}
        ways = self._block(step.inside[0], bound, state)
        return ways, self._found

    def _growth(self, at: Loop, done: list[tuple[Call, Key]], state: _State, once: _State, twice: _State) -> None:
        """Report the queue that every turn of a loop takes more tensors from than it gives back.

        ``done`` are the operations of a turn. A loop that only fills queues fills them ahead of another one, as far as
        there are buffers.
        """
        if not any(call.name in ("DeQue", "FreeTensor") for call, _ in done):
            return
        for key, after in twice.items():
            earlier, before = once.get(key, _Count()), state.get(key, _Count())
            grows = after.least_out - earlier.least_out
            if grows < 1 or earlier.least_out - before.least_out < 1 or after.buffers is None:
                continue
            turns = self._turns(at)
            if turns is not None and before.least_out + turns * grows <= after.buffers:
                continue
            alloc = next((call for call, queue in done if queue == key and call.name == "AllocTensor"), None)
            if alloc is not None:
                self._report("grows", alloc, key, after.buffers)

    def _turns(self, loop: Loop) -> int | None:
        match = re.search(r"=\s*(?P<first>\w+)\s*;\s*\w+\s*(?P<less><=?|!=)\s*(?P<bound>[^;]+);", loop.header)
        if match is None:
            return None
        first = self.context.value(match.group("first"), loop.span.start)
        last = self.context.value(match.group("bound"), loop.span.start)
        return None if first is None or last is None else last - first + (match.group("less") == "<=")

    def _call(self, call: Call, bound: Mapping[Key, frozenset[Key]], state: _State) -> _State | None:
        operation = self.queues.operations.get(call.name_span.start)
        if operation is not None:
            return self._operation(call, _bound(operation[1], bound), state)
        called = calls_of(self.context).called(call)
        after = None if called.certain else state
        doubted = not called.certain or len(called.functions) > 1
        self._doubts += doubted
        for function in called.functions:
            inner = {one.parameter: _bound(one.queues, bound) for one in self._passed(call, function)}
            after = _join(after, self._function(function, inner, state))
        self._doubts -= doubted
        return after if called.functions else state

    def _passed(self, call: Call, function: Function) -> Iterator[Passed]:
        return (one for one in self.queues.passed.get(call.name_span.start, ()) if one.function is function)

    def _operation(self, call: Call, keys: frozenset[Key], state: _State) -> _State:
        self._visited.add(call.name_span.start)
        followed = keys & self._followed
        if not followed:
            return state
        if len(keys) > 1:
            return {**state, **dict.fromkeys(followed, _ANYTHING)}
        (key,) = followed
        self._done.append((call, key))
        count = state.get(key, _Count())
        if call.name == "InitBuffer":
            buffers = self.context.value(call.arguments[1].text, call.span.start) if len(call.arguments) == 3 else None
            return {**state, key: _Count(buffers=buffers)}
        if call.name == "AllocTensor":
            count = evolve(count, least_out=count.least_out + 1, most_out=_more(count.most_out))
            if count.buffers is not None and count.least_out > count.buffers:
                self._report("overdrawn", call, key, count.buffers)
                count = _ANYTHING
            after = {**state, key: count}
            if self._fits(call, key, after):
                return after
            position = self.queues.declared[key].position
            return {one: _ANYTHING if self._is_at(one, position) else count for one, count in after.items()}
        if call.name == "EnQue":
            count = evolve(count, least_waiting=count.least_waiting + 1, most_waiting=_more(count.most_waiting))
        elif call.name == "DeQue":
            if count.most_waiting == 0:
                self._report("hang", call, key, 0)
                return {**state, key: _ANYTHING}
            count = evolve(
                count, least_waiting=max(count.least_waiting - 1, 0), most_waiting=_fewer(count.most_waiting)
            )
        else:
            if count.most_out == 0:
                self._report("freed", call, key, 0)
                return {**state, key: _ANYTHING}
            count = evolve(count, least_out=max(count.least_out - 1, 0), most_out=_fewer(count.most_out))
        return {**state, key: count}

    def _fits(self, call: Call, key: Key, state: _State) -> bool:
        """Return whether the tensors that are out at a queue's position may be as many as the position allows."""
        position = self.queues.declared[key].position
        out = sum(count.least_out for other, count in state.items() if self.queues.declared[other].position == position)
        if position not in ("VECIN", "VECOUT") or out <= MOST_OF_A_POSITION:
            return True
        self._report("position", call, key, out)
        return False

    def _is_at(self, key: Key, position: str) -> bool:
        return self.queues.declared[key].position == position

    def _relevant(self, steps: tuple[_Step, ...]) -> tuple[_Step, ...]:
        """Return the steps without those that neither use a queue nor leave a function."""
        kept = []
        for step in steps:
            if isinstance(step.at, Call):
                functions = calls_of(self.context).called(step.at).functions
                uses = step.at.name_span.start in self.queues.operations
                if uses or any(self._has_queues(function) for function in functions):
                    kept.append(step)
                continue
            inside = tuple(self._relevant(each) for each in step.inside)
            if isinstance(step.at, Jump) or any(inside):
                kept.append(_Step(step.at, inside))
        return tuple(kept)

    def _report(self, kind: str, call: Call, key: Key, number: int) -> None:
        # What may be another function's business is no way that is known to be taken.
        if not self._doubts:
            self._found.setdefault((kind, call.span.start), Problem(kind, call, key, number, self._arms))

    def _body(self, function: Function) -> tuple[_Step, ...] | None:
        """Return what a function does in order; None where its text is broken."""
        start = function.span.start
        if start not in self._steps:
            broken = any(function.span.holds(offset) for offset in self.context.structure.broken)
            self._steps[start] = None if broken else self._relevant(_read(self.context, function.body))
        return self._steps[start]


def _read(context: LintContext, span: Span) -> tuple[_Step, ...]:
    """Return what stands in ``span``, in order, with what stands inside of loops and conditionals below them."""
    structure = context.structure
    inside = [
        item
        for items in (structure.calls, structure.jumps, structure.loops, structure.conditionals)
        for item in items
        if span.start <= item.span.start and item.span.end <= span.end
    ]
    # An argument's calls run before the call itself.
    return _nested(context, sorted(inside, key=lambda item: (item.span.start, -item.span.end)), span)


def _nested(context: LintContext, items: list[Call | Jump | Loop | Conditional], span: Span) -> tuple[_Step, ...]:
    steps: list[tuple[int, _Step]] = []
    index = 0
    while index < len(items):
        item = items[index]
        index += 1
        if isinstance(item, Call):
            steps.append((item.span.end, _Step(item)))
            continue
        within = []
        while index < len(items) and items[index].span.start < item.span.end:
            within.append(items[index])
            index += 1
        if isinstance(item, Jump):
            steps.extend((one.span.end, _Step(one)) for one in within if isinstance(one, Call))
            steps.append((item.span.end, _Step(item)))
            continue
        places = (item.body,) if isinstance(item, Loop) else item.arms
        asked = [one for one in within if not any(place.holds(one.span.start) for place in places)]
        steps.extend((item.span.start, step) for step in _nested(context, asked, item.span))
        below = tuple(
            _nested(context, [one for one in within if place.holds(one.span.start)], place) for place in places
        )
        steps.append((item.span.end, _Step(item, below)))
    return tuple(step for _, step in sorted(steps, key=lambda pair: pair[0]))


def _bound(keys: frozenset[Key], bound: Mapping[Key, frozenset[Key]]) -> frozenset[Key]:
    """Return the queues that ``keys`` are in this call of a function: its parameters are what was passed."""
    found: set[Key] = set()
    for key in keys:
        found |= bound.get(key, frozenset({key}))
    return frozenset(found)


def _more(most: int) -> int:
    return most if most >= _MANY else most + 1


def _fewer(most: int) -> int:
    return most if most >= _MANY else most - 1


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def _join(one: _State | None, other: _State | None) -> _State | None:
    """Return what is known where one of two states holds."""
    if one is None or other is None or one is other:
        return one if other is None else other
    joined: dict[Key, _Count] = {}
    for key in one.keys() | other.keys():
        mine, theirs = one.get(key), other.get(key)
        # A queue that one state does not know has nothing out there; its buffers are those that the other one gave it.
        mine = mine or _Count(buffers=theirs.buffers if theirs is not None else None)
        theirs = theirs or _Count(buffers=mine.buffers)
        joined[key] = _Count(
            min(mine.least_out, theirs.least_out),
            max(mine.most_out, theirs.most_out),
            min(mine.least_waiting, theirs.least_waiting),
            max(mine.most_waiting, theirs.most_waiting),
            None if mine.buffers is None or theirs.buffers is None else max(mine.buffers, theirs.buffers),
        )
    return joined


def _widened(state: _State, once: _State, twice: _State | None) -> _State:
    """Return what is known after any number of turns of a loop."""
    joined = _join(_join(state, once), twice)
    assert joined is not None, "two states have a join"
    if twice is None:
        return joined
    wide = dict(joined)
    for key, count in joined.items():
        first, second = once.get(key, _Count()), twice.get(key, _Count())
        wide[key] = evolve(
            count,
            least_out=0 if second.least_out < first.least_out else count.least_out,
            most_out=_MANY if second.most_out > first.most_out else count.most_out,
            least_waiting=0 if second.least_waiting < first.least_waiting else count.least_waiting,
            most_waiting=_MANY if second.most_waiting > first.most_waiting else count.most_waiting,
        )
    return wide
