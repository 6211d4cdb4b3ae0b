"""Specifications, as the texts developers write."""

# ruff: noqa: E501 the texts are laid out as developers write them

from __future__ import annotations

import pytest

from kernelgen_ls.kernel.formula import Formula, NotUnderstood
from kernelgen_ls.kernel.formula.writing import written
from kernelgen_ls.kernel.host import read_host
from kernelgen_ls.kernel.spec.comment import comment_at, from_comment
from kernelgen_ls.kernel.spec.markdown import from_api_desc
from kernelgen_ls.kernel.spec.msopgen import BrokenDefinitionError, from_json
from kernelgen_ls.kernel.spec.sources import gather
from kernelgen_ls.kernel.spec.specification import HOW_TO_SAY, Specification, SpecTensor, merge
from kernelgen_ls.kernel.spec.understood import texts_of, understood
from kernelgen_ls.kernel.syntax import Source

OPDEF = """
namespace ops {
class ScaleAdd : public OpDef {
public:
    explicit ScaleAdd(const char* name) : OpDef(name)
    {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_FLOAT}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Input("bias").ParamType(OPTIONAL).DataType({ge::DT_FLOAT16, ge::DT_FLOAT}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_FLOAT}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Attr("scale").AttrType(OPTIONAL).Float(1.0);
        this->Attr("axes").AttrType(OPTIONAL).ListInt({0});
        this->AICore().AddConfig("ascend910b");
    }
};
OP_ADD(ScaleAdd);
}
"""


def check(spec: Specification) -> dict[str, object]:
    """The fields of a specification in the shortest form."""

    def tensors(items: tuple[SpecTensor, ...]) -> list[str]:
        return [
            f"{item.name}:{'|'.join(item.dtypes)}" + ("" if item.shape is None else f"[{','.join(item.shape)}]")
            for item in items
        ]

    return {
        "name": spec.name,
        "formula": spec.formula,
        "in": tensors(spec.inputs),
        "out": tensors(spec.outputs),
        "attr": [f"{item.name}:{item.type}={item.default}" for item in spec.attributes],
        "missing": spec.missing,
    }


def comment_of(text: str) -> Specification:
    found = comment_at(Source.parse(text))
    assert found is not None
    return from_comment(*found)


def test_a_comment_with_one_fact_a_line() -> None:
    spec = comment_of(
        """#include "kernel_operator.h"
/**
 * Adds a bias to each row.
 * op: RowAdd
 * formula: y = x + bias
 * in x: float16 [48, 1024]
 * in bias: fp16 [1024]
 * out y: half [48, 1024]
 * attr alpha: float = 1.0
 */
"""
    )
    assert check(spec) == {
        "name": "RowAdd",
        "formula": "y = x + bias",
        "in": ["x:float16[48,1024]", "bias:float16[1024]"],
        "out": ["y:float16[48,1024]"],
        "attr": ["alpha:float=1.0"],
        "missing": (),
    }
    assert spec.description == "Adds a bias to each row."
    assert spec.inputs[0].fixed_shape == (48, 1024)


def test_a_comment_above_an_entry_function_uses_its_parameters() -> None:
    spec = comment_of(
        "// y = x1 * exp(x2)\n"
        "// dtypes: float16, float32\n"
        'extern "C" __global__ __aicore__ void exp_mul(GM_ADDR x1, GM_ADDR x2, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)'
        " {}\n"
    )
    assert check(spec) == {
        "name": "ExpMul",
        "formula": "y = x1 * exp(x2)",
        "in": ["x1:", "x2:"],
        "out": ["y:"],
        "attr": [],
        "missing": ("shapes",),
    }
    assert spec.tensor_dtypes(spec.inputs[0]) == ("float16", "float32")
    assert spec.kernel_name == "exp_mul"


def test_chinese_words() -> None:
    spec = comment_of(
        "/*\n * 算子: SoftSign\n * 公式: y = x / (1 + |x|)\n * 输入 x: float32 [N, 256]\n * 输出 y: float32 [N, 256]\n */\n"
    )
    assert check(spec) == {
        "name": "SoftSign",
        "formula": "y = x / (1 + |x|)",
        "in": ["x:float32[N,256]"],
        "out": ["y:float32[N,256]"],
        "attr": [],
        "missing": (),
    }
    assert spec.inputs[0].fixed_shape is None


def test_lists_and_a_common_shape() -> None:
    spec = comment_of("// op: add3\n// y = a + b\n// inputs: a, b\n// output: y\n// dtype: bf16\n// shape: [8, 128]\n")
    assert check(spec)["in"] == ["a:[8,128]", "b:[8,128]"]
    assert spec.name == "Add3"
    assert spec.dtypes == ("bfloat16",)


def test_outputs_that_a_comment_does_not_list_are_left_in_its_formula() -> None:
    spec = comment_of("// op: Norm\n// in x: float16 [8, 64]\n// s = mean(x * x)\n// y = x / sqrt(s + 1e-6)\n")
    assert check(spec)["out"] == ["y:float16"]


def test_doxygen() -> None:
    spec = comment_of(
        "/**\n * @brief Square root.\n * @param[in] x float32 (N, D) the input\n * @param[out] y float32 (N, D)\n * y = sqrt(x)\n */\n"
        'extern "C" __global__ __aicore__ void my_sqrt(GM_ADDR x, GM_ADDR y) {}\n'
    )
    assert check(spec)["in"] == ["x:float32[N,D]"]
    assert check(spec)["out"] == ["y:float32[N,D]"]
    assert spec.description == "Square root."


def test_what_is_not_said_is_missing_and_has_advice() -> None:
    spec = comment_of("// A fast operator.\n")
    assert spec.missing == ("name", "formula", "inputs", "outputs", "dtypes", "shapes")
    assert set(spec.missing) == set(HOW_TO_SAY)


def test_parameters_that_the_formula_does_not_name_are_not_guessed() -> None:
    spec = comment_of('// Does something.\nextern "C" __global__ __aicore__ void f(GM_ADDR a, GM_ADDR b) {}\n')
    assert (spec.inputs, spec.outputs) == ((), ())


def test_code_without_a_comment_specifies_nothing() -> None:
    assert comment_at(Source.parse("int x;\n// y = x\n")) is None
    assert comment_at(Source.parse('extern "C" __global__ __aicore__ void f(GM_ADDR a) {}\n')) is None


def test_the_entry_at_the_cursor_is_meant() -> None:
    text = (
        '// y = x\nextern "C" __global__ __aicore__ void one(GM_ADDR x, GM_ADDR y) {}\n\n'
        '// y = x * x\nextern "C" __global__ __aicore__ void two(GM_ADDR x, GM_ADDR y) {}\n'
    )
    source = Source.parse(text)
    found = comment_at(source, source.position(text.index("two")))
    assert found is not None
    assert from_comment(*found).name == "Two"


def test_api_desc_in_chinese() -> None:
    spec = from_api_desc(
        """# aclnnSoftClip

## 支持的数据类型
- torch.float16
- torch.bfloat16

## 功能描述

把输入限制在两个边界之间。

计算公式：

$$
y = \\min(\\max(x, lo), hi)
$$

## 接口定义

```python
def soft_clip(x, lo=-1.0, hi=1.0):
    # Inputs
    ...
```

### 输入
- `x`（张量）: 形状为 [16, 4096]，数据类型 float16。
- `lo`: 属性，float。
- `hi`: 属性，float。

### 输出
- `y`: 形状与 x 相同。
"""
    )
    assert check(spec) == {
        "name": "SoftClip",
        "formula": "y = \\min(\\max(x, lo), hi)",
        "in": ["x:float16[16,4096]"],
        "out": ["y:[16,4096]"],
        "attr": ["lo:float=-1.0", "hi:float=1.0"],
        "missing": (),
    }
    assert spec.dtypes == ("float16", "bfloat16")
    assert spec.description == "把输入限制在两个边界之间。"


def test_api_desc_in_english_with_a_documented_function() -> None:
    spec = from_api_desc(
        """# aclnnRowMax

## Functional Description

### Operator Function
Takes the largest element of each row.

### Formula
$$ y_i = \\max_j x_{ij} $$

## Interface Definition

```python
def row_max(x, keep_dim=False):
    \"\"\"
    Args:
        x (Tensor): Input in ND format, float32 or float16.
        keep_dim (bool, optional): Whether the axis stays.

    Returns:
        Tensor: The result.
    \"\"\"
```
"""
    )
    assert check(spec) == {
        "name": "RowMax",
        "formula": "y_i = \\max_j x_{ij}",
        "in": ["x:float32|float16"],
        "out": ["y:float32|float16"],
        "attr": ["keep_dim:bool=False"],
        "missing": ("shapes",),
    }


def test_api_desc_with_a_table() -> None:
    spec = from_api_desc(
        """# Blend

## 参数说明

| 参数名 | 输入/输出 | 描述 | 数据类型 |
| --- | --- | --- | --- |
| self | 输入 | 第一个张量 | FLOAT16、FLOAT |
| other | 输入 | 第二个张量 | FLOAT16、FLOAT |
| out | 输出 | 结果张量 | FLOAT16、FLOAT |
"""
    )
    assert check(spec)["in"] == ["self:float16|float32", "other:float16|float32"]
    assert check(spec)["out"] == ["out:float16|float32"]


def test_msopgen_json() -> None:
    (spec,) = from_json(
        """[{"op": "ScaleAdd", "language": "cpp",
             "input_desc": [{"name": "x", "param_type": "required", "format": ["ND"], "type": ["fp16", "float"]}],
             "output_desc": [{"name": "y", "param_type": "required", "format": ["ND"], "type": ["fp16", "float"]}],
             "attr": [{"name": "scale", "param_type": "optional", "type": "float", "default_value": "1.0"}]}]"""
    )
    assert check(spec) == {
        "name": "ScaleAdd",
        "formula": "",
        "in": ["x:float16|float32"],
        "out": ["y:float16|float32"],
        "attr": ["scale:float=1.0"],
        "missing": ("formula", "shapes"),
    }


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('[\n  {"op": "A",\n   "input_desc": [}\n]', "line 3, column 19"),
        ('{"version": 3}', "operator 1 has no name"),
        ('[{"op": "A"}, null]', "operator 2 has no name"),
        ('{"op": "A", "attr": {}}', '"attr" of A must be a list'),
        ("[" * 100_000, "nested"),
    ],
)
def test_a_broken_json_says_where(text: str, where: str) -> None:
    with pytest.raises(BrokenDefinitionError, match=where):
        from_json(text)
    spec = gather(definition=text, api_desc="# Scale\n## Formula\n$$y = 2 x$$\n")
    assert where in spec.problems[0]
    assert spec.name == "Scale"


def test_outputs_and_inputs_that_nothing_lists_are_those_of_the_formula() -> None:
    spec = from_api_desc(
        """# Blend
### Formula
$$t = \\frac{a}{b + eps}$$
$$out = t \\odot c$$
```python
def blend(*args, **kwargs):
    ...
```
"""
    )
    assert check(spec)["in"] == ["a:", "b:", "c:"]
    assert check(spec)["out"] == ["out:"]
    assert [attribute.name for attribute in spec.attributes] == ["eps"]


def test_an_output_that_is_only_said_to_be_returned_has_a_name() -> None:
    spec = from_api_desc(
        """# Rotate
## Functional Description
Rotates.
```python
def rotate(out, angle=1.0):
    \"\"\"
    Args:
        out (Tensor): What is rotated, float16.

    Returns:
        Tensor: The rotated one, float16.
    \"\"\"
```
"""
    )
    assert check(spec)["in"] == ["out:float16"]
    assert check(spec)["out"] == ["output:float16"]


def test_a_parameter_with_the_name_or_the_default_of_an_attribute_is_one() -> None:
    spec = from_api_desc(
        """# Norm
```python
def norm(x, eps, order=2):
    ...
```
### Inputs
- `x`: an operand. Tensor arguments are on the device.
- `eps`: an operand. Tensor arguments are on the device.
- `order`: an operand. Tensor arguments are on the device.
"""
    )
    assert check(spec)["in"] == ["x:"]
    assert check(spec)["attr"] == ["eps:=None", "order:=2"]


def test_the_definition_and_the_description_are_put_together() -> None:
    kernel = Source.parse('extern "C" __global__ __aicore__ void scale_add(GM_ADDR x, GM_ADDR bias, GM_ADDR y) {}\n')
    spec = gather(
        kernel,
        host=read_host({"op_host/scale_add.cpp": OPDEF}),
        api_desc="# ScaleAdd\n## Formula\n$$y = x * scale + bias$$\n### Inputs\n- `x`: tensor of shape [4, 64]\n- `scale`: a number\n",
    )
    assert check(spec) == {
        "name": "ScaleAdd",
        "formula": "y = x * scale + bias",
        "in": ["x:float16|float32[4,64]", "bias:float16|float32"],
        "out": ["y:float16|float32"],
        "attr": ["scale:float=1.0", "axes:list of int={0}"],
        "missing": (),
    }
    assert [tensor.requirement for tensor in spec.inputs] == ["required", "optional"]
    assert spec.sources == ("op_host", "api_desc.md")


def test_an_operator_that_works_in_place_misses_no_output() -> None:
    host = read_host({"h.cpp": OPDEF.replace('this->Output("y")', 'this->Input("z")')})
    assert "outputs" not in gather(host=host, api_desc="# ScaleAdd\n").missing


def test_the_earlier_source_wins() -> None:
    first = Specification(name="A", formula="y = x", inputs=(SpecTensor("x", ("float16",)),))
    second = Specification(name="B", formula="y = z", inputs=(SpecTensor("x", ("float32",), ("8",)),), dtypes=("int8",))
    merged = merge(first, second)
    assert (merged.name, merged.formula, merged.dtypes) == ("A", "y = x", ("int8",))
    assert merged.inputs == (SpecTensor("x", ("float16",), ("8",)),)


MODULE = """
class Model(nn.Module):
    def __init__(self, alpha: float = 0.5):
        self.alpha = alpha

    def forward(self, b: torch.Tensor, a: torch.Tensor) -> torch.Tensor:
        return a - self.alpha * b


class ModelNew(nn.Module):
    def forward(self, b, a):
        return ops.scaled_sub(a, b, self.alpha)
"""


def test_a_module_says_its_interface_in_the_order_of_the_call() -> None:
    spec = gather(module=MODULE)
    assert [one.name for one in spec.inputs] == ["a", "b"]
    assert [(one.name, one.type, one.default) for one in spec.attributes] == [("alpha", "float", "0.5")]


def test_reference_code_means_its_operands_by_their_places_in_the_call() -> None:
    described = "# ScaledSub\n```python\ndef scaled_sub(p, q, alpha):\n    ...\n```\n## Inputs\n- `p`: a tensor\n- `q`: a tensor\n"
    found = understood(gather(api_desc=described, module=MODULE))
    assert isinstance(found, Formula)
    assert written(found).endswith("p - alpha * q")


@pytest.mark.parametrize(
    ("formula", "taken"),
    [
        ("out = a - alpha * b", "out = a - alpha * b"),
        ("out = a + alpha * b", "Model"),
        ("out = a - 1", "Model"),
    ],
)
def test_a_formula_that_its_reference_code_contradicts_does_not_count(formula: str, taken: str) -> None:
    spec = gather(api_desc=f"# ScaledSub\n## Formula\n$${formula}$$\n", module=MODULE)
    assert taken in texts_of(spec)[0]


def test_a_formula_that_is_not_all_of_it_is_not_understood() -> None:
    spec = Specification(formula="y = a + 1", inputs=(SpecTensor("a"), SpecTensor("b")), outputs=(SpecTensor("y"),))
    found = understood(spec)
    assert isinstance(found, NotUnderstood)
    assert found.message == "the formula does not read b"


@pytest.mark.parametrize(
    ("returned", "requirement"),
    [
        ("Returns the tensor, tensor list, or in-place updated tensor.", "required"),
        ("Returns a list of tensors.", "dynamic"),
    ],
)
def test_a_sentence_for_every_operator_makes_no_list_of_an_output(returned: str, requirement: str) -> None:
    spec = from_api_desc(f"# Half\n## Formula\n$$y = x / 2$$\n## Inputs\n- `x`: a tensor\n## Outputs\n- {returned}\n")
    assert [(one.name, one.requirement) for one in spec.outputs] == [("y", requirement)]


@pytest.mark.parametrize("between", ["", "\n"])
def test_a_remark_that_says_the_formula_again_in_a_sentence_adds_nothing(between: str) -> None:
    text = (
        "// op: VectorSum\n// formula: total = left + right\n"
        "// in left: float16 [1024]\n// in right: float16 [1024]\n// out total: float16 [1024]\n"
        f"{between}// total = left + right for a vector of halfs, in tiles\n"
        '#include "kernel_operator.h"\n'
        'extern "C" __global__ __aicore__ void vector_sum(GM_ADDR left, GM_ADDR right, GM_ADDR total)\n{\n}\n'
    )
    assert gather(Source(text)).formula == "total = left + right"


@pytest.mark.parametrize(
    "line",
    [
        "- a (" + "a)(" * 12_000,
        "- x " + " " * 40_000 + "x",
        "a" * 40_000 + "]",
        "y = " + " " * 40_000 + "(",
        "```a\n" * 8_000,
    ],
)
def test_lines_that_nobody_writes_are_not_read_and_the_others_are(line: str) -> None:
    spec = from_api_desc(f"# Add\n\n## Inputs\n- x (float16)\n\n## Formula\ny = x + 1\n\n## Description\n{line}\n")
    assert [one.name for one in spec.inputs] == ["x"]
    assert spec.formula == "y = x + 1"
