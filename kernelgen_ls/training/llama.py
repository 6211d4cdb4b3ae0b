"""llama.cpp through the product's own back end, as the reference that an exported model is held against."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from attrs import frozen

from kernelgen_ls.model.inference.backend import DecodeOutcome
from kernelgen_ls.model.inference.plan import LoadPlan
from kernelgen_ls.model.messages import Segment
from kernelgen_ls.model.worker import LlamaBackend, open_backend
from kernelgen_ls.training.draws import GREEDY, Draw

CONTEXT = 2048
CHUNK = 128


def _drawn(logits: np.ndarray, draw: Draw, numbers: np.random.Generator) -> int:
    """The next token: the most likely one, or one of the likely ones that make up ``draw.top_p``."""
    if draw.temperature <= 0:
        return int(logits.argmax())
    shares = np.exp((logits - logits.max()) / draw.temperature, dtype=np.float64)
    order = np.argsort(-shares)
    ordered = shares[order] / shares.sum()
    kept = ordered * ((ordered.cumsum() - ordered) < draw.top_p)
    return int(order[numbers.choice(len(kept), p=kept / kept.sum())])


@frozen
class Reference:
    """A loaded model with one sequence, evaluated in full precision on one thread."""

    backend: LlamaBackend

    @staticmethod
    @contextmanager
    def opened(model: Path) -> Iterator[Reference]:
        """Load a model; its memory is the process's and goes with it."""
        plan = LoadPlan(model, CONTEXT, 2, CHUNK, threads=1, gpu_layers=0, repack=False, exact=True)
        yield Reference(open_backend(plan, lambda _: None))

    def tokenize(self, prompt: Sequence[Segment]) -> list[int]:
        """The prompt's tokens as llama.cpp cuts them."""
        return [token for segment in prompt for token in self.backend.tokenize(segment.text, segment.special)]

    def _evaluate(self, position: int, tokens: Sequence[int]) -> int:
        """Evaluate tokens after ``position``; returns the most likely next one."""
        outcome = self.backend.evaluate(0, position, tokens, 1)
        if outcome is not DecodeOutcome.DONE:
            raise RuntimeError(f"llama.cpp stopped at position {position}: {outcome}.")
        return int(self.backend.logits(0).argmax())

    def continuations(
        self, prompt: Sequence[int], limit: int, stops: frozenset[int], draw: Draw = GREEDY, seed: int = 0,
        ended: Callable[[Sequence[int]], bool] = lambda _: False,
    ) -> list[list[int]]:  # fmt: skip
        """As ``sampling.continuations``, with llama.cpp."""
        numbers = np.random.default_rng(seed)
        room = min(limit, CONTEXT - len(prompt) - 1)
        return [self._one(prompt, room, stops, draw, numbers, ended) for _ in range(draw.count)]

    def _one(
        self, prompt: Sequence[int], limit: int, stops: frozenset[int], draw: Draw, numbers: np.random.Generator,
        ended: Callable[[Sequence[int]], bool],
    ) -> list[int]:  # fmt: skip
        self.backend.trim(0, 0)
        for at in range(0, len(prompt), CHUNK):
            self._evaluate(at, prompt[at : at + CHUNK])
        tokens: list[int] = []
        while len(tokens) < limit:
            token = _drawn(self.backend.logits(0), draw, numbers)
            if token in stops:
                break
            tokens.append(token)
            if ended(tokens):
                break
            self._evaluate(len(prompt) + len(tokens) - 1, [token])
        return tokens

    def greedy(self, prompt: Sequence[int], count: int, end: int) -> list[int]:
        """The greedy continuation, at most ``count`` tokens, ended by ``end``."""
        self.backend.trim(0, 0)
        token = 0
        for at in range(0, len(prompt), CHUNK):
            token = self._evaluate(at, prompt[at : at + CHUNK])
        tokens = [token]
        while len(tokens) < count and tokens[-1] != end:
            tokens.append(self._evaluate(len(prompt) + len(tokens) - 1, tokens[-1:]))
        return tokens
