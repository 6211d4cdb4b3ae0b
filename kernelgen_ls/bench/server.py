"""``bench server``: what an editor feels of the whole server, over stdio.

Its start; hovers and ghost text, idle and while the model generates and documents are saved and checked; how often a
generation reports its progress; how fast a cancel is answered; the server's own memory. The model of ``--shape`` has
random weights and the speed of a real one: on it, cancels meet a prompt that takes seconds to read.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import attrs
import click
from attrs import define, field, frozen

from kernelgen_ls.bench.cancelling import EngineCancels, engine_cancels, server_cancels
from kernelgen_ls.bench.editing import (
    KERNEL,
    Editing,
    beside,
    default_model,
    generation_stage,
    model_ready,
    model_status,
    until,
)
from kernelgen_ls.bench.processes import memory_mb
from kernelgen_ls.bench.times import Times, times_of
from kernelgen_ls.folders import write_json
from kernelgen_ls.testing.lsp_client import LspClient, running_server

GOAL_HOVER_P99_MS = 20.0
GOAL_MEMORY_MB = 100.0
GOAL_INITIALIZE_MS = 1000.0
GOAL_CANCEL_MS = 100.0
GOAL_REPORTS = 2.0
_SPECIFICATION = """// op: AddCustom
// formula: z = x + y
// in x: float16 [131072]
// in y: float16 [131072]
// out z: float16 [131072]
"""
_CAPABILITIES = {
    "general": {"positionEncodings": ["utf-8"]},
    "workspace": {"configuration": True},
    "textDocument": {"inlineCompletion": {}, "hover": {"contentFormat": ["markdown"]}},
    "experimental": {"kernelgenStatus": True},
}
_STAGES_OF_WRITING = ("reasoning", "writing")


@frozen
class Reports:
    """Progress reports of running generations: how many a second, and the longest silence, in ms."""

    seconds: float
    per_second: float
    longest_gap_ms: float


@frozen
class ServerReport:
    """The figures; memory in MB is the server process' alone, its children have their own."""

    model: str
    initialize: Times
    """ms from the process' start to the answer of ``initialize``, of fresh processes."""
    idle_hover: Times
    busy_hover: Times
    idle_ghost: Times
    busy_ghost: Times
    ghost_answered: float
    """Share of the requests for ghost text that had an answer."""
    busy_stages: tuple[str, ...]
    """What the generation was seen doing while the busy figures were taken."""
    reports: Reports
    cancel_writing: Times
    memory_mb: float
    peak_memory_mb: float


@frozen
class ReadingReport:
    """The figures on a model that reads slowly: cancels while it reads, its progress, the engine's own part."""

    model: str
    cancel_reading: Times
    cancel_writing: Times
    reports: Reports
    memory_mb: float
    engine_reading: EngineCancels
    engine_writing: EngineCancels


@click.command()
@click.option(
    "--model", type=click.Path(exists=True, path_type=Path), help="A GGUF file; default: the starter or a tiny one."
)
@click.option("--shape", default="0.6b", show_default=True, help="Shape of the random model for cancels; 'none': skip.")
@click.option("--hovers", default=500, show_default=True, help="Hovers to time, idle and busy each.")
@click.option("--ghosts", default=50, show_default=True, help="Requests for ghost text, idle and busy each.")
@click.option("--cancels", default=20, show_default=True, help="Generations to cancel in each stage.")
@click.option("--starts", default=5, show_default=True, help="Fresh processes to time.")
@click.option("--json", "output", type=click.Path(path_type=Path), help="Write the report there.")
def server(
    model: Path | None, shape: str, hovers: int, ghosts: int, cancels: int, starts: int, output: Path | None
) -> None:
    """Time the start, hovers, ghost text, progress and cancels, idle and while generating."""
    report = asyncio.run(_measure(model or default_model(), hovers, ghosts, cancels, starts))
    _show(report)
    reading = asyncio.run(_measure_reading(_random(shape), cancels)) if shape != "none" else None
    if reading is not None:
        _show_reading(reading)
    if output is not None:
        found = {**attrs.asdict(report), "slow_model": attrs.asdict(reading) if reading else None}
        write_json(output, found)


def _random(shape: str) -> Path:
    from kernelgen_ls.bench.engine import random_model

    return random_model(shape, "q4_k_m", lambda at: click.echo(f"writing {at}", err=True))


async def _measure(model: Path, hovers: int, ghosts: int, cancels: int, starts: int) -> ServerReport:
    initialize = [await _start(model) for _ in range(starts)]
    async with running_server() as (client, workspace):
        options = {
            "model.path": str(model),
            "generation.candidates": 8,
            "generation.writer": "model",
            "completion.minimumDelay": 0,
        }
        await client.initialize(workspace, options, _CAPABILITIES)
        await model_ready(client)
        kernel = Editing(client, workspace / "kernel.cpp", KERNEL.read_text("utf-8"))
        specification = Editing(client, workspace / "op_kernel" / "add_custom.cpp", _SPECIFICATION)
        await until(lambda: any(one[0] == "textDocument/publishDiagnostics" for one in client.notifications), 60)
        idle_hover = await times_of(lambda: kernel.hover("Muls"), hovers)
        idle_ghost = await times_of(kernel.ghost, ghosts)
        stages: set[str] = set()
        async with _generating(client, specification, stages) as heard, _saving(kernel):
            await until(lambda: bool(generation_stage(client)), 120)
            busy_hover = await times_of(lambda: kernel.hover("Muls"), hovers)
            busy_ghost = await times_of(kernel.ghost, ghosts)
        await until(lambda: not generation_stage(client), 60)
        cancel_writing = await server_cancels(client, specification, _STAGES_OF_WRITING, cancels)
        return ServerReport(
            model=model_status(client)["name"],
            initialize=Times.of(initialize),
            idle_hover=idle_hover,
            busy_hover=busy_hover,
            idle_ghost=idle_ghost,
            busy_ghost=busy_ghost,
            ghost_answered=round(kernel.answered / max(kernel.asked, 1), 3),
            busy_stages=tuple(sorted(stages)),
            reports=heard.reports(),
            cancel_writing=cancel_writing,
            memory_mb=memory_mb(client.pid, "VmRSS"),
            peak_memory_mb=memory_mb(client.pid, "VmHWM"),
        )


async def _measure_reading(model: Path, cancels: int) -> ReadingReport:
    async with running_server() as (client, workspace):
        options = {
            "model.path": str(model),
            "generation.profile": "zh",
            "generation.writer": "model",
            "completion.enabled": False,
        }
        await client.initialize(workspace, options, _CAPABILITIES)
        await model_ready(client)
        document = Editing(client, workspace / "op_kernel" / "add_custom.cpp", _SPECIFICATION)
        cancel_reading = await server_cancels(client, document, ("reading",), cancels)
        heard = Heard.listening(client)
        identifier, answer = document.generate("heard")
        await until(lambda: generation_stage(client) in _STAGES_OF_WRITING, 600)
        await asyncio.sleep(3)
        client.cancel(identifier)
        await asyncio.gather(answer, return_exceptions=True)
        await until(lambda: not generation_stage(client), 60)
        client.on_notification = None
        # The state of what all prompts begin with is kept now: a later generation reads its own thousand tokens only.
        cancel_writing = await server_cancels(client, document, _STAGES_OF_WRITING, max(cancels // 4, 1))
        memory = memory_mb(client.pid, "VmRSS")
        name = model_status(client)["name"]
    reading, writing = await engine_cancels(model, cancels)
    return ReadingReport(name, cancel_reading, cancel_writing, heard.reports(), memory, reading, writing)


async def _start(model: Path) -> float:
    """A fresh server: ms until ``initialize`` is answered, the process' start included."""
    with tempfile.TemporaryFile("w+") as log:
        started = time.perf_counter()
        async with running_server(log=log) as (client, workspace):
            await client.initialize(workspace, {"model.path": str(model)}, _CAPABILITIES)
            return (time.perf_counter() - started) * 1000


@define
class Heard:
    """When progress was reported, by token; a generation's own begin and end are its limits."""

    moments: dict[str, list[float]] = field(factory=dict)

    @classmethod
    def listening(cls, client: LspClient) -> Heard:
        """One that listens from now on."""
        heard = cls()
        client.on_notification = heard.take
        return heard

    def take(self, method: str, params: Any) -> None:
        """A notification arrived."""
        if method == "$/progress":
            self.moments.setdefault(str(params["token"]), []).append(time.perf_counter())

    def reports(self) -> Reports:
        """The rate and the longest silence over all generations that were heard."""
        spans = [moments[-1] - moments[0] for moments in self.moments.values()]
        gaps = [after - before for moments in self.moments.values() for before, after in itertools.pairwise(moments)]
        count, seconds = sum(len(moments) - 1 for moments in self.moments.values()), sum(spans)
        rate = count / seconds if seconds else 0.0
        return Reports(round(seconds, 1), round(rate, 1), round(max(gaps, default=0.0) * 1000, 1))


@contextlib.asynccontextmanager
async def _generating(client: LspClient, document: Editing, stages: set[str]) -> AsyncIterator[Heard]:
    """A generation that is started again whenever it ends; the last one is cancelled."""
    heard = Heard.listening(client)

    async def run() -> None:
        number = 0
        while True:
            number += 1
            identifier, answer = document.generate(f"generation-{number}")
            try:
                await asyncio.wait({answer})
            finally:
                client.cancel(identifier)
                await asyncio.gather(answer, return_exceptions=True)

    async def watch() -> None:
        while True:
            stages.add(generation_stage(client) or "between two")
            await asyncio.sleep(0.05)

    try:
        async with beside(run(), watch()):
            yield heard
    finally:
        client.on_notification = None


@contextlib.asynccontextmanager
async def _saving(document: Editing) -> AsyncIterator[None]:
    """A save, and so a check, every half second."""

    async def run() -> None:
        while True:
            document.save()
            await asyncio.sleep(0.5)

    async with beside(run()):
        yield


def _show(report: ServerReport) -> None:
    from rich.console import Console

    rows = (
        ("initialize, from the process' start", report.initialize, f"< {GOAL_INITIALIZE_MS:.0f}"),
        ("hover, idle", report.idle_hover, ""),
        ("hover, generating and checking", report.busy_hover, f"p99 < {GOAL_HOVER_P99_MS:.0f}"),
        ("ghost text, idle", report.idle_ghost, ""),
        ("ghost text, generating and checking", report.busy_ghost, ""),
        ("cancel while writing", report.cancel_writing, f"< {GOAL_CANCEL_MS:.0f}"),
    )
    _table(f"server over stdio, model {report.model}", rows)
    Console().print(
        f"{_reports(report.reports)}; {report.ghost_answered:.0%} of the requests for ghost text had an answer; "
        f"server process {report.memory_mb:.0f} MB, at most "
        f"{report.peak_memory_mb:.0f} MB (goal < {GOAL_MEMORY_MB:.0f}); meanwhile the model was: "
        f"{', '.join(report.busy_stages)}"
    )


def _show_reading(report: ReadingReport) -> None:
    from rich.console import Console

    reading, writing = report.engine_reading, report.engine_writing
    rows = (
        ("cancel while reading the prompt", report.cancel_reading, f"< {GOAL_CANCEL_MS:.0f}"),
        ("cancel while writing", report.cancel_writing, f"< {GOAL_CANCEL_MS:.0f}"),
        ("engine: another's first token, idle", reading.undisturbed, ""),
        ("engine: the same after a cancel while reading", reading.answered, ""),
        ("engine: the same after a cancel while writing", writing.answered, ""),
    )
    _table(f"cancels, model {report.model} (random weights)", rows)
    Console().print(
        f"{_reports(report.reports)}; evaluated after the cancel at most {reading.evaluated} tokens of a prompt, "
        f"{writing.evaluated} of an answer; server process {report.memory_mb:.0f} MB"
    )


def _reports(reports: Reports) -> str:
    return (
        f"progress {reports.per_second:.1f} times a second over {reports.seconds:.0f} s (goal >= {GOAL_REPORTS:.0f}), "
        f"longest silence {reports.longest_gap_ms:.0f} ms"
    )


def _table(title: str, rows: tuple[tuple[str, Times, str], ...]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title)
    for name in ("ms", "count", "p50", "p99", "longest", "goal"):
        table.add_column(name, justify="left" if name == "ms" else "right")
    for name, times, goal in rows:
        table.add_row(name, str(times.count), f"{times.p50:.2f}", f"{times.p99:.2f}", f"{times.longest:.2f}", goal)
    Console().print(table)
