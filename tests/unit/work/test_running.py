"""What a kernel is run on: an operator on disk and a runner in, its cases out."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernelgen_ls.runner.client.fleet import TWIN
from kernelgen_ls.work import running
from kernelgen_ls.work.running import NoCasesError, Subject, subject
from kernelgen_ls.workspace.operators import operator_of

KERNEL = """#include "kernel_operator.h"
// in x: float32 [64]
// out y: float32 [64]
extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y) {}
"""
MODULE = """
import torch
class Model(torch.nn.Module):
    def forward(self, x):
        return torch.add(x, x)
"""


def run_on(root: Path, runner: str, module: str = MODULE) -> Subject:
    """The operator in ``twice/answer/op_kernel``, with its reference in ``twice/validation``."""
    files = {
        "answer/op_kernel/twice.cpp": KERNEL,
        "api_desc.md": "# aclnnTwice",
        "validation/module.py": module,
        "validation/test_cases.csv": "case_id;shape;dtype\n0;[64];float32\n",
        "validation/prepare_inputs.py": "",
    }
    for path, text in files.items():
        place = root / "twice" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return subject(operator_of(root / "twice/answer/op_kernel/twice.cpp", (root,)), runner=runner)


def test_a_reference_is_read_where_torch_is_missing_and_run_where_it_may_be_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "torch_here", lambda: False)
    read = run_on(tmp_path, TWIN)
    assert read.made is not None
    assert read.made.origin == "the reference code of module.py, the comment above twice and test_cases.csv"
    assert read.cases == "twice_cases.py"
    assert tmp_path / "twice/api_desc.md" in read.places
    assert (run_on(tmp_path, "npu").cases, run_on(tmp_path, "npu").made) == ("validation", None)
    monkeypatch.setattr(running, "torch_here", lambda: True)
    assert run_on(tmp_path, TWIN).cases == "validation"


def test_a_reference_that_can_be_neither_read_nor_run_says_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "torch_here", lambda: False)
    with pytest.raises(NoCasesError, match=r"at `torch\.mystery`.*; the cases in its validation folder need torch"):
        run_on(tmp_path, TWIN, MODULE.replace("torch.add", "torch.mystery"))
