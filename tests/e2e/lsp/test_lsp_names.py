"""Hover, completion, signature help and outline through the whole server, in each encoding, without a model."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types

from tests.e2e.lsp.lsp_client import NAMES, Editor, editor

OPTIONS = {"completion.enabled": False, "generation.enabled": False, "check.enabled": False}
TEXT = """#include "kernel_operator.h"
using namespace AscendC;
class Kernel {
    __aicore__ inline void Compute() {
        LocalTensor<half> x = inQueue.DeQue<half>();
        /* 逐元素相加 😀😀 */ Adds(x, x, 加, 8); /* 😀 */ inQueue.FreeTensor(x);
    }
    TQue<QuePosition::VECIN, 2> inQueue;
};
extern "C" __global__ __aicore__ void add(GM_ADDR x) {}
"""
LINE = 5


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=NAMES)
async def one(request: Any, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Editor]:
    async with editor(request.param, tmp_path_factory.mktemp("names"), options=OPTIONS) as running:
        running.open("names.cpp", TEXT)
        running.open("plain.cpp", "int main() { return Adds(1); }\n")
        yield running


pytestmark = pytest.mark.asyncio(loop_scope="module")


def place(one: Editor, after: str, text: str = TEXT) -> types.Position:
    """The cursor right after a text of the line with Chinese and emoji."""
    line = text.splitlines()[LINE]
    return types.Position(LINE, one.units(line[: line.index(after) + len(after)]))


def document(one: Editor, name: str = "names.cpp") -> types.TextDocumentIdentifier:
    return types.TextDocumentIdentifier((one.root / name).as_uri())


async def test_hover_stands_on_the_name(one: Editor) -> None:
    at = place(one, "Ad")
    found = await one.client.text_document_hover_async(types.HoverParams(document(one), at))
    assert found is not None
    assert isinstance(found.contents, types.MarkupContent)
    assert "Adds" in found.contents.value
    assert found.range == types.Range(types.Position(LINE, at.character - 2), types.Position(LINE, at.character + 2))


async def test_nothing_on_a_comment_or_in_plain_cpp(one: Editor) -> None:
    in_comment = types.Position(LINE, 12)
    assert await one.client.text_document_hover_async(types.HoverParams(document(one), in_comment)) is None
    plain = types.Position(0, 22)
    assert await one.client.text_document_hover_async(types.HoverParams(document(one, "plain.cpp"), plain)) is None


async def test_members_of_a_queue_are_completed(one: Editor) -> None:
    found = await one.client.text_document_completion_async(
        types.CompletionParams(document(one), place(one, "inQueue.Free"))
    )
    assert isinstance(found, types.CompletionList)
    (item,) = [item for item in found.items if item.label == "FreeTensor"]
    assert isinstance(item.text_edit, types.TextEdit)
    end = place(one, "inQueue.Free").character
    assert item.text_edit.range == types.Range(types.Position(LINE, end - 4), types.Position(LINE, end))
    resolved = await one.client.completion_item_resolve_async(item)
    assert isinstance(resolved.documentation, types.MarkupContent)
    assert "FreeTensor" in resolved.documentation.value


async def test_the_parameter_at_the_cursor(one: Editor) -> None:
    found = await one.client.text_document_signature_help_async(
        types.SignatureHelpParams(document(one), place(one, "Adds(x, x, "))
    )
    assert found is not None
    assert (found.active_parameter, "Adds" in found.signatures[0].label) == (2, True)


async def test_the_outline(one: Editor) -> None:
    found = await one.client.text_document_document_symbol_async(types.DocumentSymbolParams(document(one)))
    assert [symbol.name for symbol in found or []] == ["Kernel", "add"]
    (kernel, entry) = found or []
    assert isinstance(kernel, types.DocumentSymbol)
    assert isinstance(entry, types.DocumentSymbol)
    assert ("Compute", "stage ()") in [(child.name, child.detail) for child in kernel.children or []]
    assert (entry.detail or "").startswith("entry function")


async def test_help_that_another_server_gives_can_be_turned_off(one: Editor) -> None:
    off = {"api": {"hover": False, "completion": False, "signatureHelp": False, "symbols": False}}
    one.client.set_configuration(off, section="kernelgen")
    one.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=None))
    await one.command("kernelgen.status")
    at = place(one, "Adds(x, x, ")
    for _ in range(100):
        outline = await one.client.text_document_document_symbol_async(types.DocumentSymbolParams(document(one)))
        if not outline:
            break
    assert not outline
    assert await one.client.text_document_hover_async(types.HoverParams(document(one), place(one, "Ad"))) is None
    assert await one.client.text_document_signature_help_async(types.SignatureHelpParams(document(one), at)) is None
    assert await one.client.text_document_completion_async(types.CompletionParams(document(one), at)) is None
