"""Lints, as kernels with the expected code written beside the line: ``// expect: kernel/copy-alignment``."""

# ruff: noqa: E501 a kernel's line and its mark stay on one line

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kernelgen_ls.kernel.chips import chip_named
from kernelgen_ls.kernel.findings import Finding, Severity
from kernelgen_ls.kernel.lints import DEFAULT_SEVERITIES, LINTS, lint, lint_program
from kernelgen_ls.kernel.program import Program
from kernelgen_ls.kernel.syntax import Source

ROOT = Path(__file__).parents[3]

KERNEL = """\
#include "kernel_operator.h"
using namespace AscendC;
constexpr int32_t BUFFER_NUM = 2;
constexpr uint32_t TILE = 1024;
CONSTANTS
class KernelOp {
public:
    __aicore__ inline KernelOp() {}
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t length) {
        this->length = length;
        pipe.InitBuffer(inQueue, BUFFER_NUM, TILE * sizeof(half));
        pipe.InitBuffer(outQueue, BUFFER_NUM, TILE * sizeof(half));
        xGm.SetGlobalBuffer((__gm__ half *)x);
        yGm.SetGlobalBuffer((__gm__ half *)y);
        INIT
    }
    __aicore__ inline void Process() {
        for (uint32_t i = 0; i < this->length / TILE; i++) {
            CopyIn(i);
            Compute();
            CopyOut(i);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t i) {
        LocalTensor<half> xLocal = inQueue.AllocTensor<half>();
        DataCopy(xLocal, xGm[i * TILE], TILE);
        COPY_IN
        inQueue.EnQue(xLocal);
    }
    __aicore__ inline void Compute() {
        LocalTensor<half> xLocal = inQueue.DeQue<half>();
        LocalTensor<half> yLocal = outQueue.AllocTensor<half>();
        LocalTensor<float> wide = scratch.Get<float>();
        COMPUTE
        outQueue.EnQue<half>(yLocal);
        inQueue.FreeTensor(xLocal);
    }
    __aicore__ inline void CopyOut(uint32_t i) {
        LocalTensor<half> yLocal = outQueue.DeQue<half>();
        DataCopy(yGm[i * TILE], yLocal, TILE);
        COPY_OUT
        outQueue.FreeTensor(yLocal);
    }

    TPipe pipe;
    TQue<TPosition::VECIN, BUFFER_NUM> inQueue;
    TQue<QuePosition::VECOUT, BUFFER_NUM> outQueue;
    TBuf<TPosition::VECCALC> scratch;
    GlobalTensor<half> xGm, yGm;
    uint32_t length;
    MEMBERS
};
extern "C" __global__ __aicore__ void op(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    GET_TILING_DATA(data, tiling);
    KernelOp op;
    op.Init(x, y, data.length);
    op.Process();
}
"""
_PLACES = ("CONSTANTS", "INIT", "COPY_IN", "COMPUTE", "COPY_OUT", "MEMBERS")


def kernel(**parts: str) -> str:
    text = KERNEL
    if "scratch" not in parts.get("init", ""):
        parts["init"] = "pipe.InitBuffer(scratch, 4096);\n" + parts.get("init", "")
    for place in _PLACES:
        text = re.sub(
            rf"^(\s*){place}\n",
            lambda match, place=place: _indented(match, parts.get(place.lower(), "")),
            text,
            flags=re.M,
        )
    return text


def _indented(match: re.Match[str], part: str) -> str:
    return "".join(f"{match.group(1)}{line}\n" for line in part.splitlines())


def check(text: str, *, chip: str = "Ascend910B3", path: str = "op_kernel/op.cpp") -> tuple[Finding, ...]:
    """Lint ``text`` and hold the codes found on each line against its ``// expect:`` comments."""
    findings = lint(Source.parse(text), chip_named(chip), path=path)
    expected = {
        (number, code)
        for number, line in enumerate(text.splitlines())
        for code in re.findall(r"// expect: (kernel/[\w-]+)", line)
    }
    assert {(finding.location.range.start.line, finding.code) for finding in findings} == expected
    return findings


def check_program(files: dict[str, str], *, macros: dict[str, str] | None = None) -> tuple[Finding, ...]:
    """Lint ``files`` as one program, the last of them its entry; findings by file and line as in ``check``."""
    program = program_of(files, macros or {})
    findings = lint_program(program, chip_named("Ascend910B3"))
    expected = {
        (path, number, code)
        for path, text in files.items()
        for number, line in enumerate(text.splitlines())
        for code in re.findall(r"// expect: (kernel/[\w-]+)", line)
    }
    found = {(finding.location.path, finding.location.range.start.line, finding.code) for finding in findings}
    assert found == expected
    return findings


def program_of(files: dict[str, str], macros: dict[str, str], previous: Program | None = None) -> Program:
    """The program of the last of ``files``; an include means the file of that name in its folder."""

    def included(path: str) -> tuple[str, dict[int, str]]:
        found = re.finditer(r'^#include "(.*)"', files[path], re.MULTILINE)
        names = {match.start(): f"op_kernel/{match.group(1)}" for match in found}
        return files[path], {offset: name for offset, name in names.items() if name in files}

    return Program.of(list(files)[-1], included, macros, previous)


def in_header(text: str) -> dict[str, str]:
    """A kernel whose class stands in a header, and the source that includes it."""
    cut = text.index('extern "C"')
    return {"op_kernel/op.h": text[:cut], "op_kernel/op.cpp": '#include "op.h"\n' + text[cut:]}


def test_a_clean_kernel_has_no_finding() -> None:
    check(kernel())


def test_a_file_that_is_no_kernel_is_left_alone() -> None:
    assert lint(Source.parse("int main() { DataCopy(x, y, 7); }"), chip_named("910B")) == ()


@pytest.mark.parametrize(
    "parts",
    [
        {"copy_in": "DataCopy(xLocal, xGm, 7);  // expect: kernel/copy-alignment"},
        {"copy_in": "AscendC::DataCopy(xLocal, xGm[3], 8);  // expect: kernel/copy-alignment"},
        {"copy_in": "DataCopy(xLocal, xGm, 16);"},
        {"copy_in": "DataCopy(xLocal, xGm, TILE / 100);  // expect: kernel/copy-alignment"},
        {"copy_in": "DataCopy(xLocal, xGm, this->length);"},
        {"copy_in": "const uint32_t n = 5;\nDataCopy(xLocal, xGm, n);  // expect: kernel/copy-alignment"},
        {"copy_in": "uint32_t n = 5;\nn += i;\nDataCopy(xLocal, xGm, n);"},
        {"copy_in": "uint32_t n = 5;\nif (i) { n = 16; }\nDataCopy(xLocal, xGm, n);"},
        {"copy_in": "DataCopy(xLocal, xGm, 24 / sizeof(half));  // expect: kernel/copy-alignment"},
        {"copy_in": "DataCopy(xLocal, xGm, {1, 7, 0, 0});"},
        {
            "copy_in": "uint32_t n = 5;\nSize(n);\nDataCopy(xLocal, xGm, n);",
            "members": "__aicore__ inline void Size(uint32_t &n) {\n n = 16;\n}",
        },
        {
            "constants": "using T = int8_t;",
            "copy_in": "LocalTensor<T> t;\nDataCopy(t, t, 33);  // expect: kernel/copy-alignment",
        },
        {"copy_in": "LocalTensor<DTYPE_X> t;\nDataCopy(t, t, 7);"},
        {"copy_in": "auto t = scratch.Get<float>();\nDataCopy(t, t, 4);  // expect: kernel/copy-alignment"},
        {
            "init": "tail = 9;",
            "members": "uint32_t tail;",
            "copy_in": "DataCopy(xLocal, xGm, tail);  // expect: kernel/copy-alignment",
        },
        {
            "init": "tail = 9;\nif (length) { tail = 16; }",
            "members": "uint32_t tail;",
            "copy_in": "DataCopy(xLocal, xGm, tail);",
        },
    ],
)
def test_copy_alignment(parts: dict[str, str]) -> None:
    check(kernel(**parts))


def test_the_length_of_a_template_type_is_not_known() -> None:
    check(
        '#include "kernel_operator.h"\ntemplate <typename T> class K { __aicore__ inline void F(AscendC::LocalTensor<T> x)'
        " { AscendC::DataCopy(x, x, 7); } };\n"
    )


@pytest.mark.parametrize(
    "parts",
    [
        {"compute": "Add(yLocal[8], xLocal, xLocal, 16);  // expect: kernel/local-offset-alignment"},
        {"compute": "Add(yLocal[16], xLocal[32], xLocal, 16);"},
        {"compute": "Exp(yLocal, xLocal[TILE / 2 + 1], 16);  // expect: kernel/local-offset-alignment"},
        {"compute": "Adds(wide[8], wide[4], 1.0f, 8);  // expect: kernel/local-offset-alignment"},
        {"compute": "half v = xLocal[3].GetValue(0);"},
        {"compute": "Add(yLocal[length], xLocal, xLocal, TILE);"},
        {"compute": "ReduceSum(yLocal[1], xLocal, xLocal, TILE);"},
        {"copy_in": "DataCopy(xLocal[4], xGm[4], 16);  // expect: kernel/local-offset-alignment"},
        {"copy_in": "DataCopy(xLocal, xGm[4], 16);"},
        {
            "compute": "Muls(wide[4].ReinterpretCast<half>(), xLocal, half(2), 8);  // expect: kernel/local-offset-alignment"
        },
    ],
)
def test_local_offset_alignment(parts: dict[str, str]) -> None:
    check(kernel(**parts))


@pytest.mark.parametrize(
    "parts",
    [
        {"init": "pipe.InitBuffer(scratch, 200 * 1024);  // expect: kernel/ub-budget"},
        {"init": "pipe.InitBuffer(scratch, 184 * 1024);"},
        {"init": "pipe.InitBuffer(scratch, 188 * 1024 + 1);  // expect: kernel/ub-budget"},
        {"init": "pipe.InitBuffer(scratch, length);"},
        {
            "init": "if (length) {\n pipe.InitBuffer(scratch, 100 * 1024);\n} else {\n pipe.InitBuffer(more, 100 * 1024);\n}",
            "members": "TBuf<> more;",
        },
        {
            "init": "pipe.InitBuffer(scratch, 100 * 1024);\npipe.InitBuffer(more, 100 * 1024);  // expect: kernel/ub-budget",
            "members": "TBuf<> more;",
        },
        {"init": "pipe.InitBuffer(l1, 400 * 1024);", "members": "TQue<TPosition::A1, 1> l1;"},
        {"init": "pipe.InitBuffer(l1, 1, 400 * 1024);", "members": "TQue<TPosition::A1, 1> l1;"},
        {"init": "pipe.Reset();\npipe.InitBuffer(scratch, 190 * 1024);"},
    ],
)
def test_ub_budget(parts: dict[str, str]) -> None:
    check(kernel(**parts))


def test_the_budget_is_the_chips() -> None:
    parts = {"init": "pipe.InitBuffer(scratch, 200 * 1024);"}
    check(kernel(**parts), chip="310P")


def test_the_budget_names_the_other_buffers() -> None:
    (finding,) = check(kernel(init="pipe.InitBuffer(scratch, 200 * 1024);  // expect: kernel/ub-budget"))
    assert "212,992 bytes" in finding.message
    assert "196,608" in finding.message
    assert [related.message for related in finding.related] == [
        "'inQueue' takes 4,096 bytes",
        "'outQueue' takes 4,096 bytes",
    ]


@pytest.mark.parametrize(
    "parts",
    [
        {"copy_in": "DataCopyPad(xLocal, xGm, {1, 7, 0, 0, 0}, {false, 0, 0, 0});  // expect: kernel/pad-stride"},
        {"copy_in": "DataCopyPad(xLocal, xGm, {1, 14, 0, 0, 0}, {false, 0, 0, 0});"},
        {"copy_in": "DataCopyPad(xLocal, xGm, {4, 14, 3, 0, 0}, {false, 0, 0, 0});  // expect: kernel/pad-stride"},
        {"copy_in": "DataCopyPad(xLocal, xGm, {4, 14, 32, 2, 0}, {false, 0, 0, 0});"},
        {
            "copy_in": "DataCopyExtParams p{4, 14, 3, 0, 0};\nDataCopyPad(xLocal, xGm, p, {});  // expect: kernel/pad-stride"
        },
        {"copy_in": "DataCopyExtParams p{4, 14, 3, 0, 0};\np.srcStride = length;\nDataCopyPad(xLocal, xGm, p, {});"},
        {"copy_in": "DataCopyPad(xLocal, xGm, {64, 128, 0, 4096, 0}, {});  // expect: kernel/pad-stride"},
        {"copy_out": "DataCopyPad(yGm, yLocal, {4, 20, (72 - 20) / 32, 0, 0});  // expect: kernel/pad-stride"},
        {"copy_out": "DataCopyPad(yGm, yLocal, {4, 64, (128 - 64) / 32, 0, 0});"},
        {"copy_out": "DataCopyPad(yGm, yLocal, {4, 20, 1, 5, 0});  // expect: kernel/pad-stride"},
        {"copy_out": "DataCopyPad(yGm, yLocal, {4, static_cast<uint32_t>(length * 2), 1, 6, 0});"},
    ],
)
def test_pad_stride(parts: dict[str, str]) -> None:
    check(kernel(**parts))


@pytest.mark.parametrize(
    "parts",
    [
        {
            "compute": "LocalTensor<bfloat16_t> b = scratch.Get<bfloat16_t>();\nAdd(b, b, b, TILE);  // expect: kernel/dtype"
        },
        {"compute": "LocalTensor<int64_t> b = scratch.Get<int64_t>();\nMuls(b, b, 2, 64);  // expect: kernel/dtype"},
        {"compute": "LocalTensor<int32_t> b = scratch.Get<int32_t>();\nAdd(b, b, b, TILE);"},
        {
            "compute": "LocalTensor<int32_t> b = scratch.Get<int32_t>();\nAscendC::Div(b, b, b, TILE);  // expect: kernel/dtype"
        },
        {"compute": "LocalTensor<DTYPE_X> b;\nDiv(b, b, b, TILE);"},
        {"compute": "LocalTensor<bfloat16_t> b;\nCast(wide, b, RoundMode::CAST_NONE, TILE);"},
        {
            "compute": "And(xLocal.ReinterpretCast<uint16_t>(), xLocal.ReinterpretCast<uint16_t>(), xLocal.ReinterpretCast<uint16_t>(), TILE);"
        },
    ],
)
def test_dtype(parts: dict[str, str]) -> None:
    check(kernel(**parts))


def test_a_chip_whose_instructions_are_not_known_gets_no_dtype_finding() -> None:
    parts = {"compute": "LocalTensor<bfloat16_t> b;\nAdd(b, b, b, TILE);"}
    check(kernel(**parts), chip="Ascend910_95")


def test_enque_without_deque() -> None:
    text = kernel().replace("outQueue.DeQue<half>()", "outQueue.AllocTensor<half>()")
    check(
        text.replace(
            "outQueue.EnQue<half>(yLocal);", "outQueue.EnQue<half>(yLocal);  // expect: kernel/enque-without-deque"
        )
    )


def test_a_queue_that_is_passed_on_is_left_alone() -> None:
    text = kernel(compute="Finish(outQueue);").replace("outQueue.DeQue<half>()", "Take<half>()")
    check(text)


def test_a_protected_queue_of_a_header_is_left_alone() -> None:
    text = kernel().replace("private:", "protected:").replace("outQueue.DeQue<half>()", "Take<half>()")
    check(text, path="op_kernel/op.h")


def test_a_queue_that_a_class_of_the_file_inherits_is_used_there() -> None:
    text = kernel().replace("private:", "protected:").replace("outQueue.DeQue<half>()", "Take<half>()")
    text += "template <typename B> class Outer : public B { void F() { this->outQueue.template DeQue<half>(); } };\n"
    check(text)


def test_a_class_with_functions_defined_elsewhere_is_left_alone() -> None:
    check(kernel(members="__aicore__ inline void Finish();").replace("outQueue.DeQue<half>()", "Take<half>()"))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("        inQueue.EnQue(xLocal);\n", "", ("= inQueue.DeQue<half>();", "kernel/deque-without-enque")),
        ("        inQueue.FreeTensor(xLocal);\n", "", ("inQueue.AllocTensor<half>();", "kernel/alloc-without-free")),
        (
            "outQueue.DeQue<half>()",
            "outQueue.AllocTensor<half>()",
            ("outQueue.EnQue<half>(yLocal);", "kernel/enque-without-deque"),
        ),
    ],
)
@pytest.mark.parametrize("access", ["private", "protected"])
def test_a_class_in_a_header_is_seen_whole_with_the_kernel_that_includes_it(
    old: str, new: str, expected: tuple[str, str], access: str
) -> None:
    text = kernel().replace(old, new).replace("private:", f"{access}:")
    text = text.replace(expected[0], f"{expected[0]}  // expect: {expected[1]}")
    check_program(in_header(text))


def test_a_class_completed_in_another_file_is_seen_whole() -> None:
    whole = kernel(members="__aicore__ inline void Finish();").replace(
        "outQueue.DeQue<half>()", "outQueue.AllocTensor<half>()"
    )
    files = in_header(whole)
    finish = "__aicore__ inline void KernelOp::Finish() { auto y = outQueue.DeQue<half>(); outQueue.FreeTensor(y); }\n"
    check_program({**files, "op_kernel/op.cpp": '#include "op.h"\n' + finish + files["op_kernel/op.cpp"]})


def test_a_queue_of_the_same_name_in_another_class_hides_nothing() -> None:
    broken = kernel().replace("        inQueue.EnQue(xLocal);\n", "")
    broken = broken.replace(
        "= inQueue.DeQue<half>();", "= inQueue.DeQue<half>();  // expect: kernel/deque-without-enque"
    )
    other = kernel().replace("KernelOp", "OtherOp").replace(" op(", " other(")
    files = in_header(broken)
    files["op_kernel/op.cpp"] = '#include "other.h"\n' + files["op_kernel/op.cpp"]
    check_program({"op_kernel/other.h": other[: other.index('extern "C"')], **files})


def test_a_queue_is_followed_through_parameters() -> None:
    def through(source: str, work: str) -> str:
        text = kernel(members="")
        text = text.replace("CopyIn(uint32_t i) {", "CopyIn(TQue<TPosition::VECIN, BUFFER_NUM> &source, uint32_t i) {")
        text = text.replace("CopyIn(i);", "CopyIn(inQueue, i);")
        return text.replace("= inQueue.AllocTensor", "= source.AllocTensor").replace("inQueue.EnQue(xLocal);", work)

    check(through("source", "source.EnQue(xLocal);"))
    lost = through("source", "")
    check(lost.replace("= inQueue.DeQue<half>();", "= inQueue.DeQue<half>();  // expect: kernel/deque-without-enque"))
    check(through("source", "Finish(source, xLocal);"))


def test_a_queue_is_followed_through_a_template_parameter() -> None:
    text = (
        kernel()
        .replace("inQueue.EnQue(xLocal);", "Finish(inQueue, xLocal);")
        .replace(
            "    __aicore__ inline void Compute() {",
            "    template <typename Q> __aicore__ inline void Finish(Q &q, LocalTensor<half> &t) { WORK }\n"
            "    __aicore__ inline void Compute() {",
        )
    )
    check(text.replace("WORK", "q.EnQue(t);"))
    text = text.replace("= inQueue.DeQue<half>();", "= inQueue.DeQue<half>();  // expect: kernel/deque-without-enque")
    check(text.replace("WORK", "q.HasTensorInQue();"))


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ("#if 0", False),
        ("#if 1", True),
        ("#ifdef KEEP_OLD_PATH", False),
        ("#ifndef KEEP_OLD_PATH", True),
        ("#if defined(__NPU_ARCH__) && (__NPU_ARCH__ == 3510)", False),
        ("#if defined(__NPU_ARCH__) && (__NPU_ARCH__ == 2201)", True),
        ("#if __CCE_AICORE__ < 220\n#else", True),
        ("#if __CCE_AICORE__ == 220\n#elif 1", False),
        ("#define OWN 3\n#if OWN > 2", True),
        ("#if ORIG_DTYPE_X == DT_FLOAT16", True),
        ("#if TILING_KEY_VAR == 3", True),
        ("#if 0\n#if 1\n#endif", False),
    ],
)
def test_code_that_the_preprocessor_leaves_out_has_no_finding(condition: str, found: bool) -> None:
    mark = "  // expect: kernel/copy-alignment" if found else ""
    text = kernel(copy_in=f"{condition}\nDataCopy(xLocal, xGm, 7);{mark}\n#endif")
    check_program({"op_kernel/op.cpp": text}, macros={"__CCE_AICORE__": "220", "__NPU_ARCH__": "2201"})


def test_a_macro_of_a_header_decides_what_is_compiled() -> None:
    text = '#include "options.h"\n' + kernel(copy_in="#ifdef SHORT\nDataCopy(xLocal, xGm, 7);\n#endif")
    check_program({"op_kernel/options.h": "#pragma once\n#define LONG\n", "op_kernel/op.cpp": text})
    text = text.replace("7);", "7);  // expect: kernel/copy-alignment")
    check_program({"op_kernel/options.h": "#pragma once\n#define SHORT\n", "op_kernel/op.cpp": text})


@pytest.mark.parametrize(
    ("condition", "found"),
    [("ALIGNED", False), ("!ALIGNED", True), ("TILE == 1024", False), ("sizeof(DTYPE_X) == 2", True)],
)
def test_the_arm_that_if_constexpr_discards_has_no_finding(condition: str, found: bool) -> None:
    mark = "  // expect: kernel/copy-alignment" if found else ""
    arms = f"if constexpr ({condition}) {{\n Prepare();\n}} else {{\n DataCopy(xLocal, xGm, 7);{mark}\n}}"
    check(kernel(constants="constexpr bool ALIGNED = true;", copy_in=arms))


def test_a_header_for_another_chip_is_no_part_of_the_program() -> None:
    text = '#if __NPU_ARCH__ == 3510\n#include "wide.h"\n#endif\n' + kernel()
    wide = "class Wide {\n __aicore__ inline void F(AscendC::LocalTensor<half> x) {\n DataCopy(x, x, 7);EXPECT\n}\n};\n"
    files = {"op_kernel/wide.h": wide.replace("EXPECT", ""), "op_kernel/op.cpp": text}
    check_program(files, macros={"__NPU_ARCH__": "2201"})
    files["op_kernel/wide.h"] = wide.replace("EXPECT", "  // expect: kernel/copy-alignment")
    check_program(files, macros={"__NPU_ARCH__": "3510"})


def test_classes_of_one_name_in_two_namespaces_are_not_counted_as_one() -> None:
    text = kernel()
    begin, end = text.index("class KernelOp"), text.index('extern "C"')
    other = "namespace other {\nclass KernelOp {\npublic:\n __aicore__ inline void Process() {\n Compute();\n}\n __aicore__ inline void Compute() {}\n};\n}\n"
    check(
        f"{text[:begin]}{other}namespace one {{\n{text[begin:end]}}}\n{text[end:].replace('KernelOp op', 'one::KernelOp op')}"
    )


def test_deep_loops_end() -> None:
    loops = "".join(f"for (uint32_t i{depth} = 0; i{depth} < length; i{depth}++) {{\n" for depth in range(12))
    body = "if (length) {\n Compute();\n}\nif (length > 2) {\n CopyIn(0);\n}\nif (length > 3) {\n CopyOut(0);\n}\n"
    stages = "            CopyIn(i);\n            Compute();\n            CopyOut(i);\n"
    check(kernel().replace(stages, f"{loops}{body}{'}' * 12}\n"))


def test_a_number_that_was_given_bytes_is_not_taken_for_elements() -> None:
    init = (
        "uint32_t space = length * sizeof(half);\npipe.InitBuffer(one, 1, space);\n"
        "pipe.InitBuffer(two, 1, space * sizeof(half));"
    )
    use = "auto a = one.AllocTensor<half>();\nauto b = two.AllocTensor<half>();\none.FreeTensor(a);\ntwo.FreeTensor(b);"
    members = "TQue<TPosition::VECCALC, 1> one, two;"
    check(kernel(init=init, compute=use, members=members))
    wrong = init.replace("length * sizeof(half);\n", "length;\n").replace(
        "space);", "space);  // expect: kernel/buffer-overrun"
    )
    check(kernel(init=wrong, compute=use, members=members))


def test_a_loop_that_fills_a_queue_ahead_is_no_leak() -> None:
    ahead = "        uint32_t count = this->length < BUFFER_NUM ? this->length : BUFFER_NUM;\n        for (uint32_t k = 0; k < count; k++) {\n            CopyIn(k);\n        }\n        for (uint32_t i = 0;"
    behind = "            CopyOut(i);\n            if (i + count < this->length) {\n                CopyIn(i + count);\n            }\n"
    text = kernel().replace("            CopyIn(i);\n", "").replace("        for (uint32_t i = 0;", ahead)
    check(text.replace("            CopyOut(i);\n", behind))


def test_a_call_on_what_a_call_returns_is_that_call() -> None:
    check(kernel().replace("pipe.InitBuffer", "GetTPipePtr()->InitBuffer"))


def test_a_constant_of_a_header_has_its_value_in_the_source() -> None:
    text = '#include "sizes.h"\n' + kernel(copy_in="DataCopy(xLocal, xGm, SHORT);  // expect: kernel/copy-alignment")
    check_program({"op_kernel/sizes.h": "constexpr uint32_t SHORT = 7;\n", "op_kernel/op.cpp": text})


def test_an_edit_of_a_program_is_linted_as_if_it_were_new() -> None:
    files = in_header(kernel())
    program = program_of(files, {})
    lint_program(program, chip_named("910B"))
    files["op_kernel/op.h"] = "\n" + files["op_kernel/op.h"].replace("        inQueue.EnQue(xLocal);\n", "")
    again = program_of(files, {}, program)
    new = program_of(files, {})
    assert lint_program(again, chip_named("910B")) == lint_program(new, chip_named("910B")) != ()


def test_deque_without_enque() -> None:
    text = kernel().replace("        inQueue.EnQue(xLocal);\n", "")
    text = text.replace("= inQueue.DeQue<half>();", "= inQueue.DeQue<half>();  // expect: kernel/deque-without-enque")
    (finding,) = check(text)
    assert finding.severity is Severity.ERROR


def test_alloc_without_free() -> None:
    text = kernel().replace("        inQueue.FreeTensor(xLocal);\n", "")
    text = text.replace(
        "inQueue.AllocTensor<half>();", "inQueue.AllocTensor<half>();  // expect: kernel/alloc-without-free"
    )
    check(text)


def test_a_tensor_that_is_allocated_once_may_be_kept() -> None:
    members = "TQue<TPosition::VECCALC, 1> kept;"
    check(
        kernel(init="pipe.InitBuffer(kept, 1, 64);\nLocalTensor<half> k = kept.AllocTensor<half>();", members=members)
    )


@pytest.mark.parametrize(
    "parts",
    [
        {"compute": "LocalTensor<half> again = inQueue.DeQue<half>();  // expect: kernel/deque-without-enque"},
        {"compute": "inQueue.EnQue(xLocal);\nxLocal = inQueue.DeQue<half>();"},
        {"compute": "if (length) {\n xLocal = inQueue.DeQue<half>();\n}"},
        {"compute": "if (inQueue.HasTensorInQue()) {\n xLocal = inQueue.DeQue<half>();\n}"},
        {
            "compute": "#if ORIG_DTYPE_X == DT_FLOAT16\nxLocal = inQueue.DeQue<half>();\n#endif",
        },
        {"compute": "auto f = [&]() { inQueue.DeQue<half>(); };"},
        {
            "copy_in": "inQueue.EnQue(xLocal);\nAgain(i);",
            "compute": "LocalTensor<half> next = inQueue.DeQue<half>();\ninQueue.FreeTensor(next);",
            "members": "__aicore__ inline void Again(uint32_t i) {\n xLocal = inQueue.AllocTensor<half>();\n}\nLocalTensor<half> xLocal;",
        },
    ],
)
def test_a_deque_of_what_is_certainly_empty(parts: dict[str, str]) -> None:
    check(kernel(**parts))


def test_a_queue_that_is_filled_ahead_of_the_loop_is_not_empty_in_it() -> None:
    loop = "            CopyIn(i);\n            Compute();"
    ahead = kernel().replace(
        loop, "            if (i + 1 < this->length / TILE) {\n CopyIn(i + 1);\n}\n            Compute();"
    )
    check(ahead.replace("        for (uint32_t i = 0;", "        CopyIn(0);\n        for (uint32_t i = 0;"))
    behind = kernel().replace(loop, "            CopyIn(i);\n            if (i > 0) {\n Compute();\n}")
    check(
        behind.replace(
            "            CopyOut(i);\n        }\n",
            "            if (i > 0) {\n CopyOut(i - 1);\n}\n        }\n        Compute();\n        CopyOut(0);\n",
        )
    )


ALLOC = "LocalTensor<half> NAME = inQueue.AllocTensor<half>();"


@pytest.mark.parametrize(
    "parts",
    [
        {
            "copy_in": f"{ALLOC.replace('NAME', 'b')}\n{ALLOC.replace('NAME', 'c')}  // expect: kernel/too-many-tensors\ninQueue.EnQue(b);\ninQueue.EnQue(c);",
            "compute": "auto b = inQueue.DeQue<half>();\nauto c = inQueue.DeQue<half>();\ninQueue.FreeTensor(b);\ninQueue.FreeTensor(c);",
        },
        {
            "copy_in": f"{ALLOC.replace('NAME', 'b')}\ninQueue.EnQue(b);",
            "compute": "auto b = inQueue.DeQue<half>();\ninQueue.FreeTensor(b);",
        },
        {
            "copy_in": f"if (i == 0) {{\n{ALLOC.replace('NAME', 'b')}\n{ALLOC.replace('NAME', 'c')}\n}}",
        },
        {
            "init": "pipe.InitBuffer(kept, 3, 64);\nfor (int k = 0; k < 3; k++) {\n tensors[k] = kept.AllocTensor<half>();\n}\nfor (int k = 0; k < 3; k++) {\n kept.FreeTensor(tensors[k]);\n}",
            "members": "TQue<TPosition::VECCALC, 1> kept;\nLocalTensor<half> tensors[3];",
        },
    ],
)
def test_too_many_tensors(parts: dict[str, str]) -> None:
    check(kernel(**parts))


@pytest.mark.parametrize(("last", "found"), [("a = kept.AllocTensor<half>();", True), ("Wait();", False)])
def test_a_tensor_that_each_turn_keeps_uses_up_the_buffers(last: str, found: bool) -> None:
    mark = "  // expect: kernel/too-many-tensors" if found else ""
    take = f"LocalTensor<half> a = kept.AllocTensor<half>();{mark}"
    check(
        kernel(
            init="pipe.InitBuffer(kept, 2, 64);",
            compute=f"{take}\nkept.FreeTensor(a);\n{last}",
            members="TQue<TPosition::VECCALC, 1> kept;",
        )
    )


def test_a_position_has_room_for_eight_tensors() -> None:
    queues = [f"q{number}" for number in range(9)]
    init = "\n".join(f"pipe.InitBuffer({name}, 1, 64);" for name in queues)
    load = "template <typename Q> __aicore__ inline LocalTensor<half> Load(Q &q) {\n auto t = q.template AllocTensor<half>();EXPECT\n q.EnQue(t);\n return q.template DeQue<half>();\n}"

    def text(count: int, expect: str) -> str:
        calls = "\n".join(f"LocalTensor<half> t{number} = Load(q{number});" for number in range(count))
        frees = "\n".join(f"q{number}.FreeTensor(t{number});" for number in range(count))
        members = f"{load.replace('EXPECT', expect)}\nTQue<TPosition::VECIN, 1> {', '.join(queues[:count])};"
        return kernel(init="\n".join(init.splitlines()[:count]), copy_out=f"{calls}\n{frees}", members=members)

    check(text(8, ""))
    check(text(9, "  // expect: kernel/too-many-tensors"))


@pytest.mark.parametrize(
    "parts",
    [
        {"compute": "inQueue.FreeTensor(xLocal);  // first"},
        {"copy_out": "outQueue.FreeTensor(yLocal);"},
    ],
)
def test_free_twice(parts: dict[str, str]) -> None:
    text = kernel(**parts)
    name = "yLocal" if "copy_out" in parts else "xLocal"
    queue = "outQueue" if "copy_out" in parts else "inQueue"
    free = f"{queue}.FreeTensor({name});"
    at = text.rindex(free) + len(free)
    check(text[:at] + "  // expect: kernel/free-twice" + text[at:])


@pytest.mark.parametrize(
    "statement",
    [
        "inQueue.FreeTensor(xLocal); Adds(yLocal, xLocal, (half)1, TILE);  // expect: kernel/use-after-free",
        "inQueue.FreeTensor(xLocal);\nxLocal.SetValue(0, (half)0);  // expect: kernel/use-after-free",
        "if (length > 4) { inQueue.FreeTensor(xLocal); half v = xLocal.GetValue(0); outQueue.EnQue(yLocal); return; }  // expect: kernel/use-after-free",
    ],
)
def test_use_after_free(statement: str) -> None:
    text = kernel(compute=statement)
    if "return" not in statement:
        text = text.replace("        inQueue.FreeTensor(xLocal);\n    }", "    }")
    check(text)


@pytest.mark.parametrize(
    "statement",
    [
        "inQueue.FreeTensor(xLocal); xLocal = inQueue.DeQue<half>();",
        "uint32_t n = 0; if (length > 4) { inQueue.FreeTensor(xLocal); n = xLocal.GetSize(); }",
        "if (length > 4) { inQueue.FreeTensor(xLocal); outQueue.EnQue(yLocal); return; }\nAbs(yLocal, xLocal, TILE);",
        "if (length > 4) inQueue.FreeTensor(xLocal); else Abs(yLocal, xLocal, TILE);",
    ],
)
def test_a_name_that_stands_for_another_tensor_or_way_is_no_use_after_free(statement: str) -> None:
    found = lint(Source.parse(kernel(compute=statement)), chip_named("Ascend910B3"), path="op_kernel/op.cpp")
    assert "kernel/use-after-free" not in {finding.code for finding in found}


def test_a_tensor_that_is_freed_on_either_way_is_freed_once() -> None:
    text = kernel(compute="if (length) {\n inQueue.FreeTensor(xLocal);\n outQueue.EnQue(yLocal);\n return;\n}")
    check(text)


def test_a_class_of_which_two_objects_live_at_once_is_not_counted() -> None:
    text = kernel(copy_out="outQueue.FreeTensor(yLocal);").replace("KernelOp op;", "KernelOp op, other;")
    check(text)


@pytest.mark.parametrize(
    "parts",
    [
        {"copy_in": "DataCopy(xLocal, xGm, TILE * 2);  // expect: kernel/buffer-overrun"},
        {"copy_in": "DataCopy(xLocal[16], xGm, TILE);  // expect: kernel/buffer-overrun"},
        {"copy_in": "DataCopy(xLocal[16], xGm, TILE - 16);"},
        {"copy_in": "auto part = xLocal[512];\nDataCopy(part[512], xGm, 16);  // expect: kernel/buffer-overrun"},
        {"copy_in": "auto part = xLocal[512];\nDataCopy(part, xGm, 512);"},
        {"copy_in": "auto part = xLocal[512];\npart = xLocal;\nDataCopy(part, xGm, TILE);"},
        {"copy_in": "DataCopy(xLocal, xGm, length);"},
        {"copy_out": "DataCopyPad(yGm, yLocal, {1, TILE * 4, 0, 0, 0});  // expect: kernel/buffer-overrun"},
        {"copy_out": "DataCopyPad(yGm, yLocal, {1, TILE * 2, 0, 0, 0});"},
        {"compute": "auto more = scratch.GetWithOffset<float>(TILE, 64);  // expect: kernel/buffer-overrun"},
        {"compute": "auto all = scratch.Get<float>(TILE);\nAdds(all, all, 1.0f, TILE);"},
        {"compute": "auto all = scratch.Get<float>(TILE * 2);  // expect: kernel/buffer-overrun"},
        {
            "compute": "for (int k = 0; k < 8; k++) {\n Adds(wide[k * 128], wide, 1.0f, 256);  // expect: kernel/buffer-overrun\n}"
        },
        {"compute": "for (int k = 0; k < 8; k++) {\n Adds(wide[k * 128], wide, 1.0f, 128);\n}"},
        {
            "compute": "for (int k = 0; k < 8; k++) {\n if (k < 7) {\n Adds(wide[k * 128], wide, 1.0f, 256);\n}\n}",
        },
        {"compute": "for (int k = 0; k < length; k++) {\n Adds(wide[k * 128], wide, 1.0f, 256);\n}"},
    ],
)
def test_buffer_overrun(parts: dict[str, str]) -> None:
    check(kernel(**parts))


def test_a_number_that_others_multiply_by_a_size_is_no_number_of_bytes() -> None:
    mark = "  // expect: kernel/buffer-overrun"
    text = (
        kernel().replace("TILE * sizeof(half)", "rows * sizeof(half)").replace("uint32_t length) {", "uint32_t rows) {")
    )
    text = text.replace("this->length = length;", "")
    check(text.replace("outQueue, BUFFER_NUM, rows * sizeof(half));", f"outQueue, BUFFER_NUM, rows);{mark}"))
    check(
        text.replace("outQueue, BUFFER_NUM, rows * sizeof(half));", "outQueue, BUFFER_NUM, rows);")
        .replace("LocalTensor<half> yLocal", "LocalTensor<uint8_t> yLocal")
        .replace("outQueue.AllocTensor<half>", "outQueue.AllocTensor<uint8_t>")
        .replace("outQueue.DeQue<half>", "outQueue.DeQue<uint8_t>")
    )


def test_an_offset_beyond_all_of_ub_needs_no_length() -> None:
    text = kernel(copy_in="DataCopyPad(xLocal[1048576], xGm, {1, 32, 0, 0, 0}, pad);  // expect: kernel/buffer-overrun")
    check(text.replace("inQueue, BUFFER_NUM, TILE * sizeof(half)", "inQueue, BUFFER_NUM, length"))


def test_bytes_without_sizeof() -> None:
    text = kernel().replace("DataCopy(xLocal, xGm[i * TILE], TILE);", "DataCopy(xLocal, xGm, this->length);")
    text = text.replace(
        "inQueue, BUFFER_NUM, TILE * sizeof(half));", "inQueue, BUFFER_NUM, LENGTH);  // expect: kernel/buffer-overrun"
    )
    (finding,) = check(text.replace("LENGTH", "this->length"))
    assert "pipe.InitBuffer(inQueue, BUFFER_NUM, this->length * sizeof(half));" in apply(
        text.replace("LENGTH", "this->length"), finding
    )
    check(text.replace("LENGTH", "this->length * sizeof(half)").replace("  // expect: kernel/buffer-overrun", ""))


@pytest.mark.parametrize(
    "parts",
    [
        {"compute": "auto part = wide[4];\nAdds(part, wide, 1.0f, 8);  // expect: kernel/local-offset-alignment"},
        {"compute": "LocalTensor<float> part = wide[4];\nAdds(part[4], wide, 1.0f, 8);"},
        {
            "compute": "auto odd = scratch.GetWithOffset<float>(8, 20);\nAdds(odd, odd, 1.0f, 8);  // expect: kernel/local-offset-alignment"
        },
        {
            "compute": "for (int k = 0; k < 4; k++) {\n Adds(wide[k * 4], wide, 1.0f, 8);  // expect: kernel/local-offset-alignment\n}"
        },
        {"compute": "for (int k = 0; k < 4; k++) {\n Adds(wide[k * 8], wide, 1.0f, 8);\n}"},
    ],
)
def test_an_offset_is_followed_through_names_and_loops(parts: dict[str, str]) -> None:
    check(kernel(**parts))


@pytest.mark.parametrize(
    "compute",
    [
        "if (length) {\n outQueue.EnQue(yLocal);\n return;  // expect: kernel/return-without-free\n}",
        "if (length) {\n outQueue.EnQue(yLocal);\n inQueue.FreeTensor(xLocal);\n return;\n}",
        "if (length) {\n Finish(xLocal, yLocal);\n return;\n}",
        "if (length > 8) {\n inQueue.FreeTensor(xLocal);\n outQueue.EnQue(yLocal);\n return;\n} else if (length) {\n outQueue.EnQue(yLocal);\n return;  // expect: kernel/return-without-free\n}",
        "auto f = [&]() {\n if (length) {\n return;\n}\n};",
    ],
)
def test_return_without_free(compute: str) -> None:
    members = "__aicore__ inline void Finish(LocalTensor<half> &x, LocalTensor<half> &y) {\n outQueue.EnQue(y);\n inQueue.FreeTensor(x);\n}"
    check(kernel(compute=compute, members=members))


def test_a_way_out_of_what_runs_once_may_keep_a_tensor() -> None:
    text = kernel(compute="if (length) {\n outQueue.EnQue(yLocal);\n return;\n}")
    check(text.replace("for (uint32_t i = 0; i < this->length / TILE; i++)", ""))


@pytest.mark.parametrize(
    "parts",
    [
        {
            "compute": "LocalTensor<half> e = extra.AllocTensor<half>();  // expect: kernel/missing-init\nextra.FreeTensor(e);",
            "members": "TQue<TPosition::VECCALC, 1> extra;",
        },
        {"compute": "auto e = extra.Get<half>();  // expect: kernel/missing-init", "members": "TBuf<> extra;"},
        {"compute": "auto e = extra.Get<half>();", "members": "TBuf<> extra;", "init": "Prepare(extra);"},
        {"compute": "auto e = extra.Get<half>();", "members": "TBuf<> extra;", "init": "pipe.InitBuffer(extr, 64);"},
        {
            "copy_in": "DataCopy(xLocal, wGm, TILE);  // expect: kernel/missing-global-buffer",
            "members": "GlobalTensor<half> wGm;",
        },
        {"copy_in": "DataCopy(xLocal, wGm, TILE);", "members": "GlobalTensor<half> wGm;", "init": "wGm = xGm;"},
        {"copy_in": "DataCopy(xLocal, wGm, TILE);", "members": "GlobalTensor<half> wGm;", "init": "Point(wGm, x);"},
        {
            "members": "__aicore__ inline void Unused() {\n auto e = extra.Get<half>();\n}\nTBuf<> extra;",
        },
        {
            "members": "template <bool more> __aicore__ inline void Maybe() {\n if (more) {\n auto e = extra.Get<half>();\n}\n}\nTBuf<> extra;",
            "compute": "Maybe<false>();",
        },
    ],
)
def test_missing_init(parts: dict[str, str]) -> None:
    check(kernel(**parts))


@pytest.mark.parametrize(
    "compute",
    [
        "WaitFlag<HardEvent::MTE2_V>(EVENT_ID1);  // expect: kernel/flag-pairs",
        "SetFlag<HardEvent::MTE2_V>(EVENT_ID1);  // expect: kernel/flag-pairs",
        "SetFlag<HardEvent::MTE2_V>(EVENT_ID1);\nWaitFlag<AscendC::HardEvent::MTE2_V>(EVENT_ID1);",
        "SetFlag<HardEvent::MTE2_V>(EVENT_ID1);  // expect: kernel/flag-pairs\nWaitFlag<HardEvent::V_MTE2>(EVENT_ID1);  // expect: kernel/flag-pairs",
        "SetFlag<event>(EVENT_ID1);\nWaitFlag<HardEvent::V_MTE2>(EVENT_ID1);",
    ],
)
def test_flag_pairs(compute: str) -> None:
    check(kernel(compute=compute))


@pytest.mark.parametrize(
    ("between", "found"),
    [
        ("", True),
        ("LocalTensor<half> more = inQueue.AllocTensor<half>();\ninQueue.FreeTensor(more);", False),
        ("SetFlag<HardEvent::MTE2_V>(EVENT_ID0);\nWaitFlag<HardEvent::MTE2_V>(EVENT_ID0);", False),
        ("PipeBarrier<PIPE_ALL>();", False),
        ("Wait();", False),
        ("if (length) {\n Wait();\n}", False),
    ],
)
def test_missing_wait(between: str, found: bool) -> None:
    mark = "  // expect: kernel/missing-wait" if found else ""
    load = "LocalTensor<half> w = scratch.Get<half>();\nDataCopy(w, xGm, TILE);"
    check(kernel(compute=f"{load}\n{between}\nAdds(yLocal, w, half(1), TILE);{mark}".replace("\n\n", "\n")))


@pytest.mark.parametrize(
    "compute",
    [
        "Adds(wide, wide, 1.0f, 128, 8, {1, 1, 8, 8});  // expect: kernel/mask-range",
        "Adds(wide, wide, 1.0f, 64, 8, {1, 1, 8, 8});",
        "Adds(yLocal, xLocal, half(1), 128, 8, {1, 1, 8, 8});",
        "Cast(yLocal, wide, RoundMode::CAST_NONE, 128, 8, {1, 1, 4, 8});  // expect: kernel/mask-range",
        "Adds(wide, wide, 1.0f, length, 8, {1, 1, 8, 8});",
        "SetMaskCount();\nAdds(wide, wide, 1.0f, 128, 8, {1, 1, 8, 8});",
        "Adds<float, false>(wide, wide, 1.0f, 128, 8, {1, 1, 8, 8});",
        "uint64_t mask[2] = {0xFF, 0xFF};\nAdds(wide, wide, 1.0f, mask, 8, {1, 1, 8, 8});  // expect: kernel/mask-range",
        "uint64_t mask[2] = {0xFF, 0};\nAdds(wide, wide, 1.0f, mask, 8, {1, 1, 8, 8});",
        "uint64_t mask[2] = {0xFF, 0xFF};\nmask[1] = 0;\nAdds(wide, wide, 1.0f, mask, 8, {1, 1, 8, 8});",
        "uint64_t mask[2] = {0xFF, 0xFF};\nAdds(yLocal, xLocal, half(1), mask, 8, {1, 1, 8, 8});",
    ],
)
def test_mask_range(compute: str) -> None:
    check(kernel(compute=compute))


@pytest.mark.parametrize(
    "compute",
    [
        "uint32_t ids[16];\nfor (uint32_t k = 0; k < 32; k++) {\n ids[k] = k;  // expect: kernel/array-bounds\n}",
        "uint32_t ids[32];\nfor (uint32_t k = 0; k < 32; k++) {\n ids[k] = k;\n}",
        "uint32_t ids[16];\nfor (uint32_t k = 0; k <= 16; k += 4) {\n ids[k] = k;  // expect: kernel/array-bounds\n}",
        "uint32_t ids[16];\nfor (uint32_t k = 0; k < 32; k++) {\n if (k < 16) {\n ids[k] = k;\n}\n}",
        "uint32_t ids[16];\nfor (uint32_t k = 0; k < 32; k++) {\n if (k == 16) {\n break;\n}\n ids[k] = k;\n}",
        "uint32_t ids[16];\nfor (uint32_t k = 0; k < length; k++) {\n ids[k] = k;\n}",
        "uint32_t ids[2][16];\nfor (uint32_t k = 0; k < 16; k++) {\n ids[1][k] = k;\n}",
    ],
)
def test_array_bounds(compute: str) -> None:
    check(kernel(compute=compute))


def test_what_a_template_parameter_leaves_out_may_lack_its_other_half() -> None:
    text = (
        kernel().replace("outQueue.EnQue<half>(yLocal);", "").replace("CopyOut(i);", "if (copied) {\n CopyOut(i);\n}")
    )
    text = text.replace("class KernelOp {", "template <bool copied> class KernelOp {").replace(
        "KernelOp op;", "KernelOp<false> op;"
    )
    check(text)


def test_a_loop_around_another_class_repeats_nothing() -> None:
    text = kernel().replace("        inQueue.FreeTensor(xLocal);\n", "")
    text = text.replace("for (uint32_t i = 0; i < this->length / TILE; i++) {", "{\n            uint32_t i = 0;")
    other = "class Other {\npublic:\n __aicore__ inline void Process() {}\n};\n"
    loop = "    Other other;\n    for (int k = 0; k < 3; k++) {\n        other.Process();\n    }\n    op.Process();"
    check(text.replace("class KernelOp", other + "class KernelOp").replace("    op.Process();", loop))


def test_queue_position_in_and_out() -> None:
    text = (
        kernel().replace("TPosition::VECIN", "TPosition::VECOUT").replace("QuePosition::VECOUT", "QuePosition::VECIN")
    )
    text = text.replace(
        "DataCopy(xLocal, xGm[i * TILE], TILE);",
        "DataCopy(xLocal, xGm[i * TILE], TILE);  // expect: kernel/queue-position",
    )
    text = text.replace(
        "DataCopy(yGm[i * TILE], yLocal, TILE);",
        "DataCopy(yGm[i * TILE], yLocal, TILE);  // expect: kernel/queue-position",
    )
    findings = check(text)
    assert [fix.title for finding in findings for fix in finding.fixes] == [
        "Declare 'inQueue' at VECIN",
        "Declare 'outQueue' at VECOUT",
    ]
    assert apply(text, findings[0]).count("TQue<TPosition::VECIN, BUFFER_NUM> inQueue") == 1


def test_a_copy_that_is_ordered_by_hand_may_use_any_queue() -> None:
    text = kernel(copy_in="PipeBarrier<PIPE_ALL>();", copy_out="SyncMte3ToV();", compute="")
    check(text.replace("TPosition::VECIN", "TPosition::VECOUT").replace("QuePosition::VECOUT", "QuePosition::VECIN"))


def test_a_queue_whose_producer_waits_by_hand_may_have_any_position() -> None:
    check(
        kernel(compute="SetFlag<HardEvent::V_MTE3>(id);\nWaitFlag<HardEvent::V_MTE3>(id);").replace(
            "QuePosition::VECOUT", "QuePosition::VECIN"
        )
    )


def test_a_barrier_of_one_unit_orders_no_copy() -> None:
    text = kernel(compute="PipeBarrier<PIPE_V>();").replace("QuePosition::VECOUT", "QuePosition::VECIN")
    check(
        text.replace(
            "DataCopy(yGm[i * TILE], yLocal, TILE);",
            "DataCopy(yGm[i * TILE], yLocal, TILE);  // expect: kernel/queue-position",
        )
    )


@pytest.mark.parametrize(
    "loop",
    [
        "for (uint32_t i = 0; i < TILE; i++) {\n yLocal.SetValue(i, 0);  // expect: kernel/scalar-loop\n}",
        "for (uint32_t i = 0; i < length; ++i) {\n yLocal.SetValue(i, xLocal.GetValue(i) * half(2));  // expect: kernel/scalar-loop\n}",
        "float sum = 0;\nfor (uint32_t i = 0; i < length; ++i) {\n sum += wide.GetValue(i);  // expect: kernel/scalar-loop\n}",
        "for (uint32_t i = 0; i < length; ++i) {\n wide.SetValue(i, static_cast<float>(i));  // expect: kernel/scalar-loop\n}",
        "for (uint32_t i = 0; i < 8; i++) {\n yLocal.SetValue(i, 0);\n}",
        "for (uint32_t i = 0; i < length; i++) {\n float s = wide.GetValue(i);\n Muls(yLocal, xLocal, half(s), 16);\n}",
        "for (uint32_t i = 0; i < length; i++) {\n if (wide.GetValue(i) > 0) { yLocal.SetValue(i, 0); }\n}",
        "for (uint32_t i = 0; i < length; i++) {\n yLocal.SetValue(i, xLocal.GetValue(i * 2));\n}",
        "LocalTensor<int64_t> b = scratch.Get<int64_t>();\nfor (uint32_t i = 0; i < length; i++) {\n b.SetValue(i, 0);\n}",
        "for (uint32_t i = 0; i < length; i++) {\n yGm.SetValue(i, 0);\n}",
        "LocalTensor<int32_t> b = scratch.Get<int32_t>();\nint32_t sum = 0;\nfor (uint32_t i = 0; i < length; i++) {\n sum += b.GetValue(i);\n}",
        "LocalTensor<DTYPE_X> b = scratch.Get<DTYPE_X>();\nfor (uint32_t i = 0; i < length; i++) {\n b.SetValue(i, 0);\n}",
    ],
)
def test_scalar_loop(loop: str) -> None:
    check(kernel(compute=loop))


@pytest.mark.parametrize(
    "line",
    [
        "static uint32_t calls = 0;  // expect: kernel/static-variable",
        "static half parts[4];  // expect: kernel/static-variable",
        "static uint32_t calls{0};  // expect: kernel/static-variable",
        "static constexpr uint32_t STEP = 8;",
        "const static uint32_t table[2] = {1, 2};",
        "static const half scale = 2.0;",
        "uint32_t n = static_cast<uint32_t>(length);",
    ],
)
def test_static_variable(line: str) -> None:
    check(kernel(compute=line))


def test_static_members_and_functions_of_the_host_are_no_static_variables_of_a_device_function() -> None:
    check(
        kernel() + "static uint32_t Blocks(uint32_t n) {\n    static uint32_t calls = 0;\n    return n + calls++;\n}\n"
    )


def test_single_buffer_names_the_constant() -> None:
    text = kernel().replace("BUFFER_NUM = 2;", "BUFFER_NUM = 1;")
    text = re.sub(r"(InitBuffer\(\w+, BUFFER_NUM, .*;)", r"\1  // expect: kernel/single-buffer", text)
    findings = check(text)
    assert len(findings) == 2
    assert findings[0].fixes[0].title == "Set BUFFER_NUM to 2"
    assert "BUFFER_NUM = 2;" in apply(text, findings[0])


def test_one_buffer_outside_a_loop_is_enough() -> None:
    check(
        kernel()
        .replace("BUFFER_NUM = 2;", "BUFFER_NUM = 1;")
        .replace("for (uint32_t i = 0; i < this->length / TILE; i++)", "")
    )


def test_one_buffer_in_a_loop_that_waits_for_everything_is_enough() -> None:
    check(kernel(compute="PipeBarrier<PIPE_ALL>();").replace("BUFFER_NUM = 2;", "BUFFER_NUM = 1;"))


def test_one_buffer_where_two_do_not_fit_is_enough() -> None:
    text = kernel().replace("BUFFER_NUM = 2;", "BUFFER_NUM = 1;").replace("TILE = 1024;", "TILE = 40 * 1024;")
    check(text)


def test_the_copy_fix_writes_a_padded_copy() -> None:
    text = kernel(copy_in="AscendC::DataCopy(xLocal, xGm, 7);  // expect: kernel/copy-alignment")
    (finding,) = check(text)
    assert not finding.fixes[0].safe
    assert (
        "AscendC::DataCopyPad(xLocal, xGm, AscendC::DataCopyExtParams{1, 14, 0, 0, 0}, "
        "AscendC::DataCopyPadExtParams<half>{false, 0, 0, 0});" in apply(text, finding)
    )


def test_a_chip_without_padded_copies_gets_no_such_fix() -> None:
    (finding,) = check(kernel(copy_in="DataCopy(xLocal, xGm, 7);  // expect: kernel/copy-alignment"), chip="310P")
    assert finding.fixes == ()


@pytest.mark.parametrize(
    "line",
    [
        "DataCopy(xLocal, xGm, 7);  // kernelgen: ignore(copy-alignment)",
        "DataCopy(xLocal, xGm, 7);  // kernelgen: ignore(kernel/dtype, kernel/copy-alignment)",
        "DataCopy(xLocal, xGm, 7);  // kernelgen: ignore",
        "// kernelgen: ignore(copy-alignment)\nDataCopy(xLocal, xGm, 7);",
        "// kernelgen: ignore-file(copy-alignment)\n\nDataCopy(xLocal, xGm, 7);",
        "DataCopy(xLocal, xGm, 7);  // kernelgen: ignore(dtype) expect: kernel/none // expect: kernel/copy-alignment",
    ],
)
def test_comments_silence_a_lint(line: str) -> None:
    check(kernel(copy_in=line))


def test_a_setting_changes_a_severity_or_turns_a_lint_off() -> None:
    source = Source.parse(kernel(copy_in="DataCopy(xLocal, xGm, 7);"))
    chip = chip_named("910B")
    (finding,) = lint(source, chip, severities={"kernel/copy-alignment": Severity.HINT})
    assert finding.severity is Severity.HINT
    assert lint(source, chip, severities={"kernel/copy-alignment": None}) == ()


def test_columns_count_code_points_after_chinese_text() -> None:
    (finding,) = lint(Source.parse(kernel(copy_in="/* 拷贝 */ DataCopy(xLocal, xGm, 7);")), chip_named("910B"))
    line = kernel(copy_in="/* 拷贝 */ DataCopy(xLocal, xGm, 7);").splitlines()[finding.location.range.start.line]
    assert line[finding.location.range.start.column : finding.location.range.end.column] == "7"


def test_every_lint_has_a_page_and_a_row_in_the_index() -> None:
    index = (ROOT / "docs/lints/README.md").read_text()
    for rule in LINTS:
        page = (ROOT / f"docs/lints/{rule.code.removeprefix('kernel/')}.md").read_text()
        assert page.startswith(f"# {rule.code}\n")
        assert f"| [{rule.code}]({rule.code.removeprefix('kernel/')}.md) | {rule.severity.value} |" in index
    assert len(DEFAULT_SEVERITIES) == len(LINTS)


def apply(text: str, finding: Finding) -> str:
    source = Source.parse(text)
    for edit in sorted(finding.fixes[0].edits, key=lambda edit: edit.range, reverse=True):
        start, end = source.offset(edit.range.start), source.offset(edit.range.end)
        text = text[:start] + edit.new_text + text[end:]
    return text
