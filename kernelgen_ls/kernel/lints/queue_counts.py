"""What is known of a program's queues at one place: between which numbers their tensors lie, and how that combines."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve, frozen

from kernelgen_ls.kernel.lints.queues import Key

_MANY = 1 << 30


@frozen
class Count:
    """What is known of one queue: between which numbers its tensors lie, and its buffers (None: not known)."""

    least_out: int = 0
    most_out: int = 0
    least_waiting: int = 0
    most_waiting: int = 0
    buffers: int | None = None


ANYTHING = Count(0, _MANY, 0, _MANY, None)
State = Mapping[Key, Count]


def join(one: State | None, other: State | None) -> State | None:
    """Return what is known where one of two states holds."""
    if one is None or other is None or one is other:
        return one if other is None else other
    joined: dict[Key, Count] = {}
    for key in one.keys() | other.keys():
        mine, theirs = one.get(key), other.get(key)
        # A queue that one state does not know has nothing out there; its buffers are those that the other one gave it.
        mine = mine or Count(buffers=theirs.buffers if theirs is not None else None)
        theirs = theirs or Count(buffers=mine.buffers)
        joined[key] = Count(
            min(mine.least_out, theirs.least_out),
            max(mine.most_out, theirs.most_out),
            min(mine.least_waiting, theirs.least_waiting),
            max(mine.most_waiting, theirs.most_waiting),
            None if mine.buffers is None or theirs.buffers is None else max(mine.buffers, theirs.buffers),
        )
    return joined


def widened(state: State, once: State, twice: State | None) -> State:
    """Return what is known after any number of turns of a loop."""
    joined = join(join(state, once), twice)
    assert joined is not None, "two states have a join"
    if twice is None:
        return joined
    wide = dict(joined)
    for key, count in joined.items():
        first, second = once.get(key, Count()), twice.get(key, Count())
        wide[key] = evolve(
            count,
            least_out=0 if second.least_out < first.least_out else count.least_out,
            most_out=_MANY if second.most_out > first.most_out else count.most_out,
            least_waiting=0 if second.least_waiting < first.least_waiting else count.least_waiting,
            most_waiting=_MANY if second.most_waiting > first.most_waiting else count.most_waiting,
        )
    return wide


def more(most: int) -> int:
    """One more than at most so many."""
    return most if most >= _MANY else most + 1


def fewer(most: int) -> int:
    """One less than at most so many."""
    return most if most >= _MANY else most - 1
