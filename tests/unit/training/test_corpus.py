"""The synthesiser: what it writes computes what the formula says, and no compiler would refuse it."""

from __future__ import annotations

import random

import numpy as np
import pytest

from kernelgen_ls.kernel.chips import chip_named
from kernelgen_ls.kernel.findings import Severity
from kernelgen_ls.kernel.lints import lint
from kernelgen_ls.kernel.syntax import Source
from kernelgen_ls.training.checking import Checker
from kernelgen_ls.training.corpus.defects import MUTATIONS, mutate
from kernelgen_ls.training.corpus.expressions import Expr, expand, formula, leaf, lower
from kernelgen_ls.training.corpus.hands import draw_hand
from kernelgen_ls.training.corpus.kernels import render
from kernelgen_ls.training.corpus.operators import Operator, Tensor, random_operator
from kernelgen_ls.training.documents import sample_kernel
from kernelgen_ls.training.evaluate import computes_as_planned

UNARY = {
    "exp": np.exp, "log": np.log, "abs": np.abs, "sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x),
    "relu": lambda x: np.maximum(x, 0), "reciprocal": lambda x: 1 / x, "ssqrt": np.sqrt,
}  # fmt: skip
BINARY = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "max": np.maximum, "min": np.minimum,
}  # fmt: skip
SCALAR = {
    "adds": lambda x, c: x + c, "sadds": lambda x, c: x + c, "muls": lambda x, c: x * c, "smuls": lambda x, c: x * c,
    "maxs": np.maximum, "mins": np.minimum, "leaky": lambda x, c: np.where(x > 0, x, x * c),
    "rsubs": lambda x, c: c - x, "divs": lambda x, c: x / c, "rdivs": lambda x, c: c / x,
}  # fmt: skip
ROWS = {"rowsum": np.sum, "rowmean": np.mean, "rowmax": np.max, "rowmin": np.min}
COMPARE = {"gt": np.greater, "lt": np.less, "ge": np.greater_equal, "le": np.less_equal}
CALLS = {
    "Exp": "exp",
    "Ln": "log",
    "Abs": "abs",
    "Sqrt": "sqrt",
    "Rsqrt": "rsqrt",
    "Relu": "relu",
    "Reciprocal": "reciprocal",
}


def value(node: Expr, known: dict[str, np.ndarray], numbers: dict[str, float]) -> np.ndarray:
    """The tree evaluated directly."""
    args = [value(arg, known, numbers) for arg in node.args]
    if node.op == "leaf":
        return known[node.value]
    if node.op in UNARY:
        return UNARY[node.op](args[0])
    if node.op in BINARY:
        return BINARY[node.op](*args)
    if node.op in ROWS:
        return ROWS[node.op](args[0], axis=-1, keepdims=True)
    if node.op == "where":
        mode, *constant = node.value.split()
        right = float(constant[0]) if constant else args[1]
        return np.where(COMPARE[mode](args[0], right), args[-2], args[-1])
    return SCALAR[node.op](args[0], numbers.get(node.value) or float(node.value))


def run(node: Expr, known: dict[str, np.ndarray], numbers: dict[str, float]) -> np.ndarray:
    """The tree's steps, executed one by one."""
    registers = dict(known)
    cols = next(iter(known.values())).shape[-1]

    def number(text: str) -> np.ndarray | float:
        if text.startswith("1 / "):
            return 1 / (cols if text[4:] == "cols" else number(text[4:]))
        if text.startswith("-%"):
            return -registers[text[1:]]
        return registers[text] if text in registers else numbers.get(text) or float(text)

    for step in lower(node).steps:
        a = [registers[source] for source in step.srcs]
        if step.op in CALLS:
            result = UNARY[CALLS[step.op]](a[0])
        elif step.op.lower() in BINARY:
            result = BINARY[step.op.lower()](*a)
        elif step.op.startswith("Reduce"):
            result = ROWS["row" + step.op[6:].lower()](a[0], axis=-1, keepdims=True)
        elif step.op.startswith("Compare"):
            right = number(step.scalar) if step.scalar else a[1]
            result = COMPARE[step.mode.lower()](a[0], right)
        elif step.op == "Select":
            result = np.where(a[0], a[1], a[2])
        elif step.op in ("GetValue", "DataCopy"):
            result = a[0]
        elif step.op == "LeakyRelu":
            result = SCALAR["leaky"](a[0], number(step.scalar))
        else:
            result = SCALAR[step.op.lower()](a[0], number(step.scalar))
        registers[step.dst] = result
    return registers["%out"]


def test_steps_compute_the_formula() -> None:
    rng, numbers = random.Random(11), np.random.default_rng(0)
    with np.errstate(all="ignore"):
        for _ in range(300):
            operator = random_operator(rng)
            known = {t.name: numbers.normal(size=(3, 8)) for t in operator.inputs}
            attributes = {name: float(text) for name, text in operator.attributes}
            expected = value(expand(operator.tree), known, attributes)
            np.testing.assert_allclose(run(operator.tree, known, attributes), expected, err_msg=operator.formula())


def test_a_known_function_keeps_its_name_in_the_formula_and_its_steps_in_the_plan() -> None:
    tree = Expr("mul", (Expr("silu", (leaf("x"),)), leaf("gate")))
    half, wide = (
        Operator("silu_gate", (Tensor("x", dtype), Tensor("gate", dtype)), Tensor("y", dtype), tree, 8, 64)
        for dtype in ("half", "bfloat16_t")
    )
    hand = draw_hand(random.Random(1), simple=True)
    assert half.formula() == wide.formula() == "y = silu(x) * gate"
    assert render(random.Random(1), half, hand).plan.splitlines() == [
        "tail half",
        "x half xLocal",
        "gate half gateLocal",
        "y half yLocal",
        "Muls(yLocal, xLocal, static_cast<half>(-1.0f), count);",
        "Exp(yLocal, yLocal, count);",
        "Adds(yLocal, yLocal, static_cast<half>(1.0f), count);",
        "Div(yLocal, xLocal, yLocal, count);",
        "Mul(yLocal, yLocal, gateLocal, count);",
        "TQue<TPosition::VECIN, BUFFER_NUM> xQueue, gateQueue;",
        "TQue<TPosition::VECOUT, BUFFER_NUM> yQueue;",
    ]
    assert render(random.Random(1), wide, hand).plan.splitlines() == [
        "tail float",
        "x bfloat16_t xFp32",
        "gate bfloat16_t gateFp32",
        "y bfloat16_t acc",
        "Cast(xFp32, xLocal, RoundMode::CAST_NONE, count);",
        "Cast(gateFp32, gateLocal, RoundMode::CAST_NONE, count);",
        "Muls(acc, xFp32, -1.0f, count);",
        "Exp(acc, acc, count);",
        "Adds(acc, acc, 1.0f, count);",
        "Div(acc, xFp32, acc, count);",
        "Mul(acc, acc, gateFp32, count);",
        "Cast(yLocal, acc, RoundMode::CAST_RINT, count);",
        "TQue<TPosition::VECIN, BUFFER_NUM> xQueue, gateQueue;",
        "TQue<TPosition::VECOUT, BUFFER_NUM> yQueue;",
        "TBuf<TPosition::VECCALC> xFp32Buf;",
        "TBuf<TPosition::VECCALC> gateFp32Buf;",
        "TBuf<TPosition::VECCALC> accBuf;",
    ]


def test_a_kernel_does_what_its_plan_says_in_the_same_words() -> None:
    rng = random.Random(29)
    for at in range(24):
        kernel = sample_kernel(rng, simple=at % 2 == 0)
        assert computes_as_planned(kernel.source, kernel)
        written = [line.strip() for line in kernel.source.splitlines()]
        planned = kernel.plan.splitlines()
        memory = planned[len(planned) - planned[::-1].index(kernel.arithmetic[-1]) :]
        assert "\n".join(kernel.arithmetic) in kernel.plan
        assert "TQue" in memory[0]
        assert set(memory) <= set(written)


def test_parentheses_stand_where_they_are_needed() -> None:
    a, b, c = leaf("a"), leaf("b"), leaf("c")
    assert formula(Expr("sub", (a, Expr("sub", (b, c))))) == "a - (b - c)"
    assert formula(Expr("mul", (Expr("add", (a, b)), c))) == "(a + b) * c"
    assert formula(Expr("rdivs", (Expr("adds", (a,), "0.25"),), "2")) == "2 / (a + 0.25)"
    assert formula(Expr("muls", (Expr("adds", (a,), "1"),), "0.5")) == "0.5 * (1 + a)"


def test_every_kernel_passes_the_checker() -> None:
    rng, checker = random.Random(23), Checker()
    for at in range(24):
        kernel = sample_kernel(rng, simple=at % 3 == 0, held_out=at % 4 == 0)
        assert checker.errors(kernel) == [], kernel.source


def test_no_kernel_earns_a_lint_that_warns() -> None:
    rng, chip = random.Random(29), chip_named("Ascend910B1")
    for at in range(40):
        kernel = sample_kernel(rng, simple=at % 3 == 0)
        found = [f for f in lint(Source(kernel.source), chip) if f.severity in (Severity.ERROR, Severity.WARNING)]
        assert found == [], kernel.source


def test_splits_do_not_meet() -> None:
    rng = random.Random(5)
    seen = {sample_kernel(rng, simple=True).operator.key() for _ in range(300)}
    held = {sample_kernel(rng, simple=True, held_out=True).operator.key() for _ in range(60)}
    assert held
    assert not seen & held


def test_the_same_seed_writes_the_same_kernel() -> None:
    first, second = (sample_kernel(random.Random(8), simple=False) for _ in range(2))
    assert first.source == second.source
    assert sample_kernel(random.Random(9), simple=False).source != first.source


def test_names_differ_from_hand_to_hand() -> None:
    rng = random.Random(3)
    hands = [draw_hand(rng) for _ in range(60)]
    assert len({hand.patterns["gm"] for hand in hands}) > 6
    assert {hand.using for hand in hands} == {True, False}


@pytest.mark.parametrize("kind", list(MUTATIONS))
def test_a_defect_changes_one_line(kind: str) -> None:
    rng = random.Random(41)
    found = 0
    for _ in range(60):
        source = sample_kernel(rng, simple=False).source
        defect = mutate(rng, source, kind)
        if defect is None:
            continue
        found += 1
        pairs = list(zip(source.split("\n"), defect.source.split("\n"), strict=True))
        assert [at for at, (clean, broken) in enumerate(pairs) if clean != broken] == [defect.line]
    assert found > 1
