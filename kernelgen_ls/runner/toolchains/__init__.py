"""Tool chains: who answers a job. Each runs in a worker process, one job at a time, and may block or crash there.

A tool chain is one row in ``TOOLCHAINS`` and a class with a handler for each kind of job that it answers.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar, cast

from attrs import frozen

from kernelgen_ls.runner.jobs.kinds import KINDS, kind_of
from kernelgen_ls.runner.jobs.messages import Job, JobResult, StageReport, ToolchainInfo

R = TypeVar("R", bound=JobResult)

Cancelled = Callable[[], bool]
"""Polled by a tool chain between steps; once True the answer interests nobody."""

OnStage = Callable[[StageReport], None]

Handler = Callable[[Any, Cancelled, OnStage], JobResult]
"""Answers one kind of job: its request in, its result out. Never raises for anything in the sources."""


def never() -> bool:
    """The ``Cancelled`` of a job that nobody cancels."""
    return False


def untold(report: StageReport) -> None:
    """The ``OnStage`` of a job whose stages nobody follows."""


class UnavailableError(RuntimeError):
    """This machine lacks what a tool chain needs; the message says what to do."""


class Toolchain(Protocol):
    """What every tool chain can do. Its constructor takes no arguments and is cheap; the first job may be slower."""

    def info(self) -> ToolchainInfo:
        """Who answers; part of every cache key. Raises :class:`UnavailableError`."""
        ...

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """Who answers which kind of job, by the kind's name."""
        ...


@frozen
class ToolchainRow:
    """A tool chain as a runner knows it before any process of it has started."""

    target: str
    """Its class: ``package.module:Class``."""
    kinds: tuple[str, ...] | None
    """The kinds of job that it handles; None: every kind there is."""
    confinable: bool = False
    """Whether it starts no programs and needs no file of the machine beside its own."""

    def handles(self, kind: str) -> bool:
        """Whether it answers a kind of job."""
        return kind in (KINDS if self.kinds is None else self.kinds)


_HERE = __name__

TOOLCHAINS = {
    "embedded": ToolchainRow(f"{_HERE}.embedded.toolchain:EmbeddedToolchain", ("check",), confinable=True),
    "cann": ToolchainRow(f"{_HERE}.cann.toolchain:CannToolchain", ("check", "verify", "measure")),
    "twin": ToolchainRow(f"{_HERE}.twin.toolchain:TwinToolchain", ("verify",)),
    "replay": ToolchainRow(f"{_HERE}.replay.toolchain:ReplayToolchain", None),
    "record": ToolchainRow(f"{_HERE}.replay.toolchain:RecordingToolchain", None),
}
"""The tool chains there are, by the name that a runner's configuration uses."""


def load(target: str) -> Toolchain:
    """The tool chain at ``package.module:Class``; raises ImportError or AttributeError where it is not there."""
    module, _, name = target.partition(":")
    return cast(Toolchain, getattr(importlib.import_module(module), name)())


def run(toolchain: Toolchain, job: Job[R], cancelled: Cancelled = never, on_stage: OnStage = untold) -> R:
    """A tool chain's answer to a job; raises KeyError where it does not handle its kind."""
    return cast(R, toolchain.handlers[kind_of(job).name](job, cancelled, on_stage))
