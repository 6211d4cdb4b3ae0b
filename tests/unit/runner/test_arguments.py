"""What a kernel is launched with, from its op_host's text and a case."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kernelgen_ls.kernel.structure import Function
from kernelgen_ls.kernel.syntax import Source
from kernelgen_ls.runner.execution.arguments import as_defined
from kernelgen_ls.runner.execution.cases import Case, Tensor
from kernelgen_ls.runner.jobs.messages import SourceFile

DEFINITION = """
class Fill : public OpDef {
public:
    explicit Fill(const char *name) : OpDef(name)
    {
        this->Input("dims").ParamType(REQUIRED).DataType({ge::DT_INT64}).Format({ge::FORMAT_ND}).ValueDepend(REQUIRED);
        this->Input("value").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Attr("pads").AttrType(OPTIONAL).ListInt({});
        this->Attr("alpha").AttrType(OPTIONAL).Float(1.0);
    }
};
"""
FILES = (SourceFile("op_host/fill.cpp", DEFINITION),)


def entry() -> Function:
    text = 'extern "C" __global__ __aicore__ void fill(GM_ADDR dims, GM_ADDR value, GM_ADDR y) {}\n'
    return Source.parse(text).structure.entries[0]


def test_a_list_that_the_operator_declares_as_an_input_is_a_tensor(tmp_path: Path) -> None:
    value = Tensor("float32", (1,), "value.bin")
    case = Case("a", (value,), (), attributes={"dims": [2, -3], "pads": [1, 1]})
    (found,) = as_defined(FILES, entry(), (case,), tmp_path)
    assert found.attributes == {"pads": [1, 1]}
    assert (found.inputs[0].dtype, found.inputs[0].shape, found.inputs[1]) == ("int64", (2,), value)
    assert np.fromfile(found.inputs[0].file, "<i8").tolist() == [2, -3]


def test_what_is_no_list_of_integers_stays_what_it_is(tmp_path: Path) -> None:
    cases = (
        Case("a", (), (), attributes={"dims": [0.5]}),
        Case("b", (), (), attributes={"value": 3}),
        Case("c", (), ()),
    )
    assert as_defined(FILES, entry(), cases, tmp_path) == cases


def test_a_number_that_the_operator_declares_as_an_input_is_a_tensor_of_one_element(tmp_path: Path) -> None:
    (found,) = as_defined(FILES, entry(), (Case("a", (), (), attributes={"dims": 5}),), tmp_path)
    assert (found.attributes, [(one.dtype, one.shape) for one in found.inputs]) == (None, [("int64", (1,))])
    assert np.fromfile(found.inputs[0].file, "<i8").tolist() == [5]


@pytest.mark.parametrize(
    ("given", "ordered"),
    [
        (("value", "dims"), ("dims", "value")),
        (("input_value", "argument 1"), ("argument 1", "input_value")),
        (("value", "value", "x"), ("x", "value", "value")),
        (("x", "y"), ("x", "y")),
        (("value", "x", "dims"), ("value", "x", "dims")),
    ],
)
def test_inputs_that_are_called_as_an_operand_are_that_one(
    given: tuple[str, ...], ordered: tuple[str, ...], tmp_path: Path
) -> None:
    inputs = tuple(Tensor("float32", (3,), f"{place}.bin", name) for place, name in enumerate(given))
    (found,) = as_defined(FILES, entry(), (Case("a", inputs, ()),), tmp_path)
    assert tuple(one.name for one in found.inputs) == ordered


def test_a_tensor_of_one_element_that_is_called_as_an_attribute_is_that_one(tmp_path: Path) -> None:
    file = tmp_path / "alpha.bin"
    file.write_bytes(np.float32(0.5).tobytes())
    kept = (Tensor("int64", (2,), "dims.bin", "dims"), Tensor("float32", (1,), "value.bin", "value"))
    case = Case("a", (*kept, Tensor("float32", (1,), str(file), "alpha")), ())
    (found,) = as_defined(FILES, entry(), (case,), tmp_path)
    assert (found.inputs, found.attributes) == (kept, {"alpha": 0.5})
