"""``kernelgen-ls bench check``: how long a check takes, cold, edited and warm, in this process.

The figures are those of the tool chain itself. A check through the runner adds a message each way and, when the text
is unchanged, is answered from its cache instead.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import click
from attrs import asdict, evolve, frozen
from rich.console import Console
from rich.table import Table

from kernelgen_ls.bench.times import percentile
from kernelgen_ls.folders import write_json
from kernelgen_ls.kernel.chips import DEFAULT_CHIP
from kernelgen_ls.kernel.roles import Role, role_of
from kernelgen_ls.runner.execution.worker import collect_rarely
from kernelgen_ls.runner.jobs.messages import CheckRequest
from kernelgen_ls.runner.toolchains.configurations import kernel_configurations
from kernelgen_ls.runner.toolchains.embedded.toolchain import EmbeddedToolchain
from kernelgen_ls.runner.toolchains.source_tree import SourceTree
from kernelgen_ls.work.checking import request_of
from kernelgen_ls.workspace.discover import targets


@frozen
class Timing:
    """One kernel: milliseconds of the first check, and of checks after an edit: best, median, best processor time."""

    path: str
    lines: int
    configurations: int
    first_ms: float
    edited_best_ms: float
    edited_median_ms: float
    edited_cpu_ms: float
    """Other programs on the machine lengthen the other figures, not this one."""

    @property
    def column_ms(self) -> float:
        """The reparse of one dtype column."""
        return self.edited_best_ms / max(self.configurations, 1)


@click.command()
@click.argument("paths", nargs=-1, required=True)
@click.option("--repeats", default=5, show_default=True, help="Edits of every file.")
@click.option("--chip", default=DEFAULT_CHIP.soc, show_default=True, help="The chip to check for.")
@click.option("--json", "output", type=click.Path(path_type=Path), help="Write the report there.")
def check(paths: tuple[str, ...], repeats: int, chip: str, output: Path | None) -> None:
    """Time checks of the kernels below PATHS."""
    requests = [request_of(target, chip) for target in targets(paths)]
    kernels = [request for request in requests if role_of(request.entry, _text(request)) is Role.KERNEL]
    if not kernels:
        click.echo("no kernel was found below the paths", err=True)
        sys.exit(2)
    start_ms, timings = run(kernels, repeats)
    _print(start_ms, timings)
    if output is not None:
        rows = [{**asdict(timing), "column_ms": timing.column_ms} for timing in timings]
        report = {"start_ms": start_ms, **figures(timings), "kernels": rows}
        write_json(output, report)


def run(kernels: Iterable[CheckRequest], repeats: int) -> tuple[float, list[Timing]]:
    """Return the milliseconds of the very first check (it reads our declarations) and every kernel's timing."""
    toolchain = EmbeddedToolchain()
    collect_rarely()  # as the process that checks for the editor
    listed = list(kernels)
    start_ms = _milliseconds(toolchain, listed[0])
    timings = []
    for request in listed:
        first = _milliseconds(toolchain, evolve(request, entry=request.entry))
        edited, cpu = [], []
        for number in range(1, repeats + 1):
            started = time.process_time()
            edited.append(_milliseconds(toolchain, _edited(request, number)))
            cpu.append((time.process_time() - started) * 1000)
        count, lines = _configurations(request), _text(request).count("\n") + 1
        timings.append(Timing(request.entry, lines, count, first, min(edited), statistics.median(edited), min(cpu)))
    return start_ms, timings


def figures(timings: list[Timing]) -> dict[str, float]:
    """Medians and 90th percentiles over the kernels, in milliseconds."""
    first = sorted(timing.first_ms for timing in timings)
    edited = sorted(timing.edited_best_ms for timing in timings)
    cpu = sorted(timing.edited_cpu_ms for timing in timings)
    columns = sorted(timing.column_ms for timing in timings)
    three = sorted(3 * timing.column_ms for timing in timings)
    return {
        "first_p50_ms": percentile(first, 0.5),
        "first_p90_ms": percentile(first, 0.9),
        "edited_p50_ms": percentile(edited, 0.5),
        "edited_p90_ms": percentile(edited, 0.9),
        "edited_cpu_p50_ms": percentile(cpu, 0.5),
        "edited_cpu_p90_ms": percentile(cpu, 0.9),
        "column_p50_ms": percentile(columns, 0.5),
        "three_columns_p50_ms": percentile(three, 0.5),
        "three_columns_p90_ms": percentile(three, 0.9),
    }


def _milliseconds(toolchain: EmbeddedToolchain, request: CheckRequest) -> float:
    started = time.perf_counter()
    toolchain.check(request)
    return (time.perf_counter() - started) * 1000


def _configurations(request: CheckRequest) -> int:
    tree = SourceTree.of({item.path: item.text or "" for item in request.files})
    if role_of(request.entry, tree.files[request.entry].text).is_host:
        return 1
    return len(kernel_configurations(tree, request.entry, DEFAULT_CHIP).configurations)


def _edited(request: CheckRequest, number: int) -> CheckRequest:
    """The request with a statement's worth of text changed near the end, as a save after an edit has it."""
    text = _text(request) + f"\n// edit {number}\nstatic constexpr int kernelgenEdit{number} = {number};\n"
    return evolve(
        request,
        files=tuple(evolve(item, text=text) if item.path == request.entry else item for item in request.files),
    )


def _text(request: CheckRequest) -> str:
    return next(item.text or "" for item in request.files if item.path == request.entry)


def _print(start_ms: float, timings: list[Timing]) -> None:
    table = Table("kernel", "lines", "configurations", "first ms", "edited ms", "median ms", "CPU ms")
    for timing in timings:
        figures_ms = (timing.first_ms, timing.edited_best_ms, timing.edited_median_ms, timing.edited_cpu_ms)
        shown = (f"{figure:.1f}" for figure in figures_ms)
        table.add_row(Path(timing.path).name, str(timing.lines), str(timing.configurations), *shown)
    console = Console()
    console.print(table)
    console.print(
        f"first check of the process: {start_ms:.0f} ms; it precompiles what no process has left in the cache"
    )
    for name, value in figures(timings).items():
        console.print(f"{name}: {value:.1f}")
