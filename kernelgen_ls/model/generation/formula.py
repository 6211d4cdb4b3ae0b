"""What a formula names against what a kernel calls: hints about kernels that compile and compute something else.

A comparison of words, nothing is executed: a kernel without a hint may be wrong and one with a hint may be right. So
hints order candidates that compile and are said as hints; they never count as verification.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from attrs import frozen

from kernelgen_ls.model.prompts.starter import plain_formula

Calls = frozenset[str]


def _calls(text: str) -> Calls:
    return frozenset(text.split())


_SUM = _calls(
    "ReduceSum WholeReduceSum BlockReduceSum RepeatReduceSum PairReduceSum Sum Mean SoftMax SimpleSoftMax SoftmaxFlash "
    "SoftmaxFlashV2 LogSoftMax LayerNorm RmsNorm BatchNorm DeepNorm CumSum Mmad IterateAll"
)
_MAXIMUM = _calls("Max Maxs Relu ClampMax ClampMin ReduceMax WholeReduceMax BlockReduceMax SoftMax")
_MINIMUM = _calls("Min Mins ClampMax ClampMin ReduceMin WholeReduceMin BlockReduceMin")
_ROOT = _calls("Sqrt Rsqrt sqrt sqrtf rsqrt Power LayerNorm RmsNorm BatchNorm DeepNorm")
_EXP = _calls("Exp exp expf Sigmoid Silu Swish SwiGLU Gelu FasterGelu FasterGeluV2 GeGLU Tanh SoftMax SimpleSoftMax")
_EXPONENTIAL = _EXP | _calls("SoftmaxFlash SoftmaxFlashV2 LogSoftMax Sinh Cosh Power")
_MULTIPLY = _calls(
    "Mul Muls Axpy MulAddDst FusedMulAdd FusedMulAddRelu MulCast Power Silu Swish SwiGLU Gelu FasterGelu FasterGeluV2 "
    "GeGLU ReGlu LayerNorm RmsNorm BatchNorm DeepNorm Mmad IterateAll Div"
)
_DIVIDE = _calls("Div Divs Reciprocal Muls Mul Rsqrt Sigmoid Silu Swish SwiGLU Tanh SoftMax SimpleSoftMax Power Sub")
_PLUS = _calls("Add Adds Axpy MulAddDst FusedMulAdd AddRelu AddReluCast Sub Silu Swish SwiGLU Sigmoid ReduceSum Mmad")
_MINUS = _calls("Sub Subs SubRelu SubReluCast Adds Add Muls Axpy LogSoftMax SoftMax SimpleSoftMax SoftmaxFlash")
_COMPARE = _calls("Compare CompareScalar Select Max Maxs Min Mins Relu")
_ROUND = _calls("Round Cast RoundMode AscendQuant Floor Ceil Trunc")
_RELU = _calls("Relu LeakyRelu PRelu AddRelu SubRelu ReGlu FusedMulAddRelu Max Maxs Select")
_NORM = (_SUM, _ROOT)

OPERATIONS: dict[str, tuple[Calls, ...]] = {
    "exp": (_EXPONENTIAL,),
    "log": (_calls("Ln Log Log2 Log10 log LogSoftMax"),),
    "ln": (_calls("Ln Log log LogSoftMax"),),
    "log2": (_calls("Log2 Ln Log"),),
    "log10": (_calls("Log10 Ln Log"),),
    "sqrt": (_ROOT,),
    "rsqrt": (_ROOT,),
    "abs": (_calls("Abs abs fabs Max"),),
    "tanh": (_calls("Tanh Exp Gelu"),),
    "sigmoid": (_EXP,),
    "silu": (_EXP, _MULTIPLY | _DIVIDE),
    "swish": (_EXP, _MULTIPLY | _DIVIDE),
    "gelu": (_EXP | _calls("Erf"), _MULTIPLY | _DIVIDE),
    "quick_gelu": (_EXP, _MULTIPLY | _DIVIDE),
    "swiglu": (_EXP, _MULTIPLY),
    "softplus": (_EXP, _calls("Ln Log")),
    "elu": (_EXP, _MAXIMUM | _calls("Select Min Mins")),
    "mish": (_EXP, _MULTIPLY | _DIVIDE),
    "erf": (_calls("Erf Erfc Exp"),),
    "sin": (_calls("Sin"),),
    "cos": (_calls("Cos Sin"),),
    "pow": (_calls("Power Mul Muls Exp Sqrt Rsqrt"),),
    "square": (_calls("Mul Power MulCast MulAddDst"),),
    "relu": (_RELU,),
    "leaky_relu": (_RELU,),
    "max": (_MAXIMUM,),
    "maximum": (_MAXIMUM,),
    "amax": (_MAXIMUM,),
    "min": (_MINIMUM,),
    "minimum": (_MINIMUM,),
    "amin": (_MINIMUM,),
    "clamp": (_MAXIMUM | _MINIMUM, _MINIMUM | _MAXIMUM),
    "clip": (_MAXIMUM | _MINIMUM,),
    "round": (_ROUND,),
    "floor": (_ROUND,),
    "ceil": (_ROUND,),
    "trunc": (_ROUND,),
    "cast": (_ROUND,),
    "reciprocal": (_DIVIDE,),
    "where": (_calls("Select Compare CompareScalar Max Maxs Min Mins"),),
    "sign": (_calls("Sign Select Compare CompareScalar Div"),),
    "sum": (_SUM,),
    "mean": (_SUM,),
    "var": (_SUM,),
    "std": _NORM,
    "softmax": (_EXPONENTIAL, _SUM),
    "log_softmax": (_EXPONENTIAL, _SUM, _calls("Ln Log LogSoftMax")),
    "layer_norm": _NORM,
    "rms_norm": _NORM,
    "matmul": (_calls("Mmad IterateAll Iterate Mul"),),
}
"""Of a function in a formula: for each group, one call of it must be there. Scalar C++ functions count too."""

_REDUCING = {"sum", "mean", "var", "std", "softmax", "log_softmax", "layer_norm", "rms_norm", "matmul", "amax", "amin"}
_OPERATORS = {"*": _MULTIPLY, "/": _DIVIDE, "+": _PLUS, "-": _MINUS}
_COMPARISONS = ("<", ">", "<=", ">=", "==", "!=")
_TELLTALE = _calls(
    "Exp Ln Log Log2 Log10 Sqrt Rsqrt Tanh Sigmoid Sin Cos Erf Abs Relu LeakyRelu ReduceSum ReduceMax ReduceMin "
    "WholeReduceSum WholeReduceMax WholeReduceMin Reciprocal Div Silu Gelu SoftMax LayerNorm RmsNorm"
)
"""Calls that are there for their mathematics alone: nothing but the formula explains them."""

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)
_CALL = re.compile(r"\b([A-Za-z_]\w*)\s*(?:<[^;(){}]*>)?\s*\(")
_NUMBER = re.compile(r"(?<![\w.])(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+)")
_TOKEN = re.compile(r"\d+\.?\d*(?:[eE][+-]?\d+)?|[A-Za-z_]\w*|\*\*|[<>=!]=|\S")
_COMMON_NUMBERS = {0.0, 0.5, 1.0, 2.0}
"""A rewriting of the formula may add or drop these."""
_IN_A_ROW = 3


@frozen
class _Formula:
    """A formula's words. ``operators`` are the binary ones between tensors; ``names`` all that is no function."""

    functions: tuple[str, ...]
    operators: frozenset[str]
    numbers: frozenset[float]
    names: frozenset[str]

    @property
    def understood(self) -> bool:
        """Whether every function is known, so that a call may be one too many."""
        return all(name in OPERATIONS for name in self.functions)


def formula_hints(formula: str, code: str, attributes: Sequence[tuple[str, str]] = ()) -> tuple[str, ...]:
    """What in ``code`` does not fit ``formula``, a line each; empty where nothing is odd or nothing can be said.

    ``attributes`` are (name, value) pairs of the specification.
    """
    wanted = _read(formula)
    if not wanted.functions and not wanted.operators:
        return ()
    plain = _COMMENT.sub(" ", code)
    called = frozenset(_CALL.findall(plain))
    hints = [*_missing(wanted, called), *_unused(wanted, plain, attributes), *_too_many(wanted, called)]
    return (*hints, *_repeated(plain))


def _read(formula: str) -> _Formula:
    text = re.sub(r"\[[^\]]*\]", "", plain_formula(formula))
    text = re.sub(r"(?:^|;)\s*\w+\s*=(?!=)", " ", text)
    text = re.sub(r",\s*\w+\s*=(?!=)[^,)]*", "", text)
    tokens = _TOKEN.findall(text)
    functions: list[str] = []
    operators: set[str] = set()
    numbers: set[float] = set()
    names: set[str] = set()
    for at, token in enumerate(tokens):
        before, after = tokens[at - 1] if at else "", tokens[at + 1] if at + 1 < len(tokens) else ""
        if token[0].isdigit():
            if before not in ("^", "**"):
                numbers.add(float(token))
        elif token[0].isalpha() or token[0] == "_":
            if after == "(":
                functions.append(token.lower())
            else:
                names.add(token)
        elif token in ("^", "**"):
            functions.append("pow")
        elif token in _COMPARISONS or (token in _OPERATORS and before and (before[-1].isalnum() or before in ")_")):
            operators.add(token)
    return _Formula(tuple(functions), frozenset(operators), frozenset(numbers), frozenset(names))


def _missing(wanted: _Formula, called: Calls) -> list[str]:
    hints = [
        f"the formula names {name}, but the kernel calls nothing that computes it"
        for name in dict.fromkeys(wanted.functions)
        if any(not group & called for group in OPERATIONS.get(name, ()))
    ]
    # A reduction's result is often a scalar: its arithmetic is C++, not calls.
    if not _REDUCING & set(wanted.functions):
        hints += [
            f"the formula has {sign!r}, but the kernel calls nothing that computes it"
            for sign in sorted(wanted.operators & set(_OPERATORS))
            if not _OPERATORS[sign] & called
        ]
    return hints


def _unused(wanted: _Formula, code: str, attributes: Sequence[tuple[str, str]]) -> list[str]:
    declared = "|".join(re.escape(name) for name, _ in attributes)
    body = re.sub(rf"\bconstexpr\s+\w+\s+(?:{declared})\s*=[^;]*;", " ", code) if declared else code
    numbers = {float(number) for number in _NUMBER.findall(body)}
    hints = [
        f"the kernel does not use the attribute {name}"
        for name, value in attributes
        if name in wanted.names and not re.search(rf"\b{re.escape(name)}\b", body) and _value(value) not in numbers
    ]
    hints += [
        f"the formula's number {number:g} is not in the kernel"
        for number in sorted(wanted.numbers - _COMMON_NUMBERS)
        if number not in numbers and (not number or round(1 / number, 9) not in {round(n, 9) for n in numbers})
    ]
    return hints


def _too_many(wanted: _Formula, called: Calls) -> list[str]:
    if not wanted.understood:
        return []
    explained: set[str] = set()
    for name in wanted.functions:
        explained.update(*OPERATIONS[name])
    for sign in wanted.operators:
        explained |= _OPERATORS.get(sign, _COMPARE)
    if _REDUCING & set(wanted.functions):
        explained |= _MAXIMUM | _MINIMUM | _DIVIDE
    if {"pow", "sign", "tanh"} & set(wanted.functions):
        explained |= _calls("Abs Exp Ln Div Reciprocal")
    if _EXP & explained:
        explained |= _DIVIDE
    return [
        f"the kernel calls {name}, which the formula does not ask for"
        for name in sorted(called & _TELLTALE - explained)
    ]


def _repeated(code: str) -> list[str]:
    lines = [line.strip() for line in code.split("\n") if line.strip()]
    hints = []
    start = 0
    for at in range(1, len(lines) + 1):
        if at < len(lines) and lines[at] == lines[start]:
            continue
        if at - start >= _IN_A_ROW and _CALL.match(lines[start]):
            hints.append(f"the line `{lines[start]}` stands {at - start} times in a row")
        start = at
    return hints


def _value(text: str) -> float | None:
    try:
        return abs(float(text.rstrip("fF")))
    except ValueError:
        return None
