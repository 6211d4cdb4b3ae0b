"""Proposals: shown as a diff when the user is there to see it, kept otherwise, decided by him alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from .conftest import KERNEL, Script, Start
from .editor import Editor

pytestmark = pytest.mark.editors

NEW = [*KERNEL[:4], "    AddCustom op;", "    op.Process();", "}"]


def generate(editor: Editor) -> None:
    editor.command("KernelGen generate")
    editor.wait_for("a apply, q discard")


def test_a_proposal_is_shown_as_a_diff_and_applied_in_one_step(start: Start, script: Script) -> None:
    script.set(edit=NEW)
    editor = start()
    editor.keys("4GA // mine<Esc>")
    editor.wait(lambda: editor.text()[3] == "{ // mine", "an edit of the user's own")
    generate(editor)
    screen = "\n".join(editor.print("the proposal"))
    assert "op.Process();" in screen
    assert "op_kernel/add_custom.cpp" in screen
    editor.keys("a")
    editor.wait(lambda: editor.text() == NEW, "the proposal in the document")
    editor.wait(lambda: "applied" in editor.messages(), "the outcome")
    assert "Generate kernel AddCustom: applied" in editor.messages()
    assert editor.text() == NEW
    assert editor.lua("return #vim.api.nvim_list_tabpages()") == 1
    editor.keys("u")
    editor.wait(lambda: editor.text() == [*KERNEL[:3], "{ // mine", *KERNEL[4:]], "the text as it was before")


@pytest.mark.parametrize("columns", [80, 200])
def test_what_is_known_of_a_kernel_stands_above_it_before_it_can_be_applied(
    start: Start, script: Script, columns: int
) -> None:
    script.set(edit=NEW, said="wrong on the twin: case odd tail, y[3, 17] is 0.5 where 0.25 is right")
    editor = start()
    editor.command(f"set columns={columns}")
    generate(editor)
    (bar,) = [row for row in editor.print("a wrong proposal") if "a apply, q discard" in row]
    assert "wrong on the twin" in bar
    assert columns < 200 or "wrong on the twin: case odd tail, y[3, 17] is 0.5 where 0.25 is right" in bar
    editor.keys("a")
    editor.wait(lambda: editor.text() == NEW, "the proposal in the document")
    # A line that is too long for the screen's last one is shown in a float, where it is wrapped.
    editor.wait(lambda: "applied (wrong on the twin" in "\n".join([editor.messages(), *editor.screen()]), "the outcome")


def test_a_declined_proposal_changes_nothing(start: Start, script: Script) -> None:
    script.set(edit=NEW)
    editor = start()
    generate(editor)
    editor.keys("q")
    editor.wait(lambda: "declined" in editor.messages(), "the outcome")
    assert editor.text() == KERNEL
    assert [e["answer"] for e in editor.entries() if "answer" in e][-1] == {
        "applied": False,
        "failureReason": "declined",
    }


def test_closing_the_diff_declines(start: Start, script: Script) -> None:
    script.set(edit=NEW)
    editor = start()
    generate(editor)
    editor.command("tabclose")
    editor.wait(lambda: "declined" in editor.messages(), "the outcome")
    assert editor.text() == KERNEL


def test_a_document_that_changed_meanwhile_is_left_alone(start: Start, script: Script) -> None:
    script.set(edit=NEW)
    editor = start()
    buffer = editor.nvim.current.buffer.number
    generate(editor)
    editor.lua("vim.api.nvim_buf_set_lines(..., 1, 2, false, { 'using namespace std;' })", buffer)
    editor.keys("a")
    editor.wait(lambda: "changed meanwhile" in editor.messages(), "the reason")
    assert editor.text() == [KERNEL[0], "using namespace std;", *KERNEL[2:]]


def test_a_proposal_over_two_files(start: Start, script: Script, tmp_path: Path) -> None:
    host = tmp_path / "project/op_host/add_custom_tiling.h"
    host.parent.mkdir()
    script.set(edit=NEW, new_file=[str(host), "#pragma once\nstruct Tiling {};\n"])
    editor = start()
    generate(editor)
    assert any("1/2" in row for row in editor.screen())
    editor.keys("]f")
    editor.wait_for("(new file)")
    assert any("struct Tiling" in row for row in editor.screen())
    editor.command("KernelGen apply")
    editor.wait(lambda: editor.text() == NEW, "the kernel")
    assert editor.lua("return vim.api.nvim_buf_get_lines(vim.fn.bufnr(...), 0, -1, false)", str(host)) == [
        "#pragma once",
        "struct Tiling {};",
    ]


READY = "proposal ready: :KernelGen show"
CALM = "return vim.fn.mode() == 'n' and vim.fn.getcmdwintype() == ''"


def tabs(editor: Editor) -> int:
    return int(editor.lua("return #vim.api.nvim_list_tabpages()"))


def answers(editor: Editor) -> list[dict[str, Any]]:
    """What the server was answered to its `workspace/applyEdit`."""
    return [entry["answer"] for entry in editor.entries() if "applied" in (entry.get("answer") or {})]


def arrive(editor: Editor, script: Script) -> None:
    """Let the proposal come now; the editor keeps it."""
    script.set(held=False)
    editor.wait(lambda: editor.lua("return require('kernelgen.preview').waiting()"), "the proposal")


def start_generation(start: Start, script: Script) -> Editor:
    """An editor whose generation ends when the script says so."""
    script.set(edit=NEW, held=True)
    editor = start()
    editor.command("KernelGen generate")
    editor.wait(lambda: editor.told("workspace/executeCommand"), "the generation")
    return editor


def show_and_apply(editor: Editor) -> None:
    """What the user does with a proposal that was kept."""
    editor.command("KernelGen show")
    editor.wait_for("a apply, q discard")
    editor.keys("a")
    editor.wait(lambda: editor.text() == NEW, "the proposal in the document")


@pytest.mark.parametrize(
    ("enter", "leave"),
    [
        ("i", "<Esc>"),
        ("v", "<Esc>"),
        ("d", "<Esc>"),
        (":echo 1", "<C-c>"),
        ("/AscendC", "<C-c>"),
        ("q:", ":q<CR>"),
        (":new<CR>", ":quit!<CR>"),
        ("qq", "q"),
    ],
)
def test_a_proposal_does_not_open_under_the_users_hands(start: Start, script: Script, enter: str, leave: str) -> None:
    editor = start_generation(start, script)
    editor.keys(enter)
    before = editor.mode()
    arrive(editor, script)
    assert (tabs(editor), editor.mode()) == (1, before)
    editor.keys(leave)
    editor.wait(lambda: editor.lua(CALM), "normal mode")
    editor.wait(lambda: READY in editor.messages(), "the notice")
    assert tabs(editor) == 1
    assert not answers(editor)
    show_and_apply(editor)
    editor.wait(lambda: answers(editor) == [{"applied": True}], "the answer")


def test_typing_goes_on_and_a_proposal_for_the_older_text_is_not_applied(start: Start, script: Script) -> None:
    editor = start_generation(start, script)
    editor.keys("5GA")
    editor.type("qa")
    editor.wait(lambda: "qa" in str(editor.told("textDocument/didChange")), "the change at the server")
    arrive(editor, script)
    editor.type("aqa")
    editor.wait(lambda: editor.text()[4] == "    qaaqa", "what was typed")
    editor.keys("<Esc>")
    editor.command("KernelGen show")
    screen = "\n".join(editor.wait_for("changed meanwhile"))
    assert "op.Process();" in screen, "it can still be read"
    editor.wait_for("q close")
    editor.command("KernelGen apply")
    editor.wait(lambda: answers(editor), "the answer")
    assert answers(editor) == [{"applied": False, "failureReason": "add_custom.cpp changed meanwhile"}]
    assert editor.text() == [*KERNEL[:4], "    qaaqa", "}"]


def test_a_saved_or_an_undone_document_did_not_change(start: Start, script: Script) -> None:
    editor = start_generation(start, script)
    editor.keys("i")
    arrive(editor, script)
    editor.type("x")
    editor.keys("<Esc>u")
    editor.wait(lambda: editor.text() == KERNEL, "the text as it was")
    editor.command("write")
    show_and_apply(editor)
    editor.wait(lambda: answers(editor), "the answer")
    assert answers(editor) == [{"applied": True}]


def test_keys_that_were_meant_for_the_document_decide_nothing(start: Start, script: Script) -> None:
    editor = start_generation(start, script)
    editor.lua("require('kernelgen.preview').PAUSE = 1e6")
    script.set(held=False)
    editor.wait(lambda: tabs(editor) == 2, "the proposal")
    editor.keys("aqaq")
    editor.settle_keys()
    assert tabs(editor) == 2
    assert editor.lua("return vim.fn.reg_recording()") == ""
    assert not any("a apply" in row for row in editor.screen())
    assert not answers(editor)
    editor.command("KernelGen apply")
    editor.wait(lambda: editor.text() == NEW, "the proposal in the document")


def test_a_discarded_proposal_can_be_shown_again(start: Start, script: Script) -> None:
    script.set(edit=NEW)
    editor = start()
    generate(editor)
    editor.keys("q")
    editor.wait(lambda: "declined" in editor.messages(), "the outcome")
    show_and_apply(editor)
    editor.wait(lambda: "applied" in editor.messages(), "the outcome")
    assert "Generate kernel AddCustom: right on the twin: 3 cases: applied" in editor.messages()
    assert editor.text() == NEW
    assert [answer["applied"] for answer in answers(editor)] == [False], "the server was answered once"


def test_the_server_does_not_wait_for_ever(start: Start, script: Script) -> None:
    editor = start_generation(start, script)
    editor.lua("require('kernelgen.preview').PATIENCE = 50")
    editor.keys("i")
    script.set(held=False)
    editor.wait(lambda: answers(editor), "the answer")
    assert answers(editor)[0]["applied"] is False
    assert ":KernelGen show" in answers(editor)[0]["failureReason"]
    editor.keys("<Esc>")
    show_and_apply(editor)
    assert len(answers(editor)) == 1


def test_the_next_proposal_takes_the_place_of_the_last(start: Start, script: Script) -> None:
    editor = start_generation(start, script)
    editor.keys("i")
    arrive(editor, script)
    script.set(edit=[*NEW, "// second"])
    editor.command("KernelGen generate")
    editor.wait(lambda: answers(editor), "the answer on the first")
    assert answers(editor)[0]["applied"] is False
    editor.keys("<Esc>")
    editor.command("KernelGen show")
    editor.wait_for("a apply, q discard")
    editor.keys("a")
    editor.wait(lambda: editor.text() == [*NEW, "// second"], "the second proposal in the document")


def test_a_proposal_outlives_its_server(start: Start, script: Script) -> None:
    editor = start_generation(start, script)
    editor.keys("i")
    arrive(editor, script)
    editor.keys("<Esc>")
    editor.command("KernelGen stop")
    editor.wait(lambda: not editor.attached(), "the end of the server")
    show_and_apply(editor)
    editor.wait(lambda: "applied" in editor.messages(), "the outcome")
    assert "Generate kernel AddCustom: right on the twin: 3 cases: applied" in editor.messages()
    assert editor.text() == NEW


def test_a_file_that_came_meanwhile_is_not_written_over(start: Start, script: Script, tmp_path: Path) -> None:
    host = tmp_path / "project/op_host/add_custom_tiling.h"
    host.parent.mkdir()
    script.set(edit=NEW, new_file=[str(host), "#pragma once\n"])
    editor = start()
    generate(editor)
    host.write_text("// mine\n", encoding="utf-8")
    editor.keys("a")
    editor.wait(lambda: "add_custom_tiling.h changed meanwhile" in editor.messages(), "the reason")
    assert editor.text() == KERNEL
    assert host.read_text(encoding="utf-8") == "// mine\n"


def test_nothing_is_applied_that_was_not_on_show(start: Start, script: Script) -> None:
    editor = start_generation(start, script)
    editor.command("KernelGen show")
    editor.wait(lambda: "there is no proposal" in editor.messages(), "the notice")
    editor.keys("i")
    arrive(editor, script)
    editor.keys("<Esc>")
    editor.command("KernelGen apply")
    editor.wait(lambda: "no proposal is on show" in editor.messages(), "the notice")
    assert editor.text() == KERNEL
    editor.command("KernelGen discard")
    editor.wait(lambda: answers(editor), "the answer")
    assert answers(editor)[0]["applied"] is False


def test_the_status_line_tells_of_a_proposal_that_waits(start: Start, script: Script) -> None:
    script.set(edit=NEW, held=True)
    editor = start(before=["set laststatus=2 statusline=%{%v:lua.require'kernelgen'.status()%}"])
    editor.command("KernelGen generate")
    editor.keys("i")
    arrive(editor, script)
    editor.wait_for("proposal ready")
    editor.keys("<Esc>")
    editor.command("KernelGen show")
    editor.wait_for("a apply, q discard")
    editor.wait(lambda: not any("proposal ready" in row for row in editor.screen()), "the status as before")
    assert not any("proposal ready" in row for row in editor.screen())


@pytest.mark.parametrize("behind", [1, 1000])
def test_a_proposal_about_an_older_text_is_kept_to_be_read(start: Start, script: Script, behind: int) -> None:
    """The document went on while the edit was on its way; the version that it is opened with is 0."""
    script.set(edit=NEW, behind=behind)
    editor = start()
    editor.keys("4GA // mine<Esc>")
    editor.command("KernelGen generate")
    editor.wait_for("add_custom.cpp changed meanwhile; :KernelGen show")
    editor.command("KernelGen show")
    editor.wait_for("changed meanwhile, q close")
    editor.command("KernelGen apply")
    assert tabs(editor) == 1
    assert editor.text() == [*KERNEL[:3], "{ // mine", *KERNEL[4:]]
    assert len(answers(editor)) == 1
