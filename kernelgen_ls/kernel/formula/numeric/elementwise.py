"""Arithmetic, comparisons and functions of single elements."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from kernelgen_ls.kernel.formula.numeric.operands import Array, binary, number, truth, unary

ERF = np.vectorize(math.erf, otypes=[np.float64])
_ERFC = np.vectorize(math.erfc, otypes=[np.float64])


def _round(x: Array, decimals: int = 0) -> Array:
    return np.round(x, int(decimals))


def _add(x: Array, other: Array, alpha: Array = 1) -> Array:
    return number(x) + alpha * number(other)


def _sub(x: Array, other: Array, alpha: Array = 1) -> Array:
    return number(x) - alpha * number(other)


def _divide(x: Array, other: Array, rounding_mode: str | None = None) -> Array:
    result = np.divide(number(x), np.asarray(number(other), np.float64))
    if rounding_mode is None:
        return result
    return np.floor(result) if rounding_mode == "floor" else np.trunc(result)


def _pow(x: Array, exponent: Array) -> Array:
    return np.power(np.asarray(x, np.float64), exponent)


def _clamp(x: Array, min: Array = None, max: Array = None) -> Array:  # noqa: A002 (PyTorch's names of the parameters)
    x = x if min is None else np.maximum(x, min)
    return x if max is None else np.minimum(x, max)


def _invert(x: Array) -> Array:
    """The other truth value. Of a number nobody says whether its bits or its truth are meant."""
    if np.asarray(x).dtype.kind != "b":
        raise ValueError("whether a number's bits or its truth are inverted is not said")
    return ~np.asarray(x)


def _lgamma(x: float) -> float:
    try:
        return math.lgamma(x)
    except ValueError:
        return math.inf
    except OverflowError:
        return math.inf


def _where(condition: Array, x: Array, other: Array) -> Array:
    return np.where(truth(condition), x, other)


ELEMENTWISE: Mapping[str, Callable[..., Any]] = {
    "abs": unary(np.abs),
    "neg": lambda x: -number(x),
    "exp": unary(np.exp),
    "exp2": unary(np.exp2),
    "expm1": unary(np.expm1),
    "log": unary(np.log),
    "log2": unary(np.log2),
    "log10": unary(np.log10),
    "log1p": unary(np.log1p),
    "sqrt": unary(np.sqrt),
    "rsqrt": unary(lambda x: 1 / np.sqrt(x)),
    "reciprocal": unary(lambda x: 1 / x),
    "square": unary(np.square),
    "sign": unary(np.sign),
    "floor": unary(np.floor),
    "ceil": unary(np.ceil),
    "trunc": unary(np.trunc),
    "round": _round,
    "frac": unary(lambda x: x - np.trunc(x)),
    "sin": unary(np.sin),
    "cos": unary(np.cos),
    "tan": unary(np.tan),
    "asin": unary(np.arcsin),
    "acos": unary(np.arccos),
    "atan": unary(np.arctan),
    "sinh": unary(np.sinh),
    "cosh": unary(np.cosh),
    "tanh": unary(np.tanh),
    "asinh": unary(np.arcsinh),
    "acosh": unary(np.arccosh),
    "atanh": unary(np.arctanh),
    "erf": ERF,
    "erfc": _ERFC,
    "ndtr": lambda x: 0.5 * _ERFC(-x / math.sqrt(2)),
    "lgamma": np.vectorize(_lgamma, otypes=[np.float64]),
    "logit": unary(lambda x: np.log(x / (1 - x))),
    "sinc": unary(np.sinc),
    "signbit": unary(np.signbit),
    "isposinf": unary(np.isposinf),
    "isneginf": unary(np.isneginf),
    "invert": _invert,
    "xlogy": binary(lambda x, other: np.where((x == 0) & ~np.isnan(other), 0.0, x * np.log(other))),
    "logaddexp": binary(np.logaddexp),
    "logaddexp2": binary(np.logaddexp2),
    "copysign": binary(np.copysign),
    "heaviside": binary(np.heaviside),
    "squared_difference": binary(lambda x, other: (x - other) ** 2),
    "rsub": lambda x, other, alpha=1: _sub(other, x, alpha),
    "isnan": np.isnan,
    "isinf": np.isinf,
    "isfinite": np.isfinite,
    "logical_not": lambda x: ~truth(x),
    "add": _add,
    "sub": _sub,
    "mul": binary(np.multiply),
    "div": _divide,
    "floordiv": binary(lambda x, other: np.floor(np.divide(x, np.asarray(other, np.float64)))),
    "remainder": binary(np.remainder),
    "fmod": binary(np.fmod),
    "pow": _pow,
    "atan2": binary(np.arctan2),
    "hypot": binary(np.hypot),
    "eq": lambda x, other: x == other,
    "ne": lambda x, other: x != other,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "logical_and": lambda x, other: truth(x) & truth(other),
    "logical_or": lambda x, other: truth(x) | truth(other),
    "logical_xor": lambda x, other: truth(x) ^ truth(other),
    "where": _where,
    "clamp": _clamp,
    "lerp": lambda x, end, weight: x + weight * (end - x),
    "addcmul": lambda x, tensor1, tensor2, value=1.0: x + value * tensor1 * tensor2,
    "addcdiv": lambda x, tensor1, tensor2, value=1.0: x + value * _divide(tensor1, tensor2),
    "masked_fill": lambda x, mask, value: np.where(truth(mask), value, x),
    "nan_to_num": lambda x, nan=0.0, posinf=None, neginf=None: np.nan_to_num(x, nan=nan, posinf=posinf, neginf=neginf),
    "maximum": binary(np.maximum),
    "minimum": binary(np.minimum),
}
