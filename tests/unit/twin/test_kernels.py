"""Whole kernels on the twin: the examples with the tiling of their own op_host, the clean kernels as they stand.

All of them are right, and nothing is found in them.
"""

# ruff: noqa: E501 - inputs and golden outputs are text of another program, a line each
from __future__ import annotations

import pytest

from kernelgen_ls.runner.jobs.messages import Outcome
from tests.unit.twin.verifying import ROOT, operator_files, serious, verify

NORMAL = "def normal(rng, *shape, dtype=np.float32): return rng.standard_normal(shape).astype(dtype)\n"
BF16 = """
def wide(pair): return np.asarray(pair[1], np.float32)
def bf16(array):
    bits = np.ascontiguousarray(array, np.float32).view(np.uint32).astype(np.uint64)
    return "bfloat16", (((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16) << 16).astype(np.uint32).view(np.float32)
"""

EXAMPLES = {
    "add_residual": """
CASES = [{"shape": (64, 2048)}, {"shape": (41, 1021)}, {"shape": (1, 1)}]
inputs = lambda case, rng: [bf16(normal(rng, *case["shape"])), bf16(normal(rng, *case["shape"]))]
golden = lambda case, given: [bf16(wide(given[0]) + wide(given[1]) * 0.5)]
""",
    "gather_rows": """
CASES = [{"rows": 200, "width": 500}, {"rows": 37, "width": 33}]
inputs = lambda case, rng: [normal(rng, case["rows"], case["width"]), rng.integers(0, case["rows"], case["rows"]).astype(np.int32)]
golden = lambda case, given: [given[0][given[1]]]
""",
    "gelu_quick": """
CASES = [{"shape": (32, 2048)}, {"shape": (13, 1001)}]
inputs = lambda case, rng: [normal(rng, *case["shape"], dtype=np.float16)]
def golden(case, given):
    x = given[0].astype(np.float32)
    return [(x / (1 + np.exp(-1.702 * x))).astype(np.float16)]
TOLERANCE = (4e-3, 4e-3)
""",
    "layer_norm": """
CASES = [{"shape": (100, 768)}, {"shape": (3, 500)}]
inputs = lambda case, rng: [normal(rng, *case["shape"], dtype=np.float16), normal(rng, case["shape"][1], dtype=np.float16), normal(rng, case["shape"][1], dtype=np.float16)]
def golden(case, given):
    x, gamma, beta = (one.astype(np.float32) for one in given)
    return [((x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) * gamma + beta).astype(np.float16)]
""",
    "leaky_relu": """
CASES = [{"shape": (32, 4096)}, {"shape": (7, 1023)}]
inputs = lambda case, rng: [normal(rng, *case["shape"], dtype=np.float16)]
golden = lambda case, given: [np.where(given[0] >= 0, given[0], given[0] * np.float16(0.01))]
""",
    "quant_int8": """
CASES = [{"shape": (64, 1024)}, {"shape": (5, 999)}]
inputs = lambda case, rng: [normal(rng, *case["shape"]) * 8]
golden = lambda case, given: [np.rint(np.clip(given[0] * np.float32(12.5), -128, 127).astype(np.float16)).astype(np.int8)]
""",
    "rms_norm": """
CASES = [{"shape": (100, 1024)}, {"shape": (3, 500)}]
inputs = lambda case, rng: [normal(rng, *case["shape"], dtype=np.float16), normal(rng, case["shape"][1], dtype=np.float16)]
def golden(case, given):
    x, gamma = (one.astype(np.float32) for one in given)
    return [(x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-6) * gamma).astype(np.float16)]
""",
    "row_mean_square": """
CASES = [{"shape": (200, 768)}, {"shape": (3, 500)}]
inputs = lambda case, rng: [bf16(normal(rng, *case["shape"]))]
golden = lambda case, given: [bf16((wide(given[0]) ** 2).mean(-1))]
""",
    "silu_mul": """
CASES = [{"shape": (16, 1024), "dtype": np.float16}, {"shape": (3, 1001), "dtype": np.float32}]
inputs = lambda case, rng: [normal(rng, *case["shape"], dtype=case["dtype"]), normal(rng, *case["shape"], dtype=case["dtype"])]
def golden(case, given):
    x, gate = (one.astype(np.float32) for one in given)
    return [(x / (1 + np.exp(-x)) * gate).astype(case["dtype"])]
TOLERANCE = (4e-3, 4e-3)
""",
    "smooth_l1": """
CASES = [{"shape": (32, 1024)}, {"shape": (7, 1021)}]
inputs = lambda case, rng: [normal(rng, *case["shape"]), normal(rng, *case["shape"])]
def golden(case, given):
    difference = np.abs(given[0] - given[1])
    return [np.where(difference < 1, difference * difference * np.float32(0.5), difference - np.float32(0.5))]
""",
    "softmax": """
CASES = [{"shape": (100, 1000)}, {"shape": (3, 77)}]
inputs = lambda case, rng: [normal(rng, *case["shape"]) * 4]
def golden(case, given):
    e = np.exp(given[0] - given[0].max(-1, keepdims=True))
    return [e / e.sum(-1, keepdims=True)]
""",
}

CLEAN = {
    "cast_scale_bf16": """
BLOCK_DIM, CASES = 48, [{}]
inputs = lambda case, rng: [bf16(normal(rng, 48 * 4096))]
golden = lambda case, given: [bf16(wide(given[0]) * 0.125)]
""",
    "dropout_mask": """
BLOCK_DIM, CASES = 3, [{}]
inputs = lambda case, rng: [normal(rng, 3 * 65536, dtype=np.float16), rng.integers(0, 2, 3 * 65536).astype(np.uint8)]
golden = lambda case, given: [given[0] * given[1].astype(np.float16) * np.float16(1 / 0.9)]
""",
    "dynamic_quant": """
BLOCK_DIM, CASES = 48, [{}]
inputs = lambda case, rng: [normal(rng, 512, 1024, dtype=np.float16)]
def golden(case, given):
    x = given[0].astype(np.float32)
    scale = np.abs(x).max(-1) * np.float32(1 / 127)
    quantised = (x * (1 / (scale + np.float32(1e-12)))[:, None].astype(np.float32)).astype(np.float16)
    return [np.rint(quantised).astype(np.int8), scale]
""",
    "fill_arange": """
BLOCK_DIM, CASES = 4, [{}]
inputs = lambda case, rng: []
golden = lambda case, given: [3 + np.arange(2048 * 16 * 4, dtype=np.float32) * np.float32(0.25)]
""",
    "gather_rows": """
BLOCK_DIM, CASES = 48, [{}]
inputs = lambda case, rng: [normal(rng, 1000, 500), rng.integers(0, 1000, 4096).astype(np.int32)]
golden = lambda case, given: [given[0][given[1]]]
""",
    "int32_mix": """
BLOCK_DIM, CASES = 48, [{}]
inputs = lambda case, rng: [rng.integers(-1000, 1000, 100000).astype(np.int32) for _ in range(3)]
golden = lambda case, given: [np.maximum(given[0] * 3 + given[1], given[2])]
""",
    "layer_norm_rows": EXAMPLES["layer_norm"].replace(
        'CASES = [{"shape": (100, 768)}, {"shape": (3, 500)}]', 'BLOCK_DIM, CASES = 48, [{"shape": (2048, 768)}]'
    ),
    "log_softmax": """
BLOCK_DIM, WORKSPACE, CASES = 48, 32, [{}]
inputs = lambda case, rng: [normal(rng, 640, 1000)]
def golden(case, given):
    x = given[0] - given[0].max(-1, keepdims=True)
    return [x - np.log(np.exp(x).sum(-1, keepdims=True))]
""",
    "quant_per_tensor": """
BLOCK_DIM, CASES = 40, [{}]
inputs = lambda case, rng: [normal(rng, 40 * 16384, dtype=np.float16) * np.float16(4)]
golden = lambda case, given: [np.rint(np.clip(given[0] * np.float16(12.5) + np.float16(3), -128, 127)).astype(np.int8)]
""",
    "rotary_half": """
BLOCK_DIM, CASES = 48, [{}]
inputs = lambda case, rng: [normal(rng, 2048, 16, 128), normal(rng, 2048, 128), normal(rng, 2048, 128)]
def golden(case, given):
    x, cos, sin = given
    rotated = np.concatenate([-x[..., 64:], x[..., :64]], -1)
    return [x * cos[:, None] + rotated * sin[:, None]]
""",
    "row_softmax": EXAMPLES["softmax"].replace(
        'CASES = [{"shape": (100, 1000)}, {"shape": (3, 77)}]', 'BLOCK_DIM, CASES = 48, [{"shape": (1024, 1000)}]'
    ),
    "transpose_block": """
BLOCK_DIM, CASES = 5, [{}]
inputs = lambda case, rng: [normal(rng, 5, 16, 16, dtype=np.float16)]
golden = lambda case, given: [given[0].transpose(0, 2, 1)]
""",
    "vector_sum": """
BLOCK_DIM, CASES = 8, [{}]
inputs = lambda case, rng: [normal(rng, 8 * 16384, dtype=np.float16), normal(rng, 8 * 16384, dtype=np.float16)]
golden = lambda case, given: [given[0] + given[1]]
""",
    "where_select": """
BLOCK_DIM, CASES = 4, [{}]
inputs = lambda case, rng: [normal(rng, 4 * 16384) for _ in range(3)]
golden = lambda case, given: [np.where(given[0] > 0.5, given[1], given[2])]
""",
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_right_with_the_tiling_of_its_own_host(name: str) -> None:
    files = operator_files(ROOT / "examples" / name)
    result = verify(files, f"op_kernel/{name}.cpp", name, NORMAL + BF16 + EXAMPLES[name])
    assert (result.outcome, result.message if result.outcome is not Outcome.PASSED else "") == (Outcome.PASSED, "")
    assert serious(result) == []


@pytest.mark.parametrize("name", CLEAN)
def test_a_clean_kernel_is_right(name: str) -> None:
    text = (ROOT / "tests/kernels/clean" / f"{name}.cpp").read_text(encoding="utf-8")
    result = verify({"kernel.cpp": text}, "kernel.cpp", name, NORMAL + BF16 + CLEAN[name])
    assert (result.outcome, result.message if result.outcome is not Outcome.PASSED else "") == (Outcome.PASSED, "")
    assert serious(result) == []


IN_PLACE = """
TOTAL = 48 * 8192
BLOCK_DIM, CASES = 48, [{}]
inputs = lambda case, rng: [normal(rng, TOTAL), normal(rng, TOTAL), normal(rng, TOTAL), np.abs(normal(rng, TOTAL))]
def golden(case, given):
    w, g, m, v = given
    m, v = m * np.float32(0.9) + g * np.float32(0.1), v * np.float32(0.999) + g * g * np.float32(0.001)
    return {"w": w - np.float32(1e-3) * m / (np.sqrt(v) + np.float32(1e-8)), "m": m, "v": v}
"""
ADDED_TO = """
BLOCK_DIM, CASES = 48, [{}]
inputs = lambda case, rng: [normal(rng, 4096, 512), normal(rng, 512)]
golden = lambda case, given: {"total": given[1] + given[0].sum(0)}
TOLERANCE = (1e-4, 1e-2)
"""


@pytest.mark.parametrize(("name", "cases"), [("adam_step", IN_PLACE), ("atomic_sum", ADDED_TO)])
def test_an_output_that_has_an_inputs_name_is_written_in_its_place(name: str, cases: str) -> None:
    text = (ROOT / "tests/kernels/clean" / f"{name}.cpp").read_text(encoding="utf-8")
    result = verify({"kernel.cpp": text}, "kernel.cpp", name, NORMAL + cases)
    assert (result.outcome, result.message if result.outcome is not Outcome.PASSED else "") == (Outcome.PASSED, "")
    assert serious(result) == []


LISTS = {
    "op_host/add_all.cpp": """#include "register/op_def_registry.h"
namespace ops {
class AddAll : public OpDef {
public:
    explicit AddAll(const char *name) : OpDef(name)
    {
        this->Input("xs").ParamType(DYNAMIC).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Output("ys").ParamType(DYNAMIC).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->AICore().AddConfig("ascend910b");
    }
};
OP_ADD(AddAll);
}
""",
    "op_kernel/add_all.cpp": """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void add_all(GM_ADDR xs, GM_ADDR ys)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 1, 4096);
    ListTensorDesc from(xs), to(ys);
    for (uint32_t i = 0; i < from.GetSize(); i++) {
        uint64_t shape[8];
        TensorDesc<float> desc;
        desc.SetShapeAddr(shape);
        from.GetDesc(desc, i);
        uint32_t bytes = uint32_t(desc.GetShape(0) * desc.GetShape(1) * sizeof(float));
        GlobalTensor<float> source, target;
        source.SetGlobalBuffer(from.GetDataPtr<float>(i));
        target.SetGlobalBuffer(to.GetDataPtr<float>(i));
        LocalTensor<float> local = queue.AllocTensor<float>();
        DataCopyPad(local, source, {1, bytes, 0, 0, 0}, {false, 0, 0, 0});
        queue.EnQue(local);
        local = queue.DeQue<float>();
        DataCopyPad(target, local, {1, bytes, 0, 0, 0});
        queue.FreeTensor(local);
    }
}
""",
}


def test_lists_of_tensors_reach_a_kernel() -> None:
    cases = """
CASES = [{"shapes": [(3, 5), (7, 11), (1, 1)]}]
inputs = lambda case, rng: [normal(rng, *shape) for shape in case["shapes"]]
golden = lambda case, given: list(given)
"""
    result = verify(LISTS, "op_kernel/add_all.cpp", "add_all", NORMAL + cases)
    assert (result.outcome, result.message, serious(result)) == (Outcome.PASSED, "", [])


SOFT_SYNC = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void meet(GM_ADDR x, GM_ADDR y, GM_ADDR workspace)
{
    if (GetBlockIdx() >= 2) { return; }
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    TBuf<TPosition::VECCALC> syncBuf;
    GlobalTensor<float> xGm, yGm;
    GlobalTensor<int32_t> syncGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 16);
    yGm.SetGlobalBuffer((__gm__ float *)y, 16);
    syncGm.SetGlobalBuffer((__gm__ int32_t *)workspace, 8 * GetBlockNum());
    pipe.InitBuffer(queue, 1, 32);
    pipe.InitBuffer(syncBuf, 32 * GetBlockNum());
    for (uint32_t step = 0; step < 2; step++) {
        uint32_t part = (GetBlockIdx() + step) % 2;
        LocalTensor<float> local = queue.AllocTensor<float>();
        DataCopy(local, step == 0 ? xGm[part * 8] : yGm[part * 8], 8);
        queue.EnQue(local);
        local = queue.DeQue<float>();
        DataCopy(yGm[part * 8], local, 8);
        queue.FreeTensor(local);
        SyncAll(syncGm, syncBuf.Get<int32_t>(), 2);
    }
}
"""


def test_only_the_cores_that_take_part_are_waited_for() -> None:
    cases = "BLOCK_DIM, WORKSPACE, CASES = 4, 1024, [{}]\n" + (
        "inputs = lambda case, rng: [normal(rng, 16)]\ngolden = lambda case, given: [given[0]]\n"
    )
    result = verify({"kernel.cpp": SOFT_SYNC}, "kernel.cpp", "meet", NORMAL + cases)
    assert (result.outcome, serious(result)) == (Outcome.PASSED, [])


def test_reading_what_an_allocation_has_to_spare_is_a_warning_and_writing_it_an_error() -> None:
    text = (ROOT / "tests/kernels/clean/vector_sum.cpp").read_text(encoding="utf-8")
    cases = CLEAN["vector_sum"].replace("8 * 16384", "(8 * 16384 - 8)")
    found = [line.split(": ")[1] for line in serious(verify({"k.cpp": text}, "k.cpp", "vector_sum", NORMAL + cases))]
    assert sorted(found) == ["error twin/global-bounds", "warning twin/global-slack", "warning twin/global-slack"]
