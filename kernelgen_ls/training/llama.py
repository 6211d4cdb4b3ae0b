"""llama.cpp through the product's own back end, as the reference that an exported model is held against."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from attrs import frozen

from kernelgen_ls.model.inference.backend import Outcome
from kernelgen_ls.model.inference.plan import LoadPlan
from kernelgen_ls.model.messages import Segment
from kernelgen_ls.model.worker import LlamaBackend, open_backend

CONTEXT = 2048
CHUNK = 128


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
        if outcome is not Outcome.DONE:
            raise RuntimeError(f"llama.cpp stopped at position {position}: {outcome}.")
        return int(self.backend.logits(0).argmax())

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
