"""Functions of the library that need more than one destination: sorting, softmax, selection by bytes."""

from __future__ import annotations

import pytest

from kernelgen_ls.runner.jobs.messages import Outcome
from tests.unit.twin.verifying import serious, verify

KERNEL = """#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t N = %(n)s;
template <typename T> __aicore__ inline void Run(GM_ADDR x, GM_ADDR y, GM_ADDR index)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf, bBuf, cBuf, dBuf, eBuf;
    GlobalTensor<T> xGm, yGm;
    GlobalTensor<uint32_t> indexGm;
    xGm.SetGlobalBuffer((__gm__ T *)x);
    yGm.SetGlobalBuffer((__gm__ T *)y);
    indexGm.SetGlobalBuffer((__gm__ uint32_t *)index);
    pipe.InitBuffer(aBuf, N * 4);
    pipe.InitBuffer(bBuf, N * 8);
    pipe.InitBuffer(cBuf, N * 8);
    pipe.InitBuffer(dBuf, N * 4);
    pipe.InitBuffer(eBuf, N * 4);
    LocalTensor<T> a = aBuf.Get<T>(), b = bBuf.Get<T>(), c = cBuf.Get<T>(), d = dBuf.Get<T>();
    LocalTensor<uint32_t> e = eBuf.Get<uint32_t>();
    DataCopy(a, xGm, N);
    PipeBarrier<PIPE_ALL>();
    LocalTensor<int32_t> number = e.ReinterpretCast<int32_t>();
    CreateVecIndex(number, 0, N);
    %(body)s
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, d, N);
    DataCopy(indexGm, e, N);
    PipeBarrier<PIPE_ALL>();
}
extern "C" __global__ __aicore__ void library(GM_ADDR x, GM_ADDR y, GM_ADDR index) { Run<%(type)s>(x, y, index); }
"""
CASES = """
CASES = [{"spread": 1000}, {"spread": 4}]
inputs = lambda case, rng: [rng.integers(-case["spread"], case["spread"], N).astype(np.%(numpy)s)]
def golden(case, given):
    x = given[0]
%(golden)s
    return [y, index]
TOLERANCE = (2e-3, 2e-3)
"""
SORTED_PARTS = """
    groups = x.reshape(-1, 32)
    order = np.argsort(-groups.astype(np.float64), axis=1, kind="stable")
    y = np.take_along_axis(groups, order, 1).reshape(-1)
    index = (order + np.arange(0, N, 32)[:, None]).reshape(-1).astype(np.uint32)
"""
SORTED = """
    order = np.argsort(-x.astype(np.float64), kind="stable")
    y, index = x[order], order.astype(np.uint32)
"""
MERGE = """Sort32(b, a, e, N / 32);
    uint32_t size = GetSortLen<T>(32);
    uint16_t lengths[4] = {32, 32, 32, 32};
    uint32_t taken[4];
    MrgSort(c, MrgSortSrcList<T>(b, b[size], b[2 * size], b[3 * size]), lengths, taken, uint16_t(15), 1);
    Extract(d, e, c, N / 32);"""
BODIES = {
    "sorted in parts": ("Sort32(b, a, e, N / 32); Extract(d, e, b, N / 32);", SORTED_PARTS),
    "sorted": ("Concat(c, a, b, N / 32); Sort<T, true>(b, c, e, d, N / 32); Extract(d, e, b, N / 32);", SORTED),
    "merged": (MERGE, SORTED),
    "softmax": (
        "Muls(a, a, T(0.01), N); constexpr uint32_t S = sizeof(T); constexpr SoftMaxTiling tiling = "
        "SoftMaxFlashV2TilingFunc({4, N / 4, 4, N / 4}, S, S, 4096); SoftMax(d, a, tiling);",
        """
    rows = (x.astype(np.float32) * np.float32(0.01)).astype(x.dtype).astype(np.float32).reshape(4, -1)
    made = np.exp(rows - rows.max(1, keepdims=True))
    y, index = (made / made.sum(1, keepdims=True)).astype(x.dtype).reshape(-1), np.arange(N, dtype=np.uint32)
""",
    ),
    "chosen by bytes": (
        "LocalTensor<uint8_t> bits = b.template ReinterpretCast<uint8_t>(); LocalTensor<half> h = c.template "
        "ReinterpretCast<half>(); Cast(h, number, RoundMode::CAST_NONE, N); Mins(h, h, half(1), N);"
        "Cast(bits, h, RoundMode::CAST_RINT, N); LocalTensor<uint8_t> none;"
        "SelectWithBytesMask(d, a, T(7), bits, none, {4, N / 4, N / 4});",
        """
    index = np.arange(N, dtype=np.uint32)
    y = np.where(index > 0, np.asarray(7, x.dtype), x)
""",
    ),
}


@pytest.mark.parametrize("what", BODIES)
@pytest.mark.parametrize(("kind", "numpy"), [("float", "float32"), ("half", "float16")])
def test_the_library_computes_what_numpy_does(what: str, kind: str, numpy: str) -> None:
    body, golden = BODIES[what]
    kernel = KERNEL % {"n": 128, "body": body, "type": kind}
    cases = "N = 128\n" + CASES % {"numpy": numpy, "golden": golden}
    result = verify({"kernel.cpp": kernel}, "kernel.cpp", "library", cases)
    wrong = [f"{one.name}: {one.message}" for one in result.cases if one.outcome is not Outcome.PASSED]
    assert (result.outcome, wrong, serious(result)) == (Outcome.PASSED, [], []), result.message
