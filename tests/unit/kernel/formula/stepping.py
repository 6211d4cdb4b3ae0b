"""Lowered formulas carried out with numpy, an instruction at a time: what a kernel's turns leave in its outputs."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from attrs import define, field

from kernelgen_ls.kernel.formula.lowering import Lowered, Read, Register, Scalar, Step, Written
from kernelgen_ls.kernel.formula.tree import Call, Expr, Name, Number

Array = Any
_SAME = {"Widen", "Narrow"}
_erf = np.vectorize(math.erf, otypes=[np.float64])
_UNARY: Mapping[str, Callable[[Array], Array]] = {
    "Abs": np.abs,
    "Exp": np.exp,
    "Ln": np.log,
    "Sqrt": np.sqrt,
    "Relu": lambda x: np.maximum(x, 0),
    "Sign": np.sign,
    "Erf": _erf,
    "Erfc": lambda x: 1 - _erf(x),
    **{
        name: getattr(np, name.lower().replace("asin", "arcsin").replace("acos", "arccos").replace("atan", "arctan"))
        for name in ("Sin", "Cos", "Tan", "Asin", "Acos", "Atan", "Sinh", "Cosh", "Tanh", "Asinh", "Acosh", "Atanh")
    },
    "Not": np.logical_not,
}
_BINARY: Mapping[str, Callable[[Array, Array], Array]] = {
    **dict.fromkeys(("Add", "Adds"), np.add),
    "Sub": np.subtract,
    **dict.fromkeys(("Mul", "Muls"), np.multiply),
    "Div": np.divide,
    **dict.fromkeys(("Max", "Maxs"), np.maximum),
    **dict.fromkeys(("Min", "Mins"), np.minimum),
    "Power": np.power,
    "LeakyRelu": lambda x, slope: np.where(x > 0, x, slope * x),
    "And": np.logical_and,
    "Or": np.logical_or,
}
_COMPARED: Mapping[str, Callable[[Array, Array], Array]] = {
    "LT": np.less,
    "LE": np.less_equal,
    "GT": np.greater,
    "GE": np.greater_equal,
    "EQ": np.equal,
    "NE": np.not_equal,
}
_ROUNDED: Mapping[str, Callable[[Array], Array]] = {
    "CAST_NONE": lambda x: x,
    "CAST_FLOOR": np.floor,
    "CAST_CEIL": np.ceil,
    "CAST_TRUNC": np.trunc,
    "CAST_RINT": np.rint,
}
_REDUCED: Mapping[str, Callable[[Array], Array]] = {"ReduceSum": np.sum, "ReduceMax": np.max, "ReduceMin": np.min}
_ENDS = {"int8_t": (-128, 127), "uint8_t": (0, 255), "bool": (0, 1), "int32_t": (-(2**31), 2**31 - 1)}
_WHOLE = {*_ENDS, "int16_t"}


@define
class Stepper:
    """One lowered formula with the arrays that it reads; ``kinds`` are the tensors' by name."""

    lowered: Lowered
    arrays: Mapping[str, Array]
    attributes: Mapping[str, float]
    kinds: Mapping[str, str]
    registers: dict[Register, Array] = field(factory=dict)
    scalars: dict[str, float] = field(factory=dict)

    def outputs(self, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, Array]:
        """The outputs, in these shapes."""
        space = self.lowered.space
        rows = math.prod(self._size(place) for group in space.rows for place in group)
        found = {one.tensor: np.full(math.prod(shapes[one.tensor]), np.nan) for one in self.lowered.writes}
        with np.errstate(all="ignore"):
            for row in range(rows):
                self.registers = {}
                for read in self.lowered.reads:
                    self.registers[read.local] = self._read(read, row)
                for step in (*self.lowered.prologue, *self.lowered.steps):
                    self._carry_out(step)
                for one in self.lowered.writes:
                    self._write(one, row, found[one.tensor])
        return {name: array.reshape(shapes[name]) for name, array in found.items()}

    def _size(self, place: int) -> int:
        for read in self.lowered.reads:
            shape = self.arrays[read.access.tensor].shape
            if read.access.by:
                shape = (*self.arrays[read.access.by].shape, *shape[1:])
            if len(shape) >= place and shape[-place] != 1:
                return int(shape[-place]) // (read.access.parts if place == 1 else 1)
        return 1

    def _row(self, groups: tuple[bool, ...], row: int) -> int:
        if not any(groups):
            return 0
        inner = math.prod(self._size(place) for place in self.lowered.space.rows[-1])
        return row if all(groups) else row // inner if groups[0] else row % inner

    def _read(self, read: Read, row: int) -> Array:
        array, number = self.arrays[read.access.tensor].astype(np.float64), self._row(read.groups, row)
        if read.access.by:
            number = int(self.arrays[read.access.by].reshape(-1)[number])
        if not read.local.is_long:
            return array.reshape(-1)[number : number + 1]
        cols = math.prod(self._size(place) for place in self.lowered.space.cols)
        whole = array.reshape(-1, cols * read.access.parts)[number]
        return whole[cols * read.access.part : cols * (read.access.part + 1)]

    def _write(self, one: Written, row: int, array: Array) -> None:
        value, number = self.registers[one.local], self._row(one.groups, row)
        array[number * len(value) : (number + 1) * len(value)] = value

    def _carry_out(self, step: Step) -> None:
        args = [self._value(arg) for arg in step.args if not (isinstance(arg, Register) and arg.type == "work")]
        if step.op == "GetValue":
            self.scalars[step.dst.name] = float(args[0][0])
            return
        self.registers[step.dst] = self._result(step, args)

    def _result(self, step: Step, args: list[Array]) -> Array:
        op = step.op
        if op in _SAME:
            return args[0]
        if op in ("Cast", "Round"):
            return self._cast(step, args[0])
        if op == "Duplicate":
            length = next(iter(self.registers[one.local] for one in self.lowered.reads if one.local.is_long)).size
            return np.full(length if step.dst.is_long else 1, args[0], np.float64)
        if op in _REDUCED:
            return np.atleast_1d(_REDUCED[op](args[0]))
        if op in ("Compare", "CompareScalar"):
            return _COMPARED[step.mode](*args)
        if op == "Select":
            return np.where(*args)
        return _UNARY[op](args[0]) if op in _UNARY else _BINARY[op](*args)

    def _cast(self, step: Step, value: Array) -> Array:
        kind = self.kinds.get(step.dst.name, "real") if step.dst.type == "local" else step.dst.type
        rounds = step.op == "Round" or kind in _WHOLE
        value = _ROUNDED[step.mode](value) if rounds else value
        return np.clip(value, *_ENDS[kind]) if kind in _ENDS else value

    def _value(self, arg: Register | Scalar) -> Array:
        return self._number(arg.expr) if isinstance(arg, Scalar) else self.registers[arg]

    def _number(self, expr: Expr) -> float:
        if isinstance(expr, Number):
            return float(expr.value)
        if isinstance(expr, Name):
            return self.scalars[expr.name] if expr.name.startswith("%") else self.attributes[expr.name]
        assert isinstance(expr, Call)
        if expr.op == "extent":
            return float(math.prod(self._size(int(one.value)) for one in expr.args if isinstance(one, Number)))
        args = [self._number(arg) for arg in expr.args]
        signs: Mapping[str, Callable[..., float]] = {
            "add": lambda x, other: x + other,
            "sub": lambda x, other: x - other,
            "mul": lambda x, other: x * other,
            "div": lambda x, other: float(np.divide(x, other)),
            "neg": lambda x: -x,
            "sqrt": lambda x: float(np.sqrt(x)),
            "maximum": max,
            "minimum": min,
        }
        return signs[expr.op](*args)
