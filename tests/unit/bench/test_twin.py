"""What is counted when kernels are run on the twin, and that a run goes on where it stopped."""

from __future__ import annotations

import json
from pathlib import Path
from unittest.mock import ANY

from click.testing import CliRunner

from kernelgen_ls.bench.twin import RESULTS, twin

KERNEL = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void scale(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x, 8);
    to.SetGlobalBuffer((__gm__ float *)y, 8);
    for (uint32_t i = 0; i < 8; i++) { to.SetValue(i, STATEMENT); }
}
"""
CASES = """import numpy as np
CASES = [{"name": "eight"}]
inputs = lambda case, rng: [rng.standard_normal(8).astype(np.float32)]
golden = lambda case, given: [given[0] * 2]
"""
KERNELS = {
    "right": "from.GetValue(i) * 2",
    "wrong": "from.GetValue(i) * 3",
    "refused": "from.GetValue(i) * nobody",
    "lacking": "from.GetValue(i) * elsewhere()",
}


def _folder(place: Path) -> Path:
    for name, statement in KERNELS.items():
        folder = place / name
        folder.mkdir(parents=True)
        text = KERNEL.replace("STATEMENT", statement)
        (folder / "scale.cpp").write_text("__aicore__ float elsewhere();\n" + text)
        (folder / "scale_cases.py").write_text(CASES)
    (place / "without").mkdir()
    (place / "without" / "scale.cpp").write_text(KERNEL.replace("STATEMENT", "1.0f"))
    return place


def _figures(folder: Path, out: Path, *options: str) -> dict:
    report = out / "report.json"
    ran = CliRunner().invoke(twin, [str(folder), "--out", str(out), "--json", str(report), "--no-halfs", *options])
    assert ran.exit_code == 0, ran.output
    return json.loads(report.read_text())


def test_kernels_are_counted_by_what_became_of_them_and_a_run_goes_on(tmp_path: Path) -> None:
    folder, out = _folder(tmp_path / "ops"), tmp_path / "out"
    ran = _figures(folder, out)
    (row,) = ran["rows"]
    assert (row["kernels"], row["compiled"], row["executed"]) == (5, 4, 2)
    assert row["states"] == {
        "right": 1,
        "found": 0,
        "wrong": 1,
        "not executed": 1,
        "failed": 1,
        "no cases": 1,
    }
    assert row["compile_seconds"][0] > 0
    assert row["plain_seconds"][0] > 0
    ((path, complaint),) = ran["not_compiled"]
    assert path == "refused/scale.cpp"
    assert "nobody" in complaint
    assert "elsewhere" in ran["causes"]["not executed"][0][0]

    lines = (out / RESULTS).read_text().splitlines()
    (out / RESULTS).write_text("\n".join(lines[:3]) + "\n" + lines[3][:20])
    assert _figures(folder, out)["rows"] == [{**row, "compile_seconds": ANY, "plain_seconds": ANY, "run_seconds": ANY}]
    assert (out / RESULTS).read_text().splitlines()[:3] == lines[:3]
    assert len((out / RESULTS).read_text().splitlines()) == 6, "the line that was cut, and the two that were missing"
