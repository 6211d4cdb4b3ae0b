"""What scales rows, channels or groups by their own sums, means and norms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from kernelgen_ls.kernel.formula.numeric.operands import Array
from kernelgen_ls.kernel.formula.numeric.reductions import logsumexp, norm


def _softmax(x: Array, dim: int | None = -1) -> Array:
    axis = -1 if dim is None else int(dim)
    shifted = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return shifted / np.sum(shifted, axis=axis, keepdims=True)


def _log_softmax(x: Array, dim: int | None = -1) -> Array:
    axis = -1 if dim is None else int(dim)
    return x - logsumexp(x, axis, True)


def _normalised(x: Array, axes: tuple[int, ...], eps: Array) -> Array:
    centred = x - np.mean(x, axis=axes, keepdims=True)
    return centred / np.sqrt(np.mean(centred**2, axis=axes, keepdims=True) + eps)


def _normalised_axes(normalized_shape: Any) -> tuple[int, ...]:
    count = len(normalized_shape) if isinstance(normalized_shape, tuple | list) else 1
    return tuple(range(-count, 0))


def _layer_norm(
    x: Array, normalized_shape: Any = None, weight: Array = None, bias: Array = None, eps: Array = 1e-5
) -> Array:
    result = _normalised(x, _normalised_axes(normalized_shape), eps)
    result = result if weight is None else result * weight
    return result if bias is None else result + bias


def _rms_norm(x: Array, normalized_shape: Any = None, weight: Array = None, eps: Array = 1e-6) -> Array:
    axes = _normalised_axes(normalized_shape)
    result = x / np.sqrt(np.mean(x**2, axis=axes, keepdims=True) + (1e-6 if eps is None else eps))
    return result if weight is None else result * weight


def _group_norm(x: Array, num_groups: int, weight: Array = None, bias: Array = None, eps: Array = 1e-5) -> Array:
    grouped = x.reshape(x.shape[0], int(num_groups), -1)
    result = _normalised(grouped, (-1,), eps).reshape(x.shape)
    channels = (1, -1, *(1 for _ in x.shape[2:]))
    result = result if weight is None else result * np.reshape(weight, channels)
    return result if bias is None else result + np.reshape(bias, channels)


def _normalize(x: Array, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Array:
    return x / np.maximum(norm(x, p, dim, True), eps)


NORMALISATIONS: Mapping[str, Callable[..., Any]] = {
    "softmax": _softmax,
    "log_softmax": _log_softmax,
    "softmin": lambda x, dim=-1: _softmax(-x, dim),
    "layer_norm": _layer_norm,
    "rms_norm": _rms_norm,
    "group_norm": _group_norm,
    "normalize": _normalize,
}
