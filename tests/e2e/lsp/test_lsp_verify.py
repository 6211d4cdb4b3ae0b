"""Running a kernel on this machine's processor through the whole server: the verdict, and when it is withdrawn."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from lsprotocol import types

from tests import twice
from tests.e2e.lsp.lsp_client import NAMES, Editor, editor

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is made of Linux's namespaces and Landlock"),
    pytest.mark.skipif(not shutil.which("c++"), reason="no C++ compiler"),
]

OPTIONS = {"completion.enabled": False, "generation.enabled": False, "check.onIdle": False}
HEADER = "#pragma once\nconstexpr float FACTOR = 2.0f;\n"
KERNEL = twice.KERNEL.replace("using", '#include "factor.h"\nusing', 1).replace("2.0f", "FACTOR")
LEAKING = KERNEL.replace("    in.FreeTensor(a);\n", "")
ENTRY = types.Position(3, 40)


def lay_out(root: Path) -> None:
    """The operator's other files."""
    folder = root / "workspace/op_kernel"
    folder.mkdir(parents=True)
    (folder / "factor.h").write_text(HEADER)
    (folder.parent / "twice_cases.py").write_text(twice.CASES)


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which what the twin compiles once is kept for all tests here."""
    return {"XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache"))}


async def lenses(one: Editor, uri: str) -> list[str]:
    found = await one.client.text_document_code_lens_async(types.CodeLensParams(types.TextDocumentIdentifier(uri)))
    return [lens.command.title for lens in found or () if lens.command]


async def hover(one: Editor, uri: str) -> str:
    found = await one.client.text_document_hover_async(types.HoverParams(types.TextDocumentIdentifier(uri), ENTRY))
    if found is None:
        return ""
    assert isinstance(found.contents, types.MarkupContent)
    return found.contents.value


def shown(one: Editor, uri: str) -> list[types.Diagnostic]:
    """What the client shows of the twin's."""
    published = [list(each.diagnostics) for each in one.published if each.uri == uri]
    return [each for each in (published[-1] if published else []) if each.source == "twin"]


async def test_a_right_kernel_has_its_verdict_until_a_file_of_the_operator_changes(
    tmp_path: Path, kept: dict[str, str]
) -> None:
    lay_out(tmp_path)
    async with editor(NAMES[1], tmp_path, options=OPTIONS, env=kept) as one:
        uri = one.open("op_kernel/twice.cpp", KERNEL)
        assert await lenses(one, uri) == ["Run on CPU"]
        assert await hover(one, uri) == ""
        answer = await one.command("kernelgen.verify", uri, {"line": 20, "character": 0})
        assert answer["message"].startswith("twice: right on the twin: 2 cases")
        assert (answer["entry"], answer["verdict"], answer["by"], answer["cases"]) == ("twice", "right", "twin", 2)
        assert (await lenses(one, uri))[0].startswith("right on the twin: 2 cases")
        assert "**twice**: right on the twin: 2 cases" in await hover(one, uri)
        assert shown(one, uri) == []
        one.change(uri, 2, KERNEL + "\n")
        assert await lenses(one, uri) == ["Run on CPU"]
        assert await hover(one, uri) == ""
        header = one.open("op_kernel/factor.h", HEADER)
        await one.command("kernelgen.verify", uri)
        assert "right on the twin" in await hover(one, uri)
        one.change(header, 2, HEADER.replace("2.0f", "3.0f"))
        assert await hover(one, uri) == "", "another file of the operator was edited"
        answer = await one.command("kernelgen.verify", uri)
        assert "every value is 1.5 times what is right" in answer["message"], "an unsaved header counts"
        (tmp_path / "workspace/twice_cases.py").write_text(twice.CASES.replace("* 2", "* 3"))
        await one.until(lambda: shown(one, uri) == [])
        assert await hover(one, uri) == "", "the cases changed on the disk"


async def test_what_a_run_finds_is_shown_at_its_lines_and_withdrawn_with_the_next_edit(
    tmp_path: Path, kept: dict[str, str]
) -> None:
    lay_out(tmp_path)
    async with editor(NAMES[0], tmp_path, options=OPTIONS, env=kept) as one:
        wrong = LEAKING.replace("FACTOR, 64", "FACTOR + 1, 64")
        uri = one.open("op_kernel/twice.cpp", wrong)
        answer = await one.command("kernelgen.verify", uri, {"line": 3, "character": 0})
        assert answer["verdict"] == "wrong"
        outputs, leaked = sorted(await one.until(lambda: shown(one, uri)), key=lambda each: each.range.start.line)
        assert (outputs.range.start, outputs.code) == (types.Position(3, 38), "twin/wrong-outputs")
        assert outputs.message.startswith("wrong on the twin: case first, y[")
        assert "every value is 1.5 times what is right" in outputs.message
        assert (leaked.range.start.line, leaked.code) == (13, "twin/tensor-leaked")
        assert leaked.severity is types.DiagnosticSeverity.Error
        assert leaked.code_description is not None
        assert leaked.code_description.href.endswith("/twin/tensor-leaked.md")
        assert leaked.related_information is not None
        assert leaked.related_information[0].location.range.start.line == 11
        assert (await lenses(one, uri))[0] == "wrong on the twin | Run on CPU"
        page = await hover(one, uri)
        assert "**twice**: wrong on the twin: case first" in page
        assert "- op_kernel/twice.cpp:14:5: error: the tensor that is taken here" in page
        assert all(each.version == 1 for each in one.published if each.uri == uri)
        one.change(uri, 2, wrong + "\n")
        await one.until(lambda: not shown(one, uri))
        for text, verdict, said in (
            (KERNEL.replace("FACTOR, 64", "nothing, 64"), "wrong", "twice: wrong: the kernel does not compile"),
            (
                KERNEL.replace("Muls(b, a, FACTOR, 64)", "CrossCoreSetFlag<4, PIPE_MTE3>(1)"),
                "not_executed",
                "by the twin: CrossCore",
            ),
        ):
            one.change(uri, 3, text)
            answer = await one.command("kernelgen.verify", uri)
            assert answer["verdict"] == verdict
            assert said in answer["message"]
            assert shown(one, uri) == [], "no finding of the twin's"


async def test_after_a_save_only_what_is_wrong_is_shown_where_the_user_wants_that(
    tmp_path: Path, kept: dict[str, str]
) -> None:
    lay_out(tmp_path)
    async with editor(NAMES[0], tmp_path, options=OPTIONS | {"twin.onSave": "findings"}, env=kept) as one:
        uri = one.open("op_kernel/twice.cpp", KERNEL.replace("FACTOR, 64", "nothing, 64"))
        await one.diagnostics(uri, 1)
        one.save(uri)
        one.change(uri, 2, LEAKING)
        one.save(uri)
        found = await one.until(lambda: shown(one, uri))
        assert [each.code for each in found] == ["twin/tensor-leaked"]
        one.change(uri, 3, KERNEL)
        await one.until(lambda: not shown(one, uri))
        header = one.open("op_kernel/factor.h", HEADER)
        one.change(header, 2, HEADER.replace("2.0f", "3.0f"))
        one.save(header)
        found = await one.until(lambda: shown(one, uri))
        assert [each.code for each in found] == ["twin/wrong-outputs"], (
            "a header's save runs the kernels that include it"
        )


async def test_what_keeps_a_kernel_from_running_is_said(tmp_path: Path, kept: dict[str, str]) -> None:
    async with editor(NAMES[1], tmp_path, options=OPTIONS, env=kept) as one:
        uri = one.open("op_kernel/twice.cpp", KERNEL)
        answer = await one.command("kernelgen.verify", uri)
        assert "nobody says what twice computes" in answer["reason"]
        assert "docs/cases.md" in (await one.command("kernelgen.writeCases", uri))["reason"]
        uri = one.open("op_host/twice.cpp", "// nothing\n")
        assert "entry function" in (await one.command("kernelgen.verify", uri))["reason"]
    async with editor(NAMES[1], tmp_path, options=OPTIONS | {"twin.lens": False}) as one:
        uri = one.open("op_kernel/twice.cpp", KERNEL)
        assert await lenses(one, uri) == []


SPECIFICATION = """// op: Twice
// formula: y = 2 * x
// in x: float32 [64]
// out y: float32 [64]
"""


async def test_cases_that_nobody_wrote_are_made_and_written_to_go_on_with(tmp_path: Path, kept: dict[str, str]) -> None:
    lay_out(tmp_path)
    written = tmp_path / "workspace/twice_cases.py"
    written.unlink()
    text = KERNEL.replace('extern "C"', SPECIFICATION + 'extern "C"')
    async with editor(NAMES[1], tmp_path, options=OPTIONS, env=kept) as one:
        uri = one.open("op_kernel/twice.cpp", text)
        answer = await one.command("kernelgen.verify", uri)
        assert answer["verdict"] == "right", answer
        assert "comment above twice" in answer["madeFrom"]
        assert await one.command("kernelgen.writeCases", uri) == {"uri": written.as_uri()}
        assert "CASES" in written.read_text(encoding="utf-8")
        assert "there are cases already" in (await one.command("kernelgen.writeCases", uri))["reason"]
        answer = await one.command("kernelgen.verify", uri)
        assert (answer["verdict"], answer["madeFrom"]) == ("right", "")
