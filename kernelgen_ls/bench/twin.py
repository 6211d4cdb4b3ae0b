"""``kernelgen-ls bench twin DIR...``: the kernels below folders on the twin, and what that costs.

A kernel's cases are its cases file, or the ``validation/`` folder of NPUKernelBench's layout above it (which needs
torch), or are made from its specification. Every finished kernel is one line of ``results.jsonl`` in ``--out``, so that
a run that was killed goes on where it stopped. Compiling is timed beside the compiler alone on the same text, already
preprocessed: without the sandbox's start, the debug lines, the linking and whatever was tried in vain. Nothing of the
folders but paths, messages and figures is written.
"""

from __future__ import annotations

from pathlib import Path

import click

from kernelgen_ls.bench.twin_meter import many_halfs
from kernelgen_ls.bench.twin_results import STATES, figures, read_results
from kernelgen_ls.bench.twin_screen import show
from kernelgen_ls.bench.twin_sweep import Sweep
from kernelgen_ls.folders import write_json
from kernelgen_ls.runner.toolchains import UnavailableError

RESULTS = "results.jsonl"


@click.command()
@click.argument("directories", nargs=-1, required=True, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), default=Path("build/bench/twin"), show_default=True)
@click.option("--every", default=1, show_default=True, help="Only every so many-th kernel of each directory.")
@click.option("--only", multiple=True, help="Only kernels whose path contains this.")
@click.option("--again", type=click.Choice(STATES), multiple=True, help="Run kernels with this result once more.")
@click.option("--cases", default=3, show_default=True, help="The most cases that are taken of a validation folder.")
@click.option("--chip", help="The chip to run for; default: what each kernel is written for.")
@click.option("--jobs", default=1, show_default=True, help="Kernels at a time.")
@click.option("--halfs/--no-halfs", "with_halfs", default=True, help="Time 33.5 million halfs through an instruction.")
@click.option("--json", "output", type=click.Path(path_type=Path), help="Write the figures there.")
def twin(
    directories: tuple[Path, ...],
    out: Path,
    every: int,
    only: tuple[str, ...],
    again: tuple[str, ...],
    cases: int,
    chip: str | None,
    jobs: int,
    with_halfs: bool,
    output: Path | None,
) -> None:
    """Run the kernels below DIRECTORIES on the twin: what compiles, runs and is right, and at what cost."""
    sweep = Sweep(out / RESULTS, every, only, cases, chip or "")
    try:
        sweep.steps.info()
    except UnavailableError as problem:
        raise click.ClickException(str(problem)) from problem
    out.mkdir(parents=True, exist_ok=True)
    sweep.all([directory.resolve() for directory in directories], jobs, again)
    halfs = many_halfs() if with_halfs else None
    names = [directory.resolve().name for directory in directories]
    found = [kernel for kernel in read_results(out / RESULTS) if kernel.repository in names]
    if not found:
        raise click.ClickException("no source below the directories defines an entry function (__global__)")
    show(found, halfs)
    if output is not None:
        write_json(output, figures(found, halfs))
