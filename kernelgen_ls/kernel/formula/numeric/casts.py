"""Casts between element types: what a value is after it, as float64."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from kernelgen_ls.kernel.dtypes import DTYPES, Dtype, find_dtype
from kernelgen_ls.kernel.formula.numeric.operands import Array, number, truth


def _cast(x: Array, dtype: object) -> Array:
    found = _dtype(dtype)
    if found is None:
        raise ValueError(f"{dtype!r} is no element type")
    if found.kind == "b":
        return truth(x)
    if found.kind in "iu":
        return _integer(number(np.asarray(x)), found.bits, found.kind == "i")
    if found.name == "bfloat16":
        return _to_bfloat16(np.asarray(x, np.float64))
    if found.kind != "f" or found.ml_dtypes or found.numpy is None:
        raise ValueError(f"a cast to {found.name} is not computed")
    return np.asarray(x).astype(found.numpy).astype(np.float64)


def _dtype(written: object) -> Dtype | None:
    """An element type by its name, or by its number in the graph engine's enum, as attributes have it."""
    if isinstance(written, str):
        return find_dtype(written)
    value = float(np.asarray(written, np.float64)) if np.ndim(written) == 0 and written is not None else -1.0  # type: ignore[arg-type] # a number
    return next((one for one in DTYPES if one.number == value), None)


def _integer(x: Array, bits: int, is_signed: bool) -> Array:
    """Cut towards zero, and kept within what the type holds."""
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if is_signed else (0, 2**bits - 1)
    return np.clip(np.trunc(np.nan_to_num(np.asarray(x, np.float64), nan=0.0)), low, high)


def _to_bfloat16(x: Array) -> Array:
    """Rounded to 8 significant bits, to even; what exceeds the largest is infinite."""
    mantissa, exponent = np.frexp(x)
    # Below 2**-126 the numbers lie as far apart as just above it.
    bits = 8 - np.maximum(-125 - exponent, 0)
    rounded = np.ldexp(np.rint(np.ldexp(mantissa, bits)), exponent - bits)
    largest = float.fromhex("0x1.fep127")
    return np.where(np.isfinite(x), np.where(np.abs(rounded) > largest, np.copysign(np.inf, x), rounded), x)


CASTS: Mapping[str, Callable[..., Any]] = {
    "cast": _cast,
}
