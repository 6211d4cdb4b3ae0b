"""Statements in Python as assignments: each name is given once, whatever its variable becomes later."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from attrs import define

from kernelgen_ls.kernel.formula.python_code.expressions import Expressions
from kernelgen_ls.kernel.formula.python_code.scope import BITS, OPERATORS, part_of
from kernelgen_ls.kernel.formula.tree import Call, Expr, Name


@define
class Statements(Expressions):
    """Reads statements in the order in which they run."""

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
            op = OPERATORS.get(type(statement.op))
            if op is None or isinstance(statement.op, BITS):
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
        outside = self.each(loop, loop.target, loop.iter)
        inside = {one.id for one in ast.walk(loop.target) if isinstance(one, ast.Name)}
        returned = self.block(before)
        if returned is not None or any(self.latest[one] != outside[one] for one in outside if one not in inside):
            raise self.fail(loop, "for", "what a loop carries from one tensor to the next is not understood")
        value = self.expression(call.args[0])
        self.latest = outside
        assert isinstance(call.func, ast.Attribute)
        self._assign(call.func.value, value)

    def _assign(self, target: ast.expr, value: Expr) -> None:
        if isinstance(target, ast.Name):
            self.latest[target.id] = self.give(target.id, value)
        elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self":
            self.latest[target.attr] = self.give(target.attr, value)
        elif isinstance(target, ast.Tuple | ast.List):
            whole = value if isinstance(value, Call) and value.op == "tuple" else None
            if whole is None:
                name = Name(self.give("parts", value))
            for at, one in enumerate(target.elts):
                self._assign(one, whole.args[at] if whole is not None else part_of(value, name, at))
        elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
            places = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
            items = tuple(self.place(place) for place in places)
            self._assign(target.value, Call("replaced", (self.expression(target.value), value, *items)))
        else:
            raise self.fail(target, ast.unparse(target)[:40], "this assignment is not understood")

    def _if(self, statement: ast.If, rest: Sequence[ast.stmt]) -> Expr | None:
        if isinstance(statement.body[-1], ast.Raise):
            # What is refused is no value.
            return self.block([*statement.orelse, *rest])
        self.read_again(statement)
        condition = self.expression(statement.test)
        before = dict(self.latest)
        then = self.block([*statement.body, *rest])
        after, self.latest = self.latest, dict(before)
        other = self.block([*statement.orelse, *rest])
        if then is None and other is None:
            for name in dict.fromkeys((*after, *self.latest)):
                one, two = after.get(name), self.latest.get(name)
                if one != two and one is not None and two is not None:
                    self.latest[name] = self.give(name, Call("choose", (condition, Name(one), Name(two))))
            return None
        if then is None or other is None:
            raise self.fail(statement, "if", "only one of its ways returns a value")
        if _count(then) != _count(other):
            raise self.fail(statement, "if", "its ways return different numbers of values")
        if isinstance(then, Call) and isinstance(other, Call) and then.op == other.op == "tuple":
            pairs = zip(then.args, other.args, strict=True)
            return Call("tuple", tuple(Call("choose", (condition, one, two)) for one, two in pairs))
        return Call("choose", (condition, then, other))


def _count(returned: Expr) -> int:
    """How many values are returned; 0 for one that is not a list."""
    return len(returned.args) if isinstance(returned, Call) and returned.op == "tuple" else 0
