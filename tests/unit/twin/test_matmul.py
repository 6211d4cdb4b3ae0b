"""The Matmul object on the twin, with the tiling of an op_host of its own, against numpy: rows of shapes, types and ways.

One operator has all of them: its definition's columns are the element types, its attributes say which matrices are
transposed and which way the kernel takes the result.
"""

# ruff: noqa: E501 - inputs and golden outputs are text of another program, a line each
from __future__ import annotations

import pytest

from kernelgen_ls.kernel.findings import Finding, Severity
from kernelgen_ls.runner.jobs.messages import Outcome, VerifyResult
from tests.unit.twin.verifying import serious, verify

HOST = """
#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"
#include "tiling/platform/platform_ascendc.h"
#include "tiling/tiling_api.h"
namespace optiling {
BEGIN_TILING_DATA_DEF(ProductTilingData)
TILING_DATA_FIELD_DEF(float, slope);
TILING_DATA_FIELD_DEF(int32_t, way);
TILING_DATA_FIELD_DEF(int32_t, swapA);
TILING_DATA_FIELD_DEF(int32_t, swapB);
TILING_DATA_FIELD_DEF_STRUCT(TCubeTiling, cube);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Product, ProductTilingData)
static ge::graphStatus TilingFunc(gert::TilingContext *context)
{
    auto chip = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    const gert::RuntimeAttrs *attributes = context->GetAttrs();
    const int64_t way = *attributes->GetInt(0);
    const bool swapA = *attributes->GetBool(1), swapB = *attributes->GetBool(2), bias = *attributes->GetBool(3);
    const auto a = context->GetInputShape(0)->GetStorageShape(), b = context->GetInputShape(1)->GetStorageShape();
    const int32_t m = a.GetDim(swapA ? 1 : 0), k = a.GetDim(swapA ? 0 : 1), n = b.GetDim(swapB ? 0 : 1);
    auto typeOf = [&](int i) { return static_cast<matmul_tiling::DataType>(context->GetInputDesc(i)->GetDataType()); };
    matmul_tiling::MultiCoreMatmulTiling cube(chip);
    using namespace matmul_tiling;
    cube.SetDim(*attributes->GetInt(4));
    cube.SetAType(TPosition::GM, CubeFormat::ND, typeOf(0), swapA);
    cube.SetBType(TPosition::GM, CubeFormat::ND, typeOf(1), swapB);
    cube.SetBiasType(TPosition::GM, CubeFormat::ND, typeOf(2));
    cube.SetCType(way == 2 || way == 3 ? TPosition::VECIN : TPosition::GM, CubeFormat::ND, matmul_tiling::DataType::DT_FLOAT);
    cube.SetShape(m, n, k);
    cube.SetOrgShape(m, n, k);
    cube.SetBias(bias);
    cube.SetFixSplit(64, 48, -1);
    cube.SetBufferSpace(-1, -1, -1);
    ProductTilingData tiling;
    if (cube.GetTiling(tiling.cube) == -1) {
        return ge::GRAPH_FAILED;
    }
    tiling.set_slope(0.25f);
    tiling.set_way(way);
    tiling.set_swapA(swapA);
    tiling.set_swapB(swapB);
    context->SetBlockDim((tiling.cube.get_usedCoreNum() + 1) / 2);
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    context->GetWorkspaceSizes(1)[0] = chip.GetLibApiWorkSpaceSize() + size_t(4) * 1024 * 1024;
    return ge::GRAPH_SUCCESS;
}
}
namespace ops {
class Product : public OpDef {
public:
    explicit Product(const char *name) : OpDef(name)
    {
        this->Input("a").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_FLOAT16, ge::DT_BF16, ge::DT_FLOAT, ge::DT_INT8}).Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
        this->Input("b").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_FLOAT16, ge::DT_BF16, ge::DT_FLOAT, ge::DT_INT8}).Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
        this->Input("bias").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_FLOAT, ge::DT_INT32}).Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
        this->Output("c").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_FLOAT16, ge::DT_BF16, ge::DT_FLOAT, ge::DT_INT32}).Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
        this->Attr("way").AttrType(OPTIONAL).Int(0);
        this->Attr("swapA").AttrType(OPTIONAL).Bool(false);
        this->Attr("swapB").AttrType(OPTIONAL).Bool(false);
        this->Attr("biased").AttrType(OPTIONAL).Bool(false);
        this->Attr("cores").AttrType(OPTIONAL).Int(1);
        this->AICore().SetTiling(optiling::TilingFunc);
        this->AICore().AddConfig("ascend910b");
    }
};
OP_ADD(Product);
}
"""

KERNEL = """#include "kernel_operator.h"
#include "lib/matmul_intf.h"
using namespace AscendC;
template <TPosition place, typename T> using Side = MatmulType<place, CubeFormat::ND, T, true>;
template <TPosition place> using Object = Matmul<Side<TPosition::GM, DTYPE_A>, Side<TPosition::GM, DTYPE_B>, MatmulType<place, CubeFormat::ND, DTYPE_C>, MatmulType<TPosition::GM, CubeFormat::ND, DTYPE_BIAS>>;
template <TPosition place> class Kernel {
public:
    Object<place> mm;
    __aicore__ inline void Init(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, GM_ADDR user, const TCubeTiling &tiling, TPipe *pipe, bool swapA, bool swapB)
    {
        cube = tiling;
        uint32_t rows = (cube.M + cube.singleCoreM - 1) / cube.singleCoreM;
        uint32_t row = GetBlockIdx() % rows * cube.singleCoreM, column = GetBlockIdx() / rows * cube.singleCoreN;
        high = cube.M - row < cube.singleCoreM ? cube.M - row : cube.singleCoreM;
        wide = cube.N - column < cube.singleCoreN ? cube.N - column : cube.singleCoreN;
        aGm.SetGlobalBuffer((__gm__ DTYPE_A *)a + (swapA ? row : row * cube.Ka), cube.M * cube.Ka);
        bGm.SetGlobalBuffer((__gm__ DTYPE_B *)b + (swapB ? column * cube.Kb : column), cube.Kb * cube.N);
        biasGm.SetGlobalBuffer((__gm__ DTYPE_BIAS *)bias + column, cube.N);
        cGm.SetGlobalBuffer((__gm__ DTYPE_C *)c + row * cube.N + column, cube.M * cube.N);
        spare.SetGlobalBuffer((__gm__ DTYPE_C *)user + GetBlockIdx() * (cube.singleCoreM + 64) * (cube.singleCoreN + 48));
        if (place == TPosition::VECIN) {
            pipe->InitBuffer(in, 1, cube.baseM * cube.baseN * sizeof(DTYPE_C));
            pipe->InitBuffer(out, 1, cube.baseM * cube.baseN * sizeof(DTYPE_C));
        }
        mm.SetTail(high, wide);
        mm.SetTensorA(aGm, swapA);
        mm.SetTensorB(bGm, swapB);
        if (cube.isBias) {
            mm.SetBias(biasGm);
        }
    }
    __aicore__ inline void All() { mm.IterateAll(cGm); }
    __aicore__ inline void ByBlocks()
    {
        while (mm.Iterate()) {
            mm.GetTensorC(cGm);
        }
    }
    __aicore__ inline void Halves()
    {
        int32_t half = cube.Ka / 2;
        mm.SetTail(high, wide, half);
        mm.IterateAll(cGm);
        mm.DisableBias();
        mm.SetTail(high, wide, cube.Ka - half);
        mm.SetTensorA(aGm[half]);
        mm.SetTensorB(bGm[half * cube.N]);
        mm.IterateAll(cGm, 1);
    }
    template <bool waits> __aicore__ inline void ThroughUb(float slope)
    {
        uint32_t down = (high + cube.baseM - 1) / cube.baseM, across = (wide + cube.baseN - 1) / cube.baseN;
        if (!waits) {
            mm.SetWorkspace(spare);
            mm.template Iterate<false>();
        }
        for (uint32_t i = 0; waits ? mm.Iterate() : i < down * across; i++) {
            uint32_t row = i % down * cube.baseM, column = i / down * cube.baseN;
            uint32_t rows = high - row < cube.baseM ? high - row : cube.baseM, columns = wide - column < cube.baseN ? wide - column : cube.baseN;
            LocalTensor<DTYPE_C> block = in.template AllocTensor<DTYPE_C>();
            mm.template GetTensorC<waits>(block, 0, true);
            in.EnQue(block);
            block = in.template DeQue<DTYPE_C>();
            LocalTensor<DTYPE_C> result = out.template AllocTensor<DTYPE_C>();
            Muls(result, block, DTYPE_C(slope), rows * columns);
            if constexpr (!std::is_same_v<DTYPE_C, int32_t>) {
                Max(result, result, block, rows * columns);
            }
            in.FreeTensor(block);
            out.EnQue(result);
            result = out.template DeQue<DTYPE_C>();
            DataCopyPad(cGm[row * cube.N + column], result, {uint16_t(rows), uint32_t(columns * sizeof(DTYPE_C)), 0, uint32_t((cube.N - columns) * sizeof(DTYPE_C)), 0});
            out.FreeTensor(result);
        }
    }
private:
    TCubeTiling cube;
    uint32_t high, wide;
    GlobalTensor<DTYPE_A> aGm;
    GlobalTensor<DTYPE_B> bGm;
    GlobalTensor<DTYPE_BIAS> biasGm;
    GlobalTensor<DTYPE_C> cGm, spare;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
};
extern "C" __global__ __aicore__ void product(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(data, tiling);
    TPipe pipe;
    GM_ADDR user = GetUserWorkspace(workspace);
    if (data.way == 2 || data.way == 3) {
#if !BFLOAT
        Kernel<TPosition::VECIN> kernel;
        REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), kernel.mm, &data.cube);
        if (GetBlockIdx() >= data.cube.usedCoreNum) {
            return;
        }
        kernel.Init(a, b, bias, c, user, data.cube, &pipe, data.swapA, data.swapB);
        if (data.way == 2) {
            kernel.template ThroughUb<true>(data.slope);
        } else {
            kernel.template ThroughUb<false>(data.slope);
        }
        kernel.mm.End();
#endif
        return;
    }
    Kernel<TPosition::GM> kernel;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), kernel.mm, &data.cube);
    if (GetBlockIdx() >= data.cube.usedCoreNum) {
        return;
    }
    kernel.Init(a, b, bias, c, user, data.cube, &pipe, data.swapA, data.swapB);
    if (data.way == 0) {
        kernel.All();
    } else if (data.way == 1) {
        kernel.ByBlocks();
    } else {
        kernel.Halves();
    }
    kernel.mm.End();
}
"""

CASES = """
SHAPES = [(1, 1, 1), (16, 16, 16), (77, 33, 129), (200, 112, 300)]
def case(m, n, k, way=0, cores=1, swapA=False, swapB=False, biased=False):
    return {"m": m, "n": n, "k": k, "attributes": {"way": way, "swapA": swapA, "swapB": swapB, "biased": biased, "cores": cores}}
CASES = [
    *(case(*shape, swapA=a, swapB=b, biased=a != b) for shape in SHAPES for a in (False, True) for b in (False, True)),
    *(case(200, 112, 300, way=way, cores=cores, biased=True) for way in WAYS for cores in (1, 6)),
]
attributes = lambda case: case["attributes"]
def whole(rng, *shape): return rng.integers(-8, 9, shape)
def bf16(array):
    bits = np.ascontiguousarray(array, np.float32).view(np.uint32).astype(np.uint64)
    return "bfloat16", (((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16) << 16).astype(np.uint32).view(np.float32)
def typed(array, kind): return bf16(array) if kind == "bf16" else np.ascontiguousarray(array).astype(kind)
def wide(array): return np.asarray(array[1] if isinstance(array, tuple) else array, np.float64)
def inputs(case, rng):
    how = case["attributes"]
    a, b = whole(rng, case["m"], case["k"]) / SCALE, whole(rng, case["k"], case["n"]) / SCALE
    return [typed(a.T if how["swapA"] else a, LEFT), typed(b.T if how["swapB"] else b, LEFT), typed(whole(rng, case["n"]), BIAS)]
def golden(case, given):
    how = case["attributes"]
    a, b = wide(given[0]), wide(given[1])
    c = (a.T if how["swapA"] else a) @ (b.T if how["swapB"] else b) + (wide(given[2]) if how["biased"] else 0)
    if how["way"] in (2, 3): c = np.maximum(c, c * 0.25) if SCALE > 1 else c * 0
    return [typed(c, RESULT)]
"""

TYPES = {
    "half to float": "LEFT, BIAS, RESULT, SCALE, WAYS = np.float16, np.float32, np.float32, 16, (1, 2, 3, 4)",
    "half": "LEFT, BIAS, RESULT, SCALE, WAYS = np.float16, np.float16, np.float16, 16, (1, 2, 3)",
    "bfloat16": "LEFT, BIAS, RESULT, SCALE, WAYS = 'bf16', np.float32, 'bf16', 16, (1,)",
    "float": "LEFT, BIAS, RESULT, SCALE, WAYS = np.float32, np.float32, np.float32, 16, (1, 2, 3, 4)",
    "int8": "LEFT, BIAS, RESULT, SCALE, WAYS = np.int8, np.int32, np.int32, 1, (1, 2, 3, 4)",
}


def product(types: str, kernel: str = KERNEL, host: str = HOST) -> dict[str, str]:
    text = f"#define BFLOAT {int(types == 'bfloat16')}\n{kernel}"
    return {"op_host/product.cpp": host, "op_kernel/product.cpp": text}


@pytest.mark.parametrize("types", TYPES)
def test_a_product_is_numpys(types: str) -> None:
    result = verify(product(types), "op_kernel/product.cpp", "product", f"{TYPES[types]}\n{CASES}")
    wrong = [(case.name, case.message) for case in result.cases if case.outcome is not Outcome.PASSED]
    assert (result.message if result.outcome is not Outcome.PASSED else "", wrong, serious(result)) == ("", [], [])


BY_HAND = """#include "kernel_operator.h"
#include "lib/matmul_intf.h"
using namespace AscendC;
__aicore__ inline void CopyTiling(TCubeTiling *tiling, GM_ADDR gm)
{
    auto *to = reinterpret_cast<uint32_t *>(tiling);
    auto *from = reinterpret_cast<__gm__ uint32_t *>(gm);
    for (uint32_t i = 0; i < sizeof(TCubeTiling) / sizeof(uint32_t); i++) {
        to[i] = from[i];
    }
}
extern "C" __global__ __aicore__ void by_hand(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, GM_ADDR workspace, GM_ADDR tilingGm)
{
    TCubeTiling cube;
    CopyTiling(&cube, tilingGm);
    TPipe pipe;
    Matmul<MatmulType<TPosition::GM, CubeFormat::ND, half>, MatmulType<TPosition::GM, CubeFormat::ND, half>, MatmulType<TPosition::GM, CubeFormat::ND, float>> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &cube);
    if (GetBlockIdx() >= cube.usedCoreNum) {
        return;
    }
    GlobalTensor<half> aGm, bGm;
    GlobalTensor<float> biasGm, cGm;
    uint32_t row = GetBlockIdx() * cube.singleCoreM;
    aGm.SetGlobalBuffer((__gm__ half *)a, cube.M * cube.Ka);
    bGm.SetGlobalBuffer((__gm__ half *)b, cube.Kb * cube.N);
    biasGm.SetGlobalBuffer((__gm__ float *)bias, cube.N);
    cGm.SetGlobalBuffer((__gm__ float *)c, cube.M * cube.N);
    if (cube.M - row < cube.singleCoreM) {
        mm.SetTail(cube.M - row);
    }
    mm.SetTensorA(aGm[row * cube.Ka]);
    mm.SetTensorB(bGm);
    mm.SetBias(biasGm);
    while (mm.Iterate()) {
        mm.GetTensorC(cGm[row * cube.N]);
    }
    mm.End();
}
"""
NUMBERS = """
FIELDS = "usedCoreNum M N Ka Kb singleCoreM singleCoreN singleCoreK baseM baseN baseK depthA1 depthB1 stepM stepN isBias".split()
SIZES = dict(zip(FIELDS, (2, 40, 96, 64, 64, 32, 96, 64, 32, 48, 32, 1, 1, 1, 1, 1)))
TILING = np.array([SIZES.get(name, 0) for name in FIELDS] + [0] * 34, np.int32).tobytes()
BLOCK_DIM, WORKSPACE, CASES = 2, 16 << 20, [{}]
inputs = lambda case, rng: [rng.integers(-8, 9, (40, 64)).astype(np.float16), rng.integers(-8, 9, (64, 96)).astype(np.float16), rng.integers(-8, 9, 96).astype(np.float32)]
golden = lambda case, given: [given[0].astype(np.float32) @ given[1].astype(np.float32) + given[2]]
"""


def errors(result: VerifyResult) -> list[Finding]:
    return [finding for finding in result.findings if finding.severity is Severity.ERROR]


def by_hand(kernel: str, cases: str) -> VerifyResult:
    return verify({"kernel.cpp": kernel}, "kernel.cpp", "by_hand", cases)


def test_a_tiling_that_is_copied_by_hand_serves_as_well() -> None:
    result = by_hand(BY_HAND, NUMBERS)
    assert (result.outcome, serious(result)) == (Outcome.PASSED, [])


def test_blocks_that_are_computed_aside_may_go_to_global_memory() -> None:
    kernel = BY_HAND.replace("mm.Iterate()", "mm.Iterate<false>()").replace("mm.GetTensorC(", "mm.GetTensorC<false>(")
    result = by_hand(kernel, NUMBERS)
    assert (result.outcome, serious(result)) == (Outcome.PASSED, [])


USED = """
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 768 * sizeof(float));
    LocalTensor<float> values = buffer.Get<float>();
    DataCopy(values, cGm[row * cube.N], 768);
    PipeBarrier<PIPE_ALL>();
    Adds(values, values, 1.0f, 768);
    PipeBarrier<PIPE_ALL>();
    DataCopy(cGm[row * cube.N], values, 768);
    PipeBarrier<PIPE_ALL>();
"""


@pytest.mark.parametrize(
    ("calls", "said"),
    [
        (f"mm.IterateAll<false>(cGm[row * cube.N], 0, false, true); mm.WaitIterateAll(); {USED}", []),
        (f"mm.IterateAll<false>(cGm[row * cube.N], 0, false, true); {USED} mm.WaitIterateAll();", ["twin/late-copy"]),
        (f"mm.IterateAll<false>(cGm[row * cube.N], 0, false, false); {USED}", []),
    ],
)
def test_a_result_that_the_kernel_is_to_wait_for_is_not_there_before(calls: str, said: list[str]) -> None:
    kernel = BY_HAND.replace("while (mm.Iterate())", "").replace("mm.GetTensorC(cGm[row * cube.N]);", calls)
    more = "; first = np.r_[0:768, 32 * 96 : 32 * 96 + 768]\n"
    cases = NUMBERS.replace("[{}]\n", "[{}]" + more).replace("+ given[2]]", "+ given[2] + ADDED]")
    cases += "ADDED = np.isin(np.arange(40 * 96), first).astype(np.float32).reshape(40, 96)\n"
    result = by_hand(kernel, cases)
    line = next(number for number, text in enumerate(kernel.splitlines(), 1) if "IterateAll" in text)
    assert [(one.code, one.location.range.start.line + 1) for one in errors(result)] == [(code, line) for code in said]


def test_each_part_of_k_may_have_a_block_of_its_own() -> None:
    config = (
        "constexpr MatmulConfig Parts() { auto config = GetMDLConfig(); config.isPartialOutput = true; return config; }"
    )
    kernel = BY_HAND.replace(
        "using namespace AscendC;", f"using namespace AscendC;\n{config}\nconstexpr MatmulConfig PARTS = Parts();"
    )
    kernel = kernel.replace("float>> mm;", "float>, MatmulType<TPosition::GM, CubeFormat::ND, float>, PARTS> mm;")
    kernel = kernel.replace("    mm.SetBias(biasGm);\n    while", "    uint32_t at = 0;\n    while")
    kernel = kernel.replace(
        "mm.GetTensorC(cGm[row * cube.N]);", "mm.GetTensorC(cGm[at], 0, true);\n        at += 32 * 48;"
    )
    cases = (
        NUMBERS.replace("2, 40, 96", "1, 32, 96")
        .replace("1, 1, 1, 1, 1)", "1, 1, 1, 1, 0)")
        .replace("(40, 64)", "(32, 64)")
    )
    product = "given[0][:, k : k + 32].astype(np.float32) @ given[1][k : k + 32, n : n + 48]"
    cases += f"golden = lambda case, given: [np.array([{product} for n in (0, 48) for k in (0, 32)])]\n"
    result = by_hand(kernel, cases)
    assert (result.outcome, result.message, serious(result)) == (Outcome.PASSED, result.message, [])


def test_rows_of_a_result_that_are_aligned_are_filled_up_with_zeros() -> None:
    kernel = BY_HAND.replace("CubeFormat::ND, float>> mm;", "CubeFormat::ND_ALIGN, float>> mm;")
    kernel = kernel.replace("cGm[row * cube.N]", "cGm[row * 96]")
    cases = NUMBERS.replace("2, 40, 96", "2, 40, 93").replace("32, 96, 64, 32, 48", "32, 93, 64, 32, 48")
    cases = cases.replace("(64, 96)", "(64, 93)").replace("9, 96)", "9, 93)")
    cases = cases.replace("[given[0]", "[np.pad(given[0]").replace("given[2]]", "given[2], [(0, 0), (0, 3)])]")
    result = by_hand(kernel, cases)
    assert (result.outcome, result.message, serious(result)) == (Outcome.PASSED, result.message, [])


def test_cube_cores_compute_by_themselves_where_there_are_no_others() -> None:
    result = by_hand(f"#define ASCENDC_CUBE_ONLY\n{BY_HAND}", NUMBERS)
    assert (result.outcome, serious(result)) == (Outcome.PASSED, [])


def test_only_the_upper_blocks_are_computed_where_the_policy_says_so() -> None:
    kernel = BY_HAND.replace(
        "CubeFormat::ND, float>> mm;",
        "CubeFormat::ND, float>, MatmulType<TPosition::GM, CubeFormat::ND, float>, CFG_NORM,"
        "MatmulCallBackFunc<nullptr, nullptr, nullptr>, AscendC::Impl::Detail::TrianUpperMatmulPolicy> mm;",
    )
    upper = "golden = lambda case, given: {'c': np.where(np.arange(40)[:, None] // 16 <= np.arange(96) // 48, "
    cases = NUMBERS.replace("2, 40, 96", "1, 40, 96").replace("32, 96, 64, 32, 48", "40, 96, 64, 16, 48")
    cases = cases.replace("golden = lambda case, given: [", upper).replace("+ given[2]]", "+ given[2], given[3])}")
    cases = cases.replace("astype(np.float32)]", "astype(np.float32), np.zeros((40, 96), np.float32)]")
    result = by_hand(kernel, cases)
    assert (result.outcome, result.message, serious(result)) == (Outcome.PASSED, result.message, [])


IN_L1 = """#include "kernel_operator.h"
#include "lib/matmul_intf.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void in_l1(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR workspace, GM_ADDR tilingGm)
{
    TCubeTiling cube;
    for (uint32_t i = 0; i < sizeof(TCubeTiling) / sizeof(uint32_t); i++) {
        reinterpret_cast<uint32_t *>(&cube)[i] = reinterpret_cast<__gm__ uint32_t *>(tilingGm)[i];
    }
    TPipe pipe;
    Matmul<MatmulType<TPosition::TSCM, CubeFormat::NZ, half>, MatmulType<TPosition::GM, CubeFormat::ND, half>, MatmulType<TPosition::GM, CubeFormat::ND, float>> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &cube);
    if (GetBlockIdx() >= 1) {
        return;
    }
    GlobalTensor<half> aGm, bGm;
    GlobalTensor<float> cGm;
    aGm.SetGlobalBuffer((__gm__ half *)a, cube.M * cube.Ka);
    bGm.SetGlobalBuffer((__gm__ half *)b, cube.Kb * cube.N);
    cGm.SetGlobalBuffer((__gm__ float *)c, cube.M * cube.N);
    TSCM<TPosition::GM, 1> scm;
    pipe.InitBuffer(scm, 1, cube.M * cube.Ka * sizeof(half));
    LocalTensor<half> left = scm.AllocTensor<half>();
    DataCopy(left, aGm, cube.M * cube.Ka);
    scm.EnQue(left);
    left = scm.DeQue<half>();
    mm.SetTensorA(left);
    mm.SetTensorB(bGm);
    mm.IterateAll(cGm);
    mm.End();
    scm.FreeTensor(left);
}
"""


def test_a_matrix_that_vector_code_laid_into_l1_is_multiplied() -> None:
    fractals = "inputs = lambda case, rng: [rng.integers(-8, 9, (4, 48, 16)).astype(np.float16), "
    cases = (
        NUMBERS.replace("2, 40, 96", "1, 48, 96")
        .replace("32, 96, 64, 32, 48", "48, 96, 64, 32, 48")
        .replace("1, 1, 1, 1, 1)", "1, 1, 1, 1, 0)")
    )
    start = cases.index("inputs = ")
    cases = cases[:start] + fractals + "rng.integers(-8, 9, (64, 96)).astype(np.float16)]\n"
    cases += (
        "golden = lambda case, given: [given[0].transpose(1, 0, 2).reshape(48, 64).astype(np.float32) @ given[1]]\n"
    )
    result = verify({"kernel.cpp": IN_L1}, "kernel.cpp", "in_l1", cases)
    assert (result.outcome, result.message, serious(result)) == (Outcome.PASSED, result.message, [])


SEEDS = {
    "A begins too late": ("aGm[row * cube.Ka]", "aGm[(row + 8) * cube.Ka]", "global-bounds", "mm.Iterate()"),
    "all blocks write the first's part": ("cGm[row * cube.N]", "cGm", "block-overlap", "mm.GetTensorC"),
    "the last part is not shortened": ("mm.SetTail(cube.M - row);", "", "global-bounds", "mm.GetTensorC"),
    "transposed, and the type says never": ("(bGm);", "(bGm, true);", "matmul-call", "mm.SetTensorB"),
    "there is no B": ("mm.SetTensorB(bGm);", "", "matmul-call", "mm.Iterate()"),
    "a block is taken after the last": ("mm.End();", "mm.GetTensorC(cGm);", "matmul-call", "    mm.GetTensorC(cGm);"),
    "computed aside, and nowhere to wait": (
        "mm.GetTensorC(cGm[row * cube.N])",
        "} mm.Iterate<false>(); TBuf<TPosition::VECIN> buf; pipe.InitBuffer(buf, 8192); { mm.GetTensorC<false>(buf.Get<float>())",
        "matmul-call",
        "mm.GetTensorC<false>",
    ),
    "no tiling": ("mm, &cube);", "mm);", "matmul-call", "mm.Iterate()"),
}


@pytest.mark.parametrize("what", SEEDS)
def test_a_slip_in_the_calls_is_found_at_its_line(what: str) -> None:
    old, new, code, line = SEEDS[what]
    assert BY_HAND.count(old) == 1
    kernel = BY_HAND.replace(old, new)
    places = [number for number, text in enumerate(kernel.splitlines(), 1) if line in text]
    assert f"kernel.cpp:{places[0]}: error twin/{code}" in "\n".join(serious(by_hand(kernel, NUMBERS)))


TILINGS = {
    "rows of A are shorter": ("64, 64, 32, 96, 64", "48, 64, 32, 96, 64", "error twin/matmul-tiling"),
    "of another shape": ("2, 40, 96", "2, 40, 128", "error twin/global-bounds"),
    "a block that L0C does not hold": ("64, 32, 48", "64, 512, 256", "error twin/matmul-tiling"),
    "a size is missing": ("32, 96, 64, 32", "32, 96, 0, 32", "error twin/matmul-tiling"),
    "there is no bias": ("1, 1, 1, 1, 1)", "1, 1, 1, 1, 0)", "warning twin/matmul-call"),
}


@pytest.mark.parametrize("what", TILINGS)
def test_a_tiling_that_does_not_fit_is_found(what: str) -> None:
    old, new, found = TILINGS[what]
    assert NUMBERS.count(old) == 1
    assert found in "\n".join(serious(by_hand(BY_HAND, NUMBERS.replace(old, new))))


BATCH = """#include "kernel_operator.h"
#include "lib/matmul_intf.h"
using namespace AscendC;
constexpr MatmulBatchParams SHARED = {false, BatchMode::BATCH_LESS_THAN_L1, false};
constexpr MatmulConfig CONFIG = GetMMConfig<MatmulConfigMode::CONFIG_NORM>(SHARED);
template <LayoutMode layout, typename T, bool swapped = false> using Side = MatmulType<TPosition::GM, CubeFormat::ND, T, swapped, layout>;
template <LayoutMode layout> __aicore__ inline void Run(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, const TCubeTiling &cube)
{
    TPipe pipe;
    Matmul<Side<layout, half>, Side<layout, half, true>, Side<layout, float>, MatmulType<TPosition::GM, CubeFormat::ND, float>, CONFIG> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &cube);
    if (GetBlockIdx() != 0) {
        return;
    }
    GlobalTensor<half> aGm, bGm;
    GlobalTensor<float> biasGm, cGm;
    aGm.SetGlobalBuffer((__gm__ half *)a);
    bGm.SetGlobalBuffer((__gm__ half *)b);
    biasGm.SetGlobalBuffer((__gm__ float *)bias);
    cGm.SetGlobalBuffer((__gm__ float *)c);
    mm.SetTensorA(aGm);
    mm.SetTensorB(bGm, true);
    mm.SetBias(biasGm);
    mm.IterateBatch(cGm, 6, cube.BatchNum, false);
    mm.End();
}
extern "C" __global__ __aicore__ void batch(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, GM_ADDR workspace, GM_ADDR tilingGm)
{
    TCubeTiling cube;
    for (uint32_t i = 0; i < sizeof(TCubeTiling) / sizeof(uint32_t); i++) {
        reinterpret_cast<uint32_t *>(&cube)[i] = reinterpret_cast<__gm__ uint32_t *>(tilingGm)[i];
    }
    if (cube.ALayoutInfoS == 0) {
        Run<LayoutMode::NORMAL>(a, b, bias, c, cube);
    } else {
        Run<LayoutMode::BSNGD>(a, b, bias, c, cube);
    }
}
"""
BATCHES = """
M, N, K = 20, 24, 40
SIZES = dict(usedCoreNum=1, M=M, N=N, Ka=K, Kb=K, singleCoreM=M, singleCoreN=N, singleCoreK=K, baseM=16, baseN=16, baseK=16, stepM=1, stepN=1, isBias=1)
LAYOUTS = dict(ALayoutInfo=(2, M, 1, 3, K), BLayoutInfo=(2, N, 1, 3, K), CLayoutInfo=(2, M, 1, 3, N))
ORDER = "usedCoreNum M N Ka Kb singleCoreM singleCoreN singleCoreK baseM baseN baseK depthA1 depthB1 stepM stepN isBias".split()
def tiling(case):
    fields = [SIZES.get(name, 0) for name in ORDER] + [0] * 17
    fields += [size for axes in LAYOUTS.values() for size in (axes if case["heads"] else (0,) * 5)]
    return np.array([*fields, 3 if case["shared"] else 6, 0], np.int32).tobytes()
WORKSPACE, CASES = 16 << 20, [{"heads": True, "shared": False}, {"heads": False, "shared": False}, {"heads": False, "shared": True}]
def inputs(case, rng):
    rows, columns = ((2, M, 3, K), (2, N, 3, K)) if case["heads"] else ((6, M, K), (3 if case["shared"] else 6, N, K))
    return [rng.integers(-8, 9, shape).astype(np.float16) for shape in (rows, columns)] + [rng.integers(-8, 9, N).astype(np.float32)]
def golden(case, given):
    a, b = (one.astype(np.float32) for one in given[:2])
    if case["heads"]: return [np.einsum("bmgk,bngk->bmgn", a, b) + given[2]]
    return [np.einsum("bmk,bnk->bmn", a, np.repeat(b, 2, 0) if case["shared"] else b) + given[2]]
"""


def test_a_batch_is_multiplied_matrix_by_matrix() -> None:
    result = verify({"kernel.cpp": BATCH}, "kernel.cpp", "batch", BATCHES)
    wrong = [(case.name, case.message) for case in result.cases if case.outcome is not Outcome.PASSED]
    assert (result.outcome, wrong, serious(result)) == (Outcome.PASSED, [], [])


FORMATS = """#define ASCENDC_CUBE_ONLY
#include "kernel_operator.h"
#include "lib/matmul_intf.h"
using namespace AscendC;
template <typename T, CubeFormat format = CubeFormat::ND> using Side = MatmulType<TPosition::GM, format, T>;
template <typename A, typename B, typename C> __aicore__ inline void Prepare(TPipe &pipe, Matmul<A, B, C> &mm, const TCubeTiling &cube, GM_ADDR a, GM_ADDR b)
{
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &cube);
    GlobalTensor<typename A::T> aGm;
    GlobalTensor<typename B::T> bGm;
    aGm.SetGlobalBuffer((__gm__ typename A::T *)a);
    bGm.SetGlobalBuffer((__gm__ typename B::T *)b);
    mm.SetTensorA(aGm);
    mm.SetTensorB(bGm);
}
template <typename T> __aicore__ inline GlobalTensor<T> At(GM_ADDR address)
{
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer((__gm__ T *)address);
    return tensor;
}
extern "C" __global__ __cube__ void formats(GM_ADDR a8, GM_ADDR b8, GM_ADDR a, GM_ADDR b, GM_ADDR fractals, GM_ADDR scales, GM_ADDR c1, GM_ADDR c2, GM_ADDR c3, GM_ADDR workspace, GM_ADDR tilingGm)
{
    TCubeTiling cube;
    for (uint32_t i = 0; i < sizeof(TCubeTiling) / sizeof(uint32_t); i++) {
        reinterpret_cast<uint32_t *>(&cube)[i] = reinterpret_cast<__gm__ uint32_t *>(tilingGm)[i];
    }
    TPipe pipe;
    Matmul<Side<int8_t>, Side<int8_t>, Side<half>> dequantised;
    Prepare(pipe, dequantised, cube, a8, b8);
    float scale = 0.25f;
    dequantised.SetQuantScalar(*reinterpret_cast<uint32_t *>(&scale));
    dequantised.IterateAll(At<half>(c1));
    Matmul<Side<half>, Side<half>, Side<int8_t>> quantised;
    Prepare(pipe, quantised, cube, a, b);
    quantised.SetQuantVector(At<uint64_t>(scales));
    quantised.IterateAll(At<int8_t>(c2));
    Matmul<Side<half>, Side<half, CubeFormat::NZ>, Side<float, CubeFormat::NZ>> inFractals;
    Prepare(pipe, inFractals, cube, a, fractals);
    while (inFractals.Iterate()) {
        inFractals.GetTensorC(At<float>(c3));
    }
}
"""
FORMATTED = (
    NUMBERS[: NUMBERS.index("BLOCK_DIM")].replace("2, 40, 96", "1, 48, 96").replace("32, 96, 64, 32", "48, 96, 64, 32")
    + """
BLOCK_DIM, WORKSPACE, CASES = 1, 16 << 20, [{}]
def fractals(matrix): return np.ascontiguousarray(matrix.reshape(len(matrix), -1, 16).transpose(1, 0, 2))
def inputs(case, rng):
    whole = lambda *shape: rng.integers(-8, 9, shape)
    b = whole(64, 96).astype(np.float16)
    scales = np.where(np.arange(96) % 2, 0.5, 0.125).astype(np.float32).view(np.uint32).astype(np.uint64) | np.uint64(1 << 46) | np.uint64(3 << 37)
    return [whole(48, 64).astype(np.int8), whole(64, 96).astype(np.int8), whole(48, 64).astype(np.float16), b, fractals(b), scales]
def golden(case, given):
    a8, b8, a, b = (one.astype(np.float64) for one in given[:4])
    quantised = np.clip(np.rint(np.clip(a @ b * np.where(np.arange(96) % 2, 0.5, 0.125), -256, 255)) + 3, -128, 127)
    return [(a8 @ b8 * 0.25).astype(np.float16), quantised.astype(np.int8), fractals((a @ b).astype(np.float32))]
"""
)


def test_results_are_quantised_and_matrices_may_lie_in_fractals() -> None:
    result = verify({"kernel.cpp": FORMATS}, "kernel.cpp", "formats", FORMATTED)
    wrong = [(case.name, case.message) for case in result.cases if case.outcome is not Outcome.PASSED]
    assert (result.outcome, wrong, serious(result)) == (Outcome.PASSED, [], [])
