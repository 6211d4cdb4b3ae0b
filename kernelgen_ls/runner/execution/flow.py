"""Compile, run cases, judge, time: how a kernel is verified and measured, whoever compiles and runs it.

A tool chain gives the ``Steps``; what is the same for all of them is here: finding the entry function, making inputs
and golden outputs, judging what was produced, reporting stages, and saying how a job ended that ended early.
"""

from __future__ import annotations

import contextlib
import itertools
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from attrs import evolve, frozen

from kernelgen_ls.kernel.findings import Finding, Location, Severity
from kernelgen_ls.kernel.structure import Function
from kernelgen_ls.kernel.syntax import Source
from kernelgen_ls.runner.execution import sandbox
from kernelgen_ls.runner.execution.arguments import as_defined, in_parameters_order, output_names
from kernelgen_ls.runner.execution.cases import (
    GOLDEN_TYPES,
    Case,
    CasesError,
    Reading,
    has_odd_tail,
    judge,
    read_manifest,
    take_over,
    told_apart,
)
from kernelgen_ls.runner.execution.ended import EndedError, NotCompiledError
from kernelgen_ls.runner.execution.sandbox import UNMEASURED, Spent, job_folder
from kernelgen_ls.runner.jobs.config import RunnerConfig
from kernelgen_ls.runner.jobs.messages import (
    NOBODY,
    CaseResult,
    JobStage,
    Latency,
    LatencyKind,
    MeasureRequest,
    MeasureResult,
    Outcome,
    StageReport,
    ToolchainInfo,
    VerifyRequest,
    VerifyResult,
)
from kernelgen_ls.runner.jobs.request_files import write_tree
from kernelgen_ls.runner.toolchains import Cancelled, OnStage, UnavailableError, never, untold

_GOLDEN = Path(sandbox.__file__).with_name("golden.py")
_PACKAGE = _GOLDEN.parents[2]
"""What the program that makes golden outputs may read: a formula is computed by our own code."""


@frozen
class Run:
    """One job on its way: what is asked, the entry function it is about, and a folder that lasts as long as the job."""

    request: VerifyRequest | MeasureRequest
    kernel: Function
    folder: Path
    cancelled: Cancelled
    on_stage: OnStage

    @property
    def texts(self) -> dict[str, str]:
        """The tree's texts by path."""
        return {file.path: file.text or "" for file in self.request.files}


class Compiled(Protocol):
    """What a tool chain made of a kernel; the flow looks only at this much of it."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the compiler said, none of it an error."""
        ...

    @property
    def only_timed(self) -> bool:
        """Whether launching is so dear that only the launch which is timed is judged."""
        ...


K = TypeVar("K", bound=Compiled)


@frozen
class Launched:
    """A case's launch: the files it left its outputs in, or how it failed, and what was found while it ran.

    ``isolation`` names the protections that held (``sandbox.Finished``); None where nothing was run. ``spent`` is what
    it took of this machine, where it is this machine that runs kernels. ``printed`` is what the kernel printed, a line
    each, with who printed it.
    """

    outputs: tuple[Path, ...]
    fault: tuple[Outcome, str] | None = None
    findings: tuple[Finding, ...] = ()
    isolation: tuple[str, ...] | None = None
    spent: Spent = UNMEASURED
    printed: tuple[str, ...] = ()


@frozen
class Timed:
    """A case's latency, the outputs of its last launch, and what to know of it: one line each.

    ``when`` says in a sentence's middle when those outputs were produced (``after the last launch``).
    """

    latency: Latency
    outputs: tuple[Path, ...]
    when: str
    warnings: tuple[str, ...] = ()


class Steps(Protocol[K]):
    """What a tool chain does of a job. Every step may raise :class:`EndedError`, CasesError and OSError."""

    def info(self) -> ToolchainInfo:
        """Who answers. Raises UnavailableError."""
        ...

    def compile(self, run: Run) -> K:
        """The compiled kernel, in the run's folder. Raises :class:`NotCompiledError`."""
        ...

    def prepare(self, run: Run, compiled: K, cases: tuple[Case, ...]) -> tuple[K, tuple[Case, ...]]:
        """What can be completed only once the cases are known: a tiling that op_host computes and what comes of it.

        Raises :class:`NotCompiledError`.
        """
        ...

    def launch(self, run: Run, compiled: K, case: Case, number: int) -> Launched:
        """Launch one case once; ``number`` is its place, the same for no two launches of a run."""
        ...

    def time(self, run: Run, compiled: K, case: Case, number: int) -> Timed:
        """Launch one case as often as the request asks, alone on its device, and say how long it takes.

        Reports the stage itself: before it, a device may have to become free.
        """
        ...


@frozen
class _Ready(Generic[K]):
    run: Run
    compiled: K
    meanings: tuple[tuple[Case, ...], ...]
    """The cases once for each size that their outputs may have: one where no formula leaves it open."""
    isolation: tuple[str, ...]
    """The protections that held while the cases file was run."""

    @property
    def cases(self) -> tuple[Case, ...]:
        """The cases as they are likeliest meant."""
        return self.meanings[0]


@frozen
class _AllLaunched:
    """What became of every case: their outcomes, what was found, each rule once at a place, and what isolated them.

    ``cases`` are those with a result; ``aside`` says in a line which tentative ones were not executed, and why.
    """

    cases: tuple[Case, ...]
    results: tuple[CaseResult, ...]
    findings: tuple[Finding, ...]
    isolation: tuple[str, ...]
    aside: str = ""
    fits: bool = True
    """Whether no output is other than one reading of the formulas gives it."""


R = TypeVar("R", VerifyResult, MeasureResult)


@frozen
class Flow(Generic[K]):
    """Verifies and measures with the steps of one tool chain."""

    steps: Steps[K]
    config: RunnerConfig

    def verify(self, request: VerifyRequest, cancelled: Cancelled = never, on_stage: OnStage = untold) -> VerifyResult:
        """Compile, launch every case once, compare with the golden outputs."""

        def judged(ready: _Ready[K]) -> VerifyResult:
            if request.case is not None:
                if not 0 <= request.case < len(ready.cases):
                    raise EndedError(Outcome.INFRA_ERROR, _no_such_case(ready.cases, request.case))
                ready = evolve(ready, meanings=tuple((cases[request.case],) for cases in ready.meanings))
            done = self._launch_all(ready)
            worst = _worst(done.results)
            tails = any(has_odd_tail(case) for case in done.cases)
            note = "" if tails else "no case has a length that does not fill 32-byte blocks"
            reading = next((case.said for case in done.cases if case.reading), "")
            several = any(case.others for case in ready.cases) or len(ready.meanings) > 1
            wrong = f"{reading}; it fits no other reading either" if several else reading
            return VerifyResult(
                worst.outcome,
                done.results,
                done.findings,
                told_apart(done.cases, done.results),
                done.isolation,
                message=f"{worst.message} ({wrong})"
                if worst.message and not done.fits and reading
                else worst.message or "; ".join(filter(None, (reading, done.aside, note))),
            )

        return self._answer(VerifyResult, request, cancelled, on_stage, judged)

    def measure(
        self, request: MeasureRequest, cancelled: Cancelled = never, on_stage: OnStage = untold
    ) -> MeasureResult:
        """Compile, verify where asked for, then launch one case again and again, alone on its device."""

        def timed(ready: _Ready[K]) -> MeasureResult:
            if request.case >= len(ready.cases):
                raise EndedError(Outcome.INFRA_ERROR, _no_such_case(ready.cases, request.case))
            case = ready.cases[request.case]
            if request.verify and not ready.compiled.only_timed:
                done = self._launch_all(ready)
                for result in done.results:
                    _require_passed(result, result.name)
                case = next((one for one in done.cases if one.name == case.name), case)
            found = self.steps.time(ready.run, ready.compiled, case, len(ready.cases))
            if request.verify:
                names = output_names(ready.run.kernel, case)
                _require_passed(judge(case, list(found.outputs), names), f"{case.name}, {found.when}")
            latency = _with_sizes(found.latency, case)
            return MeasureResult(Outcome.PASSED, latency, warnings=(*found.warnings, *_warnings(latency, request)))

        return self._answer(MeasureResult, request, cancelled, on_stage, timed)

    def _answer(
        self,
        result: type[R],
        request: VerifyRequest | MeasureRequest,
        cancelled: Cancelled,
        on_stage: OnStage,
        work: Callable[[_Ready[K]], R],
    ) -> R:
        """What ``work`` makes of the compiled kernel; where the job ends early, a result that says how."""
        findings: tuple[Finding, ...] = ()
        who = NOBODY
        try:
            who = self.steps.info()
            with self._ready(request, cancelled, on_stage) as ready:
                findings = ready.compiled.findings
                answer: R = work(ready)
                return evolve(answer, findings=(*findings, *answer.findings), toolchain=who)
        except NotCompiledError as failed:
            return result(failed.outcome, findings=failed.findings, toolchain=who, message=failed.message)
        except EndedError as ended:
            return result(ended.outcome, findings=findings, toolchain=who, message=ended.message)
        except CasesError as problem:
            message = f"{request.cases}: {problem}"
            return result(Outcome.INFRA_ERROR, findings=findings, toolchain=who, message=message)
        except (UnavailableError, OSError) as problem:
            return result(Outcome.INFRA_ERROR, findings=findings, toolchain=who, message=str(problem))

    @contextlib.contextmanager
    def _ready(
        self, request: VerifyRequest | MeasureRequest, cancelled: Cancelled, on_stage: OnStage
    ) -> Iterator[_Ready[K]]:
        """Compile the kernel and make its cases, in a folder that lasts as long as the context."""
        texts = {file.path: file.text or "" for file in request.files}
        kernel = next(
            (f for f in Source.parse(texts[request.entry]).structure.entries if f.name == request.kernel), None
        )
        if kernel is None:
            raise EndedError(Outcome.INFRA_ERROR, f"{request.entry} has no entry function {request.kernel!r}")
        on_stage(StageReport(JobStage.COMPILING))
        with job_folder() as folder:
            run = Run(request, kernel, folder, cancelled, on_stage)
            compiled = self.steps.compile(run)
            on_stage(StageReport(JobStage.VERIFYING, detail="making inputs and golden outputs"))
            cases, isolation = self._cases(run)
            meanings = _meanings(cases)
            compiled, prepared = self.steps.prepare(run, compiled, tuple(case for one in meanings for case in one))
            count = len(cases)
            again = tuple(prepared[at : at + count] for at in range(0, len(prepared), count))
            yield _Ready(run, compiled, again, isolation)

    def _cases(self, run: Run) -> tuple[tuple[Case, ...], tuple[str, ...]]:
        """Run the cases file in a folder of its own, where no object lies for it to change, and take what it made.

        Gives the cases and the protections that held.
        """
        name, seconds = run.request.cases, self.config.budgets.verify
        with job_folder() as apart:
            write_tree(apart / "src", run.texts)
            argv = [sys.executable, "-I", str(_GOLDEN), str(apart / "src" / name), str(apart / "cases")]
            done = sandbox.run(
                [*argv, str(run.request.seed), GOLDEN_TYPES],
                apart,
                seconds=seconds,
                config=self.config.sandbox,
                cancelled=run.cancelled,
                readable=[_PACKAGE],
            )
            if done.ended == "timeout":
                raise EndedError(Outcome.TIMEOUT, f"{name} took longer than {seconds:g} s")
            if done.ended == "cancelled":
                raise EndedError(Outcome.CANCELLED, "cancelled")
            if not done.ok:
                last = done.output.strip().splitlines()[-1:] or [f"it was ended: {done.ended} {done.code}"]
                raise EndedError(Outcome.INFRA_ERROR, f"{name} failed: {last[0][:300]}")
            cases = in_parameters_order(run.kernel, take_over(read_manifest(apart / "cases"), run.folder / "cases"))
            return as_defined(run.request.files, run.kernel, cases, run.folder / "cases"), done.isolation

    def _launch_all(self, ready: _Ready[K]) -> _AllLaunched:
        """Launch every case once, and again where what its formula may mean else has outputs of other sizes.

        What came of the first meaning that the outputs fit, else of the likeliest one.
        """
        first = self._launch_cases(ready, 0)
        others = (self._launch_cases(ready, number) for number in range(1, len(ready.meanings)))
        return first if first.fits else next((one for one in others if one.fits), first)

    def _launch_cases(self, ready: _Ready[K], meaning: int) -> _AllLaunched:
        """Launch every case once, with outputs of the sizes of one meaning."""
        cases, launched = ready.meanings[meaning], list[Launched]()
        for number, case in enumerate(cases):
            detail = f"{case.name} ({number + 1} of {len(cases)})"
            ready.run.on_stage(StageReport(JobStage.VERIFYING, detail=detail))
            launched.append(self.steps.launch(ready.run, ready.compiled, case, number + meaning * len(cases)))
        words = dict.fromkeys((case.reading for case in cases), None) | dict.fromkeys(
            one.words for case in cases for one in case.others
        )
        # Where no words fit every case, the cases leave different things open: each is read as is likeliest.
        readings = [read for said in words if (read := _read_as(cases, said)) is not None] or [tuple(cases)]
        judged = [self._judged(ready, read, launched) for read in readings]
        return next((one for one in judged if one.fits), judged[0])

    def _judged(self, ready: _Ready[K], read: Sequence[Case], launched: Sequence[Launched]) -> _AllLaunched:
        """What came of the launches, for cases that are read in one way."""
        named = zip(read, ready.cases, strict=True)
        read = tuple(evolve(one, name=likeliest.name) for one, likeliest in named)
        results, found, isolation, fits = [], dict[tuple[Location, str], Finding](), ready.isolation, True
        for case, done in zip(read, launched, strict=True):
            if done.fault:
                result = CaseResult(case.name, *done.fault)
            else:
                result = judge(evolve(case, others=()), list(done.outputs), output_names(ready.run.kernel, case))
            fits &= result.outcome is Outcome.PASSED or not result.outcome.is_verdict
            results.append(evolve(_with_findings(result, done.findings), printed=done.printed))
            if done.isolation is not None:
                isolation = tuple(word for word in isolation if word in done.isolation)
            for finding in done.findings:
                found.setdefault((finding.location, finding.code), finding)
        launches = _AllLaunched(read, tuple(results), tuple(found.values()), isolation, fits=fits)
        return _without_refused(launches)


def _read_as(cases: Sequence[Case], words: str) -> tuple[Case, ...] | None:
    """The cases as their formulas are read in these words; None where one cannot be."""
    read = tuple(one for case in cases if (one := case.read_as(words)) is not None)
    return read if len(read) == len(cases) else None


def _meanings(cases: tuple[Case, ...]) -> tuple[tuple[Case, ...], ...]:
    """The cases once for each size that their outputs have by what their formulas may mean, the likeliest first.

    A case's ``others`` are then what has outputs of its sizes. No two of all the cases have the same name.
    """
    words = dict.fromkeys(word for case in cases if case.others for word in (case.reading, *_other_words(case)))
    by_sizes: dict[tuple[int, ...], list[tuple[Case, ...]]] = {}
    for word in words:
        if (read := _read_as(cases, word)) is not None:
            sizes = tuple(tensor.size_bytes for case in read for tensor in case.outputs)
            by_sizes.setdefault(sizes, []).append(read)
    together = [tuple(map(_with_others, *several)) for several in by_sizes.values()]
    taken: set[str] = set()
    return tuple(tuple(evolve(case, name=_own_name(case.name, taken)) for case in one) for one in together or [cases])


def _own_name(name: str, taken: set[str]) -> str:
    """The name, with a number where there is one of that name already."""
    own = next(
        one for number in itertools.count(1) if (one := f"{name} ({number})" if number > 1 else name) not in taken
    )
    taken.add(own)
    return own


def _other_words(case: Case) -> tuple[str, ...]:
    return tuple(one.words for one in case.others)


def _with_others(case: Case, *others: Case) -> Case:
    return evolve(
        case, others=tuple(Reading(one.reading, one.outputs) for one in others if one.reading != case.reading)
    )


def _without_refused(launched: _AllLaunched) -> _AllLaunched:
    """Without the tentative cases that were not executed, as long as others were."""
    pairs = list(zip(launched.cases, launched.results, strict=True))
    refused = [one for case, one in pairs if case.tentative and one.outcome is Outcome.NOT_EXECUTED]
    kept = [(case, one) for case, one in pairs if one not in refused]
    if not refused or not kept:
        return launched
    names, why = " and ".join(one.name for one in refused), refused[0].message.removeprefix("not executed: ")
    cases, results = tuple(case for case, _ in kept), tuple(one for _, one in kept)
    return evolve(launched, cases=cases, results=results, aside=f"left aside: {names}: {why}")


def _worst(results: tuple[CaseResult, ...]) -> CaseResult:
    """The first case that is wrong, else the first that has no verdict, else the first."""
    failed = [result for result in results if result.outcome is not Outcome.PASSED]
    return next((result for result in failed if result.outcome.is_verdict), (*failed, results[0])[0])


def _with_findings(result: CaseResult, findings: tuple[Finding, ...]) -> CaseResult:
    """The outcome of a case whose outputs are right, where something is wrong on the way there."""
    first = next((finding for finding in findings if finding.severity is Severity.ERROR), None)
    if first is None or result.outcome is not Outcome.PASSED:
        return result
    place = f"{first.location.path}:{first.location.range.start.line + 1}: {first.message}"
    return CaseResult(result.name, Outcome.RUNTIME_ERROR, f"its outputs are right, and {place}")


def _no_such_case(cases: tuple[Case, ...], number: int) -> str:
    return f"there are {len(cases)} cases, none is {number}"


def _require_passed(result: CaseResult, where: str) -> None:
    if result.outcome is not Outcome.PASSED:
        raise EndedError(result.outcome, f"{where}: {result.message}")


def _with_sizes(latency: Latency, case: Case) -> Latency:
    read, written = ([tensor.size_bytes for tensor in side] for side in (case.inputs, case.outputs))
    largest = max([*read, *written], default=0)
    return evolve(latency, case=case.name, read_bytes=sum(read), write_bytes=sum(written), largest_bytes=largest)


def _warnings(latency: Latency, request: MeasureRequest) -> list[str]:
    """What to know of a figure from a device."""
    said: list[str] = []
    if latency.kind is not LatencyKind.MEASURED:
        return said
    if latency.current_mhz is not None and latency.rated_mhz and latency.current_mhz < latency.rated_mhz:
        said.append(f"the device ran at {latency.current_mhz} of {latency.rated_mhz} MHz: the figure is too high")
    if len(latency.samples_us) < request.launches:
        said.append(f"only {len(latency.samples_us)} of {request.launches} launches were recorded")
    return said
