"""The declared interface, a statement at a time: what CANN takes is accepted, what a chip lacks is refused there."""

from __future__ import annotations

import pytest

from kernelgen_ls.kernel.findings import Finding, Severity
from kernelgen_ls.runner.jobs.messages import CheckRequest, SourceFile
from kernelgen_ls.runner.toolchains.embedded.toolchain import EmbeddedToolchain

A2, A1, P, NEW = "Ascend910B1", "Ascend910A", "Ascend310P3", "Ascend950"

KERNEL = """#include "kernel_operator.h"
using namespace AscendC;
{before}
extern "C" __global__ __aicore__ void probe(GM_ADDR x, uint32_t n)
{{
    GlobalTensor<half> gm;
    GlobalTensor<float> out;
    LocalTensor<half> h, h1, h2;
    LocalTensor<float> f, f1, f2;
    LocalTensor<bfloat16_t> b, b1;
    LocalTensor<int16_t> s, s1;
    LocalTensor<int32_t> i, i1;
    LocalTensor<int64_t> l, l1;
    LocalTensor<uint8_t> u;
    LocalTensor<int4b_t> q;
    {statement}
}}
"""


@pytest.fixture(scope="module")
def toolchain() -> EmbeddedToolchain:
    return EmbeddedToolchain()


def findings(toolchain: EmbeddedToolchain, statement: str, chip: str = A2, before: str = "") -> list[Finding]:
    text = KERNEL.format(statement=statement, before=before)
    request = CheckRequest("op_kernel/probe.cpp", (SourceFile("op_kernel/probe.cpp", text),), chip)
    return [finding for finding in toolchain.check(request).findings if finding.code.startswith("embedded/")]


@pytest.mark.parametrize(
    "statement",
    [
        "RepeatReduceSum(f, f1, 16, 64, 0, 1, 1, 8);",
        "Compares(u, f, 0.0f, CMPMODE::GT, n); CompareScalar(u, f, 0.0f, CMPMODE::GT, n);",
        "uint32_t tiles = Ceil(n * sizeof(half), 32) * 32 + Ceil(n, 8U) + CeilDivision(n, 8) + AlignUp(n, 32);",
        "LoadDataWithTranspose(h, h1, LoadData2dTransposeParams(0, 4, 1, 0, 0));",
        "LoadDataWithTranspose(h, h1, LoadData2dTransposeParamsV2(0, 4, 1, 0, 0, 0));",
        "FixpipeParams<int32_t> p(1, 2, 0, 0); p.quantParams = {QuantMode_t::DEQF16}; Fixpipe(out, f, p);",
        "FixpipeParamsV220 p; p.quantPre = QuantMode_t::F322F16; Fixpipe<half, float, CFG_ROW_MAJOR>(gm, f, p);",
        "DataCopyEnhancedParams p; p.padMode = pad_t::PAD_NONE; DataCopy(h, h1, DataCopyParams(), p);",
        "DataCopyPad<half, PaddingMode::Compact>(h, gm, {2, 20, 0, 0, 0}, {false, 0, 0, 0});",
        "u.InitBuffer(0, 512); u.address_.logicPos = static_cast<uint8_t>(TPosition::A1); TBuffAddr a = u.address_;",
        "DataCopyCO12DstParams p; p.unitFlag = 3; p.quantPre = QuantMode_t::F322F16; DataCopy(out, f, p);",
        "uint16_t stride = DEFAULT_DATA_COPY_STRIDE; int32_t c0 = DEFAULT_C0_SIZE / sizeof(half);",
        "AscendCUtils::SetMaskCount<float>(); AscendCUtils::SetMaskNorm(); int64_t kept = AscendCUtils::GetRsvdCnt();",
        "LocalTensor<__fp16> older = h; TQueBind<TPosition::GM, TPosition::VECIN, 2> q2; __fp16 one = 1;",
        "uint32_t magic, shift; GetUintDivMagicAndShift(magic, shift, n);",
        "static_assert(TrueType::value && !FalseType::value); Conditional<true, TrueType, FalseType>::type yes;",
        "LoopModeParams p(1, 2, 3, 4, 5, 6); SetLoopModePara(p, DataCopyMVType::OUT_TO_UB);",
        "NdDmaLoopInfo<2> loops; NdDmaParams<half, 2> p{loops, half(0)}; "
        "DataCopy<half, 2, kDefaultNdDmaConfig>(h, gm, p);",
        "ReduceRepeat<ReduceType::SUM>(f, f1, 64, 2, 1, 1, 8); ReducePairElem<ReduceType::SUM>(f, f1, 64, 2, 1, 1, 8);",
        "MulAddRelu(h, h1, h2, 128); AddDeqRelu(h, i, i1, 128);",
    ],
)
def test_what_the_interface_takes_is_accepted(toolchain: EmbeddedToolchain, statement: str):
    assert findings(toolchain, statement) == []


@pytest.mark.parametrize(
    "statement",
    [
        "RepeatReduceSum(f, f1, 16, 64, 0, 1, 1);",
        "Compares(u, f, f1, CMPMODE::GT, n);",
        "LoadData2dTransposeParams p(0, 4, 1, 0);",
        "DataCopyPad<half, PaddingMode::Compacted>(h, gm, {2, 20, 0, 0, 0}, {false, 0, 0, 0});",
        "SetLoopModePara(DataCopyMVType::OUT_TO_UB);",
        "Add(l, l, l1, 8);",
        "Cast(h, b, RoundMode::CAST_RINT, 8);",
    ],
)
def test_what_it_does_not_take_is_an_error(toolchain: EmbeddedToolchain, statement: str):
    assert any(finding.severity is Severity.ERROR for finding in findings(toolchain, statement))


@pytest.mark.parametrize(
    ("statement", "has", "lacks"),
    [
        ("DataCopyPad(h, gm, {1, 20, 0, 0, 0}, {false, 0, 0, 0});", (A2, NEW), (A1, P)),
        ("Cast(h, q, RoundMode::CAST_NONE, 8);", (A2, NEW), (A1, P)),
        ("Cast(q, h, RoundMode::CAST_RINT, 8);", (A2, P, NEW), (A1,)),
        ("Add(b, b, b1, 8);", (NEW,), (A1, P, A2)),
        ("Add(l, l, l1, 8);", (NEW,), (A1, P, A2)),
        ("Add(s, s, s1, 8);", (P, A2, NEW), (A1,)),
        ("Muls(i, i, 3, 8);", (P, A2, NEW), (A1,)),
        ("Duplicate(b, bfloat16_t(1), 8);", (A2, NEW), (A1, P)),
        ("Compare(u, i, i1, CMPMODE::EQ, 64);", (A2, NEW), (A1, P)),
        ("Select(h, u, h1, h2, SELMODE::VSEL_CMPMASK_SPR, 128);", (A1, P, A2, NEW), ()),
        ("Select(h, u, h1, h2, SELMODE::VSEL_TENSOR_TENSOR_MODE, 128);", (P, A2, NEW), (A1,)),
        ("Select(h, u, h1, half(0), SELMODE::VSEL_TENSOR_SCALAR_MODE, 128);", (P, A2, NEW), (A1,)),
    ],
)
def test_what_a_chip_lacks_is_an_error_there(
    toolchain: EmbeddedToolchain, statement: str, has: tuple[str, ...], lacks: tuple[str, ...]
):
    for chip in has:
        assert findings(toolchain, statement, chip) == [], chip
    for chip in lacks:
        assert [found.severity for found in findings(toolchain, statement, chip)] == [Severity.ERROR], chip


def test_the_alternative_is_named(toolchain: EmbeddedToolchain):
    (found,) = findings(toolchain, "DataCopyPad(h, gm, {1, 20, 0, 0, 0}, {false, 0, 0, 0});", P)
    assert found.code == "embedded/chip"
    assert "DataCopy and mask" in found.message


def test_the_message_names_the_types_of_the_chip(toolchain: EmbeddedToolchain):
    (found,) = findings(toolchain, "Add(l, l, l1, 8);", A2)
    assert found.message == "Add takes elements of type half, float, int32_t, int16_t"


@pytest.mark.parametrize("name", ["Ands", "Ors", "Subs", "Divs"])
def test_what_a_newer_chip_brought_is_a_warning_and_no_fix_changes_it(toolchain: EmbeddedToolchain, name: str):
    statement = f"{name}(s, s1, (int16_t)7, 64);"
    assert findings(toolchain, statement, NEW) == []
    (found,) = findings(toolchain, statement, A2)
    assert (found.severity, found.fixes) == (Severity.WARNING, ())


def test_on_the_newest_chip_the_scalar_may_come_first(toolchain: EmbeddedToolchain):
    before = "constexpr BinaryConfig FIRST = {0};"
    statement = "Subs<BinaryDefaultType, true, FIRST>(f, 1.0f, f1, 64); Adds(f, f1, f2[0], 64);"
    assert findings(toolchain, statement, NEW, before) == []


def test_a_load_of_an_image_may_leave_registers_as_they_are(toolchain: EmbeddedToolchain):
    before = "static constexpr IsResetLoad3dConfig KEEP = {false, false};"
    assert findings(toolchain, "LoadData<half, KEEP>(h, h1, LoadData3DParamsV2<half>());", A2, before) == []


@pytest.mark.parametrize(
    ("before", "statement"),
    [
        ("constexpr TanhConfig HOW = {TanhAlgo::SUBSECTION_COMPENSATION};", "Tanh<float, false, HOW>(f, f1, u, 64);"),
        ("constexpr SinCosConfig HOW = {false};", "SinCos<HOW>(f, f1, f2, 64);"),
        (
            "constexpr QuantizeConfig HOW = {QuantizePolicy::PER_TENSOR, true};",
            "Quantize<HOW>(u, f, 1.0f, 0.0f, {1, 64});",
        ),
        (
            "",
            "Sort<float, false>(f, f1, 64); Fma(f, f, f1, f2, 64); LogicalXor(u, f, f1, 64);",
        ),
        ("", "NumericLimits<float>::Infinity(f, 8); float lowest = NumericLimits<float>::Lowest();"),
        ("", "SoftMaxTiling tiling; SoftMax<float, true, false>(f, f1, u, tiling, {8, 64, 8, 64});"),
        ("", "AscendQuant(u.ReinterpretCast<int8_t>(), f, f1, f2); AscendDequant(f, i, f1);"),
        ("", "PadTiling tiling; PadParams pad; Pad(f, f1, pad, u, tiling); BroadcastTiling broad;"),
        ("", "Mutex::Lock<PIPE_V>(AllocMutexID()); SetCtrlSpr<0, 3>(1); SetSaturationFlag<SaturationMode::INT>(true);"),
        (
            "constexpr MatmulConfig HOW = GetNormalConfig(false, false, false, BatchMode::NONE, true,"
            " IterateOrder::UNDEF, ScheduleType::INNER_PRODUCT, true, false, BatchOutMode::MULTI_BATCH);",
            "MatmulApiStaticTiling tiling; tiling.depthA1 = 2; tiling.cfg.enableRelu = HOW.enableRelu;",
        ),
        (
            "",
            "Hccl<> hccl; hccl.InitV2(GetHcclContext<HCCL_GROUP_ID_0>(), &n); hccl.Wait(hccl.AllReduce<true>("
            "x, x, n, HcclDataType::HCCL_DATA_TYPE_FP16, HcclReduceOp::HCCL_REDUCE_SUM)); hccl.Finalize();",
        ),
    ],
)
def test_the_library_is_declared(toolchain: EmbeddedToolchain, before: str, statement: str):
    assert findings(toolchain, statement, NEW, before) == []


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("Compare(s, f, f1, CMPMODE::EQ, n);", "Compare writes one bit an element"),
        ("LocalTensor<uint32_t> at; Gather(u, u, at, 0, n);", "Gather takes elements of 16 or 32 bits"),
        ("DataCopyParams p{1, n, 0, 0};", "cannot be narrowed"),
    ],
)
def test_what_the_compiler_takes_and_rarely_is_meant_is_a_warning(
    toolchain: EmbeddedToolchain, statement: str, said: str
):
    (found,) = findings(toolchain, statement)
    assert (said in found.message, found.severity) == (True, Severity.WARNING)


def test_tiling_data_is_read_from_a_member_through_a_plain_expression(toolchain: EmbeddedToolchain):
    before = "struct Data { uint32_t first; uint32_t second; };"
    assert findings(toolchain, "GET_TILING_DATA_MEMBER(Data, second, second, x + 8);", before=before) == []


def test_the_headers_of_matmul_divide_rounding_up(toolchain: EmbeddedToolchain):
    statement = "uint32_t tiles = CeilDiv(n, 8L) + CeilDiv(7, n);"
    assert findings(toolchain, statement, before='#include "lib/matmul_intf.h"') == []
    (found,) = findings(toolchain, statement.split(" +")[0] + ";")
    assert "CeilDiv" in found.message


def test_a_constant_that_is_called_like_an_operands_type_is_none(toolchain: EmbeddedToolchain):
    assert findings(toolchain, "uint32_t size = DTYPE_NUM / 4;", before="constexpr uint32_t DTYPE_NUM = 32;") == []


def test_how_our_declarations_are_made_is_no_mistake_of_the_kernels() -> None:
    """The interface promises a name, not that it is a function, constexpr, or nobody else's."""
    text = """#include "kernel_operator.h"
#include "lib/matmul_intf.h"
namespace AscendC {
constexpr MatmulConfig CFG_MDL = GetMDLConfig(false, false, false, true);
}
constexpr uint32_t width = AscendC::GetDataBlockSizeInBytes() / 4;
extern "C" __global__ __aicore__ void k(GM_ADDR x) { uint32_t n = width; (void)n; }
"""
    request = CheckRequest("op_kernel/k.cpp", (SourceFile("op_kernel/k.cpp", text),), "Ascend910B1")
    assert not EmbeddedToolchain().check(request).findings


def test_a_name_that_matmul_gives_everybody_may_be_the_kernels_own(toolchain: EmbeddedToolchain):
    before = "enum class CubeFormat { ND, NZ };\nconstexpr CubeFormat MINE = CubeFormat::NZ;"
    text = KERNEL.replace("using namespace AscendC;", "").format(before=before, statement="")
    text = text[: text.index("{\n    GlobalTensor")] + "{\n}\n"
    request = CheckRequest("op_kernel/probe.cpp", (SourceFile("op_kernel/probe.cpp", text),), A2)
    assert toolchain.check(request).findings == ()


def test_what_a_wrong_template_makes_of_its_calls_is_not_said_again(toolchain: EmbeddedToolchain):
    before = (
        "template <typename T> __aicore__ inline void Put(__gm__ T *to, float x) { to[0] = static_cast<T>(x); }\n"
        "template <typename T> __aicore__ inline void Twice(GM_ADDR x) { Put((__gm__ T *)x, 1); }"
    )
    assert (
        findings(
            toolchain,
            "Twice<half>(x); Twice<bfloat16_t>(x); Put<bfloat16_t>((__gm__ bfloat16_t *)x, 1);",
            before=before,
        )
        == []
    )


def test_layouts_are_names_of_the_interface_that_older_chips_have_undeclared(toolchain: EmbeddedToolchain):
    statement = "auto shape = AscendC::MakeShape(n, 2); auto layout = AscendC::MakeLayout(shape, shape);"
    assert {found.severity for found in findings(toolchain, statement)} == {Severity.INFORMATION}
    assert findings(toolchain, statement, NEW) == []


def test_how_exactly_an_operation_computes_is_chosen_where_the_chip_can(toolchain: EmbeddedToolchain) -> None:
    before = "static constexpr DivConfig FINE = {}; static constexpr SqrtConfig ROOT = {};"
    statement = (
        "Div<float, FINE>(f, f1, f2, n); Sqrt<float, ROOT>(f, f1, n);"
        "Sqrt<float, true, ROOT>(f, f1, 64, 1, {1, 1, 8, 8});"
    )
    assert findings(toolchain, statement, NEW, before) == []


def test_what_only_one_pass_or_one_build_declares_is_not_called_undeclared(toolchain: EmbeddedToolchain):
    before = (
        "#if defined(__DAV_C220_CUBE__)\nconstexpr int32_t ROOM = 16384;\n#endif\nconstexpr int32_t ALL = ROOM * 2;"
    )
    found = findings(toolchain, "int32_t all = ALL + ROOM;", before=before)
    assert {one.severity for one in found} == {Severity.INFORMATION}
    refused = before + "\n#if !defined(__DAV_C220_CUBE__)\n#error of another pass\n#endif"
    assert not [one for one in findings(toolchain, "", before=refused) if one.severity is Severity.ERROR]
    found = findings(toolchain, "int32_t all = ROOM;", before=before.replace("defined(__DAV_C220_CUBE__)", "0"))
    assert {one.severity for one in found} == {Severity.ERROR}


def test_the_compilers_names_of_types_and_constants_are_the_interfaces(toolchain: EmbeddedToolchain):
    before = "static_assert(std::is_same_v<__bf16, bfloat16_t> && std::is_same_v<__fp16, half>);"
    assert findings(toolchain, "pad_t mode = PAD_MODE7; mode = pad_t::PAD_NONE;", before=before) == []


def test_memory_and_registers_are_dumped(toolchain: EmbeddedToolchain):
    before = (
        '#include "utils/debug/asc_dump.h"\n'
        "__simd_vf__ inline void Work(__ubuf__ float *x)\n"
        "{ Reg::RegTensor<float> r; asc_dump<float>(r, 5, 16); asc_dump(x, 1, 8); asc_dump<float>(x, 1, 8); }"
    )
    assert (
        findings(
            toolchain, "asc_dump_gm<half>((__gm__ half *)x, 1, 32); asc_dump((__gm__ half *)x, 1, 32);", NEW, before
        )
        == []
    )


def test_a_registered_tiling_structure_of_a_namespace_is_no_mistake_of_the_macros_user(toolchain: EmbeddedToolchain):
    kernel = KERNEL.format(
        before="namespace Own { struct ProbeTilingData { uint32_t n; }; }",
        statement="REGISTER_TILING_DEFAULT(Own::ProbeTilingData);\nGET_TILING_DATA(data, x); n = data.n;",
    )
    host = (
        '#include "register/tilingdata_base.h"\nnamespace optiling {\nBEGIN_TILING_DATA_DEF(ProbeTilingData)\n'
        "TILING_DATA_FIELD_DEF(uint32_t, n);\nEND_TILING_DATA_DEF;\n"
        "REGISTER_TILING_DATA_CLASS(Probe, ProbeTilingData)\n}\n"
    )
    files = (SourceFile("op_kernel/probe.cpp", kernel), SourceFile("op_host/probe.cpp", host))
    result = toolchain.check(CheckRequest("op_kernel/probe.cpp", files, A2))
    assert [one for one in result.findings if one.severity is Severity.ERROR] == []
