"""Kernels whose outputs are right in one schedule and wrong in the other, where nothing else shows the race."""

from __future__ import annotations

import pytest

from kernelgen_ls.runner.jobs.messages import Outcome
from tests.unit.twin.verifying import serious, verify

LAST = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void last(GM_ADDR x, GM_ADDR y)
{
    AtomicExch((__gm__ int32_t *)y, int32_t(BLOCK));
}
"""
ORDER = """
CASES = [{}]
inputs = lambda case, rng: [np.zeros(8, np.int32)]
golden = lambda case, given: [np.array([3], np.int32)]
BLOCK_DIM = 4
"""


@pytest.mark.parametrize(("block", "said"), [("GetBlockIdx()", True), ("3", False)])
def test_what_depends_on_the_order_of_the_blocks_is_said(block: str, said: bool) -> None:
    result = verify({"kernel.cpp": LAST.replace("BLOCK", block)}, "kernel.cpp", "last", ORDER)
    message = "the outputs are right with the blocks from the first to the last, and wrong from the last to the first"
    told = [f"kernel.cpp:3: error twin/block-order: {message}"] if said else []
    assert (result.cases[0].outcome, serious(result)) == (Outcome.RUNTIME_ERROR if said else Outcome.PASSED, told)


SCALED = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __cube__ void scaled(GM_ADDR scale, GM_ADDR z)
{
    GlobalTensor<uint64_t> scaleGm;
    GlobalTensor<half> halfs;
    GlobalTensor<half> zGm;
    scaleGm.SetGlobalBuffer((__gm__ uint64_t *)scale);
    halfs.SetGlobalBuffer((__gm__ half *)scale);
    zGm.SetGlobalBuffer((__gm__ half *)z);
    LocalTensor<int8_t> a(TPosition::A2, 0, 512), b(TPosition::B2, 0, 512);
    LocalTensor<int32_t> c(TPosition::CO1, 0, 256);
    LocalTensor<uint64_t> staged(TPosition::C1, 0, 64), table(TPosition::C2PIPE2GM, 0, 16);
    InitConstValueParams<int8_t> ones(1, 1, 0, 1);
    InitConstValue(a, ones);
    InitConstValue(b, ones);
    SetFlag<HardEvent::MTE1_M>(EVENT_ID0);
    WaitFlag<HardEvent::MTE1_M>(EVENT_ID0);
    Mmad(c, a, b, MmadParams(16, 16, 32, false));
    SetFlag<HardEvent::M_FIX>(EVENT_ID0);
    WaitFlag<HardEvent::M_FIX>(EVENT_ID0);
    DataCopy(staged, scaleGm, 64);
    PipeBarrier<PIPE_ALL>();
    COPY;
    WAIT
    DataCopy(table, staged, DataCopyParams(1, 1, 0, 0));
    FixpipeParamsV220 params(16, 16, 16, 16, false);
    params.quantPre = QuantMode_t::VDEQF16;
    Fixpipe(zGm, c, table, params);
}
"""
LATE = """
CASES = [{}]
def inputs(case, rng):
    return [np.repeat(np.array([2, 3], np.float32), 64).view(np.uint32).astype(np.uint64)]
golden = lambda case, given: [np.full((16, 16), 32 * 3, np.float16)]
"""


PLAIN = "DataCopy(staged, scaleGm[64], 16)"
TO_FRACTALS = "DataCopy(staged.ReinterpretCast<half>(), halfs[256], Nd2NzParams(1, 1, 64, 0, 64, 1, 1, 0))"
OF_FRACTALS = "LoadData(staged.ReinterpretCast<half>(), halfs, LoadData2DParams(1, 1, 1, 0, 0, false, 0))"


@pytest.mark.parametrize(
    ("copy", "waits", "said"),
    [(PLAIN, False, True), (TO_FRACTALS, False, True), (OF_FRACTALS, False, True), (OF_FRACTALS, True, False)],
)
def test_what_depends_on_when_a_copy_is_done_is_said(copy: str, waits: bool, said: bool) -> None:
    text = SCALED.replace("COPY", copy).replace("WAIT", "PipeBarrier<PIPE_ALL>();" if waits else "")
    result = verify({"kernel.cpp": text}, "kernel.cpp", "scaled", LATE)
    found = [line.partition(": the outputs")[0] for line in serious(result)]
    told = ["kernel.cpp:3: error twin/late-copy"] if said else []
    assert (result.cases[0].outcome, found) == (Outcome.RUNTIME_ERROR if said else Outcome.PASSED, told)
