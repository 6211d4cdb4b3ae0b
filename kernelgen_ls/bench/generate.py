"""``bench generate DIR``: every specification below a folder through ``kernelgen-ls generate``, as a user would run it.

Each runs in a process of its own, so the seconds hold everything: starting, loading the model, starting the checker,
writing, checking, running on the twin, mending. A kernel by rule comes first and ends the request where it is right;
with ``--by model`` the model is asked all the same. With ``--out`` a run that was killed goes on where it stopped.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import attrs
import click
from attrs import frozen

from kernelgen_ls.bench.results import add_result, result_lines
from kernelgen_ls.bench.samples import By, Score, Tried, sample_of, score, shown, tried_of
from kernelgen_ls.folders import write_json

RESULTS = "results.jsonl"


@frozen
class GenerateReport:
    """All of them; ``seconds`` are of whole processes. ``right`` offered kernels were run and are right."""

    model: str
    seed: int
    tried: tuple[Tried, ...]
    scores: tuple[Score, ...]
    right: int


@click.command()
@click.argument("directory", type=click.Path(exists=True, file_okay=False, path_type=Path), default=Path("examples"))
@click.option("--model", type=click.Path(exists=True, path_type=Path), help="A GGUF file; default: the chosen model.")
@click.option("--by", type=click.Choice([one.value for one in By]), default=By.BOTH.value, show_default=True)
@click.option("--mode", type=click.Choice(["auto", "static", "dynamic", "full"]), default="auto", show_default=True)
@click.option("--n", "candidates", type=click.IntRange(1, 64), help="Kernels to try; default: the setting.")
@click.option("--k", "ks", multiple=True, type=int, default=(1,), show_default=True, help="Rates to report.")
@click.option("--rounds", type=click.IntRange(0, 16), help="Repairs for each; default: the setting.")
@click.option("--seed", default=0, show_default=True)
@click.option("--only", multiple=True, help="Only the specifications of these folders.")
@click.option("--out", type=click.Path(path_type=Path), help="A folder for results, to go on from.")
@click.option("--json", "output", type=click.Path(path_type=Path), help="Write the report there.")
def generate(
    directory: Path,
    model: Path | None,
    by: str,
    mode: str,
    candidates: int | None,
    ks: tuple[int, ...],
    rounds: int | None,
    seed: int,
    only: tuple[str, ...],
    out: Path | None,
    output: Path | None,
) -> None:
    """Write a kernel for each api_desc.md below DIRECTORY; exit status 1 when one does not compile or is wrong."""
    options = ["--mode", mode, "--seed", str(seed)]
    options += ["--model", str(model)] if model else []
    options += ["--n", str(candidates)] if candidates is not None else []
    options += ["--rounds", str(rounds)] if rounds is not None else []
    options += ["--by", by]
    folders = [file.parent for file in sorted(directory.rglob("api_desc.md"))]
    folders = [folder for folder in folders if not only or folder.name in only]
    if not folders:
        raise click.ClickException(f"{directory} holds no api_desc.md.")
    tried = tuple(_all(folders, options, out))
    sources = tuple(By) if by == By.BOTH.value else (By(by),)
    rows = tuple(score("all", one, tried, ks) for one in sources)
    report = GenerateReport(str(model or "the chosen model"), seed, tried, rows, sum(map(_right, tried)))
    _show(report)
    if output is not None:
        write_json(output, attrs.asdict(report))
    raise SystemExit(0 if all(_serves(one) for one in tried) else 1)


def _all(folders: Sequence[Path], options: Sequence[str], out: Path | None) -> Iterator[Tried]:
    """Each specification, with a line as it is done; those of an earlier run are read."""
    results = out / RESULTS if out is not None else None
    done = {raw["task"]: tried_of(raw) for raw in result_lines(results)} if results is not None else {}
    for number, folder in enumerate(folders, 1):
        one = done.get(folder.name)
        if one is None:
            one = _write(folder, options)
            if results is not None:
                results.parent.mkdir(parents=True, exist_ok=True)
                add_result(results, attrs.asdict(one))
        click.echo(f"[{number}/{len(folders)}] {one.task}: {one.said or one.problem} ({one.seconds:.1f} s)")
        yield one


def _write(folder: Path, options: Sequence[str]) -> Tried:
    command = [sys.executable, "-m", "kernelgen_ls", "generate", str(folder), "--json", *options]
    began = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    seconds = round(time.monotonic() - began, 1)
    try:
        found: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        problem = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
        return Tried(folder.name, seconds=seconds, problem=problem)
    samples = tuple(sample_of(candidate) for candidate in found["candidates"])
    said = found["summary"].partition(": ")[2]
    return Tried(folder.name, samples, found["tokens"], seconds, "" if found["clean"] else said, said)


def _right(one: Tried) -> bool:
    """Whether the kernel that is offered, the first of the candidates, is right."""
    return bool(one.samples) and one.samples[0].right


def _serves(one: Tried) -> bool:
    return bool(one.samples) and one.samples[0].compiles and not one.samples[0].wrong


def _show(report: GenerateReport) -> None:
    shown(report.scores, f"specifications through {report.model}, seed {report.seed}")
    seconds = [one.seconds for one in report.tried]
    click.echo(
        f"{report.right} of {len(report.tried)} offered kernels are right; "
        f"median {statistics.median(seconds):.1f} s, longest {max(seconds):.1f} s"
    )
