"""The steps from nothing to a model file, each of which finds what an earlier run of it left in the folder."""

from __future__ import annotations

import json
import multiprocessing
import random
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice
from pathlib import Path

import torch
from attrs import frozen
from torch import distributed

from kernelgen_ls.folders import write_text
from kernelgen_ls.model.prompts import starter
from kernelgen_ls.training import sft
from kernelgen_ls.training.checking import Checker, defect_pairs
from kernelgen_ls.training.curve import Point
from kernelgen_ls.training.documents import (
    Document,
    Pair,
    completion_document,
    generation_document,
    plain_kernel,
    sample_kernel,
    starter_spec,
)
from kernelgen_ls.training.network import NetworkConfig
from kernelgen_ls.training.recipe import Plan
from kernelgen_ls.training.tokenizer import StarterTokenizer, learn

PAIRS_CHUNK = 100
HELD_OUT_KERNELS = 6
HELD_OUT_COMPLETIONS = 10


@frozen
class Folder:
    """A run's files."""

    root: Path

    @property
    def tokenizer(self) -> Path:
        """The learned vocabulary."""
        return self.root / "tokenizer.json"

    def pairs(self, split: str) -> Path:
        """Defects with their findings, for ``train`` or ``test``."""
        return self.root / f"pairs_{split}.json"

    @property
    def quality(self) -> Path:
        """The evaluation's figures."""
        return self.root / "quality.json"

    @property
    def model(self) -> Path:
        """The exported model."""
        return self.root / "starter.gguf"


def make_tokenizer(folder: Folder, plan: Plan, seed: int) -> StarterTokenizer:
    """Learn the vocabulary from kernels, plans, specifications and host files of the training split."""
    if folder.tokenizer.exists():
        return StarterTokenizer.load(folder.tokenizer)
    rng = random.Random(seed)
    texts: list[str] = []
    for at in range(plan.tokenizer_kernels):
        kernel = sample_kernel(rng, simple=at % 3 == 0)
        texts += [kernel.source, kernel.plan, starter.spec_text(starter_spec(kernel.operator))]
        if kernel.host and at % 4 == 0:
            texts += [kernel.host, kernel.tiling_header]
    messages = [pair[4] for pair in read_pairs(folder, "train")[:60]]
    tokenizer = learn(texts + messages * 8, plan.vocabulary)
    tokenizer.save(folder.tokenizer)
    return tokenizer


def read_pairs(folder: Folder, split: str) -> list[Pair]:
    """The pairs made so far; none where there are none."""
    path = folder.pairs(split)
    if not path.exists():
        return []
    return [(k, clean, broken, line, text) for k, clean, broken, line, text in json.loads(path.read_text("utf-8"))]


def _pairs_chunk(split: str, seed: int, chunk: int, wanted: int) -> list[Pair]:
    source = defect_pairs(random.Random(f"{seed} {split} {chunk}"), Checker(), held_out=split == "test")
    return list(islice(source, wanted))


def make_pairs(folder: Folder, split: str, count: int, seed: int, workers: int = 1) -> Iterator[int]:
    """Make pairs of defect and finding until the folder has ``count``; yields how many there are.

    They are made a chunk at a time, each from its own seed, in ``workers`` processes: what was interrupted goes on at
    its last whole chunk, and how many work on it changes nothing.
    """
    made = read_pairs(folder, split)[:count]
    yield len(made)
    if len(made) == count:
        return
    first = len(made) // PAIRS_CHUNK
    del made[first * PAIRS_CHUNK :]
    chunks = range(first, -(-count // PAIRS_CHUNK))
    sizes = [min(PAIRS_CHUNK, count - chunk * PAIRS_CHUNK) for chunk in chunks]
    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
        for pairs in pool.map(partial(_pairs_chunk, split, seed), chunks, sizes):
            made += pairs
            write_text(folder.pairs(split), json.dumps(made, ensure_ascii=False))
            yield len(made)


def held_out_documents(tokenizer: StarterTokenizer, limit: int) -> list[Document]:
    """Documents of held-out operators that the loss curve is drawn on."""
    rng = random.Random(5)
    documents: list[Document] = []
    while len(documents) < HELD_OUT_KERNELS:
        document = generation_document(tokenizer, plain_kernel(rng, held_out=True))
        if len(document.tokens) <= limit:
            documents.append(document)
    for _ in range(HELD_OUT_COMPLETIONS):
        source = sample_kernel(rng, simple=False, held_out=True).source
        documents.append(completion_document(rng, tokenizer, source, None, limit))
    return documents


def train(
    folder: Folder,
    plan: Plan,
    seed: int,
    report: Callable[[sft.Progress, Point], None],
    workers: sft.Workers,
    store: Path,
) -> None:
    """Train, or go on training, as one of ``workers``; they meet at the file ``store``."""
    torch.set_num_threads(1 if workers.count > 1 else torch.get_num_threads())
    if workers.count > 1:
        distributed.init_process_group(
            "gloo", init_method=f"file://{store}", rank=workers.rank, world_size=workers.count
        )
    tokenizer = StarterTokenizer.load(folder.tokenizer)
    config = NetworkConfig(
        tokenizer.size, plan.width, plan.layers, plan.heads, plan.heads, feed_forward=plan.feed_forward
    )
    recipe = sft.Recipe(
        plan.tokens,
        seed,
        plan.batch_tokens,
        plan.document_limit,
        decay=plan.decay,
        closing=plan.closing,
        settling=plan.settling,
    )
    held_out = held_out_documents(tokenizer, plan.document_limit)
    sft.train(folder.root, tokenizer, config, recipe, read_pairs(folder, "train"), held_out, report, workers)
