"""Reductions along axes and running ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from kernelgen_ls.kernel.formula.numeric.operands import Array, Axes, axes


def _reduction(function: Callable[..., Array]) -> Callable[..., Array]:
    def reduce(x: Array, dim: Axes = None, keepdim: bool = False) -> Array:
        return function(np.asarray(x), axis=axes(dim), keepdims=bool(keepdim))

    return reduce


def _variance(
    x: Array, dim: Axes = None, correction: float | None = None, keepdim: bool = False, unbiased: bool = True
) -> Array:
    correction = float(bool(unbiased)) if correction is None else correction
    return np.var(np.asarray(x, np.float64), axis=axes(dim), ddof=correction, keepdims=bool(keepdim))


def _standard(
    x: Array, dim: Axes = None, correction: float | None = None, keepdim: bool = False, unbiased: bool = True
) -> Array:
    return np.sqrt(_variance(x, dim, correction, keepdim, unbiased))


def norm(
    x: Array,
    ord: float | str | None = 2,  # noqa: A002 (PyTorch's name of the parameter)
    dim: Axes = None,
    keepdim: bool = False,
    p: float | str | None = None,
) -> Array:
    """``torch.linalg.vector_norm``."""
    order = ord if p is None else p
    order = 2.0 if order is None or order == "fro" else float(order)
    size, axis, keep = np.abs(x), axes(dim), bool(keepdim)
    if order == math.inf:
        return np.max(size, axis=axis, keepdims=keep)
    if order == -math.inf:
        return np.min(size, axis=axis, keepdims=keep)
    if order == 0:
        return np.sum(size != 0, axis=axis, keepdims=keep)
    return np.sum(size**order, axis=axis, keepdims=keep) ** (1 / order)


def logsumexp(x: Array, dim: Axes = None, keepdim: bool = False) -> Array:
    """The logarithm of a sum of exponentials, of numbers whose exponentials would overflow too."""
    axis = axes(dim)
    largest = np.max(x, axis=axis, keepdims=True)
    largest = np.where(np.isfinite(largest), largest, 0)
    result = np.log(np.sum(np.exp(x - largest), axis=axis, keepdims=True)) + largest
    return result if keepdim else np.squeeze(result, axis)


REDUCTIONS: Mapping[str, Callable[..., Any]] = {
    "sum": _reduction(np.sum),
    "mean": _reduction(np.mean),
    "prod": _reduction(np.prod),
    "amax": _reduction(np.max),
    "amin": _reduction(np.min),
    "argmax": _reduction(np.argmax),
    "argmin": _reduction(np.argmin),
    "any": _reduction(np.any),
    "all": _reduction(np.all),
    "var": _variance,
    "std": _standard,
    "norm": norm,
    "logsumexp": logsumexp,
    "cumsum": lambda x, dim=-1: np.cumsum(x, axis=int(dim)),
    "cumprod": lambda x, dim=-1: np.cumprod(x, axis=int(dim)),
}
