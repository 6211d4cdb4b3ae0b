"""Formulas in LaTeX against numpy, and what is refused in them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from kernelgen_ls.kernel.formula import Formula, NotEvaluatedError, NotUnderstood, evaluate, understand

_RNG = np.random.default_rng(3)
X = _RNG.normal(size=(4, 4)) * 2
Y = _RNG.normal(size=(4, 4))
B = np.abs(_RNG.normal(size=4)) + 0.5
ARRAYS = {"x": X, "y": Y, "bias": B, "gamma": B * 2, "A": X, "B": Y, "x1": X, "x2": Y, "grad_out": Y, "index": B * 0}
SCALARS = {"alpha": 0.5, "eps": 1e-3, "n_bits": 8.0}

MEAN = X.mean(-1, keepdims=True)
VAR = X.var(-1, keepdims=True)
SIGMOID = 1 / (1 + np.exp(-X))
SOFTMAX = np.exp(X) / np.exp(X).sum(-1, keepdims=True)

VALUES = {
    r"z = \frac{x}{1 + e^{-x}}": X * SIGMOID,
    r"z = \frac{\frac{x}{2}}{\sqrt{x^2 + \frac{1}{4}}}": X / 2 / np.sqrt(X**2 + 0.25),
    r"z = \dfrac12 x": X / 2,
    r"z = \sqrt[3]{|x|}": np.abs(X) ** (1 / 3),
    r"z = \left( x_1 + x_2 \right) \odot x_1": (X + Y) * X,
    r"z_i = x_{1,i} \times x_{2,i}": X * Y,
    r"z = \alpha x + \left|y\right|": 0.5 * X + np.abs(Y),
    r"z = 2x\exp(-2|x|)": 2 * X * np.exp(-2 * np.abs(X)),
    r"z = x \cdot \mathrm{sigmoid}(x)": X * SIGMOID,
    r"z = \text{Swish}(x) \odot y": X * SIGMOID * Y,
    r"z = \operatorname{ReLU}(x)": np.maximum(X, 0),
    r"z = \tanh^2(x) + \sin^{-1}(\tanh(x))": np.tanh(X) ** 2 + np.arcsin(np.tanh(X)),
    r"z = \log_2(x^2 + 1) + \log_{10}(x^2 + 1) + \log_e(x^2 + 1)": sum(
        f(X**2 + 1) for f in (np.log2, np.log10, np.log)
    ),
    r"z = \max(x, 0) + \min(y, 0)": np.maximum(X, 0) + np.minimum(Y, 0),
    r"z = {x - \bar{x} \over \sqrt{\mathrm{Var}(x) + eps}} * \gamma": (X - MEAN) / np.sqrt(VAR + 1e-3) * B * 2,
    r"z = \frac{x - \mathrm{E}[x]}{\sqrt{\mathrm{Var}[x] + \epsilon}}": (X - MEAN) / np.sqrt(VAR + 1e-3),
    r"z_i = \frac{e^{x_i}}{\sum_{j} e^{x_j}}": SOFTMAX,
    r"z_i = \frac{\exp(x_i - \max_j x_j)}{\sum_{j=1}^{n} \exp(x_j - \max_j x_j)}": SOFTMAX,
    r"z_{ij} = \frac{e^{x_{ij}}}{\sum_{k} e^{x_{ik}}}": SOFTMAX,
    r"z_i = \sum_{j} x_{ij}": X.sum(-1),
    r"z_j = \sum_{i} x_{ij}": X.sum(0),
    r"z = \sum_{i=1}^{N} x_i^2": (X**2).sum(),
    r"z = \frac{1}{N} \sum_{i=1}^{N} |x_i - y_i|": np.abs(X - Y).mean(),
    r"z = \frac{x}{\sqrt{\frac{1}{n}\sum_{i=0}^{n-1} x_i^2 + \epsilon}}": X
    / np.sqrt((X**2).mean(-1, keepdims=True) + 1e-3),
    r"\mu = \frac{1}{H}\sum_{i=1}^{H} x_i \\ \sigma^2 = \frac{1}{H}\sum_{i=1}^{H}(x_i-\mu)^2 \\"
    r" z = \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} \cdot \gamma": (X - MEAN) / np.sqrt(VAR + 1e-3) * B * 2,
    r"z = \begin{cases} x, & \text{if } x > 0 \\ \alpha (e^x - 1), & \text{otherwise} \end{cases}": np.where(
        X > 0, X, 0.5 * np.expm1(X)
    ),
    r"z = \left\{ \begin{aligned} 1, \quad x > 0 \\ 0, \quad x = 0 \\ -1, \quad x < 0 \end{aligned} \right.": np.sign(
        X
    ),
    r"z = \frac{1}{2}\left[1 + \left[x\right]^2\right] y": 0.5 * (1 + X**2) * Y,
    r"n = \sqrt{\sum_j x_{ij}^2} \\ z_{ij} = x_{ij} / \max(n, \epsilon)": X / np.sqrt((X**2).sum(-1, keepdims=True)),
    r"z_{ij} = x_{ij} - m_i, \quad m_i = \max_k x_{ik}": X - X.max(-1, keepdims=True),
    r"z_{ij} = x_{\text{index}_i j} + y_{ij}": X[:1] + Y,
    r"z = 3 \begin{cases} x & x \ge 1 \\ y & \text{else} \end{cases}": 3 * np.where(X >= 1, X, Y),
    r"C_{ij} = \sum_{p=1}^{k} A_{ip} B_{pj}": X @ Y,
    r"C_{ij} = \sum_{p} A_{pi} B_{jp}": X.T @ Y.T,
    r"D_{ij} = \left(\sum_{p=1}^{k} A_{ip} B_{pj}\right) + bias_j": X @ Y + B,
    r"D_{ij} = \alpha \sum_{p=1}^{k} A_{ip} B_{pj} \times \text{bias}_i": 0.5 * X @ Y * B[:, None],
    r"z_i = \sum_{j} A_{ij} bias_j": X @ B,
    r"z = x^T": X.T,
    r"z = \lfloor x \rfloor + \lceil y \rceil + \left\lfloor x + y \right\rceil": np.floor(X)
    + np.ceil(Y)
    + np.rint(X + Y),
    r"z = \text{clamp}(\text{round}(x \cdot 10), -8, 7)": np.clip(np.rint(X * 10), -8, 7),
    r"z = \text{grad_out} * \text{grad\_out}": Y * Y,
    r"z = grad\_out + 1": Y + 1,
    r"z_i = |x_i| \quad (i = 0, 1, \ldots, n - 1)": np.abs(X),
    r"z_i = x_i + 1, \quad i = 0, 1, \dots, n-1": X + 1,
    r"x = [x_0, x_1, \ldots, x_{n-1}] \\ z = [z_0, z_1, \ldots, z_{n-1}] \\ z_i = x_i * y_i": X * Y,
    r"z = \sinh(x) = \frac{e^x - e^{-x}}{2}": np.sinh(X),
    r"z = \text{erf}(x) = \frac{2}{\sqrt{\pi}} \int_0^x e^{-t^2} dt": np.vectorize(math.erf)(X),
    r"\text{GELU}(x) \approx \frac{x}{1 + e^{-1.702 x}}": X / (1 + np.exp(-1.702 * X)),
    r"\hat{x} = x + 1 \\ z = \hat{x} \hat{x}": (X + 1) ** 2,
    r"\begin{aligned} s &= x + y \\ z &= s \cdot s \end{aligned}": (X + Y) ** 2,
    r"Z_i = \cos(X_i) \\ z = \cos(x)": np.cos(X),
    r"$$z = \frac{x}{2}$$": X / 2,
    r"计算公式：$z = \sqrt{x^2}$，其中 $x$ 为输入张量。": np.abs(X),
    r"z = x \cdot \sigma(x) + \Phi(x)": X * SIGMOID + 0.5 * (1 + np.vectorize(math.erf)(X / math.sqrt(2))),
    "Applies it.\n\n.. math::\n    z = x * \\sigma(x), \\text{where } \\sigma \\text{ is the sigmoid}\n\n"
    "Args:\n    x (Tensor): the input = a tensor\n": X * SIGMOID,
    "The operator gives $z = x^2$ for the input $x$ = a tensor.": X**2,
    "First a sum:\n$$\ns = x\n  + y\n$$\nthen its square (n = 2):\n$$z = s^2$$\n": (X + Y) ** 2,
    r"z = {sinh}{(x)} + {log1p}({|x|}) + {e}^{-x}": np.sinh(X) + np.log1p(np.abs(X)) + np.exp(-X),
    r"z = \lnot (x > 0)": (X <= 0).astype(float),
    r"h = x + 1, \quad z = h \cdot h": (X + 1) ** 2,
    r"z = \|x\|_2": math.sqrt((X**2).sum()),
    r"z = \prod_{i} y_i": Y.prod(),
    r"x_{out} = x \tag{1}": X,
}


def value(text: str) -> np.ndarray:
    formula = understand(text, tuple(ARRAYS), tuple(SCALARS))
    assert isinstance(formula, Formula), formula.message
    return evaluate(formula, ARRAYS, SCALARS)[formula.outputs[-1]]


@pytest.mark.parametrize("text", VALUES)
def test_latex_gives_what_numpy_gives(text):
    given = value(text)
    assert given.shape == np.shape(VALUES[text])
    np.testing.assert_allclose(given, VALUES[text], rtol=1e-12, atol=1e-12)


def test_a_transposed_factor_makes_a_product_of_matrices():
    formula = understand(r"z = \text{softmax}\left(\frac{QK^T}{\sqrt{d}}\right)V", ("Q", "K", "V"), ("d",))
    assert isinstance(formula, Formula)
    q, k, v = (_RNG.normal(size=size) for size in ((3, 4), (5, 4), (5, 2)))
    scores = np.exp(q @ k.T / 2)
    expected = scores / scores.sum(-1, keepdims=True) @ v
    np.testing.assert_allclose(evaluate(formula, {"Q": q, "K": k, "V": v}, {"d": 4.0})["z"], expected)


def test_an_upright_d_belongs_to_the_name_of_a_gradient():
    formula = understand(r"z = \text{d}y \cdot x + \mathrm{d}\gamma")
    assert isinstance(formula, Formula)
    assert formula.reads == ("dy", "x", "dgamma")


def test_a_batch_is_an_index_like_the_others():
    formula = understand(r"(C_b)_{ij} = \sum_{p=1}^{k} (A_b)_{ip} (B_b)_{pj}", ("A", "B"))
    assert isinstance(formula, Formula)
    a, b = _RNG.normal(size=(2, 3, 4)), _RNG.normal(size=(2, 4, 5))
    np.testing.assert_allclose(evaluate(formula, {"A": a, "B": b})["C"], a @ b)


def test_sides_of_an_equation_that_differ_prove_that_one_is_misunderstood():
    text = r"z = where(x, y, m) = \begin{cases} x, & \text{if } m \\ y, & \text{otherwise} \end{cases}"
    formula = understand(text, ("x", "y", "m"))
    assert isinstance(formula, Formula)
    with pytest.raises(NotEvaluatedError, match="different values"):
        evaluate(formula, {"x": X, "y": Y, "m": X > 0})
    near = understand(r"z = \text{GELU}(x) \approx 0.5 x (1 + \tanh(0.79788456 (x + 0.044715 x^3)))", ("x",))
    assert isinstance(near, Formula)
    np.testing.assert_allclose(evaluate(near, {"x": X})["z"], X * 0.5 * (1 + np.vectorize(math.erf)(X / math.sqrt(2))))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        (r"z = \int_0^x t dt", r"\int"),
        (r"\frac{\partial L}{\partial x} = y", r"\partial"),
        (r"z_{i+1} = z_i + x_i", "+"),
        (r"z = \text{Dropout}(x)", "Dropout"),
        (r"z = \frac{x}{2", "the end"),
        (r"z = \frac{1}{M} x", "M"),
        (r"z = \begin{cases} x \\ y, & x > 0 \end{cases}", r"\begin{cases}"),
        (r"z = \sum_{j \in S} x_j", r"\in"),
        (r"z_i = x_i + A_{jk}", "i"),
        (r"x = [1, 2, 3]", ""),
        (r"z = e^{-x} I_0(x)", "I0"),
        (r"z = \sum_{i} x_{ii}", "ii"),
        (r"z = \sum_{n=0}^{\infty} \frac{1}{(x + n)^2}", "n"),
        (r"z = \alpha^2(x, y)", "2"),
        (r"z = \begin{cases} 0, & \text{with probability } 1 - x \\ y, & \text{otherwise} \end{cases}", "with"),
        (r"z = \foo{x}", r"\foo"),
    ],
)
def test_what_is_not_understood_is_said_with_its_word(text, word):
    found = understand(text, ("x", "y", "A"))
    assert isinstance(found, NotUnderstood), found
    assert found.word == word


def test_sums_within_sums_are_read_once():
    formula = understand("z = " + r"\sum_{i=1}^{N} (x_i + " * 40 + "x_i" + ")" * 40, ("x",))
    assert isinstance(formula, Formula | NotUnderstood)
