"""A kind of job that the program does not have, and tool chains that each answer one kind, for worker processes too.

Nothing of client, service, worker or record knows of them: they are rows in the tables.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field, frozen

from kernelgen_ls.runner.jobs.kinds import KINDS, JobKind
from kernelgen_ls.runner.jobs.messages import (
    Job,
    JobResult,
    JobStage,
    Latency,
    MeasureRequest,
    MeasureResult,
    Outcome,
    StageReport,
    ToolchainInfo,
    VerifyRequest,
    VerifyResult,
)
from kernelgen_ls.runner.toolchains import Cancelled, Handler, OnStage, ToolchainRow
from kernelgen_ls.runner.toolchains.replay.toolchain import ReplayToolchain


@frozen
class CountResult(JobResult):
    """How often a word occurs."""

    times: int = 0


@frozen
class CountRequest(Job[CountResult]):
    """Count a word in the entry file."""

    word: str = field(kw_only=True)


COUNT = JobKind(
    "count",
    CountRequest,
    CountResult,
    lambda budgets, _: budgets.check,
    does="counts",
    doing="counting",
    stage=JobStage.COMPILING,
)
ROWS = {
    "counting": ToolchainRow("invented:Counting", ("count",)),
    "verifying": ToolchainRow("invented:Verifying", ("verify",)),
    "measuring": ToolchainRow("invented:Measuring", ("measure",)),
    # The real one, through this module: so that its worker knows of the kind.
    "replaying": ToolchainRow("invented:ReplayToolchain", None),
}

if __name__ == "invented":  # imported by a worker process, which finds the tables as they are shipped
    KINDS["count"] = COUNT

__all__ = ["COUNT", "ROWS", "CountRequest", "CountResult", "Counting", "Measuring", "ReplayToolchain", "Verifying"]


class Counting:
    """It counts, unless the file says ``anonymous`` or ``dies``."""

    @property
    def handlers(self) -> Mapping[str, Handler]:
        return {"count": self.count}

    def info(self) -> ToolchainInfo:
        return ToolchainInfo("counting", "3")

    def count(self, request: CountRequest, cancelled: Cancelled, on_stage: OnStage) -> CountResult:
        on_stage(StageReport(JobStage.COMPILING, detail="counting"))
        text = next(file.text or "" for file in request.files if file.path == request.entry)
        if "dies" in text:
            raise ValueError("a defect")
        who = ToolchainInfo("") if "anonymous" in text else self.info()
        return CountResult(Outcome.PASSED, times=text.split().count(request.word), toolchain=who)


class Verifying:
    """Every kernel is right."""

    @property
    def handlers(self) -> Mapping[str, Handler]:
        return {"verify": self.verify}

    def info(self) -> ToolchainInfo:
        return ToolchainInfo("verifying")

    def verify(self, request: VerifyRequest, cancelled: Cancelled, on_stage: OnStage) -> VerifyResult:
        return VerifyResult(Outcome.PASSED, toolchain=self.info())


class Measuring:
    """Every kernel takes 7 us."""

    @property
    def handlers(self) -> Mapping[str, Handler]:
        return {"measure": self.measure}

    def info(self) -> ToolchainInfo:
        return ToolchainInfo("measuring", soc="Ascend910B1")

    def measure(self, request: MeasureRequest, cancelled: Cancelled, on_stage: OnStage) -> MeasureResult:
        return MeasureResult(Outcome.PASSED, Latency((7.0,)), toolchain=self.info())
