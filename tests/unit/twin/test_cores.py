"""Kernels of cube cores, of vector cores and of groups of both: who runs what, and how they wait for each other."""

# ruff: noqa: E501 - a seed is a line
from __future__ import annotations

import numpy as np
import pytest

from kernelgen_ls.runner.jobs.messages import Outcome
from tests.unit.twin.seeding import Array, Seed, Subject, replaced, run
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
    MmadParams nothing;
    LocalTensor<half> a(TPosition::A2, 0, 256), b(TPosition::B2, 0, 256);
    LocalTensor<float> c(TPosition::CO1, 0, 256);
    Mmad(c, a, b, nothing);
    VECTOR
    yGm.SetValue(g_coreType == AIC ? 0 : 1 + GetBlockIdx(), 1);
}
"""


@pytest.mark.parametrize(
    ("vector", "cores"),
    [("", [1, -1, -1]), ("LocalTensor<float> d(TPosition::VECCALC, 0, 64); Duplicate(d, 0.0f, 64);", [1, 1, 1])],
)
def test_a_kernel_that_states_nothing_runs_on_the_cores_of_its_units(vector: str, cores: list[int]) -> None:
    cases = f"""
CASES = [{{}}]
inputs = lambda case, rng: [np.zeros(8, np.int32)]
golden = lambda case, given: [np.array({cores}, np.int32)]
"""
    result = verify({"kernel.cpp": UNSTATED.replace("VECTOR", vector)}, "kernel.cpp", "unstated", cases)
    assert (result.outcome, serious(result), result.cases[0].message) == (Outcome.PASSED, [], "")


RELAY = """#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t N = 64;
constexpr uint16_t HALVES = 0, DONE = 1, VECTORS = 2, CUBES = 3, BACK = 4;
extern "C" __global__ __mix__(1, 2) void relay(GM_ADDR x, GM_ADDR y, GM_ADDR sums)
{
    uint32_t group = get_block_idx(), sub = GetSubBlockIdx();
    GlobalTensor<float> xGm, yGm, sumsGm;
    xGm.SetGlobalBuffer((__gm__ float *)x + (2 * group + sub) * N, N);
    yGm.SetGlobalBuffer((__gm__ float *)y + (2 * group + sub) * N, N);
    sumsGm.SetGlobalBuffer((__gm__ float *)sums);
    SetSyncBaseAddr(0);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, N * sizeof(float));
    LocalTensor<float> values = buffer.Get<float>();
    DataCopy(values, xGm, N);
    PipeBarrier<PIPE_ALL>();
    Muls(values, values, 2.0f, N);
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, values, N);
    if ASCEND_IS_AIV {
        CrossCoreSetFlag<1, PIPE_MTE3>(HALVES);
        CrossCoreWaitFlag(HALVES);
        CrossCoreSetFlag<0, PIPE_MTE3>(VECTORS);
        CrossCoreWaitFlag(VECTORS);
        CrossCoreSetFlag<2, PIPE_MTE3>(DONE);
        CrossCoreWaitFlag(BACK);
        if (sub == 1) {
            yGm.SetValue(0, sumsGm.GetValue(8 * ((group + 1) % GetBlockNum())));
        }
    }
    if ASCEND_IS_AIC {
        CrossCoreWaitFlag(DONE);
        sumsGm.SetValue(8 * group, yGm.GetValue(0) + yGm.GetValue(N));
        CrossCoreSetFlag<0, PIPE_FIX>(CUBES);
        CrossCoreWaitFlag(CUBES);
        CrossCoreSetFlag<2, PIPE_FIX>(BACK);
    }
    SyncAll<false>();
}
"""


def relayed(rng: np.random.Generator) -> tuple[list[Array], list[Array]]:
    x = rng.standard_normal((6, 64)).astype(np.float32)
    y = x * 2
    sums = np.full((3, 8), np.nan, np.float32)
    sums[:, 0] = y[::2, 0] + y[1::2, 0]
    y[1::2, 0] = np.roll(sums[:, 0], -1)
    return [x], [y, sums]


SUBJECT = Subject("relay", RELAY, 3, relayed)
SEEDS = [
    replaced("nobody sets", RELAY, "        CrossCoreSetFlag<2, PIPE_FIX>(BACK);\n", "", "hang"),
    replaced("another flag", RELAY, "CrossCoreSetFlag<0, PIPE_MTE3>(VECTORS)", "CrossCoreSetFlag<0, PIPE_MTE3>(CUBES)", "hang"),
    replaced("one vector core of two sets", RELAY, "        CrossCoreSetFlag<2, PIPE_MTE3>(DONE);", "        if (sub == 0) CrossCoreSetFlag<2, PIPE_MTE3>(DONE);", "hang"),
    replaced("one block does not come", RELAY, "        CrossCoreSetFlag<0, PIPE_FIX>(CUBES);", "        if (group != 1) CrossCoreSetFlag<0, PIPE_FIX>(CUBES);", "hang"),
    replaced("counted beyond 15", RELAY, "        CrossCoreSetFlag<2, PIPE_FIX>(BACK);\n", "        for (int i = 0; i < 17; ++i) CrossCoreSetFlag<2, PIPE_FIX>(BACK);\n", "cross-core-overflow"),
    replaced("the cube cores do not meet the others", RELAY, "    SyncAll<false>();\n", "    if ASCEND_IS_AIV { SyncAll<false>(); }\n", "hang"),
]  # fmt: skip


def test_cores_of_a_group_wait_for_each_other() -> None:
    said = run(SUBJECT, RELAY)
    assert (said.found, said.right, said.lacks) == (frozenset(), True, "")


@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: seed.what)
def test_a_flag_that_does_not_come_is_named(seed: Seed) -> None:
    said = run(SUBJECT, seed.text)
    assert said.codes & seed.codes, said
