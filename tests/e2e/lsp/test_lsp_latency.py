"""Latency through the whole server: a kept measurement, stale after an edit, an estimate where nothing measured."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from kernelgen_ls.runner.collect import collect
from kernelgen_ls.runner.history import History, KernelKey, Measured, tree_hash
from kernelgen_ls.runner.messages import Latency
from tests.e2e.lsp.lsp_client import NAMES, Editor, editor

OPTIONS = {"completion.enabled": False, "generation.enabled": False, "check.enabled": False}
SPEC = """// op: VectorSum
// in left: float16 [131072]
// in right: float16 [131072]
// out total: float16 [131072]
"""
GOOD = (Path(__file__).parents[2] / "kernels" / "clean" / "vector_sum.cpp").read_text(encoding="utf-8")
NAME = "vector_sum"


def with_shapes() -> str:
    return GOOD.replace('extern "C"', SPEC + 'extern "C"', 1)


async def hover(one: Editor, uri: str, text: str) -> str:
    line = next(number for number, row in enumerate(text.splitlines()) if "__global__ __aicore__" in row)
    at = types.Position(line, text.splitlines()[line].index(f"{NAME}(") + 1)
    found = await one.client.text_document_hover_async(types.HoverParams(types.TextDocumentIdentifier(uri), at))
    if found is None:
        return ""
    assert isinstance(found.contents, types.MarkupContent)
    return found.contents.value


async def lens(one: Editor, uri: str) -> str:
    found = await one.client.text_document_code_lens_async(types.CodeLensParams(types.TextDocumentIdentifier(uri)))
    return found[0].command.title if found and found[0].command else ""


async def test_without_a_runner_there_is_an_estimate_and_no_measure(tmp_path: Path) -> None:
    async with editor(NAMES[1], tmp_path, options=OPTIONS) as one:
        text = with_shapes()
        uri = one.open(f"op_kernel/{NAME}.cpp", text)
        page = await hover(one, uri, text)
        assert "*Estimate:* at least" in page
        assert "measured" not in page
        assert (await lens(one, uri)).startswith("estimate: at least")
        outcome = await one.command("kernelgen.measure", uri, {"line": 0, "character": 0})
        assert "No runner measures" in outcome["reason"]
        one.change(uri, 2, GOOD)
        assert await hover(one, uri, GOOD) == ""


@pytest.mark.parametrize("name", NAMES)
async def test_a_kept_measurement_is_shown_until_the_text_changes(name: str, tmp_path: Path) -> None:
    file = tmp_path / "workspace" / "op_kernel" / f"{NAME}.cpp"
    file.parent.mkdir(parents=True)
    file.write_text(GOOD, encoding="utf-8")
    root = tmp_path / "workspace"
    compiled = [(one.path, one.text or "") for one in collect(root)]
    measured = Measured(tree_hash(compiled), "board", Latency((12.0, 12.5, 13.0), soc="Ascend910B1", taken_at=1.0))
    key = KernelKey(str(root), f"op_kernel/{NAME}.cpp", NAME)
    History(tmp_path / "data" / "kernelgen-ls" / "latency").append(key, measured)
    async with editor(name, tmp_path, options=OPTIONS) as one:
        uri = one.open(f"op_kernel/{NAME}.cpp", GOOD)
        page = await hover(one, uri, GOOD)
        assert "**12.50 us** measured" in page
        assert "Stale" not in page
        assert await lens(one, uri) == "12.5 us"
        edited = GOOD + "// 注释\n"
        one.change(uri, 2, edited)
        assert "Stale" in await hover(one, uri, edited)
        assert await lens(one, uri) == "12.5 us, stale"
        one.change(uri, 3, GOOD)
        assert "Stale" not in await hover(one, uri, GOOD)
