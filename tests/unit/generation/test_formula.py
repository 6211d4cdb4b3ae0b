"""A formula and a kernel's calls in, hints out."""

from __future__ import annotations

import pytest

from kernelgen_ls.model.generation.formula import OPERATIONS, formula_hints


def hints(formula: str, *lines: str, **attributes: str) -> str:
    return "; ".join(formula_hints(formula, "\n".join(lines), tuple(attributes.items())))


@pytest.mark.parametrize(
    ("formula", "code"),
    [
        ("z = x + y", "Add(z, x, y, n);"),
        ("y = x / (1 + exp(-x))", "Muls(y, x, -1.0f, n); Exp(y, y, n); Adds(y, y, 1.0f, n); Div(y, x, y, n);"),
        (r"$$y = \frac{x}{1 + e^{-x}}$$", "Exp(y, y, n); Adds(y, y, 1.0f, n); Div(y, x, y, n);"),
        ("y = x / sqrt(mean(x * x, dim=-1) + 1e-6)", "float s = 1.0f / sqrt(ReduceSum<float>(t, t, w, n) + 1e-6f); "
         "Mul(t, x, x, n); Muls(y, x, s, n);"),
        ("y = softmax(x)", "ReduceMax(m, x, w, n); Exp(x, x, n); ReduceSum(s, x, w, n); Muls(y, x, r, n);"),
        ("y = silu(x)", "Silu(y, x, n);"),
        ("y = min(max(x * scale, -128), 127)", "Muls(y, x, 12.5f, n); Maxs(y, y, -128.0f, n); Mins(y, y, 127.0f, n);"),
        ("y[i] = table[index[i]]", "Gather(y, table, index, 0, n);"),
        ("y = mystery(x)", "Exp(y, x, n); Ln(y, y, n);"),
        ("", "Exp(y, x, n);"),
    ],
)  # fmt: skip
def test_nothing_odd(formula: str, code: str) -> None:
    assert hints(formula, code, scale="12.5") == ""


@pytest.mark.parametrize(
    ("formula", "code", "said"),
    [
        ("y = exp(x) + 1", "Ln(y, x, n); Adds(y, y, 1.0f, n);", "names exp"),
        ("y = x * 3.5", "Muls(y, x, 2.5f, n);", "number 3.5"),
        ("y = x + residual * alpha", "constexpr float alpha = 0.7f; Add(y, x, r, n); Mul(y, y, y, n);",
         "attribute alpha"),
        ("y = x + y", "Mul(y, x, y, n);", "has '+'"),
        ("y = x * x", "Mul(y, x, x, n); Exp(y, y, n);", "calls Exp, which"),
        ("y = abs(x)", "Abs(y, x, n);" + 3 * "\nMins(y, y, 1.0f, n);", "3 times in a row"),
        ("y = layer_norm(x)", "Sub(y, x, x, n); Rsqrt(y, y, n);", "names layer_norm"),
    ],
)  # fmt: skip
def test_something_odd(formula: str, code: str, said: str) -> None:
    assert said in hints(formula, code, alpha="0.7")


def test_comments_and_texts_are_no_code() -> None:
    assert "names exp" in hints("y = exp(x)", "// Exp(y, x)", "/* Exp(y, x) */", 'printf("Exp(y)"); Ln(y, x, n);')


def test_every_call_is_one_that_exists() -> None:
    from kernelgen_ls.kernel.api import lookup

    scalar = {"sqrt", "sqrtf", "rsqrt", "exp", "expf", "log", "abs", "fabs"}
    named = {name for groups in OPERATIONS.values() for group in groups for name in group} - scalar
    assert {name for name in named if lookup(name) is None} <= {"PRelu", "Divs", "Subs"}


def test_the_examples_are_not_odd() -> None:
    from pathlib import Path

    from kernelgen_ls.model.generation.sources import read_operator
    from kernelgen_ls.work.generating import specification_texts
    from kernelgen_ls.workspace.operators import operator_at

    folders = sorted(path for path in (Path(__file__).parents[3] / "examples").iterdir() if path.is_dir())
    assert folders
    for folder in folders:
        texts, entry = specification_texts(operator_at(folder), named=False)
        specification = read_operator(texts, entry).specification
        kernel = texts[f"op_kernel/{specification.kernel_name}.cpp"]
        attributes = [(a.name, a.default) for a in specification.attributes if a.default is not None]
        assert formula_hints(specification.formula, kernel, attributes) == (), folder.name
