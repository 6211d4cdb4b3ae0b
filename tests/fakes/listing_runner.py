"""A runner, reached as by ssh, that answers nothing and writes down what it was sent: ``listing_runner.py LOG``.

One JSON line a job: its kind, entry, chip, and every file's path and text.
"""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import sys
from pathlib import Path

from kernelgen_ls.rpc import serve_stdio
from kernelgen_ls.runner.jobs.config import RunnerConfig
from kernelgen_ls.runner.jobs.messages import (
    CheckRequest,
    CheckResult,
    Job,
    MeasureRequest,
    MeasureResult,
    Outcome,
    ToolchainInfo,
    VerifyRequest,
    VerifyResult,
)
from kernelgen_ls.runner.server.service import RunnerService
from kernelgen_ls.runner.toolchains import Cancelled, OnStage

LOG = "KERNELGEN_LISTING_LOG"
WHO = ToolchainInfo("listing", soc="Ascend910B1")


class Listing:
    """Looks into nothing; every job is written down."""

    def info(self) -> ToolchainInfo:
        return WHO

    def check(self, request: CheckRequest, cancelled: Cancelled) -> CheckResult:
        _write("check", request)
        return CheckResult(Outcome.PASSED, toolchain=WHO, covered=False)

    def verify(self, request: VerifyRequest, cancelled: Cancelled, on_stage: OnStage) -> VerifyResult:
        _write("verify", request)
        return VerifyResult(Outcome.PASSED, toolchain=WHO)

    def measure(self, request: MeasureRequest, cancelled: Cancelled, on_stage: OnStage) -> MeasureResult:
        _write("measure", request)
        return MeasureResult(Outcome.RUNTIME_ERROR, toolchain=WHO, message="nothing runs here")


def stand_in_ssh(folder: Path, log: Path) -> dict[str, str]:
    """An ``ssh`` that reaches such a runner; returns the environment in which it is found."""
    folder.mkdir(parents=True)
    script = folder / "ssh"
    command = shlex.join([sys.executable, "-m", "tests.fakes.listing_runner", str(log)])
    script.write_text(f"#!/bin/sh\nPYTHONPATH={shlex.quote(str(Path(__file__).parents[2]))} exec {command}\n")
    script.chmod(0o755)
    return {"PATH": f"{folder}:{os.environ['PATH']}"}


def _write(kind: str, job: Job) -> None:
    files = {file.path: file.text for file in job.files}
    with Path(os.environ[LOG]).open("a", encoding="utf-8") as log:
        log.write(json.dumps({"kind": kind, "entry": job.entry, "chip": job.chip, "files": files}) + "\n")


def main() -> None:
    os.environ[LOG] = sys.argv[1]
    service = RunnerService(RunnerConfig(), target="tests.fakes.listing_runner:Listing")
    asyncio.run(serve_stdio(service.handlers()))


if __name__ == "__main__":
    main()
