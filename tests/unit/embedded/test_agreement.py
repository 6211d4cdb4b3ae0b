"""An operator's files against each other, and entry functions against what the host can launch, as text."""

from __future__ import annotations

import re

import pytest

from kernelgen_ls.kernel.findings import Severity
from kernelgen_ls.runner.jobs.messages import CheckRequest, SourceFile
from kernelgen_ls.runner.toolchains.embedded.toolchain import EmbeddedToolchain

EXPECT = re.compile(r"//\s*expect:\s*(?P<severity>error|warning)\s*(?P<text>.*)$")

KERNEL = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void scale_rows(GM_ADDR x, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(t, tiling);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 1024);
    LocalTensor<DTYPE_X> a = buf.Get<DTYPE_X>();
    Adds(a, a, (DTYPE_X)1, t.totalLength);
}
"""
ENTRY = "void scale_rows(GM_ADDR x, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling)"
TILING = """#ifndef SCALE_ROWS_TILING_H
#define SCALE_ROWS_TILING_H
#include "register/tilingdata_base.h"
namespace optiling {
BEGIN_TILING_DATA_DEF(ScaleRowsTilingData)
TILING_DATA_FIELD_DEF(uint32_t, totalLength);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(ScaleRows, ScaleRowsTilingData)
}
#endif
"""
HOST = """#include "scale_rows_tiling.h"
#include "register/op_def_registry.h"
namespace ops {
class ScaleRows : public OpDef {
public:
    explicit ScaleRows(const char *name) : OpDef(name)
    {
        this->Input("x")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT, ge::DT_FLOAT16})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Output("z")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT, ge::DT_FLOAT16})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->AICore().AddConfig("ascend910b");
    }
};
OP_ADD(ScaleRows);
}
"""
FILES = {
    "op_kernel/scale_rows.cpp": KERNEL,
    "op_host/scale_rows_tiling.h": TILING,
    "op_host/scale_rows.cpp": HOST,
}


@pytest.fixture(scope="module")
def toolchain() -> EmbeddedToolchain:
    return EmbeddedToolchain()


def check(toolchain: EmbeddedToolchain, entry: str, **changed: str) -> None:
    """Exactly the lines with ``// expect: SEVERITY TEXT`` have a finding; files by keyword: kernel, tiling, host."""
    named = zip(("kernel", "tiling", "host"), FILES.items(), strict=True)
    texts = {path: changed.get(name, text) for name, (path, text) in named}
    wanted = {}
    for path, text in texts.items():
        for number, line in enumerate(text.split("\n")):
            match = EXPECT.search(line)
            if match:
                wanted[path, number] = match
    files = tuple(SourceFile(path, text) for path, text in texts.items())
    findings = toolchain.check(CheckRequest(entry, files, "Ascend910B1")).findings
    found = [item for item in findings if item.severity in (Severity.ERROR, Severity.WARNING)]
    assert {(item.location.path, item.location.range.start.line) for item in found} == set(wanted), findings
    for item in found:
        match = wanted[item.location.path, item.location.range.start.line]
        assert (item.severity.value, match["text"] in item.message) == (match["severity"], True), item


def test_an_operator_whose_files_agree_has_nothing_to_say(toolchain: EmbeddedToolchain):
    for entry in ("op_kernel/scale_rows.cpp", "op_host/scale_rows.cpp"):
        check(toolchain, entry)


@pytest.mark.parametrize(
    ("entry", "replacement"),
    [
        (
            ENTRY,
            ENTRY.replace("rows", "row") + "  // expect: error the operator ScaleRows calls its kernel 'scale_rows'",
        ),
        (
            ENTRY,
            "void scale_rows(GM_ADDR x, GM_ADDR workspace, GM_ADDR tiling)"
            "  // expect: error 'scale_rows' takes 3 parameters, and ScaleRows passes 4: x, z, workspace, tiling",
        ),
        ("__global__ __aicore__ " + ENTRY, "__aicore__ " + ENTRY + "  // expect: error needs __global__"),
        ("__global__ __aicore__ " + ENTRY, "__global__ " + ENTRY + "  // expect: error needs __aicore__"),
        (
            "(DTYPE_X)1, t.totalLength);",
            "(DTYPE_Y)1, t.totalLength);  // expect: error 'DTYPE_Y' is of no operand of ScaleRows, which has x, z",
        ),
    ],
)
def test_a_kernel_that_does_not_fit_its_definition_is_an_error(
    toolchain: EmbeddedToolchain, entry: str, replacement: str
):
    assert entry in KERNEL
    check(toolchain, "op_kernel/scale_rows.cpp", kernel=KERNEL.replace(entry, replacement))


@pytest.mark.parametrize(
    ("written", "replacement", "host"),
    [
        (ENTRY, ENTRY.replace("rows", "row"), '.ExtendCfgInfo("opInterface.value", "scale_row")'),
        (ENTRY, ENTRY.replace("scale_rows", "scalerows"), ""),
        ("(DTYPE_X)1", "(DTYPE_Z_REF)1", ""),
        (ENTRY, ENTRY.replace("GM_ADDR z,", "GM_ADDR z, GM_ADDR shape,"), ".OutputShapeDependOnCompute()"),
        ("(DTYPE_X)1", "(DTYPE_X)\n#ifdef DTYPE_SCALE\n(DTYPE_SCALE)\n#endif\n1", ""),
    ],
)
def test_what_an_operator_may_arrange_by_itself_is_left_alone(
    toolchain: EmbeddedToolchain, written: str, replacement: str, host: str
):
    last = "ge::FORMAT_ND});\n        this->AICore()"
    assert last in HOST
    output, core = (host, "") if host.startswith(".Output") else ("", host)
    text = HOST.replace(last, f"ge::FORMAT_ND}}){output};\n        this->AICore(){core}")
    found = toolchain.check(
        CheckRequest(
            "op_kernel/scale_rows.cpp",
            (
                SourceFile("op_kernel/scale_rows.cpp", KERNEL.replace(written, replacement)),
                SourceFile("op_host/scale_rows_tiling.h", TILING),
                SourceFile("op_host/scale_rows.cpp", text),
            ),
            "Ascend910B1",
        )
    ).findings
    assert not [item for item in found if item.code == "embedded/agreement"]


def test_lists_of_different_lengths_are_an_error_in_the_definition(toolchain: EmbeddedToolchain):
    host = HOST.replace("ge::DT_FLOAT16})", "ge::DT_FLOAT16, ge::DT_INT32})", 1)
    first = ".Format({ge::FORMAT_ND, ge::FORMAT_ND});"
    check(
        toolchain,
        "op_host/scale_rows.cpp",
        host=host.replace(first, first + "  // expect: error 'x' has 3 types and 2 formats", 1),
    )
    check(toolchain, "op_host/scale_rows.cpp", host=HOST.replace("Format({ge::FORMAT_ND, ", "FormatList({"))


def test_tiling_data_registered_for_a_slip_of_the_operators_name_is_an_error(toolchain: EmbeddedToolchain):
    line = "REGISTER_TILING_DATA_CLASS(ScaleRows, ScaleRowsTilingData)"
    wrong = line.replace("(ScaleRows", "(ScaleRow") + "  // expect: error registered for 'ScaleRow'"
    check(toolchain, "op_host/scale_rows.cpp", tiling=TILING.replace(line, wrong))
    keyed = line + "\n" + line.replace("(ScaleRows", "(ScaleRows_1")
    check(toolchain, "op_host/scale_rows.cpp", tiling=TILING.replace(line, keyed))


def test_entry_functions_return_nothing_and_take_values_and_addresses(toolchain: EmbeddedToolchain):
    text = """#include "kernel_operator.h"
struct Shape { uint32_t rows; };
extern "C" __global__ __aicore__ int32_t returns(GM_ADDR x) { return 0; }  // expect: error has to return void
extern "C" __global__ __aicore__ void reference(Shape &shape) {}  // expect: error 'shape' is a reference
extern "C" __global__ __aicore__ void plain(uint8_t *x) {}  // expect: warning __gm__ is missing
__global__ __aicore__ void right(GM_ADDR x, __gm__ float *y, Shape shape, uint32_t n) {}
template <typename T> __global__ __vector__ void also_right(__gm__ T *x, T n) {}
class Base {
public:
    virtual __aicore__ void Run() {}  // expect: error the device has no virtual functions
};
"""
    found = toolchain.check(CheckRequest("entries.cpp", (SourceFile("entries.cpp", text),), "Ascend910B1")).findings
    wanted = {number: match for number, line in enumerate(text.split("\n")) if (match := EXPECT.search(line))}
    assert {item.location.range.start.line for item in found} == set(wanted), found
    for item in found:
        match = wanted[item.location.range.start.line]
        assert (item.severity.value, match["text"] in item.message) == (match["severity"], True), item


def test_a_kernel_of_threads_takes_pointers_as_they_are(toolchain: EmbeddedToolchain):
    text = """#include "simt_api/asc_simt.h"
__global__ __launch_bounds__(256) void gather(float *x, int32_t *index, float *y, __gm__ float *z) {}
"""
    found = toolchain.check(CheckRequest("gather.asc", (SourceFile("gather.asc", text),), "Ascend950")).findings
    assert not [item for item in found if item.code == "embedded/agreement"]
