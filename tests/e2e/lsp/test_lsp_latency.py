"""Latency through the whole server: a kept measurement, stale after an edit, an estimate where nothing measured."""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path

import pytest
from lsprotocol import types

from kernelgen_ls.rpc.wire import to_wire
from kernelgen_ls.runner.jobs.messages import (
    CheckRequest,
    CheckResult,
    Latency,
    MeasureRequest,
    MeasureResult,
    Outcome,
    PipeTime,
    SourceFile,
    ToolchainInfo,
)
from kernelgen_ls.runner.toolchains.replay.toolchain import record_name
from kernelgen_ls.work.history import History, KernelKey, Measured, tree_hash
from kernelgen_ls.workspace.operators import operator_of
from kernelgen_ls.workspace.tree import tree_of
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


def sent(root: Path) -> tuple[SourceFile, ...]:
    """What a runner gets of the kernel below ``root``."""
    tree = tree_of(operator_of(root / "op_kernel" / f"{NAME}.cpp", (root,)))
    return tuple(SourceFile(path, text) for path, text in tree.texts.items())


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
        assert outcome["reason"].startswith("No runner measures: set kernelgen.runners.pool")
        if sys.platform == "linux":
            assert outcome["reason"].endswith("Run on CPU says whether the kernel is right.")
            assert outcome["instead"] == {"title": "Run on CPU", "command": "kernelgen.verify"}
        one.change(uri, 2, GOOD)
        assert await hover(one, uri, GOOD) == ""


@pytest.mark.parametrize("name", NAMES)
async def test_a_kept_measurement_is_shown_until_the_text_changes(name: str, tmp_path: Path) -> None:
    file = tmp_path / "workspace" / "op_kernel" / f"{NAME}.cpp"
    file.parent.mkdir(parents=True)
    file.write_text(GOOD, encoding="utf-8")
    root = tmp_path / "workspace"
    compiled = [(one.path, one.text or "") for one in sent(root)]
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


def stand_in_ssh(folder: Path, record: Path) -> dict[str, str]:
    """An ``ssh`` that reaches a runner which answers from a record; returns the environment that finds it."""
    folder.mkdir()
    script = folder / "ssh"
    command = shlex.join([sys.executable, "-m", "kernelgen_ls", "runner", "--stdio", "--no-cache"])
    script.write_text(f"#!/bin/sh\nexec {command} --toolchain replay --record {shlex.quote(str(record))}\n")
    script.chmod(0o755)
    return {"PATH": f"{folder}:{os.environ['PATH']}"}


def write_record(record: Path, root: Path) -> None:
    """What a runner with a device once said of the kernel below ``root``."""
    record.mkdir()
    info = ToolchainInfo("cann", soc="Ascend910B1", cann="8.3.RC1")
    (record / "toolchain.json").write_text(json.dumps(to_wire(info)))
    latency = Latency(
        (7.0, 7.1, 7.2), pipes=(PipeTime("MTE2", 6.0, 0.85),), soc="Ascend910B1", cann="8.3.RC1", taken_at=1.0
    )
    files = sent(root)
    path = f"op_kernel/{NAME}.cpp"
    measure = MeasureRequest(path, files, "Ascend910B1", NAME, "cases.py", document="", fresh=True)
    answers = (
        (measure, MeasureResult(Outcome.PASSED, latency, toolchain=info)),
        (CheckRequest(path, files, "Ascend910B1"), CheckResult(Outcome.PASSED, toolchain=info)),
    )
    for job, result in answers:
        (record / record_name(job)).write_text(json.dumps(to_wire(result)))


async def test_a_replayed_measurement_is_called_replayed_and_stale_after_an_edit(tmp_path: Path) -> None:
    root = tmp_path / "workspace"
    (root / "op_kernel").mkdir(parents=True)
    (root / "op_kernel" / f"{NAME}.cpp").write_text(GOOD, encoding="utf-8")
    (root / "cases.py").write_text("# cases\n")
    write_record(tmp_path / "record", root)
    options = OPTIONS | {
        "runners.pool": [{"name": "board", "transport": "ssh", "host": "board"}],
        "runners.measure": "board",
    }
    env = stand_in_ssh(tmp_path / "bin", tmp_path / "record")
    async with editor(NAMES[0], tmp_path, options=options, env=env) as one:
        uri = one.open(f"op_kernel/{NAME}.cpp", GOOD)
        assert await lens(one, uri) == "Measure"
        outcome = await one.command("kernelgen.measure", uri, {"line": 70, "character": 0})
        assert (outcome["entry"], outcome["kind"], outcome["medianUs"]) == (NAME, "replayed", 7.1)
        assert await lens(one, uri) == "7.1 us replayed | Measure"
        page = await hover(one, uri, GOOD)
        assert "**7.10 us** replayed (median of 3" in page
        assert "on board, Ascend910B1, CANN 8.3.RC1" in page
        assert "| MTE2 (binds) |" in page
        one.change(uri, 2, GOOD + "\n")
        assert "Stale" in await hover(one, uri, GOOD)
        second = await one.command("kernelgen.measure", uri, {"line": 70, "character": 0})
        assert "record" in second["reason"]
        assert [part["state"] for part in one.statuses[-1]["runners"]] == ["connected"]


@pytest.mark.parametrize("checked", [True, False])
async def test_a_saved_kernel_is_measured_and_one_that_is_only_opened_is_not(checked: bool, tmp_path: Path) -> None:
    root = tmp_path / "workspace"
    (root / "op_kernel").mkdir(parents=True)
    (root / "op_kernel" / f"{NAME}.cpp").write_text(GOOD, encoding="utf-8")
    (root / "cases.py").write_text("# cases\n")
    write_record(tmp_path / "record", root)
    options = OPTIONS | {
        "check.enabled": checked,
        "runners.pool": [{"name": "board", "transport": "ssh", "host": "board"}],
        "runners.measure": "board",
        "runners.measureOnSave": True,
    }
    env = stand_in_ssh(tmp_path / "bin", tmp_path / "record")
    history, key = (
        History(tmp_path / "data" / "kernelgen-ls" / "latency"),
        KernelKey(str(root), f"op_kernel/{NAME}.cpp", NAME),
    )
    async with editor(NAMES[0], tmp_path, options=options, env=env) as one:
        uri = one.open(f"op_kernel/{NAME}.cpp", GOOD)
        await one.command("kernelgen.checkNow", uri)
        assert await lens(one, uri) == "Measure"
        assert not history.entries(key)
        one.save(uri)
        (measured,) = await one.until(lambda: history.entries(key))
        assert measured.latency.median_us == 7.1


async def test_an_unreachable_runner_is_said_with_what_to_do(tmp_path: Path) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    script = folder / "ssh"
    script.write_text("#!/bin/sh\necho 'Permission denied (publickey).' >&2\nexit 255\n")
    script.chmod(0o755)
    options = OPTIONS | {
        "runners.pool": [{"name": "board", "transport": "ssh", "host": "board"}],
        "runners.measure": "board",
    }
    (tmp_path / "workspace").mkdir()
    (tmp_path / "workspace" / "cases.py").write_text("# cases\n")
    env = {"PATH": f"{folder}:{os.environ['PATH']}"}
    async with editor(NAMES[1], tmp_path, options=options, env=env) as one:
        uri = one.open(f"{NAME}.cpp", GOOD)
        outcome = await one.command("kernelgen.measure", uri, {"line": 70, "character": 0})
        assert "Permission denied" in outcome["reason"]
        found = await one.until(
            lambda: [part for part in one.statuses[-1]["runners"] if part["state"] == "unreachable"]
        )
        assert "Permission denied" in found[0]["detail"]
