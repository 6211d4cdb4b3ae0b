"""Training the starter: length-grouped batches, Muon and AdamW, warm-up, constant rate, linear decay; resumable.

A run lives in a folder: ``tokenizer.json``, ``config.json``, ``checkpoint.pt``, ``curve.jsonl`` and ``curve.svg``.
"""

from __future__ import annotations

import json
import math
import random
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import torch
from attrs import asdict, define, frozen
from torch import Tensor, distributed
from torch.nn import functional

from kernelgen_ls.folders import write_text, writing
from kernelgen_ls.training.curve import Point, curve_svg
from kernelgen_ls.training.documents import CLOSING, MAIN, Document, Mix, Pair, documents
from kernelgen_ls.training.network import Network, NetworkConfig
from kernelgen_ls.training.optimisers import Muon
from kernelgen_ls.training.tokenizer import StarterTokenizer


@frozen
class Recipe:
    """What a run trains with. ``tokens`` is the length of the schedule (padding not counted)."""

    tokens: int
    seed: int = 1
    batch_tokens: int = 4096
    document_limit: int = 1280
    muon_rate: float = 0.02
    adam_rate: float = 5e-3
    warm_up: float = 0.01
    decay: float = 0.45
    closing: float = 0.0
    """Share of the run, late in it, in which whole kernels prevail."""
    settling: float = 0.0
    """Share behind that, to the end, in which everything is practised again."""
    checkpoint_minutes: float = 3.0
    clip: float = 1.0


@frozen
class Workers:
    """Processes that train together, each on its own batches, with gradients averaged every step.

    One thread each: on a machine that others use too, threads of one process wait for the slowest at every operation.
    """

    rank: int = 0
    count: int = 1

    def add(self, numbers: Tensor) -> None:
        """Replace ``numbers`` in each worker by the sum of all workers'."""
        if self.count > 1:
            distributed.all_reduce(numbers)

    def average(self, network: Network, tokens: int) -> int:
        """Average the gradients over the workers; returns the tokens that all of them saw."""
        if self.count == 1:
            return tokens
        gradients = [parameter.grad for parameter in network.parameters() if parameter.grad is not None]
        flat = torch.cat([gradient.reshape(-1) for gradient in gradients] + [torch.tensor([float(tokens)])])
        self.add(flat)
        at = 0
        for gradient in gradients:
            gradient.copy_(flat[at : at + gradient.numel()].view_as(gradient) / self.count)
            at += gradient.numel()
        return int(flat[-1].item())


@define
class Progress:
    """How far a run is."""

    step: int = 0
    tokens: int = 0
    seconds: float = 0.0


@frozen
class Batch:
    """Padded tokens (documents, length) and the weights of predicting each next one."""

    tokens: Tensor
    weights: Tensor
    count: int


def rate_factor(recipe: Recipe, tokens: int) -> float:
    """The schedule: linear warm-up, constant, linear decay to nothing at ``recipe.tokens``."""
    done = tokens / recipe.tokens
    if done < recipe.warm_up:
        return max(done / recipe.warm_up, 0.05)
    return min(1.0, max((1 - done) / recipe.decay, 0.0))


def mix_at(recipe: Recipe, tokens: int) -> Mix:
    """Which kinds of documents are read: whole kernels prevail late in the run, but not in its last part."""
    left = 1 - tokens / recipe.tokens
    return CLOSING if recipe.settling < left <= recipe.settling + recipe.closing else MAIN


def make_batch(group: Sequence[Document]) -> Batch:
    """Documents of similar length, padded on the right."""
    length = max(len(document.tokens) for document in group)
    tokens = torch.zeros(len(group), length, dtype=torch.long)
    weights = torch.zeros(len(group), length)
    for row, document in enumerate(group):
        tokens[row, : len(document.tokens)] = torch.tensor(document.tokens)
        weights[row, : len(document.weights)] = torch.tensor(document.weights)
    return Batch(tokens, weights, sum(len(document.tokens) for document in group))


def batches(rng: random.Random, source: Iterator[Document], batch_tokens: int, window: int = 192) -> Iterator[Batch]:
    """Batches of at most ``batch_tokens`` padded tokens from windows of documents sorted by length."""
    while True:
        pool = sorted((next(source) for _ in range(window)), key=lambda document: len(document.tokens))
        groups: list[list[Document]] = [[]]
        for document in pool:
            if groups[-1] and len(document.tokens) * (len(groups[-1]) + 1) > batch_tokens:
                groups.append([])
            groups[-1].append(document)
        rng.shuffle(groups)
        for group in groups:
            yield make_batch(group)


def batch_loss(network: Network, batch: Batch) -> tuple[Tensor, Tensor]:
    """The weighted mean loss (nats a token), and the share of learned tokens predicted exactly."""
    positions = torch.arange(batch.tokens.shape[1])[None].expand_as(batch.tokens)
    hidden = network.hidden(batch.tokens[:, :-1], positions[:, :-1], None)
    weights = batch.weights[:, 1:]
    chosen = weights > 0
    logits = network.logits(hidden[chosen])
    targets = batch.tokens[:, 1:][chosen]
    losses = functional.cross_entropy(logits, targets, reduction="none")
    picked = weights[chosen]
    return (losses * picked).sum() / picked.sum(), (logits.argmax(-1) == targets).float().mean()


def optimisers(network: Network, recipe: Recipe, workers: Workers = Workers()) -> tuple[Muon, torch.optim.AdamW]:
    """Muon for the layers' matrices, AdamW for embeddings and norms."""
    matrices = [p for name, p in network.named_parameters() if p.ndim == 2 and "embed" not in name]
    rest = [p for name, p in network.named_parameters() if p.ndim != 2 or "embed" in name]
    muon = Muon(matrices, recipe.muon_rate, rank=workers.rank, count=workers.count, gather=workers.add)
    return muon, torch.optim.AdamW(rest, recipe.adam_rate, betas=(0.9, 0.98), weight_decay=0.0)


@define
class Run:
    """A training run in a folder."""

    folder: Path
    network: Network
    tokenizer: StarterTokenizer
    recipe: Recipe
    progress: Progress

    def save(self, muon: Muon, adam: torch.optim.AdamW) -> None:
        """Write the checkpoint in place of the old one."""
        state = {
            "network": self.network.state_dict(), "muon": muon.state_dict(), "adam": adam.state_dict(),
            "progress": asdict(self.progress), "config": asdict(self.network.config), "recipe": asdict(self.recipe),
        }  # fmt: skip
        with writing(self.folder / "checkpoint.pt") as fresh:
            torch.save(state, fresh)


def load_network(folder: Path) -> tuple[Network, StarterTokenizer]:
    """The network and tokenizer of a run's folder."""
    state = torch.load(folder / "checkpoint.pt", weights_only=True)
    network = Network(NetworkConfig(**state["config"]))
    network.load_state_dict(state["network"])
    network.eval()
    return network, StarterTokenizer.load(folder / "tokenizer.json")


def evaluation_batches(tokenizer: StarterTokenizer, held_out: Sequence[Document], batch_tokens: int) -> list[Batch]:
    """Fixed held-out documents as batches of one kind each."""
    result = []
    for kind in sorted({document.kind for document in held_out}):
        group = [document for document in held_out if document.kind == kind]
        size = max(1, batch_tokens // max(len(document.tokens) for document in group))
        result += [make_batch(group[at : at + size]) for at in range(0, len(group), size)]
    return result


@torch.no_grad()
def evaluate_loss(network: Network, held_out: Sequence[Batch]) -> tuple[float, float]:
    """Mean loss and next-token accuracy over held-out batches."""
    pairs = [batch_loss(network, batch) for batch in held_out]
    return sum(float(loss) for loss, _ in pairs) / len(pairs), sum(float(hit) for _, hit in pairs) / len(pairs)


def train(
    folder: Path, tokenizer: StarterTokenizer, config: NetworkConfig, recipe: Recipe, pairs: Sequence[Pair],
    held_out: Sequence[Document], report: Callable[[Progress, Point], None], workers: Workers = Workers(),
) -> Run:  # fmt: skip
    """Train until ``recipe.tokens`` were seen, continuing from the folder's checkpoint if there is one.

    Only the worker of rank 0 evaluates, reports and writes.
    """
    folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(recipe.seed)
    network = Network(config)
    muon, adam = optimisers(network, recipe, workers)
    run = Run(folder, network, tokenizer, recipe, Progress())
    checkpoint = folder / "checkpoint.pt"
    if checkpoint.exists():
        state = torch.load(checkpoint, weights_only=True)
        network.load_state_dict(state["network"])
        muon.load_state_dict(state["muon"])
        adam.load_state_dict(state["adam"])
        run.progress = Progress(**state["progress"])
    leads = workers.rank == 0
    if leads:
        tokenizer.save(folder / "tokenizer.json")
    tests = evaluation_batches(tokenizer, held_out, recipe.batch_tokens)
    rng = random.Random((recipe.seed * 7919 + run.progress.step) * 64 + workers.rank)
    mix = MAIN
    source = batches(rng, documents(rng, tokenizer, pairs, limit=recipe.document_limit), recipe.batch_tokens)
    curve = [Point(**json.loads(line)) for line in _lines(folder / "curve.jsonl")]
    saved = time.monotonic()
    smooth = math.nan
    while run.progress.tokens < recipe.tokens:
        started = time.monotonic()
        if mix is not (wanted := mix_at(recipe, run.progress.tokens)):
            mix = wanted
            kernels = documents(rng, tokenizer, pairs, limit=recipe.document_limit, mix=mix)
            source = batches(rng, kernels, recipe.batch_tokens)
        batch = next(source)
        loss, seen = _update(network, muon, adam, recipe, run.progress.tokens, batch, workers)
        smooth = loss if math.isnan(smooth) else 0.95 * smooth + 0.05 * loss
        run.progress.step += 1
        run.progress.tokens += seen
        run.progress.seconds += time.monotonic() - started
        if leads and run.progress.step % 25 == 0:
            test, hit = evaluate_loss(network, tests) if run.progress.step % 100 == 0 and tests else (None, None)
            point = Point(run.progress.step, run.progress.tokens, run.progress.seconds, smooth, test, hit)
            curve.append(point)
            with (folder / "curve.jsonl").open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(point)) + "\n")
            report(run.progress, point)
        if leads and time.monotonic() - saved > 60 * recipe.checkpoint_minutes:
            run.save(muon, adam)
            write_text(folder / "curve.svg", curve_svg(curve))
            saved = time.monotonic()
    if leads:
        run.save(muon, adam)
        write_text(folder / "curve.svg", curve_svg(curve))
    return run


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def _update(
    network: Network, muon: Muon, adam: torch.optim.AdamW, recipe: Recipe, tokens: int, batch: Batch, workers: Workers
) -> tuple[float, int]:
    """One step; this worker's loss and the tokens that all workers saw."""
    factor = rate_factor(recipe, tokens)
    for optimiser, rate in ((muon, recipe.muon_rate), (adam, recipe.adam_rate)):
        for group in optimiser.param_groups:
            group["lr"] = rate * factor
    loss, _ = batch_loss(network, batch)
    torch.autograd.backward(loss)
    seen = workers.average(network, batch.count)
    torch.nn.utils.clip_grad_norm_(network.parameters(), recipe.clip)
    muon.step()
    adam.step()
    muon.zero_grad(set_to_none=True)
    adam.zero_grad(set_to_none=True)
    return float(loss.detach()), seen
