"""What a kernel prints is part of the verification's result, by case and block, up to a limit."""

from __future__ import annotations

from kernelgen_ls.runner.jobs.messages import Outcome
from kernelgen_ls.runner.toolchains.twin.printing import printed_lines
from tests.unit.twin.verifying import serious, verify

KERNEL = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void talk(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<int32_t> xGm;
    GlobalTensor<half> yGm;
    xGm.SetGlobalBuffer((__gm__ int32_t *)x, 8);
    yGm.SetGlobalBuffer((__gm__ half *)y + 16 * GetBlockIdx(), 16);
    int32_t mode = xGm.GetValue(0);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 32);
    LocalTensor<half> ones = buffer.Get<half>();
    if (mode == 0 && GetBlockIdx() == 1) {
        DumpTensor(ones, 4, 2);
    }
    Duplicate(ones, half(1.5f), 16);
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, ones, 16);
    if (mode == 1) {
        for (int i = 0; i < 3000000; ++i) {
            PRINTF("%d: a line that is rather long, and comes again and again\\n", i);
        }
        return;
    }
    printf("block %ld of %s: ", GetBlockIdx(), "two");
    if (mode == 2) {
        Trap();
    }
    PRINTF("%f, %x\\nhalf %.1f\\n", 2.5f, 255u, half(0.5f));
    printf("no values\\n");
    if (GetBlockIdx() == 1) {
        uint32_t shape[2] = {2, 3};
        DumpTensor(ones, 5, 4, ShapeInfo(2, shape));
        DumpTensor(xGm, 6, 2);
    }
}
"""
CASES = """
CASES = [{"mode": mode} for mode in range(3)]
inputs = lambda case, rng: [np.array([case["mode"], -7, 0, 0, 0, 0, 0, 0], np.int32)]
golden = lambda case, given: [np.full(32, 1.5, np.float16)]
BLOCK_DIM = 2
"""


def test_what_a_kernel_prints_is_told_by_case_and_block() -> None:
    result = verify({"talk.cpp": KERNEL}, "talk.cpp", "talk", CASES)
    plain, much, trapped = result.cases
    assert [case.outcome for case in result.cases] == [Outcome.PASSED, Outcome.PASSED, Outcome.RUNTIME_ERROR]
    assert len(serious(result)) == 1
    assert plain.printed == (
        "block 0: block 0 of two: 2.500000, ff",
        "block 0: half 0.5",
        "block 0: no values",
        "block 1: DumpTensor: desc=4, addr=0, data_type=half, position=UB, dump_size=2",
        "block 1: [?, ?]",
        "block 1: block 1 of two: 2.500000, ff",
        "block 1: half 0.5",
        "block 1: no values",
        "block 1: DumpTensor: desc=5, addr=0, data_type=half, position=UB, dump_size=4",
        "block 1: [1.500000, 1.500000, 1.500000]",
        "block 1: [1.500000, -, -]",
        "block 1: DumpTensor: desc=6, addr=0, data_type=int32_t, position=GM, dump_size=2",
        "block 1: [0, -7]",
    )
    assert len(much.printed) == 102
    assert much.printed[1] == "block 0: 1: a line that is rather long, and comes again and again"
    assert much.printed[100].endswith(" more lines") and much.printed[101].endswith(" more calls printed is not kept")
    assert trapped.printed[0] == "block 0: block 0 of two:"


def test_calls_that_print_parts_of_a_line_make_one_line() -> None:
    calls = [(0, "a"), (1, "x\n"), (0, "b\n\nc"), (1, "y"), (0, "d\x1b[1m\n")]
    said = [{"cube": False, "block": block, "printed": text} for block, text in calls]
    assert printed_lines([*said, {"printed": 1}], mixed=True) == (
        *("vector core 0: ab", "vector core 1: x", "vector core 0: ", "vector core 0: cd [1m", "vector core 1: y"),
    )
