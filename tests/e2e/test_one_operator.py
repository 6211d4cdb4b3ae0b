"""Editor and terminal see the same operator: the same files, the same findings, the same prompts, whatever it is like.

Each row of the table is an operator as it lies on somebody's disk. Every command that reads one and the language
server run over it: a runner that writes down what it is sent stands in for a machine with an NPU, a scripted worker for
a model.
"""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve, field, frozen
from click.testing import CliRunner
from lsprotocol import types

from kernelgen_ls.cli.program import main
from tests.e2e.lsp.lsp_client import NAMES, Editor, editor
from tests.fakes.listing_runner import stand_in_ssh

SPEC = """// op: Doubled
// formula: y = x * scale
// in x: float16 [2048]
// out y: float16 [2048]
// attr scale: float 2.0
"""
ENTRY = """extern "C" __global__ __aicore__ void doubled(GM_ADDR x, GM_ADDR y, GM_ADDR tiling)
{
    AscendC::PipeBarier<PIPE_ALL>();
}
"""
HEAD = '#include "kernel_operator.h"\n'
KERNEL = f"{HEAD}{SPEC}{ENTRY}"
USES_TILING = KERNEL.replace(
    "    AscendC", "    GET_TILING_DATA(data, tiling);\n    uint32_t n = data.size;\n    AscendC"
)
HOST = """#include "register/tilingdata_base.h"
namespace optiling {
BEGIN_TILING_DATA_DEF(DoubledTilingData)
TILING_DATA_FIELD_DEF(uint32_t, size);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Doubled, DoubledTilingData)
}
"""
HEADER = "#pragma once\n// 说明：每块的长度\nconstexpr int TILE = 256;\n"
CASES = "def cases():\n    return []\n"
PLAIN = {"op/op_kernel/doubled.cpp": USES_TILING, "op/op_host/doubled_tiling.h": HOST, "op/doubled_cases.py": CASES}
FINDING = "PipeBarier"


def including(name: str, text: str = KERNEL) -> str:
    return text.replace(HEAD, f'{HEAD}#include "{name}"\nconstexpr int LENGTH = TILE;\n')


@frozen
class Row:
    """An operator: its files, what an editor has not saved yet, and which files a check of its kernel takes."""

    files: dict[str, str | bytes]
    needs: tuple[str, ...]
    entry: str = "op/op_kernel/doubled.cpp"
    unsaved: dict[str, str] = field(factory=dict)
    at: tuple[int, int] | None = None
    """Line and column of the finding, from 0, where they are not where the text says."""

    def write(self, folder: Path, *, saved: bool) -> None:
        """Lay the operator below ``folder``; with ``saved`` what the editor holds is on the disk too."""
        for path, text in {**self.files, **(self.unsaved if saved else {})}.items():
            place = folder / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(text if isinstance(text, bytes) else text.encode())

    def opened(self) -> dict[str, str]:
        """What an editor has open, as it shows it."""
        text = self.files[self.entry]
        shown = text.decode("utf-8-sig") if isinstance(text, bytes) else text
        return {self.entry: shown, **self.unsaved}


TABLE = {
    "plain": Row(PLAIN, ("op/op_kernel/doubled.cpp", "op/op_host/doubled_tiling.h")),
    "third-party folder in the operator": Row(
        {
            "op/op_kernel/doubled.cpp": including("third_party/inc/tile.h"),
            "op/third_party/inc/tile.h": HEADER,
            "op/doubled_cases.py": CASES,
        },
        ("op/op_kernel/doubled.cpp", "op/third_party/inc/tile.h"),
    ),
    "third-party folder of the repository": Row(
        {
            "ops/nn/op/op_kernel/doubled.cpp": including("third_party/inc/tile.h"),
            "third_party/inc/tile.h": HEADER,
            "ops/nn/op/doubled_cases.py": CASES,
        },
        ("ops/nn/op/op_kernel/doubled.cpp", "third_party/inc/tile.h"),
        entry="ops/nn/op/op_kernel/doubled.cpp",
    ),
    "ignored, and included all the same": Row(
        {
            ".gitignore": "generated/\nlarge.csv\n",
            "op/op_kernel/doubled.cpp": including("generated/tile.h"),
            "op/op_kernel/generated/tile.h": HEADER,
            "op/op_kernel/generated/other.h": HEADER,
            "op/large.csv": "1,2,3\n",
            "op/doubled_cases.py": CASES,
        },
        ("op/op_kernel/doubled.cpp", "op/op_kernel/generated/tile.h"),
    ),
    "GB18030": Row(
        {
            "op/op_kernel/doubled.cpp": including("tile.h", USES_TILING),
            "op/op_kernel/tile.h": HEADER.encode("gb18030"),
            "op/op_host/doubled_tiling.h": (HOST + "// 主机侧\n").encode("gb18030"),
            "op/doubled_cases.py": CASES,
        },
        ("op/op_kernel/doubled.cpp", "op/op_kernel/tile.h", "op/op_host/doubled_tiling.h"),
    ),
    "UTF-16": Row(
        {
            "op/op_kernel/doubled.cpp": including("tile.h"),
            "op/op_kernel/tile.h": HEADER.encode("utf-16"),
            "op/doubled_cases.py": CASES,
        },
        ("op/op_kernel/doubled.cpp", "op/op_kernel/tile.h"),
    ),
    "byte order mark": Row(
        {
            "op/op_kernel/doubled.cpp": f'static_assert(sizeof(int) == 8, "{FINDING}");\n{KERNEL}'.encode("utf-8-sig"),
            "op/op_host/doubled_tiling.h": HOST.encode("utf-8-sig"),
            "op/doubled_cases.py": CASES,
        },
        ("op/op_kernel/doubled.cpp", "op/op_host/doubled_tiling.h"),
    ),
    "CRLF": Row(
        {path: text.replace("\n", "\r\n") for path, text in PLAIN.items()},
        ("op/op_kernel/doubled.cpp", "op/op_host/doubled_tiling.h"),
    ),
    "nested operators": Row(
        {
            **PLAIN,
            "op/op_kernel/doubled.cpp": including("tile.h", USES_TILING),
            "op/op_kernel/tile.h": HEADER,
            "op/inner/op_kernel/doubled.cpp": including("tile.h"),
            "op/inner/op_kernel/tile.h": HEADER.replace("256", "128"),
            "op/inner/op_host/other_tiling.h": HOST.replace("size", "length"),
            "op/inner/doubled_cases.py": CASES,
        },
        ("op/inner/op_kernel/doubled.cpp", "op/inner/op_kernel/tile.h", "op/inner/op_host/other_tiling.h"),
        entry="op/inner/op_kernel/doubled.cpp",
    ),
    "unsaved texts": Row(
        {
            **PLAIN,
            "op/op_kernel/doubled.cpp": "// nothing yet\n",
            "op/op_kernel/tile.h": "#pragma once\n",
            "op/op_host/doubled_tiling.h": HOST.replace("size", "old"),
        },
        ("op/op_kernel/doubled.cpp", "op/op_kernel/tile.h", "op/op_host/doubled_tiling.h"),
        unsaved={
            "op/op_kernel/doubled.cpp": including("tile.h", USES_TILING),
            "op/op_kernel/tile.h": HEADER,
            "op/op_host/doubled_tiling.h": HOST,
        },
    ),
    "a lone file among others": Row(
        {
            "kernels/doubled.asc": including("tile.h"),
            "kernels/tile.h": HEADER,
            "kernels/other.asc": KERNEL.replace("doubled", "other"),
            "kernels/doubled_cases.py": CASES,
        },
        ("kernels/doubled.asc", "kernels/tile.h"),
        entry="kernels/doubled.asc",
    ),
}  # fmt: skip


@pytest.fixture(params=list(TABLE), ids=lambda name: name.replace(" ", "-"))
def row(request: pytest.FixtureRequest) -> Row:
    return TABLE[request.param]


@frozen
class Seen:
    """What one face made of an operator: findings, what a runner was sent by kind of job, prompts by method."""

    findings: set[tuple[int, int, str, str]]
    sent: dict[str, dict[str, str]]
    prompts: dict[str, str]


def jobs(log: Path, row: Row) -> dict[str, dict[str, str]]:
    """The files of the latest job of each kind, by path from the workspace; of checks, those of the row's own file."""
    found, root = {}, operator(row)
    for line in log.read_text("utf-8").splitlines():
        job = json.loads(line)
        if job["kind"] == "check" and job["entry"] != row.entry:
            continue  # of another file that is open
        above = root if job["kind"] != "check" and not job["entry"].startswith(root) else ""
        found[job["kind"]] = {above + path: text for path, text in job["files"].items()}
    return found


def prompts(log: Path) -> dict[str, str]:
    lines = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    return {line["method"]: line["prompt"] for line in reversed(lines)}


def worker(folder: Path, script: dict[str, Any]) -> str:
    """The command line of a model that answers by ``script``."""
    path = folder / "script.json"
    path.write_text(json.dumps({**script, "log": str(folder / "prompts.jsonl")}))
    return shlex.join([sys.executable, "-m", "kernelgen_ls.testing.scripted_worker", str(path)])


CORRECT = KERNEL.replace(FINDING, "PipeBarrier")
SCRIPT = {
    "answers": [f"ok\n</think>\n<kernel_impl>\n```cpp\n{CORRECT}```\n</kernel_impl>\n"],
    "documents": [KERNEL],
}


SETTINGS: dict[str, Any] = {
    "runners.pool": [{"name": "board", "transport": "ssh", "host": "board"}],
    "runners.check": "board",
    "runners.measure": "board",
    "generation.profile": "en",
    "generation.candidates": 1,
    "generation.rounds": 0,
    "generation.writer": "model",
    "check.onIdle": False,
}


def cursor(row: Row) -> tuple[int, int]:
    """Where ghost text is asked for: the end of the line with the finding, from 0."""
    lines = row.opened()[row.entry].replace("\r\n", "\n").split("\n")
    line = next(number for number, text in enumerate(lines) if FINDING in text)
    return line, len(lines[line])


def entry_line(row: Row) -> int:
    """Where a kernel is generated: at its entry function."""
    lines = row.opened()[row.entry].replace("\r\n", "\n").split("\n")
    return next(number for number, text in enumerate(lines) if "__global__" in text)


def in_terminal(row: Row, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Seen:
    """What the commands make of it, run in the workspace's folder."""
    prepare(folder, monkeypatch, SCRIPT)
    row.write(folder / "workspace", saved=True)
    monkeypatch.chdir(folder / "workspace")
    line, column = cursor(row)

    def run(*arguments: str) -> str:
        result = CliRunner().invoke(main, list(arguments), catch_exceptions=False)
        assert result.exit_code in (0, 1), result.output
        return result.stdout

    checked = json.loads(run("check", "--json", "--runner", "board", row.entry))
    run("verify", row.entry)
    run("measure", row.entry)
    run("complete", f"{row.entry}:{line + 1}:{column + 1}")
    run("generate", row.entry)
    findings = {
        (at["start"]["line"], at["start"]["column"], finding["code"], finding["message"])
        for finding in checked["findings"]
        if finding["path"] == row.entry and (at := finding["location"]["range"])
    }
    return Seen(findings, jobs(folder / "jobs.jsonl", row), prompts(folder / "prompts.jsonl"))


def prepare(folder: Path, monkeypatch: pytest.MonkeyPatch, script: dict[str, Any]) -> None:
    """A user's home in ``folder``, with a model and a runner in the settings."""
    for kind in ("CONFIG", "CACHE", "DATA", "STATE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(folder / kind.lower()))
    (folder / "config/kernelgen-ls").mkdir(parents=True)
    model = folder / "model.gguf"
    model.write_bytes(b"GGUF")
    chosen = json.dumps({**SETTINGS, "model.path": str(model)})
    (folder / "config/kernelgen-ls/settings.json").write_text(chosen)
    for name, value in stand_in_ssh(folder / "bin", folder / "jobs.jsonl").items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("KERNELGEN_MODEL_WORKER", worker(folder, script))


def operator(row: Row) -> str:
    """The operator's folder as it begins its files' paths."""
    folder = Path(row.entry).parent
    return f"{folder.parent if folder.name == 'op_kernel' else folder}/"


async def in_editor(row: Row, folder: Path) -> Seen:
    """What the language server makes of it; the files are opened and nothing is saved."""
    row.write(folder / "workspace", saved=False)
    model = folder / "model.gguf"
    model.write_bytes(b"GGUF")
    env = {**stand_in_ssh(folder / "bin", folder / "jobs.jsonl"), "KERNELGEN_MODEL_WORKER": worker(folder, SCRIPT)}
    options = {**SETTINGS, "model.path": str(model)}
    async with editor(NAMES[0], folder, options=options, env=env, encoding="utf-32") as one:
        uris = {path: show(one, path, text) for path, text in row.opened().items()}
        uri = uris[row.entry]
        await one.until(lambda: one.statuses and one.statuses[-1]["model"]["state"] in ("ready", "slow"))
        await one.command("kernelgen.checkNow", uri)
        line, column = cursor(row)
        await one.client.text_document_inline_completion_async(
            types.InlineCompletionParams(
                types.InlineCompletionContext(types.InlineCompletionTriggerKind.Invoked),
                types.TextDocumentIdentifier(uri),
                types.Position(line, column),
            )
        )
        shown = await one.diagnostics(uri, 1)
        await one.command("kernelgen.measure", uri)
        await one.command("kernelgen.generateKernel", uri, {"line": entry_line(row), "character": 0})
    findings = {
        (item.range.start.line, item.range.start.character, str(item.code or ""), item.message) for item in shown
    }
    return Seen(findings, jobs(folder / "jobs.jsonl", row), prompts(folder / "prompts.jsonl"))


def show(one: Editor, path: str, text: str) -> str:
    """Open a file whose text on the disk stays as it is."""
    uri = (one.root / path).as_uri()
    one.client.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "cpp", 1, text)))
    return uri


async def test_editor_and_terminal_see_the_same_operator(
    row: Row, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = dict(os.environ)
    terminal = await asyncio.to_thread(in_terminal, row, tmp_path / "terminal", monkeypatch)
    monkeypatch.undo()
    assert dict(os.environ) == home
    seen = await in_editor(row, tmp_path / "editor")

    assert any(FINDING in message for *_, message in terminal.findings), "the kernel's own error is found"
    assert not any("not found" in message for *_, message in terminal.findings), "every include is found"
    assert seen.findings == terminal.findings

    assert set(terminal.sent["check"]) == set(row.needs)
    assert seen.sent["check"] == terminal.sent["check"]
    assert seen.sent["measure"] == terminal.sent["measure"] == terminal.sent["verify"]
    assert {path: terminal.sent["measure"][path] for path in row.needs} == terminal.sent["check"]
    assert not any("other" in path for path in terminal.sent["measure"] if "op_host" not in path)
    assert not any(path.endswith("large.csv") for path in terminal.sent["measure"])

    assert seen.prompts["complete"] == terminal.prompts["complete"]
    assert seen.prompts["generate"] == terminal.prompts["generate"]


def test_texts_arrive_decoded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table's encodings are all read as what they say, so that equal does not mean equally wrong."""
    for name in ("GB18030", "UTF-16"):
        sent = in_terminal(TABLE[name], tmp_path / name, monkeypatch).sent["check"]
        assert sent["op/op_kernel/tile.h"] == HEADER
        monkeypatch.undo()


LINT = "kernel/copy-alignment"
UNALIGNED = KERNEL.replace(
    f"    AscendC::{FINDING}<PIPE_ALL>();\n",
    "    AscendC::GlobalTensor<half> from;\n    AscendC::LocalTensor<half> to;\n    AscendC::DataCopy(to, from, 7);\n",
)


@pytest.mark.parametrize(("severity", "errors"), [("off", 0), ("error", 1)])
async def test_a_lint_that_a_project_turns_off_is_off_for_everybody(
    severity: str, errors: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Editor, terminal, candidates of both, and what is measured after a save: each counts it or none does."""
    row = Row({**PLAIN, ".kernelgen.json": json.dumps({"check.lints": {LINT: severity}})}, ())
    row = evolve(row, files={**row.files, row.entry: UNALIGNED})
    script = {"answers": [f"ok\n</think>\n<kernel_impl>\n```cpp\n{UNALIGNED}```\n</kernel_impl>\n"]}

    def terminal() -> tuple[int, int]:
        folder = tmp_path / "terminal"
        prepare(folder, monkeypatch, script)
        row.write(folder / "workspace", saved=True)
        monkeypatch.chdir(folder / "workspace")
        runs = [CliRunner().invoke(main, [command, row.entry]) for command in ("check", "generate")]
        return runs[0].exit_code, runs[1].exit_code

    assert await asyncio.to_thread(terminal) == (errors, errors)
    monkeypatch.undo()

    folder = tmp_path / "editor"
    row.write(folder / "workspace", saved=True)
    (folder / "model.gguf").write_bytes(b"GGUF")
    env = {**stand_in_ssh(folder / "bin", folder / "jobs.jsonl"), "KERNELGEN_MODEL_WORKER": worker(folder, script)}
    options = {**SETTINGS, "model.path": str(folder / "model.gguf"), "runners.check": "", "runners.measureOnSave": True}
    async with editor(NAMES[0], folder, options=options, env=env) as one:
        uri = show(one, row.entry, UNALIGNED)
        await one.until(lambda: one.statuses and one.statuses[-1]["model"]["state"] in ("ready", "slow"))
        shown = await one.diagnostics(uri, 1)
        assert [item.code for item in shown if item.code == LINT] == [LINT] * errors
        assert (await one.command("kernelgen.checkNow", uri))["errors"] == errors
        generated = await one.command("kernelgen.generateKernel", uri, {"line": entry_line(row), "character": 0})
        assert generated["errors"] == errors
        one.save(uri)
        if not errors:
            await one.until((folder / "jobs.jsonl").exists)
        await one.command("kernelgen.checkNow", uri)
    assert (folder / "jobs.jsonl").exists() is not bool(errors), "measured after the save unless an error is in it"
