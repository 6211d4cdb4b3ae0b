"""What is counted when released kernels are checked, and that a run goes on where it stopped."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from kernelgen_ls.bench.repositories import RESULTS, repositories

KERNEL = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void {name}(GM_ADDR x)
{{
    {statement}
}}
"""


def _repository(folder: Path, kernels: dict[str, str]) -> Path:
    for name, statement in kernels.items():
        place = folder / name / "op_kernel" / f"{name}.cpp"
        place.parent.mkdir(parents=True)
        place.write_text(KERNEL.format(name=name, statement=statement))
    (folder / "host.cpp").write_text("int main() { return undeclared; }\n")
    return folder


def _figures(folder: Path, out: Path, *options: str) -> dict:
    report = out / "report.json"
    ran = CliRunner().invoke(repositories, [str(folder), "--out", str(out), "--json", str(report), *options])
    assert ran.exit_code == 0, ran.output
    return json.loads(report.read_text())


def test_kernels_are_counted_by_repository_and_errors_by_cause(tmp_path: Path) -> None:
    folder = _repository(tmp_path / "ops", {"fine": "TPipe pipe;", "red": "TPipe pipe = 7;"})
    figures = _figures(folder, tmp_path / "out", "--warm")
    ops, whole = figures["rows"]
    assert (ops["repository"], ops["kernels"], ops["clean"], ops["problems"]) == ("ops", 2, 50.0, 0)
    assert ops["warm_p50_ms"] > 0
    assert whole["repository"] == "all"
    assert figures["not_clean"] == ["red/op_kernel/red.cpp"]
    ((cause, count),) = figures["causes"]
    assert count == 1
    assert "TPipe" in cause


def test_a_header_that_is_not_there_is_no_full_check(tmp_path: Path) -> None:
    folder = _repository(
        tmp_path / "ops", {"fine": "TPipe pipe;", "partly": '\n#include "acl/nowhere.h"\n    Elsewhere thing;'}
    )
    whole = _figures(folder, tmp_path / "out")["rows"][-1]
    assert (whole["clean"], whole["in_full"]) == (100.0, 50.0)
    assert 50 < whole["lines"] < 100, "of the kernel with the header only what uses its names is not judged"


def test_a_run_goes_on_where_it_was_killed(tmp_path: Path) -> None:
    folder = _repository(tmp_path / "ops", {"a": "", "b": "", "c": ""})
    out = tmp_path / "out"
    assert _figures(folder, out, "--every", "2")["rows"][-1]["kernels"] == 2
    finished = (out / RESULTS).read_text().splitlines()
    (out / RESULTS).write_text(f"{finished[0]}\n{finished[1][:20]}")
    assert _figures(folder, out)["rows"][-1]["kernels"] == 3
    lines = (out / RESULTS).read_text().splitlines()
    assert lines[0] == finished[0]
    assert len(lines) == 4, "the line that was cut, and the two that were missing"
