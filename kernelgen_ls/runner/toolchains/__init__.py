"""Tool chains: who answers a job. Each runs in a worker process, one job at a time, and may block or crash there."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Protocol, cast

from kernelgen_ls.runner.messages import CheckRequest, CheckResult

Cancelled = Callable[[], bool]
"""Polled by a tool chain between steps; once True the answer interests nobody."""

TOOLCHAINS = {
    "embedded": "kernelgen_ls.runner.toolchains.embedded:EmbeddedToolchain",
}
"""The tool chains there are, by the name a runner's configuration uses."""


class Toolchain(Protocol):
    """What a tool chain can do. Its constructor takes no arguments and is cheap; the first job may be slower."""

    def check(self, request: CheckRequest, cancelled: Cancelled) -> CheckResult:
        """Findings on the request's entry file and what it includes. Never raises for anything in the sources."""
        ...


def load(target: str) -> Toolchain:
    """The tool chain at ``package.module:Class``; raises ImportError or AttributeError where it is not there."""
    module, _, name = target.partition(":")
    return cast(Toolchain, getattr(importlib.import_module(module), name)())
