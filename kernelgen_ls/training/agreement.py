"""Holds llama.cpp, running an exported model, against PyTorch: both continue the same prompts greedily."""

from __future__ import annotations

import random
from pathlib import Path

import torch
from attrs import evolve

from kernelgen_ls.model.messages import Segment
from kernelgen_ls.model.prompts import chatml, starter
from kernelgen_ls.training.documents import draw_cut, sample_kernel, starter_spec
from kernelgen_ls.training.export import Agreement, agreement, dequantised, greedy, iter_common
from kernelgen_ls.training.llama import Reference
from kernelgen_ls.training.network import Network
from kernelgen_ls.training.tokenizer import StarterTokenizer

CONTINUATION = 48


def prompts_of(count: int, seed: int = 3) -> list[tuple[Segment, ...]]:
    """Completions and generations of held-out operators."""
    rng = random.Random(seed)
    prompts: list[tuple[Segment, ...]] = []
    for at in range(count):
        kernel = sample_kernel(rng, simple=at % 2 == 0, held_out=True)
        if at % 4 == 0:
            prompts.append(starter.generation_prompt(starter_spec(kernel.operator)))
        else:
            cut = draw_cut(rng, kernel.source)
            prompts.append(starter.completion_prompt(kernel.source[: cut.start], kernel.source[cut.end :]))
    return prompts


def compare(network: Network, tokenizer: StarterTokenizer, model: Path, count: int) -> Agreement:
    """Tokenisation and greedy continuations of ``count`` prompts, PyTorch (with the quantised weights) and llama.cpp.

    Raises:
        ValueError: llama.cpp cuts a prompt into other tokens than the training did.
    """
    torch.set_num_threads(1)  # threads that wait for each other are slower than one at this size
    plain = dequantised(network)
    end = tokenizer.special(chatml.END)
    left, right, gaps = [], [], []
    with Reference.opened(model) as reference:
        for prompt in prompts_of(count):
            tokens = tokenizer.encode(prompt)
            theirs = reference.tokenize(prompt)
            if tokens != theirs:
                raise ValueError(f"llama.cpp tokenises a prompt differently: {tokens[:20]} ... and {theirs[:20]} ...")
            left.append(greedy(plain, tokens, CONTINUATION, end))
            right.append(reference.greedy(tokens, CONTINUATION, end))
            if left[-1] != right[-1]:
                gaps.append(_gap(plain, tokens, left[-1], right[-1]))
    return evolve(agreement(left, right), gaps=tuple(gaps))


def _gap(network: Network, prompt: list[int], left: list[int], right: list[int]) -> float:
    """By how many logits PyTorch prefers its own token where two continuations part."""
    common = iter_common(left, right)
    at = len(common)
    if at >= min(len(left), len(right)):
        return 0.0
    logits, _ = network.step(torch.tensor([prompt + common]), None)
    return float(logits[0, left[at]] - logits[0, right[at]])
