"""What a developer wrote about an operator in, the cases of its kernel out: in hands unlike those of the examples."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kernelgen_ls.kernel.cases.case import MadeCases, NotMade
from kernelgen_ls.kernel.cases.written import cases_file
from kernelgen_ls.kernel.chips import chip_named
from kernelgen_ls.work.made_cases import made_cases

CHIP = chip_named("Ascend910B1")


def kernel(name: str, parameters: str, comment: str = "", body: str = "") -> str:
    listed = ", ".join(f"GM_ADDR {one}" for one in parameters.split())
    head = f'#include "kernel_operator.h"\n{comment}\nextern "C" __global__ __aicore__'
    return f"{head} void {name}({listed}) {{ {body} }}\n"


def made(name: str, **texts: str) -> MadeCases | NotMade:
    """The cases of ``name``, whose kernel is ``kernel``; other texts are files by name, ``_`` for the dot."""
    files = {f"op_kernel/{name}.cpp": texts.pop("kernel")}
    files |= {path.replace("__", "/").replace("_dot_", "."): text for path, text in texts.items()}
    return made_cases(files, f"op_kernel/{name}.cpp", name, CHIP)


def lines(found: MadeCases | NotMade) -> list[str]:
    """A line a case: its name, the shapes of its inputs with what bounds indices, and its outputs' types."""
    assert isinstance(found, MadeCases), found
    said = []
    for case in found.cases:
        inputs = [
            f"{name}{list(one.shape)}{f' < {one.below}' if one.below else ''}" for name, one in case.inputs.items()
        ]
        outputs = [f"{name} {dtype}" for name, dtype in case.outputs.items()]
        said.append(f"{case.name}: {', '.join(inputs)} -> {', '.join(outputs)}{' ?' if case.tentative else ''}")
    return said


def test_a_comment_above_a_kernel_of_fixed_shapes() -> None:
    comment = (
        "// formula: z = x * y + x\n// in x: float16 [131072]\n// in y: float16 [131072]\n// out z: float16 [131072]"
    )
    found = made("mul_add", kernel=kernel("mul_add", "x y z", comment, "uint32_t n = 131072 / GetBlockNum();"))
    assert lines(found) == [
        "[131072] float16: x[131072], y[131072] -> z float16",
        "zeros, [131072] float16: x[131072], y[131072] -> z float16",
        "up to 100, [131072] float16: x[131072], y[131072] -> z float16",
    ]
    assert isinstance(found, MadeCases)
    assert (found.origin, found.blocks, found.guessed) == ("the comment above mul_add", 8, True)


MODULE = """
import torch
import torch.nn as nn
import kernel_gen_ops


class Model(nn.Module):
    def __init__(self, scale: float):
        \"\"\"Keeps the scale.\"\"\"
        super(Model, self).__init__()
        self.scale = scale

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return scaled(torch.softmax(x, dim=0), self.scale)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return kernel_gen_ops.scaled_softmax(x, self.scale)


def scaled(values, by):
    return values * by
"""
SOFTMAX = "// in x: float32 [64, 32]\n// out y: float32 [64, 32]\n// attr scale: float = 2.0"


def softmax(comment: str = SOFTMAX, **texts: str) -> MadeCases | NotMade:
    return made("scaled_softmax", kernel=kernel("scaled_softmax", "x y tiling", comment), **texts)


def test_reference_code_beside_an_operator_gives_the_golden_outputs() -> None:
    found = softmax(validation__module_dot_py=MODULE)
    assert lines(found)[0] == "[64, 32] float32: x[64, 32] -> y float32"
    assert isinstance(found, MadeCases)
    assert found.origin == "the reference code of module.py and the comment above scaled_softmax"
    assert "torch.softmax(x, dim=0)" in found.formula and "def scaled(values, by)" in found.formula
    assert "import" not in found.formula and "ModelNew" not in found.formula
    compile(cases_file(found), "scaled_softmax_cases.py", "exec")


@pytest.mark.parametrize(
    ("formula", "taken"),
    [
        ("y = softmax(x, dim=0) * scale", "y = softmax(x, dim=0) * scale"),
        # What leaves something open, is not understood or gives something else gives way to the code.
        ("y = exp(x) / sum(exp(x)) * scale", "def forward"),
        ("y = the_usual(x)", "def forward"),
        ("y, z = x + scale, x", "def forward"),
    ],
)
def test_a_formula_comes_before_reference_code_where_it_leaves_nothing_open(formula: str, taken: str) -> None:
    found = softmax(f"// formula: {formula}\n{SOFTMAX}", validation__module_dot_py=MODULE)
    assert isinstance(found, MadeCases)
    assert taken in found.formula
    assert not found.assumptions


def test_a_formula_that_leaves_something_open_is_better_than_none_and_says_so() -> None:
    comment = f"// formula: y = exp(x) / sum(exp(x)) * scale\n{SOFTMAX}"
    found = softmax(comment, validation__module_dot_py=MODULE.replace("torch.softmax", "torch.mystery"))
    assert isinstance(found, MadeCases)
    assert found.assumptions == ("the last axis taken for what a reduction without `dim` goes over",)
    assert list(found.readings.values()) == [
        "y = exp(x) / sum(exp(x), dim=-1, keepdim=True) * scale",
        "y = exp(x) / sum(exp(x), dim=None) * scale",
    ]
    assert "any of which is right: leave the one that is meant" in cases_file(found)


@pytest.mark.parametrize(
    ("formula", "declared", "readings"),
    [
        ("y = sum(x)", "y: float32 [64]", ["y = sum(x, dim=-1, keepdim=True)\ny = squeeze(y, dim=-1)"]),
        ("y = sum(x)", "y: float32 [32]", ["y = sum(x, dim=0, keepdim=True)\ny = squeeze(y, dim=0)"]),
        ("y = sum(x)", "y: float32 [1]", ["y = sum(x, dim=None)"]),
        ("y = x / sum(x)", "y: float32 [64, 32]\n// Row-wise.", ["y = x / sum(x, dim=-1, keepdim=True)"]),
        ("y = x / sum(x)", "y: float32 [64, 32]\n// 逐列归一化", ["y = x / sum(x, dim=0, keepdim=True)"]),
        ("y = x / sum(x)", "y: float32 [64, 32]\n// The sum over all elements.", ["y = x / sum(x, dim=None)"]),
        ("y = x / var(x, dim=-1, keepdim=True)", "y: float32 [64, 32]",
         [f"y = x / var(x, dim=-1, keepdim=True, correction={less})" for less in (0, 1)]),
    ],
)  # fmt: skip
def test_what_else_is_said_decides_what_a_formula_means(formula: str, declared: str, readings: list[str]) -> None:
    comment = f"// formula: {formula}\n// in x: float32 [64, 32]\n// out {declared}"
    found = made("f", kernel=kernel("f", "x y tiling", comment))
    assert isinstance(found, MadeCases), found
    assert (list(found.readings.values()) or [found.formula]) == readings


def test_reference_code_that_is_not_understood_says_where() -> None:
    found = softmax(validation__module_dot_py=MODULE.replace("torch.softmax", "torch.mystery"))
    assert isinstance(found, NotMade)
    assert "is not understood at `torch.mystery`" in found.reason


@pytest.mark.parametrize(
    "comment",
    [
        "/**\n * Adds.\n *\n * ```python\n * def add(x, z):\n *     s = x + z\n *     return s * 2\n * ```\n"
        " * dtypes: float16\n * shape: [512]\n */",
        "// dtypes: float16\n// shape: [512]\n// @code{.py}\n// def add(x, z):\n//     s = x + z\n"
        "//     return s * 2\n// @endcode",
    ],
)
def test_reference_code_in_the_comment_above_a_kernel(comment: str) -> None:
    found = made("twice_sum", kernel=kernel("twice_sum", "x z out", comment, "constexpr uint32_t n = 512;"))
    assert lines(found)[0] == "[512] float16: x[512], z[512] -> out float16"
    assert isinstance(found, MadeCases)
    assert found.formula == "def add(x, z):\n    s = x + z\n    return s * 2"


def test_reference_code_in_a_description() -> None:
    described = """# aclnnScaledAbs

## Functional Description

```python
def scaled_abs(x: torch.Tensor, scale: float = 2.0) -> torch.Tensor:
    return torch.abs(x) * scale
```

## Data Types

float16

## Usage Example

```python
y = kernel_gen_ops.scaled_abs(x)
```
"""
    found = made("scaled_abs", kernel=kernel("scaled_abs", "x y tiling"), api_desc_dot_md=described)
    assert isinstance(found, MadeCases), found
    assert found.origin == "the reference code of api_desc.md with shapes that nobody says"
    assert lines(found)[0].endswith("-> out float16")
    assert found.cases[0].attributes == {"scale": 2.0}


@pytest.mark.parametrize(
    ("code", "blocks", "guessed"),
    [
        ("", 1, False),
        ("constexpr int32_t USE_CORE_NUM = 40; uint32_t at = 64 * GetBlockIdx();", 40, False),
        ("constexpr uint32_t SHARE = 256; uint32_t at = GetBlockIdx() * SHARE;", 16, False),
        ("constexpr uint32_t SHARE = 256; uint32_t at = SHARE * AscendC::GetBlockIdx();", 16, False),
        ("uint32_t at = 4096 / GetBlockNum() * GetBlockIdx();", 8, True),
    ],
)
def test_on_how_many_blocks_a_kernel_without_a_host_is_launched(code: str, blocks: int, guessed: bool) -> None:
    found = made("twice", kernel=kernel("twice", "x y", "// y = 2 * x\n// dtypes: float32\n// shape: [4096]", code))
    assert isinstance(found, MadeCases)
    assert (found.blocks, found.guessed) == (blocks, guessed)


def test_doxygen_with_named_dimensions_and_two_types() -> None:
    comment = """/**
 * @brief Root mean square over the last axis.
 * formula: y = x / sqrt(mean(x * x, dim=-1, keepdim=True) + eps) * gamma
 * @param[in] x: float16, float32 [N, D]
 * @param[in] gamma: [D]
 * @param[out] y: [N, D]
 * attr eps: float = 1e-6
 */"""
    code = kernel("rms", "x gamma y workspace tiling", comment, "DTYPE_X v;")
    assert lines(made("rms", kernel=code)) == [
        "[16, 512] float16: x[16, 512], gamma[512] -> y float16",
        "[16, 512] float32: x[16, 512], gamma[512] -> y float32",
        "zeros, [16, 512] float16: x[16, 512], gamma[512] -> y float16",
        "up to 100, [16, 512] float16: x[16, 512], gamma[512] -> y float16",
        "times 0.001, [16, 512] float16: x[16, 512], gamma[512] -> y float16",
        "odd tail, [3, 509] float32: x[3, 509], gamma[509] -> y float32 ?",
        "one element, [1, 1] float16: x[1, 1], gamma[1] -> y float16 ?",
    ]


OPDEF = """#include "register/op_def_registry.h"
namespace ops {
class PickRows : public OpDef {
public:
    explicit PickRows(const char *name) : OpDef(name)
    {
        this->Input("params").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Input("ids").ParamType(REQUIRED).DataType({ge::DT_INT32, ge::DT_INT64}).Format({ge::FORMAT_ND});
        this->Output("out").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->AICore().AddConfig("ascend910b");
    }
};
OP_ADD(PickRows);
}
"""


def test_an_opdef_gives_the_types_and_a_comment_the_rest_in_names_of_its_own() -> None:
    comment = "// out[i] = table[ids[i]]\n// in table: [R, C]\n// in ids: [K]"
    found = made(
        "pick_rows", kernel=kernel("pick_rows", "params ids out tiling", comment), op_host__pick_rows_dot_cpp=OPDEF
    )
    assert lines(found)[:2] == [
        "[16, 512] float16, int32: table[16, 512], ids[64] < 16 -> out float16",
        "[16, 512] float32, int64: table[16, 512], ids[64] < 16 -> out float32",
    ]


DEFINITION = json.dumps(
    [
        {
            "op": "ClampScale",
            "input_desc": [{"name": "x", "param_type": "required", "format": ["ND", "ND"], "type": ["fp16", "float"]}],
            "output_desc": [{"name": "y", "param_type": "required", "format": ["ND", "ND"], "type": ["fp16", "float"]}],
            "attr": [{"name": "limit", "param_type": "optional", "type": "float", "default_value": "6.0"}],
        }
    ]
)


def test_a_definition_in_json_with_the_formula_above_the_kernel() -> None:
    comment = "// y = min(max(x, 0), limit) * 0.5"
    code = kernel("clamp_scale", "x y workspace tiling", comment, "LocalTensor<half> t;")
    found = made("clamp_scale", kernel=code, clamp_scale_dot_json=DEFINITION)
    assert lines(found)[0] == "[16, 1024] float16: x[16, 1024] -> y float16"
    assert isinstance(found, MadeCases)
    assert [case.attributes for case in found.cases] == [{"limit": 6.0}] * len(found.cases)
    assert found.origin == "the comment above clamp_scale with shapes that nobody says"
    assert not any(case.tentative for case in found.cases)


CHINESE = """# aclnnBiasGelu

## 功能描述

先加偏置再做 GELU 激活。

$$
y = gelu(x + bias)
$$

## 支持的数据类型

- torch.float32

## 接口定义

### 输入

| 参数名 | 输入/输出 | 描述 |
|---|---|---|
| x | 输入 | 形状 [B, S, 1024] 的张量，ND 格式 |
| bias | 输入 | 形状 [1024] 的张量 |
| y | 输出 | 与 x 形状相同的张量 |
{rule}
"""


def test_a_chinese_description_with_a_table() -> None:
    code = kernel("bias_gelu", "x bias y workspace tiling")
    assert lines(made("bias_gelu", kernel=code, api_desc_dot_md=CHINESE.format(rule=""))) == [
        "[16, 4, 1024] float32: x[16, 4, 1024], bias[1024] -> y float32",
        "zeros, [16, 4, 1024] float32: x[16, 4, 1024], bias[1024] -> y float32",
        "up to 1000, [16, 4, 1024] float32: x[16, 4, 1024], bias[1024] -> y float32",
        "odd rows, [7, 4, 1024] float32: x[7, 4, 1024], bias[1024] -> y float32 ?",
        "one row, [1, 1, 1024] float32: x[1, 1, 1024], bias[1024] -> y float32 ?",
    ]
    aligned = made(
        "bias_gelu", kernel=code, api_desc_dot_md=CHINESE.format(rule="\n## 约束\n\n- B 必须是 16 的整数倍。")
    )
    assert not any(line.endswith("?") for line in lines(aligned))


def test_rows_of_test_cases_with_columns_of_their_own() -> None:
    table = (
        "case_name;x_shape;gamma_shape;data_type;eps\n"
        "small;[8, 100];[100];float16;1e-5\nlarge;(64, 2048);(2048);torch.float32;1e-6\n"
    )
    comment = "// y = rms_norm(x, eps=eps) * gamma\n// in x: [N, D]\n// in gamma: [D]\n// attr eps: float"
    found = made(
        "rms", kernel=kernel("rms", "x gamma y tiling", comment + "\n// dtypes: float16, float32", "DTYPE_X v;"),
        test_cases_dot_csv=table,
    )  # fmt: skip
    assert lines(found)[:2] == [
        "[8, 100] float16: x[8, 100], gamma[100] -> y float16",
        "[64, 2048] float32: x[64, 2048], gamma[2048] -> y float32",
    ]
    assert isinstance(found, MadeCases)
    assert [case.attributes for case in found.cases[:2]] == [{"eps": 1e-5}, {"eps": 1e-6}]
    assert found.origin == "the comment above rms and test_cases.csv"


def test_numbers_that_a_formula_has_values_for() -> None:
    def domain(formula: str) -> tuple[str, list[int | None]]:
        comment = f"// {formula}\n// dtypes: float32\n// shape: [N]"
        found = made("f", kernel=kernel("f", "x y tiling", comment))
        assert isinstance(found, MadeCases), found
        return found.domain.value, [case.largest for case in found.cases if case.largest is not None]

    assert domain("y = exp(x)") == ("normal", [0, 10])
    assert domain("y = log(x)") == ("positive", [])
    assert domain("y = asin(x)") == ("unit", [0])
    assert domain("y = 1 / x") == ("normal", [1000])


@pytest.mark.parametrize(
    ("comment", "said"),
    [
        ("// Adds things.", "no golden outputs: nobody says what f computes; write a line 'formula:"),
        ("// y = mystery(x)\n// dtypes: float16\n// shape: [N]", "the formula is not understood at `mystery`"),
        ("// y = 2 * x\n// shape: [N]", "nobody says the element types: name the element types"),
        ("// y = a * x\n// in x: float16 [N]\n// out y: float16 [N]\n// attr a: float", "a has no default; write"),
        ("// y = x @ w\n// in x: float16 [M, K]\n// in w: float16 [N, K]\n// out y: float16 [M, N]",
         "no golden outputs: the formula has no value for these inputs"),
        ("// y = 2 * x\n// in x: float16 [N]\n// in w: float16 [N]\n// out y: float16 [N]", "does not read w"),
        ("// y = x * 2\n// in x: float16 [65536, 1024]\n// out y: float16 [65536, 1024]", "too large for golden"),
        ("// y = x + w\n// in x: float16 [N]\n// in w: float16\n// out y: float16 [N]", "nobody says the shape of w"),
        ("// y = sum(x ^ w, dim=-1)\n// in x: float16 [N, 8]\n// in w: float16 [1]\n// out y: float16 [N]",
         "nobody says which exponents w takes"),
    ],
)  # fmt: skip
def test_what_is_missing_is_said_with_the_next_step(comment: str, said: str) -> None:
    found = made("f", kernel=kernel("f", "x w y tiling", comment))
    assert isinstance(found, NotMade)
    assert said in found.reason


def test_a_kernel_that_reads_no_tiling_has_the_shapes_that_stand_in_it() -> None:
    found = made("f", kernel=kernel("f", "x y", "// y = 2 * x\n// dtypes: float16\n// shape: [N, 64]"))
    assert isinstance(found, NotMade)
    assert "how long N is" in found.reason


def test_the_file_says_everything_in_python() -> None:
    comment = "// y = log(x)\n// in x: float16 [N]\n// out y: float32 [N]"
    found = made("f", kernel=kernel("f", "x y tiling", comment))
    assert isinstance(found, MadeCases)
    text = cases_file(found)
    space: dict[str, Any] = {}
    exec(compile(text, "f_cases.py", "exec"), space)
    assert text.startswith('"""Cases of f, made from the comment above f: a beginning, to be changed.\n')
    assert (space["FORMULA"], space["OUTPUTS"]) == ("y = log(x)", {"y": "float32"})
    assert [case["name"] for case in space["CASES"]] == [case.name for case in found.cases]

    import numpy as np

    for case in space["CASES"]:
        dtype, array = space["inputs"](case, np.random.default_rng(0))["x"]
        assert (dtype, array.shape, bool((array > 0).all())) == ("float16", case["inputs"]["x"][1], True)


SCALED_ROWS = json.dumps(
    [
        {
            "op": "ScaledRows",
            "input_desc": [
                {"name": "x", "param_type": "required", "shape": [-1, 512], "format": ["ND"], "type": ["float"]},
                {"name": "r", "param_type": "required", "shape": [-1, 512], "format": ["ND"], "type": ["float"]},
            ],
            "output_desc": [{"name": "y", "shape": [-1], "format": ["ND"], "type": ["float"]}],
        }
    ]
)


def test_a_readme_beside_a_definition_describes_it_and_sizes_may_be_unknown() -> None:
    readme = "# ScaledRows\n\nEach row of `x * r` is summed: `y = sum(x * r)`.\n"
    found = made(
        "scaled_rows",
        kernel=kernel("scaled_rows", "x r y workspace tiling", "", "LocalTensor<float> t;"),
        scaled_rows_dot_json=SCALED_ROWS,
        README_dot_md=readme,
    )
    assert lines(found)[0] == "[16, 512] float32: x[16, 512], r[16, 512] -> y float32"
    assert lines(found)[-1].endswith("[1, 512] float32: x[1, 512], r[1, 512] -> y float32 ?")


def test_what_only_a_shape_says_of_the_formula_stands_in_the_cases_formula() -> None:
    comment = "// y = 1/N * sum(x)\n// in x: float32 [M, N]\n// out y: float32 [M]"
    found = made("averaged", kernel=kernel("averaged", "x y workspace tiling", comment))
    assert isinstance(found, MadeCases)
    assert found.formula == "y = 1 / size(x, dim=-1) * sum(x, dim=-1, keepdim=True)\ny = squeeze(y, dim=-1)"
    assert not found.assumptions


def test_a_list_of_tensors_has_cases_of_one_in_the_shapes_of_the_rows() -> None:
    host = OPDEF.replace("PickRows", "EachAdd").replace("params", "xs").replace("ids", "ys").replace('"out"', '"zs"')
    host = host.replace("REQUIRED", "DYNAMIC").replace("{ge::DT_INT32, ge::DT_INT64}", "{ge::DT_FLOAT16, ge::DT_FLOAT}")
    table = "case_id;shape;dtype\n0;[[8, 100], [7]];float16\n1;[[33]];float32\n"
    found = made(
        "each_add",
        kernel=kernel("each_add", "xs ys zs tiling", "// zs = xs + ys"),
        op_host__each_add_dot_cpp=host,
        test_cases_dot_csv=table,
    )
    assert lines(found)[0] == "[8, 100] float16: xs[8, 100], ys[8, 100] -> zs float16"


def test_a_column_of_fractions_has_values_of_an_input_and_no_shapes() -> None:
    comment = "// y = x * w\n// in x: float32 [N]\n// in w: float32 [N]\n// out y: float32 [N]"
    table = "shape;w\n[96];[1.5, 2.5]\n[64];[1, 2, 3]\n"
    found = made("f", kernel=kernel("f", "x w y tiling", comment), test_cases_dot_csv=table)
    assert lines(found)[1] == "[64] float32: x[64], w[64] -> y float32"


def test_zeros_are_no_power_of_each_other() -> None:
    comment = "// y = x ^ p\n// in x: float32 [N]\n// in p: float32 [N]\n// out y: float32 [N]"
    found = made("f", kernel=kernel("f", "x p y tiling", comment))
    assert not any(line.startswith("zeros") for line in lines(found))


@pytest.mark.parametrize(("name", "said"), [("scalars", "scalars[1]"), ("other", "nobody says the shape of other")])
def test_beside_lists_of_tensors_a_scalar_is_one_number(name: str, said: str) -> None:
    host = OPDEF.replace("PickRows", "EachMul").replace("params", "xs").replace("ids", name).replace('"out"', '"zs"')
    host = host.replace("REQUIRED", "DYNAMIC", 1).replace(
        "{ge::DT_INT32, ge::DT_INT64}", "{ge::DT_FLOAT16, ge::DT_FLOAT}"
    )
    found = made(
        "each_mul",
        kernel=kernel("each_mul", f"xs {name} zs tiling", f"// zs = xs * {name}"),
        op_host__each_mul_dot_cpp=host,
        test_cases_dot_csv="shape\n[[8, 100], [7]]\n",
    )
    assert said in (found.reason if isinstance(found, NotMade) else lines(found)[0])
