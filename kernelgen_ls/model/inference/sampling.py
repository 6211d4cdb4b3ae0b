"""Drawing the next token from a row of logits."""

from __future__ import annotations

import numpy as np

from kernelgen_ls.model.inference.backend import BackendError, Grammar, Logits, TokenIds
from kernelgen_ls.model.inference.vocabulary import Vocabulary
from kernelgen_ls.model.messages import Sampling

_NUCLEUS = 1024


class Sampler:
    """Greedy at temperature 0, else temperature, then top-k, then top-p; the same seed gives the same draws."""

    def __init__(self, sampling: Sampling) -> None:
        self._sampling = sampling
        self._random = np.random.default_rng(sampling.seed)

    def pick(self, logits: Logits, allowed: TokenIds | None = None) -> tuple[int, float]:
        """A token (one of ``allowed`` where given) and its natural log probability under the whole row."""
        token = self._choose(logits) if allowed is None else int(allowed[self._choose(logits[allowed])])
        peak = float(logits.max())
        if not np.isfinite(peak):
            raise BackendError("the model's output is not a number: the file is damaged or its conversion went wrong")
        return token, float(logits[token]) - peak - float(np.log(np.exp(logits - peak).sum()))

    def _choose(self, logits: Logits) -> int:
        sampling = self._sampling
        if sampling.temperature <= 0:
            return int(logits.argmax())
        count = logits.size
        limit = min(sampling.top_k, count) if sampling.top_k > 0 else count
        # Sorting a whole vocabulary costs more than the rest; the nucleus nearly always lies in the likeliest ones.
        short = min(limit, _NUCLEUS)
        if sampling.top_p < 1 or limit < count:
            order = np.argpartition(logits, count - short)[count - short :] if short < count else np.arange(count)
            order = order[np.argsort(-logits[order], kind="stable")]
        else:
            order = np.arange(count)
        weights = np.exp((logits[order].astype(np.float64) - float(logits.max())) / sampling.temperature)
        if limit == short:
            total = weights.sum()
        else:
            total = np.exp((logits.astype(np.float64) - float(logits.max())) / sampling.temperature).sum()
        if sampling.top_p < 1:
            cumulative = np.cumsum(weights) / total
            order, weights = order[: (keep := int(np.searchsorted(cumulative, sampling.top_p)) + 1)], weights[:keep]
        sums = np.cumsum(weights)
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
