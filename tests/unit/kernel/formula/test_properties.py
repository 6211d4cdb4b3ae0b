"""Random formulas, printed in each notation and read back, give what they gave; and no text does any harm."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernelgen_ls.kernel.formula import Formula, NotUnderstood, evaluate, understand
from kernelgen_ls.kernel.formula.tree import Assignment, Call, Expr, Name, Number
from kernelgen_ls.kernel.formula.writing import expression, written

_RNG = np.random.default_rng(5)
ARRAYS = {"x": _RNG.normal(size=(3, 5)), "y_1": _RNG.normal(size=(3, 5)), "w": _RNG.normal(size=5)}
ATTRIBUTES = {"alpha": 0.3, "eps": 1e-3}
_BINARY = {"add": "+", "sub": "-", "mul": r"\cdot", "gt": ">", "le": r"\le"}
_LATEX_UNARY = {
    "exp": r"\exp",
    "tanh": r"\tanh",
    "sin": r"\sin",
    "sigmoid": r"\mathrm{sigmoid}",
    "relu": r"\text{ReLU}",
}
_UNARY = ("exp", "tanh", "sin", "sigmoid", "relu", "abs", "neg", "floor")

_LEAVES = st.one_of(
    st.sampled_from([Name(name) for name in (*ARRAYS, *ATTRIBUTES)]),
    st.sampled_from([Number(value) for value in (0, 1, 2, 10, 0.5, 1.702, 1e-6)]),
)


def _node(children: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    one_number = (("dim", Number(-1)), ("keepdim", Number(True)))
    return st.one_of(
        st.builds(lambda op, x: Call(op, (x,)), st.sampled_from(_UNARY), children),
        st.builds(lambda op, x, y: Call(op, (x, y)), st.sampled_from([*_BINARY, "div", "maximum"]), children, children),
        st.builds(
            lambda x, power: Call("pow", (Call("abs", (x,)), Number(power))), children, st.sampled_from([2, 0.5])
        ),
        st.builds(lambda c, d, x, y: Call("where", (Call("gt", (c, d)), x, y)), children, children, children, children),
        st.builds(
            lambda op, x: Call(op, (Call("mul", (x, Name("x"))),), one_number),
            st.sampled_from(["sum", "amax"]),
            children,
        ),
    )


TREES = st.recursive(_LEAVES, _node, max_leaves=12)


def latex(expr: Expr) -> str:
    """A tree in LaTeX, every operand of a sign in parentheses."""
    if isinstance(expr, Number):
        text = f"{expr.value}"
        return text if "e" not in text else rf"\text{{{text}}}"
    if isinstance(expr, Name):
        return {"alpha": r"\alpha", "eps": r"\epsilon", "y_1": "y_{1}"}.get(expr.name, expr.name)
    assert isinstance(expr, Call)
    args = [latex(arg) for arg in expr.args]
    if expr.op in _BINARY:
        return rf"\left({args[0]}\right) {_BINARY[expr.op]} \left({args[1]}\right)"
    if expr.op in _LATEX_UNARY:
        return rf"{_LATEX_UNARY[expr.op]}\left({args[0]}\right)"
    form: dict[str, Callable[..., str]] = {
        "abs": lambda x: rf"\left|{x}\right|",
        "neg": lambda x: rf"-\left({x}\right)",
        "floor": lambda x: rf"\lfloor {x} \rfloor",
        "div": lambda x, y: rf"\frac{{{x}}}{{{y}}}",
        "maximum": lambda x, y: rf"\max\left({x}, {y}\right)",
        "pow": lambda x, y: rf"\left({x}\right)^{{{y}}}",
        "where": lambda c, x, y: rf"\begin{{cases}} {x}, & \text{{if }} {c} \\ {y}, & \text{{otherwise}} \end{{cases}}",
        "sum": lambda x: rf"\text{{sum}}({x}, \text{{dim}}=-1, \text{{keepdim=True}})",
        "amax": lambda x: rf"\text{{amax}}({x}, dim=-1, keepdim=True)",
    }
    return form[expr.op](*args)


def python(expr: Expr) -> str:
    """A tree in Python."""
    if isinstance(expr, Number):
        return repr(expr.value)
    if isinstance(expr, Name):
        return expr.name
    assert isinstance(expr, Call)
    signs = {"add": "+", "sub": "-", "mul": "*", "div": "/", "gt": ">", "le": "<=", "pow": "**"}
    args = [python(arg) for arg in expr.args]
    if expr.op in signs:
        return f"(({args[0]}) {signs[expr.op]} ({args[1]}))"
    if expr.op == "neg":
        return f"-({args[0]})"
    return f"torch.{expr.op}({', '.join([*args, *(f'{key}={python(value)}' for key, value in expr.options)])})"


def _values(formula: Formula) -> np.ndarray:
    return evaluate(formula, ARRAYS, ATTRIBUTES)[formula.outputs[-1]]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(TREES)
def test_a_formula_that_is_printed_and_read_again_gives_the_same(tree: Expr) -> None:
    expected = _values(Formula((Assignment("z", tree),), ("z",), ()))
    for text in (
        f"z = {expression(tree)}",
        f"z = {latex(tree)}",
        f"def f(x, y_1, w, alpha, eps):\n    return {python(tree)}",
    ):
        found = understand(text, tuple(ARRAYS), tuple(ATTRIBUTES), ("z",))
        assert isinstance(found, Formula), (text, found)
        np.testing.assert_allclose(_values(found), expected, rtol=1e-9, atol=1e-9, err_msg=text)
        again = understand(written(found), tuple(ARRAYS), tuple(ATTRIBUTES), ("z",))
        assert isinstance(again, Formula), (written(found), again)
        np.testing.assert_allclose(_values(again), expected, rtol=1e-9, atol=1e-9, err_msg=written(found))


_WORDS = r"""
    x y_i = + - * / ^ _ ( ) [ ] { } | , . ; : & \\ \frac \sqrt \sum \left \right \begin{cases} \end{cases} \text{
    \max \int softmax sum( dim= 1 2.5 1e-5 if else where for in $ $$ ``` python def return f( \alpha \bar ' " 公式 ，
    × ≤ ² x[ i] ... \quad \begin{aligned} \end{aligned} \log_2 \| \underset E[ Var( T != == class import @ # ! ~ %
"""
_PIECES = st.sampled_from(_WORDS.split())


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.one_of(
        st.lists(_PIECES, max_size=25).map(" ".join), st.lists(_PIECES, max_size=25).map("".join), st.text(max_size=60)
    )
)
def test_any_text_is_understood_or_not_and_nothing_else(text: str) -> None:
    found = understand(text, ("x", "y"), ("alpha",))
    assert isinstance(found, Formula | NotUnderstood)
    if isinstance(found, NotUnderstood):
        assert found.message
        assert 0 <= found.offset <= len(text)
