"""In which configurations a kernel is checked: dtype columns, tiling keys and combinations of template arguments."""

from __future__ import annotations

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from kernelgen_ls.kernel.covering import covering
from kernelgen_ls.kernel.findings import Finding, Severity
from kernelgen_ls.runner.jobs.messages import CheckRequest, CheckResult, Outcome, SourceFile
from kernelgen_ls.runner.toolchains.embedded.toolchain import EmbeddedToolchain

TEMPLATE = """
#include "kernel_operator.h"
#include "ascendc/host_api/tiling/template_argument.h"
using namespace AscendC;
LISTS
template <uint32_t mode, typename D_T>
__global__ __aicore__ void my_op(GM_ADDR x, GM_ADDR workspace, GM_ADDR tiling)
{
    LocalTensor<D_T> a;
    BODY
}
"""
DECLARED = (
    "ASCENDC_TPL_ARGS_DECL(MyOp, ASCENDC_TPL_UINT_DECL(mode, ASCENDC_TPL_8_BW, ASCENDC_TPL_UI_LIST, 0, 1, 2),\n"
    "    ASCENDC_TPL_DATATYPE_DECL(D_T, C_DT_FLOAT16, C_DT_INT8, ASCENDC_TPL_INPUT(0)));\n"
)
SELECTED = (
    "ASCENDC_TPL_SEL(ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_UINT_SEL(mode, ASCENDC_TPL_UI_LIST, 0, 1),\n"
    "    ASCENDC_TPL_DATATYPE_SEL(D_T, C_DT_FLOAT16, C_DT_INT8)), );\n"
)
OPERATOR = """
#include "register/op_def_registry.h"
namespace ops {
class MyOp : public OpDef {
public:
    explicit MyOp(const char *name) : OpDef(name)
    {
        this->Input("x").ParamType(REQUIRED).DataType({DTYPES});
        this->AICore().AddConfig("ascend910b");
    }
};
OP_ADD(MyOp);
}
"""


@pytest.fixture(scope="module")
def toolchain() -> EmbeddedToolchain:
    return EmbeddedToolchain()


def check(toolchain: EmbeddedToolchain, text: str, host: str = "", chip: str = "Ascend910B1") -> CheckResult:
    files = [SourceFile("op_kernel/my_op.cpp", text)]
    files += [SourceFile("op_host/my_op.cpp", host)] if host else []
    return toolchain.check(CheckRequest("op_kernel/my_op.cpp", tuple(files), chip))


def template(body: str, lists: str = DECLARED + SELECTED) -> str:
    return TEMPLATE.replace("LISTS", lists).replace("BODY", body)


def operator(*dtypes: str) -> str:
    return OPERATOR.replace("DTYPES", ", ".join(f"ge::{dtype}" for dtype in dtypes))


def errors(result: CheckResult) -> list[Finding]:
    return [finding for finding in result.findings if finding.severity is Severity.ERROR]


def test_lists_of_template_tiling_keys_have_nothing_to_say(toolchain: EmbeddedToolchain):
    result = check(toolchain, template("Duplicate(a.template ReinterpretCast<half>(), half(0), 16);"))
    assert (result.outcome, result.findings) == (Outcome.PASSED, ())


def test_the_entry_is_instantiated_with_every_combination(toolchain: EmbeddedToolchain):
    (error,) = errors(check(toolchain, template("if constexpr (mode == 1) { Add(a, a, a, 16); }")))
    assert error.message.startswith("Add takes elements of type half")
    assert error.only_for == ("mode = 1, D_T = DT_INT8",)


def test_a_combination_that_is_not_selected_is_not_checked(toolchain: EmbeddedToolchain):
    assert errors(check(toolchain, template("if constexpr (mode == 2) { Add(a, a, a, 16); }"))) == []


def test_an_error_of_every_combination_is_said_once(toolchain: EmbeddedToolchain):
    (error,) = errors(check(toolchain, template('static_assert(sizeof(D_T) > 8, "narrow");')))
    assert error.only_for == ()


def test_a_parameter_that_follows_an_input_has_its_type_in_the_dtype_column(toolchain: EmbeddedToolchain):
    result = check(toolchain, template("Add(a, a, a, 16);"), operator("DT_FLOAT16"))
    assert (result.outcome, result.findings) == (Outcome.PASSED, ())
    (error,) = errors(check(toolchain, template("Add(a, a, a, 16);"), operator("DT_FLOAT16", "DT_INT8")))
    assert all("dtype int8" in name and "DT_INT8" in name for name in error.only_for)


@pytest.mark.parametrize(
    "lists",
    [
        "#define BOTH 0, \\\n    1\n" + DECLARED + SELECTED.replace("0, 1", "BOTH"),
        "#define PART(name, ...) ASCENDC_TPL_UINT_SEL(name, ASCENDC_TPL_UI_LIST, __VA_ARGS__)\n"
        + DECLARED
        + SELECTED.replace("ASCENDC_TPL_UINT_SEL(mode, ASCENDC_TPL_UI_LIST, 0, 1)", "PART(mode, 0, 1)"),
        DECLARED + SELECTED.replace("ASCENDC_TPL_UI_LIST, 0, 1", "ASCENDC_TPL_UI_RANGE, 1, 0, 1"),
        DECLARED + SELECTED.replace("ASCENDC_TPL_UI_LIST, 0, 1", "ASCENDC_TPL_UI_MIX, 1, 0, 0, 1"),
        "constexpr uint32_t SECOND = 1;\n" + DECLARED + SELECTED.replace("0, 1", "0, SECOND"),
        DECLARED + SELECTED.replace("ASCENDC_TPL_ARGS_SEL(", "ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_KERNEL_TYPE_SEL(0), "),
        DECLARED + f"#if __NPU_ARCH__ == 3510\n{SELECTED.replace('0, 1', '0, 2')}#else\n{SELECTED}#endif\n",
    ],
    ids=["macro of values", "macro of a list", "range", "mix", "constant", "kernel type", "by chip"],
)
def test_lists_are_read_in_every_form(toolchain: EmbeddedToolchain, lists: str):
    text = template('static_assert(mode != 1 || sizeof(D_T) != 1, "seen");', lists)
    (error,) = errors(check(toolchain, text))
    assert "seen" in error.message
    assert len(error.only_for) == 1
    assert "D_T = DT_INT8" in error.only_for[0]


def test_a_selection_names_the_tiling_struct_of_its_combinations(toolchain: EmbeddedToolchain):
    structs = "struct Usual { uint32_t size; };\nstruct Other { uint32_t length; };\n"
    other = SELECTED.replace("FLOAT16, C_DT_INT8)", "INT8), ASCENDC_TPL_TILING_STRUCT_SEL(Other)")
    usual = SELECTED.replace(", C_DT_INT8", "")
    lists = structs + DECLARED + usual.replace(", );", ",") + other.replace("ASCENDC_TPL_SEL(", "")
    reads = "REGISTER_TILING_DEFAULT(Usual); GET_TILING_DATA(data, tiling);"
    right = reads + "if constexpr (sizeof(D_T) == 2) { (void)data.size; }"
    assert errors(check(toolchain, template(reads + "auto copy = data; (void)copy;", lists))) == []
    (error,) = errors(check(toolchain, template(reads + "uint32_t n = data.size;", lists)))
    assert "no member named 'size' in 'Other'" in error.message
    assert all("Other" in finding.message for finding in errors(check(toolchain, template(right, lists))))


def test_a_registered_tiling_struct_is_what_the_kernel_reads(toolchain: EmbeddedToolchain):
    text = template("REGISTER_TILING_DEFAULT(Plain); GET_TILING_DATA(data, tiling); uint32_t n = data.FIELD;")
    text = text.replace("template <", "struct Plain { uint32_t size; };\ntemplate <", 1)
    assert check(toolchain, text.replace("FIELD", "size")).findings == ()
    (error,) = errors(check(toolchain, text.replace("FIELD", "length")))
    assert "no member named 'length' in 'Plain'" in error.message


TILING = """
#include "register/tilingdata_base.h"
#if 0
namespace optiling {
BEGIN_TILING_DATA_DEF(MyOpTilingData)
TILING_DATA_FIELD_DEF(uint32_t, size);
END_TILING_DATA_DEF;
}
#endif
namespace optiling {
BEGIN_TILING_DATA_DEF(MyOpTilingData)
TILING_DATA_FIELD_DEF(uint32_t, tileNum);
TILING_DATA_FIELD_DEF(uint32_t, tileLength);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(MyOp, MyOpTilingData)
}
"""
READS = """
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void my_op(GM_ADDR x, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(data, tiling);
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY)
    uint32_t n = data.tileNum * data.tileLength;
}
"""


def test_a_tiling_struct_that_the_preprocessor_leaves_out_is_not_the_operators(toolchain: EmbeddedToolchain):
    assert check(toolchain, READS, TILING).findings == ()
    (error,) = errors(check(toolchain, READS.replace("tileNum", "size"), TILING))
    assert "no member named 'size'" in error.message


@pytest.mark.parametrize(
    "head", ["struct", "struct alignas(8)", "struct __attribute__((packed)) alignas(alignof(int))"]
)
def test_a_tiling_struct_may_stand_in_the_kernel_too(toolchain: EmbeddedToolchain, head: str):
    plain = f"{head} MyOpTilingData {{ uint32_t tileNum; uint32_t tileLength; }};\nextern"
    assert check(toolchain, READS.replace("extern", plain, 1), TILING).findings == ()


def test_a_class_keeps_a_pointer_to_tiling_data_in_global_memory(toolchain: EmbeddedToolchain):
    text = template("GET_TILING_DATA_PTR_WITH_STRUCT(Plain, data, tiling); Reader reader; reader.Init(data);")
    text = text.replace(
        "template <",
        "struct Plain { uint32_t size; };\n"
        "class Reader {\n"
        "public:\n"
        "    __aicore__ inline void Init(__tiling_data_ptr__ Plain *data) { tiling = data; size = tiling->size; }\n"
        "private:\n"
        "    __tiling_data_ptr__ Plain *tiling;\n"
        "    uint32_t size;\n"
        "};\n"
        "template <",
        1,
    )
    assert check(toolchain, text).findings == ()


KEYED = """
#include "kernel_operator.h"
#define FIRST_KEY 101
#define SECOND_KEY 102
extern "C" __global__ __aicore__ void my_op(GM_ADDR x, GM_ADDR workspace, GM_ADDR tiling)
{
    TILING_KEY_IS(FIRST_KEY);
    TILING_KEY_IS(SECOND_KEY);
#if TILING_KEY_VAR == FIRST_KEY
    uint32_t n = 1;
#elif TILING_KEY_VAR == SECOND_KEY
    uint32_t n = absent;
#endif
}
"""


def test_a_tiling_key_may_be_a_macro(toolchain: EmbeddedToolchain):
    (error,) = errors(check(toolchain, KEYED))
    assert error.only_for == ("tiling key SECOND_KEY",)


def test_of_thousands_of_configurations_those_that_differ_most_are_checked_and_it_is_said(
    toolchain: EmbeddedToolchain,
):
    keys = "\n".join(f"#if TILING_KEY_VAR == {key}\n    uint32_t n{key} = {key};\n#endif" for key in range(600))
    dtypes = ("DT_FLOAT16", "DT_FLOAT", "DT_INT8", "DT_INT16", "DT_INT32", "DT_UINT8", "DT_UINT16", "DT_UINT32")
    body = f"DTYPE_X value = static_cast<DTYPE_X>(0);\n{keys}\nabsent(value);"
    text = KEYED.replace("TILING_KEY_IS(FIRST_KEY);", body)
    result = check(toolchain, text, operator(*dtypes))
    (error,) = errors(result)
    assert "absent" in error.message
    (said,) = [finding for finding in result.findings if finding.code == "embedded/sampled"]
    assert said.severity is Severity.INFORMATION
    assert said.message.startswith("checked 12 of 4,816 configurations")
    found = check(
        toolchain,
        text.replace("absent(value);", "AscendC::LocalTensor<DTYPE_X> t; AscendC::Exp(t, t, 8);"),
        operator(*dtypes),
    )
    (error,) = errors(found)
    assert {name.split(",")[0] for name in error.only_for} == {
        *("dtype int8", "dtype int16", "dtype int32", "dtype uint8", "dtype uint16", "dtype uint32"),
    }


def test_a_check_of_the_foremost_configuration_says_that_there_are_more(toolchain: EmbeddedToolchain):
    text = KEYED.replace("TILING_KEY_IS(FIRST_KEY);", "AscendC::LocalTensor<DTYPE_X> t; AscendC::Exp(t, t, 8);")
    files = (
        SourceFile("op_kernel/my_op.cpp", text.replace("absent", "2")),
        SourceFile("op_host/my_op.cpp", operator("DT_INT8", "DT_FLOAT16", "DT_FLOAT")),
    )
    request = CheckRequest("op_kernel/my_op.cpp", files, "Ascend910B1")
    first, whole = toolchain.check(evolve(request, foremost=True)), toolchain.check(request)
    assert (first.more, whole.more) == (True, False)
    assert [error.only_for for error in errors(first)] == [()]
    assert {name.split(",")[0] for error in errors(whole) for name in error.only_for} == {"dtype int8"}
    single = (SourceFile("op_kernel/my_op.cpp", template("(void)a;")),)
    assert not toolchain.check(CheckRequest("op_kernel/my_op.cpp", single, "Ascend910B1", foremost=True)).more


@given(st.lists(st.integers(1, 5), min_size=1, max_size=4))
def test_every_item_comes_early_and_every_pair_comes_once_it_can(sizes: list[int]):
    chosen = list(covering(sizes))
    assert len(set(chosen)) == len(chosen)
    assert chosen[0] == (0,) * len(sizes)
    early = chosen[: max(sizes)]
    for axis, size in enumerate(sizes):
        assert {items[axis] for items in early} == set(range(size))
        for other in range(axis):
            pairs = {(items[other], items[axis]) for items in chosen}
            assert len(pairs) == sizes[other] * size


def test_a_struct_that_a_kernel_has_only_for_its_tests_comes_from_the_host(toolchain: EmbeddedToolchain) -> None:
    own = """#ifdef __CCE_KT_TEST__
struct MyOpTilingData { uint32_t tileNum; uint32_t tileLength; };
#endif
"""
    kernel = READS.replace("GET_TILING_DATA(data, tiling);", "COPY_TILING_WITH_STRUCT(MyOpTilingData, tiling, data);")
    kernel = kernel.replace("data.", "data->").replace(
        '#include "kernel_operator.h"\n', '#include "kernel_operator.h"\n' + own
    )
    result = check(toolchain, kernel, TILING)
    assert not result.findings


def test_a_constant_that_is_called_like_an_operands_format_is_the_kernels_own(toolchain: EmbeddedToolchain) -> None:
    kernel = """#include "kernel_operator.h"
constexpr uint32_t FORMAT_SMALL_VALUE = 3;
constexpr uint32_t DTYPE_COUNT = 2;
enum Format { FORMAT_FIRST = 1, FORMAT_SECOND = 2 };
template <typename FORMAT_TYPE, uint32_t FORMAT_MODE>
__aicore__ inline FORMAT_TYPE Mode() { return FORMAT_MODE; }
extern "C" __global__ __aicore__ void k(GM_ADDR x)
{
    uint32_t n = FORMAT_SMALL_VALUE + FORMAT_SECOND + DTYPE_COUNT + Mode<uint32_t, 3>();
    (void)n;
}
"""
    assert not check(toolchain, kernel).findings


def test_a_range_of_more_than_is_listed_is_read_as_far_as_it_goes(toolchain: EmbeddedToolchain) -> None:
    lists = DECLARED + SELECTED.replace("ASCENDC_TPL_UI_LIST, 0, 1", "ASCENDC_TPL_UI_RANGE, 2000000000, 0, 1")
    assert check(toolchain, template("", lists)).outcome.is_verdict
