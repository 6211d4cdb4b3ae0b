"""The plugin around the ghost text: loading, file types, options, commands, measurements, reasoning, health."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pynvim
import pytest

from .conftest import KERNEL, Script, Start
from .editor import PARSER, PLUGIN, Editor, Version, launch, run_lua, scripted_command

pytestmark = pytest.mark.editors


def lua_lines(version: Version, home: Path, tmp_path: Path, code: str) -> list[str]:
    """What a Lua script prints, run with the plugin on the runtime path."""
    script = tmp_path / "script.lua"
    script.write_text(code, encoding="utf-8")
    result = run_lua(version, home, script)
    assert result.returncode == 0, result.stderr
    return (result.stdout + result.stderr).split("\n")


def test_the_pure_parts(version: Version, home: Path) -> None:
    result = run_lua(version, home, Path(__file__).with_name("text_test.lua"))
    assert result.returncode == 0, result.stdout + result.stderr


def test_nothing_is_loaded_before_a_kernel_is_opened(version: Version, home: Path, tmp_path: Path) -> None:
    plain = tmp_path / "main.cpp"
    plain.write_text("int main() { return 0; }\n", encoding="utf-8")
    editor = launch(version, home, file=plain)
    loaded = "return vim.tbl_filter(function(n) return n:find('kernelgen') end, vim.tbl_keys(package.loaded))"
    try:
        assert sorted(editor.lua(loaded)) == [
            "kernelgen.calm",
            "kernelgen.client",
            "kernelgen.config",
            "kernelgen.highlight",
            "kernelgen.marks",
            "kernelgen.notice",
            "kernelgen.outcome",
        ]
        assert editor.lua("return #vim.lsp.get_clients()") == 0
        mapped = "return vim.tbl_map(function(m) return m.lhs end, vim.api.nvim_get_keymap('i'))"
        ours = [lhs for lhs in editor.lua(mapped) if "kernelgen" in lhs]
        assert len(ours) == 7
        assert all(lhs.startswith("<Plug>(kernelgen-") for lhs in ours)
    finally:
        editor.close()


def test_every_module_loads(version: Version, home: Path, tmp_path: Path) -> None:
    names = sorted(
        str(path.relative_to(PLUGIN / "lua").with_suffix("")).replace("/", ".").removesuffix(".init")
        for path in (PLUGIN / "lua").rglob("*.lua")
    )
    assert "kernelgen.ghost" in names
    code = "".join(f"assert(require('{name}'), '{name}')\n" for name in names)
    assert lua_lines(version, home, tmp_path, code) == [""]


@pytest.mark.parametrize(
    ("name", "text", "kind", "wanted"),
    [
        ("add.asc", "__global__ __aicore__ void add() {}", "cpp", True),
        ("letter.asc", "= A letter\n\nDear reader", "", False),
        ("op_kernel/new.asc", "", "cpp", True),
        ("add.cce", "void add() {}", "cpp", True),
        ("op_kernel/add.cpp", "", "cpp", True),
        ("op_host/add_tiling.h", "", "cpp", True),
        ("main.cpp", "int main() {}", "cpp", False),
        ("lone.cpp", '#include "kernel_operator.h"', "cpp", True),
        ("lone_tiling.h", "BEGIN_TILING_DATA_DEF(AddTilingData)", "cpp", True),
        ("op_kernel/arch35/add.h", "", "cpp", True),
        ("specified/new.cpp", "", "cpp", True),
    ],
)
def test_which_files_are_served(
    version: Version, home: Path, tmp_path: Path, name: str, text: str, kind: str, wanted: bool
) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text + "\n", encoding="utf-8")
    if path.parent.name == "specified":
        (path.parent / "api_desc.md").write_text("# add\n", encoding="utf-8")
    code = f"""
    vim.cmd('filetype on')
    vim.g.kernelgen_autostart = false
    vim.cmd.edit('{path}')
    print(vim.bo.filetype, require('kernelgen.client').wants(0))
    """
    assert lua_lines(version, home, tmp_path, code)[0].split(" ") == [kind, str(wanted).lower()]


@pytest.mark.parametrize("name", ["fresh.cpp", "fresh.asc"])
@pytest.mark.parametrize("there", [False, True])
def test_a_new_file_is_served_once_it_is_a_kernel(start: Start, tmp_path: Path, name: str, there: bool) -> None:
    plain = tmp_path / name
    if there:
        plain.write_text("\n", encoding="utf-8")
    editor = start()
    editor.command(f"edit {plain}")
    assert not editor.attached()
    editor.keys("i")
    editor.type('#include "kernel_operator.h"')
    editor.keys("<Esc>")
    editor.wait(editor.attached, "the server for the new kernel")
    assert editor.lua("return vim.bo.filetype") == "cpp"


def test_an_asc_file_is_looked_at_when_it_is_written(start: Start, tmp_path: Path) -> None:
    editor = start()
    editor.command("enew")
    editor.command(f"write {tmp_path / 'late.asc'}")
    editor.lua("vim.api.nvim_buf_set_lines(0, 0, -1, false, { '__global__ __aicore__ void add() {}' })")
    assert not editor.attached()
    editor.command("write")
    editor.wait(editor.attached, "the server for the new kernel")


def test_starting_by_hand_makes_an_empty_asc_file_a_kernel(start: Start, tmp_path: Path) -> None:
    editor = start()
    editor.command(f"edit {tmp_path / 'fresh.asc'}")
    editor.command("KernelGen start")
    editor.wait(editor.attached, "the server")
    assert editor.lua("return vim.bo.filetype") == "cpp"


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("edit notes.txt", "file type 'text' is none of the server's (c, cpp): :setlocal filetype=cpp"),
        ("help", "this buffer is none"),
        ("enew | setlocal filetype=cpp", "this buffer is none"),
        ("edit new.cpp | lua vim.lsp.config('kernelgen', { cmd = { 'no-such' } })", "no-such cannot be run"),
    ],
)
def test_starting_by_hand_says_why_it_does_not(start: Start, command: str, reason: str) -> None:
    editor = start()
    editor.command(command)
    editor.command("KernelGen start")
    assert reason in editor.messages()


def test_the_user_chooses_the_file_types(start: Start, tmp_path: Path, kernel: Path) -> None:
    own = tmp_path / "op_kernel/add.kernel"
    detect = "autocmd BufNewFile,BufRead *.kernel setfiletype ascendc"
    editor = start({"filetypes": ["ascendc"]}, file=own, before=[detect], columns=200)
    editor.command(f"edit {kernel}")
    assert editor.lua("return vim.bo.filetype") == "cpp"
    editor.command("KernelGen start")
    assert "file type 'cpp' is none of the server's (ascendc)" in editor.messages()


@pytest.mark.parametrize(
    ("made", "root"),
    [
        (["repository/.git/", "repository/add/op_host/", "repository/.kernelgen.json"], "repository"),
        (["repository/.git/", "repository/add/op_host/"], "repository"),
        (["repository/.git/", "repository/add/.kernelgen.json"], "repository/add"),
        (["repository/add/op_host/"], "repository/add"),
    ],
)
def test_the_folder_of_a_project(version: Version, home: Path, tmp_path: Path, made: list[str], root: str) -> None:
    for name in ["repository/add/op_kernel/", *made]:
        path = tmp_path / name
        path.mkdir(parents=True) if name.endswith("/") else path.touch()
    code = f"""
    vim.cmd.edit('{tmp_path}/repository/add/op_kernel/add.cpp')
    print(require('kernelgen.client').root(0))
    """
    assert lua_lines(version, home, tmp_path, code)[0] == str(tmp_path / root)


def test_the_operators_of_a_repository_have_one_server(start: Start, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    editor = start()
    editor.command(f"edit {tmp_path / 'other/op_kernel/other.cpp'}")
    editor.wait(editor.attached, "the server for the other operator")
    assert editor.lua("return #vim.lsp.get_clients({ name = 'kernelgen' })") == 1


def test_only_what_the_user_set_is_sent(start: Start) -> None:
    editor = start({"settings": {"completion.maxLines": 4, "check": {"chip": "Ascend310P3"}}})
    sent = editor.told("initialize")[0]
    assert sent["initializationOptions"] == {"completion": {"maxLines": 4}, "check": {"chip": "Ascend310P3"}}
    assert sent["capabilities"]["experimental"] == {"kernelgenStatus": True, "kernelgenReasoning": True}
    assert "inlineCompletion" in sent["capabilities"]["textDocument"]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, {}),
        # A value that equals the default is a choice too.
        ({"completion.maxLines": 12, "check": {"lints": {}}}, {"completion": {"maxLines": 12}, "check": {"lints": {}}}),
    ],
)
def test_asked_for_the_settings_the_editor_tells_those_alone(
    start: Start, script: Script, settings: dict[str, Any], expected: dict[str, Any]
) -> None:
    script.set(configuration=True)
    editor = start({"settings": settings} if settings else {})
    answer = editor.wait(lambda: [e["answer"] for e in editor.entries() if "answer" in e], "the answer")
    assert answer == [[expected]]
    assert editor.told("initialize")[0].get("initializationOptions", {}) == expected
    assert editor.told("workspace/didChangeConfiguration") == [{"settings": {"kernelgen": expected}}]


def test_an_unknown_option_is_named(version: Version, home: Path, tmp_path: Path) -> None:
    code = "require('kernelgen').setup({ settings = { ['model.pth'] = 'x' } })"
    assert "unknown setting 'kernelgen.model.pth'" in "\n".join(lua_lines(version, home, tmp_path, code))


def test_command_completion(version: Version, home: Path, tmp_path: Path) -> None:
    code = """
    print(vim.inspect(vim.fn.getcompletion('KernelGen ge', 'cmdline')))
    print(vim.inspect(vim.fn.getcompletion('KernelGen model ', 'cmdline')))
    print(vim.inspect(vim.fn.getcompletion('KernelGen fix a', 'cmdline')))
    print(vim.inspect(vim.fn.getcompletion('KernelGen sh', 'cmdline')))
    """
    lines = lua_lines(version, home, tmp_path, code)
    assert lines[:4] == ['{ "generate" }', '{ "list", "use", "pull", "info", "restart" }', '{ "all" }', '{ "show" }']


def test_an_unknown_subcommand_is_named(start: Start) -> None:
    editor = start()
    with pytest.raises(pynvim.NvimError, match="there is no :KernelGen fly"):
        editor.command("KernelGen fly")


def test_reasoning_streams_into_a_float_beside_the_progress(start: Start, script: Script) -> None:
    script.set(edit=KERNEL, held=True)
    editor = start(before=["set laststatus=2 statusline=%{%v:lua.require'kernelgen'.status()%}"])
    editor.command("KernelGen generate")
    editor.wait_for("tiles.")
    editor.wait_for("Generate kernel AddCustom 50% writing")
    screen = editor.print("generating")
    assert any("First the" in row for row in screen)
    assert editor.lua("return vim.api.nvim_win_get_config(0).relative") == ""
    editor.command("KernelGen reasoning")
    editor.wait(lambda: not any("tiles." in row for row in editor.screen()), "the float closed")
    editor.command("KernelGen reasoning")
    editor.wait_for("tiles.")
    editor.command("stopinsert | close")
    editor.command("KernelGen cancel")
    editor.wait(lambda: editor.told("window/workDoneProgress/cancel") == [{"token": "g"}], "the cancellation")


def test_diagnostics_on_save_and_the_hover(start: Start) -> None:
    editor = start()
    editor.keys("5GA")
    editor.type("BROKEN(x);")
    editor.keys("<Esc>")
    editor.command("write")
    found = editor.wait(lambda: editor.lua("return vim.diagnostic.get(0)"), "a diagnostic")
    assert [(d["lnum"], d["message"]) for d in found] == [(4, "unknown name 'BROKEN'")]
    editor.keys("K")
    editor.wait_for("about")


def test_a_long_message_never_stops_the_editor(start: Start) -> None:
    editor = start()
    text = "No model is installed. " * 12
    editor.lua(
        "vim.lsp.get_clients({ name = 'kernelgen' })[1].handlers['window/showMessage'](nil, ...)",
        {"type": 2, "message": text},
    )
    editor.wait_for("No model is installed.")
    assert not editor.nvim.api.get_mode()["blocking"]
    editor.keys("G")
    editor.wait(lambda: not any("No model" in row for row in editor.screen()), "the message gone")


MEASURED = {"entry": "add_custom", "kind": "simulated", "medianUs": 12.5, "spreadUs": 1.0, "chip": "Ascend910B1"}


@pytest.mark.parametrize("way", ["KernelGen measure", "lua vim.lsp.codelens.run()"])
@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"reason": "no cases are described"}, "no cases are described"),
        (MEASURED, "add_custom: 12.50 us, simulated on Ascend910B1 (median)"),
        (
            {**MEASURED, "kind": "measured", "chip": "", "warnings": ["the samples spread", "the chip was hot"]},
            "add_custom: 12.50 us, measured (median). the samples spread. the chip was hot",
        ),
    ],
)
def test_what_came_of_a_measurement_is_said(
    start: Start, script: Script, way: str, answer: dict[str, Any], said: str
) -> None:
    script.set(measure=answer, lens=True)
    editor = start(columns=200)
    editor.wait_for("Measure")
    editor.keys("3G")
    editor.command(way)
    editor.wait(lambda: "kernelgen: " in editor.messages(), "the figure or the reason")
    assert f"kernelgen: {said}" in editor.messages()


def test_a_measurement_is_cancelled(start: Start) -> None:
    editor = start(before=["set laststatus=2 statusline=%{%v:lua.require'kernelgen'.status()%}"])
    editor.command("KernelGen cancel")
    editor.wait(lambda: "nothing to cancel" in editor.messages(), "the notice")
    editor.command("messages clear")
    editor.command("KernelGen measure")
    editor.wait_for("◌ Measure")
    editor.command("KernelGen cancel")
    editor.wait(lambda: "cancelled by the user" in editor.messages(), "the end of the measurement")
    editor.wait(lambda: "kernelgen: cancelled\n" in editor.messages() + "\n", "the notice")
    assert "nothing to cancel" not in editor.messages()


@pytest.fixture
def program(tmp_path: Path, script: Script) -> tuple[list[str], Path]:
    """A `kernelgen-ls` that takes its time with everything but serving, and the file that ends the wait."""
    path, gate = tmp_path / "kernelgen-ls", tmp_path / "gate"
    serve = shlex.join(scripted_command(script.path, tmp_path / "log0.jsonl"))
    wait = f'echo "begun: $@"; while [ ! -e {gate} ]; do sleep 0.05; done; echo ended; exit "$(cat {gate})"'
    path.write_text(f'#!/bin/sh\nif [ "$1" = serve ]; then exec {serve}; fi\n{wait}\n', encoding="utf-8")
    path.chmod(0o755)
    return [str(path), "serve"], gate


def restarts(editor: Editor) -> int:
    return sum(call["command"] == "kernelgen.restartModel" for call in editor.told("workspace/executeCommand"))


@pytest.mark.parametrize("closed", [False, True])
def test_a_model_is_fetched_for_as_long_as_it_takes(
    start: Start, program: tuple[list[str], Path], closed: bool
) -> None:
    command, gate = program
    editor = start({"cmd": command})
    editor.command("KernelGen model pull owner/model:Q4.gguf")
    editor.wait_for("begun: model pull owner/model:Q4.gguf")
    if closed:
        editor.keys("q")
        editor.wait(lambda: not any("begun" in row for row in editor.screen()), "the float closed")
    assert not restarts(editor)
    gate.write_text("0", encoding="utf-8")
    if closed:
        editor.wait(lambda: "kernelgen: Models: done" in editor.messages(), "the notice")
    else:
        editor.wait_for("ended")
    editor.wait(lambda: restarts(editor) == 1, "the server with the new model")


def test_a_model_that_could_not_be_fetched_changes_nothing(start: Start, program: tuple[list[str], Path]) -> None:
    command, gate = program
    editor = start({"cmd": command})
    editor.command("KernelGen model pull owner/model")
    editor.wait_for("begun")
    editor.keys("q")
    gate.write_text("3", encoding="utf-8")
    editor.wait(lambda: "kernelgen: Models: ended with code 3" in editor.messages(), "the notice")
    assert not restarts(editor)


def test_the_doctor_is_followed_while_it_examines(start: Start, program: tuple[list[str], Path]) -> None:
    command, gate = program
    editor = start({"cmd": command})
    editor.command("KernelGen doctor")
    examining = "\n".join(editor.wait_for("begun: doctor"))
    assert "ended" not in examining
    gate.write_text("1", encoding="utf-8")
    done = "\n".join(editor.wait_for("ended"))
    assert "begun: doctor" in done, "what it said stays to be read"


def test_a_program_that_is_missing_is_named(start: Start) -> None:
    editor = start()
    editor.lua("require('kernelgen.config').options.cmd = { 'no-such-program' }")
    for command in ("KernelGen doctor", "KernelGen model list"):
        editor.keys(f":{command}<CR>")
        editor.wait_for("no-such-program cannot be run")
        assert editor.lua("return vim.bo.buftype") == "", "no empty float is left"
        editor.keys("jk")
        editor.wait(lambda: not any("cannot be run" in row for row in editor.screen()), "the message gone")


def test_a_notice_waits_until_the_command_line_is_left(start: Start) -> None:
    editor = start()
    editor.keys(":echo 1")
    editor.wait(lambda: editor.mode() == "c", "the command line")
    editor.lua("require('kernelgen.notice').say('something happened')")
    assert "something happened" not in editor.messages()
    assert editor.screen()[-1] == ":echo 1"
    editor.keys("<C-c>")
    editor.wait(lambda: "something happened" in editor.messages(), "the notice")


def test_a_report_does_not_take_the_cursor_from_the_typing(start: Start, program: tuple[list[str], Path]) -> None:
    command, gate = program
    editor = start({"cmd": command})
    editor.lua(
        """
        local float = require('kernelgen.float')
        local report = float.report
        float.report = function(...)
          report(...)
          vim.g.reported = true
        end
        """
    )
    editor.command("KernelGen model list")
    editor.keys("5GA")
    editor.wait(lambda: editor.mode() == "i", "insert mode")
    gate.write_text("0", encoding="utf-8")
    editor.wait(lambda: editor.lua("return vim.g.reported"), "the report")
    editor.type("typed")
    editor.wait(lambda: editor.text()[4].endswith("typed"), "what was typed")
    assert (editor.text()[4], editor.mode()) == ("    typed", "i")
    editor.keys("<Esc>")
    editor.wait_for("begun: model list")
    assert editor.mode() == "n"


def test_health(start: Start) -> None:
    editor = start({"settings": {"completion.maxLines": 4}})
    editor.command("checkhealth kernelgen")
    text = "\n".join(editor.text())
    assert "the server offers ghost text" in text
    assert "1 settings given" in text
    assert "utf-16" in text


def test_health_without_the_server(version: Version, home: Path, tmp_path: Path) -> None:
    code = """
    require('kernelgen').setup({ cmd = { 'no-such-server' } })
    vim.cmd('checkhealth kernelgen')
    print(table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n'))
    """
    text = "\n".join(lua_lines(version, home, tmp_path, code))
    assert "no-such-server is not on PATH" in text
    assert "pip install kernelgen-ls" in text


def test_help_tags(version: Version, home: Path, tmp_path: Path) -> None:
    code = f"""
    vim.fn.mkdir('{tmp_path}/doc', 'p')
    for _, name in ipairs({{ 'kernelgen.txt', 'kernelgen-settings.txt' }}) do
      vim.uv.fs_copyfile('{PLUGIN}/doc/' .. name, '{tmp_path}/doc/' .. name)
    end
    vim.cmd('helptags {tmp_path}/doc')
    vim.opt.runtimepath:prepend('{tmp_path}')
    for _, tag in ipairs({{ 'kernelgen', ':KernelGen', 'kernelgen-mappings', 'kernelgen-completion.maxLines' }}) do
      vim.cmd.help(tag)
      print(vim.fn.expand('%:t'))
    end
    """
    assert lua_lines(version, home, tmp_path, code)[:4] == ["kernelgen.txt"] * 3 + ["kernelgen-settings.txt"]


HIGHLIGHTED = {
    "__aicore__": ("@keyword.modifier.ascendc", "kernelgenQualifier"),
    "LocalTensor": ("@type.builtin.ascendc", "kernelgenType"),
    "AllocTensor": ("@function.builtin.ascendc", "kernelgenMethod"),
    "DataCopy": ("@function.builtin.ascendc", "kernelgenFunction"),
    "VECIN": ("@constant.builtin.ascendc", "kernelgenEnumerator"),
    "GET_TILING_DATA": ("@function.macro.ascendc", "kernelgenMacro"),
    "plain": ("", ""),
}
CODE = """#include "kernel_operator.h"
extern "C" __global__ __aicore__ void copy(GM_ADDR x, GM_ADDR tiling)
{
    GET_TILING_DATA(data, tiling);
    AscendC::LocalTensor<half> tile = queue.AllocTensor<half>();
    AscendC::DataCopy(tile, source[plain], 32);
    AscendC::TQue<AscendC::TPosition::VECIN, 1> queue;
}
"""


@pytest.mark.parametrize("way", ["treesitter", "syntax"])
@pytest.mark.parametrize("served", [True, False])
def test_highlighting_of_ascendc_names(version: Version, home: Path, tmp_path: Path, way: str, served: bool) -> None:
    path = tmp_path / "copy.cpp"
    path.write_text(CODE, encoding="utf-8")
    words = ", ".join(f"'{word}'" for word in HIGHLIGHTED)
    code = f"""
    vim.cmd('filetype plugin on | syntax on')
    vim.g.kernelgen_autostart = false
    vim.api.nvim_create_autocmd('BufReadPre', {{ callback = function() vim.b.kernelgen = {str(served).lower()} end }})
    vim.cmd.edit('{path}')
    if '{way}' == 'treesitter' then
      vim.treesitter.language.add('cpp', {{ path = '{PARSER}' }})
      vim.treesitter.start(0, 'cpp')
      vim.treesitter.get_parser(0, 'cpp'):parse()
    end
    local ours = {{}}
    for _, word in ipairs({{ {words} }}) do
      vim.fn.cursor(1, 1)
      vim.fn.search([[\\<]] .. word .. [[\\>]])
      local found = ''
      if '{way}' == 'treesitter' then
        for _, capture in ipairs(vim.treesitter.get_captures_at_cursor(0)) do
          if capture:find('%.ascendc$') then found = '@' .. capture end
        end
      else
        local name = vim.fn.synIDattr(vim.fn.synID(vim.fn.line('.'), vim.fn.col('.'), 1), 'name')
        if name:find('^kernelgen') then found = name end
      end
      print(word .. '=' .. found)
    end
    """
    found = dict(line.split("=") for line in lua_lines(version, home, tmp_path, code) if "=" in line)
    column = 0 if way == "treesitter" else 1
    assert found == {word: groups[column] if served else "" for word, groups in HIGHLIGHTED.items()}
