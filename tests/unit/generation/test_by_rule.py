"""Broken files and their findings in, mended files out; the checker is the real one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kernelgen_ls.kernel.findings import Finding, Fix, FoundBy, Location, Position, Range, Severity, TextEdit
from kernelgen_ls.model.generation.by_rule import mended_by_rule
from kernelgen_ls.model.generation.findings import errors
from kernelgen_ls.model.prompts.task import GeneratedFile
from kernelgen_ls.runner.jobs.messages import CheckRequest, SourceFile
from kernelgen_ls.runner.toolchains.embedded.toolchain import EmbeddedToolchain

PATH = "op_kernel/k.cpp"
NARROW = """#include "kernel_operator.h"
using namespace AscendC;

class Quant {
public:
    __aicore__ inline void Compute(uint32_t count)
    {
        LocalTensor<float> acc = buffer.Get<float>();
        LocalTensor<int8_t> yLocal = queue.AllocTensor<int8_t>();
        Cast(yLocal, acc, RoundMode::CAST_RINT, count);
        queue.EnQue(yLocal);
    }
    __aicore__ inline void Init()
    {
        pipe.InitBuffer(buffer, 256);
        pipe.InitBuffer(queue, 2, 64);
    }
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    TQue<TPosition::VECOUT, 2> queue;
};

extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR y, GM_ADDR workspace)
{
    Quant op;
    op.Init();
    op.Compute(64);
}
"""


@pytest.fixture(scope="module")
def toolchain() -> EmbeddedToolchain:
    return EmbeddedToolchain()


def found(toolchain: EmbeddedToolchain, text: str) -> tuple[Finding, ...]:
    request = CheckRequest(entry=PATH, files=(SourceFile(PATH, text),), chip="Ascend910B1")
    return errors(toolchain.check(request).findings)


def test_what_is_declared_again_in_the_same_words_goes(toolchain: EmbeddedToolchain) -> None:
    member = "    TBuf<TPosition::VECCALC> buffer;\n"
    local = "        LocalTensor<float> acc = buffer.Get<float>();\n"
    clean = NARROW.replace("        Cast(yLocal, acc, RoundMode::CAST_RINT, count);\n", "")
    twice = clean.replace(member, member * 3).replace(local, local * 2)
    before = found(toolchain, twice)
    assert len(before) == 3
    (mended,) = mended_by_rule((GeneratedFile(PATH, twice),), before)
    assert mended.text == clean
    other = clean.replace(member, member + member.replace("TBuf", "TQue").replace("VECCALC>", "VECIN, 1>"))
    assert mended_by_rule((GeneratedFile(PATH, other),), found(toolchain, other)) == (GeneratedFile(PATH, other),)


MASKED = (Path(__file__).parents[2] / "kernels" / "clean" / "vector_sum.cpp").read_text(encoding="utf-8")


def test_the_mask_that_a_comparison_writes_to_is_declared(toolchain: EmbeddedToolchain) -> None:
    add = next(line for line in MASKED.split("\n") if re.match(r"\s*(AscendC::)?Add\(", line))
    indent, q, arguments = re.match(r"(\s*)((?:AscendC::)?)Add\((.*)\);", add).groups()  # type: ignore[union-attr]  # it does
    to, left, right, count = arguments.split(", ")
    compare = f"{indent}{q}Compare(mask, {left}, {right}, {q}CMPMODE::LT, {count});"
    select = f"{indent}{q}Select({to}, mask, {left}, {right}, {q}SELMODE::VSEL_TENSOR_TENSOR_MODE, {count});"
    text = MASKED.replace(add, f"{compare}\n{select}")
    before = found(toolchain, text)
    assert {finding.message.split("'")[1] for finding in before} == {"mask"}
    (mended,) = mended_by_rule((GeneratedFile(PATH, text),), before)
    assert found(toolchain, mended.text) == ()
    forgotten = "\n".join(line for line in mended.text.split("\n") if "mask = maskBuf" not in line)
    assert mended_by_rule((GeneratedFile(PATH, forgotten),), found(toolchain, forgotten)) == (mended,)


def test_a_cast_to_eight_bits_goes_through_half(toolchain: EmbeddedToolchain) -> None:
    before = found(toolchain, NARROW)
    assert [finding.location.range.start.line for finding in before] == [9]
    (mended,) = mended_by_rule((GeneratedFile(PATH, NARROW),), before)
    assert (
        "        Cast(acc.ReinterpretCast<half>(), acc, RoundMode::CAST_NONE, count);\n"
        "        Cast(yLocal, acc.ReinterpretCast<half>(), RoundMode::CAST_RINT, count);\n"
    ) in mended.text
    assert found(toolchain, mended.text) == ()


def test_another_error_in_a_cast_is_left_alone(toolchain: EmbeddedToolchain) -> None:
    text = NARROW.replace(
        "LocalTensor<float> acc = buffer.Get<float>()", "LocalTensor<int64_t> acc = buffer.Get<int64_t>()"
    )
    before = found(toolchain, text)
    assert before
    assert mended_by_rule((GeneratedFile(PATH, text),), before) == (GeneratedFile(PATH, text),)


def test_safe_fixes_are_applied_and_others_not() -> None:
    def finding(line: int, *, safe: bool) -> Finding:
        span = Range(Position(line, 4), Position(line, 5))
        fix = Fix("Use b", (TextEdit(PATH, span, "bb"),), safe=safe)
        return Finding(Location(PATH, span), Severity.ERROR, "no a here", FoundBy.LINT, fixes=(fix,))

    file = GeneratedFile(PATH, "// 😀a\nint a;\nint a;\nint a;\n")
    edits = [finding(1, safe=True), finding(2, safe=False), finding(3, safe=True), finding(3, safe=True)]
    assert mended_by_rule((file,), edits)[0].text == "// 😀a\nint bb;\nint a;\nint bb;\n"
