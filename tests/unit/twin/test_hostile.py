"""Kernels that mean harm, on the twin: contained, with an outcome that says what happened, within the budget."""

# ruff: noqa: E501 - a kernel that means harm is a line
from __future__ import annotations

import time

import pytest

from kernelgen_ls.runner.jobs.config import Budgets, RunnerConfig, SandboxConfig
from kernelgen_ls.runner.jobs.messages import Outcome, SourceFile, VerifyRequest
from kernelgen_ls.runner.toolchains.twin.toolchain import TwinToolchain
from tests.unit.twin.verifying import CHIP

KERNEL = """#include "kernel_operator.h"
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
%(outside)s
extern "C" __global__ __aicore__ void harm(GM_ADDR x, GM_ADDR y)
{
    %(inside)s
}
"""
CASES = """import numpy as np
CASES = [{}]
inputs = lambda case, rng: [np.zeros(8, np.float32)]
golden = lambda case, given: [np.ones(8, np.float32)]
"""
ABOVE = "__aicore__ inline int deep(volatile int n) { volatile char room[4096]; room[n & 4095] = 1; return deep(n + 1) + room[0]; }"

HARM = {
    "loops for ever": ("for (volatile int i = 0;; i = i + 1) {}", "", Outcome.RUNTIME_ERROR, "harm.cpp:8: the kernel had not ended"),
    "takes all memory": ("for (;;) { *(volatile char *)malloc(1 << 20) = 1; }", "", Outcome.RUNTIME_ERROR, "harm.cpp:8"),
    "recurses without end": ("deep(0);", ABOVE, Outcome.RUNTIME_ERROR, "the stack of a core is used up"),
    "prints a gigabyte": ("for (int i = 0; i < 1000000; i++) { ::puts(\"%s\"); }" % ("x" * 1000), "", None, ""),
    "forks": ("for (;;) { fork(); }", "", None, ""),
    "ends its process": ("_exit(0);", "", Outcome.RUNTIME_ERROR, "ended its own process, with status 0"),
    "aborts": ("abort();", "", Outcome.RUNTIME_ERROR, "the kernel crashes here"),
    "reads a secret": ("", '#include "/etc/shadow"', Outcome.INFRA_ERROR, ""),
    "runs a program": ('execl("/bin/cat", "cat", "/etc/shadow", nullptr);', "", None, ""),
    "writes its own verdict": (
        'FILE *f = fopen("findings.jsonl", "w"); fputs("{\\"end\\": \\"done\\"}\\n[1]\\n{\\"site\\": \\"x\\"}\\nnonsense", f); fclose(f); _exit(0);',
        "",
        Outcome.WRONG_SHAPE,
        "",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", HARM)
def test_harm_is_contained(what: str) -> None:
    inside, outside, outcome, said = HARM[what]
    text = KERNEL % {"inside": inside, "outside": outside}
    config = RunnerConfig(
        budgets=Budgets(check=120, verify=8),
        sandbox=SandboxConfig(memory_bytes=2 * 1024**3, file_bytes=40_000_000, processes=60, output_bytes=10_000),
    )
    files = (SourceFile("harm.cpp", text), SourceFile("cases.py", CASES))
    started = time.monotonic()
    result = TwinToolchain(config).verify(VerifyRequest("harm.cpp", files, CHIP, "harm", "cases.py"))
    assert time.monotonic() - started < 120
    assert result.outcome is outcome or (outcome is None and result.outcome is not Outcome.PASSED), result.message
    assert said in result.message
    assert "root:" not in result.message and len(result.message) < 1000
