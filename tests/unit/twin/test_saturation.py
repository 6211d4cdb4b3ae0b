"""The device's two modes of overflow: halfs that become infinite, or the largest number."""

from __future__ import annotations

import pytest

from kernelgen_ls.runner.jobs.messages import Outcome
from tests.unit.twin.verifying import told, verify

KERNEL = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 64);
    GlobalTensor<half> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ half *)x, 32);
    yGm.SetGlobalBuffer((__gm__ half *)y, 32);
    LocalTensor<half> a = buffer.Get<half>();
    DataCopy(a, xGm, 32);
    PipeBarrier<PIPE_ALL>();
    %s
    Muls(a, a, half(2), 32);
    Muls(a, a, half(0.25), 32);
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, a, 32);
}
"""
CASES = """
CASES = [{}]
%s
def inputs(case, rng):
    x = np.linspace(-60000, 60000, 32).astype(np.float16)
    x[3] = np.nan
    return [x]
def golden(case, inputs):
    with np.errstate(over="ignore"):
        y = inputs[0] * np.float16(2)
    return [(%s) * np.float16(0.25)]
"""
INFINITE, SATURATED = "y", "np.nan_to_num(y, nan=0, posinf=65504, neginf=-65504)"
FLAG = "SetSaturationFlag<SaturationMode::FLOAT>(true);"


@pytest.mark.parametrize(
    ("option", "golden", "call", "outcome", "said"),
    [
        ("", INFINITE, "", Outcome.PASSED, "with infinities and not in the device's saturation mode"),
        ("", SATURATED, "", Outcome.PASSED, "in saturation mode only"),
        ("SATURATION = True", SATURATED, "", Outcome.PASSED, ""),
        ("SATURATION = True", INFINITE, "", Outcome.WRONG_VALUES, ""),
        ("SATURATION = False", INFINITE, "", Outcome.PASSED, ""),
        ("SATURATION = False", SATURATED, "", Outcome.WRONG_VALUES, ""),
        ("SATURATION = False", SATURATED, FLAG, Outcome.PASSED, ""),
    ],
)
def test_a_case_says_which_mode_is_meant_and_else_both_are_tried(
    option: str, golden: str, call: str, outcome: Outcome, said: str
) -> None:
    result = verify({"kernel.cpp": KERNEL % call}, "kernel.cpp", "twice", CASES % (option, golden))
    findings = [told(one) for one in result.findings if one.code == "twin/saturation"]
    assert (result.outcome, len(findings)) == (outcome, bool(said)), result.message
    assert all(said in one for one in findings)
