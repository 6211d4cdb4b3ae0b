"""``kernelgen-ls bench twin DIR...``: the kernels below folders on the twin, and what that costs.

A kernel's cases are its cases file, or the ``validation/`` folder of NPUKernelBench's layout above it (which needs
torch), or are made from its specification. Every finished kernel is one line of ``results.jsonl`` in ``--out``, so that
a run that was killed goes on where it stopped. Compiling is timed beside the compiler alone on the same text, already
preprocessed: without the sandbox's start, the debug lines, the linking and whatever was tried in vain. Nothing of the
folders but paths, messages and figures is written.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path, PurePosixPath

import click
from attrs import asdict, evolve, field, frozen
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from kernelgen_ls.bench.repositories import kernels_of
from kernelgen_ls.bench.results import add_result, result_lines
from kernelgen_ls.bench.times import percentile
from kernelgen_ls.folders import write_json
from kernelgen_ls.kernel.cases.case import MadeCases
from kernelgen_ls.kernel.cases.written import cases_file
from kernelgen_ls.kernel.findings import Finding, Severity
from kernelgen_ls.kernel.structure import Function
from kernelgen_ls.kernel.syntax import Source
from kernelgen_ls.runner.execution import sandbox
from kernelgen_ls.runner.execution.cases import Case
from kernelgen_ls.runner.execution.ended import EndedError
from kernelgen_ls.runner.execution.flow import Flow, Launched, Run, Timed
from kernelgen_ls.runner.execution.sandbox import Finished, job_folder
from kernelgen_ls.runner.jobs.config import Budgets, RunnerConfig
from kernelgen_ls.runner.jobs.messages import Outcome, SourceFile, ToolchainInfo, VerifyRequest, VerifyResult
from kernelgen_ls.runner.toolchains import UnavailableError, never, untold
from kernelgen_ls.runner.toolchains.twin.choosing import Choice
from kernelgen_ls.runner.toolchains.twin.compilers import readable
from kernelgen_ls.runner.toolchains.twin.steps import TwinKernel, TwinSteps
from kernelgen_ls.work.checking import source_files
from kernelgen_ls.work.chip import chosen_chip
from kernelgen_ls.work.made_cases import made_cases
from kernelgen_ls.work.running import torch_here
from kernelgen_ls.workspace.files import Files
from kernelgen_ls.workspace.operators import operator_in
from kernelgen_ls.workspace.tree import TreeTooLargeError, find_cases, tree_of

RESULTS = "results.jsonl"
STATES = ("right", "found", "wrong", "differs", "not executed", "failed", "no cases")
"""What becomes of a kernel: ``found`` is right values with an error on the way, ``differs`` values unlike
those of a formula that leaves something open, ``failed`` a failure of ours."""
_VALIDATION = "validation"
_SHEET = "test_cases.csv"
_REFERENCE = ("prepare_inputs.py", "module.py")
_CONFIG = RunnerConfig(budgets=Budgets(check=120.0, verify=240.0))
"""Nobody waits for an answer here, and other work may share the machine."""
_MEMORY_TIMES, _MEMORY_BYTES = 3, 300 * 10**6
"""What a run may take: so many times the case's tensors and so much more."""
_HALFS, _HALFS_SECONDS = 32 * 1024 * 1024, 2.0
_SHOWN, _NAMED = 40, 6
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
        return max(0, self.memory_bytes - _MEMORY_TIMES * self.tensor_bytes - _MEMORY_BYTES)


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
    sweep = _Sweep(out / RESULTS, every, only, cases, chip or "")
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
    figures = _figures(found, halfs)
    _show(found, halfs)
    if output is not None:
        write_json(output, figures)


def many_halfs() -> CaseRun:
    """33.5 million halfs through one instruction, in one block."""
    text = Path(__file__).with_name("twin_kernel.cpp").read_text(encoding="utf-8")
    cases = (
        "import numpy as np\nCASES = [{}]\n"
        f"def inputs(case, rng): return [rng.standard_normal({_HALFS}, np.float32).astype(np.float16)]\n"
        "def golden(case, given): return [np.abs(given[0])]\n"
    )
    files = (SourceFile("many_halfs.cpp", text), SourceFile("cases.py", cases))
    steps = Metered(TwinSteps(_CONFIG))
    result = Flow(steps, _CONFIG).verify(
        VerifyRequest("many_halfs.cpp", files, "Ascend910B1", "many_halfs", "cases.py")
    )
    return steps.runs[0] if steps.runs else CaseRun("many halfs", result.outcome.value, result.message)


class Metered:
    """The twin's steps, with what they took: seconds of the compiler with us and alone, and each case's run."""

    def __init__(self, steps: TwinSteps) -> None:
        self._steps = steps
        self.compile_seconds = self.plain_seconds = 0.0
        self.compiled = False
        self.runs: list[CaseRun] = []

    def info(self) -> ToolchainInfo:
        """The compiler's version. Raises UnavailableError."""
        return self._steps.info()

    def compile(self, run: Run) -> TwinKernel:
        """The texts laid out; from here on the compiler's runs are counted."""
        compiled = self._steps.compile(run)
        return evolve(compiled, builder=evolve(compiled.builder, watch=self._count(compiled)))

    def prepare(self, run: Run, compiled: TwinKernel, cases: tuple[Case, ...]) -> tuple[TwinKernel, tuple[Case, ...]]:
        """What the cases need."""
        return self._steps.prepare(run, compiled, cases)

    def launch(self, run: Run, compiled: TwinKernel, case: Case, number: int) -> Launched:
        """One case; how it is judged is not known here."""
        done = self._steps.launch(run, compiled, case, number)
        size = sum(tensor.size_bytes for tensor in (*case.inputs, *case.outputs))
        self.runs.append(CaseRun(case.name, "", "", done.spent.cpu_seconds, done.spent.memory_bytes, size))
        return done

    def time(self, run: Run, compiled: TwinKernel, case: Case, number: int) -> Timed:
        """Nothing is timed."""
        return self._steps.time(run, compiled, case, number)

    def _count(self, compiled: TwinKernel) -> Callable[[Sequence[str], Finished], None]:
        def count(command: Sequence[str], done: Finished) -> None:
            self.compile_seconds += done.spent.cpu_seconds
            if done.ok:
                self.compiled = True
                self.plain_seconds += _alone(compiled, command)

        return count


def _alone(compiled: TwinKernel, command: Sequence[str]) -> float:
    """Seconds that the compiler takes for the text of ``command``, preprocessed, as an object; 0 where it fails."""
    builder = compiled.builder
    seconds = 0.0
    name = [*builder.compiler.command, *builder.compiler.flags, "-std=c++17", "-w"]
    for argv in ([*command[:-1], "text.ii", "-E"], [*name, "-O1", "-c", "text.ii", "-o", "text.o"]):
        done = sandbox.run(
            argv,
            builder.folder,
            seconds=_CONFIG.budgets.check,
            config=_CONFIG.sandbox,
            readable=readable(Path(argv[0]).resolve()),
            env=builder.compiler.environment(builder.folder),
        )
        if not done.ok:
            return 0.0
        seconds = done.spent.cpu_seconds
    return seconds


@frozen
class _Sweep:
    path: Path
    every: int
    only: tuple[str, ...]
    cases: int
    chip: str
    steps: TwinSteps = field(factory=lambda: TwinSteps(_CONFIG))

    def all(self, directories: Sequence[Path], jobs: int, again: Sequence[str]) -> None:
        """Every kernel that has no line of results yet, or one with a state of ``again``."""
        done = {(k.repository, k.path): k.state for k in read_results(self.path)}
        with Progress(console=Console(stderr=True)) as progress, ThreadPoolExecutor(jobs) as pool:
            for directory in directories:
                files = Files(directory)
                paths = [path for path in kernels_of(files, self.every) if self._is_wanted(path)]
                states = {path: done.get((directory.name, path)) for path in paths}
                waiting = [path for path, state in states.items() if state is None or state in again]
                bar = progress.add_task(directory.name, total=len(paths), completed=len(paths) - len(waiting))
                for job in as_completed([pool.submit(self.one, files, path) for path in waiting]):
                    add_result(self.path, asdict(job.result()))
                    progress.advance(bar)

    def one(self, files: Files, path: str) -> Kernel:
        """One kernel's line of results; its own trouble is its result, never the end of the run."""
        name = files.root.name
        try:
            return self._ran(files, path, name)
        except TreeTooLargeError as problem:
            return Kernel(name, path, "failed", str(problem))

    def _is_wanted(self, path: str) -> bool:
        return not self.only or any(part in path for part in self.only)

    def _ran(self, files: Files, path: str, repository: str) -> Kernel:
        operator = operator_in(files, files.place(path))
        tree = tree_of(operator)
        entry = Source.parse(operator.text).structure.entries[0]
        rows = validation(files, path, self.cases)
        whole = (f"/{_VALIDATION}/{name}" for name in (_SHEET, *_REFERENCE)) if rows else ()
        texts = {**{path: text for path, text in tree.texts.items() if not f"/{path}".endswith(tuple(whole))}, **rows}
        cases, chip = find_cases(texts, entry.name, torch=torch_here()), chosen_chip(operator, self.chip).chip
        if cases is None:
            made = made_cases(operator.belonging(), operator.own_entry, entry.name, chip)
            if isinstance(made, MadeCases):
                cases = f"{entry.name}_cases.py"
                texts[cases] = cases_file(made)
        request = VerifyRequest(tree.entry, source_files(texts), chip.soc, entry.name, cases or "")
        steps = Metered(self.steps)
        result = Flow(steps, _CONFIG).verify(request) if cases else VerifyResult(Outcome.NOT_EXECUTED)
        complaint = "" if steps.compiled else _compiled_alone(steps, request, entry)
        state = _state(result) if cases else "no cases"
        return Kernel(
            repository,
            path,
            state,
            result.message if state not in ("right", "no cases") else "",
            steps.compiled,
            complaint,
            round(steps.compile_seconds, 2),
            round(steps.plain_seconds, 2),
            tuple(
                evolve(run, outcome=case.outcome.value, message=case.message)
                for run, case in zip(steps.runs, result.cases, strict=False)
            ),
            tuple(_line(finding) for finding in result.findings if finding.severity is not Severity.INFORMATION),
        )


def validation(files: Files, path: str, cases: int) -> dict[str, str]:
    """The texts of the nearest ``validation/`` folder above ``path``, its sheet cut to the first ``cases``."""
    for above in list(PurePosixPath(path).parents)[2:]:
        sheet = files.text(str(above / _VALIDATION / _SHEET))
        if sheet is not None:
            rows = [line for line in sheet.splitlines() if line.strip()]
            texts = {f"{_VALIDATION}/{_SHEET}": "\n".join(rows[: cases + 1]) + "\n"}
            for name in _REFERENCE:
                texts[f"{_VALIDATION}/{name}"] = files.text(str(above / _VALIDATION / name)) or ""
            return texts
    return {}


def _compiled_alone(steps: Metered, request: VerifyRequest, entry: Function) -> str:
    """Compile a kernel that no case came to: what the compiler complains of, "" where nothing."""
    with job_folder() as folder:
        try:
            compiled = steps.compile(Run(request, entry, folder, never, untold))
            compiled.builder.build(
                compiled.tree, request.entry, entry, Choice(compiled.choices.configurations[0]), "kernel"
            )
        except EndedError as problem:
            return problem.message
    return ""


def _state(result: VerifyResult) -> str:
    if result.outcome is Outcome.PASSED:
        return "right"
    if result.outcome is Outcome.NOT_EXECUTED:
        return "not executed"
    if result.outcome is Outcome.DIFFERS:
        return "differs"
    if not result.outcome.is_verdict:
        return "failed"
    wrong = [case for case in result.cases if case.outcome is not Outcome.PASSED]
    return "found" if wrong and all("its outputs are right" in case.message for case in wrong) else "wrong"


def _line(finding: Finding) -> str:
    where = finding.location
    return f"{finding.severity.value} {finding.code} {where.path}:{where.range.start.line + 1}: {finding.message}"


def _figures(kernels: Sequence[Kernel], halfs: CaseRun | None) -> dict[str, object]:
    runs = [run for kernel in kernels for run in kernel.cases if run.cpu_seconds]
    return {
        "rows": [asdict(row) for row in rows(kernels)],
        "causes": {state: causes(kernels, state) for state in STATES if state != "right"},
        "not_compiled": [(kernel.path, kernel.complaint) for kernel in kernels if not kernel.compiled],
        "over_memory": [asdict(run) for run in runs if run.over],
        "many_halfs": halfs and asdict(halfs),
    }


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


def _show(kernels: Sequence[Kernel], halfs: CaseRun | None) -> None:
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
    limit = f"{_MEMORY_TIMES} times its tensors and {_MEMORY_BYTES // 10**6} MB"
    worst = max((run.over for kernel in kernels for run in kernel.cases), default=0)
    by = f", the worst by {worst // 10**6} MB" if worst else ""
    console.print(f"Memory: {rows(kernels)[-1].over_memory} cases take more than {limit}{by}.")
    if halfs is None:
        return
    console.print(
        f"{_HALFS / 1e6:.1f} million halfs through one instruction: {halfs.cpu_seconds:.2f} s "
        f"(at most {_HALFS_SECONDS:g}), {halfs.memory_bytes / 1e6:.0f} MB {halfs.message}"
    )
