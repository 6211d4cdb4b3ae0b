"""Parts of arrays: slices, elements that others pick, triangles."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from kernelgen_ls.kernel.formula.numeric.operands import Array, truth, whole


def _slice(x: Array, dim: int, start: int | None, end: int | None, step: int | None = None) -> Array:
    return _item(x, *[slice(None)] * (int(dim) % x.ndim), _range(start, end, step))


def _narrow(x: Array, dim: int, start: int, length: int) -> Array:
    return _slice(x, dim, start, int(start) + int(length))


def _chunk(x: Array, chunks: int, dim: int = 0) -> tuple[Array, ...]:
    return _split(x, -(-x.shape[int(dim)] // int(chunks)), dim)


def _split(x: Array, split_size: Any, dim: int = 0) -> tuple[Array, ...]:
    axis = int(dim)
    if isinstance(split_size, tuple | list):
        places = np.cumsum([int(size) for size in split_size])[:-1]
    else:
        places = np.arange(int(split_size), x.shape[axis], int(split_size))
    return tuple(np.split(x, places, axis=axis))


def _range(start: Any = None, end: Any = None, step: Any = None) -> slice:
    return slice(*(None if one is None else int(one) for one in (start, end, step)))


def _item(x: Any, *index: Any) -> Array:
    if isinstance(x, tuple):
        return x[index[0] if isinstance(index[0], slice) else int(index[0])]
    return x[tuple(_place(one) for one in index)]


def _replaced(x: Array, value: Array, *index: Any) -> Array:
    """The array with other values at some places."""
    changed = np.array(x, np.float64)
    changed[tuple(_place(one) for one in index)] = value
    return changed


def _place(one: Any) -> Any:
    if one is None or isinstance(one, slice):
        return one
    if isinstance(one, str):
        return Ellipsis
    if np.ndim(one) == 0:
        return int(one)
    return one if np.asarray(one).dtype.kind == "b" else whole(one)


def _gather(x: Array, dim: int, index: Array) -> Array:
    return np.take_along_axis(x, whole(index), int(dim))


def _index_select(x: Array, dim: int, index: Array) -> Array:
    return np.take(x, whole(index), axis=int(dim))


def _take(x: Array, index: Array, dim: int | None = None) -> Array:
    return np.take(x, whole(index), axis=None if dim is None else int(dim))


def _one_hot(x: Array, num_classes: int = -1) -> Array:
    index = whole(x)
    count = int(num_classes) if num_classes > 0 else int(index.max()) + 1
    if index.size and (index.min() < 0 or index.max() >= count):
        raise ValueError("a class that one_hot does not have")
    return np.eye(count)[index]


ELEMENTS: Mapping[str, Callable[..., Any]] = {
    "slice": _slice,
    "narrow": _narrow,
    "chunk": _chunk,
    "split": _split,
    "item": _item,
    "gather": _gather,
    "index_select": _index_select,
    "take": _take,
    "embedding": lambda index, weight: np.take(weight, whole(index), axis=0),
    "one_hot": _one_hot,
    "tril": lambda x, diagonal=0: np.tril(x, int(diagonal)),
    "triu": lambda x, diagonal=0: np.triu(x, int(diagonal)),
    "masked_select": lambda x, mask: np.broadcast_to(x, np.broadcast_shapes(np.shape(x), np.shape(mask)))[
        np.broadcast_to(truth(mask), np.broadcast_shapes(np.shape(x), np.shape(mask)))
    ],
    "replaced": _replaced,
    "range": _range,
}
