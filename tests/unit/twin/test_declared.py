"""A reference's tensors in the types of the operator's definition."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from attrs import evolve

from kernelgen_ls.kernel.opdef import Operand, OperatorDefinition
from kernelgen_ls.runner.execution.cases import Case, Tensor
from kernelgen_ls.runner.toolchains.twin.declared import as_declared

VALUES = np.array([1.5, -2.00390625, 3.0, 65504.0], np.float32)
BITS = {
    "float16": VALUES.astype(np.float16).tobytes(),
    "bfloat16": np.array([0x3FC0, 0xC000, 0x4040, 0x4780], "<u2").tobytes(),
}


def tensor(path: Path, dtype: str, count: int) -> Tensor:
    path.write_bytes(bytes(2 * count))
    return Tensor(dtype, (count,), str(path), path.name)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("changed", ["in place", "output"])
def test_an_output_in_float_is_rounded_to_the_declared_type(tmp_path: Path, dtype: str, changed: str) -> None:
    types = {"float16": ("DT_FLOAT16",), "bfloat16": ("DT_BF16",)}[dtype]
    inputs = (Operand("a", dtypes=types), Operand("c", dtypes=types))
    outputs = (Operand("y", dtypes=types),) if changed == "output" else ()
    VALUES.tofile(tmp_path / "golden")
    given = (tensor(tmp_path / "a", dtype, 6), tensor(tmp_path / "c", dtype, 4))
    case = Case("one", given, (Tensor("float32", (4,), str(tmp_path / "golden")),))
    (made,) = as_declared(case, OperatorDefinition("Sum", inputs, outputs)).outputs
    assert (made.dtype, Path(made.file).read_bytes()) == (dtype, BITS[dtype])


def test_an_output_that_may_be_either_of_two_inputs_stays_as_it_is(tmp_path: Path) -> None:
    VALUES.tofile(tmp_path / "golden")
    inputs = (Operand("a", dtypes=("DT_FLOAT16",)), Operand("c", dtypes=("DT_FLOAT16",)))
    given = (tensor(tmp_path / "a", "float16", 4), tensor(tmp_path / "c", "float16", 4))
    case = Case("one", given, (Tensor("float32", (4,), str(tmp_path / "golden")),))
    assert as_declared(case, OperatorDefinition("Sum", inputs)) == case


@pytest.mark.parametrize(
    ("golden", "names"),
    [
        ([("float16", 4)], ["out"]),
        ([("float32", 4)], ["max"]),
        ([("float32", 4), ("float16", 4)], ["max", "out"]),
        ([("bfloat16", 4)], [""]),
    ],
)
def test_the_types_of_fewer_outputs_say_which_they_are(
    tmp_path: Path, golden: list[tuple[str, int]], names: list[str]
) -> None:
    outputs = (
        Operand("max", dtypes=("DT_FLOAT",)),
        Operand("sum", dtypes=("DT_FLOAT",)),
        Operand("out", dtypes=("DT_FLOAT16",)),
    )
    given = tuple(
        evolve(tensor(tmp_path / str(i), dtype, 2 * count), shape=(count,), name="")
        for i, (dtype, count) in enumerate(golden)
    )
    case = Case("one", (tensor(tmp_path / "x", "float16", 4),), given)
    made = as_declared(case, OperatorDefinition("Attention", (Operand("x", dtypes=("DT_FLOAT16",)),), outputs))
    assert [one.name for one in made.outputs] == names
