"""Record what a real runner answers, and answer from the record where there is none: tests and demonstrations.

A record is a folder of JSON files, one a job, named by what the job is. A replayed latency says that it is replayed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from attrs import evolve

from kernelgen_ls.folders import write_text
from kernelgen_ls.rpc.wire import from_wire, to_wire
from kernelgen_ls.runner.jobs.config import RunnerConfig, worker_config
from kernelgen_ls.runner.jobs.kinds import KINDS, kind_of
from kernelgen_ls.runner.jobs.messages import Job, JobResult, Outcome, StageReport, ToolchainInfo
from kernelgen_ls.runner.jobs.request_files import content_key, text_hash
from kernelgen_ls.runner.toolchains import Cancelled, Handler, OnStage, Toolchain, UnavailableError, never, run, untold
from kernelgen_ls.runner.toolchains.cann.toolchain import CannToolchain

R = TypeVar("R", bound=JobResult)

_INFO = "toolchain.json"


def record_name(job: Job[Any]) -> str:
    """The file of a job's answer: the same for the same sources and options, whatever document they are of."""
    kind = kind_of(job).name
    files = sorted((evolve(f, sha256=text_hash(f.text or "")) for f in job.files), key=lambda file: file.path)
    return f"{kind}-{content_key(kind, files, *job.profile)}.json"


class ReplayToolchain:
    """Answers every kind of job from a record; a job that is not in it is an INFRA_ERROR that says so."""

    def __init__(self, config: RunnerConfig | None = None) -> None:
        folder = (config or worker_config()).record
        if folder is None:
            raise ValueError("the replay tool chain wants a record: --record FOLDER")
        self._folder = folder

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """Every kind of job that there is."""
        return dict.fromkeys(KINDS, self.run)

    def info(self) -> ToolchainInfo:
        """Who was recorded, under the name ``replay``."""
        try:
            recorded = from_wire(json.loads((self._folder / _INFO).read_text(encoding="utf-8")), ToolchainInfo)
        except (OSError, ValueError) as problem:
            raise UnavailableError(f"{self._folder} is no record of a runner: {problem}") from problem
        return evolve(recorded, name="replay", limits=f"Replayed from a record. {recorded.limits}".strip())

    def run(self, job: Job[R], cancelled: Cancelled = never, on_stage: OnStage = untold) -> R:
        """The recorded answer, with what was true only when it was taken marked as replayed."""
        kind = kind_of(job)
        on_stage(StageReport(kind.stage, detail="from the record"))
        try:
            plain = json.loads((self._folder / record_name(job)).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            message = "this text is not in the runner's record; only what was recorded can be replayed"
            return kind.failed(Outcome.INFRA_ERROR, f"{job.entry}: {message}", ToolchainInfo("replay"))
        return evolve(from_wire(plain, kind.result).replayed(), toolchain=self.info())


class RecordingToolchain:
    """Another tool chain, CANN's unless told, with every verdict kept in a record."""

    def __init__(self, config: RunnerConfig | None = None, recorded: Toolchain | None = None) -> None:
        config = config or worker_config()
        if config.record is None:
            raise ValueError("the record tool chain wants a folder: --record FOLDER")
        self._folder: Path = config.record
        self._recorded: Toolchain = recorded or CannToolchain(config)

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """Those of the other tool chain."""
        return dict.fromkeys(self._recorded.handlers, self.run)

    def info(self) -> ToolchainInfo:
        """The other tool chain's own, recorded."""
        info = self._recorded.info()
        self._write(_INFO, info)
        return info

    def run(self, job: Job[R], cancelled: Cancelled = never, on_stage: OnStage = untold) -> R:
        """Answer and record; what is no verdict on the sources is not worth giving again."""
        result = run(self._recorded, job, cancelled, on_stage)
        if result.outcome.is_verdict:
            self._write(record_name(job), result)
        return result

    def _write(self, name: str, message: object) -> None:
        text = json.dumps(to_wire(message), ensure_ascii=False, indent=1, sort_keys=True)
        write_text(self._folder / name, text + "\n", durable=False)
