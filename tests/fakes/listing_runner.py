"""A runner, reached as by ssh, that answers nothing and writes down what it was sent: ``listing_runner.py LOG``.

One JSON line a job: its kind, entry, chip, and every file's path and text.
"""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kernelgen_ls.rpc import serve_stdio
from kernelgen_ls.runner.jobs.config import RunnerConfig
from kernelgen_ls.runner.jobs.kinds import kind_of
from kernelgen_ls.runner.jobs.messages import CheckRequest, CheckResult, Job, JobResult, Outcome, ToolchainInfo
from kernelgen_ls.runner.server.service import RunnerService
from kernelgen_ls.runner.toolchains import TOOLCHAINS, Cancelled, Handler, OnStage, ToolchainRow

LOG = "KERNELGEN_LISTING_LOG"
WHO = ToolchainInfo("listing", soc="Ascend910B1")


class Listing:
    """Looks into nothing; every job is written down."""

    @property
    def handlers(self) -> Mapping[str, Handler]:
        return {"check": self.answer, "verify": self.answer, "measure": self.answer}

    def info(self) -> ToolchainInfo:
        return WHO

    def answer(self, request: Job[Any], cancelled: Cancelled, on_stage: OnStage) -> JobResult:
        kind, files = kind_of(request), {file.path: file.text for file in request.files}
        with Path(os.environ[LOG]).open("a", encoding="utf-8") as log:
            log.write(
                json.dumps({"kind": kind.name, "entry": request.entry, "chip": request.chip, "files": files}) + "\n"
            )
        if isinstance(request, CheckRequest):
            return CheckResult(Outcome.PASSED, toolchain=WHO, covered=False)
        failed: JobResult = kind.failed(Outcome.RUNTIME_ERROR, "nothing runs here", WHO)
        return failed


def stand_in_ssh(folder: Path, log: Path) -> dict[str, str]:
    """An ``ssh`` that reaches such a runner; returns the environment in which it is found."""
    folder.mkdir(parents=True)
    script = folder / "ssh"
    command = shlex.join([sys.executable, "-m", "tests.fakes.listing_runner", str(log)])
    script.write_text(f"#!/bin/sh\nPYTHONPATH={shlex.quote(str(Path(__file__).parents[2]))} exec {command}\n")
    script.chmod(0o755)
    return {"PATH": f"{folder}:{os.environ['PATH']}"}


def main() -> None:
    os.environ[LOG] = sys.argv[1]
    TOOLCHAINS["listing"] = ToolchainRow("tests.fakes.listing_runner:Listing", None)
    service = RunnerService(RunnerConfig(toolchain="listing"))
    asyncio.run(serve_stdio(service.handlers()))


if __name__ == "__main__":
    main()
