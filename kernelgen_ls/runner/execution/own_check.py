"""How far a kernel's outputs may be from a reference's, where the reference has a check of its own.

NPUKernelBench's ``prepare_inputs.py`` may define ``custom_check_precision(row, outputs, produced)``, whose first result
is 1 where the produced outputs are good enough; without it the benchmark takes a difference that is beyond both an
absolute and a relative bound for an error. Such a check is asked here, with the golden outputs moved by ever less.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Check = Callable[[list[Any]], bool]
"""Whether outputs are good enough."""

_BOUND = 0.001
"""The benchmark's bounds, both of them, where a reference names none."""
_SOME = 1024
"""One in so many is fewer than the thousandth that checks let differ."""
_LEAST, _MOST, _STEPS = 2.0**-14, 2.0**-3, 8


def check_precision(outputs: Any, produced: Any, max_abs_error: float, max_rel_error: float) -> tuple[int, Any, Any]:
    """The benchmark's own check: 1 where no element is beyond both bounds, else 0; all differences of both kinds."""
    pairs = [(_values(one), _values(other)) for one, other in zip(_listed(outputs), _listed(produced), strict=True)]
    absolute = np.concatenate([np.abs(one - other).reshape(-1) for one, other in pairs])
    relative = absolute / (np.concatenate([np.abs(one).reshape(-1) for one, _ in pairs]) + 1e-7)
    good = np.isfinite(absolute).all() and not ((absolute > max_abs_error) & (relative > max_rel_error)).any()
    return int(good), absolute, relative


def own_check(prepare: Any, row: dict[str, Any], golden: Any) -> Check | None:
    """The check of a ``prepare_inputs`` module for a row of its sheet, of outputs in the form of ``golden``.

    None where it has none: then the benchmark's bounds are what counts.
    """
    own = getattr(prepare, "custom_check_precision", None)
    if own is None:
        return None
    several = isinstance(golden, (list, tuple))

    def check(produced: list[Any]) -> bool:
        given, made = (list(golden), produced) if several else (golden, produced[0])
        return bool(own(row, given, made)[0])

    return check


def share(check: Check | None, golden: Sequence[Any], number: int) -> float:
    """How far each element of the output ``number`` may be off; 0 where the check does not tell.

    A floating-point element may differ by this part of ``max(1, |golden|)``, a whole number by one, also where the
    check lets only some of many do so: nobody can say which.
    """
    one = golden[number]
    plain = _plain(one)
    if plain.dtype.kind not in "fiu" or not plain.size or not np.isfinite(plain).all():
        return 0.0
    floating = plain.dtype.kind == "f"
    if check is None:
        return _BOUND if floating else 0.0
    asked = check
    size = np.maximum(1, np.abs(plain)) if floating else np.ones_like(plain)
    towards = np.where(plain > 0, -size.astype(np.float64), size)  # so that nothing leaves its type

    def holds(part: Any) -> bool:
        import torch

        moved = torch.from_numpy((plain + towards * part).astype(plain.dtype)).to(one.dtype)
        return asked([*golden[:number], moved, *golden[number + 1 :]])

    try:
        if not floating:
            some = np.arange(plain.size).reshape(plain.shape) % _SOME == _SOME - 1
            return 1.0 if holds(1) or (some.any() and holds(some)) else 0.0
        low, high = _LEAST, _MOST
        if not holds(low):
            return 0.0
        for _ in range(_STEPS):
            middle = (low * high) ** 0.5
            low, high = (middle, high) if holds(middle) else (low, middle)
    except Exception:  # whatever a check does that is written for the device: nothing is known of it then
        return 0.0
    return low


def _listed(values: Any) -> list[Any]:
    return list(values) if isinstance(values, (list, tuple)) else [values]


def _plain(tensor: Any) -> np.ndarray[Any, Any]:
    own = tensor.detach().cpu()
    return np.asarray((own.float() if "bfloat16" in str(own.dtype) else own).numpy())


def _values(tensor: Any) -> np.ndarray[Any, Any]:
    return _plain(tensor).astype(np.float64)
