"""Ghost text on the screen: shown, typed through, accepted in whole and in part, dismissed, undone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from .conftest import KERNEL, Script, Start
from .editor import PLUGIN, Editor

PROPOSAL = "auto queue = pipe.InitBuffer(inQueueX, BUFFER_NUM, tileLength);"
LOOP = "for (int i = 0; i < n; ++i) {\n    CopyIn(i);\n    Compute(i);\n}"
INLINE = "textDocument/inlineCompletion"

pytestmark = pytest.mark.editors


def insert(editor: Editor, line: int = 5) -> None:
    """Put the cursor to the end of a line, in insert mode."""
    editor.keys(f"{line}GA")
    editor.wait(lambda: editor.mode() == "i", "insert mode")


def plug(name: str) -> list[str]:
    return [f"imap <C-y> <Plug>(kernelgen-{name})"]


def line(editor: Editor, number: int = 5) -> str:
    return editor.text()[number - 1]


def asked(editor: Editor) -> list[dict[str, Any]]:
    return editor.told(INLINE)


def wait_question(editor: Editor, typed: str) -> int:
    """Wait until the server was asked behind ``typed``; returns the place of that question among all, from 1 on.

    Where the machine is slow the editor asks on the way there too: when insert mode begins, between two keys.
    """
    column = len("    " + typed)

    def columns() -> list[int]:
        return [question["position"]["character"] for question in asked(editor)]

    editor.wait(lambda: column in columns(), f"the question after {typed!r}")
    return columns().index(column) + 1


def test_a_proposal_is_shown_and_accepted(start: Start, script: Script) -> None:
    script.set(lines=[PROPOSAL])
    editor = start(before=plug("accept"))
    insert(editor)
    editor.type("auto q")
    editor.wait_ghost(PROPOSAL.removeprefix("auto q"))
    assert f"    {PROPOSAL}" in editor.screen()
    assert line(editor) == "    auto q"
    editor.keys("<C-y>")
    editor.wait(lambda: line(editor) == f"    {PROPOSAL}", "the accepted text")
    assert editor.cursor() == (4, 4 + len(PROPOSAL))
    assert editor.ghost() == ""
    editor.wait(lambda: any(p["command"] == "kernelgen.completionAccepted" for p in executed(editor)), "the count")


def executed(editor: Editor) -> list[dict[str, Any]]:
    return editor.told("workspace/executeCommand")


def test_lines_below_and_a_range_over_the_typed_part(start: Start, script: Script) -> None:
    script.set(lines=[LOOP], whole_line=True)
    editor = start(before=plug("accept"))
    insert(editor)
    editor.type("for")
    editor.wait_ghost(" (int i = 0; i < n; ++i) {\n        CopyIn(i);\n        Compute(i);\n    }")
    screen = editor.screen()
    first = screen.index("    for (int i = 0; i < n; ++i) {")
    assert screen[first + 1 : first + 5] == ["        CopyIn(i);", "        Compute(i);", "    }", "}"]
    editor.keys("<C-y>")
    editor.wait(lambda: len(editor.text()) == len(KERNEL) + 3, "four lines")
    assert editor.text()[4:8] == ["    for (int i = 0; i < n; ++i) {", *screen[first + 1 : first + 4]]
    assert editor.cursor() == (7, 5)


def test_what_follows_the_cursor_moves_behind_the_last_line(start: Start, script: Script) -> None:
    script.set(lines=[LOOP])
    editor = start(before=plug("accept"))
    insert(editor)
    editor.type("/* after */")
    editor.keys("<Esc>0wi")
    editor.type("for ")
    editor.wait(lambda: editor.ghost().startswith("(int i"), "the ghost text")
    screen = editor.screen()
    first = screen.index("    for (int i = 0; i < n; ++i) {")
    assert screen[first + 3] == "    }/* after */"
    editor.keys("<C-y>")
    editor.wait(lambda: editor.text()[7] == "    }/* after */", "the rest behind the proposal")
    assert editor.text()[4] == "    for (int i = 0; i < n; ++i) {"


def body(frame: list[str], count: int) -> list[str]:
    """The rows of a frame from the kernel's opening brace on."""
    first = frame.index("{") + 1
    return frame[first : first + count]


def test_typing_what_is_on_offer_asks_nothing_and_never_flickers(start: Start, script: Script) -> None:
    script.set(lines=[LOOP])
    editor = start()
    editor.command("setlocal expandtab shiftwidth=4")
    insert(editor)
    editor.type("for")
    editor.wait(lambda: editor.ghost().startswith(" (int i"), "the ghost text")
    before = len(asked(editor))
    editor.frames()
    # The lines' indentation is typed by nobody: it comes with the line break.
    for keys, typed in typing(LOOP.removeprefix("for")):
        editor.type(keys) if keys != "\n" else editor.keys("<CR>")
        editor.wait(lambda typed=typed: "".join(editor.text()[4:-1]) == f"    for{typed}", f"{typed!r} in the buffer")
    whole = ["    " + row for row in LOOP.split("\n")]
    frames = editor.frames()
    assert len(frames) > len(LOOP) / 2
    for frame in frames:
        assert body(frame, 4) == whole
    assert len(asked(editor)) == before


def typing(text: str) -> list[tuple[str, str]]:
    """(key, everything typed so far without line breaks) for typing a text, up to its last line, with autoindent."""
    steps, typed = [], ""
    for row, content in enumerate(text.split("\n")[:-1]):
        if row:
            typed += "        "
            steps.append(("\n", typed))
        for character in content.lstrip() if row else content:
            typed += character
            steps.append((character, typed))
    return steps


def test_leaving_the_offer_takes_it_away_and_asks_again(start: Start, script: Script) -> None:
    script.set(lines=[PROPOSAL])
    editor = start()
    insert(editor)
    editor.type("auto q")
    editor.wait_ghost(PROPOSAL.removeprefix("auto q"))
    before = len(asked(editor))
    editor.type("x")
    editor.wait(lambda: line(editor) == "    auto qx", "the typed text")
    assert editor.ghost() == ""
    editor.wait(lambda: len(asked(editor)) > before, "a new question")


def test_a_deleted_character_asks_nothing(start: Start, script: Script) -> None:
    script.set(lines=[PROPOSAL])
    editor = start()
    insert(editor)
    editor.type("auto qx")
    wait_question(editor, "auto qx")
    before = len(asked(editor))
    editor.keys("<BS>")
    editor.wait(lambda: line(editor) == "    auto q", "the deletion")
    editor.settle()
    assert len(asked(editor)) == before
    assert editor.ghost() == ""


def test_word_by_word_then_the_line(start: Start, script: Script) -> None:
    script.set(lines=[LOOP])
    mappings = ["imap <C-l> <Plug>(kernelgen-accept-word)", "imap <C-j> <Plug>(kernelgen-accept-line)"]
    editor = start(before=mappings)
    insert(editor)
    editor.type("for")
    editor.wait(lambda: editor.ghost().startswith(" (int"), "the ghost text")
    before = len(asked(editor))
    for expected in ("    for (", "    for (int", "    for (int i"):
        editor.keys("<C-l>")
        editor.wait(lambda expected=expected: line(editor) == expected, f"{expected!r}")
        assert editor.ghost().startswith(LOOP.removeprefix(expected.strip())[:10])
    editor.keys("<C-j>")
    editor.wait(lambda: line(editor) == "    for (int i = 0; i < n; ++i) {", "the whole line")
    assert editor.ghost() == "\n        CopyIn(i);\n        Compute(i);\n    }"
    editor.keys("<C-j>")
    editor.wait(lambda: editor.text()[5] == "        CopyIn(i);", "the next line")
    command = "kernelgen.completionPartiallyAccepted"
    partly = editor.wait(lambda: [p for p in executed(editor) if p["command"] == command], "the count")
    assert partly[0]["arguments"] == ["for#0", len(" (")]
    assert len(asked(editor)) == before


def test_the_next_and_the_previous_candidate(start: Start, script: Script) -> None:
    script.set(lines=[PROPOSAL], alternatives=["auto queue = other;", "auto quick = 1;"])
    editor = start(before=["imap <C-n> <Plug>(kernelgen-next)", "imap <C-p> <Plug>(kernelgen-previous)"])
    insert(editor)
    editor.type("auto q")
    editor.wait_ghost(PROPOSAL.removeprefix("auto q"))
    editor.keys("<C-n>")
    editor.wait_ghost("ueue = other;")
    assert asked(editor)[-1]["context"]["triggerKind"] == 1
    assert any("2/3" in row for row in editor.screen())
    editor.keys("<C-n>")
    editor.wait_ghost("uick = 1;")
    editor.keys("<C-p><C-p>")
    editor.wait_ghost(PROPOSAL.removeprefix("auto q"))
    editor.type("uic")
    editor.wait_ghost("k = 1;")


def test_dismissing(start: Start, script: Script) -> None:
    script.set(lines=[PROPOSAL])
    editor = start(before=plug("dismiss"))
    insert(editor)
    editor.type("auto q")
    editor.wait_ghost(PROPOSAL.removeprefix("auto q"))
    editor.keys("<C-y>")
    editor.wait_ghost("")
    editor.keys("<Esc>")
    editor.wait(lambda: editor.mode() == "n", "normal mode")
    assert line(editor) == "    auto q"


def test_leaving_insert_mode_takes_the_offer_away(start: Start, script: Script) -> None:
    script.set(lines=[PROPOSAL])
    editor = start()
    insert(editor)
    editor.type("auto q")
    editor.wait_ghost(PROPOSAL.removeprefix("auto q"))
    editor.keys("<Esc>")
    editor.wait(lambda: editor.mode() == "n", "normal mode")
    assert editor.ghost() == ""


def test_accepting_is_one_step_of_undo(start: Start, script: Script) -> None:
    script.set(lines=[LOOP])
    editor = start(before=plug("accept"))
    insert(editor)
    editor.type("for")
    editor.wait(lambda: editor.ghost(), "the ghost text")
    editor.keys("<C-y>")
    editor.wait(lambda: len(editor.text()) == len(KERNEL) + 3, "the accepted lines")
    editor.type(" // typed")
    editor.keys("<Esc>")
    editor.wait(lambda: editor.mode() == "n", "normal mode")
    editor.keys("u")
    editor.wait(lambda: editor.text()[7] == "    }", "what was typed afterwards undone")
    editor.keys("u")
    editor.wait(lambda: len(editor.text()) == len(KERNEL), "the proposal undone")
    assert editor.text() == [*KERNEL[:4], "    for", "}"], "what was typed is kept"
    editor.keys("u")
    editor.wait(lambda: "for" not in "".join(editor.text()), "what was typed undone")
    assert editor.text() == KERNEL


def test_a_newer_question_cancels_the_older_one(start: Start, script: Script) -> None:
    script.set(lines=[PROPOSAL], hold_answers=True)
    editor = start()
    insert(editor)
    editor.type("auto ")
    wait_question(editor, "auto ")
    script.set(hold_answers=False)
    editor.type("q")
    editor.wait_ghost(PROPOSAL.removeprefix("auto q"))
    assert editor.told("$/cancelRequest")


def test_an_answer_about_older_text_is_never_shown(start: Start, script: Script) -> None:
    """A formatter edits another line without an event while the server thinks: `changedtick` alone tells."""
    script.set(lines=[PROPOSAL], hold_answers=True, ignore_cancel=True)
    editor = start()
    insert(editor)
    editor.type("auto q")
    place = wait_question(editor, "auto q")
    editor.lua(
        """
        vim.o.eventignore = 'all'
        vim.api.nvim_buf_set_text(0, 1, 0, 1, 5, { 'USING' })
        """
    )
    script.set(release_answers=place)
    editor.wait(lambda: sum("answered" in entry for entry in editor.entries()) == place, "the late answer")
    editor.settle()
    assert editor.ghost() == ""


def test_a_slow_server_whose_answers_come_a_key_late(start: Start, script: Script) -> None:
    script.set(lines=[PROPOSAL], hold_answers=True, ignore_cancel=True)
    editor = start(before=plug("accept"))
    insert(editor)
    editor.frames()
    typed = PROPOSAL[:40]
    for end in range(1, len(typed) + 1):
        editor.type(typed[end - 1])
        place = wait_question(editor, typed[:end])
        script.set(release_answers=place - 1)
    script.set(release_answers=place)
    editor.wait_ghost(PROPOSAL.removeprefix(typed))
    for frame in editor.frames():
        assert f"    {PROPOSAL}".startswith(body(frame, 1)[0])
    editor.keys("<C-y>")
    editor.wait(lambda: line(editor) == f"    {PROPOSAL}", "the accepted text")


def test_accepting_faster_than_the_screen(start: Start, script: Script) -> None:
    """Keys that wait in the queue together: the typed characters, the acceptance, and more characters."""
    script.set(lines=[PROPOSAL])
    editor = start(before=plug("accept"))
    insert(editor)
    editor.type("auto q")
    editor.wait_ghost(PROPOSAL.removeprefix("auto q"))
    editor.keys("ueu<C-y> // done")
    editor.wait(lambda: line(editor).endswith("done"), "the rest")
    assert line(editor) == f"    {PROPOSAL} // done"


def test_accepting_what_no_longer_fits_inserts_nothing(start: Start, script: Script) -> None:
    script.set(lines=[PROPOSAL])
    editor = start(before=plug("accept"))
    insert(editor)
    editor.type("auto q")
    editor.wait_ghost(PROPOSAL.removeprefix("auto q"))
    script.set(hold_answers=True)
    editor.keys("z<C-y>!")
    editor.wait(lambda: line(editor).endswith("!"), "the typed text")
    assert line(editor) == "    auto qz!"


@pytest.mark.parametrize("prefix", ["/* 加法核函数 */ ", "/* 🚀 ок */ "])
def test_text_beyond_ascii_before_the_cursor_and_in_the_proposal(start: Start, script: Script, prefix: str) -> None:
    proposal = f"{prefix}auto 张量 = 队列.DeQue(); // 🚀 fertig"
    script.set(lines=[proposal])
    editor = start(before=["imap <C-l> <Plug>(kernelgen-accept-word)", *plug("accept")])
    insert(editor)
    editor.type(f"{prefix}auto 张")
    editor.wait_ghost("量 = 队列.DeQue(); // 🚀 fertig")
    editor.keys("<C-l>")
    editor.wait(lambda: line(editor) == f"    {prefix}auto 张量", "the word")
    editor.keys("<C-y>")
    editor.wait(lambda: line(editor) == f"    {proposal}", "the whole")
    assert any(proposal in row for row in editor.screen())


def test_a_file_of_ten_thousand_lines(start: Start, script: Script, tmp_path: Path) -> None:
    script.set(lines=[PROPOSAL])
    big = tmp_path / "project/op_kernel/big.cpp"
    rows = [f"    Add(zLocal, xLocal, yLocal, {n});" for n in range(10_000)]
    big.parent.mkdir(parents=True, exist_ok=True)
    big.write_text("\n".join([*KERNEL[:4], *rows, "}"]) + "\n", encoding="utf-8")
    editor = start(file=big, before=plug("accept"))
    editor.keys("9000Go")
    editor.wait(lambda: editor.mode() == "i", "insert mode")
    editor.type("auto q")
    editor.wait_ghost(PROPOSAL.removeprefix("auto q"))
    editor.keys("<C-y>")
    editor.wait(lambda: line(editor, 9001) == f"    {PROPOSAL}", "the accepted text")
    assert len(editor.text()) == 10_006


def test_a_server_that_dies_disturbs_nobody(start: Start, script: Script) -> None:
    script.set(lines=[PROPOSAL], die_on=INLINE)
    # Wide enough for the editor's own message about it to need no key press.
    editor = start(columns=240, before=["set laststatus=2 statusline=%{%v:lua.require'kernelgen'.status()%}"])
    insert(editor)
    editor.type("auto q")
    editor.wait(lambda: "quit with exit code 3" in editor.messages(), "the editor's own message")
    editor.wait_for("server ended (code 3)")
    editor.keys("<CR>")
    editor.type(" typing goes on")
    editor.wait(lambda: "typing goes on" in "\n".join(editor.text()), "what was typed")
    assert editor.ghost() == ""
    assert "Error executing" not in editor.messages()
    script.set(die_on="")
    editor.keys("<Esc>")
    editor.command("KernelGen restart")
    editor.wait(editor.attached, "the server back")
    editor.keys("5GS")
    editor.type("auto q")
    editor.wait_ghost(PROPOSAL.removeprefix("auto q"))
    editor.keys("<Esc>S")
    editor.type("auto qu")
    editor.wait_ghost(PROPOSAL.removeprefix("auto qu"))


def test_quiet_while_a_macro_is_recorded_and_replayed(start: Start, script: Script) -> None:
    script.set(lines=[PROPOSAL])
    editor = start()
    editor.keys("5Gqa")
    editor.keys("A")
    editor.type("auto q")
    editor.wait(lambda: line(editor) == "    auto q", "the typed text")
    editor.settle()
    assert editor.ghost() == ""
    editor.keys("<Esc>q")
    editor.wait(lambda: editor.lua("return vim.fn.reg_recording()") == "", "the end of the recording")
    assert not asked(editor)
    editor.keys("u@a")
    editor.wait(lambda: line(editor) == "    auto q", "the replayed text")
    assert not asked(editor)


def test_quiet_in_an_insertion_over_a_block(start: Start, script: Script) -> None:
    script.set(lines=["auto q = 1;\nauto r = 2;"])
    editor = start()
    editor.keys("4G0<C-v>jI")
    editor.wait(lambda: editor.mode() == "i", "insert mode")
    editor.type("auto q")
    editor.wait(lambda: line(editor, 4) == "auto q{", "the typed text")
    editor.settle()
    assert editor.ghost() == ""
    assert not asked(editor)
    editor.keys("<Esc>")
    editor.wait(lambda: line(editor, 5) == "auto q    ", "the block")
    editor.keys("5GS")
    editor.type("auto q")
    editor.wait(lambda: editor.ghost() != "", "ghost text in the ordinary insertion afterwards")


def test_quiet_in_a_prompt(start: Start, script: Script) -> None:
    script.set(lines=[PROPOSAL])
    editor = start()
    editor.lua(
        """
        vim.cmd.new()
        vim.bo.buftype = 'prompt'
        vim.lsp.buf_attach_client(0, vim.lsp.get_clients({ name = 'kernelgen' })[1].id)
        """
    )
    editor.keys("A")
    editor.type("auto q")
    editor.wait(lambda: any("auto q" in row for row in editor.text()), "the typed text")
    editor.settle()
    assert editor.ghost() == ""
    assert not asked(editor)


@pytest.mark.parametrize("with_menu", [False, True])
def test_a_completion_menu_hides_it_unless_told_otherwise(start: Start, script: Script, with_menu: bool) -> None:
    script.set(lines=[PROPOSAL])
    editor = start({"ghost_text": {"with_menu": with_menu}})
    insert(editor)
    editor.type("auto q")
    editor.wait_ghost(PROPOSAL.removeprefix("auto q"))
    editor.lua("vim.o.completeopt = 'menuone,noinsert,noselect'")
    editor.lua("vim.fn.complete(5, { 'auto queue', 'auto quick' })")
    editor.wait(lambda: editor.lua("return vim.fn.pumvisible()") == 1, "the menu")
    assert (editor.ghost() != "") == with_menu


@pytest.mark.parametrize(
    "menu",
    [
        "package.loaded['cmp'] = { visible = function() return SHOWN end }",
        "package.loaded['cmp'] = { core = { view = { visible = function() return SHOWN end } } }",
        "package.loaded['blink.cmp'] = { is_menu_visible = function() return SHOWN end }",
    ],
)
def test_the_menus_of_completion_plugins_count_too(start: Start, script: Script, menu: str) -> None:
    """Stand-ins for nvim-cmp and blink.cmp: what matters is the one function each is asked by."""
    script.set(lines=[PROPOSAL])
    editor = start()
    editor.lua(menu)
    insert(editor)
    editor.type("auto q")
    editor.wait_ghost(PROPOSAL.removeprefix("auto q"))
    editor.lua("SHOWN = true")
    editor.type("u")
    editor.wait(lambda: line(editor) == "    auto qu", "the typed text")
    assert editor.ghost() == ""
    editor.lua("SHOWN = false")
    editor.type("e")
    editor.wait_ghost(PROPOSAL.removeprefix("auto que"))
    # A menu that opens by itself, later than the ghost text.
    editor.lua("SHOWN = true")
    editor.wait(lambda: (editor.screen(), editor.ghost())[1] == "", "the place left to the menu")
    assert not editor.lua("return require('kernelgen').visible()")
    editor.lua("SHOWN = false")
    editor.wait(
        lambda: (editor.screen(), editor.ghost())[1] == PROPOSAL.removeprefix("auto que"), "the ghost text back"
    )
    assert editor.lua("return require('kernelgen').visible()")


ENABLE = "if vim.lsp.inline_completion then vim.lsp.inline_completion.enable() end"
ON_ATTACH = """
vim.api.nvim_create_autocmd('LspAttach', {
  callback = function(event)
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    if client:supports_method('textDocument/inlineCompletion', event.buf) and vim.lsp.inline_completion then
      vim.lsp.inline_completion.enable(true, { bufnr = event.buf })
    end
  end,
})
""".replace("\n", " ")


@pytest.mark.parametrize("when", ["before", "on attach", "after"])
def test_the_editors_own_ghost_text_stays_away(start: Start, script: Script, when: str) -> None:
    script.set(lines=[PROPOSAL])
    editor = start(before=[f"lua {code}" for code in {"before": [ENABLE], "on attach": [ON_ATTACH]}.get(when, [])])
    if when == "after":
        editor.lua(ENABLE)
    insert(editor)
    editor.type("auto q")
    editor.wait_ghost(PROPOSAL.removeprefix("auto q"))
    editor.settle(pause=400)  # longer than the editor's own pause before it asks
    assert not editor.lua(
        """
        local space = vim.api.nvim_get_namespaces()['nvim.lsp.inline_completion']
        return space and #vim.api.nvim_buf_get_extmarks(0, space, 0, -1, {}) > 0
        """
    )
    assert f"    {PROPOSAL}" in editor.screen()
    assert not editor.lua(
        "return vim.lsp.get_clients({ name = 'kernelgen' })[1]:supports_method('textDocument/inlineCompletion')"
    )


def test_tab_as_the_manual_maps_it(start: Start, script: Script) -> None:
    script.set(lines=[PROPOSAL])
    editor = start()
    manual = (PLUGIN / "doc/kernelgen.txt").read_text(encoding="utf-8")
    example = manual[manual.index("    vim.keymap.set('i', '<Tab>'") :]
    editor.lua(example[: example.index("\n<\n")])
    editor.command("setlocal expandtab shiftwidth=4 softtabstop=4")
    insert(editor)
    editor.keys("<Tab>")
    editor.wait(lambda: line(editor) == "        ", "an ordinary tab")
    editor.type("auto q")
    editor.wait_ghost(PROPOSAL.removeprefix("auto q"))
    editor.keys("<M-l>")
    editor.wait(lambda: line(editor) == "        auto queue", "the accepted word")
    editor.keys("<Tab>")
    editor.wait(lambda: not editor.ghost(), "the accepted text")
    assert line(editor) == f"        {PROPOSAL}", "the tab accepts, and writes no tab"


def test_by_hand_only(start: Start, script: Script) -> None:
    script.set(lines=[PROPOSAL])
    editor = start({"settings": {"completion.trigger": "manual"}}, before=plug("request"))
    insert(editor)
    editor.type("auto q")
    editor.wait(lambda: line(editor) == "    auto q", "the typed text")
    editor.settle()
    assert not asked(editor)
    editor.keys("<C-y>")
    editor.wait_ghost(PROPOSAL.removeprefix("auto q"))


def test_turned_off_for_one_buffer(start: Start, script: Script) -> None:
    script.set(lines=[PROPOSAL])
    editor = start()
    editor.command("KernelGen toggle buffer")
    insert(editor)
    editor.type("auto q")
    editor.wait(lambda: line(editor) == "    auto q", "the typed text")
    editor.settle()
    assert not asked(editor)
