"""Where the C library has no ucontext every core runs in a thread: the same kernels come to the same."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

import pytest

from kernelgen_ls.runner.jobs.config import Budgets, RunnerConfig
from kernelgen_ls.runner.jobs.messages import SourceFile, VerifyRequest, VerifyResult
from kernelgen_ls.runner.toolchains.twin.compilers import Compiler
from kernelgen_ls.runner.toolchains.twin.toolchain import TwinToolchain
from tests.unit.twin.verifying import CHIP

# Each vector core and each cube core leaves a number, all meet, and each reads what its neighbour left.
KERNEL = """#include "kernel_operator.h"
#include <unistd.h>
using namespace AscendC;
__aicore__ inline int deep(volatile int n) { volatile char all[4096]; all[n & 4095] = 1; return deep(n + 1) + all[0]; }
extern "C" __global__ __mix__(1, 2) __aicore__ void relay(GM_ADDR mode, GM_ADDR left, GM_ADDR read, GM_ADDR threads)
{
    bool apart = gettid() != getpid();
    int32_t what = *(__gm__ int32_t *)mode;
    int64_t row = g_coreType == AIC ? 4 + GetBlockIdx() : GetBlockIdx();
    GlobalTensor<int32_t> leftGm, readGm, threadsGm;
    leftGm.SetGlobalBuffer((__gm__ int32_t *)left);
    readGm.SetGlobalBuffer((__gm__ int32_t *)read);
    threadsGm.SetGlobalBuffer((__gm__ int32_t *)threads);
    leftGm.SetValue(row, 10 + row);
    threadsGm.SetValue(row, apart);
    if (row == 3) {
        if (what == 1) return;
        if (what == 2) for (volatile int i = 0;; i = i + 1) {}
        if (what == 3) deep(0);
        if (what == 4) Trap();
    }
    SyncAll<false>();
    readGm.SetValue(row, leftGm.GetValue((row + 1) % 6));
}
"""
CASES = """
import numpy as np
CASES = [{"name": name, "mode": mode} for mode, name in enumerate(("meets", "hangs", "loops", "recurses", "traps"))]
inputs = lambda case, rng: [np.full(8, case["mode"], np.int32)]
def golden(case, given):
    rows = np.arange(6, dtype=np.int32)
    return [10 + rows, 10 + (rows + 1) % 6, np.full(6, THREADS, np.int32)]
BLOCK_DIM = 2
"""


@pytest.fixture(params=["fibers", "threads"])
def result(request: pytest.FixtureRequest, compiler: Compiler) -> Iterator[VerifyResult]:
    threads = request.param == "threads"
    with pytest.MonkeyPatch.context() as patch:
        if threads:
            patch.setenv("CXX", shlex.join((*compiler.command, "-DKERNELGEN_TWIN_THREADS=1")))
        files = (
            SourceFile("relay.cpp", KERNEL),
            SourceFile("cases.py", CASES.replace("THREADS", str(int(threads)))),
        )
        twin = TwinToolchain(RunnerConfig(budgets=Budgets(check=300, verify=8)))
        yield twin.verify(VerifyRequest("relay.cpp", files, CHIP, "relay", "cases.py"))


def test_cores_meet_hang_and_fail_the_same(result: VerifyResult) -> None:
    meets, *others = (case.message or case.outcome.value for case in result.cases)
    starts = (
        "relay.cpp:22: cube core 0 waits here for 6 cores, and 1 of 6 ended without coming here",
        "relay.cpp:18: the kernel had not ended",
        "relay.cpp:4: the stack of a core is used up here",
        "relay.cpp:20: the kernel stops itself here",
    )
    assert meets == "passed"
    assert [said[: len(start)] for said, start in zip(others, starts, strict=True)] == list(starts)
