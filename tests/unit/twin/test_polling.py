"""Cores that wait for each other through global memory: nothing that such a handshake orders is called a race."""

from __future__ import annotations

import pytest

from kernelgen_ls.runner.jobs.messages import Outcome
from tests.unit.twin.verifying import serious, verify

POLLING = """#include "kernel_operator.h"
using namespace AscendC;
constexpr int COUNT = 64;
template <int how> __aicore__ inline void Raise(GM_ADDR flags, GlobalTensor<int32_t> &flag, LocalTensor<int32_t> &one)
{
    if constexpr (how == 0) {
        flag.SetValue(0, 1);
        DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(flag);
    } else if constexpr (how == 1) {
        SetAtomicAdd<int32_t>();
        DataCopy(flag, one, 8);
        SetAtomicNone();
    } else if constexpr (how == 2) {
        *(volatile __gm__ int32_t *)flags = 1;
        dcci((__gm__ uint64_t *)flags, 0, 2);
    } else {
        AtomicAdd((__gm__ int32_t *)flags, int32_t(1));
    }
}
template <int how> __aicore__ inline bool Raised(GM_ADDR flags, GlobalTensor<int32_t> &flag, LocalTensor<int32_t> &seen)
{
    if constexpr (how == 0) {
        DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(flag);
        return flag.GetValue(0) == 1;
    } else if constexpr (how == 1) {
        DataCopy(seen, flag, 8);
        PipeBarrier<PIPE_ALL>();
        return seen.GetValue(0) == 1;
    } else if constexpr (how == 2) {
        dcci((__gm__ uint64_t *)flags, 0, 2);
        return *(volatile __gm__ int32_t *)flags == 1;
    } else {
        return flag.GetValue(0) == 1;
    }
}
// The block GIVER writes to the workspace, the other one waits for that and copies it on.
extern "C" __global__ __aicore__ void polling(GM_ADDR x, GM_ADDR flags, GM_ADDR y, GM_ADDR workspace)
{
    GlobalTensor<float> xGm, yGm, between;
    GlobalTensor<int32_t> flag;
    xGm.SetGlobalBuffer((__gm__ float *)x, COUNT);
    yGm.SetGlobalBuffer((__gm__ float *)y, COUNT);
    between.SetGlobalBuffer((__gm__ float *)workspace, COUNT);
    flag.SetGlobalBuffer((__gm__ int32_t *)flags, 8);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, COUNT * 4 + 64);
    LocalTensor<float> values = buffer.Get<float>();
    LocalTensor<int32_t> one = values[COUNT].ReinterpretCast<int32_t>();
    LocalTensor<int32_t> seen = values[COUNT + 8].ReinterpretCast<int32_t>();
    if (GetBlockIdx() == GIVER) {
        Duplicate(one, 0, 8);
        PipeBarrier<PIPE_ALL>();
        one.SetValue(0, 1);
        DataCopy(values, xGm, COUNT);
        PipeBarrier<PIPE_ALL>();
        DataCopy(between, values, COUNT);
        PipeBarrier<PIPE_ALL>();
        Raise<HOW>(flags, flag, one);
        return;
    }
    WAIT
    DataCopy(values, between, COUNT);
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, values, COUNT);
}
"""
CASES = """
CASES = [{}]
inputs = lambda case, rng: {"x": rng.standard_normal(64).astype(np.float32), "flags": np.zeros(16, np.int32)}
golden = lambda case, given: [given["x"]]
BLOCK_DIM = 2
WORKSPACE = 1024
"""
WAIT = "while (!Raised<HOW>(flags, flag, seen)) {}"


def judged(how: int, giver: int, wait: str) -> tuple[Outcome, list[str]]:
    kernel = POLLING.replace("WAIT", wait).replace("GIVER", str(giver)).replace("HOW", str(how))
    result = verify({"kernel.cpp": kernel}, "kernel.cpp", "polling", CASES)
    return result.cases[0].outcome, [line.split(": ")[1] for line in serious(result)]


@pytest.mark.parametrize(("how", "giver"), [(0, 0), (1, 1), (2, 0), (2, 1), (3, 0)])
def test_who_waits_for_a_flag_in_global_memory_has_no_race(how: int, giver: int) -> None:
    assert judged(how, giver, WAIT) == (Outcome.PASSED, [])


def test_who_looks_at_a_flag_and_does_not_wait_for_it_has_a_race() -> None:
    outcome, said = judged(0, 0, "for (int i = 0; i < 3; ++i) { Raised<HOW>(flags, flag, seen); }")
    assert (outcome, set(said)) == (Outcome.RUNTIME_ERROR, {"error twin/block-read-race"})


COUNTED = """#include "kernel_operator.h"
using namespace AscendC;
// Every block leaves its part, and who comes last adds them all up.
extern "C" __global__ __aicore__ void counted(GM_ADDR x, GM_ADDR count, GM_ADDR y, GM_ADDR workspace)
{
    GlobalTensor<float> xGm, yGm, parts;
    GlobalTensor<int32_t> counter;
    xGm.SetGlobalBuffer((__gm__ float *)x, 64);
    yGm.SetGlobalBuffer((__gm__ float *)y, 16);
    parts.SetGlobalBuffer((__gm__ float *)workspace, 64);
    counter.SetGlobalBuffer((__gm__ int32_t *)count, 8);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 512);
    LocalTensor<float> all = buffer.Get<float>(), sum = all[64];
    DataCopy(all, xGm[GetBlockIdx() * 16], 16);
    PipeBarrier<PIPE_ALL>();
    DataCopy(parts[GetBlockIdx() * 16], all, 16);
    WAIT
    int32_t before = AtomicAdd((__gm__ int32_t *)count, int32_t(1));
    DataCopy(sum[16].ReinterpretCast<int32_t>(), counter, 8);
    if (before != 3) {
        return;
    }
    DataCopy(all, parts, 64);
    PipeBarrier<PIPE_ALL>();
    Add(sum, all, all[16], 16);
    Add(sum, sum, all[32], 16);
    Add(sum, sum, all[48], 16);
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, sum, 16);
}
"""
PARTS = """
CASES = [{}]
inputs = lambda case, rng: {"x": rng.integers(-8, 9, 64).astype(np.float32), "count": np.zeros(8, np.int32)}
golden = lambda case, given: [given["x"].reshape(4, 16).sum(0)]
BLOCK_DIM = 4
WORKSPACE = 1024
"""


@pytest.mark.parametrize(
    ("wait", "said"),
    [("PipeBarrier<PIPE_ALL>();", []), ("", ["error twin/missing-sync", "error twin/block-read-race"])],
)
def test_who_counts_with_a_scalar_atomic_knows_what_came_before(wait: str, said: list[str]) -> None:
    result = verify({"kernel.cpp": COUNTED.replace("WAIT", wait)}, "kernel.cpp", "counted", PARTS)
    assert [line.split(": ")[1] for line in serious(result)] == said
