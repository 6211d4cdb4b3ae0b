"""The ``cann`` tool chain: bisheng compiles, an NPU runs, msprof measures.

Written from public documentation and tested against stand-ins; it awaits confirmation on hardware and says so with
every figure (``cann_install.UNCONFIRMED``).
"""

from __future__ import annotations

import contextlib
import posixpath
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from attrs import evolve

from kernelgen_ls.kernel.chips import DEFAULT_CHIP, find_chip
from kernelgen_ls.kernel.findings import Finding, Severity
from kernelgen_ls.kernel.syntax import Source
from kernelgen_ls.runner.execution import sandbox
from kernelgen_ls.runner.execution.cases import Case, CasesError, has_odd_tail, judge, read_manifest, take_over
from kernelgen_ls.runner.execution.sandbox import job_folder
from kernelgen_ls.runner.jobs.config import RunnerConfig, worker_config
from kernelgen_ls.runner.jobs.messages import (
    CaseResult,
    CheckRequest,
    CheckResult,
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
from kernelgen_ls.runner.toolchains import Cancelled, OnStage
from kernelgen_ls.runner.toolchains.cann.build import Builder, BuildFailedError
from kernelgen_ls.runner.toolchains.cann.compile import Compiled, Compiler, in_project, write_tree
from kernelgen_ls.runner.toolchains.cann.host_tiling import HostTiling, operator_without_tiling
from kernelgen_ls.runner.toolchains.cann.install import UNCONFIRMED, Install, NoCannError, find_install
from kernelgen_ls.runner.toolchains.cann.launch import EndedError, Launcher, ReadyKernel, fault_of
from kernelgen_ls.runner.toolchains.cann.msprof import (
    output_path,
    read_basic,
    read_pipes,
)
from kernelgen_ls.runner.toolchains.cann.simulator import read_duration, read_lines, read_simulated_pipes
from kernelgen_ls.runner.toolchains.configurations import is_host_file

_GOLDEN = Path(sandbox.__file__).with_name("golden.py")


class CannToolchain:
    """Jobs on the CANN of this machine. One object serves one thread."""

    def __init__(self, config: RunnerConfig | None = None) -> None:
        self._config = config or worker_config()
        self._install: Install | None = None

    def info(self) -> ToolchainInfo:
        """CANN's version and the device's SoC. Raises :class:`NoCannError`."""
        install = self._installed()
        return ToolchainInfo("cann", install.style.name, install.soc, install.version, UNCONFIRMED)

    # ---- check --------------------------------------------------------------------------------------------------

    def check(self, request: CheckRequest, cancelled: Cancelled) -> CheckResult:
        """bisheng's findings on one kernel, in every dtype column and tiling key; host files are left to others."""
        started = time.monotonic()
        texts = {file.path: file.text or "" for file in request.files}
        try:
            info = self.info()
            entry = _kernel_file(request.entry, texts)
            if entry is None:
                message = "it compiles kernels, and none of the project uses this file"
                return CheckResult(Outcome.PASSED, (), info, message=message, covered=False)
            with job_folder() as folder:
                compiled = self._compiler().compile(
                    request.files, entry, request.chip, request.flags, folder, cancelled
                )
            self._end_early(compiled, entry)
        except EndedError as ended:
            return CheckResult(ended.outcome, message=ended.message)
        except (NoCannError, OSError) as problem:
            return CheckResult(Outcome.INFRA_ERROR, message=str(problem))
        outcome = Outcome.COMPILE_ERROR if _has_error(compiled.findings) else Outcome.PASSED
        return CheckResult(outcome, compiled.findings, info, seconds=time.monotonic() - started)

    # ---- verify and measure -------------------------------------------------------------------------------------

    def verify(self, request: VerifyRequest, cancelled: Cancelled, on_stage: OnStage) -> VerifyResult:
        """Compile, launch every case once, compare with the golden outputs."""
        findings: tuple[Finding, ...] = ()
        try:
            info = self.info()
            with self._prepared(request, cancelled, on_stage) as ready:
                findings = ready.compiled.findings
                results = self._launch_all(ready, request, cancelled, on_stage)
            worst = next((r for r in results if r.outcome is not Outcome.PASSED), results[0])
            note = "" if has_odd_tail(ready.cases) else "no case has a length that does not fill 32-byte blocks"
            return VerifyResult(worst.outcome, results, findings, info, message=worst.message or note)
        except _CompileFailedError as failed:
            return VerifyResult(Outcome.COMPILE_ERROR, (), failed.findings, message=str(failed))
        except EndedError as ended:
            return VerifyResult(ended.outcome, (), findings, message=ended.message)
        except (NoCannError, OSError) as problem:
            return VerifyResult(Outcome.INFRA_ERROR, message=str(problem))

    def measure(self, request: MeasureRequest, cancelled: Cancelled, on_stage: OnStage) -> MeasureResult:
        """Compile, verify where asked for, then launch one case again and again, alone on its device."""
        findings: tuple[Finding, ...] = ()
        try:
            info = self.info()
            with self._prepared(request, cancelled, on_stage) as ready:
                findings = ready.compiled.findings
                if request.case >= len(ready.cases):
                    raise EndedError(Outcome.INFRA_ERROR, f"there are {len(ready.cases)} cases, none is {request.case}")
                if ready.simulated:
                    latency = self._simulate(ready, request, cancelled, on_stage)
                    return MeasureResult(Outcome.PASSED, latency, findings, _warnings(latency, request), info)
                if request.verify:
                    for result in self._launch_all(ready, request, cancelled, on_stage):
                        if result.outcome is not Outcome.PASSED:
                            raise EndedError(result.outcome, f"{result.name}: {result.message}")
                latency = self._measure(ready, request, cancelled, on_stage)
            return MeasureResult(Outcome.PASSED, latency, findings, _warnings(latency, request), info)
        except _CompileFailedError as failed:
            return MeasureResult(Outcome.COMPILE_ERROR, None, failed.findings, message=str(failed))
        except EndedError as ended:
            return MeasureResult(ended.outcome, None, findings, message=ended.message)
        except (NoCannError, OSError) as problem:
            return MeasureResult(Outcome.INFRA_ERROR, message=str(problem))

    @contextlib.contextmanager
    def _prepared(
        self, request: VerifyRequest | MeasureRequest, cancelled: Cancelled, on_stage: OnStage
    ) -> Iterator[ReadyKernel]:
        """Compile the kernel and make its cases, in a folder that lasts as long as the context."""
        simulated = self._simulated(request)
        soc = simulated or self._installed().soc
        flags = (*request.flags, "-g") if simulated else request.flags  # the cost of each line wants to know lines
        texts = {file.path: file.text or "" for file in request.files}
        entries = Source.parse(texts[request.entry]).structure.entries
        kernel = next((f for f in entries if f.name == request.kernel), None)
        if kernel is None:
            raise EndedError(Outcome.INFRA_ERROR, f"{request.entry} has no entry function {request.kernel!r}")
        on_stage(StageReport(JobStage.COMPILING))
        with job_folder() as folder:
            compiled = self._compiler().compile(request.files, request.entry, soc, flags, folder, cancelled)
            self._end_early(compiled, request.entry)
            if _has_error(compiled.findings):
                raise _CompileFailedError(compiled.findings)
            on_stage(StageReport(JobStage.VERIFYING, detail="making inputs and golden outputs"))
            cases = self._cases(request, folder, cancelled)
            ready = ReadyKernel(kernel, compiled, cases, folder, simulated=simulated)
            ready = self._with_host_tiling(ready, request, soc, cancelled, on_stage)
            try:
                yield ready
            except CasesError as problem:
                raise EndedError(Outcome.INFRA_ERROR, f"{request.cases}: {problem}") from problem

    def _simulated(self, request: VerifyRequest | MeasureRequest) -> str:
        """The SoC whose simulator has to stand in for a device, "" where there is a fitting one; raises where neither.

        Only measurements are simulated, one launch of one case: a simulator takes minutes for what a device does in
        microseconds.
        """
        install = self._installed()
        wanted, has = find_chip(request.chip), install.chip
        if install.soc and (wanted is None or has is None or wanted.architecture is has.architecture):
            return ""
        if wanted is not None and isinstance(request, MeasureRequest) and install.simulates(wanted.soc):
            return wanted.soc
        if install.soc:
            raise EndedError(Outcome.INFRA_ERROR, f"the kernel is for {request.chip}; this runner has {install.soc}")
        raise EndedError(
            Outcome.INFRA_ERROR,
            "this runner has CANN but no NPU (npu-smi names none)"
            + (f", and no simulator of {request.chip} either" if isinstance(request, MeasureRequest) else ""),
        )

    def _with_host_tiling(
        self,
        ready: ReadyKernel,
        request: VerifyRequest | MeasureRequest,
        soc: str,
        cancelled: Cancelled,
        on_stage: OnStage,
    ) -> ReadyKernel:
        """Where only op_host can say the tiling: build the project and ask it, and launch what the build compiled."""
        operator = operator_without_tiling(request.files, ready.kernel, ready.cases)
        if operator is None:
            return ready
        install, config = self._installed(), self._config
        chip = find_chip(soc) or DEFAULT_CHIP
        builder = Builder(install, config)
        try:
            package = builder.build(request.files, request.entry, operator, chip, ready.folder, cancelled, on_stage)
        except BuildFailedError as failed:
            raise _CompileFailedError(failed.findings, "the project does not build") from failed
        tiling = HostTiling(install, config)
        cases = tiling.of(ready.cases, operator, ready.kernel, package, soc, cancelled)
        return evolve(ready, cases=cases, built=package.kernels())

    def _cases(self, request: VerifyRequest | MeasureRequest, folder: Path, cancelled: Cancelled) -> tuple[Case, ...]:
        """Run the cases file in a folder of its own, where no object lies for it to change, and take what it made."""
        with job_folder() as apart:
            write_tree(apart / "src", {file.path: file.text or "" for file in request.files})
            argv = [sys.executable, "-I", str(_GOLDEN), str(apart / "src" / request.cases), str(apart / "cases")]
            done = sandbox.run(
                [*argv, str(request.seed)],
                apart,
                seconds=self._config.budgets.verify,
                config=self._config.sandbox,
                cancelled=cancelled,
                readable=[_GOLDEN],
            )
            if done.ended == "timeout":
                raise EndedError(Outcome.TIMEOUT, f"{request.cases} took longer than {self._config.budgets.verify:g} s")
            if done.ended == "cancelled":
                raise EndedError(Outcome.CANCELLED, "cancelled")
            if not done.ok:
                last = done.output.strip().splitlines()[-1:] or [f"it was ended: {done.ended} {done.code}"]
                raise EndedError(Outcome.INFRA_ERROR, f"{request.cases} failed: {last[0][:300]}")
            try:
                return take_over(read_manifest(apart / "cases"), folder / "cases")
            except CasesError as problem:
                raise EndedError(Outcome.INFRA_ERROR, f"{request.cases}: {problem}") from problem

    def _launch_all(
        self, ready: ReadyKernel, request: VerifyRequest | MeasureRequest, cancelled: Cancelled, on_stage: OnStage
    ) -> tuple[CaseResult, ...]:
        results = []
        for number, case in enumerate(ready.cases):
            on_stage(StageReport(JobStage.VERIFYING, detail=f"{case.name} ({number + 1} of {len(ready.cases)})"))
            config = self._launcher().write(ready, request.files, case, number)
            with self._launcher().device(cancelled, on_stage) as chosen:
                done = self._launcher().launch(ready, config, chosen, 1, 0, self._config.budgets.verify, cancelled)
            fault = fault_of(done)
            produced = [output_path(config.parent, n) for n in range(len(case.outputs))]
            results.append(CaseResult(case.name, *fault) if fault else judge(case, produced))
        return tuple(results)

    def _measure(self, ready: ReadyKernel, request: MeasureRequest, cancelled: Cancelled, on_stage: OnStage) -> Latency:
        case = ready.cases[request.case]
        config = self._launcher().write(ready, request.files, case, len(ready.cases))
        with self._launcher().device(cancelled, on_stage) as chosen:
            on_stage(StageReport(JobStage.MEASURING, detail=f"{request.launches} launches"))
            budget = self._config.budgets.measure
            done = self._launcher().launch(ready, config, chosen, request.launches, request.warm_up, budget, cancelled)
        fault = fault_of(done)
        if fault:
            raise EndedError(*fault)
        out = config.parent / "profile"
        rows = read_basic(out, ready.symbol(case))
        if not rows:
            raise EndedError(Outcome.INFRA_ERROR, f"msprof recorded no launch of {ready.kernel.name}")
        last = judge(case, [output_path(config.parent, n) for n in range(len(case.outputs))])
        if request.verify and last.outcome is not Outcome.PASSED:
            raise EndedError(last.outcome, f"{case.name}, after the last launch: {last.message}")
        samples = tuple(row.duration_us for row in rows[-request.launches :])
        latency = _with_sizes(Latency(samples, case=case.name, caveat=UNCONFIRMED), case)
        install = self._installed()
        return evolve(
            latency,
            pipes=read_pipes(out, latency.median_us),
            block_dim=rows[-1].block_dim,
            soc=install.soc,
            cann=install.version,
            device=str(chosen),
            current_mhz=min((row.current_mhz for row in rows if row.current_mhz is not None), default=None),
            rated_mhz=rows[-1].rated_mhz,
            taken_at=time.time(),
        )

    def _simulate(
        self, ready: ReadyKernel, request: MeasureRequest, cancelled: Cancelled, on_stage: OnStage
    ) -> Latency:
        """One launch of one case in the vendor's simulator: a figure that is never called measured."""
        case, budget = ready.cases[request.case], self._config.budgets.measure
        config = self._launcher().write(ready, request.files, case, request.case)
        on_stage(StageReport(JobStage.MEASURING, detail=f"in the simulator of {ready.simulated}, not on a device"))
        done = self._launcher().simulate(ready, config, budget, cancelled)
        if done.ended == "timeout":
            message = f"the simulator did not end within {budget:g} s: simulate a smaller case"
            raise EndedError(Outcome.TIMEOUT, message)
        fault = fault_of(done)
        if fault:
            raise EndedError(*fault)
        if request.verify:
            result = judge(case, [output_path(config.parent, n) for n in range(len(case.outputs))])
            if result.outcome is not Outcome.PASSED:
                raise EndedError(result.outcome, f"{case.name}, in the simulator: {result.message}")
        out = config.parent / "profile"
        duration = read_duration(out)
        if duration is None:
            raise EndedError(Outcome.INFRA_ERROR, f"the simulator left no trace of {ready.kernel.name}")
        texts = {file.path: file.text or "" for file in request.files}
        latency = Latency(
            (duration,),
            LatencyKind.SIMULATED,
            case.name,
            read_simulated_pipes(out, duration),
            case.block_dim,
            ready.simulated,
            self._installed().version,
            "simulator",
            taken_at=time.time(),
            lines=read_lines(out, lambda path: in_project(path, ready.folder / "src", texts)),
            caveat=UNCONFIRMED,
        )
        return _with_sizes(latency, case)

    def _end_early(self, compiled: Compiled, entry: str) -> None:
        if compiled.cancelled:
            raise EndedError(Outcome.CANCELLED, "cancelled")
        if compiled.timed_out:
            raise EndedError(Outcome.TIMEOUT, f"compiling {entry} took longer than {self._config.budgets.check:g} s")
        if compiled.trouble:
            raise EndedError(Outcome.INFRA_ERROR, compiled.trouble)

    def _installed(self) -> Install:
        if self._install is None:
            self._install = find_install(self._config.sandbox)
        return self._install

    def _launcher(self) -> Launcher:
        return Launcher(self._installed(), self._config)

    def _compiler(self) -> Compiler:
        return Compiler(self._installed(), self._config)


class _CompileFailedError(Exception):
    def __init__(self, findings: tuple[Finding, ...], message: str = "the kernel does not compile") -> None:
        super().__init__(message)
        self.findings = findings


def _with_sizes(latency: Latency, case: Case) -> Latency:
    read, written = ([tensor.size_bytes for tensor in side] for side in (case.inputs, case.outputs))
    largest = max([*read, *written], default=0)
    return evolve(latency, read_bytes=sum(read), write_bytes=sum(written), largest_bytes=largest)


def _has_error(findings: tuple[Finding, ...]) -> bool:
    return any(finding.severity is Severity.ERROR for finding in findings)


def _kernel_file(entry: str, texts: dict[str, str]) -> str | None:
    """The file to compile for ``entry``: itself, or for a header the first kernel file that names it."""
    if is_host_file(entry, texts[entry]):
        return None
    if "__global__" in texts[entry] or not entry.endswith((".h", ".hpp", ".inl")):
        return entry
    name = posixpath.basename(entry)
    users = (path for path, text in texts.items() if "__global__" in text and name in text)
    return next(iter(sorted(users)), None)


def _warnings(latency: Latency, request: MeasureRequest) -> tuple[str, ...]:
    said = [UNCONFIRMED]
    if latency.kind is LatencyKind.SIMULATED:
        return (f"simulated by msprof's simulator of {latency.soc}, one launch: not a measurement", *said)
    if latency.current_mhz is not None and latency.rated_mhz and latency.current_mhz < latency.rated_mhz:
        said.append(f"the device ran at {latency.current_mhz} of {latency.rated_mhz} MHz: the figure is too high")
    if len(latency.samples_us) < request.launches:
        said.append(f"only {len(latency.samples_us)} of {request.launches} launches were recorded")
    return tuple(said)
