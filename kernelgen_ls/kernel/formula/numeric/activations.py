"""Activations, and those that gate one half of a tensor with the other."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from kernelgen_ls.kernel.formula.numeric.elementwise import ERF
from kernelgen_ls.kernel.formula.numeric.operands import Array


def _sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-np.asarray(x, np.float64)))


def _silu(x: Array, beta: Array = 1.0) -> Array:
    return x * _sigmoid(beta * x)


def _gelu(x: Array, approximate: object = "none") -> Array:
    if approximate in ("tanh", True):
        return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    if approximate not in ("none", "erf", None, False):
        raise ValueError(f"gelu has no approximation {approximate!r}")
    return 0.5 * x * (1 + ERF(x / math.sqrt(2)))


def _softplus(x: Array, beta: Array = 1.0, threshold: Array = 20.0) -> Array:
    return np.where(x * beta > threshold, x, np.log1p(np.exp(np.minimum(x * beta, threshold))) / beta)


def _elu(x: Array, alpha: Array = 1.0) -> Array:
    return np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0)))


def _celu(x: Array, alpha: Array = 1.0) -> Array:
    return np.maximum(x, 0) + np.minimum(alpha * np.expm1(np.minimum(x, 0) / alpha), 0)


def _selu(x: Array) -> Array:
    scale, alpha = 1.0507009873554804934193349852946, 1.6732632423543772848170429916717
    return scale * _elu(x, alpha)


def _halves(x: Array, dim: int) -> tuple[Array, Array]:
    first, second = np.split(x, 2, axis=int(dim))
    return first, second


def _glu(x: Array, dim: int = -1) -> Array:
    first, second = _halves(x, dim)
    return first * _sigmoid(second)


def _swiglu(x: Array, dim: int = -1) -> Array:
    first, second = _halves(x, dim)
    return _silu(first) * second


def _geglu(x: Array, dim: int = -1) -> Array:
    first, second = _halves(x, dim)
    return _gelu(first) * second


ACTIVATIONS: Mapping[str, Callable[..., Any]] = {
    "sigmoid": _sigmoid,
    "logsigmoid": lambda x: -np.logaddexp(0, -np.asarray(x, np.float64)),
    "silu": _silu,
    "relu": lambda x: np.maximum(x, 0),
    "relu6": lambda x: np.clip(x, 0, 6),
    "gelu": _gelu,
    "quick_gelu": lambda x: x * _sigmoid(1.702 * x),
    "hardsigmoid": lambda x, alpha=1 / 6, beta=0.5: np.clip(alpha * x + beta, 0, 1),
    "hardswish": lambda x: x * np.clip(x + 3, 0, 6) / 6,
    "hardtanh": lambda x, min_val=-1.0, max_val=1.0: np.clip(x, min_val, max_val),
    "hardshrink": lambda x, lambd=0.5: np.where(np.abs(x) > lambd, x, 0),
    "softshrink": lambda x, lambd=0.5: np.sign(x) * np.maximum(np.abs(x) - lambd, 0),
    "softplus": _softplus,
    "softsign": lambda x: x / (1 + np.abs(x)),
    "tanhshrink": lambda x: x - np.tanh(x),
    "mish": lambda x: x * np.tanh(np.logaddexp(0, x)),
    "selu": _selu,
    "elu": _elu,
    "celu": _celu,
    "leaky_relu": lambda x, negative_slope=0.01: np.where(x > 0, x, negative_slope * x),
    "prelu": lambda x, weight: np.where(x > 0, x, weight * x),
    "threshold": lambda x, threshold, value: np.where(x > threshold, x, value),
    "glu": _glu,
    "swiglu": _swiglu,
    "geglu": _geglu,
}
