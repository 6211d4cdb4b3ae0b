"""What is said, and what is not, of a kernel that includes a header nobody here has."""

from __future__ import annotations

import re

import pytest

from kernelgen_ls.kernel.findings import Finding, Severity
from kernelgen_ls.runner.jobs.messages import CheckRequest, CheckResult, Outcome, SourceFile
from kernelgen_ls.runner.toolchains.embedded import undeclared
from kernelgen_ls.runner.toolchains.embedded.toolchain import EmbeddedToolchain

EXPECT = re.compile(r"//\s*expect:\s*(?P<text>.*)$")

ENTRY = """#include "kernel_operator.h"
#include "@"
using namespace AscendC;
"""


@pytest.fixture(scope="module")
def toolchain() -> EmbeddedToolchain:
    return EmbeddedToolchain()


def check(toolchain: EmbeddedToolchain, text: str, **headers: str) -> CheckResult:
    """Check ``text`` as op_kernel/k.cpp; headers beside it by keyword, without their ``.h``."""
    sources = [SourceFile("op_kernel/k.cpp", text)]
    sources += [SourceFile(f"op_kernel/{name}.h", content) for name, content in headers.items()]
    return toolchain.check(CheckRequest("op_kernel/k.cpp", tuple(sources), "Ascend910B1"))


def of(result: CheckResult, severity: Severity) -> list[Finding]:
    return [finding for finding in result.findings if finding.severity is severity]


def expect(toolchain: EmbeddedToolchain, text: str, **headers: str) -> CheckResult:
    """Exactly the lines marked ``// expect: TEXT`` have an error, and it says TEXT."""
    result = check(toolchain, text, **headers)
    wanted = {n: match["text"] for n, line in enumerate(text.split("\n")) if (match := EXPECT.search(line))}
    found = {one.location.range.start.line: one.message for one in of(result, Severity.ERROR)}
    assert set(found) == set(wanted), result.findings
    assert all(part in found[line] for line, part in wanted.items()), found
    return result


LIBRARY = (
    ENTRY
    + """
using namespace Library;
using Shape = Block::Shape<128, 64, 32>;
using Layout = layout::RowMajor;
LIBRARY_KERNEL(k, half)
template <typename T> class Runner : public Library::Base<T> {
public:
    LIBRARY_DEFAULT_CONSTRUCTORS(Runner)
    __aicore__ inline void Run() { this->queue.EnQue(this->tensor); LIBRARY_LOOP(i, 4) { Step(i); } }
};
extern "C" __global__ __aicore__ void k(GM_ADDR x, uint32_t m, uint32_t n)
{
    Layout layout{m, n};
    typename Block::Kernel<Shape, Layout>::Params params{x, layout};
    Block::Kernel<Shape, Layout> op;
    op(params);
    Library::Chain<half, 2>::Run(x);
    LocalTensor<Library::Element> t;
    Add(t, t, t, 8);
    auto y = Library::Make(x);
    Add(y, y, y, 8);
    Runner<half> runner;
    runner.Run(x);
}
"""
)


@pytest.mark.parametrize("name", ["catlass/basic_matmul.hpp", "mylib/vec_ops.h", "../../nowhere/shared.h"])
def test_an_unknown_header_is_one_line_of_information(toolchain: EmbeddedToolchain, name: str):
    result = check(toolchain, LIBRARY.replace("@", name))
    assert result.outcome is Outcome.PASSED
    (said,) = result.findings
    assert said.severity is Severity.INFORMATION
    assert said.location.range.start.line == 1
    assert name in said.message and said.code == "embedded/include"


def test_the_lines_that_were_looked_at_are_counted(toolchain: EmbeddedToolchain):
    text = ENTRY.replace("@", "mylib/vec_ops.h")
    half = "void f() { mylib::Run(); }\n// a comment\n\nvoid g() { int x = 1; (void)x; }\n"
    coverage = check(toolchain, text + half).coverage
    assert (coverage.looked_at, coverage.lines) == (4, 5)
    assert check(toolchain, text + half, mylib="").coverage == coverage
    whole = check(toolchain, '#include "kernel_operator.h"\n' + half.replace("mylib::Run();", "")).coverage
    assert whole.is_whole and whole.lines == 3


@pytest.mark.parametrize(
    "statement",
    [
        "Add(z, x, 8);  // expect: no matching function for call to 'Add'",
        "Add(b, b, b, 8);  // expect: Add takes elements of type",
        "DataCopy(z, g, 16)  // expect: expected ';' after expression",
        "Twice(x);  // expect: requires 2 arguments, but 1 was provided",
        "int n = z;  // expect: no viable conversion",
        "uint32_t m = Library::Sum(x); Add(z, x, z, Library::Sum(x), 1, 2, 3);",
        "auto u = Library::Make(); Add(u, z, x);",
        "Library::Element e; Twice(e);",
        "Unknwon(z);",
        "Addd(z, x, x, 8);",
    ],
)
def test_what_the_header_cannot_change_stays(toolchain: EmbeddedToolchain, statement: str):
    text = (
        ENTRY.replace("@", "mylib/vec_ops.h")
        + "__aicore__ inline void Twice(LocalTensor<half> t, int n) {}\n"
        + "__aicore__ inline void f(LocalTensor<half> x, LocalTensor<half> z, LocalTensor<int8_t> b, "
        + "GlobalTensor<half> g)\n{\n    "
        + statement
        + "\n}\n"
    )
    expect(toolchain, text)


def test_what_a_macro_of_it_may_have_opened_is_not_called_broken(toolchain: EmbeddedToolchain):
    text = ENTRY.replace("@", "mylib/loops.h") + (
        "__aicore__ inline void f(LocalTensor<half> x)\n{\n    MYLIB_FOR(i, 8)\n        Add(x, x, x, 8);\n"
        "    MYLIB_END\n    Add(x, x, x, 8);\n}\nMYLIB_REGISTER(f)\n__aicore__ inline void g() {}\n"
    )
    expect(toolchain, text)


def test_a_header_of_the_project_that_needs_an_unknown_one_stands_down_too(toolchain: EmbeddedToolchain):
    part = '#include "mylib/base.h"\ntemplate <typename T> class Part : public mylib::Base<T> { Pipe pipe; };\n'
    text = '#include "kernel_operator.h"\n#include "part.h"\nvoid f() { Part<half> p; p.Run(1, 2); Strange(p); }\n'
    result = check(toolchain, text, part=part)
    assert [(one.severity, one.location.path) for one in result.findings] == [
        (Severity.INFORMATION, "op_kernel/part.h")
    ]


@pytest.mark.parametrize(
    ("include", "meant"),
    [
        ("kernel_operater.h", "kernel_operator.h"),
        ("tilling_data.h", "tiling_data.h"),
        ("./tilling_data.h", "./tiling_data.h"),
        ("../op_kernel/tiling_dat.h", "../op_kernel/tiling_data.h"),
    ],
)
def test_a_slip_in_a_headers_name_is_the_one_error(toolchain: EmbeddedToolchain, include: str, meant: str):
    text = f'#include "{include}"\nvoid f() {{ AscendC::LocalTensor<half> t; Strange(t); }}\n'
    result = check(toolchain, text, tiling_data="struct Data {};\n")
    (error,) = of(result, Severity.ERROR)
    assert f"did you mean '{meant}'" in error.message
    assert error.fixes[0].edits[0].new_text == meant


@pytest.mark.parametrize("include", ["tiling_data_v2.h", "arch22/block.h", "data.h"])
def test_another_header_of_nearly_that_name_is_no_slip(toolchain: EmbeddedToolchain, include: str):
    text = f'#include "kernel_operator.h"\n#include "{include}"\n'
    result = check(toolchain, text, tiling_data_v1="", blocks="", date="")
    assert of(result, Severity.ERROR) == []


def test_without_an_unknown_header_an_unknown_function_is_an_error(toolchain: EmbeddedToolchain):
    text = ENTRY.replace('#include "@"\n', "") + (
        "void f(LocalTensor<half> x)\n{\n"
        "    Leaky(x, x, 8);  // expect: use of undeclared identifier 'Leaky'\n"
        "    AscendC::BrandNewOperation(x, 8);  // expect: no member named 'BrandNewOperation'\n"
        "    LeakyRelo(x, x, half(1), 8);  // expect: did you mean 'LeakyRelu'\n}\n"
    )
    assert expect(toolchain, text).coverage.is_whole


def test_a_published_name_that_is_not_declared_here_is_information(
    toolchain: EmbeddedToolchain, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(undeclared, "is_lacking", lambda name, owner="", host=False: name == "BrandNew")
    text = ENTRY.replace('#include "@"\n', "") + (
        "void f(LocalTensor<half> x)\n{\n    auto y = BrandNew(x);\n    Add(y, x, 1);\n    y.Nothing();\n"
        "    Add(x, x, 1);  // expect: no matching\n}\n"
    )
    result = expect(toolchain, text)
    assert [one.code for one in of(result, Severity.INFORMATION)] == ["embedded/unknown-name"]
    assert (result.coverage.looked_at, result.coverage.lines) == (6, 9)


def test_an_inner_name_of_cann_is_information_and_what_follows_from_it_stands_down(toolchain: EmbeddedToolchain):
    text = ENTRY.replace('#include "@"\n', "") + (
        "using AscendC::ReduceSumIntrinsicsImpl;\n"
        "void f(LocalTensor<half> x)\n{\n"
        "    auto y = GetScalarBitcodeValue<half>(x);\n    Add(y, x, 1);\n"
        "    int32_t room = AscendC::SYNC_AIC_FLAG;\n    Add(room, x, 1);\n"
        "    vconv_f162s4z(x, x);\n"
        "    Add(x, x, 1);  // expect: no matching\n"
        "    GetScalarBitcodeValu(x);  // expect: use of undeclared identifier\n}\n"
    )
    said = {one.message for one in of(expect(toolchain, text), Severity.INFORMATION)}
    names = ("GetScalarBitcodeValue", "SYNC_AIC_FLAG", "vconv_f162s4z")
    assert said >= {f"'{name}' is an inner name of CANN: not checked" for name in names}


def test_what_an_inner_namespace_has_is_not_known_though_some_of_it_is_declared(toolchain: EmbeddedToolchain):
    text = ENTRY.replace('#include "@"\n', "") + (
        "void f()\n{\n"
        "    AscendC::TQue<AscendC::TPosition::VECIN, AscendC::Impl::QUEUE_DEPTH> queue;\n"
        "    int depth = AscendC::Impl::Detail::depth;\n"
        "    AscendC::TQueu<AscendC::TPosition::VECIN, 1> other;  // expect: no template named 'TQueu'\n}\n"
    )
    said = {one.message for one in of(expect(toolchain, text), Severity.INFORMATION)}
    assert said >= {f"'{name}' is an inner name of CANN: not checked" for name in ("QUEUE_DEPTH", "depth")}


def test_a_header_that_is_checked_for_itself_may_say_pragma_once(toolchain: EmbeddedToolchain):
    text = '#pragma once\n#include "kernel_operator.h"\ninline void f(AscendC::LocalTensor<half> x) {}\n'
    request = CheckRequest("op_kernel/part.h", (SourceFile("op_kernel/part.h", text),), "Ascend910B1")
    assert toolchain.check(request).findings == ()


def test_a_unit_test_is_not_checked_and_says_so(toolchain: EmbeddedToolchain):
    text = (
        '#include <gtest/gtest.h>\nextern "C" __global__ __aicore__ void scale(GM_ADDR x);\n'
        "TEST_F(ScaleTest, one) { ICPU_RUN_KF(scale, 1, x); EXPECT_EQ(x[0], 0); }\n"
    )
    result = check(toolchain, text)
    assert (result.outcome, result.covered) == (Outcome.PASSED, False)
    assert "unit test" in result.message


def test_names_of_an_older_namespace_are_there(toolchain: EmbeddedToolchain):
    text = (
        '#include "kernel_operator.h"\n#include "lib/matmul_intf.h"\nusing namespace matmul;\n'
        "void f()\n{\n    if (GetBlockIdx() >= GetBlockNum()) { return; }\n    DataCopyParams params;\n"
        "    params.blockCount = 1;\n}\n"
    )
    assert expect(toolchain, text).findings == ()


def test_tiling_data_of_a_host_side_that_is_not_here_is_not_called_wrong(toolchain: EmbeddedToolchain) -> None:
    text = """#include "kernel_operator.h"
using namespace AscendC;
class Op {
public:
    __aicore__ inline void Init(const SomewhereTilingDataFp16 *tiling) { rows = tiling->rows; }
    uint32_t rows;
};
extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA_WITH_STRUCT(SomewhereTilingDataFp16, data, tiling);
    Op op;
    op.Init(&data);
    Pope pope; // expect: unknown type name 'Pope'
}
"""
    result = expect(toolchain, text)
    assert not result.coverage.is_whole
