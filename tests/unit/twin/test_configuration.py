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
