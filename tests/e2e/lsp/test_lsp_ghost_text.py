"""Ghost text through the whole server with a real (tiny) model, as each recorded editor asks for it."""

from __future__ import annotations

import asyncio
import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcRequestCancelled

from tests.e2e.lsp.lsp_client import NAMES, Editor, editor

KERNEL = """#include "kernel_operator.h"
using namespace AscendC;
// 向量加法：z = x + y 😀
extern "C" __global__ __aicore__ void add_custom(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    TPipe pipe; /* 管道 😀😀 */ auto a = @
}
""".replace("@", "")
LINE = 4
BEFORE = KERNEL.splitlines()[LINE]


def ready(one: Editor) -> Any:
    return one.statuses and one.statuses[-1]["model"]["state"] in ("ready", "slow")


async def ask(one: Editor, uri: str, position: types.Position, manual: bool = True) -> list[types.InlineCompletionItem]:
    kind = types.InlineCompletionTriggerKind.Invoked if manual else types.InlineCompletionTriggerKind.Automatic
    found = await one.client.text_document_inline_completion_async(
        types.InlineCompletionParams(types.InlineCompletionContext(kind), types.TextDocumentIdentifier(uri), position)
    )
    return list(found.items if isinstance(found, types.InlineCompletionList) else found or [])


@pytest.mark.engine
@pytest.mark.parametrize("name", NAMES)
async def test_ghost_text_stands_exactly_at_the_cursor(name: str, tiny_model: Path, tmp_path: Path) -> None:
    async with editor(name, tmp_path, options={"model.path": str(tiny_model), "completion.maxTokens": 24}) as one:
        uri = one.open("add.cpp", KERNEL)
        await one.until(lambda: ready(one))
        cursor = types.Position(LINE, one.units(BEFORE))
        items = await ask(one, uri, cursor)
        assert items, "a random model writes something"
        for item in items:
            assert item.range == types.Range(cursor, cursor)
            assert isinstance(item.insert_text, str)
            assert "<|" not in item.insert_text
        command = items[0].command
        assert command is not None
        assert command.arguments
        identifier = command.arguments[0]
        await one.command("kernelgen.completionShown", identifier)
        await one.command("kernelgen.completionPartiallyAccepted", identifier, 1)
        await one.command(command.command, identifier)
        stats = await one.command("kernelgen.stats")
        total = stats["total"]
        assert (total["shown"], total["accepted"], total["partly_accepted"]) == (1, 1, 1)


@pytest.mark.engine
async def test_null_when_the_document_moved_on_or_is_not_a_kernel(tiny_model: Path, tmp_path: Path) -> None:
    async with editor(NAMES[1], tmp_path, options={"model.path": str(tiny_model)}) as one:
        uri = one.open("add.cpp", KERNEL)
        plain = one.open("plain.cpp", "int main() {\n    return \n}\n")
        await one.until(lambda: ready(one))
        pending = asyncio.ensure_future(ask(one, uri, types.Position(LINE, one.units(BEFORE)), manual=False))
        await asyncio.sleep(0)
        one.change(uri, 2, KERNEL.replace("auto a", "auto b"))
        assert await pending == []
        assert await ask(one, plain, types.Position(1, 11)) == []


@pytest.mark.engine
async def test_a_cancelled_request_is_answered_as_cancelled(tiny_model: Path, tmp_path: Path) -> None:
    async with editor(NAMES[0], tmp_path, options={"model.path": str(tiny_model)}) as one:
        uri = one.open("add.cpp", KERNEL)
        await one.until(lambda: ready(one))
        params = types.InlineCompletionParams(
            types.InlineCompletionContext(types.InlineCompletionTriggerKind.Invoked),
            types.TextDocumentIdentifier(uri),
            types.Position(LINE, one.units(BEFORE)),
        )
        future = one.client.protocol.send_request(types.TEXT_DOCUMENT_INLINE_COMPLETION, params, msg_id="mine")
        one.client.cancel_request(types.CancelParams("mine"))
        with pytest.raises(JsonRpcRequestCancelled):
            await asyncio.wait_for(asyncio.wrap_future(future), 30)
        assert await ask(one, uri, types.Position(LINE, one.units(BEFORE)))


@pytest.mark.engine
async def test_a_killed_worker_shows_and_the_next_request_works(tiny_model: Path, tmp_path: Path) -> None:
    import psutil

    async with editor(NAMES[1], tmp_path, options={"model.path": str(tiny_model)}) as one:
        uri = one.open("add.cpp", KERNEL)
        await one.until(lambda: ready(one))
        version = 1
        for _ in range(2):
            for child in psutil.Process(one.pid).children():
                if "kernelgen_ls.model.worker" in " ".join(child.cmdline()):
                    child.kill()
                    child.wait()
            items: list[Any] = []
            while not items and version < 20:  # what a random model writes is not always fit to be shown
                version += 1
                text = KERNEL.replace("auto a", f"auto value{version}")
                one.change(uri, version, text)
                items = await ask(one, uri, types.Position(LINE, one.units(text.splitlines()[LINE])))
            assert items
        await one.until(lambda: ready(one))


async def test_without_a_model_the_server_says_what_to_do(tmp_path: Path) -> None:
    missing = tmp_path / "nothing.gguf"
    async with editor(NAMES[1], tmp_path, options={"model.path": str(missing)}) as one:
        uri = one.open("add.cpp", KERNEL)
        await one.until(lambda: one.statuses and one.statuses[-1]["state"] in ("error", "warning"))
        assert "nothing.gguf" in one.statuses[-1]["detail"]
        assert await ask(one, uri, types.Position(LINE, 0)) == []


@pytest.mark.engine
async def test_loading_shows_as_progress(tiny_model: Path, tmp_path: Path) -> None:
    async with editor(NAMES[0], tmp_path, options={"model.path": str(tiny_model)}) as one:
        await one.until(lambda: ready(one))
        titles = [report[0].title for report in one.client.progress_reports.values() if report]  # type: ignore[attr-defined]  # begin has a title
        assert "KernelGen: loading the model" in titles


@pytest.mark.engine
async def test_completion_can_be_turned_off_and_on(tiny_model: Path, tmp_path: Path) -> None:
    options = {"model.path": str(tiny_model), "completion.enabled": False}
    async with editor(NAMES[1], tmp_path, options=options) as one:
        uri = one.open("add.cpp", KERNEL)
        cursor = types.Position(LINE, one.units(BEFORE))
        assert await ask(one, uri, cursor) == []
        one.client.set_configuration({"completion": {"trigger": "manual"}}, section="kernelgen")
        one.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=None))
        await one.until(lambda: one.statuses[-1]["completion"] == {"enabled": False, "trigger": "manual"})
        one.client.set_configuration({"completion": {"enabled": True}}, section="kernelgen")
        one.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=None))
        await one.until(lambda: one.statuses[-1]["completion"]["enabled"] and ready(one))
        assert await ask(one, uri, cursor)


async def test_an_editor_without_ghost_text_gets_it_in_the_completion_list(tmp_path: Path) -> None:
    typed, rest = "        LocalTensor<half> x = inQueue", ".DeQue<half>();\n"
    text = KERNEL.replace(BEFORE + "\n", typed + "\n")
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"documents": [text.replace(typed + "\n", typed + rest)]}), encoding="utf-8")
    model = tmp_path / "model.gguf"
    model.touch()
    worker = shlex.join([sys.executable, "-m", "kernelgen_ls.testing.scripted_worker", str(script)])
    options = {"model.path": str(model), "completion.items": True, "check.enabled": False}
    async with editor(NAMES[1], tmp_path, options=options, env={"KERNELGEN_MODEL_WORKER": worker}) as one:
        uri = one.open("add.cpp", text)
        await one.until(lambda: ready(one))
        at = types.Position(LINE, one.units(typed))
        found = await one.client.text_document_completion_async(
            types.CompletionParams(types.TextDocumentIdentifier(uri), at)
        )
        (item,) = [each for each in getattr(found, "items", []) if each.label_details is not None]
        assert item.label_details.description == "KernelGen"
        assert item.text_edit == types.TextEdit(types.Range(at, at), rest.rstrip("\n"))
        assert item.command.command == "kernelgen.completionAccepted"
