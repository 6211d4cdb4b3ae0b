"""``bench server``: what an editor feels of the whole server, over stdio: hovers idle, and while the model generates
and documents are saved and checked; ghost text beside a running generation; the server's own memory.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import statistics
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import attrs
import click
from attrs import frozen

from kernelgen_ls.bench.lsp_client import LspClient, LspError, running_server

KERNEL = Path(__file__).parent.parent / "demo" / "scale_shift.cpp"
GOAL_HOVER_P99_MS = 20.0
GOAL_MEMORY_MB = 100.0
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


@frozen
class Times:
    """Of many round trips, in ms."""

    count: int
    p50: float
    p99: float
    longest: float

    @classmethod
    def of(cls, values: list[float]) -> Times:
        """The distribution of ``values``; zeros for none."""
        if not values:
            return cls(0, 0.0, 0.0, 0.0)
        ordered = sorted(values)
        p99 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
        return cls(len(values), round(statistics.median(ordered), 2), round(p99, 2), round(ordered[-1], 2))


@frozen
class ServerReport:
    """The figures; memory in MB is the server process' alone, its children have their own."""

    model: str
    initialize_ms: float
    idle_hover: Times
    busy_hover: Times
    idle_ghost: Times
    busy_ghost: Times
    busy_stages: tuple[str, ...]
    """What the generation was seen doing while the busy figures were taken."""
    memory_mb: float
    peak_memory_mb: float


@click.command()
@click.option(
    "--model", type=click.Path(exists=True, path_type=Path), help="A GGUF file; default: the starter or a tiny one."
)
@click.option("--hovers", default=500, show_default=True, help="Hovers to time, idle and busy each.")
@click.option("--json", "output", type=click.Path(path_type=Path), help="Write the report there.")
def server(model: Path | None, hovers: int, output: Path | None) -> None:
    """Time hovers and ghost text, idle and while generating."""
    report = asyncio.run(_measure(model or default_model(), hovers))
    _show(report)
    if output is not None:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(json.dumps(attrs.asdict(report), indent=2) + "\n", encoding="utf-8")


def default_model() -> Path:
    """The starter where it ships, else a tiny random one."""
    from kernelgen_ls.bench.engine import random_model
    from kernelgen_ls.model.store import STARTER

    if STARTER.is_file():
        return STARTER
    return random_model("tiny", "q4_k_m", lambda at: click.echo(f"writing {at}", err=True))


async def _measure(model: Path, hovers: int) -> ServerReport:
    text = KERNEL.read_text("utf-8")
    async with running_server() as (client, workspace):
        started = time.perf_counter()
        options = {"model.path": str(model), "generation.candidates": 8, "completion.minimumDelay": 0}
        await client.initialize(workspace, options, _CAPABILITIES)
        initialize_ms = (time.perf_counter() - started) * 1000
        await until(lambda: _model(client).get("state") in ("ready", "slow", "failed", "off"), 600)
        if _model(client)["state"] not in ("ready", "slow"):
            raise click.ClickException(_model(client)["detail"])
        kernel = Editing(client, workspace / "kernel.cpp", text)
        specification = Editing(client, workspace / "op_kernel" / "add_custom.cpp", _SPECIFICATION)
        await until(lambda: any(one[0] == "textDocument/publishDiagnostics" for one in client.notifications), 60)
        idle_hover = await _times(lambda: kernel.hover("Muls"), hovers)
        idle_ghost = await _times(kernel.ghost, 20)
        stages: set[str] = set()
        async with _generating(client, specification, stages), _saving(kernel):
            await until(lambda: client_status(client).get("generation") is not None, 120)
            busy_hover = await _times(lambda: kernel.hover("Muls"), hovers)
            busy_ghost = await _times(kernel.ghost, 20)
        return ServerReport(
            model=_model(client)["name"],
            initialize_ms=round(initialize_ms, 1),
            idle_hover=idle_hover,
            busy_hover=busy_hover,
            idle_ghost=idle_ghost,
            busy_ghost=busy_ghost,
            busy_stages=tuple(sorted(stages)),
            memory_mb=memory_mb(client.pid, "VmRSS"),
            peak_memory_mb=memory_mb(client.pid, "VmHWM"),
        )


class Editing:
    """One document in the editor of the benchmark."""

    def __init__(self, client: LspClient, path: Path, text: str) -> None:
        self.client = client
        self.uri = path.as_uri()
        self.text = text
        self.version = 1
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        client.notify(
            "textDocument/didOpen",
            {"textDocument": {"uri": self.uri, "languageId": "cpp", "version": 1, "text": text}},
        )

    def place(self, word: str) -> dict[str, int]:
        """Where a word first stands (the text is ASCII: columns are the same in every encoding)."""
        before = self.text[: self.text.index(word)]
        return {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}

    async def hover(self, word: str) -> None:
        """Hover a word."""
        await self.client.request(
            "textDocument/hover", {"textDocument": {"uri": self.uri}, "position": self.place(word)}
        )

    async def ghost(self) -> None:
        """Type a character in a new place and ask for ghost text there."""
        line = self.place("outQueueY.EnQue")["line"]
        at = {"line": line, "character": 8}
        typed = "abcdefghijklmnopqrstuvwxyz"[self.version % 26]
        self.edit({"start": at, "end": at}, typed)
        position = {"line": line, "character": 9}
        await self.client.request(
            "textDocument/inlineCompletion",
            {"textDocument": {"uri": self.uri}, "position": position, "context": {"triggerKind": 2}},
        )
        self.edit({"start": at, "end": position}, "")

    def edit(self, span: dict[str, Any], text: str) -> None:
        """Send one change."""
        self.version += 1
        self.client.notify(
            "textDocument/didChange",
            {
                "textDocument": {"uri": self.uri, "version": self.version},
                "contentChanges": [{"range": span, "text": text}],
            },
        )

    def save(self) -> None:
        """Send a save."""
        self.client.notify("textDocument/didSave", {"textDocument": {"uri": self.uri}})


@contextlib.asynccontextmanager
async def _generating(client: LspClient, document: Editing, stages: set[str]) -> Any:
    """A generation that is started again whenever it ends."""

    async def run() -> None:
        while True:
            with contextlib.suppress(LspError):
                await client.request(
                    "workspace/executeCommand",
                    {
                        "command": "kernelgen.generateKernel",
                        "arguments": [document.uri, {"line": 0, "character": 0}],
                    },
                )

    async def watch() -> None:
        while True:
            stages.add((client_status(client).get("generation") or {}).get("stage", "between two"))
            await asyncio.sleep(0.05)

    async with _beside(run(), watch()):
        yield


@contextlib.asynccontextmanager
async def _saving(document: Editing) -> Any:
    """A save, and so a check, every half second."""

    async def run() -> None:
        while True:
            document.save()
            await asyncio.sleep(0.5)

    async with _beside(run()):
        yield


@contextlib.asynccontextmanager
async def _beside(*work: Any) -> Any:
    tasks = [asyncio.ensure_future(one) for one in work]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _times(once: Callable[[], Awaitable[None]], count: int) -> Times:
    values = []
    for _ in range(count):
        started = time.perf_counter()
        await once()
        values.append((time.perf_counter() - started) * 1000)
        await asyncio.sleep(0.002)
    return Times.of(values)


def client_status(client: LspClient) -> dict[str, Any]:
    """The latest status that the server sent."""
    for method, params in reversed(client.notifications):
        if method == "kernelgen/status":
            found: dict[str, Any] = params
            return found
    return {}


def _model(client: LspClient) -> dict[str, Any]:
    found: dict[str, Any] = client_status(client).get("model") or {}
    return found


async def until(condition: Callable[[], bool], seconds: float) -> None:
    """Wait for the server to say something; raises ``TimeoutError``."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"the server did not get there within {seconds:.0f} s")
        await asyncio.sleep(0.02)


def memory_mb(pid: int, field: str) -> float:
    """A process' memory from the kernel's own account (Linux); 0 elsewhere."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    sizes = [int(line.split()[1]) for line in lines if line.startswith(field + ":")]
    return round(sizes[0] / 1024, 1) if sizes else 0.0


def _show(report: ServerReport) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(title=f"server over stdio, model {report.model}")
    for name in ("ms", "count", "p50", "p99", "longest", "goal"):
        table.add_column(name, justify="left" if name == "ms" else "right")
    rows = (
        ("hover, idle", report.idle_hover, ""),
        ("hover, generating and checking", report.busy_hover, f"p99 < {GOAL_HOVER_P99_MS:.0f}"),
        ("ghost text, idle", report.idle_ghost, ""),
        ("ghost text, generating and checking", report.busy_ghost, ""),
    )
    for name, times, goal in rows:
        table.add_row(name, str(times.count), f"{times.p50:.2f}", f"{times.p99:.2f}", f"{times.longest:.2f}", goal)
    console = Console()
    console.print(table)
    console.print(
        f"initialize {report.initialize_ms:.0f} ms after exec (goal < 1000); server process {report.memory_mb:.0f} MB, "
        f"at most {report.peak_memory_mb:.0f} MB (goal < {GOAL_MEMORY_MB:.0f}); "
        f"meanwhile the model was: {', '.join(report.busy_stages)}"
    )
