"""``kernelgen-ls verify`` where no runner is named: the twin answers, and the exit status says what it found."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.twin.verifying import ROOT

KERNEL = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x, 64);
    to.SetGlobalBuffer((__gm__ float *)y, 64);
    pipe.InitBuffer(in, 1, 256);
    pipe.InitBuffer(out, 1, 256);
    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopy(a, from, 64);
    in.EnQue(a);
    a = in.DeQue<float>();
    LocalTensor<float> b = out.AllocTensor<float>();
    Muls(b, a, 2.0f, 64);
    out.EnQue(b);
    in.FreeTensor(a);
    b = out.DeQue<float>();
    DataCopy(to, b, 64);
    out.FreeTensor(b);
}
"""
CASES = """import numpy as np
CASES = [{"name": "first"}, {"name": "second"}]
inputs = lambda case, rng: [rng.standard_normal(64).astype(np.float32)]
golden = lambda case, given: [given[0] * 2]
"""


def run(folder: Path, kernel: str, *options: str) -> tuple[int, dict[str, object]]:
    (folder / "twice.cpp").write_text(kernel)
    (folder / "twice_cases.py").write_text(CASES)
    done = subprocess.run(
        [sys.executable, "-m", "kernelgen_ls", "verify", "twice.cpp", "--json", *options],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=300,
    )
    return done.returncode, json.loads(done.stdout)


@pytest.mark.parametrize(
    ("old", "new", "status", "outcome", "said"),
    [
        ("", "", 0, "right", ""),
        ("2.0f", "3.0f", 1, "wrong", "is right at"),
        ("    in.FreeTensor(a);\n", "", 1, "wrong", "twice.cpp:13: the tensor that is taken here"),
        ("Muls(b, a, 2.0f, 64)", "Muls(b, a, 2.0f, length)", 1, "wrong", "the kernel does not compile"),
        ("Muls(b, a, 2.0f, 64)", "Digamma(b, a, 64)", 2, "not_executed", "not executed by the twin: Digamma"),
    ],
)
def test_the_exit_status_is_the_verdict(
    tmp_path: Path, old: str, new: str, status: int, outcome: str, said: str
) -> None:
    code, answer = run(tmp_path, KERNEL.replace(old, new) if old else KERNEL)
    verdict = answer["verdict"]
    assert isinstance(verdict, dict)
    assert (code, verdict["outcome"], verdict["by"]) == (status, outcome, "twin"), verdict
    assert said in str(verdict["message"])


def test_one_case_is_run_where_one_is_asked_for(tmp_path: Path) -> None:
    code, answer = run(tmp_path, KERNEL, "--case", "1", "--seed", "7")
    cases = answer["cases"]
    assert isinstance(cases, list)
    assert (code, [case["name"] for case in cases]) == (0, ["second"])
    code, answer = run(tmp_path, KERNEL, "--case", "2")
    assert (code, answer["message"]) == (2, "there are 2 cases, none is 2")
