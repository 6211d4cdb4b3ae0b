"""Formulas lowered to instructions give what the formulas give, and say what the vector unit has no way for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings

from kernelgen_ls.kernel.formula import Formula, NotEvaluatedError, evaluate, understand
from kernelgen_ls.kernel.formula.functions import FUNCTIONS
from kernelgen_ls.kernel.formula.lowering import Lowered, NotLoweredError, Operand, Scalar, lower
from kernelgen_ls.kernel.formula.tree import Assignment, Expr, Name, Number, names_in
from kernelgen_ls.kernel.writer.columns import kind_of
from tests.unit.kernel.formula.stepping import Stepper
from tests.unit.kernel.formula.test_properties import TREES

RNG = np.random.default_rng(7)
N, D = 4, 6
ARRAYS: Mapping[str, Any] = {
    "x": RNG.normal(size=(N, D)),
    "z": RNG.normal(size=(N, D)),
    "y_1": RNG.normal(size=(N, D)),
    "positive": RNG.uniform(0.1, 0.9, size=(N, D)),
    "w": RNG.normal(size=D),
    "b": RNG.normal(size=D),
    "rows": RNG.normal(size=(N, 1)),
    "one": RNG.uniform(0.1, 1, size=1),
    "mask": RNG.integers(0, 2, size=(N, D)).astype(bool),
    "i": RNG.integers(-9, 9, size=(N, D)).astype(np.int32),
    "j": RNG.integers(-9, 9, size=(N, D)).astype(np.int32),
    "short": RNG.integers(-9, 9, size=(N, D)).astype(np.int16),
    "small": RNG.integers(-9, 9, size=(N, D)).astype(np.int8),
    "index": RNG.integers(0, N, size=3).astype(np.int32),
    "image": RNG.normal(size=(2, 3, 4, 5)),
    "channel": RNG.normal(size=(3, 1, 1)),
    "batch": RNG.normal(size=(2, 1, 1, 1)),
}
ATTRIBUTES = {"alpha": 0.7, "eps": 1e-3}


def lowered(text: str | Formula, outputs: Mapping[str, str] | None = None, *, native: bool = False) -> Lowered:
    formula = text if isinstance(text, Formula) else understand(text, list(ARRAYS), list(ATTRIBUTES))
    assert isinstance(formula, Formula), formula
    shapes = {name: tuple(name_of(size) for size in ARRAYS[name].shape) for name in formula.reads}
    inputs = {name: Operand(kind(ARRAYS[name]), shape) for name, shape in shapes.items()}
    kinds = {name: (outputs or {}).get(name, "real") for name in formula.outputs}
    results = {name: Operand(one, None, frozenset({one})) for name, one in kinds.items()}
    named = {name: Scalar(Name(name)) for name in formula.attributes}
    return lower(formula, inputs, results, named, native=native)


def kind(array: Any) -> str:
    return {"f": "real", "b": "bool"}.get(array.dtype.kind, f"{array.dtype.name}_t")


def name_of(size: int) -> str:
    return "1" if size == 1 else f"size{size}"


def check(text: str | Formula, outputs: Mapping[str, str] | None = None, *, native: bool = False) -> Lowered:
    """The lowered formula, carried out, gives what the formula gives."""
    formula = text if isinstance(text, Formula) else understand(text, list(ARRAYS), list(ATTRIBUTES))
    assert isinstance(formula, Formula), formula
    arrays = {name: ARRAYS[name] for name in formula.reads}
    golden = evaluate(formula, arrays, {name: ATTRIBUTES[name] for name in formula.attributes})
    steps = lowered(formula, outputs, native=native)
    kinds = {**{name: kind(array) for name, array in arrays.items()}, **(outputs or {})}
    found = Stepper(steps, arrays, ATTRIBUTES, kinds).outputs({name: one.shape for name, one in golden.items()})
    for name, expected in golden.items():
        np.testing.assert_allclose(found[name], expected, rtol=1e-9, atol=1e-9, err_msg=f"{formula}")
    return steps


@pytest.mark.parametrize(
    "text",
    [
        "y = x * sigmoid(alpha * x)",
        "y = (x - z) / (1 + x * x)",
        "y = 2 - x / z + z / 3",
        "s = x + z; y = s * s + s",
        "y = where(x > z, x, alpha * z)",
        "y = where(x > 0 and not (z > 0), 1, x)",
        "y = clamp(x, -0.5, alpha)",
        "y = x ^ 3 + x ^ -2 + abs(x) ^ 0.5",
        "y = x + w",
        "y = x * rows + b",
        "y = x / one",
        "y = softmax(x, dim=-1)",
        "y = log_softmax(x, dim=-1)",
        "y = layer_norm(x, weight=w, bias=b, eps=eps)",
        "y = x / sqrt(mean(x^2, dim=-1, keepdim=True) + eps) * w",
        "y = sum(x * z, dim=-1)",
        "y = sum(x)",
        "y = std(x, dim=-1, keepdim=True)",
        "y = logsumexp(x, dim=-1)",
        "lo = min(x, dim=-1); hi = max(x, dim=-1)",
        "s = x + z; p = x * z",
        "y = swiglu(x)",
        "y[k] = x[index[k]]",
        "y = embedding(index, x) * 2",
        "y = image + channel",
        "y = image * batch + channel * batch",
        "y = image - mean(image, dim=(-1, -2), keepdim=True)",
        "y = x",
        "y = where(mask, x, -1)",
        "y = small * w",
        "y = i * 0.5",
        "y = log(sigmoid(x * 300))",
    ],
)
def test_what_is_lowered_gives_what_the_formula_gives(text: str) -> None:
    check(text)


def test_values_are_stored_in_the_outputs_own_types() -> None:
    check("y = round(x / one).clamp(-128, 127)", {"y": "int8_t"})
    check("y = cast(x * 10, int32)", {"y": "int32_t"})
    check("y = x > z", {"y": "bool"})
    check("y = isnan(x) or x == z", {"y": "bool"})
    check("scale = amax(abs(x), dim=-1, keepdim=True) / 127; y = round(x / scale)", {"y": "int8_t"})


def test_integers_stay_integers_where_the_vector_unit_computes_them() -> None:
    steps = check("y = max(i, j) * 3 - j", {"y": "int32_t"}, native=True)
    assert {step.op for step in steps.steps} <= {"Max", "Muls", "Sub"}
    for comparison in ("<", "<=", ">", ">=", "==", "!="):
        check(f"y = i {comparison} j", {"y": "bool"}, native=True)
    check("y = where(i > j, i, 0)", {"y": "int32_t"}, native=True)
    check("y = (i > j) * 3 + i", {"y": "int32_t"}, native=True)
    check("y = i > j", {"y": "int32_t"}, native=True)
    check("y = abs(i) + relu(j)", {"y": "int32_t"}, native=True)


@pytest.mark.parametrize(
    ("text", "output"),
    [
        ("y = i * 0.5", "int32_t"),
        ("y = i + 0.5", "int32_t"),
        ("y = i + alpha * j", "int32_t"),
        ("y = i - alpha", "int32_t"),
        ("y = i + 3000000000", "int32_t"),
        ("y = where(i > j, i, 0.5)", "int32_t"),
        ("y = i > 0.5", "bool"),
        ("y = i == 3000000000", "bool"),
    ],
)
def test_integers_take_no_number_that_is_none(text: str, output: str) -> None:
    with pytest.raises(NotLoweredError, match="no integer of their size"):
        lowered(text, {"y": output}, native=True)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(TREES)
def test_any_formula_is_lowered_to_what_it_gives_or_not_at_all(tree: Expr) -> None:
    reads = tuple(name for name in dict.fromkeys(names_in(tree)) if name in ARRAYS)
    used = tuple(name for name in dict.fromkeys(names_in(tree)) if name in ATTRIBUTES)
    assume(reads)
    formula = Formula((Assignment("y", tree),), ("y",), reads, used)
    golden = evaluate(formula, {name: ARRAYS[name] for name in reads}, ATTRIBUTES)
    assume(np.isfinite(golden["y"]).all() and np.abs(golden["y"]).max() < 1e6)
    try:
        check(formula)
    except NotLoweredError as reason:
        assert str(reason)


def test_every_elementwise_function_has_a_way_or_a_reason() -> None:
    unary = [one for one in FUNCTIONS.values() if one.parameters[:1] == ("x",) and one.operands == 1 and not one.many]
    ways = 0
    for function in unary:
        argument = {"acosh": "1 + positive", "dim": "x"}.get(function.name, "positive")
        try:
            check(f"y = {function.name}({argument})" + (" + x" if function.reduces else ""))
            ways += 1
        except NotLoweredError as reason:
            assert str(reason), function.name
        except AssertionError as wrong:
            raise AssertionError(function.name) from wrong
        except KeyError:
            assert function.name == "lgamma"  # numpy has none
        except NotEvaluatedError:
            assert function.name == "invert"  # of a number's bits
    assert ways >= 60


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("y = matmul(x, z)", "`matmul`"),
        ("y = sum(x, dim=0)", "other axes than the last"),
        ("y = image + w", "stand beside each other"),
        ("y = cumsum(x, dim=-1)", "`cumsum`"),
        ("y = x ** 1e400", "the exponent inf"),
        ("y = x * 10 ** 400", "has no value"),
        (f"y = x + 1{'0' * 200} * 1{'0' * 200}", "beyond those of floating point"),
        ("y = round(x, decimals=400)", "400 decimals"),
        ("y = round(x, decimals=-400)", "-400 decimals"),
        ("y = cast(x, uint16)", "uint16"),
        ("y = cast(x, uint32)", "uint32"),
        ("y = cast(x, int4)", "int4"),
        ("a0 = alpha\n" + "".join(f"a{at + 1} = a{at} + a{at}\n" for at in range(40)) + "y = x * a40", "too many"),
    ],
)
def test_what_has_no_way_says_so(text: str, reason: str) -> None:
    with pytest.raises(NotLoweredError, match=reason):
        lowered(text)


@pytest.mark.parametrize(
    "text",
    [
        "y = where(x / 41 >= 1, 1, 0)",
        "y = where(x / alpha + 1 >= 2, 1, 0)",
        "y = sign(x / 41 - 1)",
        "y = floor(x / 41)",
        "y = ceil(x / 41)",
        "y = trunc(x / 41)",
        "y = round(x / 41)",
        "y = cast(x / 41, int32)",
        "y = cast(x / 41 - 1, bool)",
    ],
)
def test_a_quotient_that_decides_something_is_divided(text: str) -> None:
    assert "Div" in [step.op for step in lowered(text).steps]


def test_a_quotient_that_decides_nothing_is_a_product() -> None:
    assert "Div" not in [step.op for step in lowered("y = x / 41").steps]


def test_a_quotient_by_a_power_of_two_is_a_product_that_is_as_exact() -> None:
    (product,) = (step for step in lowered("y = where(x / 8 >= 1, 1, 0)").steps if step.op in ("Div", "Muls"))
    assert (product.op, product.args[1]) == ("Muls", Scalar(Number(0.125)))


@pytest.mark.parametrize(
    ("text", "output"),
    [
        ("y = i // j", "int32_t"),
        ("y = i / 2", "int32_t"),
        ("y = i", "int32_t"),
        ("y = i + small", "int32_t"),
        ("y = sum(i, dim=-1)", "int32_t"),
        ("y = sum(short, dim=-1)", "int32_t"),
        ("y = short * short", "int32_t"),
        ("y = x * (i - j)", "real"),
        ("y = x * (i % 3)", "real"),
        ("y = where(i == j, x, z)", "real"),
        ("y = where(i < 3000000000, x, z)", "real"),
    ],
)
def test_integers_that_float_would_get_wrong_are_refused(text: str, output: str) -> None:
    with pytest.raises(NotLoweredError, match=r"beyond 2\^24"):
        lowered(text, {"y": output})


@pytest.mark.parametrize(
    ("text", "output"),
    [
        ("y = i / j", "real"),
        ("y = i * x + 1", "real"),
        ("y = where(i > 0, x, z)", "real"),
        ("y = clamp(i, -9, 9) - small", "int32_t"),
        ("y = clamp(round(i * alpha), -128, 127)", "int32_t"),
        ("y = round(i * alpha)", "int8_t"),
        ("y = sum(small, dim=-1)", "int32_t"),
        ("y = where(i > 3, small, 0)", "int32_t"),
        ("y = round(x / 3) * 2", "int32_t"),
    ],
)
def test_integers_that_float_gets_right_are_computed_in_it(text: str, output: str) -> None:
    check(text, {"y": output})


def test_what_is_used_twice_is_computed_once() -> None:
    steps = lowered("y = exp(x) + exp(x) * z").steps
    assert [step.op for step in steps].count("Exp") == 1


def test_kinds_are_those_of_the_vector_unit() -> None:
    assert [kind_of(one) for one in ("half", "float", "bfloat16_t", "int32_t")] == ["real"] * 3 + ["int32_t"]


def test_an_index_within_indices_is_read_once() -> None:
    with pytest.raises(NotLoweredError, match="no input itself"):
        lowered("y = " + "x[" * 40 + "x" + "]" * 40)
