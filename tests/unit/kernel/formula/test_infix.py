"""Formulas in plain notation against numpy, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest

from kernelgen_ls.kernel.formula import Formula, NotEvaluatedError, NotUnderstood, evaluate, output_shapes, understand

_RNG = np.random.default_rng(7)
X = _RNG.normal(size=(3, 4)) * 3
Y = _RNG.normal(size=(3, 4)) + 0.5
G = _RNG.normal(size=4)
I = np.array([2, 0, 1, 1])  # noqa: E741
ARRAYS = {"x": X, "y": Y, "gamma": G, "i32": I, "b": np.abs(Y) + 0.1}
SCALARS = {"alpha": 0.75, "eps": 1e-5}


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def value(text: str, **options: object) -> np.ndarray:
    formula = understand(text, tuple(ARRAYS), tuple(SCALARS), **options)
    assert isinstance(formula, Formula), formula.message
    results = evaluate(formula, ARRAYS, SCALARS)
    return results[formula.outputs[-1]]


EXP = np.exp(X - X.max(-1, keepdims=True))
MEAN = X.mean(-1, keepdims=True)

VALUES = {
    "z = x + y * x": X + Y * X,
    "z = (x + y) * x": (X + Y) * X,
    "z = x - y - x": X - Y - X,
    "z = x / y / 2": X / Y / 2,
    "z = -x**2": -(X**2),
    "z = b^2^0.5": (np.abs(Y) + 0.1) ** (2**0.5),
    "z = 2x + 1.5(x + y)": 2 * X + 1.5 * (X + Y),
    "z = |x| + abs(y)": np.abs(X) + np.abs(Y),
    "z = alpha * x": 0.75 * X,
    "z = x ≥ y": (X >= Y).astype(float),
    "z = 0 < x <= 1": ((X > 0) & (X <= 1)).astype(float),
    "z = where(x > 0 and y > 0, x, y)": np.where((X > 0) & (Y > 0), X, Y),
    "z = x if x > 0 else 0.1 * x": np.where(X > 0, X, 0.1 * X),
    "z = max(x, 0.5)": np.maximum(X, 0.5),
    "z = x - max(x, -1, keepdim=True)": X - X.max(-1, keepdims=True),
    "z = (float)x * 2": 2 * X.astype(np.float32).astype(float),
    "z = softmax(x) along the last axis": EXP / EXP.sum(-1, keepdims=True),
    "z[i] = max(x[i, :]) / sum(abs(x[i, :]))": X.max(-1) / np.abs(X).sum(-1),
    "z[i, :] = x[i, :] / sum(x[i, :])": X / X.sum(-1, keepdims=True),
    "z[i, :] = y[i32[i], :] * 2": 2 * Y[I],
    "z[i] = y[i32[i], :]": Y[I],
    "z[i, :] = y[i32[i]]": Y[I],
    "z = sum(x) over each row": X.sum(-1),
    "z = x - m, m = mean(x, dim=-1, keepdim=True)": X - MEAN,
    "z = max(x, y, 0)": np.maximum(np.maximum(X, Y), 0),
    "z = clamp(x, -1, 1)": np.clip(X, -1, 1),
    "z = clip(x, min=-1)": np.maximum(X, -1),
    "z = x * sigmoid(x)": X * _sigmoid(X),
    "z = SiLU(x)": X * _sigmoid(X),
    "z = quick_gelu(x)": X * _sigmoid(1.702 * X),
    'z = gelu(x, approximate="tanh")': 0.5 * X * (1 + np.tanh(math.sqrt(2 / math.pi) * (X + 0.044715 * X**3))),
    "z = gelu(x)": 0.5 * X * (1 + np.vectorize(math.erf)(X / math.sqrt(2))),
    "z = leaky_relu(x, 0.2)": np.where(X > 0, X, 0.2 * X),
    "z = leaky_relu(x, negative_slope=alpha)": np.where(X > 0, X, 0.75 * X),
    "z = log(b) + ln(b) + log2(b)": 2 * np.log(np.abs(Y) + 0.1) + np.log2(np.abs(Y) + 0.1),
    "z = pow(b, 1.5)": (np.abs(Y) + 0.1) ** 1.5,
    "z = e^(x) + exp(-x)": np.exp(X) + np.exp(-X),
    "z = round(x / 0.1)": np.rint(X / 0.1),
    "z = x // 2 + x % 2": X // 2 + X % 2,
    "z = softmax(x)": EXP / EXP.sum(-1, keepdims=True),
    "z = softmax(x, dim=0)": np.exp(X) / np.exp(X).sum(0),
    "z = log_softmax(x, dim=-1)": np.log(EXP / EXP.sum(-1, keepdims=True)),
    "z = exp(x - max(x, dim=-1)) / sum(exp(x - max(x, dim=-1)), dim=-1)": EXP / EXP.sum(-1, keepdims=True),
    "z = x - mean(x)": X - MEAN,
    "z = mean(x)": X.mean(),
    "z = sum(x, dim=-1)": X.sum(-1),
    "z = sum(x, axis=-1, keepdims=True)": X.sum(-1, keepdims=True),
    "z = 2 * amax(abs(x), dim=-1) + 1": 2 * np.abs(X).max(-1) + 1,
    "z = argmax(x, dim=-1)": X.argmax(-1),
    "z = x / sqrt(mean(x^2) + eps) * gamma": X / np.sqrt((X**2).mean(-1, keepdims=True) + 1e-5) * G,
    "z = rms_norm(x, weight=gamma, eps=1e-5)": X / np.sqrt((X**2).mean(-1, keepdims=True) + 1e-5) * G,
    "z = layer_norm(x, gamma=gamma)": (X - MEAN) / np.sqrt(X.var(-1, keepdims=True) + 1e-5) * G,
    "z = var(x, dim=-1)": X.var(-1),
    "z = cumsum(x, dim=-1)": X.cumsum(-1),
    "z = x @ transpose(y)": X @ Y.T,
    "z = matmul(x, y.T)": X @ Y.T,
    "z = cat([x, y], dim=-1)": np.concatenate([X, Y], -1),
    "z = x[:, 0:2] * x[..., 2:]": X[:, :2] * X[:, 2:],
    "z[i] = y[i32[i]]": Y[I[:, None] % 3][:, 0],
    "z = index_select(x, -1, i32)": X[:, I],
    "z = one_hot(i32, 5)": np.eye(5)[I],
    "z = torch.exp(x) + np.tanh(y)": np.exp(X) + np.tanh(Y),
    "z = -(x > 0) - isnan(0)": -(X > 0).astype(float),
    "z = isnan(x) or x > 0": (X > 0).astype(float),
    "z = cast(x, int8)": np.trunc(X),
    "z = x.sum(-1, keepdim=True)": X.sum(-1, keepdims=True),
    "s = x + y; z = s / sqrt(mean(s*s) + eps)": (X + Y) / np.sqrt(((X + Y) ** 2).mean(-1, keepdims=True) + 1e-5),
    "s = x + y\nz = s\n  * s": (X + Y) ** 2,
    "公式：z = x + 1，其中 x 为输入": X + 1,
    "The operator computes z = x + 1, where x is the input.": X + 1,
    "z＝（x＋y）× 2": (X + Y) * 2,
    "z = x² − √b": X**2 - np.sqrt(np.abs(Y) + 0.1),
    "x * y": X * Y,
    "z = x > 0 ? x : alpha * x": np.where(X > 0, X, 0.75 * X),
    "z[i, j] = x[i, j] + gamma[j]": X + G,
    "z[i][j] = x[i][j] * gamma[j];": X * G,
    "z[i, :] = y[i32[i], :]": Y[[2, 0, 1, 1]],
    "z[i] = sum_j x[i, j]": X.sum(-1),
    "z[i,j] = Σ_k x[i,k]·y[j,k]": X @ Y.T,
    "x += alpha * y": X + 0.75 * Y,
    "z = int8(round(x))": np.rint(X),
    "z = LayerNorm(x, gamma, b[0], eps)": (X - MEAN) / np.sqrt(X.var(-1, keepdims=True) + 1e-5) * G
    + np.abs(Y[0])
    + 0.1,
    "z = RMSNorm(x, gamma, eps)": X / np.sqrt((X**2).mean(-1, keepdims=True) + 1e-5) * G,
    "z = ln(1 + e^x) + 1/(1 + e^-x)": np.log1p(np.exp(X)) + _sigmoid(X),
    "z = min(max(round(x / 0.1) + 3, -128), 127)": np.clip(np.rint(X / 0.1) + 3, -128, 127),
}


@pytest.mark.parametrize("text", VALUES)
def test_a_formula_gives_what_numpy_gives(text):
    expected = VALUES[text]
    given = value(text)
    assert given.shape == np.shape(expected)
    np.testing.assert_allclose(given, expected, rtol=1e-12, atol=1e-12)


def test_every_output_is_given_by_its_name_in_order():
    text = "m = mean(x, dim=-1)\nr = 1 / sqrt(var(x, dim=-1) + 1e-5)\nz = (x - m) * r"
    formula = understand(text, outputs=("z", "m", "r"))
    assert isinstance(formula, Formula)
    results = evaluate(formula, {"x": X})
    assert list(results) == ["z", "m", "r"]
    np.testing.assert_allclose(results["m"], X.mean(-1))
    np.testing.assert_allclose(results["z"], (X - MEAN) / np.sqrt(X.var(-1, keepdims=True) + 1e-5))


def test_an_output_has_its_declared_name_where_there_is_only_one():
    formula = understand("gelu(x) = x * sigmoid(1.702 * x)", ("x",), outputs=("y",))
    assert isinstance(formula, Formula)
    assert formula.outputs == ("y",)
    in_place = understand("x = alpha * x", ("x",), ("alpha",), ("out",))
    assert isinstance(in_place, Formula)
    assert evaluate(in_place, {"x": X}, {"alpha": 2.0})["out"].tolist() == (2 * X).tolist()


def test_what_a_formula_reads_is_in_order_of_first_use():
    formula = understand("z = b * alpha + a", ("a", "b", "unused"), ("alpha",))
    assert isinstance(formula, Formula)
    assert (formula.reads, formula.attributes, formula.outputs) == (("b", "a"), ("alpha",), ("z",))


def test_without_inputs_every_free_name_is_one():
    formula = understand("t = residual + x; y = t * sigmoid(t)")
    assert isinstance(formula, Formula)
    assert (formula.reads, formula.outputs) == (("residual", "x"), ("y",))


@pytest.mark.parametrize(
    ("text", "inputs", "reads"),
    [
        ("y = X * 2", ("x",), ("x",)),
        ("y = x * 2", ("tensor_list",), ("tensor_list",)),
        ("y = x_1 + x_2", ("input1", "input2"), ("input1", "input2")),
        ("y = x * gamma", ("x", "weight"), ("x", "weight")),
    ],
)
def test_a_name_means_the_input_that_it_can_only_mean(text, inputs, reads):
    formula = understand(text, inputs)
    assert isinstance(formula, Formula)
    assert formula.reads == reads


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("z = sum(x) along the first axis", "along"),
        ("z = x + max()", "max"),
        ("y = foo(x)", "foo"),
        ("y = x + ", "the end"),
        ("y = (x + 1", "the end"),
        ("y = 1/2x", "x"),
        ("y = x + z", "z"),
        ("y = x y", "y"),
        ("y = x # 2", "#"),
        ("y = softmax(x, axes=1, foo=2)", "softmax"),
        ("y = x + 1\ny = x + 2", "y"),
        ("y = where(x > 0, x)", "where"),
        ("y = x[i+1]", "i"),
        ("adds two tensors", ""),
        ("y = " + "x + " * 8000 + "x", ""),
        ("y = " + "(" * 4000 + "x", ""),
    ],
)
def test_what_is_not_understood_is_said_with_its_word(text, word):
    found = understand(text, ("x",))
    assert isinstance(found, NotUnderstood)
    assert found.word == word
    assert found.reason
    if word and word != "the end":
        assert text[found.offset :].startswith(word)


def test_shapes_broadcast_and_what_does_not_fit_is_said():
    formula = understand("y = x + bias", ("x", "bias"))
    assert isinstance(formula, Formula)
    assert output_shapes(formula, {"x": (2, 3, 5), "bias": (5,)}) == {"y": (2, 3, 5)}
    with pytest.raises(NotEvaluatedError, match="broadcast"):
        output_shapes(formula, {"x": (2, 3), "bias": (5,)})
    with pytest.raises(NotEvaluatedError, match="bias"):
        evaluate(formula, {"x": X})


@pytest.mark.parametrize(
    ("dtype", "given", "expected"),
    [
        ("float16", 2049.0, 2048.0),
        ("bfloat16", 257.0, 256.0),
        ("bfloat16", 259.0, 260.0),
        ("bfloat16", 1e39, math.inf),
        ("bfloat16", 2.0**-133 * 1.4, 2.0**-133),
        ("float32", 1 + 2.0**-30, 1.0),
        ("int8", 300.7, 127.0),
        ("uint8", -3.0, 0.0),
        ("int32", -2.7, -2.0),
        ("bool", 0.5, 1.0),
    ],
)
def test_a_cast_rounds_as_its_type_does(dtype, given, expected):
    formula = understand(f"y = cast(x, {dtype})", ("x",))
    assert isinstance(formula, Formula)
    assert evaluate(formula, {"x": np.array([given])})["y"].tolist() == [expected]
