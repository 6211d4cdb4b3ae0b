"""Drafts for speculative decoding: what the text will say next, guessed from text that is already there.

A draft never changes the result: the model evaluates it in one batch and keeps what it would have written itself. It
only pays where the guess is often right, since a batch of four costs about twice a single token on a CPU; so its length
follows the chance of being right, learnt while running, and the batch costs, measured while running.
"""

from __future__ import annotations

from array import array
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Sequence

from attrs import define, field, frozen

_GRAM = 3
_LONGEST_MATCH = 24
_LOOKED_AT = 32
_LONGEST_KIND = 12
_AGREED = 4
_OWN_WEIGHT = 2.0
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
        """Up to thirty-two places where the end of ``tail`` occurs: (length of the match, position after it)."""
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


@define(eq=False)
class DraftTexts:
    """The workspace's texts behind one index, so that a look-up costs the same for one text and for sixty.

    A text that is replaced stays in the index until the next rebuild: an old line is a guess like any other.
    """

    room: int
    """Tokens of all texts together; the oldest go."""
    index: NgramIndex = field(factory=NgramIndex)
    _texts: OrderedDict[str, list[int]] = field(factory=OrderedDict)

    def put(self, name: str, tokens: list[int]) -> None:
        """Add, replace or (without tokens) forget a text."""
        self._texts.pop(name, None)
        if tokens:
            self._texts[name] = tokens
            self.index.extend(tokens)
        while sum(map(len, self._texts.values())) > self.room:
            self._texts.popitem(last=False)
        if len(self.index) > 2 * self.room or not self._texts:
            self.index = NgramIndex(token for text in self._texts.values() for token in text)


Kind = tuple[int, int]
"""Tokens that a place has in common with the text's end (at most ``_LONGEST_KIND``), and how far the places agree on
what follows: 0 (hardly) to ``_AGREED`` (all of them)."""


@frozen
class Guess:
    """``tokens`` may come next; ``kind`` says how good such guesses have been (see :class:`Confidence`)."""

    tokens: tuple[int, ...]
    kind: Kind

    def kind_of(self, at: int) -> Kind:
        """The kind of its token ``at``: those before it, if they are right, make the match longer."""
        length, agreement = self.kind
        return min(length + at, _LONGEST_KIND), agreement


@define(eq=False)
class Confidence:
    """How often guessed tokens are right, by their kind."""

    _right: dict[Kind, float] = field(factory=dict)
    _tried: dict[Kind, float] = field(factory=dict)

    def chance(self, kind: Kind) -> float:
        """The chance that a drafted token is right: the record, started with four guesses of what is usual."""
        length, agreement = kind
        usual = min(0.85, 0.3 + 0.05 * length) * (0.4 + 0.6 * agreement / _AGREED)
        return (self._right.get(kind, 0.0) + 4 * usual) / (self._tried.get(kind, 0.0) + 4)

    def learn(self, kind: Kind, right: bool) -> None:
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


def draft_length(chances: Sequence[float], costs: BatchCosts) -> int:
    """The draft length that gives the most tokens for the time, ``chances`` being each token's if those before hold."""
    best, best_rate = 0, 1.0
    expected = reach = 1.0
    for length, chance in enumerate(chances, 1):
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
            self._confidence.learn(self._pending.kind_of(self._checked), right)
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
        tokens = guess.tokens[: max(limit, 0)]
        chances = [self._confidence.chance(guess.kind_of(at)) for at in range(len(tokens))]
        return tokens[: draft_length(chances, self._costs)]

    def _guess(self) -> Guess | None:
        """What most places with the same end have next, the more alike and the nearer ones counting more."""
        votes: dict[int, float] = defaultdict(float)
        best: dict[int, tuple[int, int, NgramIndex]] = {}
        for index in (self._own, *self._others):
            for length, place in index.matches(self._tail):
                token = index.tokens[place]
                votes[token] += 2.0 ** min(length, _LONGEST_KIND) * (_OWN_WEIGHT if index is self._own else 1.0)
                if token not in best or length > best[token][0]:
                    best[token] = (length, place, index)
        if not votes:
            return None
        token = max(votes, key=lambda known: votes[known])
        length, place, index = best[token]
        agreement = int(_AGREED * votes[token] / sum(votes.values()))
        return Guess(tuple(index.tokens[place : place + self._longest]), (min(length, _LONGEST_KIND), agreement))
