"""Reading a prompt and writing its continuation, one yield before every evaluation (see ``scheduler``)."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence

from attrs import define, field

from kernelgen_ls.kernel.changes import common_prefix
from kernelgen_ls.model.drafts import BatchCosts, Confidence, Drafter, DraftTexts
from kernelgen_ls.model.inference.backend import Backend, DecodeOutcome, StateFiles
from kernelgen_ls.model.inference.sampling import Chooser
from kernelgen_ls.model.inference.scheduler import Steps
from kernelgen_ls.model.inference.sequences import ContextFullError, Sequences, Slot
from kernelgen_ls.model.inference.vocabulary import blocks, broken_up
from kernelgen_ls.model.messages import DraftText, Segment, Speed, StopReason

Consume = Callable[[int, float], "StopReason | None"]
"""Takes a token and its log probability; says why the text ends, if it does."""

_TOKENIZED_TEXTS = 512
_BLOCK = 1000
"""Characters of a text that are tokenized, and kept, together."""
_LONG_EVALUATION = 8
"""From here on an evaluation is worth stopping when something more urgent comes."""
_PIECE_SECONDS = 3.0
"""Pieces of 256 tokens are a tenth faster than pieces of 128 (0.6B, two cores), so not less than this."""
_PIECE_STEP = 32
_PIECE_ROUNDING = 8
_DRAFT_TOKENS = 150_000
_SPEED_WEIGHT = 0.3
_TOO_FAST_TO_DRAFT = 600.0
"""Tokens a second. Measured with the starter (0.7 ms a token): drafts right in 57 % of cases still lost 3 %."""


@define(eq=False)
class Cost:
    """What one request cost so far."""

    evaluated: int = 0
    prompt: int = 0
    """Those of ``evaluated`` that belong to the prompt."""
    reused: int = 0
    generated: int = 0
    drafted: int = 0
    accepted: int = 0


@define(eq=False)
class Totals(Cost):
    """What all requests cost."""

    aborted: int = 0


@define(eq=False)
class Decoder:
    """The state that requests share: sequences, tokenized texts, what is known of drafts and of speed."""

    backend: Backend
    states: StateFiles | None = None
    sequences: Sequences = field(init=False)
    confidence: Confidence = field(factory=Confidence)
    costs: BatchCosts = field(factory=BatchCosts)
    totals: Totals = field(factory=Totals)
    interruptible: Callable[[bool], None] = lambda state: None
    _prefill: float = 0.0
    _decode: float = 0.0
    _texts: OrderedDict[tuple[str, bool], list[int]] = field(factory=OrderedDict)
    _drafts: DraftTexts = field(factory=lambda: DraftTexts(_DRAFT_TOKENS))

    def __attrs_post_init__(self) -> None:
        self.sequences = Sequences(self.backend, self.states)

    @property
    def speed(self) -> Speed:
        """Measured over the last evaluations."""
        return Speed(prefill=self._prefill, decode=self._decode)

    # -- text to tokens

    def tokens(self, prompt: Sequence[Segment]) -> tuple[list[int], int]:
        """A prompt's token ids, and where those of its last segment begin if healing may touch them (else the end)."""
        vocabulary = self.backend.vocabulary
        ids: list[int] = []
        last = 0
        for segment in prompt:
            last = len(ids)
            ids += self._tokenized(segment)
        if not prompt or prompt[-1].special:
            last = len(ids)
        if vocabulary.begin is not None and ids[:1] != [vocabulary.begin]:
            ids.insert(0, vocabulary.begin)
            last += 1
        return ids, last

    def split_tokens(self, prompt: Sequence[Segment]) -> tuple[list[int], int, list[int]]:
        """As ``tokens``, up to the cursor; last the ids of the special tokens that stand behind it (FIM's middle)."""
        cursor = len(prompt)
        while cursor > 0 and prompt[cursor - 1].special:
            cursor -= 1
        if not cursor:  # nothing but special tokens: there is no text to heal
            ids, last = self.tokens(prompt)
            return ids, last, []
        ids, last = self.tokens(prompt[:cursor])
        return ids, last, [token for segment in prompt[cursor:] for token in self._tokenized(segment)]

    def _tokenized(self, segment: Segment) -> list[int]:
        if segment.special or len(segment.text) < 2 * _BLOCK or not self.backend.vocabulary.cut_at_lines:
            return self._block(segment)
        # Tokenizing a window of 250 lines takes longer than a token of a small model: only its end is new.
        ids: list[int] = []
        for text in blocks(segment.text, _BLOCK):
            ids += self._block(Segment(text))
        return ids

    def _block(self, segment: Segment) -> list[int]:
        key = (segment.text, segment.special)
        known = self._texts.pop(key, None)
        if known is None:
            known = self._cut(segment)
        self._texts[key] = known
        if len(self._texts) > _TOKENIZED_TEXTS:
            self._texts.popitem(last=False)
        return known

    def _cut(self, segment: Segment) -> list[int]:
        parts = [segment.text]
        if not segment.special:
            parts = broken_up(segment.text, self.backend.vocabulary.marked_texts)
        return [token for part in parts for token in self.backend.tokenize(part, segment.special)]

    # -- drafts

    def remember(self, texts: Sequence[DraftText]) -> None:
        """Add, replace or forget texts to look drafts up in; the oldest go when there are too many."""
        for text in texts:
            # Not through the kept blocks: sixty kernels would push out those of the windows that are typed in.
            pieces = blocks(text.text, _BLOCK) if self.backend.vocabulary.cut_at_lines else [text.text]
            self._drafts.put(text.name, [token for piece in pieces for token in self._cut(Segment(piece))])

    def drafter(self, prompt: Sequence[int]) -> Drafter | None:
        """A drafter for a text that starts with ``prompt``.

        None where the model cannot take a wrong draft back, and where a token costs no more than looking for one.
        """
        if not self.backend.can_trim or self._decode > _TOO_FAST_TO_DRAFT:
            return None
        return Drafter(
            prompt, self.confidence, self.costs, (self._drafts.index,), longest=min(4, self.backend.outputs - 1)
        )

    # -- evaluation

    def read(self, slot: Slot, tokens: Sequence[int], cost: Cost) -> Steps[None]:
        """Make ``slot`` hold exactly ``tokens``; afterwards row 0 is what the model says comes next."""
        if not tokens:
            raise ContextFullError("the prompt is empty: there is nothing to go on from")
        if len(tokens) >= self.backend.cells:
            raise ContextFullError(
                f"the prompt has {len(tokens)} tokens and the context {self.backend.cells}: raise the model's context "
                "setting or shorten the prompt"
            )
        self.sequences.cut(slot, min(common_prefix(slot.tokens, tokens), len(tokens) - 1))
        cost.reused += len(slot.tokens)
        self.totals.reused += len(slot.tokens)
        while True:
            yield
            # Another request may have used the sequence or dropped it since the last step.
            keep = common_prefix(slot.tokens, tokens)
            self.sequences.cut(slot, min(keep, len(tokens) - 1))
            at = len(slot.tokens)
            piece = tokens[at : at + self._piece(len(tokens) - at)]
            done = at + len(piece) == len(tokens)
            if self.evaluate(slot, piece, 1 if done else 0, cost):
                cost.prompt += len(piece)
                if done:
                    return

    def _piece(self, rest: int) -> int:
        """How many of ``rest`` tokens of a prompt to evaluate next.

        A piece is what a more urgent request may cost when it stops them. The pieces are about equal: a last one of a
        few tokens costs as much as a third of a large one.
        """
        most = self.backend.chunk
        if self._prefill:
            steps = max(2, int(self._prefill * _PIECE_SECONDS) // _PIECE_STEP)
            most = min(most, steps * _PIECE_STEP)
        equal = -(-rest // -(-rest // most))
        return min(most, -(-equal // _PIECE_ROUNDING) * _PIECE_ROUNDING)

    def evaluate(self, slot: Slot, tokens: Sequence[int], outputs: int, cost: Cost) -> bool:
        """Evaluate ``tokens`` behind ``slot``; False where it was stopped and has to be tried again."""
        long = len(tokens) >= _LONG_EVALUATION
        self.interruptible(long)
        start = time.perf_counter()
        outcome = self.sequences.append(slot, tokens, outputs)
        ms = (time.perf_counter() - start) * 1000
        if outcome is DecodeOutcome.ABORTED:
            self.totals.aborted += 1
            return False
        cost.evaluated += len(tokens)
        self.totals.evaluated += len(tokens)
        if outputs == len(tokens) <= _LONG_EVALUATION:
            self.costs.learn(len(tokens), ms)
        if ms > 0 and len(tokens) == 1:
            self._decode = _average(self._decode, 1000 / ms)
        elif ms > 0 and len(tokens) >= 2 * _LONG_EVALUATION:
            self._prefill = _average(self._prefill, 1000 * len(tokens) / ms)
        return True

    def write(
        self, slot: Slot, choose: Chooser, consume: Consume, cost: Cost, *, drafter: Drafter | None, limit: int
    ) -> Steps[StopReason]:
        """Continue ``slot`` from row 0 of the last evaluation, at most ``limit`` tokens, until ``consume`` ends it.

        ``slot`` is pinned by the caller: nobody else changes it between two steps.
        """
        row = 0
        draft: tuple[int, ...] = ()
        for count in range(1, limit + 1):
            token, logprob = choose.pick(self.backend.logits(row))
            cost.generated += 1
            self.totals.generated += 1
            right = row < len(draft) and draft[row] == token
            if right:
                cost.accepted += 1
                self.totals.accepted += 1
            reason = consume(token, logprob)
            if reason is not None:
                return reason
            if count == limit:
                break
            if drafter is not None:
                drafter.feed(token)
            if right:
                row += 1
                continue
            self.sequences.cut(slot, len(slot.tokens) - len(draft) + row)
            room = min(limit - count - 1, self.backend.cells - len(slot.tokens) - 1)
            draft = drafter.propose(max(room, 0)) if drafter is not None and choose.free else ()
            cost.drafted += len(draft)
            self.totals.drafted += len(draft)
            while True:
                yield
                try:
                    if self.evaluate(slot, (token, *draft), 1 + len(draft), cost):
                        break
                except ContextFullError:
                    return StopReason.CONTEXT
            row = 0
        return StopReason.LENGTH


def _average(known: float, new: float) -> float:
    return new if not known else known + _SPEED_WEIGHT * (new - known)
