"""``bench soak``: thousands of edits with requests between them, some cancelled, the worker killed twice.

Looked for: a range that is not where the cursor is, an answer for a text that is no longer there, an exception in the
log, memory that grows.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import signal
import tempfile
from pathlib import Path
from typing import Any, TextIO

import attrs
import click
from attrs import define, frozen

from kernelgen_ls.bench.editing import KERNEL, Editing, client_status, default_model, until
from kernelgen_ls.bench.processes import memory_mb
from kernelgen_ls.folders import write_json
from kernelgen_ls.testing.lsp_client import LspClient, LspError, running_server

_CAPABILITIES = {
    "general": {"positionEncodings": ["utf-16"]},
    "workspace": {"configuration": True},
    "textDocument": {"inlineCompletion": {}},
    "experimental": {"kernelgenStatus": True},
}
GOAL_MEMORY_MB = 100.0
_REQUEST_EVERY = 4
_FIRST_MEMORY_SHARE = 4
"""Memory is compared with what it was after this fraction of the edits: caches have filled by then."""


@frozen
class SoakReport:
    """What happened. ``wrong`` lists what must not; memory in MB is the server's, after a quarter and at the end."""

    edits: int
    requests: int
    answered: int
    cancelled: int
    kills: int
    wrong: tuple[str, ...]
    early_mb: float
    end_mb: float

    @property
    def right(self) -> bool:
        """Whether nothing went wrong and memory stayed flat (within 8 MB) and below its goal."""
        return not self.wrong and self.end_mb - self.early_mb < 8.0 and self.end_mb < GOAL_MEMORY_MB


@click.command()
@click.option(
    "--model", type=click.Path(exists=True, path_type=Path), help="A GGUF file; default: the starter or a tiny one."
)
@click.option("--edits", default=2000, show_default=True)
@click.option("--cancels", default=100, show_default=True, help="Requests to cancel.")
@click.option("--kills", default=2, show_default=True, help="Times the model's worker is killed.")
@click.option("--seed", default=1, show_default=True)
@click.option("--json", "output", type=click.Path(path_type=Path), help="Write the report there.")
def soak(model: Path | None, edits: int, cancels: int, kills: int, seed: int, output: Path | None) -> None:
    """Edit, ask, cancel and kill; the exit status is 1 when something went wrong."""
    report = asyncio.run(run(model or default_model(), edits, cancels, kills, seed))
    click.echo(
        f"{report.edits} edits, {report.requests} requests, {report.answered} texts, {report.cancelled} cancelled, "
        f"{report.kills} kills; server {report.early_mb:.1f} -> {report.end_mb:.1f} MB; {len(report.wrong)} wrong"
    )
    for one in report.wrong[:20]:
        click.echo(f"  {one}")
    if output is not None:
        write_json(output, {**attrs.asdict(report), "right": report.right})
    raise SystemExit(0 if report.right else 1)


async def run(model: Path, edits: int, cancels: int, kills: int, seed: int) -> SoakReport:
    """Soak a server of its own."""
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log:
        async with running_server(log=log) as (client, workspace):
            options = {
                "model.path": str(model),
                "completion.minimumDelay": 0,
                "completion.maximumDelay": 0,
                "check.idleDelay": 100,
            }
            await client.initialize(workspace, options, _CAPABILITIES)
            await until(lambda: (client_status(client).get("model") or {}).get("state") in ("ready", "slow"), 300)
            text = KERNEL.read_text("utf-8")
            session = _Soak(client, Editing(client, workspace / "soak.cpp", text), text, random.Random(seed))
            return await session.all(edits, cancels, kills, log)


@define
class _Soak:
    client: LspClient
    editing: Editing
    text: str
    chance: random.Random
    requests: int = 0
    answered: int = 0
    cancelled: int = 0
    killed: int = 0
    early_mb: float = 0.0
    wrong: list[str] = attrs.field(factory=list)
    pending: set[asyncio.Task[None]] = attrs.field(factory=set)

    async def all(self, edits: int, cancels: int, kills: int, log: TextIO) -> SoakReport:
        asked = edits // _REQUEST_EVERY
        cancel_at = set(self.chance.sample(range(asked), min(cancels, asked)))
        kill_at = {(number + 1) * edits // (kills + 1) for number in range(kills)}
        for number in range(edits):
            position = self.edit()
            if number in kill_at:
                await self.kill()
            if number % _REQUEST_EVERY == 0:
                task = asyncio.ensure_future(self.ask(position, cancel=number // _REQUEST_EVERY in cancel_at))
                self.pending.add(task)
                task.add_done_callback(self.pending.discard)
                if self.chance.random() < 0.5:
                    await asyncio.wait({task}, timeout=60)
            if number == edits // _FIRST_MEMORY_SHARE:
                self.early_mb = memory_mb(self.client.pid, "VmRSS")
                self.client.notifications[:-50] = []
            await asyncio.sleep(self.chance.choice((0, 0, 0.001, 0.02)))
        if self.pending:
            _, late = await asyncio.wait(self.pending, timeout=60)
            self.wrong += [f"{len(late)} requests were never answered"] if late else []
        await self.same_text()
        log.seek(0)
        found = re.findall(r"^(?:Traceback.*|\w*(?:Error|Exception)\b.*)$", log.read(), re.MULTILINE)
        self.wrong += [f"in the log: {line}" for line in found]
        return SoakReport(
            edits,
            self.requests,
            self.answered,
            self.cancelled,
            self.killed,
            tuple(self.wrong),
            self.early_mb,
            memory_mb(self.client.pid, "VmRSS"),
        )

    def edit(self) -> dict[str, int]:
        """One random edit of up to a few characters; returns the cursor after it, in UTF-16 units."""
        start = self.chance.randrange(len(self.text) + 1)
        end = min(len(self.text), start + self.chance.choice((0, 0, 0, 1, 3)))
        new = "".join(self.chance.choice(" ;x(和😀\n{}") for _ in range(self.chance.choice((0, 1, 1, 1, 6))))
        if len(self.text) > 2 * len(KERNEL.read_bytes()):
            end = min(len(self.text), start + 400)
        self.editing.edit({"start": utf16(self.text, start), "end": utf16(self.text, end)}, new)
        self.text = self.text[:start] + new + self.text[end:]
        return utf16(self.text, start + len(new))

    async def ask(self, position: dict[str, int], *, cancel: bool) -> None:
        """One request for ghost text; its answer must be for the text as it was asked for."""
        self.requests += 1
        version = self.editing.version
        request = self.inline_completion(position)
        if cancel:
            await asyncio.sleep(self.chance.choice((0, 0.005)))
            if request.done():  # answered before it could be cancelled: once more, at once
                request = self.inline_completion(position)
                await asyncio.sleep(0)
            if request.cancel():
                self.cancelled += 1
        try:
            found = await asyncio.wait_for(request, 60)
        except asyncio.CancelledError:
            return
        except LspError as error:
            self.wrong.append(f"version {version}: {error}")
            return
        for item in found["items"] if found else []:
            self.answered += 1
            if item["range"] != {"start": position, "end": position}:
                self.wrong.append(f"version {version}: asked at {position}, answered for {item['range']}")

    def inline_completion(self, position: dict[str, int]) -> asyncio.Future[Any]:
        """A request that is under way."""
        params = {
            "textDocument": {"uri": self.editing.uri},
            "position": position,
            "context": {"triggerKind": self.chance.choice((1, 2))},
        }
        return asyncio.ensure_future(self.client.request("textDocument/inlineCompletion", params))

    async def kill(self) -> None:
        """Kill the model's worker as the system would."""
        for pid in await asyncio.to_thread(workers, self.client.pid):
            os.kill(pid, signal.SIGKILL)
            self.killed += 1

    async def same_text(self) -> None:
        """The server's text must be the editor's: a name at the very end is where both say it is."""
        place = utf16(self.text, len(self.text))
        self.editing.edit({"start": place, "end": place}, "\nclass SoakEnd {};\n")
        self.text += "\nclass SoakEnd {};\n"
        for _ in range(2):
            symbols = await self.client.request(
                "textDocument/documentSymbol", {"textDocument": {"uri": self.editing.uri}}
            )
        want = utf16(self.text, self.text.rindex("SoakEnd"))
        found = [one["selectionRange"]["start"] for one in flat(symbols or []) if one["name"] == "SoakEnd"]
        if symbols and found and found != [want]:
            self.wrong.append(f"the texts differ: SoakEnd stands at {want}, the server says {found}")


def utf16(text: str, offset: int) -> dict[str, int]:
    """The position of an offset in UTF-16 units."""
    line_start = text.rfind("\n", 0, offset) + 1
    units = len(text[line_start:offset].encode("utf-16-le")) // 2
    return {"line": text.count("\n", 0, offset), "character": units}


def flat(symbols: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Symbols with those inside them."""
    return [one for symbol in symbols for one in (symbol, *flat(symbol.get("children") or []))]


def workers(pid: int) -> list[int]:
    """The model workers among a process' children (Linux)."""
    found = []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            command = (folder / "cmdline").read_bytes()
        except (OSError, ValueError, IndexError):
            continue
        if parent == pid and b"kernelgen_ls.model.worker" in command:
            found.append(int(folder.name))
    return found
