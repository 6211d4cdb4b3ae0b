"""Which of its configurations a kernel is run in for a case; where none is known to be the case's, none is run."""

from __future__ import annotations

import pytest

from kernelgen_ls.runner.jobs.messages import Outcome
from tests.unit.twin.verifying import verify

KERNEL = """#include "kernel_operator.h"
using namespace AscendC;
@extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> through;
    GlobalTensor<DTYPE_X> from, to;
    from.SetGlobalBuffer((__gm__ DTYPE_X *)x, 64);
    to.SetGlobalBuffer((__gm__ DTYPE_X *)y, 64);
    pipe.InitBuffer(through, 1, 64 * sizeof(DTYPE_X));
    LocalTensor<DTYPE_X> a = through.AllocTensor<DTYPE_X>();
    DataCopy(a, from, 64);
    through.EnQue(a);
    a = through.DeQue<DTYPE_X>();
    DataCopy(to, a, 64);
    through.FreeTensor(a);
}
"""
BRANCHES = """{
#if TILING_KEY_VAR == 1
#define ONE TILING_KEY_IS(1)
#elif TILING_KEY_VAR == 2
#define TWO TILING_KEY_IS(2)
#endif
"""
KEYED = KERNEL.replace("{\n", BRANCHES, 1)
TYPES = ".ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_FLOAT}).Format({ge::FORMAT_ND, ge::FORMAT_ND});"
HOST = """#include "register/op_def_registry.h"
namespace ops {
class Twice : public OpDef {
public:
    explicit Twice(const char *name) : OpDef(name)
    {
        this->Input("x")TYPES
        this->Output("y")TYPES
        this->AICore().AddConfig("ascend910b");
    }
};
OP_ADD(Twice);
}
""".replace("TYPES", TYPES)
CASES = """
CASES = [{}]
inputs = lambda case, rng: [np.arange(64).astype(np.@)]
golden = lambda case, given: [given[0]]
tiling = lambda case: b"\\0" * 8
"""


def outcome(kernel: str, kind: str, more: str = "") -> tuple[Outcome, str]:
    files = {"op_kernel/twice.cpp": kernel, "op_host/twice.cpp": HOST}
    result = verify(files, "op_kernel/twice.cpp", "twice", CASES.replace("@", kind) + more)
    return result.outcome, result.cases[0].message if result.cases else result.message


@pytest.mark.parametrize("kind", ["float16", "float32"])
def test_a_case_is_run_in_the_column_of_its_element_types(kind: str) -> None:
    assert outcome(KERNEL.replace("@", ""), kind)[0] is Outcome.PASSED


def test_a_case_of_other_element_types_is_not_run_as_something_else() -> None:
    found, said = outcome(KERNEL.replace("@", ""), "int16")
    assert found is Outcome.NOT_EXECUTED
    assert "int16" in said


def test_a_case_whose_tiling_key_no_configuration_has_is_not_run_with_another() -> None:
    kernel = KEYED.replace("@", "")
    assert outcome(kernel, "float32", "tiling_key = lambda case: 2\n")[0] is Outcome.PASSED
    found, said = outcome(kernel, "float32", "tiling_key = lambda case: 7\n")
    assert found is Outcome.NOT_EXECUTED
    assert "tiling key 7" in said


BY_KEY = KERNEL.replace("@", "").replace("DTYPE_X", "float")


@pytest.mark.parametrize("kind", ["float16", "float32"])
def test_a_kernel_that_names_no_type_macro_is_the_same_in_every_column(kind: str) -> None:
    found, said = outcome(BY_KEY.replace("64", "32") if kind == "float16" else BY_KEY, kind)
    assert found is Outcome.PASSED, said


def test_a_kernel_that_names_no_type_macro_is_not_run_on_types_that_no_column_has() -> None:
    assert outcome(BY_KEY, "int16")[0] is Outcome.NOT_EXECUTED


TEMPLATE = KERNEL.replace('@extern "C"', "template <int SCALE, bool ODD, typename T>").replace("DTYPE_X", "T")
TEMPLATE = TEMPLATE.replace("    TPipe", "    GET_TILING_DATA(data, tiling);\n    TPipe", 1).replace(
    "    DataCopy(to",
    "    PipeBarrier<PIPE_ALL>();\n    Muls(a, a, static_cast<T>(SCALE + ODD), 64);\n"
    "    PipeBarrier<PIPE_ALL>();\n    DataCopy(to",
)
KEYS = """#pragma once
#include "ascendc/host_api/tiling/template_argument.h"
#define SCALE_OF_THREE 3
ASCENDC_TPL_ARGS_DECL(Twice,
    ASCENDC_TPL_UINT_DECL(SCALE, ASCENDC_TPL_8_BW, ASCENDC_TPL_UI_LIST, 1, SCALE_OF_THREE, 6),
    ASCENDC_TPL_BOOL_DECL(ODD, 0, 1),
    ASCENDC_TPL_DATATYPE_DECL(D_T_X, C_DT_FLOAT16, C_DT_FLOAT));
ASCENDC_TPL_SEL(
    ASCENDC_TPL_ARGS_SEL(
        ASCENDC_TPL_UINT_SEL(SCALE, ASCENDC_TPL_UI_LIST, 1, SCALE_OF_THREE), ASCENDC_TPL_BOOL_SEL(ODD, 0, 1),
        ASCENDC_TPL_DATATYPE_SEL(D_T_X, C_DT_FLOAT16, C_DT_FLOAT)));
"""
TILING = """#include "register/tilingdata_base.h"
#include "../op_kernel/twice_keys.h"
namespace optiling {
BEGIN_TILING_DATA_DEF(TwiceTilingData)
TILING_DATA_FIELD_DEF(uint32_t, length);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Twice, TwiceTilingData)
static ge::graphStatus Tile(gert::TilingContext *context)
{
    TwiceTilingData data;
    data.set_length(64);
    data.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(data.GetDataSize());
    uint32_t type = static_cast<uint32_t>(context->GetInputDesc(0)->GetDataType());
    uint32_t scale = *context->GetAttrs()->GetAttrPointer<int64_t>(0);
    context->SetTilingKey(GET_TPL_TILING_KEY(scale, 1, type));
    context->SetBlockDim(1);
    return ge::GRAPH_SUCCESS;
}
}
"""
TEMPLATE_HOST = TILING + HOST.replace(
    "        this->AICore()",
    '        this->Attr("scale").Int();\n        this->AICore().SetTiling(optiling::Tile);\n        this->AICore()',
)
TEMPLATE_CASES = """
CASES = [{"scale": scale, "type": kind} for scale, kind in ((1, "float16"), (3, "float32"), (6, "float32"))]
inputs = lambda case, rng: [np.arange(64).astype(case["type"])]
golden = lambda case, given: [given[0] * (case["scale"] + 1)]
attributes = lambda case: {"scale": case["scale"]}
"""


@pytest.mark.parametrize("key", ["GET_TPL_TILING_KEY(scale, 1, type)", "scale / 3 | 1 << 8 | type << 9"])
def test_a_template_tiling_key_is_run_with_its_template_arguments(key: str) -> None:
    files = {
        "op_kernel/twice.cpp": TEMPLATE.replace('.h"', '.h"\n#include "twice_keys.h"', 1),
        "op_kernel/twice_keys.h": KEYS,
        "op_host/twice.cpp": TEMPLATE_HOST.replace("GET_TPL_TILING_KEY(scale, 1, type)", key),
    }
    result = verify(files, "op_kernel/twice.cpp", "twice", TEMPLATE_CASES)
    assert [case.outcome for case in result.cases] == [Outcome.PASSED, Outcome.PASSED, Outcome.NOT_EXECUTED], result
    assert "6, 1, 0" in result.cases[2].message
