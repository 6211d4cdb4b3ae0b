"""``kernelgen-ls bench repositories DIR...``: released kernels through the checker, repository by repository.

What was released compiles, so every error here is a false one. A finished kernel is one line of ``results.jsonl`` in
``--out``: a run that was killed goes on where it stopped, and a kernel whose files have changed is checked again by
naming another folder. Nothing of the repositories but paths, messages and figures is written.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import click
from attrs import asdict, evolve, field, frozen
from rich.console import Console
from rich.progress import Progress, TaskID
from rich.table import Table

from kernelgen_ls.bench.results import add_result, result_lines
from kernelgen_ls.bench.times import percentile
from kernelgen_ls.folders import write_json
from kernelgen_ls.kernel.findings import Finding, FoundBy, Severity
from kernelgen_ls.kernel.roles import SOURCE_SUFFIXES, Role, has_entry, role_of
from kernelgen_ls.runner.client.client import local_runner
from kernelgen_ls.runner.client.fleet import JobRunner
from kernelgen_ls.runner.jobs.messages import CheckRequest, CheckResult
from kernelgen_ls.work.checking import Check, requests
from kernelgen_ls.workspace.files import Files
from kernelgen_ls.workspace.operators import operator_in

RESULTS = "results.jsonl"
_FOLDERS, _DEPTH = 100_000, 64
"""A repository is read whole."""
_AT_ONCE = 2
_SHOWN = 25
"""Causes and lints that are listed."""


@frozen
class Said:
    """One finding, as a line of results keeps it; ``line`` counts from one."""

    code: str
    path: str
    line: int
    message: str

    @classmethod
    def of(cls, finding: Finding) -> Said:
        """What is kept of a finding."""
        where = finding.location
        return cls(finding.code, where.path, where.range.start.line + 1, finding.message)


@frozen
class Kernel:
    """One kernel's check: ``seconds`` are the tool chain's own, ``problem`` says why no answer came."""

    repository: str
    path: str
    chip: str
    seconds: float = 0.0
    warm_seconds: float = 0.0
    errors: tuple[Said, ...] = ()
    lints: tuple[Said, ...] = ()
    unknown: tuple[Said, ...] = ()
    """Headers that were not found and names that were not known: what the check stood down for."""
    lines: int = 0
    """Lines of code of the kernel and of the repository's headers that it includes; ``looked_at`` the judged ones."""
    looked_at: int = 0
    problem: str = ""

    @property
    def clean(self) -> bool:
        """Whether there was an answer, and no error in it."""
        return not self.errors and not self.problem

    @property
    def in_full(self) -> bool:
        """Whether nothing stood down."""
        return self.looked_at == self.lines and not self.problem


@frozen
class Row:
    """A repository's figures. Rates are percent, times milliseconds; ``warm`` ones are of a check after an edit."""

    repository: str
    kernels: int
    clean: float
    in_full: float
    lines: float
    """Lines of code that were judged, of all."""
    errors: int
    lints: int
    problems: int
    p50_ms: float
    p90_ms: float
    warm_p50_ms: float
    warm_p90_ms: float


def row(repository: str, kernels: Sequence[Kernel]) -> Row:
    """The figures of some kernels."""
    first = sorted(1000 * kernel.seconds for kernel in kernels if not kernel.problem)
    warm = sorted(1000 * kernel.warm_seconds for kernel in kernels if not kernel.problem)
    return Row(
        repository,
        len(kernels),
        _share(kernel.clean for kernel in kernels),
        _share(kernel.in_full for kernel in kernels),
        round(100 * sum(kernel.looked_at for kernel in kernels) / max(sum(kernel.lines for kernel in kernels), 1), 1),
        sum(len(kernel.errors) for kernel in kernels),
        sum(len(kernel.lints) for kernel in kernels),
        sum(bool(kernel.problem) for kernel in kernels),
        *(round(percentile(times, share), 1) for times in (first, warm) for share in (0.5, 0.9)),
    )


def rows(kernels: Sequence[Kernel]) -> list[Row]:
    """A row a repository, and one of all."""
    names = dict.fromkeys(kernel.repository for kernel in kernels)
    by_name = [row(name, [kernel for kernel in kernels if kernel.repository == name]) for name in names]
    return [*by_name, row("all", kernels)]


def causes(kernels: Iterable[Kernel]) -> list[tuple[str, int]]:
    """What is said by errors, by how many kernels have it: the code with the message."""
    counted: Counter[str] = Counter()
    for kernel in kernels:
        counted.update({f"{said.code}: {said.message}" for said in kernel.errors})
    return counted.most_common()


def lints(kernels: Iterable[Kernel]) -> list[tuple[str, int, int]]:
    """The lints that fired: code, findings, kernels."""
    findings: Counter[str] = Counter()
    where: Counter[str] = Counter()
    for kernel in kernels:
        codes = [said.code for said in kernel.lints]
        findings.update(codes)
        where.update(set(codes))
    return [(code, count, where[code]) for code, count in findings.most_common()]


def read_results(path: Path) -> list[Kernel]:
    """The finished kernels; a line that a kill cut is as if it were not there."""
    found = []
    for raw in result_lines(path):
        told = {name: tuple(Said(**said) for said in raw[name]) for name in ("errors", "lints", "unknown")}
        found.append(Kernel(**{**raw, **told}))
    return found


def kernels_of(files: Files, every: int = 1) -> Iterator[str]:
    """The paths of the sources of a repository that define an entry function; of them every so many-th."""
    count = 0
    for path in files.walk("", folders=_FOLDERS, depth=_DEPTH):
        if not path.endswith(SOURCE_SUFFIXES):
            continue
        text = files.text(path) or ""
        if has_entry(text) and role_of(path, text) is Role.KERNEL:
            count += 1
            if (count - 1) % every == 0:
                yield path


@click.command()
@click.argument("directories", nargs=-1, required=True, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), default=Path("build/bench/repositories"), show_default=True)
@click.option("--every", default=1, show_default=True, help="Only every so many-th kernel of each repository.")
@click.option("--chip", help="The chip to check for; default: what each kernel is written for.")
@click.option("--warm/--no-warm", default=False, help="Check every kernel once more after an edit.")
@click.option("--json", "output", type=click.Path(path_type=Path), help="Write the figures there.")
def repositories(
    directories: tuple[Path, ...], out: Path, every: int, chip: str | None, warm: bool, output: Path | None
) -> None:
    """Check the released kernels of the repositories in DIRECTORIES; every error is a false one."""
    out.mkdir(parents=True, exist_ok=True)
    names = [directory.resolve().name for directory in directories]
    asyncio.run(_Sweep(out / RESULTS, every, chip, warm).all([directory.resolve() for directory in directories]))
    found = [kernel for kernel in read_results(out / RESULTS) if kernel.repository in names]
    if not found:
        raise click.ClickException("no source below the directories defines an entry function (__global__)")
    _show(found)
    if output is not None:
        figures = {
            "rows": [asdict(item) for item in rows(found)],
            "causes": causes(found),
            "lints": lints(found),
            "not_clean": [kernel.path for kernel in found if not kernel.clean],
        }
        write_json(output, figures)


@frozen
class _Sweep:
    path: Path
    every: int
    chip: str | None
    warm: bool
    _lock: asyncio.Lock = field(factory=asyncio.Lock)

    async def all(self, directories: Sequence[Path]) -> None:
        """Every kernel that has no line of results yet."""
        done = {(kernel.repository, kernel.path) for kernel in read_results(self.path)}
        runner = local_runner()
        slots = asyncio.Semaphore(_AT_ONCE)
        try:
            with Progress(console=Console(stderr=True)) as progress:
                for directory in directories:
                    files = Files(directory)
                    paths = list(kernels_of(files, self.every))
                    waiting = [path for path in paths if (directory.name, path) not in done]
                    bar = progress.add_task(directory.name, total=len(paths), completed=len(paths) - len(waiting))

                    async def one(
                        path: str, files: Files = files, bar: TaskID = bar, name: str = directory.name
                    ) -> None:
                        async with slots:
                            kernel = await self.check(runner, files, path, name)
                            async with self._lock:
                                add_result(self.path, asdict(kernel))
                        progress.advance(bar)

                    await asyncio.gather(*(one(path) for path in waiting))
        finally:
            await runner.close()

    async def check(self, runner: JobRunner, files: Files, path: str, repository: str) -> Kernel:
        """One kernel's line of results."""
        operator = operator_in(files, files.place(path))
        request = requests(Check(operator, operator.checks[:1], f"{repository}/{path}"), self.chip or "")[0]
        # A text that was checked before would be answered from the runner's cache, in no time.
        result = await runner.run(_edited(request, secrets.token_hex(8)))
        again = await runner.run(_edited(request, secrets.token_hex(8))) if self.warm else None
        return _kernel(repository, path, request.chip, result, again.seconds if again is not None else 0.0)


def _kernel(repository: str, path: str, chip: str, result: CheckResult, warm_seconds: float) -> Kernel:
    """What is kept of a result."""
    by_linter: Mapping[bool, list[Said]] = {True: [], False: []}
    unknown = []
    for finding in result.findings:
        if finding.severity is Severity.ERROR:
            by_linter[False].append(Said.of(finding))
        if finding.source is FoundBy.LINT:
            by_linter[True].append(Said.of(finding))
        if finding.severity is Severity.INFORMATION and finding.code in ("embedded/include", "embedded/unknown-name"):
            unknown.append(Said.of(finding))
    problem = "" if result.outcome.is_verdict and result.covered else result.message or result.outcome.value
    return Kernel(
        repository,
        path,
        chip,
        round(result.seconds, 4),
        round(warm_seconds, 4),
        tuple(by_linter[False]),
        tuple(by_linter[True]),
        tuple(unknown),
        result.coverage.lines,
        result.coverage.looked_at,
        problem,
    )


def _edited(request: CheckRequest, comment: str) -> CheckRequest:
    """The request with a comment more at the end of its file, as a save after an edit has it."""
    files = tuple(
        evolve(item, text=f"{item.text}\n// {comment}\n") if item.path == request.entry else item
        for item in request.files
    )
    return evolve(request, files=files)


def _share(of: Iterable[bool]) -> float:
    listed = list(of)
    return round(100 * sum(listed) / len(listed), 1) if listed else 0.0


def _show(kernels: Sequence[Kernel]) -> None:
    console = Console()
    table = Table("repository", title="Released kernels")
    warm = any(kernel.warm_seconds for kernel in kernels)
    for column in ("kernels", "clean %", "in full %", "lines %", "errors", "lints", "no answer", "p50, p90 ms"):
        table.add_column(column, justify="right")
    if warm:
        table.add_column("after an edit", justify="right")
    for item in rows(kernels):
        times = [f"{item.p50_ms:.0f}, {item.p90_ms:.0f}"]
        times += [f"{item.warm_p50_ms:.0f}, {item.warm_p90_ms:.0f}"] if warm else []
        shares = (f"{item.clean:.1f}", f"{item.in_full:.1f}", f"{item.lines:.1f}")
        counts = (str(item.errors), str(item.lints), str(item.problems))
        table.add_row(item.repository, str(item.kernels), *shares, *counts, *times)
    console.print(table)
    said = Table("kernels", "error")
    for cause, count in causes(kernels)[:_SHOWN]:
        said.add_row(str(count), cause)
    console.print(said)
    fired = Table("lint", "findings", "kernels")
    for code, findings, where in lints(kernels):
        fired.add_row(code, str(findings), str(where))
    console.print(fired)
