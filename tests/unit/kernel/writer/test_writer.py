"""What is written by rule: which files, with whose names, for which types; and why something is not."""

from __future__ import annotations

import re

import pytest
from attrs import evolve

from kernelgen_ls.kernel.chips import DEFAULT_CHIP, chip_named
from kernelgen_ls.kernel.host import read_host
from kernelgen_ls.kernel.spec.specification import SpecAttribute, Specification, SpecTensor
from kernelgen_ls.kernel.writer import FUNCTION, NotWritten, Written, write

FLOATS = ("float16", "float32", "bfloat16")
SIZES = ("N", "D")


def specification(
    formula: str,
    inputs: dict[str, tuple[str, ...]] | None = None,
    *,
    dtypes: tuple[str, ...] = FLOATS,
    outputs: dict[str, tuple[str, ...]] | None = None,
    attributes: tuple[SpecAttribute, ...] = (),
) -> Specification:
    """An operator of these inputs' and outputs' shapes, all of the same element types."""
    return Specification(
        name="MyOp",
        formula=formula,
        inputs=tuple(SpecTensor(name, dtypes, shape) for name, shape in (inputs or {"x": SIZES}).items()),
        outputs=tuple(SpecTensor(name, dtypes, shape) for name, shape in (outputs or {"y": SIZES}).items()),
        attributes=attributes,
    )


def written(what: Specification, *, static: bool = False, **more: object) -> Written:
    found = write(what, DEFAULT_CHIP, static=static, **more)  # type: ignore[arg-type] # one of write's own
    assert isinstance(found, Written), found
    return found


def reason(what: Specification, *, static: bool = False, soc: str = "Ascend910B1") -> str:
    found = write(what, chip_named(soc), static=static)
    assert isinstance(found, NotWritten)
    return found.reason


def test_a_kernel_for_any_shape_comes_with_its_host_and_tiling() -> None:
    alpha = SpecAttribute("alpha", "float", "0.5")
    found = written(specification("y = alpha * x + x", attributes=(alpha,)))
    host = read_host({"op_host/my_op.cpp": found.host, "op_host/my_op_tiling.h": found.tiling})
    struct = host.tiling_struct("MyOp")
    assert struct is not None
    assert [field.name for field in struct.fields] == ["totalLength", "tileLength", "alpha"]
    assert all(f"set_{field.name}(" in found.host for field in struct.fields)
    assert "GET_TILING_DATA(tilingData, tiling)" in found.kernel
    assert "KernelMyOp<DTYPE_X>" in found.kernel


def test_numbers_beyond_a_float_are_infinite() -> None:
    assert (
        "Mins(yLocal, xLocal, INFINITY, count)"
        in written(specification("y = minimum(x, 1e300)", dtypes=("float32",))).kernel
    )


def test_attributes_of_integers_are_integers() -> None:
    factor = SpecAttribute("factor", "int", "3")
    found = written(specification("y = factor * x", dtypes=("int32",), attributes=(factor,)))
    assert "static_cast<int32_t>(factor)" in found.kernel


def test_a_kernel_for_one_shape_has_it_as_constants_and_needs_no_host() -> None:
    alpha = SpecAttribute("alpha", "float", "0.5")
    what = specification("y = alpha * x + x", {"x": ("48", "100")}, attributes=(alpha,))
    found = written(what, static=True)
    assert (found.host, found.tiling) == ("", "")
    assert "TOTAL_LENGTH = 4800" in found.kernel
    assert "ALPHA = 0.5f" in found.kernel
    assert "DTYPE_" not in found.kernel
    assert "tiling" not in found.kernel.lower()


def test_the_projects_entry_function_and_definition_stay() -> None:
    parameters = "GM_ADDR input, GM_ADDR output, GM_ADDR ws, GM_ADDR tiling"
    kernel = f'extern "C" __global__ __aicore__ void my_op({parameters})\n{{\n}}\n'
    own = written(specification("y = exp(x)")).host.replace("ascend910b", "ascend910_93")
    found = written(specification("y = exp(x)"), kernel=kernel, host=own)
    assert f"void my_op({parameters})" in found.kernel
    assert "ascend910_93" in found.host
    assert found.host.count("TilingFunc(gert::TilingContext") == 1


def test_names_that_clash_are_renamed() -> None:
    half = SpecAttribute("half", "float", "2.0")
    what = specification("abs = exp * half", {"exp": SIZES}, outputs={"abs": SIZES}, attributes=(half,))
    found = written(what)
    parameters = re.search(r"void my_op\((.*?)\)", found.kernel)
    assert parameters is not None
    assert not re.search(r"\b(exp|abs)\b", parameters.group(1))
    assert not re.search(r"float half\b", found.kernel)


def test_half_is_computed_in_float_but_for_one_instruction_alone() -> None:
    halves = ("float16", "float32")
    one = written(specification("y = x + z", {"x": SIZES, "z": SIZES}, dtypes=halves)).kernel
    assert "LocalTensor<float>" not in one
    several = written(specification("y = x + z * x", {"x": SIZES, "z": SIZES}, dtypes=halves)).kernel
    assert "LocalTensor<float>" in several
    floats = written(specification("y = x + z * x", {"x": SIZES, "z": SIZES}, dtypes=("float32",))).kernel
    assert "Cast(" not in floats


def test_a_function_has_the_same_instructions_as_a_class() -> None:
    what = specification("y = softmax(x, dim=-1)")
    instructions = [
        re.findall(r"^ +((?:Adds|Muls|Exp|ReduceMax|ReduceSum)\(.*)$", one, re.MULTILINE)
        for one in (written(what).kernel, written(what, hand=FUNCTION).kernel)
    ]
    assert instructions[0] == instructions[1] != []


@pytest.mark.parametrize(
    ("what", "word"),
    [
        (specification("y = foo(x)"), "foo"),
        (specification("y = cumsum(x, dim=-1)"), "cumsum"),
        (specification("y = x + 1", {"x": SIZES, "z": SIZES}), "does not read z"),
        (specification("y = x + 1", dtypes=("int64",)), "int64"),
        (specification(""), "nobody says"),
    ],
)
def test_what_is_not_written_says_why(what: Specification, word: str) -> None:
    assert word in reason(what)


def test_rows_that_do_not_fit_are_not_reduced() -> None:
    assert "do not fit" in reason(specification("y = softmax(x, dim=-1)", {"x": ("8", "100000")}), static=True)


def test_other_chips_say_so() -> None:
    assert "Ascend310P3" in reason(specification("y = x + 1"), soc="Ascend310P3")


def test_a_definition_that_names_no_tiling_function_or_another_gets_this_one() -> None:
    own = written(specification("y = exp(x)")).host
    for before in ("        this->AICore().SetTiling(optiling::TilingFunc);\n", "optiling::TilingFunc)"):
        changed = own.replace(before, "optiling::Other)" if before.startswith("opt") else "")
        assert written(specification("y = exp(x)"), host=changed).host.count("SetTiling(optiling::TilingFunc)") == 1


def test_columns_of_other_kinds_have_a_kernel_of_their_own_in_one_file() -> None:
    found = written(specification("y = max(x * x, x)", dtypes=("float16", "float32", "int32"))).kernel
    assert re.findall(r"^class (\w+)", found, re.MULTILINE) == ["KernelMyOp", "KernelMyOpInt32"]
    assert "#elif ORIG_DTYPE_X == DT_INT32" in found
    alike = written(specification("y = x + z", {"x": SIZES, "z": SIZES}, dtypes=("float16", "int32"))).kernel
    assert re.findall(r"^class (\w+)", alike, re.MULTILINE) == ["KernelMyOp"]


def test_lists_of_tensors_are_gone_through_one_after_the_other() -> None:
    tensors = (SpecTensor("x", FLOATS, None, "dynamic"),)
    outputs = (SpecTensor("y", FLOATS, None, "dynamic"),)
    found = written(Specification("MyOp", "y = abs(x)", inputs=tensors, outputs=outputs))
    assert "xList.GetSize()" in found.kernel
    mixed = Specification("MyOp", "y = abs(x)", inputs=tensors, outputs=(SpecTensor("y", FLOATS),))
    assert "lists" in reason(mixed)


def test_an_attribute_that_decides_what_is_computed_keeps_its_default() -> None:
    dim = SpecAttribute("dim", "int", "-1")
    found = written(specification("y = softmax(x, dim=dim)", attributes=(dim,)))
    assert "GetInt(0) != -1" in found.host
    assert "GRAPH_FAILED" in found.host


def test_an_input_whose_shape_nobody_says_may_have_one_number_for_all() -> None:
    inputs = tuple(SpecTensor(name, ("float16", "float32")) for name in ("x", "low", "high"))
    what = Specification("MyOp", "y = clamp(x, low, high)", inputs=inputs, outputs=(SpecTensor("y"),), dtypes=FLOATS)
    found = written(what)
    for name in ("low", "high"):
        assert (
            f"Load({name}Local, {name}Gm[{name}Count == 1 ? 0 : offset], {name}Count == 1 ? 1 : count)" in found.kernel
        )
        assert f"{name}Count != totalLength && {name}Count != 1" in found.host
    assert "xCount" not in found.kernel


def test_a_weight_whose_shape_nobody_says_may_be_one_row_for_all() -> None:
    inputs = tuple(SpecTensor(name, FLOATS) for name in ("x", "gamma"))
    what = Specification("MyOp", "y = rms_norm(x) * gamma", inputs=inputs, outputs=(SpecTensor("y", FLOATS),))
    found = written(what)
    assert "gammaCount == cols ? 0 : row" in found.kernel
    assert "gammaCount != static_cast<uint64_t>(rows) * cols && gammaCount != cols" in found.host


def test_what_a_definition_calls_stays_beside_it() -> None:
    shapes = (
        "namespace ge {\nstatic ge::graphStatus InferShape(gert::InferShapeContext *context)\n{\n    return 0;\n}\n}\n"
    )
    own = written(specification("y = exp(x)")).host.replace("namespace ops {", f"{shapes}namespace ops {{")
    found = written(specification("y = exp(x)"), host=f"#include <vector>\n{own}").host
    assert found.count("InferShape(gert::InferShapeContext") == 1
    assert "#include <vector>" in found
    assert found.count("namespace optiling {") == 1


def test_an_operator_that_is_told_its_sizes_has_them_as_no_constants() -> None:
    what = specification("y = exp(x)", {"x": ("48", "100")})
    found = written(what, static=True, host=written(what).host)
    assert "GET_TILING_DATA" in found.kernel


def test_a_tensor_of_which_nothing_is_said_is_declared_in_the_type_of_the_first() -> None:
    what = evolve(specification("y = exp(x)", dtypes=("float16", "float32")), outputs=(SpecTensor("y", (), SIZES),))
    assert written(what).host.count(".DataType({ge::DT_FLOAT16, ge::DT_FLOAT})") == 2


def test_nothing_is_written_for_one_element_alone() -> None:
    assert "one element" in reason(specification("y = 1 / (x + 3)", {"x": ("1",)}), static=True)


def test_the_definition_knows_best_what_is_a_list() -> None:
    required = specification("y = x * scale", {"x": ("N",), "scale": ("1",)}, dtypes=("float32",))
    listed = Specification(
        "MyOp",
        "y = x * scale",
        inputs=tuple(SpecTensor(one.name, one.dtypes, None, "dynamic") for one in required.inputs),
        outputs=(SpecTensor("y", ("float32",), None, "dynamic"),),
    )
    host = written(listed).host
    first, _, rest = host.partition('Input("scale")')
    host = f'{first}Input("scale"){rest.replace("DYNAMIC", "REQUIRED", 1)}'
    found = written(listed, host=host).kernel
    assert "scaleList" not in found
    assert "index < scaleCount ? index : 0" in found


def test_a_word_that_decides_what_is_computed_keeps_its_default() -> None:
    approximate = SpecAttribute("approximate", "string", "none")
    found = written(specification("y = gelu(x, approximate=approximate)", attributes=(approximate,)))
    assert 'std::string(attributes->GetStr(0)) != "none"' in found.host
    assert '.String("none")' in found.host


@pytest.mark.parametrize(
    ("type_", "default", "word"), [("list of int", "[1, 2]", "is a list"), ("string", None, "has no default")]
)
def test_an_attribute_that_is_no_number_is_not_computed_with(type_: str, default: str | None, word: str) -> None:
    assert word in reason(specification("y = x * scale", attributes=(SpecAttribute("scale", type_, default),)))


def test_what_may_be_absent_is_not_read() -> None:
    what = specification("y = x + bias", {"x": SIZES, "bias": ("D",)})
    inputs = (what.inputs[0], evolve(what.inputs[1], requirement="optional"))
    assert "bias is optional" in reason(evolve(what, inputs=inputs))


def test_single_numbers_and_tiles_fit_into_the_unified_buffer_together() -> None:
    rows = dict.fromkeys("abcd", ("4", "1"))
    what = specification("y = (x - a) * b + c * d", {"x": ("4", "13000"), **rows}, dtypes=("float16",))
    kernel = written(what, static=True).kernel
    found = re.search(r"TILE_LENGTH = (\d+)", kernel)
    assert found is not None
    names = {"TILE_LENGTH": int(found[1]), "BUFFER_NUM": 2, "half": 2, "float": 4}
    taken = 0
    for number, size in re.findall(r"InitBuffer\(\w+, (?:(\w+), )?([^,;]*)\);", kernel):
        product = 1
        for factor in (number or "1", *re.sub(r"sizeof\((\w+)\)", r"\1", size).split(" * ")):
            product *= names[factor] if factor in names else int(factor)
        taken += product
    assert 0 < taken <= DEFAULT_CHIP.ub_bytes


@pytest.mark.parametrize(
    ("shape", "cols"),
    [(("...", "N"), "xShape.GetShapeSize();"), (("...",), "xShape.GetShapeSize();")],
)
def test_all_of_a_tensor_of_any_rank_is_reduced(shape: tuple[str, ...], cols: str) -> None:
    found = written(specification("y = x - sum(x, dim=None, keepdim=True)", {"x": shape}, outputs={"y": shape}))
    assert f"Cols = {cols}" in found.host


def test_a_number_of_elements_that_the_kernel_is_not_told_is_no_divisor() -> None:
    assert "not told" in reason(specification("y = x / x.size(-1)"))
    assert "static_cast<float>(rows)" in written(specification("y = softmax(x, dim=-1) / x.size(0)")).kernel
    both = written(specification("y = x - mean(x, dim=(-1, -2), keepdim=True)"))
    assert "static_cast<float>(cols)" in both.kernel


@pytest.mark.parametrize(
    ("shape", "word"), [(("0", "4"), "without elements"), (("70000", "70000"), "32 bits"), ((), "one element")]
)
def test_shapes_that_are_empty_or_too_long_are_not_written(shape: tuple[str, ...], word: str) -> None:
    assert word in reason(specification("y = exp(x)", {"x": shape}, outputs={"y": shape}), static=True)


def test_the_host_refuses_what_the_kernel_cannot_count() -> None:
    assert "> MOST_ELEMENTS" in written(specification("y = exp(x)")).host
    assert "xShape.GetShapeSize() < 1" in written(specification("y = softmax(x, dim=-1)")).host


@pytest.mark.parametrize(
    ("type_", "default", "text"),
    [
        ("string", "none", '.String("none")'),
        ("string", '"none"', '.String("none")'),
        ("bool", "True", ".Bool(true)"),
        ("list of int", "[1, 2]", ".ListInt({1, 2})"),
    ],
)
def test_defaults_are_declared_as_cpp(type_: str, default: str, text: str) -> None:
    assert text in written(specification("y = exp(x)", attributes=(SpecAttribute("way", type_, default),))).host


def test_the_size_of_a_tensor_is_not_that_of_its_parts_or_of_the_rows_picked_of_it() -> None:
    assert "in parts" in reason(specification("y = swiglu(x) / x.size(-1)"))
    picked = specification("y = embedding(index, table) * table.size(0)", {"table": ("V", "D"), "index": ("N",)})
    index = evolve(picked.inputs[1], dtypes=("int32",))
    assert "by an index" in reason(evolve(picked, inputs=(picked.inputs[0], index)))


def test_attributes_are_read_where_the_definition_has_them() -> None:
    alpha, beta = (SpecAttribute(name, "float", "0.5") for name in ("alpha", "beta"))
    own = written(specification("y = alpha * x + beta", attributes=(beta, alpha))).host
    found = written(specification("y = alpha * x + beta", attributes=(alpha, beta)), host=own).host
    assert "set_alpha(*attributes->GetFloat(1))" in found
    assert "GetFloat(0)" in written(specification("y = beta * x", attributes=(beta,)), host=own).host
