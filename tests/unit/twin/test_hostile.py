"""Kernels that mean harm, on the twin: contained, with an outcome that says what happened, within the budget."""

# ruff: noqa: E501 - a kernel that means harm is a line
from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from kernelgen_ls.runner.jobs.config import Budgets, RunnerConfig, SandboxConfig
from kernelgen_ls.runner.jobs.messages import Outcome, SourceFile, VerifyRequest
from kernelgen_ls.runner.toolchains.twin.toolchain import TwinToolchain
from tests.unit.twin.verifying import CHIP

KERNEL = """#include "kernel_operator.h"
#include <csignal>
#include <csetjmp>
#include <cstdlib>
#include <string>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <thread>
#include <vector>
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

ENDED = Outcome.RUNTIME_ERROR
HARM = {
    "loops for ever": ("for (volatile int i = 0;; i = i + 1) {}", "", ENDED, "harm.cpp:14: the kernel had not ended"),
    "sleeps for ever": ("for (;;) { pause(); }", "", ENDED, "harm.cpp:14: the kernel had not ended"),
    "takes all memory": ("for (;;) { *(volatile char *)malloc(1 << 20) = 1; }", "", ENDED, "harm.cpp:14"),
    "takes all memory as C++ does": ("static char *volatile kept; for (;;) { kept = new char[64 << 20]; }", "", ENDED, "harm.cpp:14"),
    "recurses without end": ("deep(0);", ABOVE, ENDED, "harm.cpp:11: the stack of a core is used up"),
    "prints a gigabyte": ("for (int i = 0; i < 1000000; i++) { ::puts(\"%s\"); }" % ("x" * 1000), "", None, ""),
    "fills the disk": ("for (int i = 0;; i++) { FILE *f = fopen(std::to_string(i).c_str(), \"w\"); std::string x(900000, 'x'); fwrite(x.data(), 1, x.size(), f); fclose(f); }", "", ENDED, ""),
    "forks": ("for (;;) { fork(); }", "", ENDED, "harm.cpp:14: the kernel calls fork"),
    "forks past the C library": ("for (;;) { syscall(SYS_fork); }", "", None, ""),
    "starts threads": ("for (;;) { std::thread([] { for (;;) {} }).detach(); }", "", ENDED, "harm.cpp:14: the kernel calls pthread_create"),
    "ends its process": ("_exit(0);", "", ENDED, "harm.cpp:14: the kernel calls _exit"),
    "ends its process as C++ does": ("std::exit(3);", "", ENDED, "harm.cpp:14: the kernel calls exit"),
    "ends its process past the C library": ("syscall(SYS_exit_group, 7);", "", ENDED, "ended its own process, with status 7"),
    "aborts": ("abort();", "", ENDED, "harm.cpp:14: the kernel calls abort"),
    "throws": ("throw 1;", "", ENDED, "harm.cpp:14: the kernel calls abort"),
    "traps": ("__builtin_trap();", "", ENDED, "harm.cpp:14: the kernel crashes here"),
    "jumps where it never was": ("static jmp_buf nowhere; longjmp(nowhere, 1);", "", ENDED, "harm.cpp:"),
    "catches signals": ("signal(SIGALRM, SIG_IGN); for (;;) {}", "", ENDED, "harm.cpp:14: the kernel calls signal"),
    "stops itself": ("syscall(SYS_kill, getpid(), SIGSTOP); for (;;) {}", "", None, ""),
    "crashes in the C library": ("memcpy(reinterpret_cast<void *>(AscendC::GetBlockNum()), x, 8);", "", ENDED, "harm.cpp:14: the kernel crashes here"),
    "crashes while it is loaded": ("", "static int early = [] { volatile int *p = nullptr; return *p; }();", ENDED, "harm.cpp:11: the kernel crashes here"),
    "ends while it is loaded": ("", "static int early = [] { std::exit(0); return 1; }();", ENDED, "harm.cpp:11: the kernel calls exit"),
    "never ends to be loaded": ("", "static int early = [] { for (volatile int i = 0;; i = i + 1) {} return 1; }();", ENDED, "harm.cpp:11: the kernel had not ended"),
    "has tensors before it runs": ("early.SetValue(0, 1);", "AscendC::LocalTensor<float> early(AscendC::TPosition::VECCALC, 0, 8);", ENDED, "harm.cpp:11"),
    "reads a secret": ("", '#include "/etc/shadow"', Outcome.INFRA_ERROR, ""),
    "reads a secret while it runs": ('char c; FILE *f = fopen("/etc/shadow", "r"); fread(&c, 1, 1, f);', "", ENDED, "harm.cpp:14"),
    "links its output to a secret": ('symlink("/etc/shadow", "output-0.bin");', "", None, ""),
    "uses the network": ("socket(AF_INET, SOCK_STREAM, 0);", "", ENDED, "harm.cpp:14: the kernel calls socket"),
    "runs a program": ('execl("/bin/cat", "cat", "/etc/shadow", nullptr);', "", ENDED, "harm.cpp:14: the kernel calls execl"),
    "writes its own verdict": (
        'FILE *f = fopen("findings.jsonl", "w"); fputs("{\\"end\\": \\"done\\"}\\n[1]\\n{\\"site\\": \\"x\\"}\\nnonsense", f); fclose(f); syscall(SYS_exit_group, 0);',
        "",
        Outcome.WRONG_SHAPE,
        "",
    ),
}  # fmt: skip


def _left_behind() -> set[str]:
    """The folders of jobs and the processes that this process is to clean up after itself."""
    jobs = Path(tempfile.gettempdir(), f"kernelgen-jobs-{os.getuid()}")
    folders = {path.name for path in jobs.glob(f"{os.getpid()}-*")}
    running = {path for path in Path("/proc").glob("[0-9]*/exe") if f"/{os.getpid()}-" in _target(path)}
    return folders | {path.parent.name for path in running}


def _target(link: Path) -> str:
    try:
        return str(link.readlink())
    except OSError:
        return ""


@pytest.mark.parametrize("what", HARM)
def test_harm_is_contained(what: str) -> None:
    inside, outside, outcome, said = HARM[what]
    text = KERNEL % {"inside": inside, "outside": outside}
    # Only what never ends by itself has to be ended soon.
    endless = outcome is None or "had not ended" in said
    config = RunnerConfig(
        budgets=Budgets(check=300, verify=8 if endless else 300),
        sandbox=SandboxConfig(memory_bytes=2 * 1024**3, file_bytes=40_000_000, processes=60, output_bytes=10_000),
    )
    files = (SourceFile("harm.cpp", text), SourceFile("cases.py", CASES))
    result = TwinToolchain(config).verify(VerifyRequest("harm.cpp", files, CHIP, "harm", "cases.py"))
    assert result.outcome is outcome or (outcome is None and result.outcome is not Outcome.PASSED), result.message
    assert said in result.message
    assert "root:" not in result.message and len(result.message) < 1000
    assert _left_behind() == set()
