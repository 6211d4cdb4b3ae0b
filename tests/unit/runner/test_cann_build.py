"""Whole projects, built where only op_host can say a kernel's tiling: the tests' installation, the real sandbox."""

from __future__ import annotations

import json
import os
import re
import shutil
import time
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from attrs import evolve

from kernelgen_ls.runner.execution import sandbox
from kernelgen_ls.runner.jobs.config import Budgets
from kernelgen_ls.runner.jobs.messages import (
    MeasureRequest,
    MeasureResult,
    Outcome,
    SourceFile,
    StageReport,
    VerifyRequest,
)
from kernelgen_ls.runner.toolchains.cann.build import _is_kernel
from kernelgen_ls.runner.toolchains.cann.kept_builds import prune, take
from kernelgen_ls.runner.toolchains.cann.toolchain import CannToolchain
from tests.fakes.cann_project import LISTS, PRESETS
from tests.unit.runner.test_cann import CASES as ALL_CASES
from tests.unit.runner.test_cann import CONFIG, Start, hurry, kernel, never, shared, start

__all__ = ["shared", "start"]  # fixtures

CASES = ALL_CASES.replace('{"name": "whole", "n": 1024}, ', "")
HOST = dedent(
    """
    #include "twice_tiling.h"
    #include "register/op_def_registry.h"

    namespace optiling {
    // tiling: {"mode": 3, "length": n, "factor": 2.0} on 8 cores, key 0, workspace 1024
    static ge::graphStatus TilingFunc(gert::TilingContext *context)
    {
        TwiceTiling tiling;
        tiling.set_length(context->GetInputShape(0)->GetOriginShape().GetShapeSize());
        context->SetBlockDim(8);
        tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
        context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
        return ge::GRAPH_SUCCESS;
    }
    }

    namespace ops {
    class Twice : public OpDef {
    public:
        explicit Twice(const char *name) : OpDef(name)
        {
            this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT16}).Format({ge::FORMAT_ND});
            this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT16}).Format({ge::FORMAT_ND});
            this->Attr("factor").AttrType(OPTIONAL).Float(2.0);
            this->AICore().SetTiling(optiling::TilingFunc);
            this->AICore().AddConfig("ascend910b");
        }
    };
    OP_ADD(Twice);
    }
    """
)
TILING = dedent(
    """
    #pragma once
    #include "register/tilingdata_base.h"
    namespace optiling {
    BEGIN_TILING_DATA_DEF(TwiceTiling)
      TILING_DATA_FIELD_DEF(uint8_t, mode);
      TILING_DATA_FIELD_DEF(uint32_t, length);
      TILING_DATA_FIELD_DEF(float, factor);
    END_TILING_DATA_DEF;
    REGISTER_TILING_DATA_CLASS(Twice, TwiceTiling)
    }
    """
)
# Right only with the bytes that op_host computed for this very case: the length is in them.
COMPUTES = "// computes: x0 * np.frombuffer(t[8:12], np.float32)[0] * (np.frombuffer(t[4:8], np.uint32)[0] == x0.size)"


def kernel_of_host(more: str = "// trusted") -> str:
    text = kernel(more=more).replace("// computes: x0 * 2", COMPUTES)
    return text.replace("twice(GM_ADDR x, GM_ADDR y)", "twice(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)")


def project(text: str = "", host: str = HOST, cases: str = CASES, **others: str) -> tuple[SourceFile, ...]:
    tree = {
        "op_kernel/twice.cpp": text or kernel_of_host(),
        "op_host/twice.cpp": host,
        "op_host/twice_tiling.h": TILING,
        "cases.py": cases,
        **others,
    }
    return tuple(SourceFile(path, content) for path, content in tree.items())


def measure(
    chain: CannToolchain, files: tuple[SourceFile, ...], stages: list[StageReport] | None = None
) -> MeasureResult:
    request = MeasureRequest("op_kernel/twice.cpp", files, "Ascend910B1", "twice", "cases.py", launches=3)
    return chain.measure(request, never, (stages if stages is not None else []).append)


def built(stages: list[StageReport]) -> list[str]:
    return [stage.detail.rpartition(": ")[2] for stage in stages if "whole project" in stage.detail]


def test_a_kernel_gets_the_tiling_that_its_op_host_computes(start: Start, tmp_path: Path) -> None:
    chain = start(evolve(CONFIG, cache=tmp_path / "cache"))
    stages: list[StageReport] = []
    result = measure(chain, project(cases=ALL_CASES), stages)  # two lengths: each case has its own tiling
    assert result.outcome is Outcome.PASSED, result.message
    assert result.latency is not None and result.latency.block_dim == 8, "op_host says on how many cores"
    assert built(stages) == ["msopgen", "configure", "binary", "package", "install"]

    stages.clear()
    again = measure(chain, project(cases=CASES + "\n# another comment"), stages)
    assert (again.outcome, built(stages)) == (Outcome.PASSED, []), "nothing of the project has changed"
    wrong = measure(chain, project(kernel_of_host().replace("x0 * np", "x0 * 3 * np")), stages)
    assert (wrong.outcome, built(stages)) == (Outcome.WRONG_VALUES, []), "the edited kernel, with op_host's tiling"
    edited = measure(chain, project(host=HOST.replace("on 8 cores", "on 4 cores")), stages)
    assert edited.latency is not None and edited.latency.block_dim == 4
    assert "binary" in built(stages)


def test_what_computes_a_tiling_is_never_taken_for_a_kernel(start: Start, tmp_path: Path) -> None:
    chain = start(evolve(CONFIG, cache=tmp_path / "cache"))
    other = "// launched by a __global__ function\nconstexpr int CORES = 8;\n"
    assert measure(chain, project(**{"op_host/cores.cpp": other})).outcome is Outcome.PASSED
    stages: list[StageReport] = []
    measure(chain, project(**{"op_host/cores.cpp": other.replace("8", "4")}), stages)
    assert "binary" in built(stages)


@pytest.mark.parametrize(
    ("path", "kernel"),
    [
        ("op_kernel/twice.cpp", True),
        ("twice/op_kernel/arch22/twice.cpp", True),
        ("op_kernel/twice.h", False),
        ("op_host/op_kernel/twice.cpp", False),
        ("op_kernel/op_host/twice.cpp", False),
        ("common/twice.cpp", False),
        ("op_kernel.cpp", False),
    ],
)
def test_only_sources_below_op_kernel_are_left_out_of_a_builds_key(path: str, kernel: bool) -> None:
    assert _is_kernel(SourceFile(path, "__global__ void twice()")) is kernel


def test_a_wrong_tiling_is_the_kernels_verdict_and_attributes_reach_op_host(start: Start) -> None:
    chain = start()
    wrong = measure(chain, project(host=HOST.replace('"length": n', '"length": n + 1')))
    assert wrong.outcome is Outcome.WRONG_VALUES
    host = HOST.replace('"factor": 2.0', '"factor": attrs["factor"]')
    assert measure(chain, project(host=host)).outcome is Outcome.PASSED, "the attribute's default"
    cases = CASES.replace("inputs[0] * 2", "inputs[0] * 4") + "\nATTRIBUTES = {'factor': 4}\n"
    assert measure(chain, project(host=host, cases=cases)).outcome is Outcome.PASSED


def test_a_projects_own_presets_and_lists_are_what_is_built(start: Start) -> None:
    stages: list[StageReport] = []
    own = {**LISTS, "CMakePresets.json": json.dumps(PRESETS).replace("customize", "ours")}
    result = measure(start(), project(**own), stages)
    assert (result.outcome, built(stages)[0]) == (Outcome.PASSED, "configure"), result.message


def test_a_tiling_in_the_cases_file_needs_no_build(start: Start) -> None:
    stages: list[StageReport] = []
    cases = CASES + "\nWORKSPACE = 64\ndef tiling(case):\n    return {'length': case['n'], 'factor': 2.0}\n"
    assert measure(start(), project(cases=cases), stages).outcome is Outcome.PASSED
    assert built(stages) == []


def test_errors_of_the_build_are_put_on_the_users_lines(start: Start) -> None:
    chain = start()
    host = HOST.replace("context->SetBlockDim(8);", "context->SetBlockDin(8);")
    result = measure(chain, project(host=host))
    (finding,) = result.findings
    line = next(n for n, text in enumerate(host.split("\n")) if "SetBlockDin" in text)
    assert (result.outcome, result.message) == (Outcome.COMPILE_ERROR, "the project does not build")
    assert (finding.location.path, finding.location.range.start.line) == ("op_host/twice.cpp", line)
    assert "SetBlockDin" in finding.message

    text = kernel_of_host("// trusted\n// build refuses: something only the whole build sees")
    result = measure(chain, project(text))
    (finding,) = result.findings
    line = next(n for n, row in enumerate(text.split("\n")) if "build refuses" in row)
    assert (finding.location.path, finding.location.range.start.line) == ("op_kernel/twice.cpp", line)
    assert "only the whole build sees" in finding.message

    own = {**LISTS, "CMakePresets.json": json.dumps(PRESETS)}
    own["op_kernel/CMakeLists.txt"] = '# ours\nmessage(FATAL_ERROR "no such option")\n'
    result = measure(chain, project(**own))
    (finding,) = result.findings
    assert (finding.location.path, finding.location.range.start.line) == ("op_kernel/CMakeLists.txt", 1)
    assert (finding.message, finding.code) == ("no such option", "bisheng/cmake")


def test_a_tiling_function_that_fails_is_told(start: Start) -> None:
    result = measure(start(), project(host=HOST.replace("// tiling:", "// nothing:")))
    assert result.outcome is Outcome.RUNTIME_ERROR
    assert "op_host computed no tiling" in result.message and "GRAPH_FAILED" in result.message


def test_a_tiling_function_that_does_not_end_has_failed(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    hurry(monkeypatch, "ask_op_tiling")
    endless = re.sub(r"// tiling: .*", '// tiling: {"length": sum(iter(int, 1))} on 1 core', HOST)
    result = measure(start(), project(host=endless))
    assert (result.outcome, "did not end" in result.message) == (Outcome.RUNTIME_ERROR, True), result.message


def test_the_steps_of_a_build_share_one_budget(start: Start, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    given: list[float] = []
    real = sandbox.run

    def run(argv: list[str], folder: Path, *, seconds: float, **more: Any) -> sandbox.Finished:
        if 60 < seconds <= 100:  # the others have budgets of their own
            given.append(seconds)
        return real(argv, folder, seconds=seconds, **more)

    monkeypatch.setattr(sandbox, "run", run)
    result = measure(start(evolve(CONFIG, budgets=Budgets(check=300, verify=300, measure=300, build=100))), project())
    assert result.outcome is Outcome.PASSED, result.message
    assert len(given) == 5 and given == sorted(given, reverse=True) and len(set(given)) == 5


def test_a_build_ends_when_it_is_cancelled_and_when_its_budget_is_spent(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    hanging = project(host=HOST + "\n// build hangs\n")
    chain = start()
    stages: list[StageReport] = []
    request = VerifyRequest("op_kernel/twice.cpp", hanging, "Ascend910B1", "twice", "cases.py")
    result = chain.verify(request, lambda: "binary" in built(stages), stages.append)
    assert result.outcome is Outcome.CANCELLED
    hurry(monkeypatch, "binary")
    slow = start(evolve(CONFIG, budgets=Budgets(check=300, verify=300, build=6)))
    result = slow.verify(request, never, lambda _: None)
    assert result.outcome is Outcome.TIMEOUT and "took longer than 6 s; it was at binary" in result.message


def test_what_a_runner_lacks_for_a_build_is_named(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    chain = start()
    which = shutil.which
    monkeypatch.setattr(shutil, "which", lambda name, **more: None if name == "cmake" else which(name, **more))
    result = measure(chain, project())
    assert (
        result.outcome is Outcome.INFRA_ERROR and "needs cmake" in result.message and "tiling(case)" in result.message
    )
    monkeypatch.setattr("kernelgen_ls.runner.toolchains.cann.build.find_msopgen", lambda install: "/nowhere/msopgen")
    result = measure(chain, project())
    assert result.outcome is Outcome.INFRA_ERROR and "No such file" in result.message


def test_only_files_and_links_that_stay_inside_are_taken_from_a_build(tmp_path: Path) -> None:
    vendor = tmp_path / "job/vendor"
    (vendor / "lib").mkdir(parents=True)
    (vendor / "lib/real.so").write_text("real")
    (vendor / "inside.so").symlink_to("lib/real.so")
    (vendor / "shadow").symlink_to("/etc/shadow")
    (vendor / "up").symlink_to("../../secret")
    (vendor / "loop").symlink_to("loop")
    (vendor / "kernelgen-built-from").symlink_to("lib/real.so")
    os.mkfifo(vendor / "pipe")
    (tmp_path / "secret").write_text("secret")
    take(vendor, tmp_path / "kept/one", "hash")
    names = sorted(path.relative_to(tmp_path / "kept/one").as_posix() for path in (tmp_path / "kept/one").rglob("*"))
    assert names == ["inside.so", "kernelgen-built-from", "lib", "lib/real.so"]
    assert (tmp_path / "kept/one/inside.so").read_text() == "real"
    take(vendor, tmp_path / "kept/one", "hash")  # another worker was first: no error, nothing left lying about
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["one"]


def test_what_other_workers_build_and_use_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.time()
    for name, age in [("partial-going", 50), ("partial-dead", 500), ("used", 50), ("unused", 500), ("new", 0)]:
        (tmp_path / name).mkdir()
        (tmp_path / name / "big").write_bytes(b"x" * 1000)
        os.utime(tmp_path / name, (now - age, now - age))
    prune(tmp_path, 10, tmp_path / "new", 100)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new", "partial-going", "used"]

    there = list(tmp_path.iterdir())
    monkeypatch.setattr(Path, "iterdir", lambda _: iter([tmp_path / "partial-gone", tmp_path / "gone", *there]))
    prune(tmp_path, 10, tmp_path / "new", 10)  # what vanishes meanwhile is no error
    monkeypatch.undo()
    assert [path.name for path in tmp_path.iterdir()] == ["new"]


def test_a_package_that_is_removed_as_it_is_asked_for_is_built_again(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chain = start(evolve(CONFIG, cache=tmp_path / "cache"))
    assert measure(chain, project()).outcome is Outcome.PASSED
    (kept,) = (tmp_path / "cache/builds").iterdir()
    is_dir, gone = Path.is_dir, list[Path]()

    def vanishing(path: Path, **more: Any) -> bool:
        answer = is_dir(path, **more)
        if path == kept and answer and not gone:
            gone.append(path)
            shutil.rmtree(kept)
        return answer

    monkeypatch.setattr(Path, "is_dir", vanishing)
    result = measure(chain, project())
    assert result.outcome is Outcome.PASSED, result.message


def test_kept_builds_stay_within_their_bytes(tmp_path: Path) -> None:
    for number, name in enumerate(["old", "middle", "new"]):
        (tmp_path / name).mkdir()
        (tmp_path / name / "big").write_bytes(b"x" * 1000)
        os.utime(tmp_path / name, (number, number))
    prune(tmp_path, 2000, tmp_path / "new", 60)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["middle", "new"]
    prune(tmp_path, 10, tmp_path / "new", 60)
    assert [path.name for path in tmp_path.iterdir()] == ["new"]
