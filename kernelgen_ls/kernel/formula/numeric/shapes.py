"""Arrays of another shape, and new ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from kernelgen_ls.kernel.formula.numeric.operands import Array, Axes, axes, places, whole


def _transpose(x: Array, dim0: int = -2, dim1: int = -1) -> Array:
    return np.swapaxes(x, int(dim0), int(dim1)) if np.ndim(x) > 1 else x


def _reshape(x: Array, shape: Any) -> Array:
    return np.reshape(x, tuple(int(size) for size in np.atleast_1d(shape)))


def _flatten(x: Array, start_dim: int = 0, end_dim: int = -1) -> Array:
    start, end = int(start_dim) % x.ndim, int(end_dim) % x.ndim
    return x.reshape(*x.shape[:start], -1, *x.shape[end + 1 :])


def _expand(x: Array, shape: Any) -> Array:
    sizes = [int(size) for size in np.atleast_1d(shape)]
    kept = [1] * (len(sizes) - np.ndim(x)) + list(np.shape(x))
    return np.broadcast_to(x, tuple(old if size == -1 else size for size, old in zip(sizes, kept, strict=True)))


def _repeat(x: Array, *repeats: Any) -> Array:
    return np.tile(x, tuple(int(one) for one in np.atleast_1d(repeats[0] if len(repeats) == 1 else repeats)))


def _squeeze(x: Array, dim: Axes = None) -> Array:
    """Axes of another length than one stay, as in PyTorch."""
    if dim is None:
        return np.squeeze(x)
    along = axes(dim)
    along = along if isinstance(along, tuple) else (along,)  # type: ignore[assignment] # no None is left
    return np.squeeze(x, tuple(axis for axis in along if np.shape(x)[axis] == 1))  # type: ignore[union-attr] # nor here


def _arange(start: float, end: float | None = None, step: float = 1) -> Array:
    return np.arange(0 if end is None else start, start if end is None else end, step, dtype=np.float64)


def _size(x: Array, dim: int | None = None) -> int:
    return int(np.size(x) if dim is None else np.shape(x)[int(dim)])


SHAPES: Mapping[str, Callable[..., Any]] = {
    "transpose": _transpose,
    "permute": lambda x, dims: np.transpose(x, axes(dims)),
    "reshape": _reshape,
    "flatten": _flatten,
    "squeeze": _squeeze,
    "unsqueeze": lambda x, dim: np.expand_dims(x, int(dim)),
    "expand": _expand,
    "repeat": _repeat,
    "flip": lambda x, dims: np.flip(x, axes(dims)),
    "roll": lambda x, shifts, dim=None: np.roll(x, places(shifts), None if dim is None else places(dim)),
    "repeat_interleave": lambda x, repeats, dim=None: np.repeat(
        x, whole(repeats), axis=None if dim is None else int(dim)
    ),
    "cat": lambda *x, dim=0: np.concatenate(x, axis=int(dim)),
    "stack": lambda *x, dim=0: np.stack(x, axis=int(dim)),
    "zeros_like": np.zeros_like,
    "ones_like": np.ones_like,
    "full_like": lambda x, value: np.broadcast_to(np.asarray(value, np.float64), np.shape(x)),
    "full": lambda shape, value: np.full(places(shape), value, np.float64),
    "arange": _arange,
    "zeros": lambda shape: np.zeros(places(shape)),
    "ones": lambda shape: np.ones(places(shape)),
    "size": _size,
    "rank": lambda x: int(np.ndim(x)),
    "shape": lambda x: tuple(np.shape(x)),
    "length": len,
    "tuple": lambda *items: items,
}
