"""A specification and what somebody computes in its place: the numbers of the made cases tell the two apart."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from kernelgen_ls.kernel.cases.case import MadeCases
from kernelgen_ls.kernel.cases.written import cases_file
from kernelgen_ls.runner.execution.formula_golden import formula_golden
from tests.unit.work.test_made_cases import kernel, made

SHARES = {"float16": 1 / 512, "bfloat16": 1 / 128, "float32": 1 / 2048}
RMS = "y = x / sqrt(mean(x * x, dim=-1, keepdim=True) + eps) * w"
NORM = "y = (x - mean(x, dim=-1, keepdim=True)) / sqrt(var(x, dim=-1, keepdim=True, correction=0) + 1e-5) * w"
GELU = "y = 0.5 * x * (1 + tanh(0.7978845608 * (x + 0.044715 * x^3)))"
SOFTMAX = "y = exp(x - max(x, dim=-1, keepdim=True)) / sum(exp(x - max(x, dim=-1, keepdim=True)), dim=-1, keepdim=True)"

WRONG = [
    ("y = x * w + x", one)
    for one in ("y = x * w", "y = x + w + x", "y = x * w - x", "y = x * w + w", "y = x * x + x", "y = x * w + x * x")
]
WRONG += [("y = x - w", one) for one in ("y = w - x", "y = x + w", "y = x", "y = x * w", "y = x / w", "y = abs(x - w)")]
WRONG += [
    (RMS, RMS.replace(*change))
    for change in (("eps", "1e-5"), ("mean", "sum"), ("+ eps", ""), ("* w", ""), ("dim=-1", "dim=0"), ("sqrt", ""))
]
WRONG += [
    (NORM, NORM.replace(*change))
    for change in (
        *(("1e-5", "1e-6"), ("1e-5", "1e-4"), (" - mean(x, dim=-1, keepdim=True)", ""), ("* w", "+ w")),
        *(("dim=-1", "dim=0"), ("correction=0", "correction=1")),
    )
]
WRONG += [
    (GELU, GELU.replace(*change))
    for change in (("0.044715", "0.44715"), ("0.5", "0.05"), ("1 +", "1 -"), ("^3", "^2"), ("0.79788", "0.89788"))
]
WRONG += [
    (SOFTMAX, SOFTMAX.replace(*change)) for change in (("dim=-1", "dim=0"), ("sum", "max"), ("exp(x", "exp(2 * x"))
]
WRONG += [("y = max(x, w)", one) for one in ("y = min(x, w)", "y = x", "y = w", "y = max(x, 0)")]
WRONG += [
    ("y = where(x > w, x, 0)", one)
    for one in ("y = where(x < w, x, 0)", "y = where(x > 0, x, 0)", "y = where(x >= w, x, 0)")
]
WRONG += [
    ("y = where(x >= 0, 1, w)", "y = where(x > 0, 1, w)"),
    ("y = where(x > 0.5, 1, w)", "y = where(x >= 0.5, 1, w)"),
]
WRONG += [("y = x <= w", one) for one in ("y = x < w", "y = x >= w", "y = x == w", "y = w <= x")]
WRONG += [
    ("y = round(x) + w", one)
    for one in ("y = floor(x) + w", "y = trunc(x) + w", "y = floor(x + 0.5) + w", "y = ceil(x) + w")
]
WRONG += [
    ("y = clamp(x, -2, 2) + w", one)
    for one in ("y = x + w", "y = min(x, 2) + w", "y = clamp(x, -2, 3) + w", "y = clamp(x, 0, 2) + w")
]
WRONG += [("y = abs(x) + w", one) for one in ("y = x + w", "y = max(x, 0) + w", "y = -x + w")]
WRONG += [("y = sign(x) * w", one) for one in ("y = where(x >= 0, 1, -1) * w", "y = w")]
WRONG += [
    ("y = leaky_relu(x, 0.01) + w", one) for one in ("y = relu(x) + w", "y = leaky_relu(x, 0.1) + w", "y = x + w")
]
WRONG += [
    ("y = 1 / (x + w)", "y = 1 / x"),
    ("y = log(x) * w", "y = log2(x) * w"),
    ("y = log(x) * w", "y = log(1 + x) * w"),
]


def caught(right: str, wrong: str, dtype: str) -> list[str]:
    """The cases in whose outputs the wrong formula's, rounded to the type, are called wrong."""
    output = "bool" if "<=" in right else dtype
    names = [name for name in ("x", "w") if re.search(rf"\b{name}\b", right)]
    tensors = "".join(f"\n// in {name}: {dtype} [N, 64]" for name in names)
    comment = f"// formula: {right}{tensors}\n// out y: {output} [N, 64]\n// attr eps: float = 1e-6"
    found = made("f", kernel=kernel("f", f"{' '.join(names)} y tiling", comment))
    assert isinstance(found, MadeCases), found
    space: dict[str, Any] = {}
    exec(compile(cases_file(found), "f_cases.py", "exec"), space)
    bad = []
    for number, case in enumerate(space["CASES"]):
        given = space["inputs"](case, np.random.default_rng(number))
        arrays = {
            name: (kind, values.astype(kind).astype(np.float64 if values.dtype.kind == "f" else np.int64))
            for name, (kind, values) in given.items()
        }
        exact = space.get("exact", lambda _: False)(case)
        attributes = {"eps": 1e-6}
        outputs = {"y": output}
        golden = formula_golden(right, arrays, outputs, attributes, SHARES, saturates=False, exact=exact)[0].outputs[0]
        other = formula_golden(wrong, arrays, outputs, attributes, SHARES, saturates=False, exact=exact)[0].outputs[0]
        with np.errstate(all="ignore"):
            got = other.values.astype(output).astype(np.float64)
            want = golden.values.astype(np.float64)
            apart = np.abs(got - want) > golden.allowed
        if (apart | (np.isfinite(got) != np.isfinite(want.astype(output)))).any():
            bad.append(case["name"])
    return bad


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_what_is_computed_wrong_differs_in_some_case(dtype: str) -> None:
    missed = [f"{right} -> {wrong}" for right, wrong in WRONG if not caught(right, wrong, dtype)]
    assert len(WRONG) >= 60
    assert not missed
    rights = {right for right, _ in WRONG}
    assert not [right for right in rights if caught(right, right, dtype)]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("y = abs(x) + w", "y = x + w"),
        ("y = max(x, w)", "y = max(x, 0)"),
        ("y = where(x >= w, 1, 2)", "y = where(x > w, 1, 2)"),
    ],
)
def test_integers_are_negative_too_and_often_equal(right: str, wrong: str) -> None:
    assert caught(right, wrong, "int32")


@pytest.mark.parametrize("line", ["a{} = a{} + a{} + a0", "a{} = max(a{}, a{})", "a{} = where(a{} > 0, a{}, 1)"])
@pytest.mark.parametrize("count", [15, 40])
def test_names_that_each_line_reads_twice_and_more_have_their_cases(line: str, count: int) -> None:
    lines = ["a0 = x", *(line.format(at + 1, at, at) for at in range(count)), f"y = sign(a{count})"]
    formula = "\n".join(f" *     {one}" for one in lines)
    comment = f"/*\n * formula:\n * ```\n{formula}\n * ```\n * in x: float16 [4, 8]\n * out y: float16 [4, 8]\n */"
    found = made("grown", kernel=kernel("grown", "x y", comment))
    assert isinstance(found, MadeCases), found
    assert any(case.levels for case in found.cases) == (count == 15)
