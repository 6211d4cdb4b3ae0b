"""From the graph to instructions: each value's operation by what the vector unit has for it.

Registers are virtual here, one a value; ``allocation`` gives them their places.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from attrs import define, field, frozen

from kernelgen_ls.kernel.formula.lowering.graph import ENDS, Node, NotLoweredError, Scalar, Value, constant
from kernelgen_ls.kernel.formula.lowering.space import Space
from kernelgen_ls.kernel.formula.lowering.steps import MASK, WIDE, Register
from kernelgen_ls.kernel.formula.tree import Call, Name, Number
from kernelgen_ls.kernel.formula.writing import expression

FLOAT, HALF = "float", "half"

_UNARY = {"abs": "Abs", "exp": "Exp", "log": "Ln", "sqrt": "Sqrt", "relu": "Relu"}
_LIBRARY = {
    name: name.capitalize()
    for name in (
        *("sign", "erf", "erfc", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh"),
        *("asinh", "acosh", "atanh", "lgamma"),
    )
}
"""Functions of AscendC's library: they may not write where they read."""
_BINARY = {"add": "Add", "sub": "Sub", "mul": "Mul", "div": "Div", "maximum": "Max", "minimum": "Min"}
_SCALAR = {"add": "Adds", "mul": "Muls", "maximum": "Maxs", "minimum": "Mins"}
_COMPARED = {"lt": "LT", "le": "LE", "gt": "GT", "ge": "GE", "eq": "EQ", "ne": "NE"}
_ROUNDING = {"floor": "CAST_FLOOR", "ceil": "CAST_CEIL", "trunc": "CAST_TRUNC", "rint": "CAST_RINT"}
_STEPS = frozenset({*_COMPARED, *_ROUNDING, "sign", "truth"})
"""Operations whose result jumps: the least difference of what they read may be a whole one behind them."""
_REDUCED = {"sum": "ReduceSum", "max": "ReduceMax", "min": "ReduceMin"}
_LOGICAL = {"and": "And", "or": "Or"}

_OF_INTEGERS = frozenset({"add", "sub", "mul", "maximum", "minimum", "abs", "relu", "select", "number"})
APART = frozenset(
    {*_LIBRARY.values(), "Power", "Cast", "Widen", "Narrow", "Compare", "CompareScalar", *_REDUCED.values()}
)
"""Instructions whose destination is no source."""


@frozen(eq=False)
class Virtual:
    """A register before it has a place: one value, written once. ``fixed`` is its place where it has one already."""

    type: str
    is_long: bool
    fixed: Register | None = None


@frozen
class Instruction:
    """A step over virtual registers. ``origin`` is the assignment that it belongs to."""

    op: str
    dst: Virtual
    args: tuple[Virtual | Scalar, ...] = ()
    mode: str = ""
    origin: int = 0


@define
class Selection:
    """Selects instructions for the values of one graph. ``integers``: computed in int32_t itself.

    ``whole`` names the attributes that are whole numbers: an instruction on integers takes no other ones.
    ``exact`` are the numbers of the values whose last bit may decide something: a quotient among them is divided, no
    product with a reciprocal.
    """

    space: Space
    integers: bool = False
    whole: frozenset[str] = frozenset()
    exact: frozenset[int] = frozenset()
    instructions: list[Instruction] = field(factory=list)
    values: dict[int, Virtual] = field(factory=dict)
    scalars: dict[int, Scalar] = field(factory=dict)
    origin: int = 0

    def emit(self, op: str, dst: Virtual, *args: Virtual | Scalar, mode: str = "") -> Virtual:
        """Add an instruction; its destination. Raises ``NotLoweredError`` for numbers that integers do not take."""
        if self.integers:
            for arg in args:
                self._check_integer(arg)
        self.instructions.append(Instruction(op, dst, args, mode, self.origin))
        return dst

    def _check_integer(self, arg: Virtual | Scalar) -> None:
        if isinstance(arg, Virtual):
            return
        number, expr = arg.number, arg.expr
        if number is not None:
            low, high = ENDS["int32_t"]
            fits = low <= number <= high and float(number).is_integer()
        else:
            name = expr.args[0] if isinstance(expr, Call) and expr.op == "neg" else expr
            fits = isinstance(name, Name) and (name.name in self.whole or name.name.startswith("%"))
        if not fits:
            raise NotLoweredError(f"integers are computed with {expression(expr)}, which is no integer of their size")

    def of(self, node: Node, into: Virtual | None = None) -> Virtual:
        """The register of a value, computed into ``into`` where it is not there yet."""
        if node.number not in self.values:
            self.origin = node.origin
            self.values[node.number] = self._select(node, into)
        return self.values[node.number]

    def _new(self, is_long: bool, type_: str = WIDE) -> Virtual:
        return Virtual(type_, is_long)

    def _long(self, node: Node) -> bool:
        return self.space.is_long(node.places)

    def operand(self, value: Value, is_long: bool) -> Virtual | Scalar:
        """An operand of an instruction over a turn's elements, or over one: what is one number becomes a scalar."""
        if isinstance(value, Scalar):
            return value
        register = self.of(value)
        if self.integers and register.type == FLOAT:
            register = self.emit("Cast", self._new(register.is_long), register, mode="CAST_RINT")
        if register.is_long == is_long:
            return register
        if register.type == MASK:
            raise NotLoweredError("a condition with one value a row over whole rows")
        if value.number not in self.scalars:
            name = f"%scalar{len(self.scalars)}"
            self.emit("GetValue", Virtual(WIDE, False, Register(name, "scalar", False)), register)
            self.scalars[value.number] = Scalar(Name(name))
        return self.scalars[value.number]

    def tensor(self, value: Value, is_long: bool) -> Virtual:
        """An operand that has to be a tensor."""
        found = self.operand(value, is_long)
        return found if isinstance(found, Virtual) else self.emit("Duplicate", self._new(is_long), found)

    def _select(self, node: Node, into: Virtual | None) -> Virtual:
        op, is_long = node.op, self._long(node)
        dst = into if into is not None and op not in ("same", "input") else self._new(is_long)
        if op == "same":
            source = node.args[0]
            assert isinstance(source, Node)
            return self.of(source)
        if op == "fill":
            (value,) = node.args
            assert isinstance(value, Scalar)
            return self.emit("Duplicate", dst, value)
        if op in _REDUCED:
            return self._reduced(node, dst)
        if node.is_truth:
            return self._condition(node, is_long)
        if self.integers and op not in _OF_INTEGERS:
            raise NotLoweredError(f"`{op}` of integers")
        if self.integers and op == "abs":
            x = self.tensor(node.args[0], is_long)
            return self.emit("Max", dst, x, self.emit("Muls", self._new(is_long), x, constant(-1)))
        if op in _UNARY:
            return self.emit(_UNARY[op], dst, self.tensor(node.args[0], is_long))
        if op in _LIBRARY:
            return self.emit(_LIBRARY[op], dst, self.tensor(node.args[0], is_long))
        if op in _ROUNDING:
            return self.emit("Round", dst, self.tensor(node.args[0], is_long), mode=_ROUNDING[op])
        if op == "leaky_relu":
            slope = node.args[1]
            assert isinstance(slope, Scalar)
            return self.emit("LeakyRelu", dst, self.tensor(node.args[0], is_long), slope)
        if op in _BINARY:
            return self._binary(node, dst, is_long)
        if op == "power":
            left, right = (self.operand(arg, is_long) for arg in node.args)
            return self.emit("Power", dst, left, right)
        if op == "select":
            return self._selected(node, dst, is_long)
        if op == "number":
            mask = self.operand(node.args[0], is_long)
            type_ = FLOAT if self.integers else WIDE
            one = self.emit("Duplicate", self._new(is_long, type_), constant(1))
            return self.emit("Select", Virtual(type_, is_long) if self.integers else dst, mask, one, constant(0))
        if op == "through":
            return self._through(node, dst, is_long)
        raise NotLoweredError(f"`{op}` has no instruction")

    def _binary(self, node: Node, dst: Virtual, is_long: bool) -> Virtual:
        op = node.op
        left, right = (self.operand(arg, is_long) for arg in node.args)
        if isinstance(left, Virtual) and isinstance(right, Virtual):
            return self.emit(_BINARY[op], dst, left, right)
        if isinstance(left, Virtual) and isinstance(right, Scalar):
            if op in _SCALAR:
                return self.emit(_SCALAR[op], dst, left, right)
            if op == "sub":
                return self.emit("Adds", dst, left, _negative(right))
            if node.number not in self.exact or _is_power_of_two(right.number):
                return self.emit("Muls", dst, left, _reciprocal(right))
            return self.emit("Div", dst, left, self.emit("Duplicate", self._new(is_long), right))
        if isinstance(left, Scalar) and isinstance(right, Virtual):
            if op in _SCALAR:
                return self.emit(_SCALAR[op], dst, right, left)
            if op == "sub":
                turned = self.emit("Muls", self._new(is_long), right, constant(-1))
                return self.emit("Adds", dst, turned, left)
            return self.emit("Div", dst, self.emit("Duplicate", self._new(is_long), left), right)
        assert isinstance(left, Scalar) and isinstance(right, Scalar)
        return self.emit("Duplicate", dst, Scalar(Call(op, (left.expr, right.expr))))

    def _reduced(self, node: Node, dst: Virtual) -> Virtual:
        if self.integers:
            raise NotLoweredError("a reduction of integers")
        source = node.args[0]
        assert isinstance(source, Node)
        if not self._long(source):
            raise NotLoweredError("a reduction of what is the same along its axis")
        work = Virtual("work", True)
        return self.emit(_REDUCED[node.op], dst, self.of(source), work)

    def _selected(self, node: Node, dst: Virtual, is_long: bool) -> Virtual:
        mask = self.operand(node.args[0], is_long)
        then = self.tensor(node.args[1], is_long)
        # Integers are chosen by their bits, which no scalar has.
        other = (self.tensor if self.integers else self.operand)(node.args[2], is_long)
        return self.emit("Select", dst, mask, then, other)

    def _through(self, node: Node, dst: Virtual, is_long: bool) -> Virtual:
        """A value as another element type would hold it."""
        source = self.tensor(node.args[0], is_long)
        if node.detail in ENDS:
            low, high = ENDS[node.detail]
            return self.emit("Mins", dst, self.emit("Maxs", self._new(is_long), source, constant(low)), constant(high))
        narrow = self.emit("Cast", self._new(is_long, node.detail), source, mode="CAST_RINT")
        return self.emit("Cast", dst, narrow, mode="CAST_NONE")

    def _condition(self, node: Node, is_long: bool) -> Virtual:
        dst = self._new(is_long, MASK)
        if node.op == "truth":
            return self._compared("ne", self.tensor(node.args[0], is_long), constant(0), dst)
        if node.op == "not":
            return self.emit("Not", dst, self.operand(node.args[0], is_long))
        if node.op in _LOGICAL:
            left, right = (self.operand(arg, is_long) for arg in node.args)
            return self.emit(_LOGICAL[node.op], dst, left, right)
        left = self.tensor(node.args[0], is_long)
        return self._compared(node.op, left, self.operand(node.args[1], is_long), dst)

    def _compared(self, op: str, left: Virtual, right: Virtual | Scalar, dst: Virtual) -> Virtual:
        if self.integers and op != "eq":
            return self._integers_compared(op, left, right, dst)
        name = "Compare" if isinstance(right, Virtual) else "CompareScalar"
        return self.emit(name, dst, left, right, mode=_COMPARED[op])

    def _integers_compared(self, op: str, left: Virtual, right: Virtual | Scalar, dst: Virtual) -> Virtual:
        """The vector unit compares integers for equality alone: the rest by what is the larger of both."""
        if op in ("ne", "lt", "gt"):
            opposite = {"ne": "eq", "lt": "ge", "gt": "le"}[op]
            return self.emit("Not", dst, self._compared(opposite, left, right, self._new(dst.is_long, MASK)))
        names = ("Max", "Maxs") if op == "ge" else ("Min", "Mins")
        larger = self.emit(names[isinstance(right, Scalar)], self._new(dst.is_long), left, right)
        return self.emit("Compare", dst, larger, left, mode="EQ")


def decisive(nodes: Iterable[Node], rounded: Iterable[Node]) -> frozenset[int]:
    """The numbers of the values whose last bit may decide which way something goes: those a step is taken on.

    ``rounded`` are the values that are stored as whole numbers or truths.
    """
    found: set[int] = set()
    left = [*rounded, *(node for node in nodes if node.op in _STEPS)]
    while left:
        one = left.pop()
        if one.number not in found:
            found.add(one.number)
            left += [arg for arg in one.args if isinstance(arg, Node)]
    return frozenset(found)


def _negative(scalar: Scalar) -> Scalar:
    number = scalar.number
    return Scalar(Call("neg", (scalar.expr,))) if number is None else constant(-number)


def _is_power_of_two(number: float | None) -> bool:
    """Whether a product with a number's reciprocal is its quotient, to the last bit."""
    if number is None or not 2.0**-126 <= abs(number) <= 2.0**126:
        return False
    return abs(math.frexp(number)[0]) == 0.5


def _reciprocal(scalar: Scalar) -> Scalar:
    number = scalar.number
    if number is not None and _is_power_of_two(number):
        return constant(1 / number)
    return Scalar(Call("div", (Number(1.0), scalar.expr)))
