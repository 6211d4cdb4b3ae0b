"""The results of a sweep on the twin as tables in a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from rich.console import Console
from rich.table import Table

from kernelgen_ls.bench.twin_meter import HALFS
from kernelgen_ls.bench.twin_results import MEMORY_BYTES, MEMORY_TIMES, STATES, CaseRun, Kernel, causes, rows

_HALFS_SECONDS = 2.0
_SHOWN, _NAMED = 40, 6


def show(kernels: Sequence[Kernel], halfs: CaseRun | None) -> None:
    """Print what became of the kernels, why, and at what cost."""
    console = Console()
    counts, times = Table("kernels"), Table("seconds of the processors: median, ninth decile")
    for column in ("all", "compile", "run", *STATES):
        counts.add_column(column, justify="right")
    for column in ("compiling", "compiler alone", "running a case"):
        times.add_column(column, justify="right")
    for item in rows(kernels):
        counts.add_row(item.repository, *map(str, (item.kernels, item.compiled, item.executed, *item.states.values())))
        pairs = (item.compile_seconds, item.plain_seconds, item.run_seconds)
        times.add_row(item.repository, *(f"{median:.2f}, {decile:.2f}" for median, decile in pairs))
    console.print(counts, times)
    for state in STATES[1:-1]:
        said = Table("kernels", state, "of which")
        for cause, paths in causes(kernels, state)[:_SHOWN]:
            said.add_row(str(len(paths)), cause, ", ".join(PurePosixPath(path).stem for path in paths[:_NAMED]))
        if said.row_count:
            console.print(said)
    for kernel in kernels:
        if not kernel.compiled:
            console.print(f"not compiled: {kernel.path}: {kernel.complaint}", markup=False)
    limit = f"{MEMORY_TIMES} times its tensors and {MEMORY_BYTES // 10**6} MB"
    worst = max((run.over for kernel in kernels for run in kernel.cases), default=0)
    by = f", the worst by {worst // 10**6} MB" if worst else ""
    console.print(f"Memory: {rows(kernels)[-1].over_memory} cases take more than {limit}{by}.")
    if halfs is None:
        return
    console.print(
        f"{HALFS / 1e6:.1f} million halfs through one instruction: {halfs.cpu_seconds:.2f} s "
        f"(at most {_HALFS_SECONDS:g}), {halfs.memory_bytes / 1e6:.0f} MB {halfs.message}"
    )
