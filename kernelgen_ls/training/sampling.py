"""Continuations of a prompt with the torch network: greedy, or several drawn at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from kernelgen_ls.training.draws import GREEDY, Draw
from kernelgen_ls.training.network import Cache, Network


def _pick(logits: Tensor, draw: Draw, generator: torch.Generator) -> Tensor:
    if draw.temperature <= 0:
        return logits.argmax(-1)
    shares = torch.softmax(logits / draw.temperature, dim=-1)
    ordered, order = shares.sort(dim=-1, descending=True)
    kept = ordered * ((ordered.cumsum(-1) - ordered) < draw.top_p)
    picked = torch.multinomial(kept / kept.sum(-1, keepdim=True), 1, generator=generator)
    return order.gather(-1, picked)[:, 0]


@torch.no_grad()
def continuations(
    network: Network, prompt: Sequence[int], limit: int, stops: frozenset[int], draw: Draw = GREEDY, seed: int = 0,
    ended: Callable[[Sequence[int]], bool] = lambda _: False,
) -> list[list[int]]:  # fmt: skip
    """``draw.count`` continuations of one prompt, each without the stop token that ended it.

    ``ended`` may end one earlier: it sees the tokens so far.
    """
    generator = torch.Generator().manual_seed(seed)
    logits, cache = network.step(torch.tensor([list(prompt)]), None)
    logits = logits.expand(draw.count, -1)
    cache = [(k.expand(draw.count, -1, -1, -1), v.expand(draw.count, -1, -1, -1)) for k, v in cache]
    results: list[list[int]] = [[] for _ in range(draw.count)]
    live = list(range(draw.count))
    for _ in range(limit):
        tokens = _pick(logits, draw, generator)
        going = []
        for row, at in enumerate(live):
            token = int(tokens[row])
            if token in stops:
                continue
            results[at].append(token)
            if not ended(results[at]):
                going.append(row)
        if not going:
            break
        if len(going) < len(live):
            cache = _kept(cache, going)
            tokens = tokens[going]
            live = [live[row] for row in going]
        logits, cache = network.step(tokens[:, None], cache)
    return results


def _kept(cache: Cache, rows: list[int]) -> Cache:
    return [(k[rows], v[rows]) for k, v in cache]
