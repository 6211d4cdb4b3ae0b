"""The requests themselves: an inline completion, a whole answer, a warm-up. Each is one job of the scheduler."""

from __future__ import annotations

import hashlib
import itertools
import time
from collections.abc import Callable, Sequence

from attrs import define, evolve, field

from kernelgen_ls.model.completion.stopping import Stopper
from kernelgen_ls.model.drafts import Drafter
from kernelgen_ls.model.inference.decoding import Cost, Decoder
from kernelgen_ls.model.inference.sampling import Chooser, Sampler
from kernelgen_ls.model.inference.scheduler import Steps
from kernelgen_ls.model.inference.sequences import Slot
from kernelgen_ls.model.inference.stop_texts import StopTexts
from kernelgen_ls.model.inference.vocabulary import Detokenizer, Healing, Vocabulary
from kernelgen_ls.model.messages import (
    Candidate,
    CompleteRequest,
    CompleteResult,
    GenerateRequest,
    GenerateResult,
    Sampling,
    StopReason,
    Timings,
    WarmRequest,
)

OnText = Callable[[str, int], None]
"""Gets each piece of a streamed text and the number of tokens so far, in the engine thread."""

_ALTERNATIVE_TEMPERATURE = 0.8
_ALTERNATIVE_TOP_P = 0.95
_OVERTIME = 2.0
"""How far a first line that is not complete may go over the budget, in budgets."""
_generations = itertools.count(1)


@define(eq=False)
class Clock:
    """Times of one request, in ``time.perf_counter()`` seconds; starts when it is queued."""

    queued: float = field(factory=time.perf_counter)
    started: float = 0.0
    first: float = 0.0
    last: float = 0.0

    def start(self) -> None:
        """The engine took the request up."""
        self.started = time.perf_counter()

    def token(self) -> None:
        """A token of the answer is there."""
        self.last = time.perf_counter()
        self.first = self.first or self.last

    @property
    def ms(self) -> float:
        """Milliseconds since it was queued."""
        return (time.perf_counter() - self.queued) * 1000

    def timings(self, cost: Cost, healed: int = 0) -> Timings:
        """What a finished request reports."""
        return Timings(
            evaluated=cost.evaluated,
            prompt=cost.prompt,
            reused=cost.reused,
            generated=cost.generated,
            drafted=cost.drafted,
            accepted=cost.accepted,
            queue_ms=(self.started - self.queued) * 1000,
            first_ms=(self.first - self.queued) * 1000 if self.first else 0.0,
            total_ms=self.ms,
            decode_ms=(self.last - self.first) * 1000,
            healed=healed,
        )


@define(eq=False)
class _Proposal:
    """One candidate while it is written: tokens in, text and the reason of its end out."""

    vocabulary: Vocabulary
    stopper: Stopper
    text: Detokenizer
    clock: Clock
    budget_ms: int
    logprobs: list[float] = field(factory=list)

    def take(self, token: int, logprob: float) -> StopReason | None:
        """The model wrote ``token``."""
        self.clock.token()
        vocabulary = self.vocabulary
        if token in vocabulary.ends or token in vocabulary.control or token in vocabulary.marked:
            return StopReason.END
        self.logprobs.append(logprob)
        if self.stopper.feed(self.text.feed(vocabulary.pieces[token])):
            return StopReason.RULE
        if self.budget_ms and self.clock.ms > self.budget_ms:
            late = self.clock.ms > self.budget_ms * _OVERTIME
            if late or self.stopper.whole_lines.strip():
                return StopReason.BUDGET
        return None

    def candidate(self, reason: StopReason) -> Candidate:
        """What there is to show."""
        text = self.stopper.text
        if reason is StopReason.BUDGET:
            text = self.stopper.whole_lines
        count = len(self.logprobs)
        return Candidate(text, reason, count, sum(self.logprobs) / count if count else 0.0)


def complete(decoder: Decoder, request: CompleteRequest, clock: Clock) -> Steps[CompleteResult]:
    """The most likely continuation, and further ones drawn at a temperature where they are asked for."""
    clock.start()
    cost = Cost()
    tokens, last, closing = decoder.split_tokens(request.prompt)
    vocabulary = decoder.backend.vocabulary
    healing = vocabulary.heal(tokens, last) if request.heal else Healing(len(tokens), b"")
    prompt = tokens[: healing.keep] + closing
    slot = decoder.sequences.open(request.sequence, prompt)
    slot.pins += 1
    try:
        yield from decoder.read(slot, prompt, cost)
        drafter = decoder.drafter(prompt) if request.draft else None
        first = yield from _propose(decoder, request, slot, healing, request.sampling, drafter, clock, cost)
        found = [first]
        for number in range(1, request.alternatives):
            if request.budget_ms and clock.ms > request.budget_ms:
                break
            sampling = _alternative(request.sampling, number)
            other = yield from _alternative_proposal(decoder, request, prompt, healing, sampling, clock, cost)
            if other.text and all(other.text != known.text for known in found):
                found.append(other)
    finally:
        slot.pins -= 1
    return CompleteResult(tuple(found), clock.timings(cost, len(tokens) - healing.keep))


def _propose(
    decoder: Decoder,
    request: CompleteRequest,
    slot: Slot,
    healing: Healing,
    sampling: Sampling,
    drafter: Drafter | None,
    clock: Clock,
    cost: Cost,
) -> Steps[Candidate]:
    vocabulary = decoder.backend.vocabulary
    proposal = _Proposal(vocabulary, Stopper(request.stop), Detokenizer(len(healing.tail)), clock, request.budget_ms)
    choose = Chooser(Sampler(sampling), vocabulary, healing.tail)
    reason = yield from decoder.write(
        slot, choose, proposal.take, cost, drafter=drafter, limit=max(1, request.max_tokens)
    )
    return proposal.candidate(reason)


def _alternative_proposal(
    decoder: Decoder,
    request: CompleteRequest,
    prompt: list[int],
    healing: Healing,
    sampling: Sampling,
    clock: Clock,
    cost: Cost,
) -> Steps[Candidate]:
    slot = decoder.sequences.open("alternative", prompt)
    slot.pins += 1
    try:
        yield from decoder.read(slot, prompt, cost)
        return (yield from _propose(decoder, request, slot, healing, sampling, None, clock, cost))
    finally:
        slot.pins -= 1
        decoder.sequences.drop(slot, keep=False)


def _alternative(sampling: Sampling, number: int) -> Sampling:
    if sampling.temperature > 0:
        return evolve(sampling, seed=sampling.seed + number)
    return Sampling(_ALTERNATIVE_TEMPERATURE, _ALTERNATIVE_TOP_P, sampling.top_k, sampling.seed + number)


def warm(decoder: Decoder, request: WarmRequest, clock: Clock) -> Steps[Timings]:
    """Evaluate a prompt into its sequence."""
    clock.start()
    cost = Cost()
    tokens, last, _ = decoder.split_tokens(request.prompt)
    prompt = tokens[: decoder.backend.vocabulary.heal(tokens, last).keep]
    slot = decoder.sequences.open(request.sequence, prompt)
    if len(slot.tokens) < len(prompt):
        # The last token is evaluated again with the request itself, for its logits.
        yield from decoder.read(slot, prompt, cost)
    return clock.timings(cost)


@define(eq=False)
class _Answer:
    """A generation while it is written: streams its text, starts the grammar at its marker."""

    vocabulary: Vocabulary
    on_text: OnText
    stops: StopTexts
    marker: str
    start_grammar: Callable[[], None]
    text: Detokenizer = field(factory=Detokenizer)
    parts: list[str] = field(factory=list)
    count: int = 0
    _recent: str = ""
    _waiting: bool = True

    def take(self, token: int, clock: Clock) -> StopReason | None:
        """The model wrote ``token``."""
        clock.token()
        if token in self.vocabulary.ends:
            return StopReason.END
        self.count += 1
        if token in self.vocabulary.control:
            return None
        piece = self.text.feed(self.vocabulary.pieces[token])
        if self._waiting and self.marker:
            self._recent = (self._recent + piece)[-2 * len(self.marker) - len(piece) :]
            if self.marker in self._recent:
                self._waiting = False
                self.start_grammar()
        self.emit(self.stops.feed(piece))
        return StopReason.RULE if self.stops.stopped else None

    def emit(self, text: str) -> None:
        """Pass on what may be shown."""
        if text:
            self.parts.append(text)
            self.on_text(text, self.count)


def generate(decoder: Decoder, request: GenerateRequest, clock: Clock, on_text: OnText) -> Steps[GenerateResult]:
    """A whole answer, streamed. Its sequence is its own and is dropped at the end; the shared part is kept."""
    clock.start()
    cost = Cost()
    backend = decoder.backend
    tokens, _ = decoder.tokens(request.prompt)
    choose = Chooser(Sampler(request.sampling, rate=False), backend.vocabulary)
    grammar = backend.grammar(request.grammar) if request.grammar else None
    if grammar is not None and not request.grammar_after:
        choose.grammar = grammar

    def start_grammar() -> None:
        choose.grammar = grammar

    answer = _Answer(backend.vocabulary, on_text, StopTexts(request.stop_texts), request.grammar_after, start_grammar)
    slot: Slot | None = None
    try:
        yield from _read_shared(decoder, request, cost)
        slot = decoder.sequences.open(f"generation {next(_generations)}", tokens)
        slot.pins += 1
        yield from decoder.read(slot, tokens, cost)
        reason = yield from decoder.write(
            slot,
            choose,
            lambda token, _: answer.take(token, clock),
            cost,
            drafter=decoder.drafter(tokens),
            limit=max(1, request.max_tokens),
        )
        answer.emit(answer.stops.rest())
    finally:
        if slot is not None:
            slot.pins -= 1
            decoder.sequences.drop(slot, keep=False)
        if grammar is not None:
            grammar.close()
    return GenerateResult("".join(answer.parts), reason, clock.timings(cost))


def _read_shared(decoder: Decoder, request: GenerateRequest, cost: Cost) -> Steps[None]:
    """Evaluate the segments that many requests start with into a sequence of their own, kept in memory and on disk."""
    if not request.shared:
        return
    tokens, _ = decoder.tokens(request.prompt[: request.shared])
    slot = decoder.sequences.open(f"shared {_digest(tokens)}", tokens)
    slot.pins += 1
    try:
        if len(slot.tokens) < len(tokens):
            yield from decoder.read(slot, tokens, cost)
            decoder.sequences.save(slot)
    finally:
        slot.pins -= 1


def _digest(tokens: Sequence[int]) -> str:
    return hashlib.sha256(",".join(map(str, tokens)).encode()).hexdigest()[:16]
