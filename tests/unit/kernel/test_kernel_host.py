"""What op_host says: tiling structs and operator definitions, as the texts of operators."""

# ruff: noqa: E501 the texts are laid out as developers write them

from __future__ import annotations

import pytest

from kernelgen_ls.kernel.chips import chip_named
from kernelgen_ls.kernel.host import HostContext, TilingField, dtype_columns, read_host, snake_case, tiling_header

TILING = """
#include "register/tilingdata_base.h"
namespace optiling {
constexpr uint32_t MAX_CORES = 4 * 12;
BEGIN_TILING_DATA_DEF(CoreParams)
  TILING_DATA_FIELD_DEF(uint32_t, cores);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(CoreParamsOp, CoreParams)
BEGIN_TILING_DATA_DEF(MyOpTilingData)
  TILING_DATA_FIELD_DEF(uint32_t, totalLength); // elements
  TILING_DATA_FIELD_DEF_ARR(int64_t, MAX_CORES, starts);
  TILING_DATA_FIELD_DEF_ARR(int64_t, UNKNOWN, rest);
  TILING_DATA_FIELD_DEF_STRUCT(CoreParams, core);
  TILING_DATA_FIELD_DEF_STRUCT(TCubeTiling, matmul);
  // TILING_DATA_FIELD_DEF(uint32_t, gone);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(MyOp, MyOpTilingData)
REGISTER_TILING_DATA_CLASS(MyOp_7, CoreParams)
}
"""


def opdef(body: str, before: str = "") -> HostContext:
    text = f"""{before}
namespace ops {{
class MyOp : public OpDef {{
public:
    explicit MyOp(const char* name) : OpDef(name)
    {{
        {body}
    }}
}};
OP_ADD(MyOp);
}}
"""
    return read_host({"op_host/my_op.cpp": text})


def columns(host: HostContext, *families: str) -> list[dict[str, str]]:
    return [dict(column.defines) for column in dtype_columns(host.operators[0], *families)]


def test_tiling_structs_become_a_header() -> None:
    host = read_host({"op_host/my_op_tiling.h": TILING})
    assert tiling_header(host.structs) == (
        "#pragma once\n"
        "#include <cstdint>\n"
        '#include "kernel_tiling/kernel_tiling.h"\n'
        "struct CoreParams {\n"
        "  uint32_t cores;\n"
        "};\n"
        "struct MyOpTilingData {\n"
        "  uint32_t totalLength;\n"
        "  int64_t starts[48];\n"
        "  int64_t rest[4096];\n"
        "  CoreParams core;\n"
        "  TCubeTiling matmul;\n"
        "};\n"
    )


def test_nested_structs_come_first_whatever_their_order() -> None:
    text = (
        "BEGIN_TILING_DATA_DEF(Outer)\nTILING_DATA_FIELD_DEF_STRUCT(Inner, inner);\nEND_TILING_DATA_DEF;\n"
        "BEGIN_TILING_DATA_DEF(Inner)\nTILING_DATA_FIELD_DEF(float, a);\nEND_TILING_DATA_DEF;\n"
    )
    header = tiling_header(read_host({"a.h": text}).structs)
    assert header.index("struct Inner") < header.index("struct Outer")
    assert "kernel_tiling" not in header


def test_where_a_struct_is_declared() -> None:
    struct = read_host({"op_host/my_op_tiling.h": TILING}).structs[1]
    assert (struct.path, struct.line) == ("op_host/my_op_tiling.h", 8)
    assert struct.fields[1] == TilingField("int64_t", "starts", "MAX_CORES", 48)


@pytest.mark.parametrize(
    ("operator", "key", "struct"),
    [("MyOp", None, "MyOpTilingData"), ("MyOp", 7, "CoreParams"), ("MyOp", 1, "MyOpTilingData"), ("Other", None, None)],
)
def test_the_struct_of_an_operator_and_a_key(operator: str, key: int | None, struct: str | None) -> None:
    found = read_host({"t.h": TILING}).tiling_struct(operator, key)
    assert (found.name if found else None) == struct


def test_a_constant_may_come_from_a_later_file() -> None:
    host = read_host(
        {
            "a.h": "BEGIN_TILING_DATA_DEF(T)\nTILING_DATA_FIELD_DEF_ARR(int, N, x);\nEND_TILING_DATA_DEF;",
            "b.h": "#define N 12\n",
        }
    )
    assert host.structs[0].fields[0].elements == 12


def test_columns_are_defines() -> None:
    host = opdef(
        'this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_BF16}).Format({ge::FORMAT_ND, ge::FORMAT_ND});'
        'this->Output("y").ParamType(REQUIRED).DataType({ge::DT_BOOL, ge::DT_INT32}).Format({ge::FORMAT_ND, ge::FORMAT_NCHW});'
    )
    assert columns(host) == [
        {
            "DTYPE_X": "half",
            "ORIG_DTYPE_X": "DT_FLOAT16",
            "FORMAT_X": "FORMAT_ND",
            "DTYPE_Y": "bool",
            "ORIG_DTYPE_Y": "DT_BOOL",
            "FORMAT_Y": "FORMAT_ND",
        },
        {
            "DTYPE_X": "bfloat16_t",
            "ORIG_DTYPE_X": "DT_BF16",
            "FORMAT_X": "FORMAT_ND",
            "DTYPE_Y": "int32_t",
            "ORIG_DTYPE_Y": "DT_INT32",
            "FORMAT_Y": "FORMAT_NCHW",
        },
    ]
    assert [column.name for column in dtype_columns(host.operators[0])] == ["float16, bool", "bfloat16, int32"]


@pytest.mark.parametrize(
    ("before", "given"),
    [
        ("", "{ge::DT_FLOAT, ge::DT_INT8}"),
        ("static const std::vector<ge::DataType> types = {ge::DT_FLOAT, ge::DT_INT8};", "types"),
        (
            "static const std::vector<ge::DataType> first{ge::DT_FLOAT, ge::DT_INT8};\nconst std::vector<ge::DataType> types = first;",
            "types",
        ),
        (
            "std::vector<ge::DataType> base = {ge::DT_FLOAT16, ge::DT_INT32};\nstd::vector<ge::DataType> types;\n"
            "ge::DataType Widen(ge::DataType t) { switch (t) { case ge::DT_BF16:\n case ge::DT_FLOAT16: return ge::DT_FLOAT;"
            " default: return ge::DT_INT8; } }\n"
            "std::for_each(base.cbegin(), base.cend(), [&](ge::DataType t) { types.push_back(Widen(t)); });",
            "types",
        ),
    ],
)
def test_dtypes_written_in_any_form(before: str, given: str) -> None:
    host = opdef(f'this->Input("x").DataType({given});', before)
    assert host.operators[0].inputs[0].dtypes == ("DT_FLOAT", "DT_INT8")


def test_a_list_of_equal_values() -> None:
    host = opdef(
        'this->Input("x").DataType({ge::DT_FLOAT}).Format(formats);',
        "std::vector<ge::Format> formats(3, ge::FORMAT_ND);",
    )
    assert host.operators[0].inputs[0].formats == ("FORMAT_ND",) * 3


def test_equal_columns_are_one() -> None:
    host = opdef('this->Input("x").DataType({ge::DT_FLOAT, ge::DT_FLOAT, ge::DT_FLOAT16});')
    assert [column.index for column in dtype_columns(host.operators[0])] == [0, 2]


def test_a_followed_operand_has_the_types_it_follows() -> None:
    host = opdef('this->Input("x").DataType({ge::DT_FLOAT, ge::DT_INT8}); this->Output("y").Follow("x");')
    assert [column["DTYPE_Y"] for column in columns(host)] == ["float", "int8_t"]


def test_a_chip_may_override_operands() -> None:
    host = opdef(
        'this->Input("x").DataType({ge::DT_FLOAT, ge::DT_BF16});'
        'this->AICore().AddConfig("ascend910b");'
        'OpAICoreConfig old; old.Input("x").DataType({ge::DT_FLOAT16});'
        'this->AICore().AddConfig("ascend310p", old);'
    )
    assert [config.soc for config in host.operators[0].configs] == ["ascend910b", "ascend310p"]
    assert [column["DTYPE_X"] for column in columns(host, "ascend310p")] == ["half"]
    assert [column["DTYPE_X"] for column in columns(host, "ascend910b")] == ["float", "bfloat16_t"]


@pytest.mark.parametrize("written", ["ascend950", "ascend910_95"])
def test_a_family_is_overridden_under_its_former_name_too(written: str) -> None:
    chip = chip_named("Ascend950")
    host = opdef(
        'this->Input("x").DataType({ge::DT_FLOAT});'
        f'OpAICoreConfig own; own.Input("x").DataType({{ge::DT_FLOAT16}}); this->AICore().AddConfig("{written}", own);'
    )
    assert [column["DTYPE_X"] for column in columns(host, chip.config_name, *chip.former_config_names)] == ["half"]


def test_attributes() -> None:
    host = opdef(
        'this->Attr("eps").AttrType(OPTIONAL).Float(1e-6); this->Attr("axis").AttrType(REQUIRED).Int();'
        'this->Attr("mode").String("mean");'
    )
    assert [(item.name, item.required, item.type, item.default) for item in host.operators[0].attributes] == [
        ("eps", False, "Float", "1e-6"),
        ("axis", True, "Int", None),
        ("mode", True, "String", '"mean"'),
    ]


def test_an_operator_is_found_by_its_kernel() -> None:
    host = opdef('this->Input("x").DataType({ge::DT_FLOAT});')
    assert host.operator_for("my_op") is host.operators[0]
    assert host.operator_for("anything") is host.operators[0]
    assert HostContext().operator_for("my_op") is None


@pytest.mark.parametrize(
    ("operator", "kernel"),
    [
        ("AddCustom", "add_custom"),
        ("GeGluV2", "ge_glu_v2"),
        ("TopKV3", "top_kv3"),
        ("SwiGLUGrad", "swi_glu_grad"),
        ("Abs", "abs"),
    ],
)
def test_kernel_names(operator: str, kernel: str) -> None:
    assert snake_case(operator) == kernel


@pytest.mark.parametrize("text", ["", "class X : public OpDef {", "BEGIN_TILING_DATA_DEF(", 'this->Input("x', "\x00"])
def test_broken_texts_say_nothing(text: str) -> None:
    assert tiling_header(read_host({"a.cpp": text}).structs).startswith("#pragma once")


def test_an_operator_whose_name_ends_like_a_part_of_a_definition_has_no_such_part() -> None:
    text = """
class QuantAttr : public OpDef {
public:
    explicit QuantAttr(const char *name) : OpDef(name)
    {
        this->Attr("scale").AttrType(OPTIONAL).Float(0.05);
    }
};
"""
    (operator,) = read_host({"op_host/quant_attr.cpp": text}).operators
    assert [one.name for one in operator.attributes] == ["scale"]
