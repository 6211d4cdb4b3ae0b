"""From a formula's trees to the graph of values: each function by its operation, its expansion or its own rule."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence

from attrs import define, field, frozen

from kernelgen_ls.kernel.dtypes import find_dtype
from kernelgen_ls.kernel.formula.lowering.expansions import expansion
from kernelgen_ls.kernel.formula.lowering.graph import (
    ENDS,
    Access,
    Dim,
    Node,
    NotLoweredError,
    Scalar,
    Shape,
    Value,
    broadcast,
    constant,
)
from kernelgen_ls.kernel.formula.tree import Call, Expr, Formula, Name, Number, Text

_UNARY = {
    **{name: name for name in ("abs", "exp", "sqrt", "relu", "floor", "ceil", "trunc", "sign", "erf", "erfc")},
    **{name: name for name in ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh")},
    **{name: name for name in ("asinh", "acosh", "atanh", "lgamma")},
    "log": "log",
}
"""Functions that an instruction or a function of the library computes."""
_ROUNDING = frozenset({"floor", "ceil", "trunc", "rint", "sign"})
_COMPARED: Mapping[str, Callable[[float, float], bool]] = {
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
    "eq": operator.eq,
    "ne": operator.ne,
}
_MIRRORED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne"}
_KEEP_WHOLE = frozenset({"through", "add", "sub", "mul", "maximum", "minimum", "abs", "neg", "relu", "select"})
_COMMUTATIVE = frozenset({"add", "mul", "maximum", "minimum"})
_FOLDED: Mapping[str, Callable[..., float]] = {
    "add": lambda x, other: x + other,
    "sub": lambda x, other: x - other,
    "mul": lambda x, other: x * other,
    "div": lambda x, other: x / other,
    "pow": math.pow,
    "neg": lambda x: -x,
    "sqrt": math.sqrt,
    "exp": math.exp,
    "log": math.log,
    "abs": abs,
    "floor": math.floor,
    "ceil": math.ceil,
    "trunc": math.trunc,
    "maximum": max,
    "minimum": min,
}
_OF_SCALARS = frozenset({"add", "sub", "mul", "div", "neg", "sqrt", "maximum", "minimum"})
"""What the scalar unit computes."""
_REDUCED = {"sum": "sum", "amax": "max", "amin": "min"}
_LONGEST_POWER = 8
_MOST_DECIMALS = 30
"""More of them, and what is rounded is no float any more."""
_LONGEST_SCALAR = 500
Literal = Expr
"""What is no value: a word, a list of numbers, nothing."""
Env = Mapping[str, Value | Literal]


@frozen
class Leaf:
    """An input's shape as written from the first axis on, and what its elements are."""

    shape: tuple[str, ...]
    is_truth: bool = False
    is_whole: bool = False


@define
class Builder:
    """Builds the graph of one formula: ``leaves`` are its inputs, ``attributes`` what its attributes' names mean."""

    leaves: Mapping[str, Leaf]
    attributes: Env
    nodes: list[Node] = field(factory=list)
    known: dict[object, Node] = field(factory=dict)
    lengths: dict[Expr, int] = field(factory=dict)
    """How many operations and operands the trees of numbers have."""
    origin: int = 0

    def build(self, formula: Formula) -> dict[str, Value]:
        """The values of the outputs, in order. Raises ``NotLoweredError``."""
        env: dict[str, Value | Literal] = {**dict(formula.defaults), **self.attributes}
        env |= {name: self._input(Access(name)) for name in formula.reads}
        for self.origin, assignment in enumerate(formula.assignments):
            env[assignment.name] = self.value(assignment.value, env)
        outputs = {name: env[name] for name in formula.outputs}
        return {name: self._computed(value, name) for name, value in outputs.items()}

    def value(self, expr: Expr, env: Env) -> Value | Literal:
        """What a tree is: a value, or a literal that says how."""
        if isinstance(expr, Number):
            return _known(expr.value)
        if isinstance(expr, Text):
            return expr
        if isinstance(expr, Name):
            if expr.name not in env:
                raise NotLoweredError(f"`{expr.name}` is neither an input nor an attribute")
            found = env[expr.name]
            return Scalar(found) if isinstance(found, Number) else found
        if expr.op in ("tuple", "range"):
            return Call(expr.op, tuple(self._literal(arg, env) for arg in expr.args))
        rule = _RULES.get(expr.op)
        if rule is not None:
            return rule(self, expr, env)
        return self._function(expr, env)

    def _literal(self, expr: Expr, env: Env) -> Expr:
        found = self.value(expr, env)
        return found.expr if isinstance(found, Scalar) else Text("") if isinstance(found, Node) else found

    def argument(self, expr: Expr, env: Env) -> Value:
        """An operand, which has to be a value."""
        return self._computed(self.value(expr, env), "an operand")

    def _computed(self, found: Value | Literal, what: str) -> Value:
        if isinstance(found, Node | Scalar):
            return found
        raise NotLoweredError(f"{what} is no number")

    def _function(self, expr: Call, env: Env) -> Value:
        op = expr.op
        if op in _UNARY:
            return self.apply(_UNARY[op], self.real(self.argument(expr.args[0], env)))
        if op in ("maximum", "minimum"):
            result, *others = (self.argument(arg, env) for arg in expr.args)
            for other in others:
                result = self.apply(op, self.real(result), self.real(other))
            return result
        if op in _COMPARED:
            known = _attribute_compared(self, expr, env)
            if known is not None:
                return known
            left, right = (self.real(self.argument(arg, env)) for arg in expr.args)
            return self.apply(op, left, right)
        found = expansion(op)
        if found is None:
            raise NotLoweredError(f"`{op}` has no rule yet")
        inner: dict[str, Value | Literal] = {name: constant(value) for name, value in found.defaults.items()}
        inner |= dict(zip(found.parameters, (self.value(arg, env) for arg in expr.args), strict=False))
        inner |= {name: self.value(value, env) for name, value in expr.options}
        return self._computed(self.value(found.value, inner), op)

    # Values

    def _node(
        self,
        op: str,
        args: tuple[Value, ...],
        shape: Shape,
        detail: str = "",
        *,
        access: Access | None = None,
        is_truth: bool = False,
        is_whole: bool = False,
    ) -> Node:
        key = (op, tuple(arg.number if isinstance(arg, Node) else arg for arg in args), shape, detail, access)
        if key not in self.known:
            node = Node(len(self.nodes), op, args, shape, detail, access, is_truth, is_whole, self.origin)
            self.nodes.append(node)
            self.known[key] = node
        return self.known[key]

    def _input(self, access: Access) -> Node:
        leaf = self.leaves[access.tensor]
        places = range(len(leaf.shape), 0, -1)
        shape = tuple(Dim(size, place) for size, place in zip(leaf.shape, places, strict=True))
        return self._read(access, shape)

    def _read(self, access: Access, shape: Shape) -> Node:
        leaf = self.leaves[access.tensor]
        node = self._node("input", (), shape, access=access, is_whole=leaf.is_whole)
        return self._node("truth", (node,), shape, is_truth=True) if leaf.is_truth else node

    def real(self, value: Value) -> Value:
        """A value as numbers: 1 and 0 for what is true and what is not."""
        if isinstance(value, Node) and value.is_truth:
            return self._node("number", (value,), value.shape, is_whole=True)
        if isinstance(value, Scalar) and isinstance(value.expr, Number) and isinstance(value.expr.value, bool):
            return constant(int(value.expr.value))
        return value

    def truth(self, value: Value) -> Value:
        """Whether a value is not zero."""
        if isinstance(value, Node) and not value.is_truth:
            return self._node("truth", (value,), value.shape, is_truth=True)
        return value

    def apply(self, op: str, *args: Value, detail: str = "") -> Value:
        """The value of an operation on numbers, folded where they are constants."""
        numbers = [arg.number if isinstance(arg, Scalar) else None for arg in args]
        if op in _FOLDED and all(number is not None for number in numbers):
            try:
                return _known(_FOLDED[op](*numbers))
            except (ArithmeticError, ValueError) as error:
                raise NotLoweredError(f"{op} of {numbers[0]} has no value") from error
        simpler = _simpler(self, op, args, numbers)
        if simpler is not None:
            return simpler
        tensors = [arg for arg in args if isinstance(arg, Node)]
        if not tensors:
            if op not in _OF_SCALARS:
                raise NotLoweredError(f"`{op}` of attributes alone")
            if op == "mul" and -1 in numbers:
                op, args = "neg", args[:1] if numbers[1] == -1 else args[1:]
            return self._scalar(Call(op, tuple(arg.expr for arg in args if isinstance(arg, Scalar))))
        if op in _COMMUTATIVE and isinstance(args[0], Scalar):
            args = (args[1], args[0])
        if op in _COMPARED and isinstance(args[0], Scalar):
            op, args = _MIRRORED[op], (args[1], args[0])
        shape = broadcast([one.shape for one in tensors])
        whole = op in _ROUNDING or (op in _KEEP_WHOLE and all(map(_is_whole, args)))
        return self._node(op, args, shape, detail, is_truth=op in _COMPARED, is_whole=whole)

    def _scalar(self, call: Call) -> Scalar:
        """A number that is computed; a name in it stands for a tree, which doubles wherever a line reads it twice."""
        self.lengths[call] = 1 + sum(self.lengths.get(arg, 1) for arg in call.args)
        if self.lengths[call] > _LONGEST_SCALAR:
            raise NotLoweredError("a number of attributes that takes too many operations")
        return Scalar(call)

    def logical(self, op: str, *args: Value) -> Value:
        """The value of an operation on truth values."""
        found = [self.truth(arg) for arg in args]
        nodes = [one for one in found if isinstance(one, Node)]
        if len(nodes) != len(found):
            raise NotLoweredError("a condition on attributes alone")
        return self._node(op, tuple(nodes), broadcast([one.shape for one in nodes]), is_truth=True)

    def select(self, condition: Value, then: Value, other: Value) -> Value:
        """``then`` where the condition is true, else ``other``."""
        condition, then, other = self.truth(condition), self.real(then), self.real(other)
        if isinstance(condition, Scalar):
            raise NotLoweredError("a condition on attributes alone")
        shapes = [one.shape for one in (condition, then, other) if isinstance(one, Node)]
        args = (condition, then, other)
        return self._node("select", args, broadcast(shapes), is_whole=_is_whole(then) and _is_whole(other))

    def reduced(self, op: str, value: Value, dims: tuple[int, ...] | None, keepdim: bool) -> Value:
        """``sum``, ``max`` or ``min`` over axes: all of them for None."""
        value = self.real(value)
        if isinstance(value, Scalar):
            raise NotLoweredError("a reduction of a number")
        axes = _axes(value.shape, dims)
        gone = {value.shape[axis].place for axis in axes if not value.shape[axis].is_one}
        if not gone:
            return self._shaped(value, self._without(value.shape, axes, keepdim))
        detail = ",".join(map(str, sorted(gone)))
        return self._node(op, (value,), self._without(value.shape, axes, keepdim), detail, is_whole=value.is_whole)

    def _without(self, shape: Shape, axes: Sequence[int], keepdim: bool) -> Shape:
        if keepdim:
            return tuple(Dim("1", dim.place) if axis in axes else dim for axis, dim in enumerate(shape))
        return tuple(dim for axis, dim in enumerate(shape) if axis not in axes)

    def _shaped(self, value: Value, shape: Shape) -> Value:
        """The same elements with axes of one element more or less."""
        if isinstance(value, Scalar) or value.shape == shape:
            return value
        source = value.args[0] if value.op == "same" else value
        return self._node("same", (source,), shape, is_truth=value.is_truth, is_whole=value.is_whole)

    def extent(self, value: Value, dims: tuple[int, ...] | None) -> Scalar:
        """How many elements a value has along axes: all of them for None."""
        if isinstance(value, Scalar):
            return constant(1)
        found = [value.shape[axis] for axis in _axes(value.shape, dims)]
        if all(dim.size.isdigit() for dim in found):
            return constant(math.prod(int(dim.size) for dim in found))
        return Scalar(Call("extent", tuple(Number(dim.place) for dim in found if not dim.is_one)))

    def power(self, x: Value, exponent: Value) -> Value:
        """A power: by products and roots where the exponent is a small number."""
        known = exponent.number if isinstance(exponent, Scalar) else None
        if known is not None and not math.isfinite(known):
            raise NotLoweredError(f"a power with the exponent {known}")
        if known is not None and isinstance(x, Node):
            if known == int(known) and 0 < abs(known) <= _LONGEST_POWER:
                result = self._product(x, int(abs(known)))
                return result if known > 0 else self.apply("div", constant(1), result)
            if known == 0:
                return self.apply("add", self.apply("mul", x, constant(0)), constant(1))
            if known in (0.5, -0.5):
                root = self.apply("sqrt", x)
                return root if known > 0 else self.apply("div", constant(1), root)
        if isinstance(x, Scalar) and x.number is not None and x.number > 0:
            return self.apply("exp", self.apply("mul", exponent, constant(math.log(x.number))))
        return self.apply("power", x, exponent)

    def _product(self, x: Value, times: int) -> Value:
        if times == 1:
            return x
        half = self._product(x, times // 2)
        square = self.apply("mul", half, half)
        return self.apply("mul", square, x) if times % 2 else square

    def picked(self, table: Expr, by: Value, env: Env) -> Value:
        """The rows of an input that another input's numbers name."""
        rows = self.argument(table, env)
        tensor, index = _input_of(rows), _input_of(by)
        if not (isinstance(rows, Node) and isinstance(by, Node) and tensor and index):
            raise NotLoweredError("rows are picked from what is no input itself")
        behind = rows.shape[1:]
        dims = tuple(Dim(dim.size, dim.place + len(behind)) for dim in by.shape)
        return self._read(Access(tensor, index, len(dims)), (*dims, *behind))

    def piece(self, value: Value, axis: int, part: int, parts: int) -> Value:
        """One of several equal pieces of an input's last axis."""
        tensor = _input_of(value)
        if not isinstance(value, Node) or not tensor:
            raise NotLoweredError("a piece of what is no input itself")
        last = value.shape[-1]
        if axis not in (-1, len(value.shape) - 1):
            raise NotLoweredError("pieces of another axis than the last")
        if last.size.isdigit() and int(last.size) % parts:
            raise NotLoweredError(f"{last.size} elements are not {parts} equal pieces")
        size = str(int(last.size) // parts) if last.size.isdigit() else f"{last.size} / {parts}"
        shape = (*value.shape[:-1], Dim(size, last.place))
        return self._read(Access(tensor, part=part, parts=parts), shape)


def _input_of(value: Value) -> str:
    """The input that a value is, all of it as it is; "" for another value."""
    access = value.access if isinstance(value, Node) else None
    return access.tensor if access is not None and access == Access(access.tensor) else ""


def _known(value: float) -> Scalar:
    """A number of a formula. Raises ``NotLoweredError`` for a whole one that no float reaches."""
    try:
        float(value)
    except OverflowError as error:
        raise NotLoweredError("a number beyond those of floating point") from error
    return constant(value)


def _counted(value: float, what: str) -> int:
    """A number that counts something. Raises ``NotLoweredError`` where it is no whole one."""
    if not float(value).is_integer():
        raise NotLoweredError(f"{what} is {value}, no whole number")
    return int(value)


def _is_whole(value: Value) -> bool:
    if isinstance(value, Node):
        return value.is_whole
    return value.number is not None and float(value.number).is_integer()


def _axes(shape: Shape, dims: tuple[int, ...] | None) -> list[int]:
    """The axes from the first on. Axes that nobody counted (``...``) are counted from the last one only."""
    if dims is None:
        return list(range(len(shape)))
    if any(dim.size == "..." for dim in shape) and any(axis >= 0 or -axis >= len(shape) for axis in dims):
        raise NotLoweredError("an axis of a shape that nobody says")
    if any(not -len(shape) <= axis < len(shape) for axis in dims):
        raise NotLoweredError(f"there is no axis {dims[0]}")
    return [axis % len(shape) for axis in dims]


def _simpler(graph: Builder, op: str, args: tuple[Value, ...], numbers: Sequence[float | None]) -> Value | None:
    """The same value with less: what adds 0, multiplies by 1, or multiplies by a reciprocal."""
    if op == "log" and isinstance(args[0], Node):
        return _log_sigmoid(graph, args[0])
    if len(args) != 2:
        return None
    (left, right), (first, second) = args, numbers
    if op in ("add", "sub") and second == 0 and isinstance(left, Node):
        return left
    if op == "add" and first == 0:
        return right
    if op in ("mul", "div") and second == 1:
        return left
    if op == "mul" and first == 1:
        return right
    if op == "div" and isinstance(left, Node) and isinstance(right, Node) and right.op == "div":
        below = right.args[1]
        if isinstance(below, Scalar) and below.number is not None:
            # x / (a / c): a product loses less than a quotient that is rounded before it divides.
            return graph.apply("div", graph.apply("mul", left, below), right.args[0])
    if op == "mul":
        for one, scale in ((left, right), (right, left)):
            if (
                isinstance(scale, Scalar)
                and isinstance(one, Node)
                and one.op == "mul"
                and isinstance(one.args[1], Scalar)
            ):
                return graph.apply("mul", one.args[0], graph.apply("mul", one.args[1], scale))
        for one, other in ((left, right), (right, left)):
            if isinstance(other, Node) and other.op == "div" and isinstance(other.args[0], Scalar):
                above = graph.apply("mul", one, other.args[0])
                return graph.apply("div", above, other.args[1])
    return None


def _log_sigmoid(graph: Builder, value: Node) -> Value | None:
    """``log(1 / (1 + exp(t)))`` so that it does not end where the sigmoid is 0; None for another logarithm."""
    one, below = value.args if value.op == "div" else (None, None)
    if one != constant(1) or not isinstance(below, Node) or below.op != "add" or below.args[1] != constant(1):
        return None
    power = below.args[0]
    if not isinstance(power, Node) or power.op != "exp":
        return None
    (t,) = power.args
    size = graph.apply("mul", graph.apply("abs", t), constant(-1))
    rest = graph.apply("log", graph.apply("add", graph.apply("exp", size), constant(1)))
    return graph.apply("sub", graph.apply("minimum", graph.apply("mul", t, constant(-1)), constant(0)), rest)


# Rules of single functions

_Rule = Callable[[Builder, Call, Env], Value | Literal]


def _option(graph: Builder, expr: Call, env: Env, name: str) -> Value | Literal | None:
    given = expr.option(name)
    found = None if given is None else graph.value(given, env)
    return None if isinstance(found, Text) and not found.value else found


def _truth_option(graph: Builder, expr: Call, env: Env, name: str, default: bool) -> bool:
    found = _option(graph, expr, env, name)
    if found is None:
        return default
    if isinstance(found, Scalar) and found.number is not None:
        return bool(found.number)
    raise NotLoweredError(f"`{name}` is decided when the kernel runs")


def _number_option(graph: Builder, expr: Call, env: Env, name: str) -> float | None:
    found = _option(graph, expr, env, name)
    if found is None:
        return None
    if isinstance(found, Scalar) and found.number is not None:
        return found.number
    raise NotLoweredError(f"`{name}` is decided when the kernel runs")


def _dims(graph: Builder, expr: Call, env: Env, name: str = "dim") -> tuple[int, ...] | None:
    found = _option(graph, expr, env, name)
    if found is None:
        return None
    listed = found.args if isinstance(found, Call) else (found.expr if isinstance(found, Scalar) else found,)
    if all(isinstance(one, Number) for one in listed):
        return tuple(_counted(one.value, "an axis") for one in listed if isinstance(one, Number))
    raise NotLoweredError("the axis is decided when the kernel runs")


def _add(graph: Builder, expr: Call, env: Env) -> Value:
    left, right = (graph.real(graph.argument(arg, env)) for arg in expr.args)
    alpha = expr.option("alpha")
    if alpha is not None:
        right = graph.apply("mul", right, graph.argument(alpha, env))
    return graph.apply(expr.op, left, right)


def _mul(graph: Builder, expr: Call, env: Env) -> Value:
    left, right = (graph.real(graph.argument(arg, env)) for arg in expr.args)
    return graph.apply("mul", left, right)


def _div(graph: Builder, expr: Call, env: Env) -> Value:
    left, right = (graph.real(graph.argument(arg, env)) for arg in expr.args)
    mode = _option(graph, expr, env, "rounding_mode")
    if expr.op != "floordiv" and mode is None:
        return graph.apply("div", left, right)
    rounding = "floor" if mode is None else mode.value if isinstance(mode, Text) else ""
    if rounding not in ("floor", "trunc"):
        raise NotLoweredError("how a quotient is rounded is decided when the kernel runs")
    return graph.apply(rounding, graph.apply("div", left, right))


def _fmod(graph: Builder, expr: Call, env: Env) -> Value:
    left, right = (graph.real(graph.argument(arg, env)) for arg in expr.args)
    whole = graph.apply("trunc", graph.apply("div", left, right))
    return graph.apply("sub", left, graph.apply("mul", whole, right))


def _neg(graph: Builder, expr: Call, env: Env) -> Value:
    return graph.apply("mul", graph.real(graph.argument(expr.args[0], env)), constant(-1))


def _pow(graph: Builder, expr: Call, env: Env) -> Value:
    x, exponent = (graph.real(graph.argument(arg, env)) for arg in expr.args)
    return graph.power(x, exponent)


def _round(graph: Builder, expr: Call, env: Env) -> Value:
    x = graph.real(graph.argument(expr.args[0], env))
    decimals = _counted(_number_option(graph, expr, env, "decimals") or 0, "how many decimals are kept")
    if abs(decimals) > _MOST_DECIMALS:
        raise NotLoweredError(f"rounding to {decimals} decimals, which no float has")
    if not decimals:
        return graph.apply("rint", x)
    scale = constant(10.0**decimals)
    return graph.apply("div", graph.apply("rint", graph.apply("mul", x, scale)), scale)


def _rounded(graph: Builder, expr: Call, env: Env) -> Value:
    x = graph.real(graph.argument(expr.args[0], env))
    return x if isinstance(x, Node) and x.is_whole and expr.op != "sign" else graph.apply(expr.op, x)


def _clamp(graph: Builder, expr: Call, env: Env) -> Value:
    result = graph.real(graph.argument(expr.args[0], env))
    bounds = dict(zip(("min", "max"), expr.args[1:], strict=False)) | dict(expr.options)
    for name, op in (("min", "maximum"), ("max", "minimum")):
        if name in bounds and bounds[name] != Text(""):
            result = graph.apply(op, result, graph.real(graph.argument(bounds[name], env)))
    return result


def _where(graph: Builder, expr: Call, env: Env) -> Value:
    condition, then, other = (graph.argument(arg, env) for arg in expr.args)
    return graph.select(condition, then, other)


def _leaky_relu(graph: Builder, expr: Call, env: Env) -> Value:
    given = expr.args[1] if len(expr.args) > 1 else expr.option("negative_slope")
    slope = constant(0.01) if given is None else graph.argument(given, env)
    x = graph.real(graph.argument(expr.args[0], env))
    if isinstance(slope, Scalar):
        return graph.apply("leaky_relu", x, slope)
    return graph.select(graph.apply("gt", x, constant(0)), x, graph.apply("mul", slope, x))


def _gelu(graph: Builder, expr: Call, env: Env) -> Value:
    how = _option(graph, expr, env, "approximate")
    word = how.value if isinstance(how, Text) else "tanh" if isinstance(how, Scalar) and how.number else "none"
    if isinstance(how, Scalar) and how.number is None:
        raise NotLoweredError("how gelu is approximated is decided when the kernel runs")
    return graph._function(Call("gelu_tanh" if word == "tanh" else "gelu_none", expr.args[:1]), env)


def _logical(graph: Builder, expr: Call, env: Env) -> Value:
    args = [graph.argument(arg, env) for arg in expr.args]
    if expr.op == "invert" and not (isinstance(args[0], Node) and args[0].is_truth):
        raise NotLoweredError("whether a number's bits or its truth are inverted is not said")
    return graph.logical({"invert": "not"}.get(expr.op, expr.op.removeprefix("logical_")), *args)


def _cast(graph: Builder, expr: Call, env: Env) -> Value:
    """A conversion; one to what a tensor has anyway is none."""
    x = graph.argument(expr.args[0], env)
    word = expr.args[1] if len(expr.args) > 1 else expr.option("dtype")
    found = graph.value(word, env) if word is not None else None
    if isinstance(found, Call) and found.op == "dtype":
        return x  # a tensor's own type: its output has it, and what is computed on the way is wider
    dtype = find_dtype(found.value) if isinstance(found, Text) else None
    if dtype is None:
        raise NotLoweredError("the element type of a cast is not said")
    if dtype.kind == "b":
        return graph.truth(x)
    x = graph.real(x)
    if dtype.name == "float32" or isinstance(x, Scalar):
        return x
    if dtype.name in ("float16", "bfloat16"):
        return graph.apply("through", x, detail=dtype.kernel)
    if dtype.kernel not in ENDS:
        raise NotLoweredError(f"the vector unit computes nothing in {dtype.name}")
    whole = x if x.is_whole else graph.apply("trunc", x)
    return graph.apply("through", whole, detail=dtype.kernel)


def _reduction(graph: Builder, expr: Call, env: Env) -> Value:
    return graph.reduced(
        _REDUCED[expr.op], graph.argument(expr.args[0], env), _dims(graph, expr, env), _keeps(graph, expr, env)
    )


def _keeps(graph: Builder, expr: Call, env: Env) -> bool:
    return _truth_option(graph, expr, env, "keepdim", False)


def _mean(graph: Builder, expr: Call, env: Env) -> Value:
    x, dims = graph.argument(expr.args[0], env), _dims(graph, expr, env)
    total = graph.reduced("sum", x, dims, _keeps(graph, expr, env))
    return graph.apply("div", total, graph.extent(x, dims))


def _variance(graph: Builder, expr: Call, env: Env) -> Value:
    x, dims = graph.real(graph.argument(expr.args[0], env)), _dims(graph, expr, env)
    given = _number_option(graph, expr, env, "correction")
    correction = float(_truth_option(graph, expr, env, "unbiased", True)) if given is None else given
    count = graph.extent(x, dims)
    mean = graph.apply("div", graph.reduced("sum", x, dims, True), count)
    apart = graph.apply("sub", x, mean)
    squares = graph.reduced("sum", graph.apply("mul", apart, apart), dims, _keeps(graph, expr, env))
    result = graph.apply("div", squares, graph.apply("sub", count, constant(correction)) if correction else count)
    return graph.apply("sqrt", result) if expr.op == "std" else result


def _truth_reduction(graph: Builder, expr: Call, env: Env) -> Value:
    x = graph.real(graph.truth(graph.argument(expr.args[0], env)))
    op = "max" if expr.op == "any" else "min"
    return graph.truth(graph.reduced(op, x, _dims(graph, expr, env), _keeps(graph, expr, env)))


def _norm(graph: Builder, expr: Call, env: Env) -> Value:
    order = _number_option(graph, expr, env, "p" if expr.option("p") is not None else "ord")
    order = 2 if order is None else order
    x, dims, keep = graph.real(graph.argument(expr.args[0], env)), _dims(graph, expr, env), _keeps(graph, expr, env)
    return _norm_of(graph, x, order, dims, keep)


def _norm_of(graph: Builder, x: Value, order: float, dims: tuple[int, ...] | None, keep: bool) -> Value:
    if order == 2:
        return graph.apply("sqrt", graph.reduced("sum", graph.apply("mul", x, x), dims, keep))
    size = graph.apply("abs", x)
    if order == 1:
        return graph.reduced("sum", size, dims, keep)
    if math.isinf(order):
        return graph.reduced("max" if order > 0 else "min", size, dims, keep)
    raise NotLoweredError(f"a norm of order {order:g}")


def _normalize(graph: Builder, expr: Call, env: Env) -> Value:
    x = graph.real(graph.argument(expr.args[0], env))
    eps = expr.option("eps")
    order = _number_option(graph, expr, env, "p")
    dims = _dims(graph, expr, env) or (1,)
    length = _norm_of(graph, x, 2 if order is None else order, dims, True)
    least = constant(1e-12) if eps is None else graph.argument(eps, env)
    return graph.apply("div", x, graph.apply("maximum", length, least))


def _normalised(graph: Builder, expr: Call, env: Env) -> Value:
    """``layer_norm`` and ``rms_norm``: over the last axes, then weight and bias where they are given."""
    parameters = ("normalized_shape", "weight", *(["bias"] if expr.op == "layer_norm" else []), "eps")
    given = dict(zip(parameters, expr.args[1:], strict=False)) | dict(expr.options)
    shape = graph.value(given["normalized_shape"], env) if "normalized_shape" in given else None
    count = len(shape.args) if isinstance(shape, Call) and shape.op == "tuple" else 1
    dim = Call("tuple", tuple(Number(-axis) for axis in range(count, 0, -1)))
    eps = {"eps": given["eps"]} if given.get("eps", Text("")) != Text("") else {}
    inner = dict(env)
    inner["the normalised axes"] = dim
    options = (("dim", Name("the normalised axes")), *eps.items())
    result = graph._function(Call(expr.op, expr.args[:1], options), inner)
    for name, op in (("weight", "mul"), ("bias", "add")):
        if given.get(name, Text("")) != Text(""):
            result = graph.apply(op, result, graph.argument(given[name], env))
    return result


def _gated(graph: Builder, expr: Call, env: Env) -> Value:
    axis = (_dims(graph, expr, env) or (-1,))[0]
    x = graph.argument(expr.args[0], env)
    halves = {"first half": graph.piece(x, axis, 0, 2), "second half": graph.piece(x, axis, 1, 2)}
    first, second = Name("first half"), Name("second half")
    written = {
        "glu": Call("mul", (first, Call("sigmoid", (second,)))),
        "swiglu": Call("mul", (Call("silu", (first,)), second)),
        "geglu": Call("mul", (Call("gelu", (first,)), second)),
    }
    return graph.argument(written[expr.op], halves)


def _item(graph: Builder, expr: Call, env: Env) -> Value:
    base, *places = expr.args
    pieces = graph.value(base, env) if isinstance(base, Name) else base
    if isinstance(pieces, Call) and pieces.op in ("chunk", "split") and len(places) == 1:
        return _chunk(graph, pieces, places[0], env)
    found = [graph.value(place, env) for place in places]
    if len(found) == 1 and isinstance(found[0], Node):
        return graph.picked(base, found[0], env)
    value = graph.argument(base, env)
    if isinstance(value, Node) and all(one == Text("") or one == Call("range", (Text(""),) * 3) for one in found):
        return value
    raise NotLoweredError("parts of a tensor have no rule yet")


def _choose(graph: Builder, expr: Call, env: Env) -> Value | Literal:
    """The one way that a condition on attributes takes, where it is known which."""
    condition = graph.value(expr.args[0], env)
    if isinstance(condition, Scalar) and condition.number is not None:
        return graph.value(expr.args[1 if condition.number else 2], env)
    raise NotLoweredError("what is computed is decided when the kernel runs")


def _attribute_compared(graph: Builder, expr: Call, env: Env) -> Value | None:
    """A comparison of words, or of numbers that are known; None for one of tensors."""
    left, right = (graph.value(arg, env) for arg in expr.args)
    if isinstance(left, Text) and isinstance(right, Text) and expr.op in ("eq", "ne"):
        return constant((left.value == right.value) == (expr.op == "eq"))
    if isinstance(left, Scalar) and isinstance(right, Scalar):
        first, second = left.number, right.number
        if first is None or second is None:
            raise NotLoweredError("what is computed is decided when the kernel runs")
        return constant(_COMPARED[expr.op](first, second))
    return None


def _is_none(graph: Builder, expr: Call, env: Env) -> Value:
    found = (
        graph.value(expr.args[0], env) if not isinstance(expr.args[0], Name) or expr.args[0].name in env else Text("")
    )
    return constant(found == Text(""))


def _as_it_is(_graph: Builder, expr: Call, _env: Env) -> Literal:
    """Pieces of a tensor, and its element type: they mean something where they are used."""
    return expr


def _chunk(graph: Builder, expr: Call, place: Expr, env: Env) -> Value:
    axis = (_dims(graph, expr, env) or (0,))[0]
    x, count = graph.argument(expr.args[0], env), graph.argument(expr.args[1], env)
    part = graph.argument(place, env)
    size = x.shape[-1].size if isinstance(x, Node) else ""
    if not (isinstance(count, Scalar) and count.number and isinstance(part, Scalar) and part.number is not None):
        raise NotLoweredError("the pieces of a tensor are decided when the kernel runs")
    parts, number = _counted(count.number, "the number of pieces"), _counted(part.number, "a piece")
    if expr.op == "split":
        if not size.isdigit() or int(size) % parts:
            raise NotLoweredError("pieces of different lengths")
        parts = int(size) // parts
    return graph.piece(x, axis, number % parts, parts)


def _picked(graph: Builder, expr: Call, env: Env) -> Value:
    if expr.op == "embedding":
        return graph.picked(expr.args[1], graph.argument(expr.args[0], env), env)
    index = expr.args[2] if expr.op == "index_select" else expr.args[1]
    dim = expr.args[1] if expr.op == "index_select" else expr.option("dim")
    if dim != Number(0):
        raise NotLoweredError("elements are picked along another axis than the first")
    return graph.picked(expr.args[0], graph.argument(index, env), env)


def _squeeze(graph: Builder, expr: Call, env: Env) -> Value:
    x, dims = graph.argument(expr.args[0], env), _dims(graph, expr, env)
    if isinstance(x, Scalar):
        return x
    axes = _axes(x.shape, dims)
    kept = tuple(dim for axis, dim in enumerate(x.shape) if axis not in axes or not dim.is_one)
    return graph._shaped(x, kept)


def _unsqueeze(graph: Builder, expr: Call, env: Env) -> Value:
    x, dims = graph.argument(expr.args[0], env), _dims(graph, Call("", (), (("dim", expr.args[1]),)), env)
    if isinstance(x, Scalar) or dims is None:
        return graph._computed(x, "an operand")
    place = dims[0] % (len(x.shape) + 1)
    return graph._shaped(x, (*x.shape[:place], Dim("1", 0), *x.shape[place:]))


def _size(graph: Builder, expr: Call, env: Env) -> Value:
    dims = _dims(graph, expr, env)
    if dims is None and len(expr.args) > 1:
        dims = _dims(graph, Call("", (), (("dim", expr.args[1]),)), env)
    return graph.extent(graph.argument(expr.args[0], env), dims)


def _filled(graph: Builder, expr: Call, env: Env) -> Value:
    x = graph.argument(expr.args[0], env)
    if isinstance(x, Scalar):
        raise NotLoweredError("a tensor like a number")
    given = {"zeros_like": Number(0), "ones_like": Number(1)}.get(expr.op) or expr.args[1]
    value = graph.argument(given, env)
    if not isinstance(value, Scalar):
        raise NotLoweredError("a tensor filled with what another one holds")
    return graph._node("fill", (value,), x.shape, is_whole=_is_whole(value))


def _nan_to_num(graph: Builder, expr: Call, env: Env) -> Value:
    x = graph.real(graph.argument(expr.args[0], env))
    if expr.option("posinf") is not None or expr.option("neginf") is not None:
        raise NotLoweredError("`nan_to_num` with values for infinities")
    given = expr.option("nan")
    replaced = constant(0) if given is None else graph.argument(given, env)
    return graph.select(graph.apply("ne", x, x), replaced, x)


_RULES: Mapping[str, _Rule] = {
    **dict.fromkeys(("add", "sub"), _add),
    "mul": _mul,
    **dict.fromkeys(("div", "floordiv"), _div),
    "fmod": _fmod,
    "neg": _neg,
    "pow": _pow,
    "round": _round,
    **dict.fromkeys(("floor", "ceil", "trunc"), _rounded),
    "clamp": _clamp,
    "where": _where,
    "leaky_relu": _leaky_relu,
    "gelu": _gelu,
    **dict.fromkeys(("logical_and", "logical_or", "logical_not", "invert"), _logical),
    "cast": _cast,
    **dict.fromkeys(_REDUCED, _reduction),
    "mean": _mean,
    **dict.fromkeys(("var", "std"), _variance),
    **dict.fromkeys(("any", "all"), _truth_reduction),
    "norm": _norm,
    "normalize": _normalize,
    **dict.fromkeys(("layer_norm", "rms_norm"), _normalised),
    **dict.fromkeys(("glu", "swiglu", "geglu"), _gated),
    "item": _item,
    "choose": _choose,
    "is_none": _is_none,
    **dict.fromkeys(("chunk", "split", "dtype"), _as_it_is),
    **dict.fromkeys(("embedding", "index_select", "take"), _picked),
    "squeeze": _squeeze,
    "unsqueeze": _unsqueeze,
    "size": _size,
    **dict.fromkeys(("zeros_like", "ones_like", "full_like"), _filled),
    "nan_to_num": _nan_to_num,
}
"""Functions that have operands or parameters of their own kind."""
