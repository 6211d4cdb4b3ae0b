"""A formula tried on a few numbers: whether it has values, and for which inputs they are finite."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from kernelgen_ls.kernel.cases.case import Domain, Given, MadeCase
from kernelgen_ls.kernel.dtypes import BFLOAT16, FLOAT16, FLOAT32, Dtype, find_dtype
from kernelgen_ls.kernel.formula import Formula, NotEvaluatedError, evaluate

if TYPE_CHECKING:
    import numpy as np

_LARGEST = {FLOAT16.name: 65504.0, BFLOAT16.name: 3.3e38, FLOAT32.name: 3.4e38}
_HEADROOM = 4
"""A golden value so near the end of its type may or may not overflow on the way."""
_TRIALS = 8
_SCALES = (1000, 100, 10)
_SCALES_HALF = (100, 10)


@frozen
class Trial:
    """A formula with inputs of a case, whose shapes are small enough to be tried at once."""

    formula: Formula
    case: MadeCase
    negative: bool = False
    """Whether integers may be negative."""

    def problem(self) -> str:
        """Why the formula has no values for such inputs; "" where it has."""
        found = self._values(Domain.NORMAL, None)
        return found if isinstance(found, str) else ""

    def domain(self) -> Domain:
        """The inputs for which every output is finite; normal ones where none are."""
        return next((one for one in Domain if self._finite(one, None)), Domain.NORMAL)

    def zeros(self) -> bool:
        """Whether zeros have finite outputs."""
        return self._finite(Domain.NORMAL, 0)

    def largest(self) -> int | None:
        """The bound of large inputs whose outputs lie well inside of their types; None where there is none."""
        floats = [one.dtype for one in self.case.inputs.values() if _dtype(one.dtype).kind == "f"]
        if not floats:
            return None
        scales = _SCALES_HALF if FLOAT16.name in (*floats, *self.case.outputs.values()) else _SCALES
        return next((scale for scale in scales if self._finite(Domain.NORMAL, scale)), None)

    def special(self, case: MadeCase) -> bool:
        """Whether the numbers of a case like this one have finite outputs."""
        return evolve(self, case=case)._finite(self.domain(), None)

    def _finite(self, domain: Domain, largest: int | None) -> bool:
        import numpy as np

        for seed in range(_TRIALS):
            found = self._values(domain, largest, seed)
            if isinstance(found, str):
                return False
            for values, dtype in zip(found.values(), self.case.outputs.values(), strict=False):
                if not np.isfinite(values).all() or np.abs(values).max(initial=0) > _bound(dtype) / _HEADROOM:
                    return False
        return True

    def _values(self, domain: Domain, largest: int | None, seed: int = 0) -> Mapping[str, np.ndarray[Any, Any]] | str:
        import numpy as np

        rng = np.random.default_rng(seed)
        arrays = {
            name: _array(rng, one, domain, largest, self.case, self.negative) for name, one in self.case.inputs.items()
        }
        try:
            return evaluate(self.formula, arrays, self.case.attributes)
        except NotEvaluatedError as problem:
            return f"the formula has no value for these inputs: {problem}"


def _array(
    rng: np.random.Generator, one: Given, domain: Domain, largest: int | None, case: MadeCase, negative: bool
) -> np.ndarray[Any, Any]:
    """Numbers as the file's own ``values`` makes them (see ``written``)."""
    import numpy as np

    kind = _dtype(one.dtype).kind
    if largest == 0:
        return np.zeros(one.shape, np.int64 if kind != "f" else np.float64)
    if one.below is not None:
        return rng.integers(0, one.below, one.shape)
    if kind != "f":
        most = 2 if kind == "b" else 5 if case.levels else 100
        lowest: int = 1 if domain is Domain.POSITIVE else -most if negative and kind == "i" else 0
        return rng.integers(0 if kind == "b" else lowest, most, one.shape)
    if case.levels:
        return rng.choice(case.levels, one.shape)
    if largest is not None:
        return rng.choice([-1.0, 1.0], one.shape) * largest
    times = case.times or 1.0
    if domain is Domain.NORMAL:
        return rng.standard_normal(one.shape) * times
    low, high = (0.1, 2.0) if domain is Domain.POSITIVE else (-0.9, 0.9)
    return (low + (high - low) * rng.random(one.shape)) * times


def _bound(dtype: str) -> float:
    known = _dtype(dtype)
    if known.kind in "iu":
        return float(2 ** (known.bits - (known.kind == "i")) * _HEADROOM)
    return _LARGEST.get(dtype, 1e300)


def _dtype(name: str) -> Dtype:
    found = find_dtype(name)
    assert found is not None  # a case's types are from the table
    return found
