"""What DataCopyPad fills a row up with, as its page has it."""

from __future__ import annotations

from kernelgen_ls.runner.jobs.messages import Outcome
from tests.unit.twin.verifying import serious, verify

KERNEL = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void pad(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x);
    to.SetGlobalBuffer((__gm__ float *)y);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 512);
    LocalTensor<float> rows = buffer.Get<float>();
    DataCopyExtParams two{2, 5 * sizeof(float), 0, 0, 0};
    DataCopyPadExtParams<float> pads[] = {PADS};
    uint32_t n = 0;
    for (auto &pad : pads) DataCopyPad(rows[16 * n++], from, two, pad);
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, rows, 16 * n);
}
"""
DEFINED = "{false, 0, 0, 0}, {true, 0, 0, 9}, {true, 1, 1, 9}, {true, 0, 3, 9}, {true, 2, 1, 9}"
CASES = """
CASES = [{}]
inputs = lambda case, rng: [np.arange(1, 11, dtype=np.float32)]
def golden(case, given):
    a, b = given[0][:5], given[0][5:]
    def rows(left, fill):
        return [np.concatenate([[9] * left, row, [row[0] if fill is None else fill] * (3 - left)]) for row in (a, b)]
    found = [*rows(0, None), *rows(0, None), *rows(1, 9), *rows(0, 9), *rows(2, 9)]
    return [np.concatenate(found).astype(np.float32)[:SIZE]]
"""


def test_what_fills_a_row_up_is_its_first_element_or_the_padding() -> None:
    result = verify({"pad.cpp": KERNEL.replace("PADS", DEFINED)}, "pad.cpp", "pad", CASES.replace("SIZE", "80"))
    assert (result.outcome, serious(result)) == (Outcome.PASSED, []), result.message


def test_places_to_be_filled_with_no_value_given_have_none() -> None:
    kernel = KERNEL.replace("PADS", "{false, 0, 1, 9}")
    result = verify({"pad.cpp": kernel}, "pad.cpp", "pad", CASES.replace("SIZE", "16"))
    assert [line.split(": ")[1] for line in serious(result)] == ["error twin/uninitialised-global"]
