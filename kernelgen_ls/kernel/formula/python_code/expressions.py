"""Expressions in Python as trees."""

from __future__ import annotations

import ast
import math
from abc import ABC, abstractmethod
from collections.abc import Sequence

from attrs import define

from kernelgen_ls.kernel.dtypes import TORCH_METHODS, find_dtype
from kernelgen_ls.kernel.formula.functions import OPTIONS
from kernelgen_ls.kernel.formula.python_code.calls import converted, function_called
from kernelgen_ls.kernel.formula.python_code.scope import BITS, MODULES, OPERATORS, Scope, dotted, is_logical, part_of
from kernelgen_ls.kernel.formula.tree import Call, Expr, Name, Number, Text

_MAX_DEPTH = 8
_CONSTANTS: dict[str, Expr] = {
    "pi": Number(math.pi),
    "e": Number(math.e),
    "inf": Number(math.inf),
    "nan": Number(math.nan),
    "newaxis": Text(""),
}


@define
class Expressions(Scope, ABC):
    """Reads expressions, a call of one of the text's own functions as what it does."""

    @abstractmethod
    def block(self, body: Sequence[ast.stmt]) -> Expr | None:
        """Read statements; what they return, None where they go on."""

    def expression(self, node: ast.expr) -> Expr:
        """The tree of an expression."""
        match node:
            case ast.Constant(value=bool() | int() | float() as number):
                return Number(number)
            case ast.Constant(value=str() as word):
                return Text(word)
            case ast.Constant(value=None):
                return Text("")
            case ast.Name(id=name):
                return Name(self.latest.get(name, name))
            case ast.Tuple(elts=items) | ast.List(elts=items):
                return Call("tuple", tuple(self.expression(item) for item in items))
            case ast.BinOp():
                return self._binary(node)
            case ast.UnaryOp():
                return self._unary(node)
            case ast.BoolOp():
                op = "logical_and" if isinstance(node.op, ast.And) else "logical_or"
                return self._chained(op, [self.expression(value) for value in node.values])
            case ast.Compare():
                return self._compared(node)
            case ast.IfExp():
                return Call("choose", tuple(self.expression(one) for one in (node.test, node.body, node.orelse)))
            case ast.Subscript():
                return self._subscript(node)
            case ast.Attribute():
                return self._attribute(node)
            case ast.Call():
                return self._call(node)
            case ast.ListComp():
                return self._comprehension(node)
        raise self.fail(node, ast.unparse(node)[:40], "this is not understood")

    def _binary(self, node: ast.BinOp) -> Expr:
        op = OPERATORS.get(type(node.op))
        left, right = self.expression(node.left), self.expression(node.right)
        if op is None:
            raise self.fail(node, ast.unparse(node)[:40], "this operator is not understood")
        if isinstance(node.op, BITS) and not (is_logical(left) and is_logical(right)):
            raise self.fail(node, ast.unparse(node)[:40], "an operation on bits is not understood")
        return Call(op, (left, right))

    def _unary(self, node: ast.UnaryOp) -> Expr:
        value = self.expression(node.operand)
        if isinstance(node.op, ast.USub):
            return Number(-value.value) if isinstance(value, Number) else Call("neg", (value,))
        if isinstance(node.op, ast.UAdd):
            return value
        if isinstance(node.op, ast.Invert) and not is_logical(value):
            return Call("invert", (value,))
        return Call("logical_not", (value,))

    def _chained(self, op: str, values: Sequence[Expr]) -> Expr:
        value = values[0]
        for other in values[1:]:
            value = Call(op, (value, other))
        return value

    def _compared(self, node: ast.Compare) -> Expr:
        sides = [self.expression(one) for one in (node.left, *node.comparators)]
        found = []
        for at, op in enumerate(node.ops):
            if isinstance(op, ast.Is | ast.IsNot):
                if sides[at + 1] != Text(""):
                    raise self.fail(node, "is", "only `is None` is understood")
                value = Call("is_none", (sides[at],))
                found.append(value if isinstance(op, ast.Is) else Call("logical_not", (value,)))
                continue
            name = OPERATORS.get(type(op))
            if name is None:
                raise self.fail(node, ast.unparse(node)[:40], "this comparison is not understood")
            found.append(Call(name, (sides[at], sides[at + 1])))
        return self._chained("logical_and", found)

    def _subscript(self, node: ast.Subscript) -> Expr:
        base = node.value
        if isinstance(base, ast.Attribute) and base.attr == "shape" and not isinstance(node.slice, ast.Slice):
            return Call("size", (self.expression(base.value),), (("dim", self.expression(node.slice)),))
        value = self.expression(base)
        places = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        items = tuple(self.place(place) for place in places)
        if isinstance(value, Call) and len(items) == 1 and isinstance(items[0], Number):
            if value.op == "tuple" and isinstance(items[0].value, int):
                return value.args[items[0].value]
            if value.op in ("amax", "amin") and value.option("dim") is not None:
                return part_of(value, value, int(items[0].value))
        return Call("item", (value, *items))

    def place(self, node: ast.expr) -> Expr:
        """What stands in brackets: a range, dots or a value."""
        if isinstance(node, ast.Slice):
            parts = [Text("") if one is None else self.expression(one) for one in (node.lower, node.upper, node.step)]
            return Call("range", tuple(parts))
        if isinstance(node, ast.Constant) and node.value is Ellipsis:
            return Text("...")
        return self.expression(node)

    def _attribute(self, node: ast.Attribute) -> Expr:
        path = dotted(node)
        if path and path.split(".")[0] in MODULES and path.split(".")[0] not in self.latest:
            if node.attr in _CONSTANTS:
                return _CONSTANTS[node.attr]
            if node.attr in TORCH_METHODS or find_dtype(node.attr) is not None:
                return Text(TORCH_METHODS[node.attr].name if node.attr in TORCH_METHODS else node.attr)
            raise self.fail(node, path, "no value of this name is known")
        if path.startswith("self.") and path.count(".") == 1:
            return Name(self.latest.get(node.attr, node.attr))
        value = self.expression(node.value)
        if node.attr in ("T", "mT"):
            return Call("transpose", (value,))
        if node.attr in ("values", "data"):
            return value
        if node.attr == "indices" and isinstance(value, Call):
            return part_of(value, value, 1)
        if node.attr == "device":
            return Text("")
        if node.attr == "shape":
            return Call("shape", (value,))
        if node.attr == "ndim":
            return Call("rank", (value,))
        if node.attr == "dtype":
            return Call("dtype", (value,))
        raise self.fail(node, node.attr, "what this is is not known")

    def _call(self, node: ast.Call) -> Expr:
        path = dotted(node.func)
        options = {OPTIONS.get(one.arg or "", one.arg or ""): one.value for one in node.keywords}
        options.pop("device", None)
        if any(isinstance(arg, ast.Starred) for arg in node.args) or "" in options:
            raise self.fail(node, path or "*", "a call with a list of operands is not understood")
        operands = [self.expression(arg) for arg in node.args]
        named = {name: self.expression(value) for name, value in options.items()}
        root = path.split(".")[0] if path else ""
        if isinstance(node.func, ast.Attribute) and (root not in MODULES or root in self.latest):
            return self._method(node, node.func, operands, named)
        if not path:
            raise self.fail(node, ast.unparse(node.func)[:40], "this call is not understood")
        if path in self.functions and self.functions[path].name not in ("forward", "__call__"):
            return self._inlined(node, self.functions[path], operands, named)
        return function_called(self, node, path, operands, named)

    def _inlined(self, node: ast.Call, function: ast.FunctionDef, operands: list[Expr], named: dict[str, Expr]) -> Expr:
        """What a function of the text makes of its operands."""
        names = [one.arg for one in (*function.args.posonlyargs, *function.args.args) if one.arg != "self"]
        values = [self.expression(one) for one in function.args.defaults]
        defaults = dict(zip(names[len(names) - len(values) :], values, strict=True))
        given = {**defaults, **dict(zip(names, operands, strict=False)), **named}
        if self.depth > _MAX_DEPTH or len(operands) > len(names) or set(given) != set(names):
            raise self.fail(node, function.name, "how this function is called is not understood")
        self.read_again(node)
        before, self.latest, self.depth = self.latest, {}, self.depth + 1
        for name, value in given.items():
            self.latest[name] = value.name if isinstance(value, Name) else self.give(name, value)
        returned = self.block(function.body)
        self.latest, self.depth = before, self.depth - 1
        if returned is None:
            raise self.fail(node, function.name, "it returns nothing")
        return returned

    def _method(self, node: ast.Call, function: ast.Attribute, operands: list[Expr], named: dict[str, Expr]) -> Expr:
        if isinstance(function.value, ast.Name) and function.value.id == "self":
            if function.attr in self.functions:
                return self._inlined(node, self.functions[function.attr], operands, named)
            raise self.fail(node, f"self.{function.attr}", "what this computes is not known")
        root = dotted(function.value).split(".")[0]
        if root and root != "self" and self.latest and root not in self.latest:
            raise self.fail(node, dotted(function.value), "what this is is not known")
        value = self.expression(function.value)
        if function.attr in ("to", "type", "astype", "type_as"):
            return converted(value, [*operands, *named.values()])
        if function.attr in TORCH_METHODS and not operands:
            return Call("cast", (value, Text(TORCH_METHODS[function.attr].name)))
        if function.attr in ("t", "adjoint") and not operands:
            return Call("transpose", (value,))
        return function_called(self, node, f".{function.attr}", [value, *operands], named)

    def _comprehension(self, node: ast.ListComp) -> Expr:
        """A list of tensors that are all treated alike is read as one tensor."""
        if len(node.generators) != 1 or node.generators[0].ifs:
            raise self.fail(node, "for", "this loop is not understood")
        loop = node.generators[0]
        before = self.each(node, loop.target, loop.iter)
        value = self.expression(node.elt)
        self.latest = before
        return value

    def each(self, node: ast.AST, target: ast.expr, source: ast.expr) -> dict[str, str]:
        """Let the variables of a loop be the lists that it goes through; what was known before."""
        sources = source.args if isinstance(source, ast.Call) and dotted(source.func) == "zip" else [source]
        targets = target.elts if isinstance(target, ast.Tuple) else [target]
        if len(sources) != len(targets) or not all(isinstance(one, ast.Name) for one in (*sources, *targets)):
            raise self.fail(node, "for", "this loop is not understood")
        before = dict(self.latest)
        for one, variable in zip(sources, targets, strict=True):
            value = self.expression(one)
            assert isinstance(value, Name) and isinstance(variable, ast.Name)
            self.latest[variable.id] = value.name
        return before
