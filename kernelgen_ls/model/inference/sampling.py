"""Drawing the next token from a row of logits."""

from __future__ import annotations

import numpy as np

from kernelgen_ls.model.inference.backend import BackendError, Grammar, Logits, TokenIds
from kernelgen_ls.model.inference.vocabulary import Vocabulary
from kernelgen_ls.model.messages import Sampling

_NEAR = 16.0
"""Tokens further below the likeliest one than this, in logits, are each under e^-16 of its probability: over a whole
vocabulary of 150,000 they add under two hundredths of it. Leaving them out makes a draw ten times cheaper."""


class Sampler:
    """Greedy at temperature 0, else temperature, then top-k, then top-p; the same seed gives the same draws."""

    def __init__(self, sampling: Sampling, *, rate: bool = True) -> None:
        """``rate`` False saves the log probabilities, which then are 0."""
        self._sampling = sampling
        self._rate = rate
        self._scratch: Logits | None = None
        self._random = np.random.default_rng(sampling.seed)

    def pick(self, logits: Logits, allowed: TokenIds | None = None) -> tuple[int, float]:
        """A token (one of ``allowed`` where given) and its natural log probability under the whole row."""
        best = int(logits.argmax())
        peak = float(logits[best])
        if not np.isfinite(peak):
            raise BackendError("the model's output is not a number: the file is damaged or its conversion went wrong")
        if self._sampling.temperature > 0:
            token = self._draw(logits) if allowed is None else int(allowed[self._draw(logits[allowed])])
        else:
            token = best if allowed is None else int(allowed[logits[allowed].argmax()])
        return token, self._log_probability(logits, token, peak) if self._rate else 0.0

    def _log_probability(self, logits: Logits, token: int, peak: float) -> float:
        if self._scratch is None or self._scratch.size != logits.size:
            # Half a megabyte for each token would come from the system and go back to it every time.
            self._scratch = np.empty_like(logits)
        np.subtract(logits, peak, out=self._scratch)
        np.exp(self._scratch, out=self._scratch)
        return float(logits[token]) - peak - float(np.log(self._scratch.sum()))

    def _draw(self, logits: Logits) -> int:
        sampling = self._sampling
        peak = float(logits.max())
        order = np.flatnonzero(logits > peak - _NEAR * sampling.temperature)
        values = logits[order].astype(np.float64)
        if sampling.top_p < 1 or 0 < sampling.top_k < order.size:
            ranks = np.argsort(-values, kind="stable")
            order, values = order[ranks], values[ranks]
        weights = np.exp((values - peak) / sampling.temperature)
        if sampling.top_k > 0:
            order, weights = order[: sampling.top_k], weights[: sampling.top_k]
        sums = np.cumsum(weights)
        if sampling.top_p < 1:
            keep = int(np.searchsorted(sums, sampling.top_p * sums[-1])) + 1
            order, sums = order[:keep], sums[:keep]
        at = min(int(np.searchsorted(sums, self._random.random() * sums[-1], side="right")), order.size - 1)
        return int(order[at])


class Chooser:
    """The next token of one text: drawn by the sampler, within what healing and a grammar leave."""

    def __init__(self, sampler: Sampler, vocabulary: Vocabulary, tail: bytes = b"") -> None:
        self._sampler = sampler
        self._vocabulary = vocabulary
        self.tail = tail
        self.grammar: Grammar | None = None

    @property
    def free(self) -> bool:
        """Nothing constrains the next token."""
        return not self.tail and self.grammar is None

    def pick(self, logits: Logits) -> tuple[int, float]:
        """A token and its log probability; the constraints go on with it."""
        if self.tail:
            allowed = self._vocabulary.continuing(self.tail)
            if allowed.size:
                token, logprob = self._sampler.pick(logits, allowed)
                self.tail = self.tail[len(self._vocabulary.pieces[token]) :]
                return token, logprob
            self.tail = b""
        token, logprob = self._sampler.pick(logits)
        if self.grammar is not None:
            # Asking about one token is 30 times cheaper than filtering a vocabulary of 150,000, and mostly enough.
            if not self.grammar.allows(token):
                allowed = self.grammar.allowed(logits)
                if not allowed.size:
                    raise BackendError("the grammar allows no token of this model's vocabulary here")
                token, logprob = self._sampler.pick(logits, allowed)
            self.grammar.accept(token)
        return token, logprob
