"""A formula and inputs in, golden outputs and what may differ out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kernelgen_ls.runner.execution.formula_golden import formula_golden

SHARES = {"float16": 1 / 512, "bfloat16": 1 / 128, "float32": 1 / 2048}


def golden(
    formula: str, dtype: str, *, output: str = "", saturates: bool = False, **inputs: Any
) -> tuple[list[float], list[float]]:
    """Values and allowed differences of the one output ``y``."""
    arrays = {name: (dtype, np.asarray(values)) for name, values in inputs.items()}
    (reading,) = formula_golden(formula, arrays, {"y": output or dtype}, {}, SHARES, saturates=saturates)
    (one,) = reading.outputs
    return one.values.tolist(), one.allowed.tolist()


def test_the_tolerance_is_a_share_of_the_value_and_of_what_values_usually_are() -> None:
    values, allowed = golden("y = x + 1", "float32", x=[0.0, 2.0])
    assert values == [1.0, 3.0]
    assert allowed == pytest.approx([(1 + 2) / 2048, (3 + 2) / 2048], rel=1e-3)


def test_a_value_that_rounding_moves_far_may_differ_far_and_no_other() -> None:
    _, allowed = golden("y = exp(x)", "float16", x=[0.1, 10.0])
    assert allowed[1] - allowed[0] > 0.009 * np.exp(10.0)
    _, allowed = golden("y = round(x * 3)", "float32", output="int8", x=[0.5, 0.6, 1.0])
    assert allowed == [1.0, 0.0, 0.0]
    values, allowed = golden("y = where(x > 0.5, 1, 0) * x", "float32", x=[0.5, 0.7])
    assert values == [0.0, 0.7]
    assert allowed[0] > 0.49 > 0.01 > allowed[1]


def test_integers_are_exact_and_end_where_their_type_ends() -> None:
    assert golden("y = x * 3 + 1", "int32", x=[1, -7]) == ([4, -20], [0.0, 0.0])
    assert golden("y = x * 100", "int8", x=[1, 2, -2]) == ([100, 127, -128], [0.0, 0.0, 0.0])
    assert golden("y = x > 0", "float32", output="bool", x=[1.0, -1.0]) == ([True, False], [0.0, 0.0])


def test_a_float_that_becomes_an_integer_may_be_cut_or_rounded() -> None:
    values, allowed = golden("y = x * 1", "float32", output="int32", x=[0.0, 2.6])
    assert (values, allowed) == ([0, 3], [0.0, 1.0])


def test_what_is_beyond_the_end_of_a_type_is_its_end_where_it_saturates() -> None:
    values, _ = golden("y = x * x", "float16", x=[300.0, 2.0])
    assert values == [90000.0, 4.0]
    values, _ = golden("y = x * x", "float16", x=[300.0, 2.0], saturates=True)
    assert values == [65504.0, 4.0]


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        ("y = mystery(x)", "the formula is not understood at `mystery`"),
        ("y = x + w", "`w`"),
        ("y = matmul(x, x)", "the formula has no value"),
    ],
)
def test_a_formula_without_values_is_refused(formula: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        golden(formula, "float32", x=[[1.0, 2.0, 3.0]])


def test_what_was_taken_for_what_a_formula_leaves_open_comes_with_its_values() -> None:
    def read(formula: str | dict[str, str], **inputs: Any) -> dict[str, Any]:
        arrays = {name: ("float32", np.asarray(values)) for name, values in inputs.items()}
        found = formula_golden(formula, arrays, {"y": "float32"}, {}, SHARES, saturates=False)
        return {one.words: one.outputs[0].values.tolist() for one in found}

    rows, over = [[1.0, 3.0], [2.0, 2.0]], "taken for what a reduction without `dim` goes over"
    assert read("y = x / sum(x)", x=rows) == {
        f"the last axis {over}": [[0.25, 0.75], [0.5, 0.5]],
        f"all elements {over}": [[0.125, 0.375], [0.25, 0.25]],
    }
    divided = "taken for what a variance is divided by"
    assert read("y = var(x, dim=-1)", x=rows) == {
        f"the number of elements {divided}": [1.0, 0.0],
        f"one less than the number of elements {divided}": [2.0, 0.0],
    }
    assert list(read("y = a + 1", left=rows)) == ["`a` taken for the declared `left`"]
    assert list(read("y = x / sum(x, dim=-1, keepdim=True)", x=rows)) == [""]
    # What has no value for these inputs is not meant.
    several = {"rows": "y = x - 1", "a third axis": "y = sum(x, dim=2)"}
    assert list(read(several, x=rows)) == ["rows"]
    with pytest.raises(ValueError, match="not understood at `mystery`"):
        read({"rows": "y = mystery(x)"}, x=rows)
