"""The ``cann`` tool chain: bisheng compiles, an NPU runs, msprof measures.

Written from public documentation and tested against stand-ins; it awaits confirmation on hardware and says so with
every figure (``install.UNCONFIRMED``).
"""

from __future__ import annotations

import time
from collections.abc import Mapping

from kernelgen_ls.kernel.roles import role_of
from kernelgen_ls.runner.execution.ended import EndedError, known_chip
from kernelgen_ls.runner.execution.flow import Flow
from kernelgen_ls.runner.execution.sandbox import job_folder
from kernelgen_ls.runner.jobs.config import RunnerConfig, worker_config
from kernelgen_ls.runner.jobs.messages import (
    NOBODY,
    CheckRequest,
    CheckResult,
    MeasureRequest,
    MeasureResult,
    Outcome,
    ToolchainInfo,
    VerifyRequest,
    VerifyResult,
)
from kernelgen_ls.runner.toolchains import Cancelled, Handler, OnStage, UnavailableError, never, untold
from kernelgen_ls.runner.toolchains.cann.steps import CannSteps
from kernelgen_ls.runner.toolchains.source_tree import SourceTree


class CannToolchain:
    """Jobs on the CANN of this machine. One object serves one thread."""

    def __init__(self, config: RunnerConfig | None = None) -> None:
        config = config or worker_config()
        self._steps = CannSteps(config)
        self._flow = Flow(self._steps, config)

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """It checks, verifies and measures."""
        return {"check": self.check, "verify": self.verify, "measure": self.measure}

    def info(self) -> ToolchainInfo:
        """CANN's version and the device's SoC. Raises NoCannError."""
        return self._steps.info()

    def check(self, request: CheckRequest, cancelled: Cancelled = never, on_stage: OnStage = untold) -> CheckResult:
        """bisheng's findings on one kernel, in every dtype column and tiling key; host files are left to others."""
        started = time.monotonic()
        texts = {file.path: file.text or "" for file in request.files}
        who = NOBODY
        try:
            who = self.info()
            entry, chip = _kernel_file(request.entry, texts), known_chip(request.chip)
            if entry is None:
                message = "it compiles kernels, and none of the project uses this file"
                return CheckResult(Outcome.PASSED, toolchain=who, message=message, covered=False)
            with job_folder() as folder:
                compiled = self._steps.compiler.compile(request.files, entry, chip, request.flags, folder, cancelled)
        except EndedError as ended:
            return CheckResult(ended.outcome, toolchain=who, message=ended.message)
        except (UnavailableError, OSError) as problem:
            return CheckResult(Outcome.INFRA_ERROR, toolchain=who, message=str(problem))
        outcome = Outcome.COMPILE_ERROR if compiled.has_error else Outcome.PASSED
        return CheckResult(outcome, compiled.findings, toolchain=who, seconds=time.monotonic() - started)

    def verify(self, request: VerifyRequest, cancelled: Cancelled = never, on_stage: OnStage = untold) -> VerifyResult:
        """Compile, launch every case once, compare with the golden outputs."""
        return self._flow.verify(request, cancelled, on_stage)

    def measure(
        self, request: MeasureRequest, cancelled: Cancelled = never, on_stage: OnStage = untold
    ) -> MeasureResult:
        """Compile, verify where asked for, then launch one case again and again, alone on its device."""
        return self._flow.measure(request, cancelled, on_stage)


def _kernel_file(entry: str, texts: dict[str, str]) -> str | None:
    """The file to compile for ``entry``; None for a host file, and for a header that no kernel includes."""
    return None if role_of(entry, texts[entry]).is_host else SourceTree.of(texts).kernel_of(entry)
