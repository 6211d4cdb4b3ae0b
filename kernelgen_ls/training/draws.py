"""What it is to continue a prompt, whoever does it: PyTorch's network (``sampling.py``) or llama.cpp (``llama.py``)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from attrs import frozen


@frozen
class Draw:
    """How tokens are drawn; temperature 0 is greedy."""

    temperature: float = 0.0
    top_p: float = 0.9
    count: int = 1


GREEDY = Draw()


class Continuations(Protocol):
    """What continues a prompt: see ``sampling.continuations``."""

    def __call__(
        self, prompt: Sequence[int], limit: int, stops: frozenset[int], draw: Draw = GREEDY, seed: int = 0,
        ended: Callable[[Sequence[int]], bool] = lambda _: False,
    ) -> list[list[int]]:  # fmt: skip
        """Continuations of one prompt."""
