"""Kernels of cube cores, of vector cores and of groups of both: who runs what, and how they wait for each other."""

from __future__ import annotations

import pytest

from kernelgen_ls.runner.jobs.messages import Outcome
from tests.unit.twin.verifying import serious, verify

WHO = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ QUALIFIER __aicore__ void who(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<int32_t> yGm;
    yGm.SetGlobalBuffer((__gm__ int32_t *)y);
    int64_t row = GetBlockIdx();
    if ASCEND_IS_AIC {
        row += 8;
    }
#ifdef __DAV_C220_CUBE__
    int32_t kind = 1;
#else
    int32_t kind = 2;
#endif
    int64_t told[6] = {kind, GetBlockNum(), GetSubBlockIdx(), GetSubBlockNum(), GetTaskRation(), get_block_idx()};
    for (int i = 0; i < 6; ++i) {
        yGm.SetValue(row * 6 + i, int32_t(told[i]));
    }
}
"""
CUBE = [[1, 3, 0, 1, 1, i] for i in range(3)]
STATED = {
    "": ([[2, 3, 0, 1, 1, i] for i in range(3)], []),
    "__cube__": ([], CUBE),
    "__mix__(1, 1)": ([[2, 3, 0, 1, 1, i] for i in range(3)], CUBE),
    "__mix__(1, 2)": ([[2, 3, i % 2, 2, 2, i // 2] for i in range(6)], CUBE),
}


@pytest.mark.parametrize("qualifier", STATED)
def test_a_kernel_runs_on_the_cores_that_it_states(qualifier: str) -> None:
    vector, cube = STATED[qualifier]
    cases = f"""
CASES = [{{}}]
inputs = lambda case, rng: [np.zeros(8, np.int32)]
def golden(case, given):
    rows = np.zeros((16, 6), np.int32) - 1
    for first, told in ((0, {vector}), (8, {cube})):
        rows[first : first + len(told)] = np.array(told).reshape(-1, 6)
    return [rows]
BLOCK_DIM = 3
"""
    result = verify({"kernel.cpp": WHO.replace("QUALIFIER", qualifier)}, "kernel.cpp", "who", cases)
    assert (result.outcome, serious(result), result.cases[0].message) == (Outcome.PASSED, [], "")


UNSTATED = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void unstated(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<int32_t> yGm;
    yGm.SetGlobalBuffer((__gm__ int32_t *)y);
    CUBE {
        MmadParams nothing;
        LocalTensor<half> a(TPosition::A2, 0, 256), b(TPosition::B2, 0, 256);
        LocalTensor<float> c(TPosition::CO1, 0, 256);
        Mmad(c, a, b, nothing);
    }
    VECTOR
    yGm.SetValue(g_coreType == AIC ? 0 : 1 + GetBlockIdx(), 1);
}
"""


@pytest.mark.parametrize(
    ("cube", "vector", "cores"),
    [
        ("", "", [1, -1, -1]),
        ("", "LocalTensor<float> d(TPosition::VECCALC, 0, 64); Duplicate(d, 0.0f, 64);", [1, 1, 1]),
        (
            "if constexpr (g_coreType == AIC)",
            "if constexpr (g_coreType == AIV) { CrossCoreSetFlag<2, PIPE_MTE3>(0); } else { CrossCoreWaitFlag(0); }",
            [1, 1, 1],
        ),
    ],
)
def test_a_kernel_that_states_nothing_runs_on_the_cores_of_its_units(cube: str, vector: str, cores: list[int]) -> None:
    cases = f"""
CASES = [{{}}]
inputs = lambda case, rng: [np.zeros(8, np.int32)]
golden = lambda case, given: [np.array({cores}, np.int32)]
"""
    result = verify(
        {"kernel.cpp": UNSTATED.replace("CUBE", cube).replace("VECTOR", vector)}, "kernel.cpp", "unstated", cases
    )
    assert (result.outcome, serious(result), result.cases[0].message) == (Outcome.PASSED, [], "")


UNEVEN = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void uneven(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<int32_t> yGm;
    yGm.SetGlobalBuffer((__gm__ int32_t *)y);
    int32_t first = GetBlockIdx() * (GetBlockIdx() + 1) / 2 * 8, count = (GetBlockIdx() + 1) * 8;
    for (int32_t i = first; i < first + count; ++i) {
        yGm.SetValue(i, GetBlockIdx() == 2 ? i % 5 : i);
    }
}
"""


def test_the_block_whose_part_is_wrong_is_named() -> None:
    cases = """
CASES = [{}]
inputs = lambda case, rng: [np.zeros(8, np.int32)]
golden = lambda case, given: [np.arange(80, dtype=np.int32)]
BLOCK_DIM = 4
"""
    result = verify({"kernel.cpp": UNEVEN}, "kernel.cpp", "uneven", cases)
    assert result.outcome is Outcome.WRONG_VALUES
    assert result.cases[0].message.endswith("(24 of 80 elements are wrong: block 2's part only)")
