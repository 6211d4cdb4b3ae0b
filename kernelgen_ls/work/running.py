"""Running an operator's kernel on its cases: is it right (verify), how long does it take (measure).

The request is put together in one place for editor and terminal, and so is what becomes of a figure.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from attrs import evolve, frozen

from kernelgen_ls.kernel.cases.case import MadeCases, NotMade
from kernelgen_ls.kernel.cases.written import cases_file
from kernelgen_ls.kernel.chips import Chip
from kernelgen_ls.kernel.findings import Finding
from kernelgen_ls.kernel.roles import Role, role_of
from kernelgen_ls.kernel.syntax import Source
from kernelgen_ls.runner.client.client import OnStage, local_runner
from kernelgen_ls.runner.client.fleet import TWIN, JobRunner
from kernelgen_ls.runner.jobs.messages import (
    CheckRequest,
    Latency,
    MeasureRequest,
    MeasureResult,
    Outcome,
    SourceFile,
    VerifyRequest,
    VerifyResult,
)
from kernelgen_ls.settings import RunnersSettings
from kernelgen_ls.work.checking import source_files
from kernelgen_ls.work.chip import chosen_chip
from kernelgen_ls.work.history import History, KernelKey, Measured, before, change, tree_hash
from kernelgen_ls.work.made_cases import made_cases
from kernelgen_ls.workspace.discover import targets
from kernelgen_ls.workspace.operators import Operator, operator_of
from kernelgen_ls.workspace.tree import OperatorTree, find_cases, tree_of


class NotRunnableError(ValueError):
    """What is missing for a kernel to be run, in one line for the user."""


class NoCasesError(NotRunnableError):
    """There are no cases, nor can any be made; ``kernel`` is the entry function that they would be of."""

    def __init__(self, kernel: str, why: str) -> None:
        super().__init__(f"not executed: {why} (docs/cases.md)")
        self.kernel = kernel


@frozen
class Subject:
    """A kernel with everything that is sent to run it. ``cases`` is the path of its cases in the tree.

    ``made`` are cases that nobody wrote: they are sent as the file ``cases``, which the tree does not have.
    """

    operator: Operator
    tree: OperatorTree
    kernel: str
    cases: str
    made: MadeCases | None = None

    @property
    def files(self) -> tuple[SourceFile, ...]:
        """What is sent."""
        own = {self.cases: cases_file(self.made)} if self.made is not None else {}
        return source_files({**self.tree.texts, **own})

    @property
    def key(self) -> KernelKey:
        """Under which its measurements are kept."""
        return key_of(self.operator, self.kernel)

    @property
    def hash(self) -> str:
        """Of everything that is sent: a measurement is stale as soon as it differs."""
        return hash_of(self.tree)

    @property
    def places(self) -> frozenset[Path]:
        """Where the files lie that are sent."""
        sent = {self.tree.root / path for path in self.tree.texts}
        return frozenset(sent | {self.operator.files.place(path) for path in self.operator.above})

    def place(self, path: str) -> Path:
        """Where the file of a finding lies; its path is relative to the operator's folder, or to the tree's outside."""
        own = self.operator.folder / path
        return own if own in self.places else self.tree.root / path

    def verify_request(
        self, chip: str, *, seed: int = 0, case: int | None = None, document: str = "", version: int = 0
    ) -> VerifyRequest:
        """The job that compares the kernel's outputs with its golden ones, of one case or of all."""
        return VerifyRequest(
            self.tree.entry, self.files, chip, self.kernel, self.cases, seed, case, document=document, version=version
        )

    def measure_request(
        self,
        chip: str,
        *,
        case: int = 0,
        launches: int = 20,
        verify: bool = True,
        fresh: bool = False,
        document: str = "",
        version: int = 0,
    ) -> MeasureRequest:
        """The job that measures the kernel on one case."""
        return MeasureRequest(
            self.tree.entry,
            self.files,
            chip,
            self.kernel,
            self.cases,
            case=case,
            launches=launches,
            verify=verify,
            fresh=fresh,
            document=document,
            version=version,
        )


def subject(
    operator: Operator, kernel: str = "", cases: str = "", chip: Chip | None = None, runner: str = ""
) -> Subject:
    """What to run: ``kernel`` names the entry function where there are several, ``cases`` the cases where they are
    not found by their name. Where nobody wrote any they are made, in the element types that there are on ``chip``; and
    where they need torch and the ``runner`` of that name is this machine's, which lacks it.

    Raises :class:`NotRunnableError` for a kernel that is not there, :class:`NoCasesError` where cases can be neither
    found nor made, TreeTooLargeError for too much.
    """
    name = entry_function(operator, kernel)
    tree = tree_of(operator)
    torch = runner != TWIN or torch_here()
    found = _above(operator, tree) + cases if cases else find_cases(tree.texts, name, torch=torch)
    if found is not None:
        return Subject(operator, tree, name, found)
    made = made_cases(operator.belonging(), operator.own_entry, name, chip or chosen_chip(operator).chip)
    if isinstance(made, NotMade):
        unused = (
            "" if torch or find_cases(tree.texts, name) is None else "; the cases in its validation folder need torch"
        )
        raise NoCasesError(name, made.reason + unused)
    return Subject(operator, tree, name, _above(operator, tree) + _cases_name(name), made)


def torch_here() -> bool:
    """Whether this machine's own runner can run cases that need torch."""
    return find_spec("torch") is not None


def write_cases(what: Subject) -> Path:
    """Write the made cases as a file to go on with, where it is found from then on; its place.

    Raises :class:`NotRunnableError` where somebody wrote cases already, OSError where it cannot be written.
    """
    if what.made is None:
        raise NotRunnableError(f"there are cases already: {what.tree.root / what.cases}")
    place = what.operator.folder / _cases_name(what.kernel)
    with place.open("x", encoding="utf-8") as file:  # a file that came in between stays as it is
        file.write(cases_file(what.made))
    return place


def _cases_name(kernel: str) -> str:
    return f"{kernel}_cases.py"


def verifier(settings: RunnersSettings) -> str:
    """The name of the runner that verifies a kernel: the one that is to, the one that measures, else the twin."""
    return settings.verify or settings.measure or TWIN


def entries_below(folder: str | Path, folders: tuple[Path, ...]) -> Iterator[tuple[Operator, str]]:
    """Every entry function in the kernels below ``folder``, with its operator; ``folders`` are as for ``targets``."""
    for target in targets([folder], folders):
        place = target.place
        text = target.operator.files.text(target.entry) or ""
        if role_of(target.entry, text) is Role.KERNEL:
            operator = operator_of(place, folders)
            for entry in Source.parse(text).structure.entries:
                yield operator, entry.name


def entry_function(operator: Operator, wanted: str = "") -> str:
    """The entry function that is meant. Raises :class:`NotRunnableError` with the names that there are."""
    names = [function.name for function in Source.parse(operator.text).structure.entries]
    place = operator.files.place(operator.entry)
    if wanted and wanted not in names:
        raise NotRunnableError(f"{place} has no entry function {wanted!r}; it has: {', '.join(names) or 'none'}")
    if not wanted and len(names) != 1:
        listed = ", ".join(names)
        raise NotRunnableError(f"{place} has {len(names)} entry functions ({listed}): name one as {place}:ENTRY")
    return wanted or names[0]


def _above(operator: Operator, tree: OperatorTree) -> str:
    """What stands in ``tree`` before the paths of the operator's own files."""
    return tree.entry.removesuffix(operator.own_entry)


def key_of(operator: Operator, kernel: str) -> KernelKey:
    """Under which a kernel's measurements are kept: the operator's folder, the file in it, the entry function."""
    return KernelKey(str(operator.folder), operator.own_entry, kernel)


def hash_of(tree: OperatorTree) -> str:
    """A hash of a tree's texts."""
    return tree_hash(list(tree.texts.items()))


async def verify(
    runner: JobRunner,
    what: Subject,
    request: VerifyRequest,
    on_stage: OnStage | None = None,
    checker: JobRunner | None = None,
) -> VerifyResult:
    """The verdict of a runner; findings name the files by their paths in the operator's folder.

    Where the twin could not begin, ``checker`` says whether the kernel is to blame: what it refuses does not compile.
    """
    result = of_made(await runner.run(request, on_stage), what.made)
    if checker is not None and result.toolchain.name == TWIN and result.outcome is Outcome.INFRA_ERROR:
        checked = await checker.run(CheckRequest(request.entry, request.files, request.chip))
        errors = tuple(finding for finding in checked.findings if finding.is_compile_error)
        if errors:
            message = "the kernel does not compile"
            result = evolve(result, outcome=Outcome.COMPILE_ERROR, findings=errors, message=message)
    return evolve(result, findings=_below(what, result.findings))


def of_made(result: VerifyResult, made: MadeCases | None) -> VerifyResult:
    """A runner's answer on cases that nobody wrote, with what is known of them here; as it is on written ones."""
    return evolve(result, origin=made.words, types=made.types) if made is not None else result


async def verify_once(
    runner: JobRunner, what: Subject, request: VerifyRequest, on_stage: OnStage | None = None
) -> VerifyResult:
    """The verdict of a runner that is needed for nothing else: its connections end with it."""
    checker = local_runner()
    try:
        return await verify(runner, what, request, on_stage, checker)
    finally:
        await asyncio.gather(runner.close(), checker.close())


async def measure(
    runner: JobRunner, name: str, what: Subject, request: MeasureRequest, history: History, on_stage: OnStage | None
) -> tuple[MeasureResult, float | None]:
    """A runner's figure, and how it differs from the last one that compares with it (a share, None for none).

    A new figure is kept in ``history`` under the runner's ``name``.
    """
    result = await runner.run(request, on_stage)
    result = evolve(result, findings=_below(what, result.findings))
    if result.latency is None:
        return result, None
    return result, await asyncio.to_thread(_kept, name, what, result, result.latency, history)


def _kept(name: str, what: Subject, result: MeasureResult, latency: Latency, history: History) -> float | None:
    """Keep a new figure; how it differs from the last one that compares with it."""
    now = Measured(what.hash, name, latency)
    known = [one for one in history.entries(what.key) if one.latency.taken_at != latency.taken_at]
    last = before([*known, now])
    if not result.cached:
        history.append(what.key, now)
    return change(latency, last.latency if last else None)


def _below(what: Subject, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Findings with paths relative to the operator's folder, as the user knows them."""
    above = _above(what.operator, what.tree)
    return tuple(finding.with_paths(lambda path: path.removeprefix(above)) for finding in findings)
