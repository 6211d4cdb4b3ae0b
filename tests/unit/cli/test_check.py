"""``kernelgen-ls check``: what it finds below a path, what it prints, how it exits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kernelgen_ls.cli.check import check
from kernelgen_ls.work.checking import request_of
from kernelgen_ls.workspace.discover import Target, targets
from kernelgen_ls.workspace.encodings import decode, encode

CLEAN = """#include "kernel_operator.h"
extern "C" __global__ __aicore__ void clean(GM_ADDR x) { AscendC::PipeBarrier<PIPE_ALL>(); }
"""
BROKEN = CLEAN.replace("clean", "broken").replace("PipeBarrier", "PipeBarier")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An operator with both sides, a header, plain C++ and a build folder, as the working directory."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for path, text in {
        "op/op_kernel/clean.cpp": '#include "part/inner.h"\n' + CLEAN,
        "op/op_kernel/part/inner.h": "struct Inner {};\n",
        "op/op_host/clean.cpp": '#include "register/op_def_registry.h"\n',
        "op/tools/plain.cpp": "int main() { return undeclared; }\n",
        "op/build/generated.cpp": CLEAN,
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def sent(target: Target) -> set[str]:
    return {item.path for item in request_of(target, "Ascend910B1").files}


def run(*arguments: str) -> Result:
    return CliRunner().invoke(check, arguments)


def test_a_folder_gives_kernels_and_host_files_with_what_they_need(project: Path):
    found = {target.place.relative_to(project).as_posix(): sent(target) for target in targets(["op"], (project,))}
    assert found == {
        "op/op_host/clean.cpp": {"op/op_host/clean.cpp"},
        "op/op_kernel/clean.cpp": {"op/op_kernel/clean.cpp", "op/op_kernel/part/inner.h", "op/op_host/clean.cpp"},
    }


def test_a_named_file_is_checked_with_its_operator(project: Path):
    (target,) = targets(["op/op_kernel/clean.cpp"])
    assert target.entry == "op_kernel/clean.cpp"
    assert "op_host/clean.cpp" in sent(target)


def test_a_path_that_is_not_there_is_said(project: Path):
    result = run("nowhere")
    assert result.exit_code == 2
    assert "nowhere does not exist" in result.output


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        ("中文".encode(), "中文", "utf-8"),
        ("中文".encode("utf-8-sig"), "中文", "utf-8"),
        ("中文注释".encode("gb18030"), "中文注释", "gb18030"),
        ("int x; // 中文\n".encode("utf-16"), "int x; // 中文\n", "utf-16-le"),
        ("int x; // 中文\n".encode("utf-16-be"), "int x; // 中文\n", "utf-16-be"),
        ("int x; // 中文\n".encode("utf-16-le"), "int x; // 中文\n", "utf-16-le"),
        (b"int x;\0\n", "int x;\0\n", "utf-8"),
        (b"\xff\xfd\xff\xfd\xff", "\ufffd" * 5, ""),
        (b"", "", "utf-8"),
    ],
)
def test_texts_are_decoded_and_written_back_as_they_were(data: bytes, text: str, encoding: str):
    found = decode(data)
    assert (found.text, found.encoding) == (text, encoding)
    assert not encoding or encode(found.text, found) == data


def test_clean_files_exit_with_zero_and_broken_ones_with_one(project: Path):
    result = run("op")
    assert result.exit_code == 0, result.output
    assert "2 files checked: nothing wrong found; for Ascend910B1 (" in result.output
    (project / "op/op_kernel/clean.cpp").write_text(BROKEN)
    result = run("op")
    assert result.exit_code == 1
    assert "op/op_kernel/clean.cpp:2:68: error:" in result.output
    assert "did you mean 'PipeBarrier'" in result.output


def test_how_much_could_be_looked_at_is_said(project: Path):
    kernel = project / "op/op_kernel/clean.cpp"
    kernel.write_text(f'#include "mylib/absent.h"\nmylib::Thing thing;\n{CLEAN}')
    result = run("op")
    assert result.exit_code == 0, result.output
    assert "nothing wrong found (" in result.output and " lines looked at)" in result.output
    of = {one["path"]: one["coverage"] for one in json.loads(run("--json", "op").stdout)["files"]}
    coverage = of["op/op_kernel/clean.cpp"]
    assert coverage["looked_at"] == coverage["lines"] - 1
    host = next(item for path, item in of.items() if "op_host" in path)
    assert host["looked_at"] == host["lines"] > 0


def test_a_file_that_is_refused_was_not_checked(project: Path):
    (project / "op/op_kernel/clean.cpp").write_text(CLEAN + "int deep = " + "(" * 400 + "0" + ")" * 400 + ";\n")
    result = run("op")
    assert result.exit_code == 2
    assert "clean.cpp: not checked: brackets are nested" in result.output
    assert "1 of 2 files checked" in result.output
    assert not json.loads(run("--sarif", "op").stdout)["runs"][0]["invocations"][0]["executionSuccessful"]


@pytest.mark.parametrize(("severity", "status", "said"), [("error", 1, "1 error"), ("off", 0, "nothing wrong found")])
def test_the_projects_severities_count(
    severity: str, status: int, said: str, project: Path, monkeypatch: pytest.MonkeyPatch
):
    copy = "GlobalTensor<half> from; from.SetGlobalBuffer(nullptr); LocalTensor<half> to; DataCopy(to, from, 7);"
    text = CLEAN.replace("AscendC::PipeBarrier", f"using namespace AscendC; {copy} PipeBarrier")
    (project / "op/op_kernel/clean.cpp").write_text(text)
    assert "[kernel/copy-alignment]" in run("op").output
    (project / ".kernelgen.json").write_text(json.dumps({"check.lints": {"kernel/copy-alignment": severity}}))
    monkeypatch.chdir(project / "op")
    result = run("op_kernel")
    assert result.exit_code == status, result.output
    assert said in result.output


def test_json_and_sarif_say_the_same(project: Path):
    (project / "op/op_kernel/clean.cpp").write_text(BROKEN)
    plain = json.loads(run("--json", "op").stdout)
    (finding,) = plain["findings"]
    assert finding["path"] == "op/op_kernel/clean.cpp"
    assert finding["location"]["range"]["start"] == {"line": 1, "column": 67}
    sarif = json.loads(run("--sarif", "op").stdout)
    assert sarif["version"] == "2.1.0"
    (sarif_run,) = sarif["runs"]
    (result,) = sarif_run["results"]
    assert result["level"] == "error"
    assert sarif_run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
    region = result["locations"][0]["physicalLocation"]["region"]
    assert (region["startLine"], region["startColumn"]) == (2, 68)
    assert sarif_run["invocations"] == [{"executionSuccessful": True, "toolExecutionNotifications": []}]


def test_a_file_that_is_not_utf8_is_read_and_said(project: Path):
    (project / "op/op_kernel/clean.cpp").write_bytes(CLEAN.encode() + "// 注释\n".encode("gb18030"))
    result = run("op/op_kernel/clean.cpp")
    assert result.exit_code == 0
    assert "it was read as GB18030" in result.output


def test_an_unknown_chip_is_refused(project: Path):
    result = run("--chip", "Ascend1", "op")
    assert result.exit_code == 2
    assert "no chip is called 'Ascend1'; known are Ascend910B1" in " ".join(result.output.split())
