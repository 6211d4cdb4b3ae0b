"""Integer divisions that no page defines: results without a verdict on the kernel where they matter."""

from __future__ import annotations

import platform

import pytest

from kernelgen_ls.runner.jobs.messages import Outcome, VerifyResult
from tests.unit.twin.verifying import told, verify

TRAPS = platform.machine() == "x86_64"
"""Whether the processor tells a division by zero."""
TYPES = ("int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t")
KERNEL = """#include "kernel_operator.h"
extern "C" __global__ __aicore__ void divide(GM_ADDR x, GM_ADDR y)
{
    auto to = (__gm__ int64_t *)y;
    int32_t step = ((__gm__ int32_t *)x)[0];
    LINES
}
"""
CASES = """
CASES = [{"name": "zero", "by": 0}, {"name": "minus one", "by": -1}]
TYPES = [np.dtype(name) for name in "int8 uint8 int16 uint16 int32 uint32 int64 uint64".split()]
def inputs(case, rng):
    data = b"".join(np.array([100, case["by"]], np.int64).astype(t).tobytes().ljust(32, b"\\0") for t in TYPES)
    return [np.frombuffer(np.array([1] + [0] * 7, np.int32).tobytes() + data, np.uint8)]
def golden(case, given):
    results = []
    for t in TYPES:
        d = int(np.array(case["by"], np.int64).astype(t))
        results += [0, 100] if d == 0 else [int(100 / d), 100 - int(100 / d) * d]
    return [np.array(results, np.int64)]
"""
LEAST = """
CASES = [{}]
inputs = lambda case, rng: [np.array([1, -2**31, -1], np.int32)]
golden = lambda case, given: [np.array([-2**31, 0], np.int64)]
"""


def divided(lines: list[str], cases: str) -> VerifyResult:
    return verify({"divide.cpp": KERNEL.replace("LINES", "\n    ".join(lines))}, "divide.cpp", "divide", cases)


def test_a_quotient_by_zero_is_0_and_the_remainder_the_dividend() -> None:
    lines = []
    for number, name in enumerate(TYPES):
        at = f"((__gm__ {name} *)(x + {32 + 32 * number}))"
        lines += [
            f"to[{2 * number}] = {name}({at}[0] / {at}[step]);",
            f"to[{2 * number + 1}] = {name}({at}[0] % {at}[step]);",
        ]
    result = divided(lines, CASES)
    assert [(case.outcome, case.message) for case in result.cases] == [(Outcome.PASSED, ""), (Outcome.PASSED, "")]
    said = "an integer is divided by zero here: what comes of it on the device is not documented, here it is 0"
    expected = [f"divide.cpp:{number}: warning twin/division-by-zero: {said}" for number in range(6, 6 + 16)]
    assert sorted(map(told, result.findings)) == sorted(expected if TRAPS else [])


def test_the_least_number_by_minus_one_wraps() -> None:
    lines = [
        "int32_t a = ((__gm__ int32_t *)x)[step], b = ((__gm__ int32_t *)x)[step + 1];",
        "to[0] = a / b;",
        "to[1] = a % b;",
    ]
    result = divided(lines, LEAST)
    assert (result.cases[0].outcome, result.findings) == (Outcome.PASSED, ())


@pytest.mark.skipif(not TRAPS, reason="this processor does not tell a division by zero")
@pytest.mark.parametrize(
    "line",
    [
        "to[0] = 7 + 900 / (step - 1);",
        "int32_t n = 900 / (step - 1); for (; n == 0;) to[0] = 7;",
        "((__gm__ int64_t *)x)[100000 / (1 + 5 / (step - 1))] = 1;",
    ],
)
def test_nothing_hangs_on_a_division_by_zero(line: str) -> None:
    cases = LEAST.replace("[-2**31, 0]", "[3]")
    files = {"divide.cpp": KERNEL.replace("LINES", line)}
    result = verify(files, "divide.cpp", "divide", cases)
    assert (result.outcome, result.cases[0].message) == (
        Outcome.NOT_EXECUTED,
        "not executed by the twin: an integer division by zero, divide.cpp:6",
    )
    assert [finding.code for finding in result.findings] == ["twin/division-by-zero"]
