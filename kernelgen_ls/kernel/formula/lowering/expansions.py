"""What composite functions are written out in: formulas of simpler ones, as ``understand`` reads them.

Parameters have the names and defaults of ``functions.FUNCTIONS``. The forms are those that lose no accuracy near the
ends of a float's range, not the shortest ones.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping

from attrs import frozen

from kernelgen_ls.kernel.formula.tree import Expr, Formula
from kernelgen_ls.kernel.formula.understanding import understand

_WRITTEN = """
exp2(x) = exp(0.6931471805599453 * x)
expm1(x) = exp(x) - 1
log2(x) = log(x) * 1.4426950408889634
log10(x) = log(x) * 0.4342944819032518
log1p(x) = log(1 + x)
rsqrt(x) = 1 / sqrt(x)
reciprocal(x) = 1 / x
square(x) = x * x
frac(x) = x - trunc(x)
ndtr(x) = 0.5 + 0.5 * erf(x * 0.7071067811865476)
logit(x) = log(x / (1 - x))
sinc(x) = where(x == 0, 1, sin(3.141592653589793 * x) / (3.141592653589793 * x))
signbit(x) = x < 0
isposinf(x) = x > 3.4028234663852886e38
isneginf(x) = x < -3.4028234663852886e38
isinf(x) = abs(x) > 3.4028234663852886e38
isnan(x) = x != x
isfinite(x) = abs(x) <= 3.4028234663852886e38
sigmoid(x) = 1 / (1 + exp(-x))
logsigmoid(x) = minimum(x, 0) - log(1 + exp(-abs(x)))
silu(x, beta=1) = x / (1 + exp(-(beta * x)))
relu6(x) = minimum(relu(x), 6)
gelu_none(x) = 0.5 * x * (1 + erf(x * 0.7071067811865476))
gelu_tanh(x) = x / (1 + exp(-1.5957691216057308 * (x + 0.044715 * (x * x * x))))
quick_gelu(x) = x / (1 + exp(-1.702 * x))
hardsigmoid(x, alpha=0.16666666666666666, beta=0.5) = clamp(alpha * x + beta, 0, 1)
hardswish(x) = x * clamp(x + 3, 0, 6) * 0.16666666666666666
hardtanh(x, min_val=-1, max_val=1) = clamp(x, min_val, max_val)
hardshrink(x, lambd=0.5) = where(abs(x) > lambd, x, 0)
softshrink(x, lambd=0.5) = x - clamp(x, -lambd, lambd)
softplus(x, beta=1, threshold=20) = where(beta * x > threshold, x, log(1 + exp(minimum(beta * x, threshold))) / beta)
softsign(x) = x / (1 + abs(x))
tanhshrink(x) = x - tanh(x)
mish(x) = x * tanh(relu(x) + log(1 + exp(-abs(x))))
elu(x, alpha=1) = relu(x) + alpha * (exp(minimum(x, 0)) - 1)
selu(x) = 1.0507009873554805 * (relu(x) + 1.6732632423543772 * (exp(minimum(x, 0)) - 1))
celu(x, alpha=1) = relu(x) + alpha * (exp(minimum(x, 0) / alpha) - 1)
prelu(x, weight) = where(x > 0, x, weight * x)
threshold(x, threshold, value) = where(x > threshold, x, value)
remainder(x, other) = x - floordiv(x, other) * other
atan2(x, other) =
    where(other > 0, atan(x / other), where(other < 0, atan(x / other) + where(x < 0, -3.141592653589793,
    3.141592653589793), 1.5707963267948966 * sign(x)))
xlogy(x, other) = where(x == 0, 0, x * log(other))
logaddexp(x, other) = maximum(x, other) + log(1 + exp(-abs(x - other)))
logaddexp2(x, other) = maximum(x, other) + log(1 + exp(-0.6931471805599453 * abs(x - other))) * 1.4426950408889634
copysign(x, other) = where(other < 0, -abs(x), abs(x))
heaviside(x, other) = where(x == 0, other, where(x > 0, 1, 0))
squared_difference(x, other) = (x - other) * (x - other)
rsub(x, other, alpha=1) = other - alpha * x
hypot(x, other) = sqrt(x * x + other * other)
lerp(x, end, weight) = x + weight * (end - x)
addcmul(x, tensor1, tensor2, value=1) = x + value * tensor1 * tensor2
addcdiv(x, tensor1, tensor2, value=1) = x + value * tensor1 / tensor2
masked_fill(x, mask, value) = where(mask, value, x)
logical_xor(x, other) = (x or other) and not (x and other)
logsumexp(x, dim, keepdim) =
    log(sum(exp(x - amax(x, dim=dim, keepdim=True)), dim=dim, keepdim=keepdim)) + amax(x, dim=dim,
    keepdim=keepdim)
softmax(x, dim=-1) =
    exp(x - amax(x, dim=dim, keepdim=True)) / sum(exp(x - amax(x, dim=dim, keepdim=True)), dim=dim,
    keepdim=True)
softmin(x, dim=-1) = softmax(-x, dim=dim)
log_softmax(x, dim=-1) =
    x - amax(x, dim=dim, keepdim=True) - log(sum(exp(x - amax(x, dim=dim, keepdim=True)), dim=dim,
    keepdim=True))
layer_norm(x, dim, eps=1e-5) =
    (x - mean(x, dim=dim, keepdim=True)) / sqrt(mean(square(x - mean(x, dim=dim, keepdim=True)), dim=dim,
    keepdim=True) + eps)
rms_norm(x, dim, eps=1e-6) = x / sqrt(mean(x * x, dim=dim, keepdim=True) + eps)
"""
_LINE = re.compile(r"(?P<name>\w+)\((?P<parameters>[^)]*)\) = (?P<formula>.+)")


@frozen
class Expansion:
    """A function in simpler ones: ``value`` over the names of ``parameters``; ``defaults`` where one is not given."""

    parameters: tuple[str, ...]
    defaults: Mapping[str, float]
    value: Expr


def expansion(name: str) -> Expansion | None:
    """What a function is written out in; None for one that is not."""
    return _expansions().get(name)


@functools.cache
def _expansions() -> Mapping[str, Expansion]:
    lines = _WRITTEN.replace("\n    ", " ").strip().splitlines()
    return {match["name"]: _read(match) for line in lines if (match := _LINE.fullmatch(line))}


def _read(match: re.Match[str]) -> Expansion:
    parameters = [one.strip().partition("=") for one in match["parameters"].split(",")]
    names = tuple(name for name, _, _ in parameters)
    formula = understand(f"y = {match['formula']}", names)
    assert isinstance(formula, Formula), (match["name"], formula)
    defaults = {name: float(value) for name, _, value in parameters if value}
    return Expansion(names, defaults, formula.assignments[0].value)
