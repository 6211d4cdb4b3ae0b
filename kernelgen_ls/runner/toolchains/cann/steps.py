"""The steps of the flow with CANN: bisheng compiles, an NPU or the vendor's simulator runs, msprof measures."""

from __future__ import annotations

import time
from pathlib import Path

from attrs import evolve

from kernelgen_ls.kernel.chips import Chip
from kernelgen_ls.runner.execution.arguments import operator_without_tiling
from kernelgen_ls.runner.execution.cases import Case
from kernelgen_ls.runner.execution.ended import EndedError, NotCompiledError, known_chip
from kernelgen_ls.runner.execution.flow import Launched, Run, Timed
from kernelgen_ls.runner.jobs.config import RunnerConfig
from kernelgen_ls.runner.jobs.messages import (
    JobStage,
    Latency,
    LatencyKind,
    MeasureRequest,
    Outcome,
    StageReport,
    ToolchainInfo,
)
from kernelgen_ls.runner.toolchains.cann.build import Builder
from kernelgen_ls.runner.toolchains.cann.compile import Compiler, in_project
from kernelgen_ls.runner.toolchains.cann.host_tiling import HostTiling
from kernelgen_ls.runner.toolchains.cann.install import UNCONFIRMED, Install, find_install
from kernelgen_ls.runner.toolchains.cann.launch import Launcher, ReadyKernel, fault_of
from kernelgen_ls.runner.toolchains.cann.msprof import output_path, read_basic, read_pipes
from kernelgen_ls.runner.toolchains.cann.simulator import read_duration, read_lines, read_simulated_pipes


class CannSteps:
    """The steps with the CANN of this machine, which is looked for with the first of them."""

    def __init__(self, config: RunnerConfig) -> None:
        self._config = config
        self._found: Install | None = None

    @property
    def install(self) -> Install:
        """The installation. Raises NoCannError."""
        if self._found is None:
            self._found = find_install(self._config.sandbox)
        return self._found

    @property
    def compiler(self) -> Compiler:
        """The installation's compiler. Raises NoCannError."""
        return Compiler(self.install, self._config)

    def info(self) -> ToolchainInfo:
        """CANN's version and the device's SoC. Raises NoCannError."""
        install = self.install
        return ToolchainInfo("cann", install.style.name, install.soc, install.version, UNCONFIRMED)

    def compile(self, run: Run) -> ReadyKernel:
        """The kernel in every configuration, for the device that is here or for the simulator of the one asked for."""
        chip, simulated = self._chip(run)
        request = run.request
        flags = (*request.flags, "-g") if simulated else request.flags  # the cost of each line wants to know lines
        compiled = self.compiler.compile(request.files, request.entry, chip, flags, run.folder, run.cancelled)
        if compiled.has_error:
            raise NotCompiledError(compiled.findings)
        return ReadyKernel(run.kernel, compiled, chip, simulated)

    def prepare(self, run: Run, compiled: ReadyKernel, cases: tuple[Case, ...]) -> tuple[ReadyKernel, tuple[Case, ...]]:
        """Where only op_host can say the tiling: build the project and ask it, and launch what the build compiled."""
        request = run.request
        operator = operator_without_tiling(request.files, run.kernel, cases)
        if operator is None:
            return compiled, cases
        package = Builder(self.install, self._config).build(
            request.files, request.entry, operator, compiled.chip, run.folder, run.cancelled, run.on_stage
        )
        tiling = HostTiling(self.install, self._config)
        cases = tiling.of(cases, operator, run.kernel, package, compiled.chip.soc, run.cancelled)
        return evolve(compiled, built=package.kernels()), cases

    def launch(self, run: Run, compiled: ReadyKernel, case: Case, number: int) -> Launched:
        """One launch on a device, after waiting for it."""
        launcher = self._launcher()
        config = launcher.write(run, compiled, case, number)
        with launcher.device(run) as chosen:
            done = launcher.launch(run, config, chosen, 1, 0, self._config.budgets.verify)
        fault = fault_of(done, over_budget=Outcome.RUNTIME_ERROR)
        return Launched(_outputs(config, case), fault, isolation=done.isolation)

    def time(self, run: Run, compiled: ReadyKernel, case: Case, number: int) -> Timed:
        """The launches of one case on a device, or one in the simulator: a figure that is never called measured."""
        assert isinstance(run.request, MeasureRequest)
        config = self._launcher().write(run, compiled, case, number)
        if compiled.simulated:
            return self._simulated(run, compiled, case, config)
        return self._measured(run, run.request, compiled, case, config)

    def _chip(self, run: Run) -> tuple[Chip, bool]:
        """The chip to compile for, and whether its simulator stands in for it; raises where neither is here.

        Only measurements are simulated.
        """
        install, wanted = self.install, known_chip(run.request.chip)
        if install.soc:
            here = known_chip(install.soc, "this runner's device: ")
            if here.architecture is wanted.architecture:
                return here, False
        measuring = isinstance(run.request, MeasureRequest)
        if measuring and install.simulates(wanted.soc):
            return wanted, True
        if install.soc:
            message = f"the kernel is for {run.request.chip}; this runner has {install.soc}"
        else:
            message = "this runner has CANN but no NPU (npu-smi names none)"
            message += f", and no simulator of {run.request.chip} either" if measuring else ""
        raise EndedError(Outcome.INFRA_ERROR, message)

    def _measured(self, run: Run, request: MeasureRequest, ready: ReadyKernel, case: Case, config: Path) -> Timed:
        launcher = self._launcher()
        with launcher.device(run) as chosen:
            run.on_stage(StageReport(JobStage.MEASURING, detail=f"{request.launches} launches"))
            budget = self._config.budgets.measure
            done = launcher.launch(run, config, chosen, request.launches, request.warm_up, budget)
        # It may be no more than the many launches that take this long.
        fault = fault_of(done, over_budget=Outcome.TIMEOUT)
        if fault:
            raise EndedError(*fault)
        out = config.parent / "profile"
        rows = read_basic(out, ready.symbol(case))
        if not rows:
            raise EndedError(Outcome.INFRA_ERROR, f"msprof recorded no launch of {ready.kernel.name}")
        latency = Latency(tuple(row.duration_us for row in rows[-request.launches :]), caveat=UNCONFIRMED)
        latency = evolve(
            latency,
            pipes=read_pipes(out, latency.median_us),
            block_dim=rows[-1].block_dim,
            soc=self.install.soc,
            cann=self.install.version,
            device=str(chosen),
            current_mhz=min((row.current_mhz for row in rows if row.current_mhz is not None), default=None),
            rated_mhz=rows[-1].rated_mhz,
            taken_at=time.time(),
        )
        return Timed(latency, _outputs(config, case), "after the last launch", (UNCONFIRMED,))

    def _simulated(self, run: Run, ready: ReadyKernel, case: Case, config: Path) -> Timed:
        soc, budget = ready.chip.soc, self._config.budgets.measure
        run.on_stage(StageReport(JobStage.MEASURING, detail=f"in the simulator of {soc}, not on a device"))
        done = self._launcher().simulate(run, soc, config, budget)
        if done.ended == "timeout":
            message = f"the simulator did not end within {budget:g} s: simulate a smaller case"
            raise EndedError(Outcome.TIMEOUT, message)
        fault = fault_of(done, over_budget=Outcome.TIMEOUT)
        if fault:
            raise EndedError(*fault)
        out = config.parent / "profile"
        duration = read_duration(out)
        if duration is None:
            raise EndedError(Outcome.INFRA_ERROR, f"the simulator left no trace of {ready.kernel.name}")
        latency = Latency(
            (duration,),
            LatencyKind.SIMULATED,
            pipes=read_simulated_pipes(out, duration),
            block_dim=case.block_dim,
            soc=soc,
            cann=self.install.version,
            device="simulator",
            taken_at=time.time(),
            lines=read_lines(out, lambda path: in_project(path, run.folder / "src", run.texts)),
            caveat=UNCONFIRMED,
        )
        warning = f"simulated by msprof's simulator of {soc}, one launch: not a measurement"
        return Timed(latency, _outputs(config, case), "in the simulator", (warning, UNCONFIRMED))

    def _launcher(self) -> Launcher:
        return Launcher(self.install, self._config)


def _outputs(config: Path, case: Case) -> tuple[Path, ...]:
    return tuple(output_path(config.parent, number) for number in range(len(case.outputs)))
