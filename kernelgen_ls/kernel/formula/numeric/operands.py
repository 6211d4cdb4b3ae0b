"""What functions are given, as numpy takes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Array = Any
"""An array, or a number that broadcasts like one."""
Axes = int | Sequence[int] | None


def number(x: Array) -> Array:
    """Truth values as numbers: numpy neither subtracts nor negates them."""
    return x.astype(np.float64) if isinstance(x, np.ndarray | np.generic) and x.dtype.kind == "b" else x


def truth(x: Array) -> Array:
    """Truth values of numbers: what is not zero is true."""
    return np.asarray(x) != 0


def whole(x: Array) -> Array:
    """Whole numbers, as indices and counts are."""
    return np.asarray(x).astype(np.int64)


def places(given: Any) -> Any:
    """A number, or a tuple of them: sizes, places, shifts."""
    given = tuple(given.reshape(-1)) if isinstance(given, np.ndarray) else given
    return tuple(int(one) for one in given) if isinstance(given, tuple) else int(given)


def axes(dim: Axes | float) -> int | tuple[int, ...] | None:
    """The axes as numpy takes them."""
    if dim is None:
        return None
    if isinstance(dim, int | float):
        return int(dim)
    return tuple(int(axis) for axis in dim)


def unary(function: Callable[[Array], Array]) -> Callable[[Array], Array]:
    """A function of one float array."""

    def apply(x: Array) -> Array:
        return function(np.asarray(number(x), np.float64))

    return apply


def binary(function: Callable[[Array, Array], Array]) -> Callable[[Array, Array], Array]:
    """A function of two arrays of numbers."""

    def apply(x: Array, other: Array) -> Array:
        return function(number(x), number(other))

    return apply
