"""What running kernels on the twin takes: the compiler, with us and alone, and each case."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from attrs import evolve

from kernelgen_ls.bench.twin_results import CaseRun
from kernelgen_ls.runner.execution import sandbox
from kernelgen_ls.runner.execution.cases import Case
from kernelgen_ls.runner.execution.flow import Flow, Launched, Run, Timed
from kernelgen_ls.runner.execution.sandbox import Finished
from kernelgen_ls.runner.jobs.config import Budgets, RunnerConfig
from kernelgen_ls.runner.jobs.messages import SourceFile, ToolchainInfo, VerifyRequest
from kernelgen_ls.runner.toolchains.twin.compilers import readable
from kernelgen_ls.runner.toolchains.twin.steps import TwinKernel, TwinSteps

CONFIG = RunnerConfig(budgets=Budgets(check=120.0, verify=240.0))
"""Nobody waits for an answer here, and other work may share the machine."""
HALFS = 32 * 1024 * 1024


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
            seconds=CONFIG.budgets.check,
            config=CONFIG.sandbox,
            readable=readable(Path(argv[0]).resolve()),
            env=builder.compiler.environment(builder.folder),
        )
        if not done.ok:
            return 0.0
        seconds = done.spent.cpu_seconds
    return seconds


def many_halfs() -> CaseRun:
    """33.5 million halfs through one instruction, in one block."""
    text = Path(__file__).with_name("twin_kernel.cpp").read_text(encoding="utf-8")
    cases = (
        "import numpy as np\nCASES = [{}]\n"
        f"def inputs(case, rng): return [rng.standard_normal({HALFS}, np.float32).astype(np.float16)]\n"
        "def golden(case, given): return [np.abs(given[0])]\n"
    )
    files = (SourceFile("many_halfs.cpp", text), SourceFile("cases.py", cases))
    steps = Metered(TwinSteps(CONFIG))
    result = Flow(steps, CONFIG).verify(VerifyRequest("many_halfs.cpp", files, "Ascend910B1", "many_halfs", "cases.py"))
    return steps.runs[0] if steps.runs else CaseRun("many halfs", result.outcome.value, result.message)
