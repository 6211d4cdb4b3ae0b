"""What a kernel is launched with, from its op_host's text and a case."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from kernelgen_ls.kernel.structure import Function
from kernelgen_ls.kernel.syntax import Source
from kernelgen_ls.runner.execution.arguments import with_listed_inputs
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
    (found,) = with_listed_inputs(FILES, entry(), (case,), tmp_path)
    assert found.attributes == {"pads": [1, 1]}
    assert (found.inputs[0].dtype, found.inputs[0].shape, found.inputs[1]) == ("int64", (2,), value)
    assert np.fromfile(found.inputs[0].file, "<i8").tolist() == [2, -3]


def test_what_is_no_list_of_integers_stays_what_it_is(tmp_path: Path) -> None:
    cases = (
        Case("a", (), (), attributes={"dims": [0.5]}),
        Case("b", (), (), attributes={"value": 3}),
        Case("c", (), ()),
    )
    assert with_listed_inputs(FILES, entry(), cases, tmp_path) == cases
