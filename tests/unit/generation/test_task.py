"""Specifications become tasks; what is missing is asked for."""

import pytest

from kernelgen_ls.kernel.cases.sheet import CaseTable
from kernelgen_ls.kernel.chips import chip_named
from kernelgen_ls.kernel.spec.specification import SpecAttribute, Specification, SpecTensor
from kernelgen_ls.model.generation.sources import read_operator
from kernelgen_ls.model.generation.task import (
    IncompleteSpecificationError,
    ProjectFiles,
    describe,
    task_for,
)
from kernelgen_ls.settings import GenerationMode

CHIP = chip_named("Ascend910B1")
SPEC = Specification(
    name="LeakyAdd",
    formula="y = max(x, 0) + slope * min(x, 0) + bias",
    inputs=(SpecTensor("x", ("float16", "float32"), ("64", "512")), SpecTensor("bias", ("float16", "float32"))),
    outputs=(SpecTensor("y"),),
    attributes=(SpecAttribute("slope", "float", "0.01"),),
    dtypes=("float16", "float32"),
)


def test_an_operator_that_nobody_names_has_the_name_of_its_kernels_file() -> None:
    text = "/* y = (0.5 * x + 1) * x\n * x: float32 [3, 1001]\n * y: float32 [3, 1001]\n */\n"
    named = read_operator({"op_kernel/half_square.cpp": text}, "op_kernel/half_square.cpp").specification
    assert (named.name, named.missing) == ("HalfSquare", ())
    assert read_operator({"api_desc.md": text}).specification.name == ""


def test_a_readme_beside_the_only_op_host_describes_the_operator() -> None:
    readme = "# Larger\n\n`y = exp(x)`\n\nx: half [N, D]\n"
    host = "class Larger : public OpDef {};\n"
    assert read_operator({"README.md": readme, "op_host/larger.cpp": host}).specification.formula == "y = exp(x)"
    several = {"README.md": readme, "a/op_host/a.cpp": host, "b/op_host/b.cpp": host}
    assert read_operator(several).specification.formula == ""


def test_a_static_task() -> None:
    spec = Specification(
        name="Abs", formula="y = |x|", inputs=(SpecTensor("x", ("float16",), ("4", "256")),), outputs=(SpecTensor("y"),)
    )
    task = task_for(spec, CHIP)
    assert task.mode is GenerationMode.STATIC
    assert task.cases == "case_id           0\nx_shape    [4, 256]\ndtype       float16\nName: 0, dtype: object"
    assert "void abs(GM_ADDR x, GM_ADDR y, GM_ADDR workspace)" in task.kernel_template
    assert task.inputs[0].shape == (4, 256)
    assert task.kernel_path == "op_kernel/abs.cpp"


def test_a_dynamic_task_and_a_description() -> None:
    task = task_for(SPEC, CHIP)
    assert task.mode is GenerationMode.DYNAMIC
    assert task.inputs[0].shape == ()
    assert "0        0  [64, 512]          ND  float16   0.01" in task.cases
    text = describe(SPEC)
    assert text.index("## 支持的数据类型\n\n- torch.float16\n- torch.float32") < text.index("## 功能描述")
    assert "def leaky_add(x, bias, slope=0.01):" in text
    assert "- `x`: float16, float32，形状 [64, 512]" in text


def test_the_project_s_own_files_come_first() -> None:
    project = ProjectFiles(
        api_desc="# LeakyAdd\n\n## 功能描述\n\n自己写的。\n",
        kernel='// a\nextern "C" __global__ __aicore__ void leaky_add(GM_ADDR a, GM_ADDR tiling)\n{ work(); }\n',
        kernel_path="src/leaky.cpp",
        cases=CaseTable.parse("case_id;x;dtype\n0;[7];float16\n1;[9, 9];float32\n\n"),
    )
    task = task_for(SPEC, CHIP, mode=GenerationMode.STATIC, project=project, case=1)
    assert task.kernel_template.endswith("void leaky_add(GM_ADDR a, GM_ADDR tiling)\n{\n}\n")
    assert task.api_desc.startswith(
        "# LeakyAdd\n\n## 支持的数据类型\n\n- torch.float16\n- torch.float32\n\n## 功能描述"
    )
    assert "x           [9, 9]" in task.cases
    assert task.kernel_path == "src/leaky.cpp"


def test_all_three_files() -> None:
    task = task_for(SPEC, CHIP, mode=GenerationMode.FULL)
    assert "GM_ADDR workspace, GM_ADDR tiling)" in task.kernel_template
    assert "BEGIN_TILING_DATA_DEF(LeakyAddTilingData)" in task.tiling_template
    assert '#include "leaky_add_tiling.h"' in task.host_template
    assert ".DataType({ge::DT_FLOAT16, ge::DT_FLOAT})" in task.host_template
    assert 'this->Attr("slope").AttrType(OPTIONAL).Float(0.01);' in task.host_template
    assert 'AddConfig("ascend910b")' in task.host_template


@pytest.mark.parametrize(
    ("spec", "mode", "missing"),
    [
        (Specification(), GenerationMode.AUTO, ("name", "formula", "inputs", "outputs", "dtypes")),
        (SPEC, GenerationMode.AUTO, ()),
        (
            Specification(name="A", description="adds", inputs=(SpecTensor("x"),)),
            GenerationMode.STATIC,
            ("outputs", "dtypes", "shapes"),
        ),
    ],
)
def test_what_is_missing_is_asked_for(spec: Specification, mode: GenerationMode, missing: tuple[str, ...]) -> None:
    if not missing:
        assert task_for(spec, CHIP, mode=mode)
        return
    with pytest.raises(IncompleteSpecificationError) as error:
        task_for(spec, CHIP, mode=mode)
    assert error.value.missing == missing
    assert "write" in str(error.value)


def test_cases_are_read_as_they_are() -> None:
    table = CaseTable.parse('\ufeffa;b\n1;"[2; 3]"\n4\n')
    assert table.names == ("a", "b")
    assert table.rows == (("1", "[2; 3]"), ("4", ""))
    assert CaseTable.parse("") == CaseTable((), ())
