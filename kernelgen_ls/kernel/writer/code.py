"""Steps as AscendC's calls: registers by their names, scalars as C++ in the type that is computed in."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from attrs import define, field

from kernelgen_ls.kernel.formula.lowering import Lowered, Register, Scalar, Step
from kernelgen_ls.kernel.formula.lowering.steps import MASK
from kernelgen_ls.kernel.formula.tree import Call, Expr, Name, Number
from kernelgen_ls.kernel.writer.columns import Typed
from kernelgen_ls.kernel.writer.naming import Names, camel

_SIGNS = {"add": ("+", 1), "sub": ("-", 1), "mul": ("*", 2), "div": ("/", 2)}
_ROW_NAMES = {"ReduceSum": "row sum", "ReduceMax": "row max", "ReduceMin": "row min"}
_BEYOND_FLOAT = 2.0**128 - 2.0**103
"""From here on a number is rounded to infinity."""
COMPARED_TOGETHER = 64
"""Comparisons take whole repeats: so many floats."""


def literal(value: float) -> str:
    """A float of C++: the shortest that is read back as the same number."""
    if not math.isfinite(value) or abs(value) >= _BEYOND_FLOAT:
        return "NAN" if math.isnan(value) else "INFINITY" if value > 0 else "-INFINITY"
    text = repr(float(value))
    mantissa, _, exponent = text.partition("e")
    mantissa = mantissa if "." in mantissa else f"{mantissa}.0"
    return f"{mantissa}{f'e{int(exponent)}' if exponent else ''}f"


@define
class Coder:
    """Words the steps of one kernel.

    ``registers`` are the names of registers, ``scalars`` those of attributes and of what ``GetValue`` gave, ``extent``
    gives factors of the number of elements along axes. ``compute_type`` is what ``wide`` registers hold.
    """

    lowered: Lowered
    typed: Typed
    names: Names
    registers: dict[Register, str]
    scalars: dict[str, str]
    extent: Callable[[tuple[int, ...]], Sequence[str]]
    compute_type: str
    _last: dict[Register, Step] = field(factory=dict)

    @property
    def is_float(self) -> bool:
        """Whether what is computed in is float."""
        return self.compute_type == "float"

    def lines(self, steps: tuple[Step, ...]) -> Iterator[str]:
        """The steps' lines."""
        for step in steps:
            if step.comment:
                yield f"// {step.comment}"
            yield from self._step(step)
            self._last[step.dst] = step

    def _step(self, step: Step) -> Iterator[str]:
        op, count = step.op, self._count(step)
        if op == "GetValue":
            (source,) = step.args
            assert isinstance(source, Register)
            name = self.scalars[step.dst.name] = self.names.unique(self._row_name(source), "Scalar")
            yield f"{self.compute_type} {name} = FirstOf({self.registers[source]});"
            return
        dst = self.registers[step.dst]
        if op in ("Widen", "Narrow"):
            yield from self._own_type(step, dst, count)
            return
        args = [self._argument(arg, step) for arg in step.args]
        if op == "Round" or op == "Cast":
            yield f"Cast({dst}, {args[0]}, RoundMode::{step.mode}, {count});"
        elif op in ("Compare", "CompareScalar"):
            whole = f"({count} + {COMPARED_TOGETHER - 1}) / {COMPARED_TOGETHER} * {COMPARED_TOGETHER}"
            whole = str(COMPARED_TOGETHER) if count == "1" else whole
            yield f"{op}({dst}, {args[0]}, {args[1]}, CMPMODE::{step.mode}, {whole});"
        elif op == "Select":
            yield from self._select(step, dst, args, count)
        elif op in ("And", "Or", "Not"):
            bits = [f"{one}.ReinterpretCast<uint16_t>()" for one in (dst, *args)]
            yield f"{op}({', '.join(bits)}, {'1' if count == '1' else f'({count} + 15) / 16'});"
        else:
            yield f"{op}({', '.join([dst, *args])}, {count});"

    def _select(self, step: Step, dst: str, args: list[str], count: str) -> Iterator[str]:
        scalar = isinstance(step.args[2], Scalar)
        mode = "VSEL_TENSOR_SCALAR_MODE" if scalar else "VSEL_TENSOR_TENSOR_MODE"
        if step.dst.type == "wide" and not self.is_float:
            # Bits are chosen, whatever they stand for.
            dst, args = (
                f"{dst}.ReinterpretCast<float>()",
                [args[0], *(f"{a}.ReinterpretCast<float>()" for a in args[1:])],
            )
        yield f"Select({dst}, {', '.join(args)}, SELMODE::{mode}, {count});"

    def _own_type(self, step: Step, dst: str, count: str) -> Iterator[str]:
        (source,) = step.args
        assert isinstance(source, Register)
        tensor = (step.dst if step.op == "Narrow" else source).name.partition("#")[0]
        types = self.typed.tensors[tensor]
        if types.is_float:
            return
        if self.is_float and not types.may_be_float:
            mode = "CAST_NONE" if step.op == "Widen" else "CAST_RINT"
            yield f"Cast({dst}, {self.registers[source]}, RoundMode::{mode}, {count});"
        else:
            yield f"{step.op}({dst}, {self.registers[source]}, {count});"

    def _count(self, step: Step) -> str:
        """How many elements a step works on: a reduction on its source's."""
        source = step.args[0] if step.op.startswith("Reduce") else step.dst
        is_long = step.dst.is_long if not isinstance(source, Register) else source.is_long
        return "count" if is_long else "1"

    def _argument(self, arg: Register | Scalar, step: Step) -> str:
        if isinstance(arg, Register):
            return self.registers[arg]
        type_ = next((one.type for one in (*step.args, step.dst) if isinstance(one, Register) and one.type != MASK), "")
        return self.scalar(arg.expr, "float" if type_ == "float" else self.compute_type)

    def _row_name(self, register: Register) -> str:
        """What to call a number that the scalar unit takes out of a register."""
        if not register.name.startswith("%"):
            return camel(register.name.partition("#")[0], "value")
        last = self._last.get(register)
        return camel(_ROW_NAMES.get(last.op if last is not None else "", "row value"))

    def scalar(self, expr: Expr, type_: str = "float") -> str:
        """A scalar as C++ of a type."""
        if type_ == "float":
            return self._float(expr)[0]
        if isinstance(expr, Number):
            value = expr.value
            return f"static_cast<{type_}>({int(value) if float(value).is_integer() else literal(value)})"
        return f"static_cast<{type_}>({self._float(expr)[0]})"

    def _float(self, expr: Expr) -> tuple[str, int]:
        """C++ and how tightly its outermost operator binds."""
        if isinstance(expr, Number):
            return literal(expr.value), 3 if expr.value < 0 else 9
        if isinstance(expr, Name):
            return self.scalars[expr.name], 9
        assert isinstance(expr, Call)
        if expr.op == "extent":
            places = tuple(int(one.value) for one in expr.args if isinstance(one, Number))
            factors = [f"static_cast<float>({one})" for one in self.extent(places)]
            return " * ".join(factors), 9 if len(factors) == 1 else 2
        args = [self._float(arg) for arg in expr.args]
        if expr.op in _SIGNS:
            sign, binds = _SIGNS[expr.op]
            left, right = _within(args[0], binds), _within(args[1], binds + (expr.op in ("sub", "div")))
            return f"{left} {sign} {right}", binds
        if expr.op == "neg":
            return f"-{_within(args[0], 3)}", 3
        if expr.op == "sqrt":
            return f"sqrt({args[0][0]})", 9
        sign = ">" if expr.op == "maximum" else "<"
        (left, _), (right, _) = args
        return f"({left} {sign} {right} ? {left} : {right})", 9


def _within(found: tuple[str, int], binds: int) -> str:
    text, own = found
    return f"({text})" if own < binds else text
