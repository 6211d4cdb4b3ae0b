"""``kernelgen-ls train``: make the starter model from nothing, or see in a minute that all of it still works."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import click
from attrs import asdict
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from kernelgen_ls.cli.errors import NoAnswerError
from kernelgen_ls.folders import cache_folder
from kernelgen_ls.report.units import size_text
from kernelgen_ls.training.recipe import SMOKE, STARTER, Plan

CONSOLE = Console(stderr=True)
PLANS = {plan.name: plan for plan in (STARTER, SMOKE)}


def default_folder(plan: Plan) -> Path:
    """Where a run lives unless told otherwise: the user's cache."""
    return cache_folder() / "training" / plan.name


@click.group()
def train() -> None:
    """Train the starter model (needs the ``train`` extra)."""


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn(),
        console=CONSOLE,
    )  # fmt: skip


@train.command()
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), help="The run's folder.")
@click.option("--seed", default=1, show_default=True)
@click.option("--workers", default=2, show_default=True, help="Processes of one thread each.")
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Copy the finished model here.")
def starter(folder: Path | None, seed: int, workers: int, output: Path | None) -> None:
    """Corpus, tokenizer, training, export and evaluation of the model that ships. Goes on where it was stopped."""
    _everything(folder or default_folder(STARTER), STARTER, seed, workers, output)


@train.command()
@click.option("--seed", default=1, show_default=True)
def smoke(seed: int) -> None:
    """Every step on a toy, in a temporary folder, within a minute."""
    with tempfile.TemporaryDirectory() as folder:
        _everything(Path(folder), SMOKE, seed, 1, None)


@train.command()
@click.argument("folder", type=click.Path(file_okay=False, exists=True, path_type=Path))
@click.option("--plan", "name", type=click.Choice(list(PLANS)), default="starter", show_default=True)
@click.option("--seed", default=1, show_default=True)
def evaluate(folder: Path, name: str, seed: int) -> None:
    """Measure a trained folder on held-out operators again."""
    _evaluate(folder, PLANS[name], seed)


@train.command()
@click.argument("folder", type=click.Path(file_okay=False, exists=True, path_type=Path))
@click.option("--prompts", default=50, show_default=True, help="Prompts on which llama.cpp must agree with PyTorch.")
def export(folder: Path, prompts: int) -> None:
    """Write a folder's checkpoint as GGUF and hold llama.cpp's greedy tokens against PyTorch's."""
    _export(folder, prompts)


@train.command(hidden=True)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--plan", "name", type=click.Choice(list(PLANS)), required=True)
@click.option("--seed", type=int, required=True)
@click.option("--rank", type=int, required=True)
@click.option("--count", type=int, required=True)
@click.option("--meeting", type=click.Path(path_type=Path), required=True)
def worker(folder: Path, name: str, seed: int, rank: int, count: int, meeting: Path) -> None:
    """One of the processes that train together; reports a JSON line at a time on stdout."""
    from kernelgen_ls.training import pipeline, sft
    from kernelgen_ls.training.curve import Point

    def report(_: sft.Progress, point: Point) -> None:
        click.echo(json.dumps(asdict(point)))

    pipeline.train(pipeline.Folder(folder), PLANS[name], seed, report, sft.Workers(rank, count), meeting)


def _everything(root: Path, plan: Plan, seed: int, workers: int, output: Path | None) -> None:
    from kernelgen_ls.training import pipeline

    root.mkdir(parents=True, exist_ok=True)
    folder = pipeline.Folder(root)
    with _progress() as progress:
        for split, count in (("train", plan.pairs), ("test", plan.evaluation_pairs)):
            task = progress.add_task(f"defects, {split}", total=count)
            for done in pipeline.make_pairs(folder, split, count, seed + (split == "test"), workers):
                progress.update(task, completed=done)
    pipeline.make_tokenizer(folder, plan, seed)
    _train(folder.root, plan, seed, workers)
    _export(folder.root, 50 if plan is STARTER else 3)
    _evaluate(folder.root, plan, seed)
    if output is not None:
        shutil.copyfile(folder.model, output)
        CONSOLE.print(f"The model is {output}.")


def _train(root: Path, plan: Plan, seed: int, count: int) -> None:
    """Start the workers and show how far the first one is; all end when one fails."""
    meeting = root / f"meeting.{os.getpid()}"
    command = [sys.executable, "-m", "kernelgen_ls", "train", "worker", str(root), "--plan", plan.name]
    command += ["--seed", str(seed), "--count", str(count), "--meeting", str(meeting)]
    environment = {**os.environ, "OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "0"}
    if count > 1:
        environment["OMP_NUM_THREADS"] = "1"
    children = [
        subprocess.Popen([*command, "--rank", str(rank)], stdout=subprocess.PIPE, text=True, env=environment)
        for rank in range(count)
    ]
    try:
        with _progress() as progress:
            task = progress.add_task("training, tokens", total=plan.tokens)
            assert children[0].stdout is not None
            for line in children[0].stdout:
                point = json.loads(line)
                progress.update(task, completed=point["tokens"], description=f"training, loss {point['loss']:.3f}")
            progress.update(task, completed=plan.tokens)
        failed = [child.wait() for child in children]
    finally:
        for child in children:
            child.kill()
        meeting.unlink(missing_ok=True)
    if any(failed):
        raise NoAnswerError(f"A training worker ended with {failed}; the last checkpoint is in {root}.")


def _export(root: Path, prompts: int) -> None:
    from kernelgen_ls.training import export as exporting
    from kernelgen_ls.training.agreement import compare
    from kernelgen_ls.training.pipeline import Folder
    from kernelgen_ls.training.sft import load_network

    network, tokenizer = load_network(root)
    path = Folder(root).model
    exporting.export(network, tokenizer, path, description=exporting.DESCRIPTION)
    found = compare(network, tokenizer, path, prompts)
    CONSOLE.print(
        f"{path} ({size_text(path.stat().st_size)}): llama.cpp equals PyTorch on {found.equal} of "
        f"{found.prompts} prompts ({found.equal_tokens} of {found.tokens} tokens)."
    )
    if found.gaps:
        CONSOLE.print(
            f"Where they part, PyTorch's preference is {', '.join(f'{gap:.3f}' for gap in found.gaps)} logits."
        )


def _evaluate(root: Path, plan: Plan, seed: int) -> None:
    from kernelgen_ls.training import pipeline
    from kernelgen_ls.training.evaluate import Evaluation, quality_table, write_quality
    from kernelgen_ls.training.llama import Reference
    from kernelgen_ls.training.tokenizer import StarterTokenizer

    folder = pipeline.Folder(root)
    tokenizer = StarterTokenizer.load(folder.tokenizer)
    with CONSOLE.status("evaluating") as status, Reference.opened(folder.model) as reference:
        evaluation = Evaluation(reference.continuations, tokenizer, report=status.update)
        pairs = pipeline.read_pairs(folder, "test")
        quality = evaluation.quality(
            lines=plan.evaluation_lines, kernels=plan.evaluation_kernels, pairs=pairs, seed=seed
        )
    write_quality(quality, folder.quality)
    table = Table("on operators held out of training", "measured", "wanted")
    for row in quality_table(quality):
        table.add_row(*row)
    CONSOLE.print(table)
