"""Kernels whose files hold more than a kernel, or names that C has for itself."""

from __future__ import annotations

from kernelgen_ls.kernel.findings import Severity
from kernelgen_ls.runner.jobs.messages import Outcome
from tests.unit.twin.verifying import ROOT, serious, verify

BOTH_HALVES = """#include "kernel_operator.h"
#include "acl/acl.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void floor(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x);
    yGm.SetGlobalBuffer((__gm__ float *)y);
    pipe.InitBuffer(buffer, 256);
    LocalTensor<float> t = buffer.Get<float>();
    DataCopy(t, xGm, 64);
    PipeBarrier<PIPE_ALL>();
    Cast(t, t, RoundMode::CAST_FLOOR, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, t, 64);
    PipeBarrier<PIPE_ALL>();
}
int main()
{
    Nowhere::Library library(3);
    floor<<<1, nullptr, library.stream()>>>(nullptr, nullptr);
    return 0;
}
"""
CASES = """
CASES = [{}]
inputs = lambda case, rng: [rng.uniform(-9, 9, 64).astype(np.float32)]
golden = lambda case, given: [np.floor(given[0])]
"""


def test_an_entry_function_of_a_c_name_beside_the_host_program_that_launches_it() -> None:
    result = verify({"floor.asc": BOTH_HALVES}, "floor.asc", "floor", CASES)
    assert (result.outcome, serious(result)) == (Outcome.PASSED, [])


NORMALISED = """
CASES = [{}]
inputs = lambda case, rng: [rng.uniform(1, 2, 8192).astype(np.float32)]
golden = lambda case, given: [(given[0].reshape(8, 1024) / given[0].reshape(8, 1024).max(1, keepdims=True)).reshape(-1)]
"""


def test_a_value_read_after_the_vector_unit_wrote_it_holds_only_by_what_compilers_insert() -> None:
    text = (ROOT / "tests/kernels/field/scalar-after-vector.cpp").read_text(encoding="utf-8")
    result = verify({"kernel.cpp": text}, "kernel.cpp", "op_24_v2s", NORMALISED)
    assert (result.cases[0].outcome, serious(result)) == (Outcome.PASSED, [])
    (found,) = (one for one in result.findings if one.code == "twin/missing-sync-mended")
    line = text.splitlines()[found.location.range.start.line]
    assert "work.GetValue(0)" in line and found.severity is Severity.INFORMATION
