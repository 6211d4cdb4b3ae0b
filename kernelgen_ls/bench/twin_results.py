"""What a sweep of kernels on the twin found: a line a kernel, and the figures of a repository."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from attrs import asdict, frozen

from kernelgen_ls.bench.results import result_lines
from kernelgen_ls.bench.times import percentile

STATES = ("right", "found", "wrong", "not executed", "failed", "no cases")
"""What becomes of a kernel: ``found`` is right values with an error on the way, ``failed`` a failure of ours."""
MEMORY_TIMES, MEMORY_BYTES = 3, 300 * 10**6
"""What a run may take: so many times the case's tensors and so much more."""
_NUMBER = re.compile(r"\d+")


@frozen
class CaseRun:
    """One case: its outcome, and what its run took."""

    name: str
    outcome: str
    message: str = ""
    cpu_seconds: float = 0.0
    memory_bytes: int = 0
    tensor_bytes: int = 0

    @property
    def over(self) -> int:
        """The bytes of memory beyond what a run may take."""
        return max(0, self.memory_bytes - MEMORY_TIMES * self.tensor_bytes - MEMORY_BYTES)


@frozen
class Kernel:
    """One kernel: times are seconds of the processors; ``complaint`` is the compiler's where it does not compile."""

    repository: str
    path: str
    state: str
    message: str = ""
    compiled: bool = False
    complaint: str = ""
    compile_seconds: float = 0.0
    plain_seconds: float = 0.0
    cases: tuple[CaseRun, ...] = ()
    findings: tuple[str, ...] = ()

    @property
    def executed(self) -> bool:
        """Whether some case ran to its verdict."""
        return any(case.cpu_seconds for case in self.cases)


def read_results(path: Path) -> list[Kernel]:
    """The finished kernels, each as it was run last."""
    found: dict[tuple[str, str], Kernel] = {}
    for raw in result_lines(path):
        cases = tuple(CaseRun(**case) for case in raw["cases"])
        kernel = Kernel(**{**raw, "cases": cases, "findings": tuple(raw["findings"])})
        found[kernel.repository, kernel.path] = kernel
    return list(found.values())


def causes(kernels: Iterable[Kernel], state: str) -> list[tuple[str, list[str]]]:
    """Why kernels are in a state, the commonest reason first, each with the kernels' paths; numbers do not count."""
    grouped: dict[str, tuple[str, list[str]]] = {}
    for kernel in kernels:
        if kernel.state == state:
            grouped.setdefault(_NUMBER.sub("", kernel.message), (kernel.message, []))[1].append(kernel.path)
    return sorted(grouped.values(), key=lambda cause: -len(cause[1]))


@frozen
class Row:
    """The figures of a repository's kernels; seconds of the processors, medians and ninth deciles."""

    repository: str
    kernels: int
    compiled: int
    executed: int
    states: dict[str, int]
    compile_seconds: tuple[float, float]
    plain_seconds: tuple[float, float]
    run_seconds: tuple[float, float]
    over_memory: int


def rows(kernels: Sequence[Kernel]) -> list[Row]:
    """A row a repository, and one of all."""
    names = dict.fromkeys(kernel.repository for kernel in kernels)
    by_name = [_row(name, [kernel for kernel in kernels if kernel.repository == name]) for name in names]
    return [*by_name, _row("all", kernels)] if len(names) > 1 else by_name


def _row(repository: str, kernels: Sequence[Kernel]) -> Row:
    compiled = [kernel for kernel in kernels if kernel.compiled]
    runs = [run for kernel in kernels for run in kernel.cases if run.cpu_seconds]
    states = Counter(kernel.state for kernel in kernels)
    return Row(
        repository,
        len(kernels),
        len(compiled),
        sum(kernel.executed for kernel in kernels),
        {state: states[state] for state in STATES},
        _spread([kernel.compile_seconds for kernel in compiled]),
        _spread([kernel.plain_seconds for kernel in compiled if kernel.plain_seconds]),
        _spread([run.cpu_seconds for run in runs]),
        sum(run.over > 0 for run in runs),
    )


def _spread(seconds: Sequence[float]) -> tuple[float, float]:
    ordered = sorted(seconds)
    return (round(percentile(ordered, 0.5), 2), round(percentile(ordered, 0.9), 2)) if ordered else (0.0, 0.0)


def figures(kernels: Sequence[Kernel], halfs: CaseRun | None) -> dict[str, object]:
    """Everything that the results say, as JSON has it."""
    runs = [run for kernel in kernels for run in kernel.cases if run.cpu_seconds]
    return {
        "rows": [asdict(row) for row in rows(kernels)],
        "causes": {state: causes(kernels, state) for state in STATES if state != "right"},
        "not_compiled": [(kernel.path, kernel.complaint) for kernel in kernels if not kernel.compiled],
        "over_memory": [asdict(run) for run in runs if run.over],
        "many_halfs": halfs and asdict(halfs),
    }
