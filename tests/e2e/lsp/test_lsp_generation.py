"""Generate kernel and Fix with KernelGen through the whole server: scripted answers, the real checker."""

from __future__ import annotations

import asyncio
import json
import shlex
import sys
import tempfile
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcRequestCancelled

from tests.e2e.lsp.lsp_client import NAMES, Editor, editor

GOOD = (Path(__file__).parents[2] / "kernels" / "clean" / "vector_sum.cpp").read_text(encoding="utf-8")
BROKEN = GOOD.replace("FreeTensor(", "FreeTensr(", 1)
SPEC = """// op: VectorSum
// formula: total = left + right
// in left: float16 [131072]
// in right: float16 [131072]
// out total: float16 [131072]
"""
KEPT = tempfile.TemporaryDirectory(prefix="kernelgen-ls-tests-")
"""What the twin compiles once is kept for all tests here."""


def answer(kernel: str, reasoning: str = "Split it evenly.\nTwo buffers.") -> str:
    return f"{reasoning}\n</think>\n<kernel_impl>\n```cpp\n{kernel}```\n</kernel_impl>\n"


def scripted(
    name: str,
    root: Path,
    *answers: str,
    token_ms: float = 0.0,
    prompt_ms: float = 0.0,
    options: dict[str, Any] | None = None,
    log: str = "",
) -> AbstractAsyncContextManager[Editor]:
    """A server whose model answers from a script."""
    script = root / "script.json"
    script.write_text(
        json.dumps({"answers": answers, "token_ms": token_ms, "prompt_ms": prompt_ms, "name": "scripted", "log": log})
    )
    model = root / "model.gguf"
    model.touch()
    worker = shlex.join([sys.executable, "-m", "kernelgen_ls.testing.scripted_worker", str(script)])
    settings = {"model.path": str(model), "generation.profile": "en", "generation.writer": "model"}
    settings |= {"check.onIdle": False} | (options or {})
    env = {"KERNELGEN_MODEL_WORKER": worker, "XDG_CACHE_HOME": KEPT.name}
    return editor(name, root, options=settings, env=env)


async def ready(one: Editor) -> None:
    await one.until(lambda: one.statuses and one.statuses[-1]["model"]["state"] in ("ready", "slow"))


async def actions(one: Editor, uri: str, line: int) -> list[types.CodeAction]:
    at = types.Position(line, 0)
    found = await one.client.text_document_code_action_async(
        types.CodeActionParams(types.TextDocumentIdentifier(uri), types.Range(at, at), types.CodeActionContext([]))
    )
    return [action for action in found or [] if isinstance(action, types.CodeAction)]


async def run(one: Editor, uri: str, line: int, title: str) -> Any:
    (action,) = [action for action in await actions(one, uri, line) if action.title == title]
    assert action.command is not None
    return await one.command(action.command.command, *(action.command.arguments or []))


def applied(one: Editor, uri: str, text: str) -> str:
    """The document after the edit that the client was sent."""
    (params,) = one.applied
    changes = params.edit.changes or {
        change.text_document.uri: change.edits
        for change in params.edit.document_changes or []
        if isinstance(change, types.TextDocumentEdit)
    }
    lines = text.splitlines(keepends=True)
    starts = [sum(map(len, lines[:number])) for number in range(len(lines) + 1)]
    for edit in sorted(changes[uri], key=lambda one: (one.range.start.line, one.range.start.character), reverse=True):
        assert isinstance(edit, types.TextEdit | types.AnnotatedTextEdit)
        start = starts[edit.range.start.line] + edit.range.start.character
        end = starts[edit.range.end.line] + edit.range.end.character
        text = text[:start] + edit.new_text + text[end:]
    return text


@pytest.mark.parametrize("name", NAMES)
async def test_a_specification_becomes_a_kernel(name: str, tmp_path: Path) -> None:
    async with scripted(name, tmp_path, answer(GOOD)) as one:
        uri = one.open("op_kernel/vector_sum.cpp", SPEC)
        await ready(one)
        outcome = await run(one, uri, 0, "Generate kernel VectorSum")
        assert outcome["applied"] is True
        assert (outcome["errors"], outcome["candidates"], outcome["rounds"]) == (0, 1, 0)
        text = applied(one, uri, SPEC)
        assert text.startswith(SPEC)
        assert "class VectorSum" in text
        annotations = one.applied[0].edit.change_annotations or {}
        if "neovim_v0.11" not in name:
            (annotation,) = annotations.values()
            assert (annotation.label, annotation.needs_confirmation) == (one.applied[0].label, True)
        assert (one.applied[0].label or "").startswith("Generate kernel VectorSum: right on the twin: ")
        assert (outcome["verdict"], outcome["run"][:18]) == ("right", "right on the twin:")
        assert f"// As generated: {outcome['run']}\n" in text
        stages = [status["generation"]["stage"] for status in one.statuses if status["generation"]]
        assert stages
        await one.until(lambda: one.statuses[-1]["generation"] is None)
        assert "".join(part["text"] for part in one.reasoning).startswith("Split it evenly.")
        assert one.reasoning[-1]["done"] is True
        assert (await one.command("kernelgen.showReasoning"))["text"].startswith("Split it evenly.")


async def test_an_error_is_repaired_in_the_second_round(tmp_path: Path) -> None:
    async with scripted(NAMES[0], tmp_path, answer(BROKEN), answer(GOOD)) as one:
        uri = one.open("op_kernel/vector_sum.cpp", SPEC)
        await ready(one)
        outcome = await run(one, uri, 0, "Generate kernel VectorSum")
        assert (outcome["applied"], outcome["errors"], outcome["rounds"]) == (True, 0, 1)
        assert "FreeTensr" not in applied(one, uri, SPEC)


async def test_fix_mends_the_error_at_the_cursor(tmp_path: Path) -> None:
    async with scripted(NAMES[0], tmp_path, answer(GOOD)) as one:
        uri = one.open("op_kernel/vector_sum.cpp", BROKEN)
        await ready(one)
        (error,) = await one.diagnostics(uri, 1)
        outcome = await run(one, uri, error.range.start.line, "Fix with KernelGen")
        assert outcome["applied"] is True
        assert applied(one, uri, BROKEN) == GOOD
        assert not [action for action in await actions(one, uri, 0) if action.title == "Fix with KernelGen"]


async def test_what_is_missing_in_a_specification_is_said(tmp_path: Path) -> None:
    async with scripted(NAMES[1], tmp_path, answer(GOOD)) as one:
        uri = one.open("op_kernel/vector_sum.cpp", "// op: VectorSum\n")
        await ready(one)
        outcome = await one.command("kernelgen.generateKernel", uri, {"line": 0, "character": 0})
        assert outcome["applied"] is False
        assert "lacks" in outcome["reason"]
        assert "inputs" in outcome["reason"]


@pytest.mark.parametrize("text", ["no code at all", answer(GOOD)[:300] + "<<cut>>"])
async def test_an_answer_without_a_whole_kernel_is_said(text: str, tmp_path: Path) -> None:
    async with scripted(NAMES[1], tmp_path, text, options={"generation.candidates": 1}) as one:
        uri = one.open("op_kernel/vector_sum.cpp", SPEC)
        await ready(one)
        outcome = await one.command("kernelgen.generateKernel", uri, {"line": 0, "character": 0})
        assert (outcome["applied"], one.applied) == (False, [])
        assert ("nothing to offer" if text == "no code at all" else "cut off in the middle") in outcome["reason"]


async def test_a_cancel_while_the_prompt_is_read(tmp_path: Path) -> None:
    options = {"completion.enabled": False}  # no prompt is read ahead for typing
    async with scripted(NAMES[0], tmp_path, answer(GOOD), prompt_ms=50, options=options) as one:
        uri = one.open("op_kernel/vector_sum.cpp", SPEC)
        await ready(one)
        params = types.ExecuteCommandParams("kernelgen.generateKernel", [uri, {"line": 0, "character": 0}])
        future = one.client.protocol.send_request(types.WORKSPACE_EXECUTE_COMMAND, params, msg_id="mine")
        await one.until(lambda: one.statuses[-1]["generation"])
        assert one.statuses[-1]["generation"]["stage"] == "reading"
        one.client.cancel_request(types.CancelParams("mine"))
        with pytest.raises(JsonRpcRequestCancelled):
            await asyncio.wait_for(asyncio.wrap_future(future), 30)
        await one.until(lambda: one.statuses[-1]["generation"] is None)
        await ready(one)  # free for the next request
        assert {status["generation"]["stage"] for status in one.statuses if status["generation"]} == {"reading"}


async def test_a_cancel_while_a_candidate_is_judged(tmp_path: Path) -> None:
    async with scripted(NAMES[0], tmp_path, answer(GOOD)) as one:
        uri = one.open("op_kernel/vector_sum.cpp", SPEC)
        await ready(one)
        params = types.ExecuteCommandParams("kernelgen.generateKernel", [uri, {"line": 0, "character": 0}])
        future = one.client.protocol.send_request(types.WORKSPACE_EXECUTE_COMMAND, params, msg_id="mine")
        await one.until(
            lambda: one.statuses[-1]["generation"] and one.statuses[-1]["generation"]["stage"] == "checking"
        )
        one.client.cancel_request(types.CancelParams("mine"))
        with pytest.raises(JsonRpcRequestCancelled):
            await asyncio.wait_for(asyncio.wrap_future(future), 60)
        assert one.applied == []
        await one.until(lambda: one.statuses[-1]["generation"] is None)
        # Whoever judged is free for the next one.
        outcome = await one.command("kernelgen.generateKernel", uri, {"line": 0, "character": 0})
        assert (outcome["applied"], outcome["verdict"]) == (True, "right")


TILING_HEADER = """#include "register/tilingdata_base.h"
namespace optiling {
BEGIN_TILING_DATA_DEF(VectorSumTilingData)
TILING_DATA_FIELD_DEF(uint32_t, length);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(VectorSum, VectorSumTilingData)
}
"""
HOST = '#include "vector_sum_tiling.h"\n'
THREE = {"op_host/vector_sum_tiling.h": TILING_HEADER, "op_host/vector_sum.cpp": HOST, "op_kernel/vector_sum.cpp": GOOD}


def headed(files: dict[str, str]) -> str:
    line = "=" * 18
    return "Three.\n</think>\n" + "".join(f"{line} {p} {line}\n```cpp\n{t}```\n" for p, t in files.items())


async def test_three_files_come_as_one_edit_that_asks(tmp_path: Path) -> None:
    async with scripted(NAMES[0], tmp_path, headed(THREE), options={"generation.mode": "full"}) as one:
        uri = one.open("op_kernel/vector_sum.cpp", SPEC)
        await ready(one)
        outcome = await one.command("kernelgen.generateKernel", uri, {"line": 0, "character": 0})
        assert (outcome["applied"], outcome["errors"]) == (True, 0), outcome
        (params,) = one.applied
        changes = params.edit.document_changes or []
        written = {c.text_document.uri: c.edits[0] for c in changes if isinstance(c, types.TextDocumentEdit)}
        assert sorted(written) == sorted((one.root / path).as_uri() for path in THREE)
        created = [change.uri for change in changes if isinstance(change, types.CreateFile)]
        assert created == [(one.root / path).as_uri() for path in list(THREE)[:2]]
        assert written[(one.root / "op_host/vector_sum_tiling.h").as_uri()].new_text == TILING_HEADER
        (annotation,) = (params.edit.change_annotations or {}).values()
        assert annotation.needs_confirmation is True


async def test_a_missing_file_is_said(tmp_path: Path) -> None:
    two = {path: text for path, text in THREE.items() if not path.startswith("op_kernel")}
    options = {"generation.mode": "full", "generation.candidates": 1}
    async with scripted(NAMES[0], tmp_path, headed(two), options=options) as one:
        uri = one.open("op_kernel/vector_sum.cpp", SPEC)
        await ready(one)
        outcome = await one.command("kernelgen.generateKernel", uri, {"line": 0, "character": 0})
        assert (outcome["applied"], one.applied) == (False, [])
        assert "lacks a file" in outcome["reason"]


async def test_another_file_of_the_operator_that_changed_meanwhile_is_asked_about(tmp_path: Path) -> None:
    options = {"generation.mode": "full"}
    async with scripted(NAMES[0], tmp_path, headed(THREE), token_ms=3, options=options) as one:
        asked: list[str] = []

        @one.client.feature(types.WINDOW_SHOW_MESSAGE_REQUEST)
        def no(params: types.ShowMessageRequestParams) -> None:
            asked.append(params.message)

        host = one.open("op_host/vector_sum.cpp", HOST)
        uri = one.open("op_kernel/vector_sum.cpp", SPEC)
        await ready(one)
        pending = asyncio.ensure_future(one.command("kernelgen.generateKernel", uri, {"line": 0, "character": 0}))
        await one.until(lambda: one.statuses[-1]["generation"] and one.statuses[-1]["generation"]["tokens"])
        one.change(host, 2, "// mine\n" + HOST)
        outcome = await pending
        assert (outcome["applied"], one.applied) == (False, [])
        (question,) = asked
        assert question.startswith("Generate kernel VectorSum: compiles; not executed: ")
        assert question.endswith(". vector_sum.cpp changed meanwhile: show it all the same?")


@pytest.mark.parametrize("there", [True, False], ids=["changed", "made"])
async def test_a_file_that_changed_on_disk_meanwhile_is_asked_about(there: bool, tmp_path: Path) -> None:
    async with scripted(NAMES[0], tmp_path, headed(THREE), token_ms=3, options={"generation.mode": "full"}) as one:
        asked: list[str] = []

        @one.client.feature(types.WINDOW_SHOW_MESSAGE_REQUEST)
        def no(params: types.ShowMessageRequestParams) -> None:
            asked.append(params.message)

        host = one.root / "op_host/vector_sum.cpp"
        host.parent.mkdir(exist_ok=True)
        if there:
            host.write_text(HOST, encoding="utf-8")
        uri = one.open("op_kernel/vector_sum.cpp", SPEC)
        await ready(one)
        pending = asyncio.ensure_future(one.command("kernelgen.generateKernel", uri, {"line": 0, "character": 0}))
        await one.until(lambda: one.statuses[-1]["generation"] and one.statuses[-1]["generation"]["tokens"])
        host.write_text("// of another branch\n" + HOST, encoding="utf-8")
        outcome = await pending
        assert (outcome["applied"], one.applied) == (False, [])
        (question,) = asked
        assert question.startswith("Generate kernel VectorSum: compiles; not executed: ")
        assert question.endswith(". vector_sum.cpp changed meanwhile: show it all the same?")


async def test_progress_is_reported_often_enough_and_not_for_every_token(tmp_path: Path) -> None:
    reasoning = "".join(f"Step {number}.\n" for number in range(400))
    async with scripted(NAMES[0], tmp_path, answer(GOOD, reasoning), token_ms=1) as one:
        uri = one.open("op_kernel/vector_sum.cpp", SPEC)
        await ready(one)
        outcome = await one.command("kernelgen.generateKernel", uri, {"line": 0, "character": 0})
        (reports,) = [
            found for found in one.client.progress_reports.values() if "Generate" in getattr(found[0], "title", "")
        ]
        assert outcome["tokens"] > 1000
        assert 2 * outcome["seconds"] < len(reports) < 12 * outcome["seconds"] + 10
        assert "".join(part["text"] for part in one.reasoning).startswith(reasoning)


async def test_a_wrong_kernel_is_never_offered_without_that_word(tmp_path: Path) -> None:
    product = SPEC.replace("left + right", "left * right")
    options = {"generation.candidates": 1, "generation.rounds": 0}
    async with scripted(NAMES[0], tmp_path, answer(GOOD), options=options) as one:
        uri = one.open("op_kernel/vector_sum.cpp", product)
        await ready(one)
        outcome = await one.command("kernelgen.generateKernel", uri, {"line": 0, "character": 0})
        assert (outcome["applied"], outcome["verdict"]) == (True, "wrong")
        (params,) = one.applied
        assert (params.label or "").startswith("Generate kernel VectorSum: wrong on the twin: case ")
        assert " where " in (params.label or "")
        ((identifier, annotation),) = (params.edit.change_annotations or {}).items()
        assert (identifier, annotation.needs_confirmation) == ("kernelgen.wrong", True)
        assert (annotation.description or "").startswith("wrong on the twin: case ")
        assert "// As generated: wrong on the twin: case " in applied(one, uri, product)


async def test_wrong_values_are_fixed_where_the_run_has_found_them(tmp_path: Path) -> None:
    script = tmp_path / "log.jsonl"
    right = SPEC + GOOD.partition("\n")[2]  # without its own comment
    wrong = right.replace("Add(", "Sub(", 1)
    async with scripted(NAMES[0], tmp_path, answer(right), log=str(script)) as one:
        uri = one.open("op_kernel/vector_sum.cpp", wrong)
        await ready(one)
        line = next(number for number, text in enumerate(wrong.splitlines()) if "__global__" in text)
        title = "Fix wrong values with KernelGen"
        assert title not in [action.title for action in await actions(one, uri, line)]
        ran = await one.command("kernelgen.verify", uri, {"line": line, "character": 0})
        assert ran.get("verdict") == "wrong", ran
        outcome = await run(one, uri, line, title)
        assert (outcome["applied"], outcome["verdict"]) == (True, "right"), outcome
        assert (one.applied[0].label or "").startswith(f"{title}: right on the twin: ")
        assert applied(one, uri, wrong) == right
        prompts = script.read_text(encoding="utf-8")
        assert "cases are wrong" in prompts
        assert "total = left + right" in prompts


async def test_a_cancelled_generation_stops_the_model_and_frees_the_next(tmp_path: Path) -> None:
    async with scripted(NAMES[0], tmp_path, answer(GOOD), token_ms=20) as one:
        uri = one.open("op_kernel/vector_sum.cpp", SPEC)
        await ready(one)
        params = types.ExecuteCommandParams("kernelgen.generateKernel", [uri, {"line": 0, "character": 0}])
        future = one.client.protocol.send_request(types.WORKSPACE_EXECUTE_COMMAND, params, msg_id="mine")
        await one.until(lambda: one.statuses[-1]["generation"] and one.statuses[-1]["generation"]["tokens"])
        second = await one.command("kernelgen.generateKernel", uri, {"line": 0, "character": 0})
        assert "Another generation is running" in second["reason"]
        one.client.cancel_request(types.CancelParams("mine"))
        with pytest.raises(JsonRpcRequestCancelled):
            await asyncio.wait_for(asyncio.wrap_future(future), 30)
        await one.until(lambda: one.statuses[-1]["generation"] is None)
        assert await one.command("kernelgen.cancelGeneration") is False


async def test_a_cancel_by_command_or_in_the_progress_answers_with_a_reason(tmp_path: Path) -> None:
    async with scripted(NAMES[0], tmp_path, answer(GOOD), token_ms=20) as one:
        uri = one.open("op_kernel/vector_sum.cpp", SPEC)
        await ready(one)
        for way in ("command", "progress"):
            pending = asyncio.ensure_future(one.command("kernelgen.generateKernel", uri, {"line": 0, "character": 0}))
            await one.until(lambda: one.statuses[-1]["generation"] and one.statuses[-1]["generation"]["tokens"])
            if way == "command":
                assert await one.command("kernelgen.cancelGeneration") is True
            else:
                token = list(one.client.progress_reports)[-1]
                one.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token))
            outcome = await pending
            assert (outcome["applied"], "cancelled" in outcome["reason"]) == (False, True)
            await one.until(lambda: one.statuses[-1]["generation"] is None)


@pytest.mark.parametrize("wanted", [True, False])
async def test_a_document_that_changed_meanwhile_is_not_touched_unasked(wanted: bool, tmp_path: Path) -> None:
    async with scripted(NAMES[0], tmp_path, answer(GOOD), token_ms=3) as one:

        @one.client.feature(types.WINDOW_SHOW_MESSAGE_REQUEST)
        def asked(params: types.ShowMessageRequestParams) -> types.MessageActionItem | None:
            assert params.actions is not None
            return params.actions[0] if wanted else None

        uri = one.open("op_kernel/vector_sum.cpp", SPEC)
        await ready(one)
        pending = asyncio.ensure_future(one.command("kernelgen.generateKernel", uri, {"line": 0, "character": 0}))
        await one.until(lambda: one.statuses[-1]["generation"] and one.statuses[-1]["generation"]["tokens"])
        edited = "// 另一个注释 😀\n" + SPEC
        one.change(uri, 2, edited)
        outcome = await pending
        assert outcome["applied"] is wanted
        if wanted:
            assert applied(one, uri, edited).startswith(edited)
        else:
            assert one.applied == []
            assert "changed meanwhile" in outcome["reason"]


async def test_a_worker_killed_half_way_is_said(tmp_path: Path) -> None:
    text = answer(GOOD)
    script = text[:200] + "<<die>>" + text[200:]
    async with scripted(NAMES[1], tmp_path, script, options={"generation.candidates": 1}) as one:
        uri = one.open("op_kernel/vector_sum.cpp", SPEC)
        await ready(one)
        outcome = await one.command("kernelgen.generateKernel", uri, {"line": 0, "character": 0})
        assert outcome["applied"] is False
        assert "died" in outcome["reason"]


async def test_records_are_kept_only_where_asked_for(tmp_path: Path) -> None:
    records = tmp_path / "data" / "kernelgen-ls" / "generations.jsonl"
    for enabled in (False, True):
        async with scripted(NAMES[0], tmp_path, answer(GOOD), options={"generation.records": enabled}) as one:
            uri = one.open("op_kernel/vector_sum.cpp", SPEC)
            await ready(one)
            await one.command("kernelgen.generateKernel", uri, {"line": 0, "character": 0})
            one.change(uri, 2, SPEC + GOOD + "// mine\n")
            one.save(uri)
            await one.command("kernelgen.status")
        assert records.exists() is enabled
    first, second = (json.loads(line) for line in records.read_text(encoding="utf-8").splitlines())
    assert second["kept"] == first["id"]
    assert second["files"]["op_kernel/vector_sum.cpp"].endswith("// mine\n")


async def test_an_untitled_document_is_written_into_and_nothing_beside_it(tmp_path: Path) -> None:
    async with scripted(NAMES[0], tmp_path, answer(GOOD)) as one:
        uri = "untitled:Untitled-1"
        one.client.text_document_did_open(
            types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "ascendc", 1, SPEC))
        )
        await ready(one)
        outcome = await one.command("kernelgen.generateKernel", uri, {"line": 0, "character": 0})
        assert outcome["applied"] is True, outcome
        (change,) = one.applied[0].edit.document_changes or []
        assert isinstance(change, types.TextDocumentEdit)
        assert (change.text_document.uri, change.text_document.version) == (uri, 1)
