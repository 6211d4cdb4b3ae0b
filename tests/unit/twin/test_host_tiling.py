"""op_host's own tiling functions, compiled and run: the text of an operator and a case in, its tiling out."""

from __future__ import annotations

import csv
import json
import struct
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from kernelgen_ls.kernel.chips import DEFAULT_CHIP, chip_named
from kernelgen_ls.kernel.host import read_host
from kernelgen_ls.kernel.opdef import OperatorDefinition
from kernelgen_ls.runner.execution.cases import Case, CasesError, Tensor
from kernelgen_ls.runner.execution.ended import EndedError
from kernelgen_ls.runner.execution.tiling_bytes import pack_tiling
from kernelgen_ls.runner.jobs.config import Budgets, RunnerConfig
from kernelgen_ls.runner.toolchains import never
from kernelgen_ls.runner.toolchains.twin.compilers import Compiler
from kernelgen_ls.runner.toolchains.twin.host_request import HostTiling, NotTiled
from kernelgen_ls.runner.toolchains.twin.host_tiling import host_tilings

PATIENT = Budgets(check=300, verify=300)
"""However loaded the machine is."""
EXAMPLES = Path(__file__).parents[3] / "examples"


def tensors(*shapes: Sequence[int], dtype: str = "float16", file: str = "") -> tuple[Tensor, ...]:
    return tuple(Tensor(dtype, tuple(shape), file) for shape in shapes)


class Tiler:
    """Runs tiling functions with the machine's compiler."""

    def __init__(self, compiler: Compiler) -> None:
        self._compiler = compiler

    def tile(
        self,
        texts: Mapping[str, str],
        *cases: Case,
        chip: str = DEFAULT_CHIP.soc,
        operator: OperatorDefinition | None = None,
        budgets: Budgets = PATIENT,
    ) -> tuple[HostTiling | NotTiled, ...]:
        operator = operator or read_host(texts).operators[0]
        config = RunnerConfig(budgets=budgets)
        return host_tilings(texts, operator, cases, chip_named(chip), self._compiler, config, never)

    def values(self, body: str, case: Case, definition: str = "", chip: str = DEFAULT_CHIP.soc) -> list[int]:
        """What a tiling function with the statements ``body`` puts into ``out``, one 64-bit number each."""
        found = self.tile({"op_host/probe.cpp": probe(body, definition)}, case, chip=chip)[0]
        assert isinstance(found, HostTiling), found
        count = struct.unpack_from("<q", found.tiling)[0]
        return list(struct.unpack_from(f"<{count}q", found.tiling, 8))


def probe(body: str, definition: str = "", includes: str = "") -> str:
    """An operator ``Probe`` whose tiling function has the statements ``body`` and keeps the numbers in ``out``."""
    return f"""
#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"
#include "tiling/platform/platform_ascendc.h"
#include "tiling/tiling_api.h"
#include "graph/utils/type_utils.h"
{includes}
namespace optiling {{
static ge::graphStatus TilingFunc(gert::TilingContext *context)
{{
    std::vector<int64_t> out;
    {body}
    context->GetRawTilingData()->Append<int64_t>(out.size());
    context->GetRawTilingData()->Append(out.data(), out.size());
    return ge::GRAPH_SUCCESS;
}}
}}
namespace ops {{
class Probe : public OpDef {{
public:
    explicit Probe(const char *name) : OpDef(name)
    {{
        {definition or 'this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT16}).Format({ge::FORMAT_ND});'}
        this->AICore().SetTiling(optiling::TilingFunc);
        this->AICore().AddConfig("ascend910b");
    }}
}};
OP_ADD(Probe);
}}
"""


@pytest.fixture(scope="module")
def tiler(compiler: Compiler) -> Tiler:
    return Tiler(compiler)


ROWS_AND_COLUMNS: dict[str, Callable[[int, int], dict[str, Any]]] = {
    "add_residual": lambda rows, columns: {"totalSize": rows * columns, "tile": 512, "alpha": 0.5},
    "gather_rows": lambda rows, columns: {"rowCount": rows, "width": columns},
    "gelu_quick": lambda rows, columns: {"length": rows * columns, "chunkSize": 512},
    "layer_norm": lambda rows, columns: {"rowTotal": rows, "rowLength": columns},
    "leaky_relu": lambda rows, columns: {"totalElements": rows * columns, "tile": 4096, "slope": 0.01},
    "quant_int8": lambda rows, columns: {"totalElements": rows * columns, "step": 2048, "scale": 12.5},
    "rms_norm": lambda rows, columns: {"rowCount": rows, "colNum": columns},
    "row_mean_square": lambda rows, columns: {"totalRows": rows, "rowLength": columns},
    "silu_mul": lambda rows, columns: {"totalLength": rows * columns, "tileLength": 4096},
    "smooth_l1": lambda rows, columns: {"elementCount": rows * columns, "tileLength": 512},
    "softmax": lambda rows, columns: {"rows": rows, "colsNum": columns},
}


def test_every_example_is_listed() -> None:
    assert {path.name for path in EXAMPLES.iterdir() if path.is_dir()} == ROWS_AND_COLUMNS.keys()


@pytest.mark.parametrize("name", ROWS_AND_COLUMNS)
def test_an_example_computes_what_its_kernel_needs(tiler: Tiler, name: str) -> None:
    folder = EXAMPLES / name
    texts = {p.relative_to(folder).as_posix(): p.read_text() for p in folder.rglob("*") if p.suffix in (".cpp", ".h")}
    host = read_host({path: text for path, text in texts.items() if path.startswith("op_host")})
    rows = list(csv.DictReader((folder / "test_cases.csv").read_text().splitlines(), delimiter=";"))
    shapes = [json.loads(row["shape"]) for row in rows]
    cases = [
        Case(row["case_id"], tensors(*[shape] * len(host.operators[0].inputs), dtype=row["dtype"]), tensors(shape))
        for row, shape in zip(rows, shapes, strict=True)
    ]
    found = tiler.tile(texts, *cases)
    kind = host.tiling_struct(host.operators[0].name)
    assert kind is not None
    for shape, tiling in zip(shapes, found, strict=True):
        *outer, columns = shape
        expected = pack_tiling(kind, ROWS_AND_COLUMNS[name](outer[0] if outer else 1, columns), {})
        assert tiling == HostTiling(expected, 0, DEFAULT_CHIP.vector_cores)


def test_shapes(tiler: Tiler) -> None:
    body = """
    const gert::StorageShape *given = context->GetInputShape(0);
    const gert::Shape &x = given->GetStorageShape();
    out = {(int64_t)x.GetDimNum(), x.GetDim(0), x[2], x.GetShapeSize(), given->GetOriginShape() == x};
    gert::Shape other({4, 5});
    other.AppendDim(6).SetDim(0, 7);
    out.insert(out.end(), {other.GetShapeSize(), (int64_t)other.GetDimNum(), other != x, other.IsScalar()});
    other.SetScalar();
    out.insert(out.end(), {other.IsScalar(), other.GetShapeSize(), gert::Shape({2, -1}).IsUnknownShape()});
    out.push_back(context->GetInputShape(1) == nullptr);
    out.push_back(ge::Shape({2, 3}).GetShapeSize());
    """
    case = Case("a", tensors((2, 3, 5)), tensors((2, 3, 5)))
    assert tiler.values(body, case) == [3, 2, 5, 30, 1, 7 * 5 * 6, 3, 1, 0, 1, 1, 1, 1, 6]


def test_types_and_formats(tiler: Tiler) -> None:
    body = """
    const auto *desc = context->GetInputDesc(0);
    out = {desc->GetDataType() == ge::DT_FLOAT16, desc->GetStorageFormat() == ge::FORMAT_NCHW,
           ge::GetSizeByDataType(desc->GetDataType()), ge::GetSizeByDataType(ge::DT_INT4)};
    uint32_t length = 0;
    out.push_back(ge::TypeUtils::GetDataTypeLength(ge::DT_INT64, length) ? length : 0);
    out.push_back(ge::TypeUtils::DataTypeToSerialString(ge::DT_BF16) == "DT_BF16");
    out.push_back(ge::TypeUtils::FormatToSerialString(desc->GetOriginFormat()) == "NCHW");
    out.push_back(ge::GetPrimaryFormat(ge::FORMAT_FRACTAL_Z | (16 << 8)) == ge::FORMAT_FRACTAL_Z);
    out.push_back(ge::GetSizeInBytes(3, ge::DT_INT4));
    """
    definition = 'this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT16}).Format({ge::FORMAT_NCHW});'
    case = Case("a", tensors((2, 3, 5, 7)), ())
    assert tiler.values(body, case, definition) == [1, 1, 2, 1004, 8, 1, 1, 1, 2]


ATTRIBUTES = """
this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
this->Attr("axis").AttrType(OPTIONAL).Int(-1);
this->Attr("epsilon").AttrType(OPTIONAL).Float(1e-5f * 2);
this->Attr("keep").AttrType(OPTIONAL).Bool(true);
this->Attr("mode").AttrType(OPTIONAL).String("mean");
this->Attr("axes").AttrType(OPTIONAL).ListInt({1, 2, 3});
this->Attr("scales").AttrType(OPTIONAL).ListFloat({0.5f});
this->Attr("flags").AttrType(OPTIONAL).ListBool({true, false});
this->Attr("pads").AttrType(OPTIONAL).ListListInt({{1, 2}, {3}});
this->Attr("needed").AttrType(REQUIRED).Int();
"""
READ_ATTRIBUTES = """
    const auto *attrs = context->GetAttrs();
    out = {(int64_t)attrs->GetAttrNum(), *attrs->GetInt(0), (int64_t)(*attrs->GetFloat(1) * 1e6f + 0.5f),
           *attrs->GetBool(2), (int64_t)std::string(attrs->GetStr(3)).size(), (int64_t)attrs->GetListInt(4)->GetSize(),
           attrs->GetListInt(4)->GetData()[0], (int64_t)(attrs->GetListFloat(5)->GetData()[0] * 4)};
    out.push_back(attrs->GetAttrPointer<gert::TypedContinuousVector<bool>>(6)->GetData()[1]);
    out.push_back(attrs->GetListListInt(7)->Get(1)->GetData()[0]);
    out.push_back(attrs->GetInt(8) == nullptr ? -7 : *attrs->GetAttrPointer<int64_t>(8));
    out.push_back(attrs->GetInt(9) == nullptr);
    out.push_back(attrs->GetAttrPointer<char>(3)[0]);
"""


def test_attributes_have_the_defaults_of_the_definition(tiler: Tiler) -> None:
    case = Case("a", tensors((8,)), ())
    expected = [9, -1, 20, 1, 4, 3, 1, 2, 0, 3, -7, 1, ord("m")]
    assert tiler.values(READ_ATTRIBUTES, case, ATTRIBUTES) == expected


def test_an_attribute_of_another_kind_is_named(tiler: Tiler) -> None:
    case = Case("a", tensors((8,)), (), attributes={"axis": "last"})
    with pytest.raises(CasesError, match="a: the attribute 'axis' is of the kind Int, which 'last' is not"):
        tiler.values("", case, ATTRIBUTES)


def test_the_format_is_that_of_the_column_of_types(tiler: Tiler) -> None:
    definition = """
    this->Input("x").ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT}).Format({ge::FORMAT_ND, ge::FORMAT_NHWC});
    """
    body = "out = {context->GetInputDesc(0)->GetStorageFormat()};"
    assert tiler.values(body, Case("a", tensors((8,), dtype="float16"), ()), definition) == [2]
    assert tiler.values(body, Case("a", tensors((8,), dtype="float32"), ()), definition) == [1]


def test_attributes_that_the_case_gives_come_first(tiler: Tiler) -> None:
    given = {"axis": 2, "epsilon": "0.25", "keep": "False", "mode": "", "axes": [9], "scales": [1, 2.5]}
    given |= {"flags": [False, True], "pads": [[], [4, 5]], "needed": 11}
    case = Case("a", tensors((8,)), (), attributes=given)
    assert tiler.values(READ_ATTRIBUTES, case, ATTRIBUTES) == [9, 2, 250000, 0, 0, 1, 9, 4, 1, 4, 11, 1, 0]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"Keep_Dims": True, "axis": 3}, [3, 1]),
        ({"dim": 3, "keepdim": True}, [3, 1]),
        ({"keep": True, "dim": 3}, [3, 1]),
        ({"reduce_axis": 3}, [3, 0]),
        ({"flag": True, "dim": 3}, [3, 1]),
        ({"other": 3}, [-1, 0]),
    ],
    ids=["spelt otherwise", "called otherwise", "cut short", "said at length", "in another order", "not told apart"],
)
def test_attributes_under_the_names_of_a_reference(tiler: Tiler, given: dict[str, Any], expected: list[int]) -> None:
    definition = """
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    this->Attr("axis").AttrType(OPTIONAL).Int(-1);
    this->Attr("keepDims").AttrType(OPTIONAL).Bool(false);
    """
    body = "out = {*context->GetAttrs()->GetInt(0), *context->GetAttrs()->GetBool(1)};"
    assert tiler.values(body, Case("a", tensors((8,)), (), attributes=given), definition) == expected


def test_operands_that_are_left_out_or_are_several(tiler: Tiler) -> None:
    definition = """
    this->Input("x").ParamType(DYNAMIC).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    this->Input("mask").ParamType(OPTIONAL).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    this->Input("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    this->Output("z").ParamType(DYNAMIC).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    """
    body = """
    const auto rows = [](const gert::StorageShape *shape) { return shape ? shape->GetStorageShape().GetDim(0) : -1; };
    const auto *x = context->GetIrInputInstanceInfo(0);
    out = {(int64_t)context->GetComputeNodeInputNum(), (int64_t)x->GetInstanceNum(), (int64_t)x->GetInstanceStart(),
           rows(context->GetDynamicInputShape(0, 0)), rows(context->GetDynamicInputShape(0, 1)),
           rows(context->GetDynamicInputShape(0, 2)), rows(context->GetOptionalInputShape(1)),
           context->GetOptionalInputDesc(1) == nullptr, context->GetOptionalInputTensor(1) == nullptr,
           rows(context->GetRequiredInputShape(2)), rows(context->GetInputShape(0)), rows(context->GetOutputShape(0)),
           (int64_t)context->GetComputeNodeInfo()->GetInputInstanceInfo(1)->GetInstanceNum()};
    """
    with_mask = Case("a", tensors((1,), (2,), (3,), (4,)), tensors((5,), (6,)))
    assert tiler.values(body, with_mask, definition) == [4, 2, 0, 1, 2, -1, 3, 0, 0, 4, 1, 5, 1]
    without = Case("a", tensors((1,), (2,)), tensors((5,)))
    assert tiler.values(body, without, definition) == [2, 1, 0, 1, -1, -1, -1, 1, 1, 2, 1, 5, 0]


INFER = """
    [](gert::InferShapeContext *context) {
        *context->GetOutputShape(0) = gert::Shape({1});
        *context->GetOutputShape(1) = *context->GetInputShape(0);
        context->GetOutputShape(1)->SetDim(1, 1);
        return RESULT;
    }
"""


@pytest.mark.parametrize(
    ("infer", "expected"),
    [
        (f"SetInferShape({INFER.replace('RESULT', 'ge::GRAPH_SUCCESS')})", [4, 6, 4, 1, 4]),
        (f"SetInferShape({INFER.replace('RESULT', 'ge::GRAPH_FAILED')})", [4, 6]),
        ('Comment("")', [4, 6]),
    ],
)
def test_outputs_that_a_case_leaves_out_have_the_shapes_that_op_host_infers(
    tiler: Tiler, infer: str, expected: list[int]
) -> None:
    body = """
    for (size_t i = 0; i < 3; ++i) {
        const gert::StorageShape *shape = context->GetOutputShape(i);
        for (size_t k = 0; shape != nullptr && k < shape->GetStorageShape().GetDimNum(); ++k) {
            out.push_back(shape->GetStorageShape().GetDim(k));
        }
        if (i == 1 && shape != nullptr) {
            out.push_back(ge::GetSizeByDataType(context->GetOutputDesc(i)->GetDataType()));
        }
    }
    """
    types = ".DataType({ge::DT_FLOAT16}).Format({ge::FORMAT_ND});"
    definition = f"""
        this->Input("x").ParamType(REQUIRED){types}
        this->Output("y").ParamType(REQUIRED){types}
        this->Output("mean").ParamType(REQUIRED){types.replace("16", "")}
        this->Output("more").ParamType(OPTIONAL){types}
        this->{infer};
    """
    assert tiler.values(body, Case("one", tensors([4, 6]), tensors([4, 6])), definition) == expected


def test_the_values_of_an_input_are_there_where_the_definition_asks_for_them(tiler: Tiler, tmp_path: Path) -> None:
    definition = """
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_INT64}).Format({ge::FORMAT_ND});
    this->Input("axes").ParamType(REQUIRED).DataType({ge::DT_INT64}).Format({ge::FORMAT_ND}).ValueDepend(REQUIRED);
    """
    body = """
    const gert::Tensor *axes = context->GetInputTensor(1);
    out = {context->GetInputTensor(0)->GetData<int64_t>() == nullptr, axes->GetData<int64_t>()[1], axes->GetShapeSize(),
           (int64_t)axes->GetSize(), axes->GetDataType() == ge::DT_INT64};
    """
    file = tmp_path / "axes.bin"
    file.write_bytes(struct.pack("<3q", 5, -6, 7))
    tmp_path.chmod(0o755)
    case = Case("a", tensors((3,), (3,), dtype="int64", file=str(file)), ())
    assert tiler.values(body, case, definition) == [1, -6, 3, 24, 1]


def test_the_chip(tiler: Tiler) -> None:
    body = """
    platform_ascendc::PlatformAscendC chip(context->GetPlatformInfo());
    uint64_t ub, l1, l0c, less;
    chip.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub);
    chip.GetCoreMemSize(platform_ascendc::CoreMemType::L1, l1);
    chip.GetCoreMemSize(platform_ascendc::CoreMemType::L0_C, l0c);
    chip.ReserveLocalMemory(platform_ascendc::ReservedSize::RESERVED_SIZE_16K);
    chip.GetCoreMemSize(platform_ascendc::CoreMemType::UB, less);
    std::string text;
    context->GetPlatformInfo()->GetPlatformRes("SoCInfo", "vector_core_cnt", text);
    out = {chip.GetCoreNum(), chip.GetCoreNumAic(), chip.GetCoreNumAiv(), chip.GetCoreNumVector(), (int64_t)ub,
           (int64_t)l1, (int64_t)l0c, (int64_t)(ub - less),
           chip.CalcTschBlockDim(40, 20, 40), chip.CalcTschBlockDim(40, 0, 40),
           chip.GetLibApiWorkSpaceSize(), chip.GetSocVersion() == platform_ascendc::SocVersion::ASCEND910B,
           chip.GetCurNpuArch() == NpuArch::DAV_2201, std::stoll(text),
           platform_ascendc::PlatformAscendCManager::GetInstance()->GetCoreNumAiv()};
    """
    case = Case("a", tensors((8,)), ())
    kib = 1024
    expected = [48, 24, 48, 0, 192 * kib, 512 * kib, 128 * kib, 16 * kib, 20, 40, 16 * kib * kib, 1, 1, 48, 48]
    assert tiler.values(body, case) == expected
    older = [10, 10, 10, 8, 256 * kib, 1024 * kib, 256 * kib, 16 * kib, 40, 40, 2 * kib * kib, 0, 0, 18, 10]
    assert tiler.values(body, case, chip="Ascend310P1") == older


def test_what_is_set_for_the_launch(tiler: Tiler) -> None:
    text = probe(
        """
    context->SetTilingKey(18446744073709551615ULL);
    context->SetBlockDim(7);
    context->SetScheduleMode(1);
    size_t *sizes = context->GetWorkspaceSizes(2);
    sizes[0] = 64;
    sizes[1] = 128;
    out = {context->GetBlockDim(), (int64_t)context->GetWorkspaceNum(), context->SetBlockDim(0) == ge::GRAPH_SUCCESS};
    """
    )
    found = tiler.tile({"op_host/probe.cpp": text}, Case("a", tensors((8,)), ()))[0]
    assert found == HostTiling(struct.pack("<4q", 3, 7, 2, 0), 2**64 - 1, 7, (64, 128), 1)


TILING_CLASSES = """
#include "register/tilingdata_base.h"
namespace optiling {
BEGIN_TILING_DATA_DEF(Inner)
TILING_DATA_FIELD_DEF(uint8_t, small);
TILING_DATA_FIELD_DEF_ARR(int16_t, 3, several);
TILING_DATA_FIELD_DEF(int64_t, wide);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(InnerOp, Inner)
BEGIN_TILING_DATA_DEF(Outer)
TILING_DATA_FIELD_DEF(uint8_t, first);
TILING_DATA_FIELD_DEF_STRUCT(Inner, inner);
TILING_DATA_FIELD_DEF(float, factor);
TILING_DATA_FIELD_DEF_STRUCT(Inner, again);
TILING_DATA_FIELD_DEF(uint16_t, last);
END_TILING_DATA_DEF;
BEGIN_TILING_DATA_DEF(Other)
TILING_DATA_FIELD_DEF(uint32_t, only);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Probe, Outer)
REGISTER_TILING_DATA_CLASS(Probe_2, Other)
}
"""


def tiling_class_probe(body: str) -> dict[str, str]:
    """An operator with the classes above, which the statements ``body`` use."""
    text = probe(f"{body} return ge::GRAPH_SUCCESS;", includes='#include "probe_tiling.h"')
    return {"op_host/probe.cpp": text, "op_host/probe_tiling.h": TILING_CLASSES}


def test_a_tiling_class_is_laid_out_as_the_structure_that_the_kernel_reads(tiler: Tiler) -> None:
    body = """
    Outer tiling;
    int16_t several[] = {-1, -2, -3};
    tiling.set_first(1);
    tiling.inner.set_small(2);
    tiling.inner.set_several(several);
    tiling.inner.set_wide(-4);
    tiling.set_factor(0.5f);
    Outer copy = tiling;
    copy.again.set_wide(copy.inner.get_wide() - copy.inner.get_several()[1]);
    copy.set_last(9);
    copy.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(copy.GetDataSize());
    """
    texts = tiling_class_probe(body)
    host = read_host(texts)
    structs = {one.name: one for one in host.structs}
    inner = {"small": 2, "several": [-1, -2, -3], "wide": -4}
    values = {"first": 1, "inner": inner, "factor": 0.5, "again": {"wide": -2}, "last": 9}
    found = tiler.tile(texts, Case("a", tensors((8,)), ()))[0]
    assert found == HostTiling(pack_tiling(structs["Outer"], values, structs), 0, 1)


def test_the_tiling_data_of_another_key_are_another_class(tiler: Tiler) -> None:
    body = """
    Other tiling;
    tiling.SetDataPtr(context->GetRawTilingData()->GetData());
    tiling.set_only(77);
    context->SetTilingKey(2);
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    """
    texts = tiling_class_probe(body)
    assert tiler.tile(texts, Case("a", tensors((8,)), ()))[0] == HostTiling(struct.pack("<I", 77), 2, 1)


def test_tiling_data_as_a_plain_structure_and_what_the_parse_function_left(tiler: Tiler) -> None:
    text = """
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"
struct Info { int32_t cores = 0; };
struct Plain { uint8_t a; uint64_t b; int32_t c[2]; };
namespace optiling {
ge::graphStatus Parse(gert::TilingParseContext *context)
{
    platform_ascendc::PlatformAscendC chip(context->GetPlatformInfo());
    context->GetCompiledInfo<Info>()->cores = chip.GetCoreNumAiv();
    return ge::GRAPH_SUCCESS;
}
ge::graphStatus Tile(gert::TilingContext *context)
{
    Plain *tiling = context->GetTilingData<Plain>();
    *tiling = {1, 2, {3, reinterpret_cast<const Info *>(context->GetCompileInfo())->cores}};
    return ge::GRAPH_SUCCESS;
}
IMPL_OP_OPTILING(Probe).Tiling(Tile).TilingParse<Info>(Parse);
}
"""
    operator = OperatorDefinition("Probe")
    found = tiler.tile({"op_host/probe_tiling.cpp": text}, Case("a", tensors((8,)), ()), operator=operator)[0]
    assert found == HostTiling(struct.pack("<B7xQ2i", 1, 2, 3, 48), 0, 1)


def test_a_matmul_tiling_has_even_parts_and_leaves_room_in_the_unified_buffer(tiler: Tiler) -> None:
    body = """
    using namespace matmul_tiling;
    auto add = [&](auto &cube, int32_t m, int32_t n) {
        optiling::TCubeTiling tiling;
        cube.SetShape(m, n, 256);
        cube.SetOrgShape(m, n, 256);
        out.insert(out.end(), {cube.GetTiling(tiling), tiling.get_singleCoreM(), tiling.get_singleCoreN(),
                               tiling.get_baseM(), tiling.get_baseN(), tiling.get_mxTypePara()});
    };
    MultiCoreMatmulTiling fixed, free, few;
    fixed.SetDim(2);
    fixed.SetFixSplit(128, 128, -1);
    add(fixed, 1024, 640);
    free.SetCType(TPosition::VECIN, CubeFormat::ND, matmul_tiling::DataType::DT_FLOAT);
    add(free, 512, 640);
    few.SetDim(4);
    few.SetFixSplit(512, 256, -1);
    add(few, 1024, 1024);
    BatchMatmulTiling batch;
    batch.SetBatchInfoForNormal(3, 3, 32, 64, 256);
    optiling::TCubeTiling tiling;
    out.insert(out.end(), {batch.GetTiling(tiling), tiling.get_BatchNum(), tiling.get_M(), tiling.get_singleCoreN()});
    """
    values = tiler.values(body, Case("a", tensors((8,)), ()))
    assert values[:6] == [0, 512, 640, 128, 128, 0]
    base_m, base_n = values[9:11]
    assert values[6:9] == [0, 512, 640]
    assert (512 % base_m, 640 % base_n) == (0, 0)
    assert 2 * base_m * base_n * 4 <= 192 * 1024
    assert values[12] == -1  # a block of 512 KiB is more than L0C has
    assert values[18:] == [0, 3, 32, 64]


def test_a_matmul_tiling_covers_the_product(tiler: Tiler) -> None:
    body = """
    auto chip = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    matmul_tiling::MultiCoreMatmulTiling cube(chip);
    using namespace matmul_tiling;
    cube.SetDim(24);
    cube.SetAType(TPosition::GM, CubeFormat::ND, matmul_tiling::DataType::DT_FLOAT16);
    cube.SetBType(TPosition::GM, CubeFormat::ND, matmul_tiling::DataType::DT_FLOAT16);
    cube.SetCType(TPosition::GM, CubeFormat::ND, matmul_tiling::DataType::DT_FLOAT);
    cube.SetShape(1000, 500, 300);
    cube.SetOrgShape(1000, 500, 300);
    cube.SetBias(true);
    optiling::TCubeTiling tiling;
    int32_t cores, rows, columns;
    out = {cube.GetTiling(tiling), cube.GetCoreNum(cores, rows, columns), tiling.get_M(), tiling.get_N(),
           tiling.get_Ka(), tiling.get_Kb(), tiling.get_singleCoreK(), tiling.get_isBias(), cores, rows, columns,
           tiling.get_singleCoreM(), tiling.get_singleCoreN(), tiling.get_baseM(), tiling.get_baseN(),
           tiling.get_baseK(), tiling.get_usedCoreNum()};
    MatmulApiTiling one(chip);
    one.SetShape(64, 32, 128);
    one.SetFixSplit(32, 16, -1);
    one.GetTiling(tiling);
    out.insert(out.end(), {tiling.get_M(), tiling.get_singleCoreN(), tiling.get_baseM(), tiling.get_baseN()});
    out.push_back(tiling.get_usedCoreNum());
    MatmulApiTiling none(chip);
    out.push_back(none.GetTiling(tiling));
    cube.SetAType(TPosition::TSCM, CubeFormat::NZ, matmul_tiling::DataType::DT_FLOAT16);
    cube.GetTiling(tiling);
    out.push_back(tiling.get_singleCoreM());
    """
    values = tiler.values(body, Case("a", tensors((8,)), ()))
    status, had_cores, *sizes = values[:8]
    assert (status, had_cores, sizes) == (0, 0, [1000, 500, 300, 300, 300, 1])
    cores, rows, columns, single_m, single_n, base_m, base_n, base_k, used = values[8:17]
    assert cores == used == rows * columns <= 24
    assert rows * single_m >= 1000 > (rows - 1) * single_m
    assert columns * single_n >= 500 > (columns - 1) * single_n
    assert base_m % 16 == base_n % 16 == base_k % 16 == 0
    assert base_m * base_k * 2 <= 32 * 1024 >= base_n * base_k * 2
    assert base_m * base_n * 4 <= 128 * 1024
    assert values[17:23] == [64, 32, 32, 16, 1, -1]
    assert values[23:] == [1000]  # a matrix that each kernel lays into L1 is not cut


def test_helpers_of_the_operators_base_library(tiler: Tiler) -> None:
    body = """
    using namespace Ops::Base;
    OP_CHECK_NULL_WITH_CONTEXT(context, context->GetInputShape(0));
    OP_CHECK_IF(context->GetInputShape(0)->GetStorageShape().GetDimNum() != 2, OP_LOGE(context, "rank"),
                return ge::GRAPH_FAILED);
    out = {CeilDiv(7, 2), CeilDiv(-7, 2), CeilDiv(8, 0), FloorDiv(7, 2), CeilAlign(33, 32), FloorAlign(33, 32),
           GetUbBlockSize(context), EnsureNotScalar(gert::Shape()).GetDim(0),
           EnsureNotScalar(gert::Shape({4})).GetDim(0),
           ToString(context->GetInputShape(0)->GetStorageShape()) == "[2, 3]", IsRegbaseSocVersion(context)};
    int32_t room = 0;
    const int32_t value = 5;
    out.push_back(memcpy_s(&room, sizeof(room), &value, sizeof(value)) + room);
    """
    text = probe(body, includes='#include "log/log.h"\n#include "util/math_util.h"\n#include "util/platform_util.h"')
    found = tiler.tile({"op_host/probe.cpp": text}, Case("a", tensors((2, 3)), ()))[0]
    assert isinstance(found, HostTiling), found
    assert struct.unpack_from("<12q", found.tiling, 8) == (4, -3, 8, 3, 64, 32, 32, 1, 4, 1, 0, 5)


def test_the_first_tiling_class_that_can_is_taken(tiler: Tiler) -> None:
    text = """
#include "register/op_def_registry.h"
#include "tiling/tiling_templates_registry.h"
namespace optiling {
template <int number> class Class : public TilingBaseClass {
public:
    using TilingBaseClass::TilingBaseClass;
protected:
    bool IsCapable() override { return context_->GetInputShape(0)->GetStorageShape().GetDimNum() == number; }
    ge::graphStatus GetPlatformInfo() override { return ge::GRAPH_SUCCESS; }
    ge::graphStatus GetShapeAttrsInfo() override { return ge::GRAPH_SUCCESS; }
    ge::graphStatus DoOpTiling() override { return context_->SetBlockDim(number); }
    ge::graphStatus DoLibApiTiling() override { return ge::GRAPH_SUCCESS; }
    uint64_t GetTilingKey() const override { return 100 + number; }
    ge::graphStatus GetWorkspaceSize() override { return ge::GRAPH_SUCCESS; }
    ge::graphStatus PostTiling() override { return ge::GRAPH_SUCCESS; }
};
using Two = Class<2>;
using Three = Class<3>;
REGISTER_TILING_TEMPLATE("Probe", Three, 1);
REGISTER_TILING_TEMPLATE("Probe", Two, 5);
ge::graphStatus Tile(gert::TilingContext *context) { return TilingRegistry::GetInstance().DoTilingImpl(context); }
IMPL_OP_OPTILING(Probe).Tiling(Tile);
}
"""
    operator = OperatorDefinition("Probe")
    cases = [Case("a", tensors(shape), ()) for shape in ((8, 8), (8, 8, 8), (8,))]
    found = tiler.tile({"op_host/probe_tiling.cpp": text}, *cases, operator=operator)
    assert found[:2] == (HostTiling(b"", 102, 2), HostTiling(b"", 103, 3))
    reason = "the tiling function of op_host returned a failure: no tiling class takes the operator"
    assert found[2] == NotTiled(reason)


def test_a_template_tiling_key_tells_the_template_arguments(tiler: Tiler) -> None:
    text = probe(
        "ASCENDC_TPL_SEL_PARAM(context, 3, false, C_DT_BF16); out.push_back(context->GetTilingKey() != 0);",
        includes='#include "ascendc/host_api/tiling/template_argument.h"',
    )
    found = tiler.tile({"op_host/probe.cpp": text}, Case("a", tensors((8,)), ()))[0]
    assert isinstance(found, HostTiling)
    assert found.template_arguments == (3, 0, 27)


def test_temporary_memory_and_the_sizes_of_a_softmax(tiler: Tiler) -> None:
    body = """
    uint32_t most = 0, least = 0, live = 0, extra = 0;
    AscendC::GetTanhMaxMinTmpSize(ge::Shape({64}), 2, false, most, least);
    AscendC::GetTanhTmpBufferFactorSize(2, live, extra);
    optiling::SoftMaxTiling softmax;
    AscendC::SoftMaxTilingFunc(ge::Shape({2, 3, 64}), 4, AscendC::GetSoftMaxMinTmpSize(ge::Shape({64}), 4), softmax);
    out = {most >= least, least > 0, live, softmax.get_srcM(), softmax.get_srcK(), softmax.get_outMaxK(),
           AscendC::IsBasicBlockInSoftMax(softmax)};
    """
    assert tiler.values(body, Case("a", tensors((8,)), ())) == [1, 1, 1, 6, 64, 8, 0]


def test_functions_of_the_library_that_only_name_a_size_or_the_whole(tiler: Tiler) -> None:
    body = """
    uint32_t most = 0, least = 0;
    AscendC::GetSortMaxMinTmpSize(ge::Shape({64}), 4, most, least);
    AscendC::GetLogicalAndMaxMinTmpSize(ge::Shape({64}), 4, false, most, least);
    optiling::SoftMaxTiling flash;
    AscendC::SoftMaxFlashV3TilingFunc(ge::Shape({8, 64}), 2, 4, 4096, flash, true);
    optiling::TCubeTiling product;
    product.set_shareL1Size(7), product.set_shareL0CSize(5);
    matmul_tiling::SysTilingTempBufSize sizes;
    out = {most >= least, least > 0, AscendC::GetConcatTmpSize(chip, 64, 4) > 0, flash.get_srcM(), flash.get_srcK(),
           AscendC::IsBasicBlockInSoftMax(flash), AscendC::IsBasicBlockInSoftMax(flash, 4),
           matmul_tiling::MatmulGetTmpBufSize(product, sizes), sizes.l1Size, sizes.l0cSize};
    """
    body = "platform_ascendc::PlatformAscendC chip(context->GetPlatformInfo());" + body
    assert tiler.values(body, Case("a", tensors((8,)), ())) == [1, 1, 1, 8, 64, 0, 1, 0, 7, 5]


@pytest.mark.parametrize(
    ("tiling", "call", "fields", "expected"),
    [
        (
            "LayerNormTiling",
            "GetLayerNormNDTilingInfo(ge::Shape({2, 3, 64}), 1024, 4, false, t)",
            "bLength sLength hLength originalHLength",
            [2, 3, 64, 64],
        ),
        (
            "RmsNormTiling",
            "GetRmsNormTilingInfo(ge::Shape({3, 64}), ge::Shape({3, 61}), 1024, 4, t)",
            "bLength sLength hLength originalHLength",
            [1, 3, 64, 61],
        ),
        (
            "BatchNormTiling",
            "GetBatchNormNDTilingInfo(ge::Shape({8, 2, 16}), ge::Shape({7, 2, 16}), 1024, 4, false, t)",
            "originalBLength meanVarSize",
            [7, 32],
        ),
        (
            "GroupNormTiling",
            "GetGroupNormNDTilingInfo(ge::Shape({2, 8, 3, 3}), 1024, 2, false, 4, t)",
            "n c hw g d hwAlignSize dhwAlignSize",
            [2, 8, 9, 4, 2, 16, 32],
        ),
        (
            "PadTiling",
            "PadTilingFunc(ge::Shape({2, 3, 15}), ge::Shape({2, 3, 13}), 1024, 2, t)",
            "srcHeight srcWidth srcOriWidth",
            [6, 15, 13],
        ),
    ],
)
def test_the_sizes_of_normalisations_and_paddings(
    tiler: Tiler, tiling: str, call: str, fields: str, expected: list[int]
) -> None:
    read = ", ".join(f"t.get_{field}()" for field in fields.split())
    body = f"optiling::{tiling} t; AscendC::{call}; out = {{{read}}};"
    assert tiler.values(body, Case("a", tensors((8,)), ())) == expected


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (
            'OP_LOGE(context->GetNodeName(), "the rank %ld of %s", 3L, "x"); return ge::GRAPH_FAILED;',
            "the tiling function of op_host returned a failure: the rank 3 of x",
        ),
        ("return ge::GRAPH_FAILED;", "the tiling function of op_host returned a failure"),
        (
            'std::printf("working\\n"); std::printf("rank 3\\n"); return ge::GRAPH_FAILED;',
            "the tiling function of op_host returned a failure: rank 3",
        ),
        (
            "out.push_back(7 / context->GetAttrs()->GetAttrNum());",
            "the tiling function of op_host crashed: it divides by zero",
        ),
        (
            'throw std::runtime_error("no such mode");',
            "the tiling function of op_host returned a failure: it throws: no such mode",
        ),
        (
            "ge::Operator op; op.GetInputDesc(0);",
            "op_host calls ge::Operator::Operator(), which the twin lacks",
        ),
        (
            "extern int nobodyDefinesThis(int); out.push_back(nobodyDefinesThis(1));",
            "op_host calls optiling::nobodyDefinesThis(int), which the twin lacks",
        ),
        ("out.push_back(inC(1));", "op_host calls inC, which the twin lacks"),
        (
            "out.push_back(context->GetInputShape(3)->GetStorageShape().GetDim(0));",
            "the tiling function of op_host crashed: it reads or writes where it has no memory",
        ),
        ("while (true) { std::cout << std::flush; }", "the tiling function of op_host did not come to an end"),
        ("context->GetRawTilingData()->SetDataSize(1 << 30); return ge::GRAPH_SUCCESS;", "op_host returned a failure"),
        ("int x = ;", "op_host was not compiled: op_host/probe.cpp: expected"),
    ],
    ids=[
        "failed",
        "silent",
        "prints",
        "zero",
        "throws",
        "lacks",
        "lacks its own",
        "lacks C",
        "crash",
        "endless",
        "too long",
        "no C++",
    ],
)
def test_a_tiling_that_cannot_be_had_says_why(tiler: Tiler, body: str, reason: str) -> None:
    case = Case("a", tensors((8,)), ())
    text = probe(body, includes='extern "C" int inC(int);')
    budgets = evolve(PATIENT, verify=5) if "while (true)" in body else PATIENT
    found = tiler.tile({"op_host/probe.cpp": text}, case, budgets=budgets)[0]
    assert isinstance(found, NotTiled)
    assert reason in found.reason


def test_a_case_that_fails_leaves_the_others_theirs(tiler: Tiler) -> None:
    body = """
    const int64_t rows = context->GetInputShape(0)->GetStorageShape().GetDim(0);
    if (rows == 2) { return ge::GRAPH_FAILED; }
    if (rows == 4) { abort(); }
    context->SetBlockDim(rows);
    """
    cases = [Case("a", tensors((rows,)), ()) for rows in (1, 2, 3, 4, 5)]
    found = tiler.tile({"op_host/probe.cpp": probe(body)}, *cases)
    assert [one.blocks if isinstance(one, HostTiling) else 0 for one in found] == [1, 0, 3, 0, 5]
    assert found[3] == NotTiled("the tiling function of op_host aborted")


def test_files_that_do_not_compile_do_no_harm_to_those_that_do(tiler: Tiler) -> None:
    texts = {"op_host/probe.cpp": probe("context->SetBlockDim(3);"), "op_host/other.cpp": "#include <nowhere.h>\n"}
    assert tiler.tile(texts, Case("a", tensors((8,)), ()))[0] == HostTiling(struct.pack("<q", 0), 0, 3)


def test_an_operator_that_registers_nothing(tiler: Tiler) -> None:
    text = probe("").replace("this->AICore().SetTiling(optiling::TilingFunc);", "")
    found = tiler.tile({"op_host/probe.cpp": text}, Case("a", tensors((8,)), ()))
    assert found == (NotTiled("op_host registers no tiling function for the operator"),)


def test_cancelling_ends_it(compiler: Compiler) -> None:
    texts = {"op_host/probe.cpp": probe("")}
    operator = read_host(texts).operators[0]
    with pytest.raises(EndedError):
        host_tilings(texts, operator, (Case("a", (), ()),), DEFAULT_CHIP, compiler, RunnerConfig(), lambda: True)
