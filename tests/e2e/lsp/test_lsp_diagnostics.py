"""Diagnostics through the whole server with the real checker: when they come, and when they go."""

from __future__ import annotations

import asyncio
from pathlib import Path

import psutil
import pytest
from lsprotocol import types

from tests.e2e.lsp.lsp_client import NAMES, Editor, editor

GOOD = Path(__file__).parents[2] / "kernels" / "clean" / "vector_sum.cpp"
NO_MODEL = {"completion.enabled": False, "generation.enabled": False}
QUIET = NO_MODEL | {"check.onIdle": False}


def kernel() -> str:
    return GOOD.read_text(encoding="utf-8")


def broken() -> tuple[str, int]:
    """A kernel with a misspelt member, and its line; Chinese and emoji stand before it in the same line."""
    lines = kernel().splitlines()
    number = next(index for index, line in enumerate(lines) if "FreeTensor(" in line)
    lines[number] = "/* 释放😀 */ " + lines[number].replace("FreeTensor(", "FreeTensr(")
    return "\n".join(lines) + "\n", number


def errors(diagnostics: list[types.Diagnostic]) -> list[types.Diagnostic]:
    return [one for one in diagnostics if one.severity is types.DiagnosticSeverity.Error]


@pytest.mark.parametrize("name", NAMES)
async def test_a_broken_kernel_is_underlined_where_it_is_broken(name: str, tmp_path: Path) -> None:
    async with editor(name, tmp_path, options=QUIET) as one:
        text, number = broken()
        uri = one.open("add.cpp", text)
        (error,) = errors(await one.diagnostics(uri, 1))
        line = text.splitlines()[number]
        start = line.index("FreeTensr")
        assert error.source == "embedded"
        assert error.range.start == types.Position(number, one.units(line[:start]))
        assert "FreeTensr" in error.message


async def test_a_clean_kernel_has_no_error_and_plain_cpp_is_left_alone(tmp_path: Path) -> None:
    async with editor(NAMES[0], tmp_path, options=QUIET) as one:
        plain = one.open("plain.cpp", "int main() { return undefined_name; }\n")
        uri = one.open("add.cpp", kernel())
        assert errors(await one.diagnostics(uri, 1)) == []
        assert not [published for published in one.published if published.uri == plain and published.diagnostics]


async def test_what_the_first_of_many_configurations_has_comes_before_the_others_are_checked(tmp_path: Path) -> None:
    host = """
    #include "register/op_def_registry.h"
    class Scale : public OpDef {
    public:
        explicit Scale(const char *name) : OpDef(name)
        {
            this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_INT8});
            this->AICore().AddConfig("ascend910b");
        }
    };
    """
    text = (
        '#include "kernel_operator.h"\n'
        'extern "C" __global__ __aicore__ void scale(GM_ADDR x, GM_ADDR workspace, GM_ADDR tiling)\n'
        "{\n"
        "    AscendC::LocalTensor<DTYPE_X> a;\n"
        "    AscendC::Exp(a, a, 8);\n"
        "    AscendC::Expp(a, a, 8);\n"
        "}\n"
    )
    async with editor(NAMES[0], tmp_path, options=QUIET) as one:
        (one.root / "op_host").mkdir()
        (one.root / "op_host" / "scale.cpp").write_text(host, encoding="utf-8")
        uri = one.open("op_kernel/scale.cpp", text)
        await one.until(lambda: len([p for p in one.published if p.uri == uri]) == 2)
        first, whole = (errors(list(p.diagnostics)) for p in one.published if p.uri == uri)
        assert [error.range.start.line for error in first] == [5]
        assert sorted(error.range.start.line for error in whole) == [4, 5]


async def test_a_folder_that_is_added_to_the_workspace_brings_its_operators_files(tmp_path: Path) -> None:
    folder = tmp_path / "other"
    (folder / "common").mkdir(parents=True)
    (folder / "common" / "shapes.h").write_text("constexpr int ROWS = 4;\n", encoding="utf-8")
    text = '#include "../../common/shapes.h"\nconstexpr int TWICE = ROWS * 2;\n' + kernel()
    async with editor(NAMES[0], tmp_path, options=QUIET) as one:
        uri = one.open(str(folder / "add" / "op_kernel" / "add.cpp"), text)
        (missing,) = await one.diagnostics(uri, 1)
        assert "shapes.h' was not found" in missing.message
        assert missing.severity is types.DiagnosticSeverity.Information
        assert await one.until(lambda: "lines looked at" in one.statuses[-1]["checker"]["detail"])
        one.client.workspace_did_change_workspace_folders(
            types.DidChangeWorkspaceFoldersParams(
                types.WorkspaceFoldersChangeEvent([types.WorkspaceFolder(folder.as_uri(), "other")], [])
            )
        )
        assert await one.until(lambda: not one.published[-1].diagnostics)
        said = "add.cpp: for Ascend910B1 (nothing names another)"
        assert await one.until(lambda: one.statuses[-1]["checker"]["detail"] == said)


async def test_an_edit_withdraws_and_a_save_brings_back(tmp_path: Path) -> None:
    async with editor(NAMES[1], tmp_path, options=QUIET) as one:
        text, number = broken()
        uri = one.open("add.cpp", text)
        assert errors(await one.diagnostics(uri, 1))
        one.change(uri, 2, "// more\n" + text)
        assert await one.diagnostics(uri, 2) == []
        one.save(uri)
        found = await one.until(lambda: [p for p in one.published if p.version == 2 and p.diagnostics])
        assert errors(list(found[-1].diagnostics))[0].range.start.line == number + 1
        one.close(uri)
        await one.until(lambda: one.published[-1].uri == uri and not one.published[-1].diagnostics)


async def test_a_pause_in_typing_checks(tmp_path: Path) -> None:
    async with editor(NAMES[1], tmp_path, options=NO_MODEL | {"check.idleDelay": 100}) as one:
        text, _ = broken()
        uri = one.open("add.cpp", kernel())
        assert errors(await one.diagnostics(uri, 1)) == []
        one.change(uri, 2, text)
        assert errors(await one.diagnostics(uri, 2))


async def test_turning_checks_off_clears_and_on_checks_again(tmp_path: Path) -> None:
    async with editor(NAMES[0], tmp_path, options=QUIET) as one:
        text, _ = broken()
        uri = one.open("add.cpp", text)
        assert await one.diagnostics(uri, 1)
        await configure(one, {"check": {"enabled": False}})
        await one.until(lambda: not one.published[-1].diagnostics)
        result = await one.command("kernelgen.checkNow", uri)
        assert result["errors"] == 1
        await configure(one, {"check": {"enabled": True, "chip": "Ascend310P3"}})
        await one.until(lambda: one.published[-1].diagnostics)


async def configure(one: Editor, settings: dict[str, object]) -> None:
    one.client.set_configuration(settings, section="kernelgen")
    one.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=None))
    await asyncio.sleep(0)


async def test_a_save_storm_ends_with_the_right_diagnostics_and_few_jobs(tmp_path: Path) -> None:
    async with editor(NAMES[1], tmp_path, options=QUIET) as one:
        text, number = broken()
        uri = one.open("add.cpp", kernel())
        await one.diagnostics(uri, 1)
        most = 0
        for version in range(2, 52):
            one.change(uri, version, "\n" * (version % 7) + (text if version % 2 else kernel()))
            one.save(uri)
            await asyncio.sleep(0.02)
            most = max(most, sum("worker" in " ".join(p.cmdline()) for p in processes(one.pid)))
        found = errors(await one.diagnostics(uri, 51))
        assert [error.range.start.line for error in found] == [number + 51 % 7]
        assert most <= 2


def processes(pid: int) -> list[psutil.Process]:
    """The processes below one that still answer."""
    found = []
    for process in psutil.Process(pid).children(recursive=True):
        try:
            process.cmdline()
        except psutil.Error:
            continue
        found.append(process)
    return found


async def test_a_killed_checker_is_said_and_the_next_save_works(tmp_path: Path) -> None:
    async with editor(NAMES[1], tmp_path, options=QUIET) as one:
        text, _ = broken()
        uri = one.open("add.cpp", text)
        await one.diagnostics(uri, 1)
        runner = next(process for process in processes(one.pid) if "runner" in process.cmdline())
        one.change(uri, 2, text + "\n")
        runner.suspend()
        one.save(uri)
        await one.until(lambda: one.statuses[-1]["checker"]["state"] == "busy")
        runner.kill()
        await one.until(lambda: one.statuses[-1]["checker"]["state"] == "failed")
        assert [message for message in one.client.messages if "add.cpp was not checked" in message.message]
        assert not one.published[-1].diagnostics
        one.save(uri)
        assert errors(
            (await one.until(lambda: [p for p in one.published if p.version == 2 and p.diagnostics]))[-1].diagnostics
        )


async def test_a_file_changed_outside_the_editor_means_a_new_check(tmp_path: Path) -> None:
    async with editor(NAMES[1], tmp_path, options=QUIET) as one:
        one.root.joinpath("limits.h").write_text("#define ROWS 8\n")
        text = kernel().replace(
            '#include "kernel_operator.h"',
            '#include "kernel_operator.h"\n#include "limits.h"\nconstexpr int rows = ROWS;',
        )
        uri = one.open("add.cpp", text)
        assert errors(await one.diagnostics(uri, 1)) == []
        one.published.clear()
        one.root.joinpath("limits.h").write_text("// nothing\n")
        found = await one.until(lambda: [p for p in one.published if p.diagnostics])
        assert "ROWS" in errors(list(found[-1].diagnostics))[0].message


async def test_a_project_cannot_choose_a_model_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "workspace").mkdir()
    (tmp_path / "workspace" / ".kernelgen.json").write_text('{"model.path": "evil.gguf", "check.chip": "Ascend310P3"}')
    async with editor(NAMES[1], tmp_path, options=NO_MODEL) as one:
        await one.until(lambda: one.client.messages)
        assert "'kernelgen.model.path' in a project's file is refused" in one.client.messages[0].message


def is_page(uri: str) -> bool:
    """Whether a link leads to a page that is there."""
    return Path(uri.removeprefix("file://")).is_file() and uri.endswith(".md")


async def test_a_lint_has_its_page_and_its_fix(tmp_path: Path) -> None:
    text = kernel().replace("TILE)", "TILE + 7)")
    async with editor(NAMES[0], tmp_path, options=QUIET) as one:
        uri = one.open("add.cpp", text)
        found = [diagnostic for diagnostic in await one.diagnostics(uri, 1) if diagnostic.source == "lint"]
        assert found
        assert found[0].code_description is not None
        assert is_page(found[0].code_description.href)
        configured = {"check": {"lints": {str(found[0].code): "off"}}}
        one.published.clear()
        await configure(one, configured)
        rest = await one.diagnostics(uri, 1)
        assert found[0].code not in [diagnostic.code for diagnostic in rest]


async def test_a_killed_server_leaves_no_process(tmp_path: Path) -> None:
    async with editor(NAMES[1], tmp_path, options=QUIET) as one:
        uri = one.open("add.cpp", kernel())
        await one.diagnostics(uri, 1)
        children = processes(one.pid)
        assert children
        psutil.Process(one.pid).kill()
        one.client.error = RuntimeError("killed by the test")
        _, alive = psutil.wait_procs(children, timeout=20)
        assert alive == []
