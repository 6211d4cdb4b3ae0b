"""Every kernel below folders on the twin: where its cases come from, and what becomes of it."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path, PurePosixPath

from attrs import asdict, evolve, field, frozen
from rich.console import Console
from rich.progress import Progress

from kernelgen_ls.bench.repositories import kernels_of
from kernelgen_ls.bench.results import add_result
from kernelgen_ls.bench.twin_meter import CONFIG, Metered
from kernelgen_ls.bench.twin_results import Kernel, read_results
from kernelgen_ls.kernel.cases.case import MadeCases
from kernelgen_ls.kernel.cases.written import cases_file
from kernelgen_ls.kernel.findings import Finding, Severity
from kernelgen_ls.kernel.structure import Function
from kernelgen_ls.kernel.syntax import Source
from kernelgen_ls.runner.execution.ended import EndedError
from kernelgen_ls.runner.execution.flow import Flow, Run
from kernelgen_ls.runner.execution.sandbox import job_folder
from kernelgen_ls.runner.jobs.messages import Outcome, VerifyRequest, VerifyResult
from kernelgen_ls.runner.toolchains import never, untold
from kernelgen_ls.runner.toolchains.twin.choosing import Choice
from kernelgen_ls.runner.toolchains.twin.steps import TwinSteps
from kernelgen_ls.work.checking import source_files
from kernelgen_ls.work.chip import chosen_chip
from kernelgen_ls.work.made_cases import made_cases
from kernelgen_ls.work.running import torch_here
from kernelgen_ls.workspace.files import Files
from kernelgen_ls.workspace.operators import operator_in
from kernelgen_ls.workspace.tree import TreeTooLargeError, find_cases, tree_of

_VALIDATION = "validation"
_SHEET = "test_cases.csv"
_REFERENCE = ("prepare_inputs.py", "module.py")


@frozen
class Sweep:
    """The kernels that are run: every so many-th, those ``only`` names, each with at most so many ``cases``."""

    path: Path
    every: int
    only: tuple[str, ...]
    cases: int
    chip: str
    steps: TwinSteps = field(factory=lambda: TwinSteps(CONFIG))

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
        entries = Source.parse(operator.text).structure.entries
        if not entries:
            return Kernel(repository, path, "failed", "its entry function is not found")
        entry = entries[0]
        rows = validation(files, path, self.cases)
        whole = tuple(f"/{_VALIDATION}/{name}" for name in (_SHEET, *_REFERENCE)) if rows else ()
        texts = {**{path: text for path, text in tree.texts.items() if not f"/{path}".endswith(whole)}, **rows}
        cases, chip = find_cases(texts, entry.name, torch=torch_here()), chosen_chip(operator, self.chip).chip
        if cases is None:
            made = made_cases(operator.belonging(), operator.own_entry, entry.name, chip)
            if isinstance(made, MadeCases):
                cases = f"{entry.name}_cases.py"
                texts[cases] = cases_file(made)
        request = VerifyRequest(tree.entry, source_files(texts), chip.soc, entry.name, cases or "")
        steps = Metered(self.steps)
        result = Flow(steps, CONFIG).verify(request) if cases else VerifyResult(Outcome.NOT_EXECUTED)
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
    if not result.outcome.is_verdict:
        return "failed"
    wrong = [case for case in result.cases if case.outcome is not Outcome.PASSED]
    return "found" if wrong and all("its outputs are right" in case.message for case in wrong) else "wrong"


def _line(finding: Finding) -> str:
    where = finding.location
    return f"{finding.severity.value} {finding.code} {where.path}:{where.range.start.line + 1}: {finding.message}"
