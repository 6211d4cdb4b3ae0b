"""Every recorded editor in both encodings: Chinese comments and emoji before each place that is asked about or changed.

The model is scripted, the checker is the real one.
"""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.e2e.lsp.lsp_client import NAMES, Editor, editor

CLEAN = (Path(__file__).parents[2] / "kernels" / "clean" / "vector_sum.cpp").read_text(encoding="utf-8")
CALL, DECLARATION = "totalQueue.FreeTensor(totalTile);", "TQue<TPosition::VECIN, DEPTH> leftQueue;"
GOOD = CLEAN.replace(CALL, f"/* 释放 😀😀 */ {CALL}").replace(DECLARATION, f"/* 队列 😀 */ {DECLARATION}")
BROKEN = GOOD.replace(CALL, CALL.replace("FreeTensor", "FreeTensr"))
MISPLACED = GOOD.replace(DECLARATION, DECLARATION.replace("VECIN", "VECOUT"))
SPEC = """// 算子 😀
// op: VectorSum
// formula: total = left + right
// in left: float16 [131072]
// in right: float16 [131072]
// out total: float16 [131072]
/* 下面 😀😀 */"""
HALF = "        /* 相加 😀😀 */ "
REST = "Add(totalTile, leftTile, rightTile, TILE);"


def place(text: str, word: str, one: Editor) -> types.Position:
    """Where a word first stands, as the client counts."""
    before = text[: text.index(word)]
    line = before[before.rfind("\n") + 1 :]
    return types.Position(before.count("\n"), one.units(line))


def after(text: str, edits: Any, one: Editor) -> str:
    """The text when the client has done the edits, counting in its own units."""
    lines = text.splitlines(keepends=True)
    starts = [sum(map(len, lines[:number])) for number in range(len(lines) + 1)]

    def offset(at: types.Position) -> int:
        if at.line >= len(lines):
            return len(text)
        column = next(n for n in range(len(lines[at.line]) + 1) if one.units(lines[at.line][:n]) == at.character)
        return starts[at.line] + column

    for edit in sorted(edits, key=lambda one: (one.range.start.line, one.range.start.character), reverse=True):
        text = text[: offset(edit.range.start)] + edit.new_text + text[offset(edit.range.end) :]
    return text


def edits_of(edit: types.WorkspaceEdit, uri: str) -> list[Any]:
    """The edits of one document, whichever way they came."""
    changes = list((edit.changes or {}).get(uri, []))
    for change in edit.document_changes or []:
        if isinstance(change, types.TextDocumentEdit) and change.text_document.uri == uri:
            changes += change.edits
    return changes


async def actions(one: Editor, uri: str, at: types.Position) -> dict[str, types.CodeAction]:
    found = await one.client.text_document_code_action_async(
        types.CodeActionParams(types.TextDocumentIdentifier(uri), types.Range(at, at), types.CodeActionContext([]))
    )
    return {action.title: action for action in found or [] if isinstance(action, types.CodeAction)}


async def run(one: Editor, action: types.CodeAction) -> types.WorkspaceEdit:
    """Run an action's command and take the edit that it sends."""
    assert action.command is not None
    outcome = await one.command(action.command.command, *(action.command.arguments or []))
    assert outcome["applied"] is True, outcome
    return one.applied.pop().edit


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("name", NAMES)
async def test_every_place_is_right(name: str, encoding: str, tmp_path: Path) -> None:
    mended = f"想。\n</think>\n<kernel_impl>\n```cpp\n{GOOD}```\n</kernel_impl>\n"
    written = GOOD.replace(REST, HALF.strip() + " " + REST)
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"answers": [mended], "documents": [written], "name": "scripted"}))
    model = tmp_path / "model.gguf"
    model.touch()
    worker = shlex.join([sys.executable, "-m", "kernelgen_ls.testing.scripted_worker", str(script)])
    options = {
        "model.path": str(model),
        "generation.profile": "zh",
        "generation.writer": "model",
        "check.onIdle": False,
    }
    environment = {"KERNELGEN_MODEL_WORKER": worker}
    async with editor(name, tmp_path, options=options, env=environment, encoding=encoding) as one:
        assert one.encoding == encoding
        broken = one.open("broken/op_kernel/vector_sum.cpp", BROKEN)
        await one.until(lambda: one.statuses and one.statuses[-1]["model"]["state"] in ("ready", "slow"))

        (error,) = [d for d in await one.diagnostics(broken, 1) if d.severity is types.DiagnosticSeverity.Error]
        assert error.range.start == place(BROKEN, "FreeTensr", one)
        fix = (await actions(one, broken, error.range.start))["Fix with KernelGen"]
        assert [diagnostic.range for diagnostic in fix.diagnostics or []] == [error.range]
        assert after(BROKEN, edits_of(await run(one, fix), broken), one) == GOOD

        misplaced = one.open("misplaced/op_kernel/vector_sum.cpp", MISPLACED)
        (warning,) = await one.diagnostics(misplaced, 1)
        assert (warning.related_information or [])[0].location.range.start == place(MISPLACED, "leftQueue;", one)
        offered = await actions(one, misplaced, warning.range.start)
        resolved = await one.client.code_action_resolve_async(offered["Declare 'leftQueue' at VECIN"])
        assert resolved.edit is not None
        assert after(MISPLACED, edits_of(resolved.edit, misplaced), one) == GOOD

        specification = one.open("spec/op_kernel/vector_sum.cpp", SPEC)
        generate = (await actions(one, specification, types.Position(1, 0)))["Generate kernel VectorSum"]
        lines = after(SPEC, edits_of(await run(one, generate), specification), one).splitlines(keepends=True)
        said = [line for line in lines if line.startswith("// As generated: right on the twin: ")]
        assert (len(said), "".join(line for line in lines if line not in said)) == (1, f"{SPEC}\n{GOOD}")

        typed = written.replace(REST, "@", 1)
        cursor = place(typed, "@", one)
        typing = one.open("typing/op_kernel/vector_sum.cpp", typed.replace("@", ""))
        found = await one.client.text_document_inline_completion_async(
            types.InlineCompletionParams(
                types.InlineCompletionContext(types.InlineCompletionTriggerKind.Invoked),
                types.TextDocumentIdentifier(typing),
                cursor,
            )
        )
        assert isinstance(found, types.InlineCompletionList)
        assert found.items[0].range == types.Range(cursor, cursor)
        assert found.items[0].insert_text == REST
