"""An editor as benchmarks of the whole server play it: one document, its requests, the server's status and memory."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import click

from kernelgen_ls.testing.lsp_client import LspClient

KERNEL = Path(__file__).parent.parent / "demo" / "scale_shift.cpp"


class Editing:
    """One document in the editor of the benchmark."""

    def __init__(self, client: LspClient, path: Path, text: str) -> None:
        self.client = client
        self.uri = path.as_uri()
        self.text = text
        self.version = 1
        self.asked = 0
        self.answered = 0
        """Of the requests for ghost text, those that had an answer."""
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
        """Begin a statement on a line of its own, unlike any before, and ask for ghost text behind it."""
        line = self.place("outQueueY.EnQue")["line"]
        at = {"line": line, "character": 0}
        self.asked += 1
        typed = f"        LocalTensor<float> t{self.asked} = "
        self.edit({"start": at, "end": at}, typed + "\n")
        found = await self.client.request(
            "textDocument/inlineCompletion",
            {
                "textDocument": {"uri": self.uri},
                "position": {"line": line, "character": len(typed)},
                "context": {"triggerKind": 2},
            },
        )
        self.answered += bool(found and found["items"])
        self.edit({"start": at, "end": {"line": line + 1, "character": 0}}, "")

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

    def generate(self, token: str) -> tuple[int, asyncio.Future[Any]]:
        """Start *Generate kernel* at the document's beginning, its progress reported to ``token``."""
        return self.client.start(
            "workspace/executeCommand",
            {
                "command": "kernelgen.generateKernel",
                "arguments": [self.uri, {"line": 0, "character": 0}],
                "workDoneToken": token,
            },
        )


def default_model() -> Path:
    """The starter where it ships, else a tiny random one."""
    from kernelgen_ls.bench.engine import random_model
    from kernelgen_ls.model.store import STARTER

    if STARTER.is_file():
        return STARTER
    return random_model("tiny", "q4_k_m", lambda at: click.echo(f"writing {at}", err=True))


def client_status(client: LspClient) -> dict[str, Any]:
    """The latest status that the server sent."""
    for method, params in reversed(client.notifications):
        if method == "kernelgen/status":
            found: dict[str, Any] = params
            return found
    return {}


def model_status(client: LspClient) -> dict[str, Any]:
    """The model's part of the latest status."""
    found: dict[str, Any] = client_status(client).get("model") or {}
    return found


def generation_stage(client: LspClient) -> str:
    """What the running generation is doing; empty while none runs."""
    return str((client_status(client).get("generation") or {}).get("stage", ""))


async def model_ready(client: LspClient, seconds: float = 600) -> None:
    """Wait until the model is loaded; raises ``ClickException`` with the reason when it can not be."""
    await until(lambda: model_status(client).get("state") in ("ready", "slow", "failed", "off"), seconds)
    if model_status(client)["state"] not in ("ready", "slow"):
        raise click.ClickException(model_status(client)["detail"])


async def until(condition: Callable[[], bool], seconds: float) -> None:
    """Wait for the server to say something; raises ``TimeoutError``."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"the server did not get there within {seconds:.0f} s")
        await asyncio.sleep(0.02)


@contextlib.asynccontextmanager
async def beside(*work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Run endless work beside the block."""
    tasks = [asyncio.ensure_future(one) for one in work]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
