"""The twin as a tool chain: kernels verified on this machine's processor."""

from __future__ import annotations

from collections.abc import Mapping

from kernelgen_ls.runner.execution.flow import Flow
from kernelgen_ls.runner.jobs.config import RunnerConfig, worker_config
from kernelgen_ls.runner.jobs.messages import ToolchainInfo, VerifyRequest, VerifyResult
from kernelgen_ls.runner.toolchains import Cancelled, Handler, OnStage, never, untold
from kernelgen_ls.runner.toolchains.twin.steps import TwinKernel, TwinSteps


class TwinToolchain:
    """Verifies; it measures nothing."""

    def __init__(self, config: RunnerConfig | None = None) -> None:
        config = config or worker_config()
        self._steps = TwinSteps(config)
        self._flow: Flow[TwinKernel] = Flow(self._steps, config)

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """Verification only."""
        return {"verify": self.verify}

    def info(self) -> ToolchainInfo:
        """The compiler's version. Raises UnavailableError that says what to install."""
        return self._steps.info()

    def verify(self, request: VerifyRequest, cancelled: Cancelled = never, on_stage: OnStage = untold) -> VerifyResult:
        """Compile, run every case, compare with the golden outputs, and say what was found on the way."""
        return self._flow.verify(request, cancelled, on_stage)
