"""Reference code in Python against numpy: read, never executed."""

from __future__ import annotations

import numpy as np
import pytest

from kernelgen_ls.kernel.formula import Formula, NotEvaluatedError, NotUnderstood, evaluate, understand

_RNG = np.random.default_rng(11)
X = _RNG.normal(size=(3, 4)) * 2
W = np.abs(_RNG.normal(size=4)) + 0.5
ARRAYS = {"x": X, "weight": W, "y": X[::-1].copy()}

RMS = X / np.sqrt((X**2).mean(-1, keepdims=True) + 1e-6)

CASES = {
    "def f(x):\n    return x * torch.sigmoid(x)": X / (1 + np.exp(-X)),
    "```python\ny = torch.exp(x)\nz = y / y.sum(dim=-1, keepdim=True)\n```": np.exp(X)
    / np.exp(X).sum(-1, keepdims=True),
    "def f(x, weight, eps=1e-6):\n    rms = (x ** 2).mean(-1, keepdim=True)\n"
    "    return x * torch.rsqrt(rms + eps) * weight": RMS * W,
    "def f(x):\n    x = x + 1\n    x *= 2\n    return x": (X + 1) * 2,
    "def f(x):\n    a, b = x.chunk(2, dim=-1)\n    return a * b": X[:, :2] * X[:, 2:],
    "def f(x):\n    m, i = torch.max(x, dim=-1, keepdim=True)\n    return x - m": X - X.max(-1, keepdims=True),
    "def f(x):\n    return torch.max(x, -1)[1]": X.argmax(-1),
    "def f(x):\n    return x.max(dim=0).values": X.max(0),
    "def f(x, y):\n    return np.maximum(x, y)": np.maximum(X, X[::-1]),
    "def f(x):\n    return torch.where((x > 0) & (x < 1), x, torch.zeros_like(x))": np.where((X > 0) & (X < 1), X, 0),
    "def f(x):\n    return torch.var(x, dim=-1)": X.var(-1, ddof=1),
    "def f(x):\n    return np.var(x, axis=-1)": X.var(-1),
    "def f(x):\n    return torch.mean(x)": X.mean(),
    "def f(x):\n    return x.to(torch.int8).float() * x.shape[-1]": np.trunc(X) * 4,
    "def f(x):\n    return x[..., 1:] - x[..., :-1]": X[:, 1:] - X[:, :-1],
    "def f(x, y):\n    return x @ y.T": X @ X[::-1].T,
    "def f(x, weight):\n    return F.layer_norm(x, (4,), weight, None, 1e-5)": (X - X.mean(-1, keepdims=True))
    / np.sqrt(X.var(-1, keepdims=True) + 1e-5)
    * W,
    "def f(x):\n    return [torch.abs(t) for t in x]": np.abs(X),
    "class M(nn.Module):\n    def __init__(self):\n        self.act = nn.LeakyReLU(0.2, inplace=True)\n"
    "    def forward(self, x):\n        soft = nn.Softmax(dim=-1)\n        return soft(x) + self.act(x)": np.exp(X)
    / np.exp(X).sum(-1, keepdims=True)
    + np.where(X > 0, X, 0.2 * X),
    "def f(x, y):\n    x.mul_(2).add_(y)\n    return x": 2 * X + X[::-1],
    "def f(x, y):\n    shape = y.shape\n    return x.view(*shape)": X,
    "def f(x):\n    scale = {0: 1.0, 1: 3.0}\n    return x * scale[1] + {2: x}.get(3, 1.0)": X * 3 + 1,
    "def f(x):\n    types = {1: torch.float32, 2: torch.int8}\n    return x.to(types.get(2))": np.trunc(X),
    "def f(x, y):\n    return [a + b for a, b in zip(x, y)]": X + X[::-1],
    "def f(x):\n    if x.dtype == torch.bfloat16:\n        out = x.float() * 2\n    else:\n        out = x * 3\n"
    "    return out": X * 3,
    "def f(x, mode='sum'):\n    if mode == 'mean':\n        return x.mean()\n    return x.sum()": X.sum(),
    "def f(x, bias=None):\n    y = x * 2\n    if bias is not None:\n        y = y + bias\n    return y": X * 2,
    'import torch\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        """Doubles."""\n'
    "        # twice\n        return x * 2\n": X * 2,
    "def f(x):\n    out = []\n    for t in x:\n        u = t * 2\n        out.append(u + 1)\n    return out": X * 2 + 1,
    "class Model:\n    def half(self, t, by=2.0):\n        return t / by\n    def forward(self, x):\n"
    "        return self.half(x) + self.half(x, by=4.0)": X * 0.75,
    "class Model:\n    def scaled(self, t):\n        return t * self.weight\n    def forward(self, x):\n"
    "        return self.scaled(x + 1)": (X + 1) * W,
    "def f(x):\n    if not isinstance(x, list):\n        raise TypeError('no')\n    x.mul_(3)\n    return x": X * 3,
    "def f(x):\n    out = x.clone()\n    out[:, 1:] = 0\n    return out": X * [1, 0, 0, 0],
    "def f(x):\n    n = x.dim()\n    return x.sum(dim=tuple(range(n - 1)))": X.sum(0),
    "def f(x):\n    return torch.full(x.shape, 2.0, dtype=x.dtype, device=x.device) * x": X * 2,
    "def f(x):\n    return x.reshape([4] + list(x.shape[1:])[:0] + [3])": X.reshape(4, 3),
    "def f(x):\n    return x.masked_fill(x < 0, 0.0)": np.maximum(X, 0),
    "def f(x):\n    return torch.cat((x, -x), dim=-1)": np.concatenate((X, -X), -1),
    "def f(x):\n    return x.reshape(-1, 2).permute(1, 0)": X.reshape(-1, 2).T,
}


@pytest.mark.parametrize("text", CASES)
def test_python_gives_what_numpy_gives(text):
    formula = understand(text)
    assert isinstance(formula, Formula), formula.message
    given = evaluate(formula, {name: ARRAYS[name] for name in formula.reads if name in ARRAYS})[formula.outputs[-1]]
    np.testing.assert_allclose(given, CASES[text], rtol=1e-12, atol=1e-12)


def test_a_function_of_several_results_has_as_many_outputs_with_their_declared_names():
    text = """
        def f(x, residual, eps=1e-6):
            s = x + residual
            return s, s * torch.rsqrt(eps + s.pow(2).mean(-1, True))
    """
    formula = understand(text, ("x", "residual"), ("eps",), ("sum", "y"))
    assert isinstance(formula, Formula)
    assert (formula.outputs, formula.reads, formula.attributes) == (("sum", "y"), ("x", "residual"), ("eps",))
    given = evaluate(formula, {"x": X, "residual": np.zeros_like(X)})
    np.testing.assert_allclose(given["y"], RMS)
    np.testing.assert_allclose(evaluate(formula, {"x": X, "residual": X}, {"eps": 3.0})["sum"], 2 * X)


def test_the_first_function_is_meant_whatever_it_calls_its_parameters():
    formula = understand("def f(a, b):\n    return a - b", ("input1", "input2"))
    assert isinstance(formula, Formula)
    np.testing.assert_allclose(evaluate(formula, {"input1": X, "input2": X + 1})["out"], np.full_like(X, -1))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        (
            "def f(x):\n    out = []\n    s = 0\n    for t in x:\n        s = s + t\n"
            "        out.append(s)\n    return out",
            "for",
        ),
        ("def g(x):\n    return g(x)\ndef f(x):\n    return g(x)", "g"),
        ("def f(x):\n    return custom_ops.relu(x)", "custom_ops"),
        ("def f(x):\n    for i in range(3):\n        x = x + i\n    return x", "for i in range"),
        ("def f(x):\n    return torch.topk(x, 2)", "torch.topk"),
        ("def f(x):\n    return (x >> 2)", "x >> 2"),
        ("def f(x):\n    return x | 3", "x | 3"),
        ("def f(x):\n    return", "return"),
        ("def f(x:\n    return x", "def"),
        ("def f(x):\n    return __import__('os').system('true')", "__import__"),
    ],
)
def test_what_is_not_understood_is_said_with_its_word(text, word):
    found = understand(text, ("x",))
    assert isinstance(found, NotUnderstood)
    assert found.word == word


@pytest.mark.parametrize(
    "text",
    [
        "def f(x, k):\n" + "".join(f"    if k > {at}:\n        x = x + {at}\n" for at in range(40)) + "    return x",
        "def f(x):\n    return f8(x)\ndef f0(x):\n    return x + 1\n"
        + "".join(f"def f{at + 1}(x):\n    return {' + '.join([f'f{at}(x)'] * 12)}\n" for at in range(8)),
    ],
    ids=["conditions", "calls"],
)
def test_ways_that_multiply_are_not_understood(text: str) -> None:
    found = understand(text, ("x",), ("k",))
    assert isinstance(found, NotUnderstood)
    assert "too many ways" in found.reason


@pytest.mark.parametrize("value", ["(v, v)", "v + v", "x[v]"])
def test_a_value_that_grows_with_every_line_has_none(value: str) -> None:
    first = "x" if value == "x[v]" else "[x]"
    found = understand(f"def f(x):\n    v = {first}\n" + f"    v = {value}\n" * 40 + "    return torch.cat(v)", ("x",))
    assert isinstance(found, Formula), found
    with pytest.raises(NotEvaluatedError, match=r"too (?:long|large)"):
        evaluate(found, {"x": np.zeros((4, 4))})
