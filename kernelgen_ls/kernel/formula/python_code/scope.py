"""What the variables of a piece of Python hold, and what reading statements and expressions shares."""

from __future__ import annotations

import ast

from attrs import define, field

from kernelgen_ls.kernel.formula.functions import LOGICAL
from kernelgen_ls.kernel.formula.tree import Assignment, Call, Expr, FormulaError, Name, Number

MODULES = frozenset(("torch", "np", "numpy", "F", "nn", "math", "functional", "jnp", "jax", "lax"))
OPERATORS: dict[type, str] = {
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
_MOST_AGAIN = 500
BITS = (ast.BitAnd, ast.BitOr, ast.BitXor)


@define
class Scope:
    """The values given so far; ``latest`` is the name that each variable's value has now."""

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
    again: int = 0
    """How often statements were read that may be read more than once: behind a condition, in a function."""

    def read_again(self, node: ast.AST) -> None:
        """Count statements that may be read once more.

        Raises ``FormulaError`` where ways multiply: ten conditions one behind the other have a thousand.
        """
        self.again += 1
        if self.again > _MOST_AGAIN:
            raise self.fail(node, "", "its conditions and calls have too many ways")

    def fail(self, node: ast.AST, word: str, reason: str) -> FormulaError:
        """The error that the understanding ends at a node."""
        lines = self.text.splitlines(keepends=True)
        row, column = getattr(node, "lineno", 1) - 1, getattr(node, "col_offset", 0)
        before = sum(len(line) for line in lines[:row])
        inside = lines[row].encode()[:column].decode(errors="ignore") if row < len(lines) else ""
        return FormulaError(word, reason, before + len(inside))

    def give(self, name: str, value: Expr) -> str:
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
        return self.give("out" if count == 1 else f"out{at + 1}", value)


def part_of(value: Expr, name: Expr, at: int) -> Expr:
    """One of several results: of ``max`` along an axis the values and their places."""
    if isinstance(value, Call) and value.op in ("amax", "amin"):
        return value if at == 0 else Call(value.op.replace("a", "arg", 1), value.args, value.options)
    return Call("item", (name, Number(at)))


def is_logical(value: Expr) -> bool:
    """Whether it is a truth value whatever it is computed of."""
    return isinstance(value, Call) and value.op in LOGICAL


def dotted(node: ast.expr) -> str:
    """``torch.nn.functional.silu`` as text; "" for what is no path of names."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        before = dotted(node.value)
        return f"{before}.{node.attr}" if before else ""
    return ""
