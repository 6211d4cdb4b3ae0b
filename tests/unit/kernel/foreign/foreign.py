"""A specification in a hand that is not this project's, and what a reader has to make of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from attrs import field, frozen

from kernelgen_ls.kernel.formula import Formula, evaluate
from kernelgen_ls.kernel.spec.specification import Specification, SpecTensor
from kernelgen_ls.kernel.spec.understood import understood

erf = np.vectorize(math.erf, otypes=[np.float64])
ROWS, COLUMNS = 3, 8


@frozen
class Foreign:
    """``inputs`` and ``outputs`` as ``x:float16|float32[N,D]``, ``golden`` takes them by name and gives the outputs.

    Inputs are drawn in ``shapes`` (3 x 8 where none is said): with ``indices`` whole numbers below theirs, ``positive``
    ones above zero.
    """

    text: str
    name: str
    inputs: str
    outputs: str
    golden: Callable[..., Any]
    attributes: str = ""
    shapes: Mapping[str, tuple[int, ...]] = field(factory=dict)
    positive: tuple[str, ...] = ()
    indices: Mapping[str, int] = field(factory=dict)
    given: Mapping[str, Any] = field(factory=dict)
    """Values of attributes that have no default."""
    extra: Mapping[str, str] = field(factory=dict)
    """Further files beside it."""


def sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def softmax(x: Any) -> Any:
    shifted = np.exp(x - x.max(-1, keepdims=True))
    return shifted / shifted.sum(-1, keepdims=True)


def rows(function: Callable[..., Any], x: Any) -> Any:
    return function(x, axis=-1, keepdims=True)


def faults(foreign: Foreign, spec: Specification) -> list[str]:
    """What was read or understood otherwise than it is meant; nothing where all is right."""
    found = [
        f"{what}: {read!r} for {meant!r}"
        for what, read, meant in (
            ("name", spec.name, foreign.name),
            ("inputs", " ".join(_tensor(spec, one) for one in spec.inputs), foreign.inputs),
            ("outputs", " ".join(_tensor(spec, one) for one in spec.outputs), foreign.outputs),
            ("attributes", " ".join(_attribute(one.name, one.default) for one in spec.attributes), foreign.attributes),
        )
        if read != meant
    ]
    return found + _misunderstood(foreign, spec)


def _tensor(spec: Specification, tensor: SpecTensor) -> str:
    shape = f"[{','.join(tensor.shape)}]" if tensor.shape is not None else ""
    return f"{tensor.name}:{'|'.join(spec.tensor_dtypes(tensor))}{shape}"


def _attribute(name: str, default: str | None) -> str:
    return name if default is None else f"{name}={default}"


def _misunderstood(foreign: Foreign, spec: Specification) -> list[str]:
    text = spec.formula or spec.reference
    formula = understood(spec)
    if not isinstance(formula, Formula):
        return [f"{text!r}: {formula.message}"]
    arrays = _arrays(foreign)
    attributes = {one.name: _number(one.default) for one in spec.attributes if one.default is not None}
    attributes |= dict(foreign.given)
    try:
        got = evaluate(formula, arrays, attributes)
        exact = {name: one.astype(np.float64) if one.dtype.kind == "f" else one for name, one in arrays.items()}
        with np.errstate(all="ignore"):
            meant = foreign.golden(**exact, **attributes)
    except Exception as error:  # what was read wrongly cannot be computed either, in whatever way
        return [f"{text!r}: {type(error).__name__}: {error}"]
    wanted = meant if isinstance(meant, tuple) else (meant,)
    if len(wanted) != len(got):
        return [f"{text!r}: {len(got)} outputs for {len(wanted)}"]
    return [
        f"{text!r}: {name} differs"
        for (name, one), other in zip(got.items(), wanted, strict=True)
        if one.shape != np.shape(other)
        or not np.allclose(one, np.asarray(other, np.float64), rtol=1e-4, atol=1e-5, equal_nan=True)
    ]


def _arrays(foreign: Foreign) -> dict[str, Any]:
    random = np.random.default_rng(7)
    arrays: dict[str, Any] = {}
    for written in foreign.inputs.split():
        name, _, types = written.partition(":")
        shape = foreign.shapes.get(name, (COLUMNS,) if "," not in types and "[" in types else (ROWS, COLUMNS))
        if name in foreign.indices:
            arrays[name] = random.integers(0, foreign.indices[name], shape).astype(np.int32)
        elif types.startswith("bool"):
            arrays[name] = random.integers(0, 2, shape).astype(bool)
        elif types.startswith(("int", "uint")):
            arrays[name] = random.integers(0 if types.startswith("u") else -100, 100, shape).astype(np.int32)
        else:
            drawn = random.normal(size=shape) * 3
            arrays[name] = (np.abs(drawn) + 0.1 if name in foreign.positive else drawn).astype(np.float32)
    return arrays


def _number(text: str) -> Any:
    plain = text.strip().rstrip("fF")
    try:
        return int(plain)
    except ValueError:
        pass
    try:
        return float(plain)
    except ValueError:
        return {"true": True, "false": False, "True": True, "False": False, "None": None}.get(text, text)
