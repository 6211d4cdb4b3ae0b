"""Whole kernels on the twin: the examples with the tiling of their own op_host, the clean kernels as they stand.

All of them are right, and nothing is found in them.
"""

# ruff: noqa: E501 - inputs and golden outputs are text of another program, a line each
from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from kernelgen_ls.runner.jobs.messages import Outcome
from tests.unit.twin.verifying import ROOT, serious, verify, verify_as_made

NORMAL = "def normal(rng, *shape, dtype=np.float32): return rng.standard_normal(shape).astype(dtype)\n"
BF16 = """
def wide(pair): return np.asarray(pair[1], np.float32)
def bf16(array):
    bits = np.ascontiguousarray(array, np.float32).view(np.uint32).astype(np.uint64)
    return "bfloat16", (((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16) << 16).astype(np.uint32).view(np.float32)
"""

EXAMPLES = sorted(path.name for path in (ROOT / "examples").iterdir() if path.is_dir())

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
    "layer_norm_rows": """
BLOCK_DIM, CASES = 48, [{}]
inputs = lambda case, rng: [normal(rng, 2048, 768, dtype=np.float16), normal(rng, 768, dtype=np.float16), normal(rng, 768, dtype=np.float16)]
def golden(case, given):
    x, gamma, beta = (one.astype(np.float32) for one in given)
    return [((x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) * gamma + beta).astype(np.float16)]
""",
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
    "row_softmax": """
BLOCK_DIM, CASES = 48, [{}]
inputs = lambda case, rng: [normal(rng, 1024, 1000) * 4]
def golden(case, given):
    e = np.exp(given[0] - given[0].max(-1, keepdims=True))
    return [e / e.sum(-1, keepdims=True)]
""",
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
def test_an_example_is_right_on_the_cases_made_for_it_with_the_tiling_of_its_own_host(name: str) -> None:
    made, result = verify_as_made(ROOT / "examples" / name)
    assert made.origin == "api_desc.md and test_cases.csv"
    assert [(one.name, one.outcome, one.message) for one in result.cases] == [
        (case.name, Outcome.PASSED, "") for case in made.cases
    ]
    assert serious(result) == []


@pytest.mark.parametrize(
    ("name", "path", "old", "new"),
    [
        ("leaky_relu", "op_host/leaky_relu.cpp", "slope(0.01f)", "slope(0.02f)"),
        ("quant_int8", "op_kernel/quant_int8.cpp", "CAST_RINT", "CAST_TRUNC"),
        ("rms_norm", "op_kernel/rms_norm.cpp", "1e-6f", "1e-2f"),
        ("softmax", "op_kernel/softmax.cpp", "Exp(", "Abs("),
    ],
)
def test_an_example_that_computes_something_else_is_wrong_on_the_cases_made_for_it(
    tmp_path: Path, name: str, path: str, old: str, new: str
) -> None:
    folder = tmp_path / name
    shutil.copytree(ROOT / "examples" / name, folder)
    text = (folder / path).read_text(encoding="utf-8")
    (folder / path).write_text(text.replace(old, new), encoding="utf-8")
    assert old in text
    _, result = verify_as_made(folder, case=2)
    assert result.outcome is Outcome.WRONG_VALUES, result.message


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


LISTED = ".ParamType(DYNAMIC).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});"
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


def test_a_list_that_an_operator_without_outputs_changes_is_what_is_compared() -> None:
    host = LISTS["op_host/add_all.cpp"].replace(f'this->Output("ys"){LISTED}', "")
    kernel = LISTS["op_kernel/add_all.cpp"].replace("GM_ADDR xs, GM_ADDR ys", "GM_ADDR xs").replace("to(ys)", "to(xs)")
    kernel = kernel.replace(
        "    DataCopyPad(target", "    Adds(local, local, 1.0f, bytes / 4);\n    DataCopyPad(target"
    )
    cases = """
CASES = [{"shapes": [(3, 5), (4, 11)]}]
inputs = lambda case, rng: [normal(rng, *shape) for shape in case["shapes"]]
golden = lambda case, given: [x + 1 for x in given]
"""
    files = {"op_host/add_all.cpp": host, "op_kernel/add_all.cpp": ordered(kernel)}
    result = verify(files, "op_kernel/add_all.cpp", "add_all", NORMAL + cases)
    assert (result.outcome, result.message, serious(result)) == (Outcome.PASSED, "", [])


def ordered(kernel: str) -> str:
    """The kernel with what a queue between two copies does not order: the vector unit beside them."""
    return kernel.replace("    Adds(", "    PipeBarrier<PIPE_ALL>();\n    Adds(").replace(
        "    DataCopyPad(target", "    PipeBarrier<PIPE_ALL>();\n    DataCopyPad(target"
    )


def test_an_output_that_is_called_as_an_input_is_that_input() -> None:
    host = LISTS["op_host/add_all.cpp"].replace("DYNAMIC", "REQUIRED").replace('Output("ys")', 'Output("xs")')
    kernel = """#include "kernel_operator.h"
extern "C" __global__ __aicore__ void add_all(GM_ADDR xs, GM_ADDR ys)
{
    AscendC::GlobalTensor<float> to;
    to.SetGlobalBuffer((__gm__ float *)ys, 8);
    to.SetValue(3, 7.0f);
}
"""
    cases = """
CASES = [{}]
inputs = lambda case, rng: [np.arange(8, dtype=np.float32)]
golden = lambda case, given: [np.where(given[0] == 3, np.float32(7), given[0])]
"""
    files = {"op_host/add_all.cpp": host, "op_kernel/add_all.cpp": kernel}
    result = verify(files, "op_kernel/add_all.cpp", "add_all", NORMAL + cases)
    assert (result.outcome, serious(result)) == (Outcome.PASSED, [])


@pytest.mark.parametrize(("initial", "said"), [("{{ScalarType::FLOAT32, 0}}", False), ("0", False), ("", True)])
def test_an_output_that_the_definition_has_cleared_can_be_added_to(initial: str, said: bool) -> None:
    host = LISTS["op_host/add_all.cpp"].replace("DYNAMIC", "REQUIRED")
    host = host.replace('Output("ys")', f'Output("ys").InitValue({initial})' if initial else 'Output("ys")')
    kernel = """#include "kernel_operator.h"
extern "C" __global__ __aicore__ void add_all(GM_ADDR xs, GM_ADDR ys)
{
    AscendC::TPipe pipe;
    AscendC::TBuf<AscendC::TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 32);
    AscendC::LocalTensor<float> three = buffer.Get<float>();
    AscendC::Duplicate(three, 3.0f, 8);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::GlobalTensor<float> to;
    to.SetGlobalBuffer((__gm__ float *)ys, 8);
    AscendC::SetAtomicAdd<float>();
    AscendC::DataCopy(to, three, 8);
    AscendC::SetAtomicNone();
}
"""
    cases = """
CASES = [{}]
inputs = lambda case, rng: [np.arange(8, dtype=np.float32)]
golden = lambda case, given: [np.full(8, 3, np.float32)]
"""
    files = {"op_host/add_all.cpp": host, "op_kernel/add_all.cpp": kernel}
    result = verify(files, "op_kernel/add_all.cpp", "add_all", NORMAL + cases)
    told = [line.split(": ")[1] for line in serious(result)]
    assert ("error twin/uninitialised-global" in told, result.outcome is Outcome.PASSED) == (said, not said)


@pytest.mark.parametrize("name", ["zs", "shapeout"])
def test_an_output_without_golden_values_is_written_all_the_same(name: str) -> None:
    """A required one of the definition, and the shape of one whose length only computing tells."""
    extra = f'this->Output("ys"){LISTED}\n' + (f'        this->Output("zs"){LISTED}' if name == "zs" else "")
    host = LISTS["op_host/add_all.cpp"].replace(f'this->Output("ys"){LISTED}', extra).replace("DYNAMIC", "REQUIRED")
    kernel = """#include "kernel_operator.h"
extern "C" __global__ __aicore__ void add_all(GM_ADDR xs, GM_ADDR ys, GM_ADDR zs)
{
    AscendC::GlobalTensor<float> from, to, more;
    from.SetGlobalBuffer((__gm__ float *)xs, 8);
    to.SetGlobalBuffer((__gm__ float *)ys, 8);
    more.SetGlobalBuffer((__gm__ float *)zs, 8);
    for (uint32_t i = 0; i < 8; i++) {
        to.SetValue(i, from.GetValue(i));
        more.SetValue(i, 1.0f);
    }
}
"""
    cases = "CASES = [{}]\ninputs = lambda case, rng: [normal(rng, 8)]\ngolden = lambda case, given: [given[0]]\n"
    files = {"op_host/add_all.cpp": host, "op_kernel/add_all.cpp": kernel.replace("zs", name)}
    result = verify(files, "op_kernel/add_all.cpp", "add_all", NORMAL + cases)
    assert (result.outcome, serious(result)) == (Outcome.PASSED, [])


WIDENED = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void widen(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    GlobalTensor<half> from;
    GlobalTensor<float> to;
    from.SetGlobalBuffer((__gm__ half *)x, 208);
    to.SetGlobalBuffer((__gm__ float *)y, 208);
    pipe.InitBuffer(buf, 208 * sizeof(float));
    LocalTensor<float> wide = buf.Get<float>();
    LocalTensor<half> upper = buf.Get<half>()[208];
    DataCopy(upper, from, 208);
    PipeBarrier<PIPE_ALL>();
    Cast(wide, upper, RoundMode::CAST_NONE, 208);
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, wide, 208);
}
"""


def test_a_tensor_is_widened_in_place_from_the_upper_half_of_its_memory() -> None:
    cases = """
CASES = [{}]
inputs = lambda case, rng: [np.arange(208).astype(np.float16)]
golden = lambda case, given: [given[0].astype(np.float32)]
"""
    result = verify({"k.cpp": WIDENED}, "k.cpp", "widen", NORMAL + cases)
    assert result.outcome is Outcome.PASSED, result.message


COMPLEX = """#include "kernel_operator.h"
extern "C" __global__ __aicore__ void conjugate(GM_ADDR x, GM_ADDR y)
{
    AscendC::GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x, 10);
    to.SetGlobalBuffer((__gm__ float *)y, 10);
    for (uint32_t i = 0; i < 10; i++) { to.SetValue(i, i % 2 ? -from.GetValue(i) : from.GetValue(i)); }
}
"""


@pytest.mark.parametrize(("golden", "outcome"), [("np.conj", Outcome.PASSED), ("np.negative", Outcome.WRONG_VALUES)])
def test_complex_numbers_are_pairs_of_floats(golden: str, outcome: Outcome) -> None:
    cases = f"""
CASES = [{{}}]
inputs = lambda case, rng: [(normal(rng, 5) + 1j * normal(rng, 5)).astype(np.complex64)]
golden = lambda case, given: [{golden}(given[0])]
"""
    result = verify({"k.cpp": COMPLEX}, "k.cpp", "conjugate", NORMAL + cases)
    assert (result.outcome, serious(result)) == (outcome, [])


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


PARTLY = """#include "kernel_operator.h"
using namespace AscendC;
// The first `many` eighths of a repeat are known, the sums of which are right, and so are those of pairs of them.
extern "C" __global__ __aicore__ void sums(GM_ADDR blocks, GM_ADDR x, GM_ADDR pairs, uint32_t many, GM_ADDR largest)
{
    TPipe pipe;
    TBuf<TPosition::VECIN> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 256);
    pipe.InitBuffer(out, 1, 192);
    GlobalTensor<float> given, outputs[3];
    given.SetGlobalBuffer((__gm__ float *)x);
    outputs[0].SetGlobalBuffer((__gm__ float *)blocks);
    outputs[1].SetGlobalBuffer((__gm__ float *)largest);
    outputs[2].SetGlobalBuffer((__gm__ float *)pairs);
    LocalTensor<float> values = in.Get<float>(), all = out.AllocTensor<float>();
    DataCopy(values, given, many * 8);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    BlockReduceSum<float>(all, values, 1, 64, 1, 1, 8);
    BlockReduceMax<float>(all[8], values, 1, 64, 1, 1, 8);
    PairReduceSum<float>(all[16], values, 1, 64, 1, 1, 8);
    out.EnQue(all);
    all = out.DeQue<float>();
    for (int i = 0; i < 3; ++i) DataCopyPad(outputs[i], all[i * 8], {1, many * (i < 2 ? 4 : 16), 0, 0, 0});
    out.FreeTensor(all);
}
"""
PARTLY_CASES = """
CASES = [{"many": 3}, {"many": 8}]
def inputs(case, rng):
    return {"many": np.uint32(case["many"]), "x": rng.standard_normal((case["many"], 8)).astype(np.float32)}
def golden(case, given):
    x = given["x"]
    return {"blocks": x.sum(-1), "pairs": x[:, ::2] + x[:, 1::2], "largest": x.max(-1)}
"""


def test_what_blocks_and_pairs_are_reduced_to_is_known_where_they_are_whatever_else_the_repeat_has() -> None:
    result = verify({"sums.cpp": PARTLY}, "sums.cpp", "sums", PARTLY_CASES)
    assert (result.outcome, serious(result)) == (Outcome.PASSED, []), result.message


def test_a_parameter_that_is_no_address_gets_a_tensor_of_its_size_only() -> None:
    result = verify({"sums.cpp": PARTLY}, "sums.cpp", "sums", PARTLY_CASES.replace("np.uint32(", "np.uint64("))
    assert (result.outcome, result.findings) == (Outcome.NOT_EXECUTED, ())
    assert (
        "not executed: many is declared uint32_t, case 0 of the cases gives it uint64: make the cases" in result.message
    )


def test_cases_that_do_not_fit_the_parameters_are_said_with_both() -> None:
    result = verify({"sums.cpp": PARTLY}, "sums.cpp", "sums", PARTLY_CASES.replace('"largest": x.max(-1)', ""))
    assert result.outcome is Outcome.NOT_EXECUTED
    assert "not executed: sums takes 5 arguments (blocks, x, pairs, many, largest); " in result.message
    assert "gives 2 inputs (x, many) and 2 outputs (blocks, pairs): make the cases fit the parameters" in result.message


def test_cases_of_other_types_than_the_parameters_declare_are_not_run() -> None:
    code = PARTLY.replace("GM_ADDR x,", "__gm__ half *x,")
    result = verify({"sums.cpp": code}, "sums.cpp", "sums", PARTLY_CASES)
    assert (result.outcome, result.findings) == (Outcome.NOT_EXECUTED, ())
    assert "not executed: x is declared __gm__ half *, case 0 of the cases gives it float32: make" in result.message


UNNUMBERED = """#include "kernel_operator.h"
using namespace AscendC;
// Sorted by values, beside indices that were never given one; who is asked for `both` writes them too.
extern "C" __global__ __aicore__ void sorted(GM_ADDR x, GM_ADDR y, uint32_t both)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 1024);
    GlobalTensor<float> given, values;
    GlobalTensor<uint32_t> places;
    given.SetGlobalBuffer((__gm__ float *)x);
    values.SetGlobalBuffer((__gm__ float *)y);
    places.SetGlobalBuffer((__gm__ uint32_t *)y + 32);
    LocalTensor<float> all = buffer.Get<float>(), pairs = all[64];
    LocalTensor<uint32_t> indices = all[32].ReinterpretCast<uint32_t>();
    DataCopy(all, given, 32);
    PipeBarrier<PIPE_ALL>();
    Sort32<float>(pairs, all, indices, 1);
    Extract<float>(all, indices, pairs, 1);
    PipeBarrier<PIPE_ALL>();
    DataCopy(values, all, 32);
    if (both) DataCopy(places, indices, 32);
}
"""


def test_indices_without_a_value_are_found_where_they_are_written_and_not_in_the_values() -> None:
    cases = """
CASES = [{"both": 0}, {"both": 1}]
inputs = lambda case, rng: {"x": normal(rng, 32), "both": np.uint32(case["both"])}
golden = lambda case, given: {"y": np.sort(np.resize(given["x"], 32 + 32 * case["both"]))[::-1]}
"""
    result = verify({"sorted.cpp": UNNUMBERED}, "sorted.cpp", "sorted", NORMAL + cases)
    assert result.cases[0].outcome is Outcome.PASSED
    line = 1 + UNNUMBERED[: UNNUMBERED.index("if (both)")].count("\n")
    found = [one for one in serious(result) if "uninitialised" in one]
    assert [one.split(": ")[:2] for one in found] == [[f"sorted.cpp:{line}", "error twin/uninitialised-global"]]


POINTER = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void pointed(GM_ADDR x, GM_ADDR y, int32_t at)
{
    TPipe pipe;
    TBuf<TPosition::VECOUT> buffer;
    pipe.InitBuffer(buffer, 32);
    LocalTensor<int32_t> value = buffer.Get<int32_t>();
    GlobalTensor<int32_t> out;
    out.SetGlobalBuffer((__gm__ int32_t *)y, 1);
    __gm__ int32_t *from = (__gm__ int32_t *)x;
    if (at >= 0)
        value.SetValue(0, from[at]);
    else
        value.SetValue(0, from[at] == 5);
    DataCopyPad(out, value, {1, 4, 0, 0});
}
"""


@pytest.mark.parametrize(
    ("places", "codes"),
    [
        ("0, 1, 2, 40", {"warning twin/global-slack at 13", "error twin/global-bounds at 13"}),
        ("-1,", {"error twin/global-bounds at 15"}),
    ],
)
def test_a_pointer_that_leaves_an_argument_and_a_copy_of_what_scalars_have_just_written(
    places: str, codes: set[str]
) -> None:
    cases = (
        f"CASES = [{{'at': at}} for at in ({places})]"
        + """
inputs = lambda case, rng: {"x": np.array([5, 7], np.int32), "at": np.int32(case["at"])}
golden = lambda case, given: {"y": np.array([{0: 5, 1: 7, 2: -1}.get(case["at"], 0)], np.int32)}
"""
    )
    findings = verify({"k.cpp": POINTER}, "k.cpp", "pointed", cases).findings
    found = {f"{one.severity.value} {one.code} at {one.location.range.start.line + 1}" for one in findings}
    assert found == {"information twin/missing-sync-mended at 16", *codes}
