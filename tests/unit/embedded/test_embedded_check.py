"""The embedded checker: kernels as text, the findings written beside the lines."""

from __future__ import annotations

import re

import pytest

from kernelgen_ls.kernel.findings import Finding, FoundBy, Severity
from kernelgen_ls.runner.jobs.messages import CheckRequest, CheckResult, Outcome, SourceFile
from kernelgen_ls.runner.toolchains.embedded.toolchain import EmbeddedToolchain

EXPECT = re.compile(r"//\s*expect:\s*(?P<severity>\w+)\s*(?P<text>.*)$")

KERNEL = """
#include "kernel_operator.h"
using namespace AscendC;

class Kernel {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR z, uint32_t length)
    {
        this->length = length;
        xGm.SetGlobalBuffer((__gm__ DTYPE_X *)x, length);
        zGm.SetGlobalBuffer((__gm__ DTYPE_X *)z, length);
        pipe.InitBuffer(inQueue, 2, length * sizeof(DTYPE_X));
        pipe.InitBuffer(outQueue, 2, length * sizeof(DTYPE_X));
    }
    __aicore__ inline void Process()
    {
        LocalTensor<DTYPE_X> x = inQueue.AllocTensor<DTYPE_X>();
        DataCopy(x, xGm, length);
        inQueue.EnQue(x);
        LocalTensor<DTYPE_X> xIn = inQueue.DeQue<DTYPE_X>();
        LocalTensor<DTYPE_X> z = outQueue.AllocTensor<DTYPE_X>();
        @
        outQueue.EnQue(z);
        inQueue.FreeTensor(xIn);
        LocalTensor<DTYPE_X> zOut = outQueue.DeQue<DTYPE_X>();
        DataCopy(zGm, zOut, length);
        outQueue.FreeTensor(zOut);
    }

private:
    TPipe pipe;
    TQue<TPosition::VECIN, 2> inQueue;
    TQue<TPosition::VECOUT, 2> outQueue;
    GlobalTensor<DTYPE_X> xGm;
    GlobalTensor<DTYPE_X> zGm;
    uint32_t length;
};

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(data, tiling);
    Kernel op;
    op.Init(x, z, data.length);
    op.Process();
}
"""

HOST = """
#include "register/tilingdata_base.h"
#include "register/op_def_registry.h"
namespace optiling {
BEGIN_TILING_DATA_DEF(TwiceTilingData)
TILING_DATA_FIELD_DEF(uint32_t, length);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Twice, TwiceTilingData)
}
namespace ops {
class Twice : public OpDef {
public:
    explicit Twice(const char *name) : OpDef(name)
    {
        this->Input("x").ParamType(REQUIRED).DataType({DTYPES}).Format({FORMATS});
        this->Output("z").ParamType(REQUIRED).DataType({DTYPES}).Format({FORMATS});
        this->AICore().AddConfig("ascend910b");
    }
};
OP_ADD(Twice);
}
"""


@pytest.fixture(scope="module")
def toolchain() -> EmbeddedToolchain:
    return EmbeddedToolchain()


def host(*dtypes: str) -> str:
    listed = ", ".join(f"ge::{dtype}" for dtype in dtypes)
    formats = ", ".join("ge::FORMAT_ND" for _ in dtypes)
    return HOST.replace("DTYPES", listed).replace("FORMATS", formats)


def kernel(statement: str) -> str:
    return KERNEL.replace("@", statement)


def check(
    toolchain: EmbeddedToolchain, text: str, host_text: str = "", *, chip: str = "Ascend910B1", **files: str
) -> CheckResult:
    """Check ``text`` as op_kernel/twice.cpp; further files by keyword, ``__`` for the slash and ``_h`` for ``.h``."""
    sources = [SourceFile("op_kernel/twice.cpp", text)]
    if host_text:
        sources.append(SourceFile("op_host/twice.cpp", host_text))
    for name, content in files.items():
        sources.append(SourceFile(name.replace("__", "/").removesuffix("_h") + ".h", content))
    return toolchain.check(CheckRequest("op_kernel/twice.cpp", tuple(sources), chip))


def errors(result: CheckResult) -> list[Finding]:
    return [finding for finding in result.findings if finding.severity is Severity.ERROR]


def test_a_right_kernel_has_nothing_to_say(toolchain: EmbeddedToolchain):
    result = check(toolchain, kernel("Add(z, xIn, xIn, length);"), host("DT_FLOAT16", "DT_FLOAT"))
    assert result.outcome is Outcome.PASSED
    assert result.findings == ()
    assert result.toolchain.name == "embedded"
    assert result.toolchain.limits


@pytest.mark.parametrize(
    "statement",
    [
        "Add(z, xIn, length); // expect: error no matching function for call to 'Add'",
        "Addd(z, xIn, xIn, length); // expect: error did you mean 'Add'",
        "AscendC::Mulz(z, xIn, xIn, length); // expect: error did you mean",
        "Add(z, xIn, 1, length); // expect: error no matching function",
        "DataCopyPad(z, xGm, length); // expect: error no matching function",
        "Muls(z, xIn, 2, length); // expect: error conflicting types for parameter 'T'",
        "Muls(z, xIn, static_cast<DTYPE_X>(2), total); // expect: error undeclared identifier 'total'",
        "xIn.Push(z); // expect: error no member named 'Push'",
        "LocalTensor<DTYPE_X> y = outQueue.AllocTensor(); // expect: error no matching member function",
        "Cast(z, xIn, RoundMode::CAST_NEAR, length); // expect: error no member named 'CAST_NEAR'",
    ],
)
def test_mistakes_are_errors_at_their_line(toolchain: EmbeddedToolchain, statement: str):
    """Exactly the lines marked ``// expect: error TEXT`` have an error, and it says TEXT."""
    text = kernel(statement)
    marked = {number: EXPECT.search(line) for number, line in enumerate(text.split("\n"))}
    wanted = {number: match["text"] for number, match in marked.items() if match is not None}
    result = check(toolchain, text, host("DT_FLOAT16"))
    found = {finding.location.range.start.line: finding.message for finding in errors(result)}
    assert set(found) == set(wanted), result.findings
    assert all(part in found[line] for line, part in wanted.items()), found


def test_an_element_type_the_operation_does_not_take_is_an_error_at_the_call(toolchain: EmbeddedToolchain):
    result = check(toolchain, kernel("Add(z, xIn, xIn, length);"), host("DT_INT8"))
    (error,) = errors(result)
    assert error.message.startswith("Add takes elements of type half, float")
    assert error.location.path == "op_kernel/twice.cpp"
    line = kernel("Add(z, xIn, xIn, length);").split("\n")[error.location.range.start.line]
    assert "Add(z" in line


def test_an_element_type_that_is_written_out_is_refused_once(toolchain: EmbeddedToolchain):
    result = check(toolchain, kernel("LocalTensor<float> y; Not(y, y, length);"), host("DT_FLOAT16"))
    assert [finding.code for finding in result.findings] == ["embedded/constraint"]


def test_a_finding_of_one_dtype_column_says_so(toolchain: EmbeddedToolchain):
    result = check(toolchain, kernel("Add(z, xIn, xIn, length);"), host("DT_FLOAT16", "DT_INT8", "DT_FLOAT"))
    (error,) = errors(result)
    assert error.only_for == ("dtype int8",)


def test_a_type_the_chip_lacks_is_found_for_that_chip_only(toolchain: EmbeddedToolchain):
    text = kernel("LocalTensor<bfloat16_t> b = z.ReinterpretCast<bfloat16_t>(); Duplicate(b, bfloat16_t(0), 8);")
    assert check(toolchain, text, host("DT_FLOAT16")).outcome is Outcome.PASSED
    assert check(toolchain, text, host("DT_FLOAT16"), chip="Ascend310P3").outcome is Outcome.COMPILE_ERROR


def test_a_forgotten_semicolon_has_a_safe_fix(toolchain: EmbeddedToolchain):
    (error,) = errors(check(toolchain, kernel("Add(z, xIn, xIn, length)"), host("DT_FLOAT16")))
    (fix,) = error.fixes
    (edit,) = fix.edits
    assert edit.new_text == ";"
    assert fix.safe


def test_a_misspelt_name_has_a_fix(toolchain: EmbeddedToolchain):
    (error,) = errors(check(toolchain, kernel("DataCopyy(z, xGm, length);"), host("DT_FLOAT16")))
    assert error.fixes[0].edits[0].new_text == "DataCopy"


def test_a_wrong_tiling_field_is_an_error(toolchain: EmbeddedToolchain):
    text = kernel("Add(z, xIn, xIn, length);").replace("data.length", "data.size")
    (error,) = errors(check(toolchain, text, host("DT_FLOAT16")))
    assert "no member named 'size' in 'TwiceTilingData'" in error.message


def test_without_op_host_the_check_says_what_it_assumed(toolchain: EmbeddedToolchain):
    result = check(toolchain, kernel("Add(z, xIn, xIn, length);"))
    assert result.outcome is Outcome.PASSED
    assert {finding.code for finding in result.findings} == {"embedded/assumed-dtype", "embedded/assumed-tiling"}


def test_an_error_in_an_included_file_is_reported_there(toolchain: EmbeddedToolchain):
    text = '#include "inner/helper.h"\n' + kernel("Add(z, xIn, xIn, length);")
    result = check(
        toolchain,
        text,
        host("DT_FLOAT16"),
        op_kernel__inner__helper_h='#include "../base.h"\nstruct Helper { Base base };\n',
        op_kernel__base_h="#pragma once\nstruct Base {};\n",
    )
    (error,) = errors(result)
    assert error.location.path == "op_kernel/inner/helper.h"
    assert error.location.range.start.line == 1


def test_columns_are_code_points(toolchain: EmbeddedToolchain):
    (error,) = errors(check(toolchain, kernel("/* 数据 😀 */ unknown = 1;"), host("DT_FLOAT16")))
    line = kernel("/* 数据 😀 */ unknown = 1;").split("\n")[error.location.range.start.line]
    assert line[error.location.range.start.column : error.location.range.end.column] == "unknown"


def test_an_edit_is_seen_and_undone(toolchain: EmbeddedToolchain):
    good, bad = kernel("Add(z, xIn, xIn, length);"), kernel("Add(z, xIn, xIn);")
    outcomes = [check(toolchain, text, host("DT_FLOAT16")).outcome for text in (good, bad, good)]
    assert outcomes == [Outcome.PASSED, Outcome.COMPILE_ERROR, Outcome.PASSED]


def test_launch_and_attribute_syntax_is_not_an_error(toolchain: EmbeddedToolchain):
    launch = "\nvoid launch(uint32_t n, void *s, uint8_t *x) { twice<<<n, nullptr, s>>>(x, x, x, x); }\n"
    result = check(toolchain, kernel("Add(z, xIn, xIn, length);") + launch, host("DT_FLOAT16"))
    assert result.outcome is Outcome.PASSED


def test_lints_come_with_the_check(toolchain: EmbeddedToolchain):
    result = check(toolchain, kernel("DataCopy(z, xGm, length);"), host("DT_FLOAT16"))
    assert result.outcome is Outcome.PASSED
    assert [(finding.source, finding.code) for finding in result.findings] == [(FoundBy.LINT, "kernel/queue-position")]


def test_a_host_file_is_checked(toolchain: EmbeddedToolchain):
    text = host("DT_FLOAT16").replace(".ParamType(REQUIRED)", ".ParameterType(REQUIRED)", 1)
    result = toolchain.check(CheckRequest("op_host/twice.cpp", (SourceFile("op_host/twice.cpp", text),), "Ascend910B1"))
    (error,) = errors(result)
    assert "ParameterType" in error.message


def test_a_missing_header_of_cann_silences_what_it_may_declare(toolchain: EmbeddedToolchain):
    text = '#include "opdev/op_log.h"\n' + host("DT_FLOAT16") + "OP_LOG_STRANGE(1);\n"
    result = toolchain.check(CheckRequest("op_host/twice.cpp", (SourceFile("op_host/twice.cpp", text),), "Ascend910B1"))
    assert result.outcome is Outcome.PASSED
    assert any("opdev/op_log.h" in finding.message for finding in result.findings)


def test_a_misspelt_header_is_an_error(toolchain: EmbeddedToolchain):
    text = kernel("Add(z, xIn, xIn, length);").replace("kernel_operator.h", "kernel_operater.h")
    messages = [error.message for error in errors(check(toolchain, text, host("DT_FLOAT16")))]
    assert any("did you mean 'kernel_operator.h'" in message for message in messages)


def test_a_header_is_checked_through_the_kernel_that_includes_it(toolchain: EmbeddedToolchain):
    helper = (
        "template <typename T> __aicore__ inline void Twice(AscendC::LocalTensor<T> z) { AscendC::Add(z, z, z); }\n"
    )
    text = kernel("Twice(z);").replace("class Kernel", '#include "helper.h"\nclass Kernel')
    files = (
        SourceFile("op_kernel/helper.h", helper),
        SourceFile("op_kernel/twice.cpp", text),
        SourceFile("op_host/twice.cpp", host("DT_FLOAT16")),
    )
    result = toolchain.check(CheckRequest("op_kernel/helper.h", files, "Ascend910B1"))
    assert {error.location.path for error in errors(result)} == {"op_kernel/helper.h"}


def test_cancelling_ends_the_check(toolchain: EmbeddedToolchain):
    request = CheckRequest("op_kernel/twice.cpp", (SourceFile("op_kernel/twice.cpp", kernel("")),), "Ascend910B1")
    assert toolchain.check(request, lambda: True).outcome is Outcome.CANCELLED


def test_a_text_that_was_not_sent_is_a_failure_of_ours(toolchain: EmbeddedToolchain):
    result = toolchain.check(CheckRequest("op_kernel/twice.cpp", (), "Ascend910B1"))
    assert result.outcome is Outcome.INFRA_ERROR
    assert "op_kernel/twice.cpp" in result.message


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(" * 5000, "nested more than"),
        ("int x;\n" * 800_000, "MB"),
        ("\x01\x02\x03\x04" * 500, "not text"),
        ('#include "kernel_operator.h"\nint x;\0\n', "NUL"),
        ("int x = " + "!" * 100_000 + "1;\n", "operators"),
        ("int x = " + "1+" * 50_000 + "1;\n", "operators"),
        ("void f(int a) {" + "if (a) {} else " * 5000 + "{} }\n", "else if"),
    ],
    ids=["deep nesting", "5 MB", "binary", "NUL bytes", "unary chain", "binary chain", "else chain"],
)
def test_what_cannot_be_parsed_is_said_plainly(toolchain: EmbeddedToolchain, text: str, said: str):
    result = check(toolchain, text)
    assert result.outcome is Outcome.PASSED
    assert any(said in finding.message for finding in result.findings)


@pytest.mark.parametrize(
    "text",
    [
        kernel("Add(z, xIn, xIn, length);").replace("\n", "\r\n"),
        kernel("Add(z, xIn, xIn, length);").rstrip("\n"),
        "\ufeff" + kernel("Add(z, xIn, xIn, length);"),
        "",
        "static const int table[] = {" + "-1, " * 5000 + "0};\n" + kernel("Add(z, xIn, xIn, length);"),
    ],
    ids=["CRLF", "no newline", "BOM", "empty", "long table"],
)
def test_odd_but_right_texts_pass(toolchain: EmbeddedToolchain, text: str):
    assert check(toolchain, text, host("DT_FLOAT16")).outcome is Outcome.PASSED


def test_errors_of_crlf_text_are_at_the_right_line(toolchain: EmbeddedToolchain):
    text = kernel("nonsense = 1;").replace("\n", "\r\n")
    (error,) = errors(check(toolchain, text, host("DT_FLOAT16")))
    assert "nonsense" in text.split("\r\n")[error.location.range.start.line]


def test_a_chip_that_nobody_knows_is_refused_and_the_known_ones_are_named(toolchain: EmbeddedToolchain):
    files = (SourceFile("op_kernel/twice.cpp", kernel("")),)
    result = toolchain.check(CheckRequest("op_kernel/twice.cpp", files, "Ascend910B9"))
    assert (result.outcome, result.findings, result.toolchain.name) == (Outcome.INFRA_ERROR, (), "embedded")
    assert "Ascend910B9" in result.message and "Ascend910B3" in result.message


def test_lints_speak_at_the_line_of_a_header_in_its_last_text(toolchain: EmbeddedToolchain):
    text = kernel("DataCopy(z, xIn, 7);").replace("DTYPE_X", "half")
    cut = text.index('extern "C"')
    header, source = text[:cut], '#include "twice.h"\n' + text[cut:]
    for before in ("", "\n\n"):
        result = check(toolchain, source, op_kernel__twice_h=before + header)
        (finding,) = [one for one in result.findings if one.source is FoundBy.LINT]
        assert finding.location.path == "op_kernel/twice.h"
        line = (before + header).splitlines()[finding.location.range.start.line]
        assert (finding.code, line.strip()) == ("kernel/copy-alignment", "DataCopy(z, xIn, 7);")


def test_lints_see_what_the_chip_compiles(toolchain: EmbeddedToolchain):
    text = kernel("\n#if __NPU_ARCH__ == 2002\nDataCopy(z, xIn, 7);\n#endif\n").replace("DTYPE_X", "half")
    assert errors(check(toolchain, text)) == []
    assert [finding.code for finding in errors(check(toolchain, text, chip="Ascend310P3"))] == ["kernel/copy-alignment"]


INSTANCES = """
#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t half_of(uint32_t n) { return n / 2; }
template <typename T, uint32_t N> class Kernel {
public:
    __aicore__ inline void Run(GM_ADDR x)
    {
        xGm.SetGlobalBuffer((__gm__ T *)x);
        pipe.InitBuffer(queue, 2, 1024);
        LocalTensor<T> a = queue.template AllocTensor<T>();
        @
        queue.FreeTensor(a);
    }
    TPipe pipe;
    TQue<TPosition::VECIN, 2> queue;
    GlobalTensor<T> xGm;
};
extern "C" __global__ __aicore__ void twice(GM_ADDR x)
{
    Kernel<half, 24> narrow;
    narrow.Run(x);
    Kernel<float, 24> wide;
    wide.Run(x);
}
"""


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("DataCopy(a, xGm, N);", "kernel/copy-alignment"),
        ("DataCopy(a, xGm, N * 2);", ""),
        ("DataCopy(a, xGm, half_of(N));", "kernel/copy-alignment"),
        ("DataCopy(a, xGm, 64 / sizeof(T));", ""),
        ("if constexpr (sizeof(T) == 4) { DataCopy(a, xGm, 4); }", "kernel/copy-alignment"),
        ("if constexpr (sizeof(T) == 8) { DataCopy(a, xGm, 4); }", ""),
        ("if (sizeof(T) == 8) { DataCopy(a, xGm, 4); }", ""),
        ("DataCopy(a, xGm, N);  // kernelgen: ignore(copy-alignment)", ""),
        ("Adds(a, a, static_cast<T>(1), 128, 4, {1, 1, 8, 8});", "kernel/mask-range"),
        ("Adds(a, a, static_cast<T>(1), 256 / sizeof(T), 4, {1, 1, 8, 8});", ""),
        ("SetMaskCount();\nAdds(a, a, static_cast<T>(1), 128, 4, {1, 1, 8, 8});", ""),
        (
            "constexpr DataCopyExtParams p(1, 3, 0, 0, 0);\nDataCopyPad(a, xGm, p, DataCopyPadExtParams<T>{});",
            "kernel/pad-stride",
        ),
        ("constexpr DataCopyExtParams p(1, 12, 0, 0, 0);\nDataCopyPad(a, xGm, p, DataCopyPadExtParams<T>{});", ""),
        ("DataCopyPad(a, xGm, DataCopyExtParams(5000, 12, 0, 0, 0), DataCopyPadExtParams<T>{});", "kernel/pad-stride"),
    ],
)
def test_lints_know_the_values_of_every_instance(toolchain: EmbeddedToolchain, statement: str, code: str):
    text = INSTANCES.replace("@", statement)
    found = [finding for finding in check(toolchain, text).findings if finding.source is FoundBy.LINT]
    assert [finding.code for finding in found] == ([code] if code else [])
    for finding in found:
        place = finding.location.range.start
        assert re.match(r"(?:DataCopy|DataCopyPad|Adds)\(", text.split("\n")[place.line][place.column :])


def test_one_fault_of_an_instance_is_said_once(toolchain: EmbeddedToolchain):
    text = INSTANCES.replace("@", "LocalTensor<half> b;\nDataCopy(b, b, 7);")
    assert [finding.code for finding in errors(check(toolchain, text))] == ["kernel/copy-alignment"]
