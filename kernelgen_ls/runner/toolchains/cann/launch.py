"""Launching a compiled kernel on a device: its arguments, its folder, its turn, and how it ended."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from attrs import frozen

from kernelgen_ls.kernel.chips import Architecture, Chip
from kernelgen_ls.kernel.dtypes import find_dtype
from kernelgen_ls.kernel.findings import Finding
from kernelgen_ls.kernel.structure import Function
from kernelgen_ls.runner.execution import devices, sandbox
from kernelgen_ls.runner.execution.arguments import check_arguments, tiling_data
from kernelgen_ls.runner.execution.cases import UNWRITTEN, Case, CasesError
from kernelgen_ls.runner.execution.ended import EndedError
from kernelgen_ls.runner.execution.flow import Run
from kernelgen_ls.runner.execution.sandbox import Finished
from kernelgen_ls.runner.jobs.config import RunnerConfig
from kernelgen_ls.runner.jobs.messages import JobStage, Outcome, StageReport
from kernelgen_ls.runner.toolchains.cann.compile import Compiled
from kernelgen_ls.runner.toolchains.cann.diagnostics import explain_fault
from kernelgen_ls.runner.toolchains.cann.install import Install, simulator_libraries
from kernelgen_ls.runner.toolchains.cann.msprof import (
    launch_config,
    magic_of,
    msprof_command,
    output_path,
    write_config,
)
from kernelgen_ls.runner.toolchains.cann.simulator import simulator_command

_DEFINED_TYPE = re.compile(r"^#define DTYPE_\w+ (?P<type>\w+)$", re.MULTILINE)


@frozen
class BuiltKernel:
    """One object of a built package: its symbol for each tiling key (one under None: for any), its tensors' types."""

    object_path: Path
    symbols: Mapping[int | None, str]
    magic: str
    dtypes: tuple[str, ...] = ()

    def symbol(self, key: int | None) -> str | None:
        """The entry symbol for a tiling key."""
        return self.symbols.get(key) or self.symbols.get(None)


@frozen
class ReadyKernel:
    """A kernel compiled for ``chip``; ``built`` are a package's objects of it, if one was built."""

    kernel: Function
    compiled: Compiled
    chip: Chip
    simulated: bool = False
    """Whether the chip's simulator runs it; else a device does."""
    built: tuple[BuiltKernel, ...] = ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the compiler said."""
        return self.compiled.findings

    @property
    def only_timed(self) -> bool:
        """A simulator takes minutes for what a device does in microseconds: one launch of one case has to do."""
        return self.simulated

    def symbol(self, case: Case) -> str:
        """What the launched function is called for a case."""
        built = self.built_for(case)
        return (built.symbol(case.tiling_key) if built else None) or self.kernel.name

    def built_for(self, case: Case) -> BuiltKernel | None:
        """The package's object with the case's element types and tiling key."""
        given = tuple(tensor.dtype for tensor in (*case.inputs, *case.outputs))
        fitting = [one for one in self.built if one.dtypes == given and one.symbol(case.tiling_key)]
        return fitting[0] if fitting else None


class Launcher:
    """Launches kernels of one installation in the sandbox."""

    def __init__(self, install: Install, config: RunnerConfig) -> None:
        self._install = install
        self._config = config

    def write(self, run: Run, ready: ReadyKernel, case: Case, number: int) -> Path:
        """Everything one launch needs, in a folder of its own; gives the JSON's path."""
        folder = run.folder / f"launch-{number}"
        folder.mkdir(mode=0o700)
        built = ready.built_for(case)
        given = built.object_path if built else _object_for(ready.compiled, case)
        kernel = folder / "kernel.o"
        kernel.write_bytes(given.read_bytes())
        for index, tensor in enumerate(case.outputs):
            output_path(folder, index).write_bytes(bytes([UNWRITTEN]) * tensor.size_bytes)
        data = tiling_data(run.request.files, ready.kernel, case)
        check_arguments(ready.kernel, case, tiling=data is not None)
        tiling = None
        if data is not None:
            tiling = folder / "tiling.bin"
            tiling.write_bytes(data)
        split = ready.chip.architecture is not Architecture.DAV_2002
        magic = built.magic if built else magic_of(uses_cube=ready.compiled.uses_cube, split_cores=split)
        config = launch_config(ready.symbol(case), kernel, case, magic, tiling, simulated=ready.simulated)
        write_config(folder / "launch.json", config)
        return folder / "launch.json"

    def launch(self, run: Run, config: Path, chosen: int, launches: int, warm_up: int, seconds: float) -> Finished:
        """Launch what ``write`` wrote on the device ``chosen``, after ``warm_up`` launches, within ``seconds``."""
        install = self._install
        text = config.read_text()
        config.write_text(text.replace('"device_id": 0', f'"device_id": {chosen}'))
        return sandbox.run(
            msprof_command(install.msprof, config, config.parent / "profile", launches, warm_up),
            run.folder,
            seconds=seconds,
            config=self._config.sandbox,
            cancelled=run.cancelled,
            env=install.environment(),
            readable=[install.home, install.home.resolve(), Path("/usr/local/Ascend")],
            devices=(chosen,),
        )

    def simulate(self, run: Run, soc: str, config: Path, seconds: float) -> Finished:
        """Run what ``write`` wrote once in the simulator, which needs no device."""
        install = self._install
        environment = install.environment()
        simulator = simulator_libraries(install.home, soc)
        environment["LD_LIBRARY_PATH"] = f"{simulator}:{environment['LD_LIBRARY_PATH']}"
        return sandbox.run(
            simulator_command(install.msprof, config, config.parent / "profile", soc),
            run.folder,
            seconds=seconds,
            config=self._config.sandbox,
            cancelled=run.cancelled,
            env=environment,
            readable=[install.home, install.home.resolve(), Path("/usr/local/Ascend")],
        )

    @contextlib.contextmanager
    def device(self, run: Run) -> Iterator[int]:
        """Hold a device, waiting for it as long as the budget lets; gives its number."""
        wait = self._config.budgets.device_wait
        try:
            with devices.device(
                self._config.devices,
                wait,
                run.cancelled,
                lambda: run.on_stage(StageReport(JobStage.QUEUED, detail="waiting for the device")),
            ) as chosen:
                yield chosen
        except devices.DeviceBusyError as busy:
            outcome = Outcome.CANCELLED if run.cancelled() else Outcome.INFRA_ERROR
            raise EndedError(outcome, str(busy)) from busy


def fault_of(done: Finished, *, over_budget: Outcome) -> tuple[Outcome, str] | None:
    """How a launch failed, or None; ``over_budget`` is what it means that it did not end in its time."""
    if done.ended == "timeout":
        return over_budget, f"the kernel did not end within {done.seconds:.0f} s"
    if done.ended == "cancelled":
        return Outcome.CANCELLED, "cancelled"
    fault = explain_fault(done.output)
    if fault:
        return Outcome.RUNTIME_ERROR, fault
    if done.ok:
        return None
    last = done.output.strip().splitlines()[-1:] or [f"{done.ended} {done.code}"]
    return Outcome.INFRA_ERROR, f"msprof failed: {last[0][:300]}"


def _object_for(compiled: Compiled, case: Case) -> Path:
    """The object of the configuration whose dtypes and tiling key are the case's."""
    if not compiled.objects:
        raise CasesError("the kernel was compiled to nothing")

    def fits(name: str) -> int:
        given = [tensor.dtype for tensor in (*case.inputs, *case.outputs)]
        defined = [_dtype(kind) for kind in _DEFINED_TYPE.findall(compiled.preludes.get(name, ""))]
        score = sum(a == b for a, b in zip(given, defined, strict=False))
        key = f"tiling key {case.tiling_key}"
        return score + (1000 if case.tiling_key is not None and name.endswith(key) else 0)

    return compiled.objects[max(compiled.objects, key=fits)]


def _dtype(kind: str) -> str:
    known = find_dtype(kind)
    return known.name if known is not None else kind
