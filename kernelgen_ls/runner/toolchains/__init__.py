"""Tool chains: who answers a job. Each runs in a worker process, one job at a time, and may block or crash there."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Protocol, cast, runtime_checkable

from kernelgen_ls.runner.jobs.messages import (
    CheckRequest,
    CheckResult,
    MeasureRequest,
    MeasureResult,
    StageReport,
    ToolchainInfo,
    VerifyRequest,
    VerifyResult,
)

Cancelled = Callable[[], bool]
"""Polled by a tool chain between steps; once True the answer interests nobody."""

OnStage = Callable[[StageReport], None]

TOOLCHAINS = {
    "embedded": "kernelgen_ls.runner.toolchains.embedded.toolchain:EmbeddedToolchain",
    "cann": "kernelgen_ls.runner.toolchains.cann.toolchain:CannToolchain",
    "replay": "kernelgen_ls.runner.toolchains.replay.toolchain:ReplayToolchain",
    "record": "kernelgen_ls.runner.toolchains.replay.toolchain:RecordingToolchain",
}
"""The tool chains there are, by the name a runner's configuration uses."""


class Toolchain(Protocol):
    """What every tool chain can do. Its constructor takes no arguments and is cheap; the first job may be slower."""

    def check(self, request: CheckRequest, cancelled: Cancelled) -> CheckResult:
        """Findings on the request's entry file and what it includes. Never raises for anything in the sources."""
        ...


@runtime_checkable
class DescribedToolchain(Protocol):
    """One that knows its versions before the first job; what it says is part of every cache key."""

    def info(self) -> ToolchainInfo:
        """Who answers. Raises RuntimeError, with what to do, where this machine lacks what the tool chain needs."""
        ...


@runtime_checkable
class DeviceToolchain(Protocol):
    """One with a device, or a record of one."""

    def verify(self, request: VerifyRequest, cancelled: Cancelled, on_stage: OnStage) -> VerifyResult:
        """Compile, run every case, compare."""
        ...

    def measure(self, request: MeasureRequest, cancelled: Cancelled, on_stage: OnStage) -> MeasureResult:
        """Compile, verify where asked for, and measure one case, alone on its device."""
        ...


def load(target: str) -> Toolchain:
    """The tool chain at ``package.module:Class``; raises ImportError or AttributeError where it is not there."""
    module, _, name = target.partition(":")
    return cast(Toolchain, getattr(importlib.import_module(module), name)())
