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
from functools import lru_cache

from attrs import define, evolve, field, frozen

from kernelgen_ls.kernel.lints.calls import calls_of
from kernelgen_ls.kernel.lints.context import LintContext
from kernelgen_ls.kernel.lints.queue_counts import ANYTHING, Count, State, fewer, join, more, widened
from kernelgen_ls.kernel.lints.queue_reach import MOST_DEPTH, QueueReach
from kernelgen_ls.kernel.lints.queues import Key, Passed, Queues, queues_of
from kernelgen_ls.kernel.lints.steps import Step
from kernelgen_ls.kernel.structure import Call, Conditional, Function, Loop

MOST_OF_A_POSITION = 8
"""Tensors that the queues of one position can have out at the same time: each takes an event of the pipe."""

_MOST_STEPS = 3_000


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


@lru_cache(maxsize=2)
def queue_problems(context: LintContext) -> tuple[Problem, ...]:
    """Return what is certain to go wrong with the queues of a program whose entry is seen."""
    queues = queues_of(context)
    return _Walk(context, queues, QueueReach(context, queues)).problems()


@define
class _Ways:
    """The states in which a piece of a function is left: at its end, by ``return``, by ``break`` or ``continue``."""

    end: State | None
    returned: State | None = None
    broken: State | None = None


class _GiveUpError(Exception):
    """The program has more ways than are looked at."""


@define(eq=False)
class _Walk:
    context: LintContext
    queues: Queues
    reach: QueueReach
    _found: dict[tuple[str, int], Problem] = field(init=False, factory=dict)
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
            for key in self.reach.followed
            if any(one in keys for one in self.queues.reached(key))
        }
        return tuple(problem for problem in self._found.values() if problem.queue not in unseen)

    def _function(self, function: Function, bound: Mapping[Key, frozenset[Key]], state: State) -> State | None:
        """Return the state after a call of ``function``; None where it never comes back."""
        if not self.reach.has_queues(function):
            return state
        key = (function.span.start, tuple(sorted(bound.items(), key=lambda item: item[0])))
        if key in self._within or len(self._within) > MOST_DEPTH:
            return self._lost(function, state)
        self._within.append(key)
        body = self.reach.body(function)
        ways = _Ways(self._lost(function, state)) if body is None else self._block(body, bound, state)
        self._within.pop()
        return join(ways.end, ways.returned)

    def _lost(self, function: Function, state: State) -> State:
        """What is known after a function that cannot be walked: nothing of the queues that it can have to do with."""
        return dict.fromkeys(self.reach.followed | set(state), ANYTHING) if self.reach.has_queues(function) else state

    def _block(self, steps: tuple[Step, ...], bound: Mapping[Key, frozenset[Key]], state: State) -> _Ways:
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
            ways.returned = join(ways.returned, inner.returned)
            ways.broken = join(ways.broken, inner.broken)
            ways.end = join(inner.end, before) if optional else inner.end
            self._arms -= optional
            # What stands behind a jump that is not always made is not always reached.
            if inner.returned is not None or inner.broken is not None:
                self._arms += 1
        self._arms = arms
        return ways

    def _step(self, step: Step, bound: Mapping[Key, frozenset[Key]], state: State) -> _Ways:
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

    def _conditional(self, at: Conditional, step: Step, bound: Mapping[Key, frozenset[Key]], state: State) -> _Ways:
        ways = _Ways(None if at.exhaustive else state)
        before: State | None = None
        for index, inside in enumerate(step.inside):
            if at.compile_time and self.context.is_discarded(at.arms[index].start):
                continue
            begin = join(state, before) if at.falls_through else state
            assert begin is not None, "an arm begins with what stands before it"
            arm = self._block(inside, bound, begin)
            ways.returned = join(ways.returned, arm.returned)
            if at.falls_through:
                before = arm.end
                ways.end = join(ways.end, arm.broken)
            else:
                ways.broken = join(ways.broken, arm.broken)
            ways.end = join(ways.end, arm.end)
        return ways

    def _loop(self, step: Step, at: Loop, bound: Mapping[Key, frozenset[Key]], state: State) -> _Ways:
        outside, begun = self._found, len(self._done)
        first, found = self._turn(step, bound, state)
        done = self._done[begun:]
        once = join(first.end, first.broken)
        if once is None or join(state, once) == state:
            self._found = {**found, **outside}
            return _Ways(join(state, once), first.returned)
        second, more = self._turn(step, bound, once)
        twice = join(second.end, second.broken)
        # Which arm a turn takes can depend on the turn: in arms only what every turn may find counts.
        certain = {key: one for key, one in {**more, **found}.items() if one.arms == self._arms}
        whole = widened(state, once, twice)
        _, anywhere = self._turn(step, bound, whole)
        self._found = {**anywhere, **certain, **outside}
        if twice is not None and first.broken is None and second.broken is None:
            self._growth(at, done, state, once, twice)
        return _Ways(whole, join(first.returned, second.returned))

    def _turn(
        self, step: Step, bound: Mapping[Key, frozenset[Key]], state: State
    ) -> tuple[_Ways, dict[tuple[str, int], Problem]]:
        """Walk a loop's body once; return how it is left and the problems found in it."""
        self._found = {}
        ways = self._block(step.inside[0], bound, state)
        return ways, self._found

    def _growth(self, at: Loop, done: list[tuple[Call, Key]], state: State, once: State, twice: State) -> None:
        """Report the queue that every turn of a loop takes more tensors from than it gives back.

        ``done`` are the operations of a turn. A loop that only fills queues fills them ahead of another one, as far as
        there are buffers.
        """
        if not any(call.name in ("DeQue", "FreeTensor") for call, _ in done):
            return
        for key, after in twice.items():
            earlier, before = once.get(key, Count()), state.get(key, Count())
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

    def _call(self, call: Call, bound: Mapping[Key, frozenset[Key]], state: State) -> State | None:
        operation = self.queues.operations.get(call.name_span.start)
        if operation is not None:
            return self._operation(call, _bound(operation[1], bound), state)
        called = calls_of(self.context).called(call)
        after = None if called.certain else state
        doubted = not called.certain or len(called.functions) > 1
        self._doubts += doubted
        for function in called.functions:
            inner = {one.parameter: _bound(one.queues, bound) for one in self._passed(call, function)}
            after = join(after, self._function(function, inner, state))
        self._doubts -= doubted
        return after if called.functions else state

    def _passed(self, call: Call, function: Function) -> Iterator[Passed]:
        return (one for one in self.queues.passed.get(call.name_span.start, ()) if one.function is function)

    def _operation(self, call: Call, keys: frozenset[Key], state: State) -> State:
        self._visited.add(call.name_span.start)
        followed = keys & self.reach.followed
        if not followed:
            return state
        if len(keys) > 1:
            return {**state, **dict.fromkeys(followed, ANYTHING)}
        (key,) = followed
        self._done.append((call, key))
        count = state.get(key, Count())
        if call.name == "InitBuffer":
            buffers = self.context.value(call.arguments[1].text, call.span.start) if len(call.arguments) == 3 else None
            return {**state, key: Count(buffers=buffers)}
        if call.name == "AllocTensor":
            count = evolve(count, least_out=count.least_out + 1, most_out=more(count.most_out))
            if count.buffers is not None and count.least_out > count.buffers:
                self._report("overdrawn", call, key, count.buffers)
                count = ANYTHING
            after = {**state, key: count}
            if self._fits(call, key, after):
                return after
            position = self.queues.declared[key].position
            return {one: ANYTHING if self._is_at(one, position) else count for one, count in after.items()}
        if call.name == "EnQue":
            count = evolve(count, least_waiting=count.least_waiting + 1, most_waiting=more(count.most_waiting))
        elif call.name == "DeQue":
            if count.most_waiting == 0:
                self._report("hang", call, key, 0)
                return {**state, key: ANYTHING}
            count = evolve(count, least_waiting=max(count.least_waiting - 1, 0), most_waiting=fewer(count.most_waiting))
        else:
            if count.most_out == 0:
                self._report("freed", call, key, 0)
                return {**state, key: ANYTHING}
            count = evolve(count, least_out=max(count.least_out - 1, 0), most_out=fewer(count.most_out))
        return {**state, key: count}

    def _fits(self, call: Call, key: Key, state: State) -> bool:
        """Return whether the tensors that are out at a queue's position may be as many as the position allows."""
        position = self.queues.declared[key].position
        out = sum(count.least_out for other, count in state.items() if self.queues.declared[other].position == position)
        if position not in ("VECIN", "VECOUT") or out <= MOST_OF_A_POSITION:
            return True
        self._report("position", call, key, out)
        return False

    def _is_at(self, key: Key, position: str) -> bool:
        return self.queues.declared[key].position == position

    def _report(self, kind: str, call: Call, key: Key, number: int) -> None:
        # What may be another function's business is no way that is known to be taken.
        if not self._doubts:
            self._found.setdefault((kind, call.span.start), Problem(kind, call, key, number, self._arms))


def _bound(keys: frozenset[Key], bound: Mapping[Key, frozenset[Key]]) -> frozenset[Key]:
    """Return the queues that ``keys`` are in this call of a function: its parameters are what was passed."""
    found: set[Key] = set()
    for key in keys:
        found |= bound.get(key, frozenset({key}))
    return frozenset(found)
