"""A small language client over a server's pipes, for benchmarks: requests, notifications, answers to the server."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

_MOST_BYTES = 1 << 26


class LspError(RuntimeError):
    """The server answered a request with an error."""


class LspClient:
    """One server process. Requests may be outstanding side by side."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process = process
        self._writer, self._reader = process.stdin, process.stdout
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._ids = itertools.count(1)
        self._listening = asyncio.create_task(self._listen())
        self.notifications: list[tuple[str, Any]] = []
        self.configuration: Any = None
        self.on_notification: Callable[[str, Any], None] | None = None
        """Told of each notification as it arrives, where its moment matters."""
        self.edits: list[Any] = []
        """Edits that the server wanted applied."""

    @property
    def pid(self) -> int:
        """The server's process id."""
        return self._process.pid

    async def request(self, method: str, params: Any = None) -> Any:
        """The result of a request; raises :class:`LspError`."""
        identifier, future = self.start(method, params)
        try:
            return await future
        except asyncio.CancelledError:
            self.cancel(identifier)
            raise

    def start(self, method: str, params: Any = None) -> tuple[int, asyncio.Future[Any]]:
        """Send a request; its identifier and its answer, which :meth:`cancel` does not wait to come."""
        identifier = next(self._ids)
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting[identifier] = future
        future.add_done_callback(lambda _: self._waiting.pop(identifier, None))
        self._send({"id": identifier, "method": method, "params": params})
        return identifier, future

    def cancel(self, identifier: int) -> None:
        """Ask for a request's end; the server answers it all the same."""
        self.notify("$/cancelRequest", {"id": identifier})

    def notify(self, method: str, params: Any = None) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    async def initialize(self, root: Path, options: Mapping[str, Any], capabilities: Mapping[str, Any]) -> Any:
        """The whole handshake; returns the server's capabilities."""
        self.configuration = dict(options)
        result = await self.request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": root.as_uri(),
                "capabilities": capabilities,
                "initializationOptions": options,
                "workspaceFolders": [{"uri": root.as_uri(), "name": root.name}],
            },
        )
        self.notify("initialized", {})
        return result

    async def close(self) -> None:
        """Shut the server down; kill it when it does not go."""
        with contextlib.suppress(asyncio.TimeoutError, LspError, ConnectionError):
            await asyncio.wait_for(self.request("shutdown"), 10)
            self.notify("exit")
            await asyncio.wait_for(self._process.wait(), 10)
        if self._process.returncode is None:
            self._process.kill()
            await self._process.wait()
        self._listening.cancel()

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode()
        self._writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    async def _listen(self) -> None:
        try:
            while True:
                header = await self._reader.readuntil(b"\r\n\r\n")
                length = int(header.lower().split(b"content-length:")[1].split(b"\r\n")[0])
                self._take(json.loads(await self._reader.readexactly(length)))
        except (asyncio.IncompleteReadError, ConnectionError):
            for future in self._waiting.values():
                if not future.done():
                    future.set_exception(LspError("the server is gone"))

    def _take(self, message: dict[str, Any]) -> None:
        if "method" not in message:
            future = self._waiting.get(message.get("id", -1))
            if future is not None and not future.done():
                if "error" in message:
                    future.set_exception(LspError(str(message["error"].get("message"))))
                else:
                    future.set_result(message.get("result"))
        elif "id" in message:
            self._send({"id": message["id"], "result": self._answer(message["method"], message.get("params"))})
        else:
            self.notifications.append((message["method"], message.get("params")))
            if self.on_notification is not None:
                self.on_notification(message["method"], message.get("params"))

    def _answer(self, method: str, params: Any) -> Any:
        if method == "workspace/configuration":
            return [self.configuration for _ in params["items"]]
        if method == "workspace/applyEdit":
            self.edits.append(params)
            return {"applied": False}
        return None


@contextlib.asynccontextmanager
async def running_server(
    arguments: Sequence[str] = (), *, log: IO[Any] | None = None
) -> AsyncIterator[tuple[LspClient, Path]]:
    """``kernelgen-ls serve`` with configuration, cache and data folders of its own, and a folder to work in.

    ``log`` takes what the server writes to standard error; by default it comes out here.
    """
    with tempfile.TemporaryDirectory(prefix="kernelgen-bench-") as folder:
        root = Path(folder)
        environment = dict(os.environ)
        for name in ("CONFIG", "CACHE", "DATA", "STATE"):
            environment[f"XDG_{name}_HOME"] = str(root / name.lower())
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "kernelgen_ls",
            "serve",
            "--stdio",
            *arguments,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
            env=environment,
            limit=_MOST_BYTES,
        )
        client = LspClient(process)
        workspace = root / "workspace"
        workspace.mkdir()
        try:
            yield client, workspace
        finally:
            await client.close()
