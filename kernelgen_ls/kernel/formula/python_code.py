"""Reference code in Python as a formula: a small dialect of torch and numpy, read by ``ast`` and never executed.

Understood are assignments, ``return``, ``if`` (its value is chosen when the formula is evaluated) and calls of what
``functions`` has, as functions and as methods, in a function, in the ``forward`` of a class, or alone. Everything else
ends the understanding at its name. Reductions mean what PyTorch (and behind ``np.`` numpy) means by them.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Sequence

from attrs import define, field, frozen

from kernelgen_ls.kernel.dtypes import TORCH_METHODS, find_dtype
from kernelgen_ls.kernel.formula.calls import called
from kernelgen_ls.kernel.formula.functions import LOGICAL, OPTIONS, Function, find_function
from kernelgen_ls.kernel.formula.tree import Assignment, Call, Expr, FormulaError, Name, Number, Text, names_in

_OPERATORS: dict[type, str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "div",
    ast.FloorDiv: "floordiv",
    ast.Mod: "remainder",
    ast.Pow: "pow",
    ast.MatMult: "matmul",
    ast.BitAnd: "logical_and",
    ast.BitOr: "logical_or",
    ast.BitXor: "logical_xor",
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
    ast.Eq: "eq",
    ast.NotEq: "ne",
}
_MAX_DEPTH = 8
_BITS = (ast.BitAnd, ast.BitOr, ast.BitXor)
_MODULES = frozenset(("torch", "np", "numpy", "F", "nn", "math", "functional"))
_SAME = frozenset(
    (
        "contiguous",
        "clone",
        "detach",
        "cpu",
        "npu",
        "cuda",
        "numpy",
        "item",
        "requires_grad_",
        "double",
        "tensor",
        "scalar_tensor",
        "asarray",
        "array",
    )
)
"""What gives the same values."""
_CONSTANTS: dict[str, Expr] = {
    "pi": Number(math.pi),
    "e": Number(math.e),
    "inf": Number(math.inf),
    "nan": Number(math.nan),
    "newaxis": Text(""),
}
_LISTED = frozenset(("reshape", "permute", "expand", "repeat", "flip", "squeeze"))
"""What takes its sizes as a list or as so many operands."""


@frozen
class Code:
    """What a piece of Python computes: assignments in order, each name given once, and what it returns."""

    assignments: tuple[Assignment, ...]
    outputs: tuple[str, ...]
    parameters: tuple[str, ...]
    defaults: tuple[tuple[str, Expr], ...]


_CODE = re.compile(r"^[ \t]*(?:def \w+\(|class \w+|import \w+|from \S+ import|return\b)", re.MULTILINE)


def looks_like_code(text: str) -> bool:
    """Whether a text is Python rather than mathematics: it defines a function or returns something."""
    return bool(_CODE.search(text))


def from_code(text: str) -> Code:
    """What a text in Python computes. Raises ``FormulaError`` at the first thing that is not understood."""
    try:
        module = ast.parse(text)
    except SyntaxError as error:
        line = (error.text or "").strip().split()
        raise FormulaError(line[0] if line else "", f"it is no Python: {error.msg}") from error
    except (ValueError, MemoryError) as error:
        raise FormulaError("", "it is no Python: it holds a zero byte or is nested too deeply") from error
    function = _function(module)
    reader = _Reader(text, {one.name: one for one in ast.walk(module) if isinstance(one, ast.FunctionDef)})
    if function is None:
        reader.block(module.body)
        given = tuple(dict.fromkeys(one.name for one in reader.assignments))
        read = {name for one in reader.assignments for name in names_in(one.value)}
        return Code(tuple(reader.assignments), tuple(name for name in given if name not in read), (), ())
    parameters, defaults = _parameters(function, reader)
    returned = reader.block(function.body)
    if returned is None:
        raise FormulaError(function.name, "it returns nothing")
    values = returned.args if isinstance(returned, Call) and returned.op == "tuple" else (returned,)
    outputs = tuple(reader.output(value, at, len(values)) for at, value in enumerate(values))
    return Code(tuple(reader.assignments), outputs, parameters, defaults)


def _function(module: ast.Module) -> ast.FunctionDef | None:
    """The function that a text is about: the ``forward`` of its first class, else its first function."""
    for one in module.body:
        if isinstance(one, ast.ClassDef):
            for member in one.body:
                if isinstance(member, ast.FunctionDef) and member.name in ("forward", "__call__"):
                    return member
    return next((one for one in module.body if isinstance(one, ast.FunctionDef)), None)


def _parameters(function: ast.FunctionDef, reader: _Reader) -> tuple[tuple[str, ...], tuple[tuple[str, Expr], ...]]:
    arguments = [*function.args.posonlyargs, *function.args.args]
    names = [one.arg for one in arguments]
    pairs = list(zip(names[len(names) - len(function.args.defaults) :], function.args.defaults, strict=True))
    pairs += [
        (one.arg, value)
        for one, value in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True)
        if value is not None
    ]
    names += [one.arg for one in function.args.kwonlyargs]
    plain = tuple(name for name in names if name not in ("self", "ctx"))
    reader.latest.update({name: name for name in plain})
    reader.taken.update(plain)
    return plain, tuple((name, reader.expression(value)) for name, value in pairs)


@define
class _Reader:
    """Reads statements; ``latest`` is the name that each variable's value has now."""

    text: str
    functions: dict[str, ast.FunctionDef]
    """The functions that the text defines: a call of one is read as what it does."""
    assignments: list[Assignment] = field(factory=list)
    latest: dict[str, str] = field(factory=dict)
    taken: set[str] = field(factory=set)
    """Names that mean something: no second value is kept under one."""
    given: set[str] = field(factory=set)
    """Those of them that an assignment gave."""
    depth: int = 0
    """How many calls of the text's own functions are open."""

    def fail(self, node: ast.AST, word: str, reason: str) -> FormulaError:
        """The error that the understanding ends at a node."""
        lines = self.text.splitlines(keepends=True)
        row, column = getattr(node, "lineno", 1) - 1, getattr(node, "col_offset", 0)
        before = sum(len(line) for line in lines[:row])
        inside = lines[row].encode()[:column].decode(errors="ignore") if row < len(lines) else ""
        return FormulaError(word, reason, before + len(inside))

    def block(self, body: Sequence[ast.stmt]) -> Expr | None:
        """Read statements; what they return, None where they go on."""
        for at, statement in enumerate(body):
            if isinstance(statement, ast.If):
                return self._if(statement, body[at + 1 :])
            if isinstance(statement, ast.Return):
                if statement.value is None:
                    raise self.fail(statement, "return", "it returns nothing")
                return self.expression(statement.value)
            if isinstance(statement, ast.With):
                returned = self.block(statement.body)
                if returned is not None:
                    return returned
                continue
            self._statement(statement)
        return None

    def _statement(self, statement: ast.stmt) -> None:
        if isinstance(statement, ast.Assign):
            value = self.expression(statement.value)
            for target in statement.targets:
                self._assign(target, value)
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            self._assign(statement.target, self.expression(statement.value))
        elif isinstance(statement, ast.AugAssign):
            op = _OPERATORS.get(type(statement.op))
            if op is None or isinstance(statement.op, _BITS):
                raise self.fail(statement, "=", "this operator is not understood")
            value = Call(op, (self.expression(statement.target), self.expression(statement.value)))
            self._assign(statement.target, value)
        elif isinstance(statement, ast.For):
            self._loop(statement)
        elif isinstance(statement, ast.Expr):
            self._bare(statement.value)
        elif not isinstance(statement, ast.Import | ast.ImportFrom | ast.Pass | ast.Assert):
            word = ast.get_source_segment(self.text, statement) or ""
            raise self.fail(statement, word.split("\n")[0].split("(")[0].strip(), "this statement is not understood")

    def _bare(self, node: ast.expr) -> None:
        """A statement that is an expression: a comment, or a method that changes its tensor."""
        if isinstance(node, ast.Constant):
            return
        method = node.func if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
        if isinstance(node, ast.Call) and method is not None and isinstance(method.value, ast.Name):
            name = method.attr
            if name == "copy_" and node.args:
                self._assign(method.value, self.expression(node.args[0]))
                return
            if name.endswith("_") and not name.endswith("__") and name != "requires_grad_":
                plain = ast.Attribute(method.value, name[:-1], method.ctx)
                call = ast.Call(plain, node.args, node.keywords)
                self._assign(method.value, self.expression(ast.fix_missing_locations(ast.copy_location(call, node))))
                return
        word = ast.unparse(node).split("(")[0][:40]
        raise self.fail(node, word, "this statement is not understood")

    def _loop(self, loop: ast.For) -> None:
        """A loop that treats the tensors of lists alike and appends what it makes of each is read for one tensor."""
        *before, last = loop.body
        call = last.value if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call) else None
        appends = call is not None and isinstance(call.func, ast.Attribute) and call.func.attr == "append"
        if call is None or not appends or len(call.args) != 1 or loop.orelse:
            word = ast.unparse(loop).split("\n")[0].split("(")[0][:40]
            raise self.fail(loop, word, "this loop is not understood")
        outside = self._each(loop, loop.target, loop.iter)
        inside = {one.id for one in ast.walk(loop.target) if isinstance(one, ast.Name)}
        returned = self.block(before)
        if returned is not None or any(self.latest[one] != outside[one] for one in outside if one not in inside):
            raise self.fail(loop, "for", "what a loop carries from one tensor to the next is not understood")
        value = self.expression(call.args[0])
        self.latest = outside
        assert isinstance(call.func, ast.Attribute)
        self._assign(call.func.value, value)

    def _each(self, node: ast.AST, target: ast.expr, source: ast.expr) -> dict[str, str]:
        """Let the variables of a loop be the lists that it goes through; what was known before."""
        sources = source.args if isinstance(source, ast.Call) and _path(source.func) == "zip" else [source]
        targets = target.elts if isinstance(target, ast.Tuple) else [target]
        if len(sources) != len(targets) or not all(isinstance(one, ast.Name) for one in (*sources, *targets)):
            raise self.fail(node, "for", "this loop is not understood")
        before = dict(self.latest)
        for one, variable in zip(sources, targets, strict=True):
            value = self.expression(one)
            assert isinstance(value, Name) and isinstance(variable, ast.Name)
            self.latest[variable.id] = value.name
        return before

    def _assign(self, target: ast.expr, value: Expr) -> None:
        if isinstance(target, ast.Name):
            self.latest[target.id] = self._give(target.id, value)
        elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self":
            self.latest[target.attr] = self._give(target.attr, value)
        elif isinstance(target, ast.Tuple | ast.List):
            whole = value if isinstance(value, Call) and value.op == "tuple" else None
            if whole is None:
                name = Name(self._give("parts", value))
            for at, one in enumerate(target.elts):
                self._assign(one, whole.args[at] if whole is not None else _part(value, name, at))
        elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
            places = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
            items = tuple(self._place(place) for place in places)
            self._assign(target.value, Call("replaced", (self.expression(target.value), value, *items)))
        else:
            raise self.fail(target, ast.unparse(target)[:40], "this assignment is not understood")

    def _give(self, name: str, value: Expr) -> str:
        """The name under which a value is kept: the variable's own the first time."""
        fresh, count = name, 1
        while fresh in self.taken or (fresh != name and fresh in self.latest):
            count += 1
            fresh = f"{name}_{count}"
        self.taken.add(fresh)
        self.given.add(fresh)
        self.assignments.append(Assignment(fresh, value))
        return fresh

    def output(self, value: Expr, at: int, count: int) -> str:
        """The name of what is returned at a place: the variable's own, unless an operand is called so."""
        variable = next((name for name, latest in self.latest.items() if value == Name(latest)), None)
        if variable is not None and variable in self.given:
            if value != Name(variable):
                self.assignments.append(Assignment(variable, value))
            return variable
        return self._give("out" if count == 1 else f"out{at + 1}", value)

    def _if(self, statement: ast.If, rest: Sequence[ast.stmt]) -> Expr | None:
        if isinstance(statement.body[-1], ast.Raise):
            # What is refused is no value.
            return self.block([*statement.orelse, *rest])
        condition = self.expression(statement.test)
        before = dict(self.latest)
        then = self.block([*statement.body, *rest])
        after, self.latest = self.latest, dict(before)
        other = self.block([*statement.orelse, *rest])
        if then is None and other is None:
            for name in dict.fromkeys((*after, *self.latest)):
                one, two = after.get(name), self.latest.get(name)
                if one != two and one is not None and two is not None:
                    self.latest[name] = self._give(name, Call("choose", (condition, Name(one), Name(two))))
            return None
        if then is None or other is None:
            raise self.fail(statement, "if", "only one of its ways returns a value")
        if isinstance(then, Call) and isinstance(other, Call) and then.op == other.op == "tuple":
            pairs = zip(then.args, other.args, strict=False)
            return Call("tuple", tuple(Call("choose", (condition, one, two)) for one, two in pairs))
        return Call("choose", (condition, then, other))

    # Expressions

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
        op = _OPERATORS.get(type(node.op))
        left, right = self.expression(node.left), self.expression(node.right)
        if op is None:
            raise self.fail(node, ast.unparse(node)[:40], "this operator is not understood")
        if isinstance(node.op, _BITS) and not (_is_logical(left) and _is_logical(right)):
            raise self.fail(node, ast.unparse(node)[:40], "an operation on bits is not understood")
        return Call(op, (left, right))

    def _unary(self, node: ast.UnaryOp) -> Expr:
        value = self.expression(node.operand)
        if isinstance(node.op, ast.USub):
            return Number(-value.value) if isinstance(value, Number) else Call("neg", (value,))
        if isinstance(node.op, ast.UAdd):
            return value
        if isinstance(node.op, ast.Invert) and not _is_logical(value):
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
            name = _OPERATORS.get(type(op))
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
        items = tuple(self._place(place) for place in places)
        if isinstance(value, Call) and len(items) == 1 and isinstance(items[0], Number):
            if value.op == "tuple" and isinstance(items[0].value, int):
                return value.args[items[0].value]
            if value.op in ("amax", "amin") and value.option("dim") is not None:
                return _part(value, value, int(items[0].value))
        return Call("item", (value, *items))

    def _place(self, node: ast.expr) -> Expr:
        if isinstance(node, ast.Slice):
            parts = [Text("") if one is None else self.expression(one) for one in (node.lower, node.upper, node.step)]
            return Call("range", tuple(parts))
        if isinstance(node, ast.Constant) and node.value is Ellipsis:
            return Text("...")
        return self.expression(node)

    def _attribute(self, node: ast.Attribute) -> Expr:
        path = _path(node)
        if path and path.split(".")[0] in _MODULES and path.split(".")[0] not in self.latest:
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
            return _part(value, value, 1)
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
        path = _path(node.func)
        options = {OPTIONS.get(one.arg or "", one.arg or ""): one.value for one in node.keywords}
        options.pop("device", None)
        if any(isinstance(arg, ast.Starred) for arg in node.args) or "" in options:
            raise self.fail(node, path or "*", "a call with a list of operands is not understood")
        operands = [self.expression(arg) for arg in node.args]
        named = {name: self.expression(value) for name, value in options.items()}
        root = path.split(".")[0] if path else ""
        if isinstance(node.func, ast.Attribute) and (root not in _MODULES or root in self.latest):
            return self._method(node, node.func, operands, named)
        if not path:
            raise self.fail(node, ast.unparse(node.func)[:40], "this call is not understood")
        if path in self.functions and self.functions[path].name not in ("forward", "__call__"):
            return self._inlined(node, self.functions[path], operands, named)
        return self._function(node, path, operands, named)

    def _inlined(self, node: ast.Call, function: ast.FunctionDef, operands: list[Expr], named: dict[str, Expr]) -> Expr:
        """What a function of the text makes of its operands."""
        names = [one.arg for one in (*function.args.posonlyargs, *function.args.args) if one.arg != "self"]
        values = [self.expression(one) for one in function.args.defaults]
        defaults = dict(zip(names[len(names) - len(values) :], values, strict=True))
        given = {**defaults, **dict(zip(names, operands, strict=False)), **named}
        if self.depth > _MAX_DEPTH or len(operands) > len(names) or set(given) != set(names):
            raise self.fail(node, function.name, "how this function is called is not understood")
        before, self.latest, self.depth = self.latest, {}, self.depth + 1
        for name, value in given.items():
            self.latest[name] = value.name if isinstance(value, Name) else self._give(name, value)
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
        root = _path(function.value).split(".")[0]
        if root and root != "self" and self.latest and root not in self.latest:
            raise self.fail(node, _path(function.value), "what this is is not known")
        value = self.expression(function.value)
        if function.attr in ("to", "type", "astype", "type_as"):
            return self._converted(node, value, [*operands, *named.values()])
        if function.attr in TORCH_METHODS and not operands:
            return Call("cast", (value, Text(TORCH_METHODS[function.attr].name)))
        if function.attr in ("t", "adjoint") and not operands:
            return Call("transpose", (value,))
        return self._function(node, f".{function.attr}", [value, *operands], named)

    def _converted(self, node: ast.Call, value: Expr, given: Sequence[Expr]) -> Expr:
        for one in given:
            if isinstance(one, Text) and find_dtype(one.value) is not None:
                return Call("cast", (value, one))
            if isinstance(one, Call) and one.op == "dtype":
                return value
            if isinstance(one, Name) and one.name not in ("dtype", "device"):
                return Call("cast", (value, one))
        return value

    def _function(self, node: ast.Call, path: str, operands: list[Expr], named: dict[str, Expr]) -> Expr:
        last = path.rsplit(".", 1)[-1].removeprefix("_foreach_")
        if (last in _SAME or path in ("list", "tuple")) and operands:
            return operands[0]
        if path == "range":
            last = "arange"
        if path in ("float", "int", "bool") and len(operands) == 1:
            return (
                operands[0]
                if path == "float"
                else Call("cast", (operands[0], Text(TORCH_METHODS["long" if path == "int" else path].name)))
            )
        if last in ("max", "min") and (len(operands) == 1 or "." in path or "dim" in named):
            return self._extreme(last, operands, named)
        function = find_function(last)
        if function is not None and "dtype" in named and "dtype" not in function.parameters:
            # The type of what is made; its values are exact in any.
            del named["dtype"]
        if function is None or (last.endswith("_") and not last.startswith("_")):
            raise self.fail(node, path, "no function of this name is known")
        if last in ("var", "std") and path.split(".")[0] in ("np", "numpy"):
            named.setdefault("correction", Number(0))
        if function.name in _LISTED and len(operands) > 2:
            operands = [operands[0], Call("tuple", tuple(operands[1:]))]
        return self._checked(node, function, operands, named, path)

    def _checked(
        self, node: ast.Call, function: Function, operands: list[Expr], named: dict[str, Expr], path: str
    ) -> Expr:
        try:
            return called(function, operands, named, (path, 0))
        except FormulaError as error:
            raise self.fail(node, path, error.found.reason) from error

    def _extreme(self, name: str, operands: list[Expr], named: dict[str, Expr]) -> Expr:
        """``max`` and ``min``: along an axis, of all elements, or of two tensors."""
        op = "amax" if name == "max" else "amin"
        if len(operands) > 1 and not (isinstance(operands[1], Number) and isinstance(operands[1].value, int)):
            return Call("maximum" if name == "max" else "minimum", tuple(operands[:2]))
        options = dict(zip(("dim", "keepdim"), operands[1:], strict=False)) | named
        return Call(op, tuple(operands[:1]), tuple(options.items()))

    def _comprehension(self, node: ast.ListComp) -> Expr:
        """A list of tensors that are all treated alike is read as one tensor."""
        if len(node.generators) != 1 or node.generators[0].ifs:
            raise self.fail(node, "for", "this loop is not understood")
        loop = node.generators[0]
        before = self._each(node, loop.target, loop.iter)
        value = self.expression(node.elt)
        self.latest = before
        return value


def _part(value: Expr, name: Expr, at: int) -> Expr:
    """One of several results: of ``max`` along an axis the values and their places."""
    if isinstance(value, Call) and value.op in ("amax", "amin"):
        return value if at == 0 else Call(value.op.replace("a", "arg", 1), value.args, value.options)
    return Call("item", (name, Number(at)))


def _is_logical(value: Expr) -> bool:
    return isinstance(value, Call) and value.op in LOGICAL


def _path(node: ast.expr) -> str:
    """``torch.nn.functional.silu`` as text; "" for what is no path of names."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        before = _path(node.value)
        return f"{before}.{node.attr}" if before else ""
    return ""
