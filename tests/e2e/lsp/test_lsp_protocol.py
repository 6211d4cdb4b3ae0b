"""The server as a process: order of messages, malformed ones, exit codes, a client that dies."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import psutil
import pytest_asyncio

from tests.e2e.lsp.lsp_client import SERVER, environment

INITIALIZE: dict[str, Any] = {"processId": None, "rootUri": None, "capabilities": {}}


class Raw:
    """A client that sends whatever it is told to."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.logged = b""

    async def send(self, body: bytes, header: bytes | None = None) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write((header or b"Content-Length: %d\r\n\r\n" % len(body)) + body)
        await self.process.stdin.drain()

    async def message(self, **message: Any) -> None:
        await self.send(json.dumps({"jsonrpc": "2.0", **message}).encode())

    async def receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        header = await asyncio.wait_for(self.process.stdout.readuntil(b"\r\n\r\n"), 30)
        length = next(int(line.split(b":")[1]) for line in header.splitlines() if line.startswith(b"Content-Length"))
        message = json.loads(await self.process.stdout.readexactly(length))
        assert isinstance(message, dict)
        return message

    async def answer(self, identifier: int | None) -> dict[str, Any]:
        while True:
            message = await self.receive()
            if "method" not in message and message.get("id") == identifier:
                return message

    async def request(self, identifier: int, method: str, params: Any) -> dict[str, Any]:
        await self.message(id=identifier, method=method, params=params)
        return await self.answer(identifier)

    async def exit_code(self) -> int:
        return await asyncio.wait_for(self.process.wait(), 30)


@pytest_asyncio.fixture
async def raw(tmp_path: Path) -> AsyncIterator[Raw]:
    with (tmp_path / "log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            *SERVER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, env=environment(tmp_path)
        )
    yield Raw(process)
    if process.returncode is None:
        process.kill()
        await process.wait()
    assert "Traceback" not in (tmp_path / "log").read_text()


async def test_shutdown_then_exit_ends_with_0_and_leaves_no_process(raw: Raw) -> None:
    await raw.request(1, "initialize", INITIALIZE)
    await raw.message(method="initialized", params={})
    children = psutil.Process(raw.process.pid).children(recursive=True)
    assert (await raw.request(2, "shutdown", None))["result"] is None
    refused = await raw.request(3, "textDocument/hover", {})
    assert refused["error"]["code"] in (-32600, -32602)
    await raw.message(method="exit")
    assert await raw.exit_code() == 0
    assert not [child for child in children if child.is_running()]


async def test_exit_without_shutdown_ends_with_1(raw: Raw) -> None:
    await raw.request(1, "initialize", INITIALIZE)
    await raw.message(method="exit")
    assert await raw.exit_code() == 1


async def test_a_closed_input_ends_the_server(raw: Raw) -> None:
    await raw.request(1, "initialize", INITIALIZE)
    assert raw.process.stdin is not None
    raw.process.stdin.close()
    assert await raw.exit_code() == 1


async def test_the_server_ends_when_its_editor_is_gone_though_the_pipe_stays_open(raw: Raw) -> None:
    parent = await asyncio.create_subprocess_exec(sys.executable, "-c", "input()", stdin=subprocess.PIPE)
    await raw.request(1, "initialize", INITIALIZE | {"processId": parent.pid})
    parent.kill()
    await parent.wait()
    assert await raw.exit_code() == 1


async def test_a_process_id_of_another_world_is_ignored(raw: Raw) -> None:
    unused = max(psutil.pids()) + 100_000
    await raw.request(1, "initialize", INITIALIZE | {"processId": unused})
    assert (await raw.request(2, "shutdown", None))["result"] is None


async def test_requests_before_initialize_are_refused(raw: Raw) -> None:
    assert (await raw.request(1, "textDocument/documentSymbol", {"textDocument": {"uri": "file:///x"}}))["error"][
        "code"
    ] == -32002
    assert "result" in await raw.request(2, "initialize", INITIALIZE)
    assert (await raw.request(3, "initialize", INITIALIZE))["error"]["code"] == -32600


MALFORMED: list[tuple[str, Any]] = [
    ("textDocument/documentSymbol", {"textDocument": 7}),
    ("textDocument/documentSymbol", None),
    ("textDocument/inlineCompletion", {"textDocument": {"uri": "x"}, "position": {"line": "one"}}),
    ("workspace/executeCommand", {"command": 3}),
    ("workspace/executeCommand", {"command": "kernelgen.unknown"}),
    ("workspace/executeCommand", {"command": "kernelgen.checkNow", "arguments": []}),
    ("workspace/executeCommand", {"command": "kernelgen.checkNow", "arguments": [{"uri": "file:///x"}]}),
    ("workspace/executeCommand", {"command": "kernelgen.completionPartiallyAccepted", "arguments": ["1", True]}),
]


async def test_malformed_parameters_get_an_answer(raw: Raw) -> None:
    await raw.request(1, "initialize", INITIALIZE)
    for number, (method, params) in enumerate(MALFORMED, 2):
        error = (await raw.request(number, method, params))["error"]
        assert error["code"] == -32602, (method, params)
        assert error["message"]


async def test_an_unknown_method_is_refused_and_an_unknown_notification_ignored(raw: Raw) -> None:
    await raw.request(1, "initialize", INITIALIZE)
    await raw.message(method="$/whatever", params={})
    await raw.message(method="textDocument/didChange", params={"textDocument": 7})
    assert (await raw.request(2, "textDocument/nothing", {}))["error"]["code"] == -32601


async def test_garbage_does_not_end_the_session(raw: Raw) -> None:
    await raw.request(1, "initialize", INITIALIZE)
    for body in (b"{", b"[]", b"3", b"null", b'{"id": 8}', b'{"a": ' * 5000, b"\xff\xfe", b"[" * 100_000):
        await raw.send(body)
    await raw.send(b"{}", b"Content-Type: x\r\ncontent-length: 2\r\n\r\n")
    assert (await raw.request(2, "shutdown", None))["result"] is None


async def test_what_prints_to_standard_output_does_not_reach_the_client(raw: Raw) -> None:
    await raw.request(1, "initialize", INITIALIZE)
    assert descriptor(raw.process.pid, 1) == descriptor(raw.process.pid, 2)
    assert descriptor(raw.process.pid, 0) == Path(os.devnull)


def descriptor(pid: int, number: int) -> Path:
    """Where a process' descriptor points."""
    return Path(f"/proc/{pid}/fd/{number}").readlink()


async def test_twenty_thousand_edits_leave_nothing_behind(raw: Raw) -> None:
    await raw.request(1, "initialize", INITIALIZE)
    await raw.message(
        method="textDocument/didOpen",
        params={"textDocument": {"uri": "file:///w/plain.cpp", "languageId": "cpp", "version": 1, "text": "int a;\n"}},
    )

    async def edit(start: int, count: int) -> int:
        for version in range(start, start + count):
            await raw.message(
                method="textDocument/didChange",
                params={
                    "textDocument": {"uri": "file:///w/plain.cpp", "version": version},
                    "contentChanges": [
                        {
                            "range": {"start": {"line": 0, "character": 4}, "end": {"line": 0, "character": 5}},
                            "text": "b",
                        }
                    ],
                },
            )
        await raw.request(start, "textDocument/documentSymbol", {"textDocument": {"uri": "file:///w/plain.cpp"}})
        return int(psutil.Process(raw.process.pid).memory_info().rss)

    before = await edit(2, 2_000)
    after = await edit(2_002, 18_000)
    assert after - before < 4 * 1024 * 1024
