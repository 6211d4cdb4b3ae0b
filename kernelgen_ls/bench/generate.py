"""``bench generate DIR``: every specification below a folder through ``kernelgen-ls generate``, as a user would run it.

Each runs in a process of its own, so the seconds hold everything: starting, loading the model, starting the checker,
writing, checking, mending. What "compiles" means is the embedded checker's word.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs
import click
from attrs import frozen

from kernelgen_ls.folders import write_json

GOAL_SECONDS = 60.0


@frozen
class Written:
    """One specification. ``verdict`` is what executing the kernel came to, in words."""

    specification: str
    compiles: bool
    seconds: float
    candidates: int = 0
    rounds: int = 0
    tokens: int = 0
    verdict: str = ""
    problem: str = ""


@frozen
class GenerateReport:
    """All of them; ``seconds`` are of whole processes."""

    model: str
    seed: int
    written: tuple[Written, ...]

    @property
    def right(self) -> int:
        """How many compile within the goal's time."""
        return sum(one.compiles and one.seconds <= GOAL_SECONDS for one in self.written)


@click.command()
@click.argument("directory", type=click.Path(exists=True, file_okay=False, path_type=Path), default=Path("examples"))
@click.option("--model", type=click.Path(exists=True, path_type=Path), help="A GGUF file; default: the chosen model.")
@click.option("--mode", type=click.Choice(["auto", "static", "dynamic", "full"]), default="auto", show_default=True)
@click.option("--n", "candidates", type=click.IntRange(1, 64), help="Kernels to try; default: the setting.")
@click.option("--rounds", type=click.IntRange(0, 16), help="Repairs for each; default: the setting.")
@click.option("--seed", default=0, show_default=True)
@click.option("--only", multiple=True, help="Only the specifications of these folders.")
@click.option("--json", "output", type=click.Path(path_type=Path), help="Write the report there.")
def generate(
    directory: Path,
    model: Path | None,
    mode: str,
    candidates: int | None,
    rounds: int | None,
    seed: int,
    only: tuple[str, ...],
    output: Path | None,
) -> None:
    """Write a kernel for each api_desc.md below DIRECTORY; the exit status is 1 when one does not compile."""
    options = ["--mode", mode, "--seed", str(seed)]
    options += ["--model", str(model)] if model else []
    options += ["--n", str(candidates)] if candidates is not None else []
    options += ["--rounds", str(rounds)] if rounds is not None else []
    folders = [file.parent for file in sorted(directory.rglob("api_desc.md"))]
    folders = [folder for folder in folders if not only or folder.name in only]
    if not folders:
        raise click.ClickException(f"{directory} holds no api_desc.md.")
    written = []
    for folder in folders:
        one = _write(folder, options)
        written.append(one)
        outcome = "compiles" if one.compiles else "fails"
        click.echo(f"{one.specification}: {outcome}, {one.seconds:.1f} s {one.verdict or one.problem}".rstrip())
    report = GenerateReport(str(model or "the chosen model"), seed, tuple(written))
    _show(report)
    if output is not None:
        write_json(output, {**attrs.asdict(report), "right": report.right})
    raise SystemExit(0 if all(one.compiles for one in written) else 1)


def _write(folder: Path, options: Sequence[str]) -> Written:
    command = [sys.executable, "-m", "kernelgen_ls", "generate", str(folder), "--json", *options]
    began = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    seconds = round(time.monotonic() - began, 1)
    try:
        found: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        problem = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
        return Written(folder.name, compiles=False, seconds=seconds, problem=problem)
    return Written(
        folder.name,
        found["clean"],
        seconds,
        len(found["candidates"]),
        found["rounds"],
        found["tokens"],
        (found["verdict"] or {}).get("words", ""),
        "" if found["clean"] else found["summary"],
    )


def _show(report: GenerateReport) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(title=f"specifications through {report.model}, seed {report.seed}")
    for name in ("", "compiles", "s", "candidates", "repairs", "tokens", "verdict"):
        table.add_column(name, justify="left" if name in ("", "verdict") else "right")
    for one in report.written:
        counts = (str(one.candidates), str(one.rounds), str(one.tokens))
        table.add_row(one.specification, "yes" if one.compiles else "no", f"{one.seconds:.1f}", *counts, one.verdict)
    console = Console()
    console.print(table)
    seconds = [one.seconds for one in report.written]
    console.print(
        f"{report.right} of {len(report.written)} compile within {GOAL_SECONDS:.0f} s; "
        f"median {statistics.median(seconds):.1f} s, longest {max(seconds):.1f} s"
    )
