"""Record what a real runner answers, and answer from the record where there is none: tests and demonstrations.

A record is a folder of JSON files, one a job, named by what the job is. A replayed latency says that it is replayed.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypeVar

from attrs import evolve

from kernelgen_ls.folders import write_text
from kernelgen_ls.rpc.wire import from_wire, to_wire
from kernelgen_ls.runner.jobs.config import RunnerConfig, worker_config
from kernelgen_ls.runner.jobs.kinds import profile_of
from kernelgen_ls.runner.jobs.messages import (
    CheckRequest,
    CheckResult,
    Job,
    JobResult,
    JobStage,
    LatencyKind,
    MeasureRequest,
    MeasureResult,
    Outcome,
    StageReport,
    ToolchainInfo,
    VerifyRequest,
    VerifyResult,
)
from kernelgen_ls.runner.jobs.tree import text_hash
from kernelgen_ls.runner.server.cache import cache_key
from kernelgen_ls.runner.toolchains import Cancelled, OnStage
from kernelgen_ls.runner.toolchains.cann.toolchain import CannToolchain

R = TypeVar("R", bound=JobResult)

_INFO = "toolchain.json"


def record_name(kind: str, job: Job) -> str:
    """The file of a job's answer: the same for the same sources and options, whatever document they are of."""
    files = sorted((evolve(f, sha256=text_hash(f.text or "")) for f in job.files), key=lambda file: file.path)
    return f"{kind}-{cache_key(kind, files, *profile_of(job))}.json"


class ReplayToolchain:
    """Answers from a record; a job that is not in it is an INFRA_ERROR that says so."""

    def __init__(self, config: RunnerConfig | None = None) -> None:
        folder = (config or worker_config()).record
        if folder is None:
            raise ValueError("the replay tool chain wants a record: --record FOLDER")
        self._folder = folder

    def info(self) -> ToolchainInfo:
        """Who was recorded, under the name ``replay``."""
        try:
            recorded = from_wire(json.loads((self._folder / _INFO).read_text(encoding="utf-8")), ToolchainInfo)
        except (OSError, ValueError) as problem:
            raise RuntimeError(f"{self._folder} is no record of a runner: {problem}") from problem
        return evolve(recorded, name="replay", limits=f"Replayed from a record. {recorded.limits}".strip())

    def check(self, request: CheckRequest, cancelled: Cancelled) -> CheckResult:
        """The recorded findings."""
        return self._answer("check", request, CheckResult(Outcome.INFRA_ERROR, message=_NOT_RECORDED))

    def verify(self, request: VerifyRequest, cancelled: Cancelled, on_stage: OnStage) -> VerifyResult:
        """The recorded verification."""
        on_stage(StageReport(JobStage.VERIFYING, detail="from the record"))
        return self._answer("verify", request, VerifyResult(Outcome.INFRA_ERROR, message=_NOT_RECORDED))

    def measure(self, request: MeasureRequest, cancelled: Cancelled, on_stage: OnStage) -> MeasureResult:
        """The recorded latency, marked as replayed; a simulated one stays that, which is no measurement either."""
        on_stage(StageReport(JobStage.MEASURING, detail="from the record"))
        result = self._answer("measure", request, MeasureResult(Outcome.INFRA_ERROR, message=_NOT_RECORDED))
        if result.latency is None or result.latency.kind is LatencyKind.SIMULATED:
            return result
        return evolve(result, latency=evolve(result.latency, kind=LatencyKind.REPLAYED))

    def _answer(self, kind: str, request: Job, absent: R) -> R:
        try:
            plain = json.loads((self._folder / record_name(kind, request)).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return evolve(absent, message=f"{request.entry}: {absent.message}")
        return evolve(from_wire(plain, type(absent)), toolchain=self.info())


_NOT_RECORDED = "this text is not in the runner's record; only what was recorded can be replayed"


class RecordingToolchain:
    """The CANN tool chain, with every answer kept in a record."""

    def __init__(self, config: RunnerConfig | None = None) -> None:
        config = config or worker_config()
        if config.record is None:
            raise ValueError("the record tool chain wants a folder: --record FOLDER")
        self._folder: Path = config.record
        self._cann = CannToolchain(config)

    def info(self) -> ToolchainInfo:
        """CANN's own, recorded."""
        info = self._cann.info()
        self._write(_INFO, info)
        return info

    def check(self, request: CheckRequest, cancelled: Cancelled) -> CheckResult:
        """Check and record."""
        return self._kept("check", request, self._cann.check(request, cancelled))

    def verify(self, request: VerifyRequest, cancelled: Cancelled, on_stage: OnStage) -> VerifyResult:
        """Verify and record."""
        return self._kept("verify", request, self._cann.verify(request, cancelled, on_stage))

    def measure(self, request: MeasureRequest, cancelled: Cancelled, on_stage: OnStage) -> MeasureResult:
        """Measure and record."""
        return self._kept("measure", request, self._cann.measure(request, cancelled, on_stage))

    def _kept(self, kind: str, request: Job, result: R) -> R:
        if result.outcome not in (Outcome.CANCELLED, Outcome.INFRA_ERROR):
            self._write(record_name(kind, request), result)
        return result

    def _write(self, name: str, message: object) -> None:
        text = json.dumps(to_wire(message), ensure_ascii=False, indent=1, sort_keys=True)
        write_text(self._folder / name, text + "\n", durable=False)
