"""Drafts for speculative decoding: what the text will say next, guessed from text that is already there.

A draft never changes the result: the model evaluates it in one batch and keeps what it would have written itself. It
only pays where the guess is often right, since a batch of four costs about twice a single token on a CPU; so its length
follows the chance of being right, learnt while running, and the batch costs, measured while running.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

from attrs import define, field, frozen

_GRAM = 3
_LONGEST_MATCH = 24
_LOOKED_AT = 6
_MASK = (1 << 62) - 1

BATCH_COSTS = {1: 1.0, 2: 1.33, 3: 1.74, 4: 2.05, 5: 2.4, 6: 2.8, 7: 3.6, 8: 4.4}
"""Time of one batch of n tokens relative to one token, before anything was measured: two AVX2 cores, 0.6B to 4B."""


def _key(a: int, b: int, c: int) -> int:
    return ((a * 1_000_003 + b) * 1_000_003 + c) & _MASK


class NgramIndex:
    """Tokens of one or more texts, and where each run of three occurs, the latest first."""

    def __init__(self, tokens: Iterable[int] = ()) -> None:
        self.tokens = array("i")
        self._latest: dict[int, int] = {}
        self._before = array("i")
        self.extend(tokens)

    def __len__(self) -> int:
        return len(self.tokens)

    def extend(self, tokens: Iterable[int]) -> None:
        """Append tokens."""
        known, latest, before = self.tokens, self._latest, self._before
        for token in tokens:
            known.append(token)
            end = len(known)
            if end < _GRAM:
                before.append(0)
                continue
            key = _key(known[end - 3], known[end - 2], token)
            before.append(latest.get(key, 0))
            latest[key] = end

    def matches(self, tail: Sequence[int]) -> list[tuple[int, int]]:
        """Up to six places where the end of ``tail`` occurs: (length of the match, position after it)."""
        if len(tail) < _GRAM:
            return []
        found = []
        place = self._latest.get(_key(tail[-3], tail[-2], tail[-1]), 0)
        for _ in range(_LOOKED_AT):
            if not place:
                break
            if place < len(self.tokens):
                length = self._match(tail, place)
                if length >= _GRAM:
                    found.append((length, place))
            place = self._before[place - 1]
        return found

    def _match(self, tail: Sequence[int], end: int) -> int:
        length = 0
        limit = min(_LONGEST_MATCH, len(tail), end)
        while length < limit and self.tokens[end - 1 - length] == tail[-1 - length]:
            length += 1
        return length


@frozen
class Guess:
    """``tokens`` may come next; ``kind`` says how good such guesses have been (see :class:`Confidence`)."""

    tokens: tuple[int, ...]
    kind: tuple[int, bool]


@define(eq=False)
class Confidence:
    """How often drafted tokens are right, by length of the match and by whether its occurrences agree."""

    _right: dict[tuple[int, bool], float] = field(factory=dict)
    _tried: dict[tuple[int, bool], float] = field(factory=dict)

    def chance(self, kind: tuple[int, bool]) -> float:
        """The chance that a drafted token is right: the record, started with four guesses of what is usual."""
        length, agreed = kind
        usual = min(0.85, 0.35 + 0.06 * length) if agreed else min(0.6, 0.2 + 0.04 * length)
        return (self._right.get(kind, 0.0) + 4 * usual) / (self._tried.get(kind, 0.0) + 4)

    def learn(self, kind: tuple[int, bool], right: bool) -> None:
        """A guess of this kind, drafted or not, was right or wrong."""
        self._right[kind] = 0.99 * self._right.get(kind, 0.0) + right
        self._tried[kind] = 0.99 * self._tried.get(kind, 0.0) + 1


@define(eq=False)
class BatchCosts:
    """Milliseconds of an evaluation by its number of tokens, measured while running."""

    _measured: dict[int, float] = field(factory=dict)

    def learn(self, tokens: int, ms: float) -> None:
        """An evaluation of ``tokens`` tokens (at most eight) took ``ms``."""
        known = self._measured.get(tokens)
        self._measured[tokens] = ms if known is None else known + 0.1 * (min(ms, 3 * known) - known)

    def relative(self, tokens: int) -> float:
        """Cost of ``tokens`` tokens in one evaluation, in evaluations of one."""
        usual = BATCH_COSTS[min(tokens, 8)]
        single, measured = self._measured.get(1), self._measured.get(tokens)
        if single is None or measured is None or single <= 0:
            return usual
        return max(1.0, measured / single)


def draft_length(chance: float, costs: BatchCosts, longest: int) -> int:
    """The draft length that gives the most tokens for the time when each token is right with ``chance``."""
    best, best_rate = 0, 1.0
    expected = reach = 1.0
    for length in range(1, longest + 1):
        reach *= chance
        expected += reach
        rate = expected / costs.relative(length + 1)
        # A tie is a loss: proposing and checking cost time too.
        if rate > best_rate * 1.03:
            best, best_rate = length, rate
    return best


class Drafter:
    """Proposes drafts for one text, looking in itself and in ``others``; learns from what became of them."""

    def __init__(
        self,
        prompt: Sequence[int],
        confidence: Confidence,
        costs: BatchCosts,
        others: Sequence[NgramIndex] = (),
        longest: int = 4,
    ) -> None:
        self._own = NgramIndex(prompt)
        self._tail = list(prompt[-_LONGEST_MATCH:])
        self._others = others
        self._confidence = confidence
        self._costs = costs
        self._longest = longest
        self._pending: Guess | None = None
        self._checked = 0

    def feed(self, token: int) -> None:
        """The text went on with ``token``; what was guessed of it, drafted or not, is compared and learnt from."""
        if self._pending is not None and self._checked < len(self._pending.tokens):
            right = self._pending.tokens[self._checked] == token
            self._confidence.learn(self._pending.kind, right)
            self._checked = self._checked + 1 if right else len(self._pending.tokens)
        self._own.extend((token,))
        self._tail.append(token)
        del self._tail[:-_LONGEST_MATCH]

    def propose(self, limit: int) -> tuple[int, ...]:
        """Up to ``limit`` tokens that may come next; none where guessing does not pay."""
        self._pending = guess = self._guess()
        self._checked = 0
        if guess is None:
            return ()
        chance = self._confidence.chance(guess.kind)
        return guess.tokens[: draft_length(chance, self._costs, min(self._longest, len(guess.tokens), limit))]

    def _guess(self) -> Guess | None:
        indexes = (self._own, *self._others)
        found = [(length, place, index) for index in indexes for length, place in index.matches(self._tail)]
        if not found:
            return None
        longest = max(length for length, _, _ in found)
        candidates = [(place, index) for length, place, index in found if length == longest]
        place, index = candidates[0]
        nexts = {where.tokens[at] for at, where in candidates}
        return Guess(tuple(index.tokens[place : place + self._longest]), (min(longest, 12), len(nexts) == 1))
