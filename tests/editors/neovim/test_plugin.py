"""The plugin around the ghost text: loading, file types, options, commands, proposals, reasoning, health."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pynvim
import pytest

from .conftest import KERNEL, Script, Start
from .editor import PARSER, PLUGIN, ROOT, Editor, Version, launch, run_lua

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


@pytest.mark.parametrize("generator", ["generate_editor_settings.py", "generate_neovim_highlights.py"])
def test_generated_files_are_up_to_date(generator: str) -> None:
    check = [sys.executable, str(ROOT / "scripts" / generator), "--check"]
    result = subprocess.run(check, capture_output=True, text=True, timeout=60)
    assert result.returncode == 0, result.stdout


def test_nothing_is_loaded_before_a_kernel_is_opened(version: Version, home: Path, tmp_path: Path) -> None:
    plain = tmp_path / "main.cpp"
    plain.write_text("int main() { return 0; }\n", encoding="utf-8")
    editor = launch(version, home, file=plain)
    loaded = "return vim.tbl_filter(function(n) return n:find('kernelgen') end, vim.tbl_keys(package.loaded))"
    try:
        assert sorted(editor.lua(loaded)) == [
            "kernelgen.client",
            "kernelgen.config",
            "kernelgen.highlight",
            "kernelgen.notice",
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
        ("add.cce", "void add() {}", "cpp", True),
        ("op_kernel/add.cpp", "", "cpp", True),
        ("op_host/add_tiling.h", "", "cpp", True),
        ("main.cpp", "int main() {}", "cpp", False),
        ("lone.cpp", '#include "kernel_operator.h"', "cpp", True),
        ("specified/new.cpp", "", "cpp", True),
    ],
)
def test_which_files_are_served(
    version: Version, home: Path, tmp_path: Path, name: str, text: str, kind: str, wanted: bool
) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
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


def test_a_new_file_is_served_once_it_is_a_kernel(start: Start, version: Version, tmp_path: Path) -> None:
    plain = tmp_path / "fresh.cpp"
    plain.write_text("\n", encoding="utf-8")
    editor = start()
    editor.command(f"edit {plain}")
    assert not editor.attached()
    editor.keys("i")
    editor.type('#include "kernel_operator.h"')
    editor.keys("<Esc>")
    editor.wait(editor.attached, "the server for the new kernel")


def test_only_what_the_user_set_is_sent(start: Start) -> None:
    editor = start({"settings": {"completion.maxLines": 4, "check": {"chip": "Ascend310P3"}}})
    sent = editor.told("initialize")[0]
    assert sent["initializationOptions"] == {"completion": {"maxLines": 4}, "check": {"chip": "Ascend310P3"}}
    assert sent["capabilities"]["experimental"] == {"kernelgenStatus": True, "kernelgenReasoning": True}
    assert "inlineCompletion" in sent["capabilities"]["textDocument"]


def test_an_unknown_option_is_named(version: Version, home: Path, tmp_path: Path) -> None:
    code = "require('kernelgen').setup({ settings = { ['model.pth'] = 'x' } })"
    assert "unknown setting 'kernelgen.model.pth'" in "\n".join(lua_lines(version, home, tmp_path, code))


def test_command_completion(version: Version, home: Path, tmp_path: Path) -> None:
    code = """
    print(vim.inspect(vim.fn.getcompletion('KernelGen ge', 'cmdline')))
    print(vim.inspect(vim.fn.getcompletion('KernelGen model ', 'cmdline')))
    print(vim.inspect(vim.fn.getcompletion('KernelGen fix a', 'cmdline')))
    """
    lines = lua_lines(version, home, tmp_path, code)
    assert lines[:3] == ['{ "generate" }', '{ "list", "use", "pull", "info", "restart" }', '{ "all" }']


def test_an_unknown_subcommand_is_named(start: Start) -> None:
    editor = start()
    with pytest.raises(pynvim.NvimError, match="there is no :KernelGen fly"):
        editor.command("KernelGen fly")


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
    editor.wait(lambda: "Generate kernel AddCustom: applied" in editor.messages(), "the outcome")
    assert editor.lua("return #vim.api.nvim_list_tabpages()") == 1
    editor.keys("u")
    editor.wait(lambda: editor.text() == [*KERNEL[:3], "{ // mine", *KERNEL[4:]], "the text as it was before")


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


def test_reasoning_streams_into_a_float_beside_the_progress(start: Start, script: Script) -> None:
    script.set(edit=NEW, hold=60)
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
