"""``bench all``: every benchmark that needs nothing given, each in a process of its own, the reports in one folder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click

RUNS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("engine", ("engine", "--shape", "0.6b")),
    ("typing", ("typing", "--shape", "0.6b")),
    ("typing-scripted", ("typing", "--scripted", "0.6", "--no-others")),
    ("server", ("server",)),
    ("soak", ("soak",)),
    ("grammar", ("grammar",)),
    ("generate", ("generate", "examples")),
    ("check", ("check", "examples", "tests/kernels/clean")),
    ("defects", ("defects", "tests/kernels/clean")),
    ("runner", ("runner",)),
)


@click.command("all")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), default=Path("build/bench"), show_default=True)
@click.option("--only", multiple=True, help="Only these, by the report's name.")
def everything(out: Path, only: tuple[str, ...]) -> None:
    """Run the benchmarks one after another; the exit status is 1 when one failed."""
    out.mkdir(parents=True, exist_ok=True)
    failed = []
    for name, arguments in RUNS:
        if only and name not in only:
            continue
        click.secho(f"\n{name}: kernelgen-ls bench {' '.join(arguments)}", bold=True)
        command = [sys.executable, "-m", "kernelgen_ls", "bench", *arguments, "--json", str(out / f"{name}.json")]
        if subprocess.run(command, check=False).returncode != 0:
            failed.append(name)
    click.echo(f"\nReports are in {out}." + (f" Failed: {', '.join(failed)}." if failed else ""))
    raise SystemExit(1 if failed else 0)
