"""Work-done progress: a cancel is never lost, whatever it coincides with."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from pygls.exceptions import JsonRpcInternalError

from kernelgen_ls.lsp.server import create_server
from kernelgen_ls.lsp.session.client import Client


async def work_of(answer: asyncio.Future[Any], monkeypatch: pytest.MonkeyPatch, told: list[str]) -> None:
    """Work for a client that answers the request for a token with ``answer``; ``told`` is what it is told of it."""
    server = create_server()
    server.session.editor.client = Client(progress=True)
    monkeypatch.setattr(server.protocol, "send_request_async", lambda *_: answer)
    monkeypatch.setattr(server.protocol, "notify", lambda _, params: told.append(params.value.kind))
    async with server.session.editor.work_done("work"):
        told.append("working")


async def test_a_cancel_that_comes_with_the_client_s_answer_ends_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    answer, told = asyncio.get_running_loop().create_future(), list[str]()
    work = asyncio.ensure_future(work_of(answer, monkeypatch, told))
    await asyncio.sleep(0)
    answer.set_result(None)
    work.cancel()
    await asyncio.wait({work})
    assert work.cancelled()
    assert "working" not in told


async def test_work_is_shown_from_its_beginning_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    answer, told = asyncio.get_running_loop().create_future(), list[str]()
    answer.set_result(None)
    await work_of(answer, monkeypatch, told)
    assert told == ["begin", "working", "end"]


async def test_work_goes_on_unshown_where_the_client_refuses_the_token(monkeypatch: pytest.MonkeyPatch) -> None:
    answer, told = asyncio.get_running_loop().create_future(), list[str]()
    answer.set_exception(JsonRpcInternalError("no"))
    await work_of(answer, monkeypatch, told)
    assert told == ["working"]


async def test_work_goes_on_unshown_where_the_client_never_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kernelgen_ls.lsp.transport.progress.CREATE_TIMEOUT", 0.0)
    answer, told = asyncio.get_running_loop().create_future(), list[str]()
    await work_of(answer, monkeypatch, told)
    assert told == ["working"]
    assert answer.cancelled()
