"""A model worker that does all the work of a model and writes a given text: what drafting is worth on real code.

A model with random weights writes nothing like a kernel, and drafts live from what kernels repeat. So here llama.cpp
evaluates every batch at its full cost, and only its preference is replaced: the next token of the dictated text gets
the highest score. What a draft costs and how often it is right are then those of a model that writes this text.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

from kernelgen_ls.model.inference.backend import DecodeOutcome, Logits
from kernelgen_ls.model.inference.plan import LoadPlan
from kernelgen_ls.model.worker import LlamaBackend, main

_KEY = 3
"""Tokens by which a place in the text is looked up."""
_CONTEXT = 64
"""Tokens that decide between places that look alike."""
_PREFERRED = 1e4


class Dictation:
    """The token ids of a text, and which of them comes next."""

    def __init__(self, tokens: Sequence[int]) -> None:
        self._tokens = tokens
        self._places: dict[tuple[int, ...], list[int]] = defaultdict(list)
        for at in range(_KEY, len(tokens)):
            self._places[tuple(tokens[at - _KEY : at])].append(at)

    def after(self, context: Sequence[int]) -> int | None:
        """The token that follows ``context``'s end where the text has it, at the place most like it; None elsewhere."""
        places = self._places.get(tuple(context[-_KEY:]), ())
        best = max(places, key=lambda at: self._alike(context, at), default=None)
        return None if best is None else self._tokens[best]

    def _alike(self, context: Sequence[int], at: int) -> int:
        length = 0
        while length < min(at, len(context), _CONTEXT) and self._tokens[at - 1 - length] == context[-1 - length]:
            length += 1
        return length


class DictatedBackend(LlamaBackend):
    """llama.cpp, told what to prefer."""

    def __init__(self, plan: LoadPlan, on_progress: Callable[[float], None], text: str) -> None:
        super().__init__(plan, on_progress)
        self._dictation = Dictation(self.tokenize(text, special=False))
        self._known: dict[int, list[int]] = defaultdict(list)
        self._evaluated: tuple[list[int], int] = ([], 0)

    def evaluate(self, sequence: int, position: int, tokens: Sequence[int], outputs: int) -> DecodeOutcome:
        """Evaluate, and keep in mind what the sequence holds."""
        known = self._known[sequence]
        known[position:] = tokens
        self._evaluated = (known, len(known) - outputs)
        return super().evaluate(sequence, position, tokens, outputs)

    def copy(self, source: int, target: int, length: int) -> None:
        """Share the first cells of ``source``."""
        super().copy(source, target, length)
        self._known[target] = self._known[source][:length]

    def logits(self, row: int) -> Logits:
        """The model's row with the dictated token on top."""
        values = super().logits(row)
        known, first = self._evaluated
        token = self._dictation.after(known[max(0, first + row + 1 - _CONTEXT) : first + row + 1])
        if token is not None:
            values[token] = _PREFERRED
        return values


if __name__ == "__main__":
    dictated = Path(sys.argv[1]).read_text("utf-8")
    main(lambda plan, on_progress: DictatedBackend(plan, on_progress, dictated))
