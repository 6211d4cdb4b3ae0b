"""The whole way through the real server and the real checker.

As a user goes it in a clean Neovim with the plugin's folder on its runtime path and `kernelgen-ls` on PATH. `pytest -s`
prints the screens.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from .editor import Editor, Version, launch

pytestmark = pytest.mark.editors

GOOD = (Path(__file__).parents[2] / "kernels/clean/vector_sum.cpp").read_text(encoding="utf-8")
EXAMPLES = Path(__file__).parents[3] / "examples"
ADD = "        Add(totalTile, leftTile, rightTile, TILE);"
SPECIFICATION = """// op: VectorSum
// formula: total = left + right
// in left: float16 [131072]
// in right: float16 [131072]
// out total: float16 [131072]
"""
ANSWER = f"Split it evenly.\nTwo buffers.\n</think>\n<kernel_impl>\n```cpp\n{GOOD}```\n</kernel_impl>\n"

Open = Callable[..., Editor]


@pytest.fixture
def open_kernel(version: Version, home: Path, tmp_path: Path) -> Iterator[Open]:
    """Open a file in a project folder, with the user's own settings file beside nothing else."""
    editors: list[Editor] = []

    def begin(text: str, settings: dict[str, Any], environment: dict[str, str] | None = None) -> Editor:
        own = home / "config/kernelgen-ls/settings.json"
        own.parent.mkdir(parents=True)
        own.write_text(json.dumps(settings), encoding="utf-8")
        path = tmp_path / "project/op_kernel/vector_sum.cpp"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        programs = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        editor = launch(
            version,
            home,
            file=path,
            # The server of this checkout, whichever one is installed.
            environment={"PATH": programs, "PYTHONPATH": str(EXAMPLES.parent), **(environment or {})},
            before=["set laststatus=2 statusline=%f\\ %{%v:lua.require'kernelgen'.status()%} shortmess+=F"],
            lines=34,
            columns=120,
        )
        editors.append(editor)
        # The line that a user would have in his own configuration.
        editor.command("imap <C-y> <Plug>(kernelgen-accept)")
        editor.command("imap <C-x><C-x> <Plug>(kernelgen-request)")
        editor.command("setlocal expandtab shiftwidth=4")
        editor.wait(editor.attached, "the server attached")
        editor.wait(lambda: editor.lua(STATE) in ("ready", "slow"), "the model ready")
        return editor

    yield begin
    for editor in editors:
        editor.close()


STATE = "local s = require('kernelgen.status').current() return s and s.model and s.model.state"


def scripted(tmp_path: Path, **script: Any) -> tuple[dict[str, Any], dict[str, str]]:
    """Settings and environment of a server whose model says what the script says."""
    path = tmp_path / "script.json"
    path.write_text(json.dumps({"name": "scripted", **script}), encoding="utf-8")
    model = tmp_path / "model.gguf"
    model.touch()
    worker = shlex.join([sys.executable, "-m", "kernelgen_ls.testing.scripted_worker", str(path)])
    settings = {"model.path": str(model), "generation.profile": "en", "generation.writer": "model"}
    return settings, {"KERNELGEN_MODEL_WORKER": worker}


def errors(editor: Editor) -> list[str]:
    found = editor.lua("return vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR })")
    return [one["message"] for one in found]


def test_type_see_accept_save_see_the_error_fix_it_hover(open_kernel: Open, tmp_path: Path) -> None:
    text = GOOD.replace('extern "C"', SPECIFICATION + 'extern "C"')
    settings, environment = scripted(tmp_path, documents=[text])
    editor = open_kernel(text.replace(ADD + "\n", ""), settings, environment)
    editor.keys("/totalQueue.AllocTensor<lt>half><CR>o")
    editor.wait(lambda: editor.mode() == "i", "insert mode")
    editor.type("Ad")
    editor.wait_ghost(ADD.strip().removeprefix("Ad"))
    assert ADD in editor.print("type and see")
    editor.keys("<C-y><Esc>")
    editor.wait(lambda: ADD in editor.text(), "the accepted line")
    editor.keys(":%s/DataCopy(totalGm/DataCpy(totalGm/<CR>:write<CR>")
    editor.wait(lambda: errors(editor), "the compiler's error")
    assert "DataCpy" in errors(editor)[0]
    editor.keys("gg]d<C-w>d")
    editor.wait_for("Diagnostics:")
    editor.print("save and see the error")
    editor.keys("gra")
    choices = editor.wait_prompt("Type number and <Enter>")
    editor.print("what can be done", choices)
    number = next(row.split(":")[0] for row in choices if "DataCopy" in row and row[:1].isdigit())
    editor.keys(f"{number}<CR>")
    editor.wait(lambda: "        DataCopy(totalGm[offset], totalTile, TILE);" in editor.text(), "the line mended")
    editor.keys(":write<CR>")
    editor.wait(lambda: not errors(editor), "no error any more")
    editor.keys("gg/DataCopy(<CR>f(a<C-s>")
    editor.wait(lambda: "DataCopy" in floats(editor), "the signature")
    editor.print("the parameters")
    editor.keys("<Esc>")
    editor.wait(lambda: editor.mode() == "n", "normal mode")
    editor.keys("gg/DataCopy<CR>K")
    editor.wait(lambda: floats(editor), "the page on DataCopy")
    assert "DataCopy" in floats(editor)
    editor.print("hover an AscendC name")
    editor.keys("G?vector_sum(<CR>")
    editor.wait_for("estimate: at least")
    editor.keys("K")
    editor.wait(lambda: "Estimate" in floats(editor), "the hover of the entry function")
    editor.print("hover the entry function")


CASES = """import numpy as np

CASES = [{"name": "whole", "n": 131072}]
BLOCK_DIM = 8


def inputs(case, rng):
    return [rng.standard_normal(case["n"]).astype(np.float16) for _ in range(2)]


def golden(case, inputs):
    return [inputs[0] + inputs[1]]
"""
FREED = "        rightQueue.FreeTensor(rightTile);"


def found(editor: Editor) -> list[str]:
    """The codes of what a run found that is on show."""
    shown = editor.lua("return vim.diagnostic.get(0)")
    return sorted(str(one["code"]) for one in shown if one["source"] == "twin")


def test_run_on_the_cpu_see_what_is_wrong_mend_it_and_cancel(open_kernel: Open, tmp_path: Path) -> None:
    settings, environment = scripted(tmp_path)
    (tmp_path / "project").mkdir()
    (tmp_path / "project/vector_sum_cases.py").write_text(CASES, encoding="utf-8")
    broken = GOOD.replace(ADD, ADD.replace("Add(", "Sub(")).replace(FREED + "\n", "")
    editor = open_kernel(broken, settings, environment)
    editor.keys("G?vector_sum(<CR>")
    editor.wait_for("Run on CPU")
    editor.command("KernelGen run")
    editor.wait(lambda: "vector_sum: wrong on the twin: case whole" in floats(editor), "the verdict")
    editor.print("the verdict")
    editor.keys("gg:noh<CR>G?vector_sum(<CR>zz")
    editor.wait_for("wrong on the twin | Run")
    assert found(editor) == ["twin/queue-empty"]
    editor.print("what a run found")
    editor.keys("K")
    editor.wait(lambda: "wrong on the twin" in floats(editor), "the hover of the entry function")
    editor.print("hover the entry function that was run")
    editor.keys("<Esc>gg")
    editor.command(f"keeppatterns /rightQueue.DeQue/normal! o{FREED.strip()}")
    editor.wait(lambda: not found(editor), "nothing of the run on show, the text is another")
    editor.wait(lambda: not any("wrong on the twin" in row for row in editor.screen()), "no verdict in the lens")
    editor.command("u")
    editor.command("%s/leftQueue.FreeTensor/rightQueue.FreeTensor(rightTile); leftQueue.FreeTensor/")
    editor.command("write")
    editor.keys("G?vector_sum(<CR>zz")
    editor.run_lens()
    editor.wait(lambda: "twin/wrong-outputs" in found(editor), "the outputs are wrong")
    editor.command("messages clear")
    editor.command("%s/Sub(/Add(/")
    editor.command("KernelGen run")
    editor.wait(
        lambda: "vector_sum: right on the twin: 1 case" in editor.messages() + floats(editor), "the kernel is right"
    )
    assert found(editor) == []
    editor.print("right on the twin")
    editor.command("messages clear")
    editor.command("%s/    kernel.Process();/    kernel.Process(); for (volatile int i = 0; i >= 0;) {}/")
    editor.command("KernelGen run")
    editor.wait_for("whole (1 of 1)")
    editor.print("running")
    editor.command("KernelGen cancel")
    editor.wait(lambda: "kernelgen: cancelled" in editor.messages(), "the notice")
    editor.wait(lambda: not any("whole (1 of 1)" in row for row in editor.screen()), "nothing runs")


def test_without_a_runner_the_twin_runs_instead_of_measuring_and_after_saves(open_kernel: Open, tmp_path: Path) -> None:
    settings, environment = scripted(tmp_path)
    (tmp_path / "project").mkdir()
    (tmp_path / "project/vector_sum_cases.py").write_text(CASES, encoding="utf-8")
    editor = open_kernel(GOOD.replace(FREED + "\n", ""), {**settings, "twin.onSave": "findings"}, environment)
    editor.keys("G?vector_sum(<CR>")
    editor.wait_for("Run on CPU")
    editor.command("KernelGen measure")
    offered = "Run on CPU says whether the kernel is right. (:KernelGen run)"
    editor.wait(lambda: offered in " ".join((editor.messages() + floats(editor)).split()), "the offer")
    editor.print("instead of measuring")
    editor.command("write")
    editor.wait(lambda: found(editor) == ["twin/queue-empty"], "what the run after the save found")
    editor.keys("gg:noh<CR>G?vector_sum(<CR>zz")
    editor.wait_for("wrong on the twin | Run")
    editor.print("after a save")
    editor.command(f"keeppatterns /rightQueue.DeQue/normal! o{FREED.strip()}")
    editor.wait(lambda: not found(editor), "nothing of the run on show, the text is another")
    editor.wait(lambda: not any("wrong on the twin" in row for row in editor.screen()), "no verdict in the lens")


def test_cases_that_nobody_wrote_are_written_to_go_on_with(open_kernel: Open, tmp_path: Path) -> None:
    settings, environment = scripted(tmp_path)
    editor = open_kernel(GOOD.replace('extern "C"', SPECIFICATION + 'extern "C"'), settings, environment)
    editor.keys("G")
    editor.command("KernelGen cases")
    editor.wait_for("vector_sum_cases.py")
    editor.wait(lambda: any("CASES" in row for row in editor.text()), "the file with the cases")
    editor.print("the cases")
    editor.keys("<C-w>c")
    editor.command("KernelGen cases")
    editor.wait(lambda: "there are cases already" in editor.messages() + floats(editor), "the reason")


def floats(editor: Editor) -> str:
    """The text of the floats on show."""
    return str(
        editor.lua(
            """
            local found = {}
            for _, window in ipairs(vim.api.nvim_list_wins()) do
              if vim.api.nvim_win_get_config(window).relative ~= '' then
                vim.list_extend(found, vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false))
              end
            end
            return table.concat(found, '\\n')
            """
        )
    )


@pytest.mark.engine
def test_ghost_text_of_the_model_that_ships(open_kernel: Open) -> None:
    editor = open_kernel(GOOD.replace(ADD + "\n", ""), {})
    editor.keys("/totalQueue.AllocTensor<lt>half><CR>o")
    editor.wait(lambda: editor.mode() == "i", "insert mode")
    editor.type("Add")
    editor.wait(editor.ghost, "ghost text while typing")
    editor.print("ghost text of the starter model")
    before, ghost = editor.text(), editor.ghost()
    editor.keys("<C-y>")
    editor.wait(lambda: editor.text() != before, "the accepted text")
    assert ("Add" + ghost).split("\n")[0] in "\n".join(editor.text())


def test_generate_look_apply_break_and_fix(open_kernel: Open, tmp_path: Path) -> None:
    settings, environment = scripted(tmp_path, answers=[ANSWER, ANSWER], token_ms=0.2)
    editor = open_kernel(SPECIFICATION, settings, environment)
    editor.command("KernelGen generate")
    editor.wait_for("Two buffers.")
    editor.print("generating")
    editor.wait_for("a apply, q discard")
    editor.print("the proposal")
    editor.keys("a")
    editor.wait(lambda: "class VectorSum {" in editor.text(), "the kernel")
    editor.command("write")
    assert editor.text()[:5] == SPECIFICATION.splitlines()
    editor.keys("u")
    editor.wait(lambda: editor.text() == SPECIFICATION.splitlines(), "one step of undo")
    editor.keys("<C-r>")
    editor.wait(lambda: "class VectorSum {" in editor.text(), "the kernel again")
    editor.keys(":%s/EnQue(totalTile/EnQeu(totalTile/<CR>:write<CR>")
    editor.wait(lambda: errors(editor), "the compiler's error")
    editor.keys("gg]dgra")
    choices = editor.wait_prompt("Type number and <Enter>")
    number = next(row.split(":")[0] for row in choices if "Fix with KernelGen" in row)
    editor.keys(f"{number}<CR>")
    editor.wait_for("a apply, q discard")
    editor.print("the repair")
    editor.keys("a")
    editor.wait(lambda: "        totalQueue.EnQue(totalTile);" in editor.text(), "the line mended")
    editor.command("write")
    editor.wait(lambda: not errors(editor), "no error any more")


@pytest.mark.engine
def test_generate_with_the_model_that_ships(open_kernel: Open, tmp_path: Path) -> None:
    described = EXAMPLES / "leaky_relu/api_desc.md"
    (tmp_path / "project").mkdir()
    (tmp_path / "project/api_desc.md").write_bytes(described.read_bytes())
    editor = open_kernel("// LeakyRelu\n", {"generation.writer": "model"})
    editor.command("KernelGen generate")
    editor.wait_for("a apply, q discard")
    editor.print("a proposal of the starter model")
    editor.keys("a")
    editor.wait(lambda: any("__global__ __aicore__" in row for row in editor.text()), "the kernel")
    editor.command("write")
    editor.command("KernelGen check")
    editor.wait(lambda: "0 errors" in editor.messages(), "a kernel without an error")
