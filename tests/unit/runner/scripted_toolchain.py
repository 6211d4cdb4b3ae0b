"""A tool chain that does what the first line of the entry file says, in the real worker process."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from kernelgen_ls.kernel.findings import Finding, FoundBy, Location, Position, Range, Severity
from kernelgen_ls.runner.jobs.messages import CheckRequest, CheckResult, Outcome, ToolchainInfo
from kernelgen_ls.runner.toolchains import TOOLCHAINS, Cancelled, Handler, OnStage, ToolchainRow


class Scripted:
    """``pass``, ``error TEXT``, ``hang`` (obeys), ``stuck`` (does not), ``die``, ``raise``, ``pid``, ``count PATH``."""

    @property
    def handlers(self) -> Mapping[str, Handler]:
        return {"check": self.check}

    def info(self) -> ToolchainInfo:
        return ToolchainInfo("scripted", "1")

    def check(self, request: CheckRequest, cancelled: Cancelled, on_stage: OnStage) -> CheckResult:
        texts = {f.path: f.text or "" for f in request.files}
        verb, _, rest = texts[request.entry].split("\n", 1)[0].partition(" ")
        if verb == "die":
            sys.stderr.write("last words\n")
            sys.stderr.flush()
            os._exit(7)
        if verb == "raise":
            raise ValueError("a defect of the tool chain")
        if verb == "stuck":
            time.sleep(3600)
        while verb == "hang" and not cancelled():
            time.sleep(0.005)
        if verb == "count":
            with Path(rest).open("a") as log:
                log.write("run\n")
        message = str(os.getpid()) if verb == "pid" else rest
        start = Position(0, 0)
        finding = Finding(Location(request.entry, Range(start, start)), Severity.ERROR, message, FoundBy.EMBEDDED)
        failed = verb in ("error", "pid")
        outcome = Outcome.COMPILE_ERROR if failed else Outcome.PASSED
        return CheckResult(outcome, (finding,) if failed else (), toolchain=self.info())


TOOLCHAINS["scripted"] = ToolchainRow("scripted_toolchain:Scripted", ("check",))
