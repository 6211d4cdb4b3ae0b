"""A formula in plain notation, with the fewest parentheses: what was understood, to be shown and to be read again."""

from __future__ import annotations

import math

from kernelgen_ls.kernel.formula.tree import Call, Expr, Formula, Name, Number, Text

_BINARY = {
    "logical_or": ("or", 10),
    "logical_and": ("and", 20),
    "lt": ("<", 30),
    "le": ("<=", 30),
    "gt": (">", 30),
    "ge": (">=", 30),
    "eq": ("==", 30),
    "ne": ("!=", 30),
    "add": ("+", 50),
    "sub": ("-", 50),
    "mul": ("*", 60),
    "div": ("/", 60),
    "floordiv": ("//", 60),
    "remainder": ("%", 60),
    "matmul": ("@", 60),
    "pow": ("^", 80),
}
_ATOM = 100


def written(formula: Formula) -> str:
    """The formula's lines, one an assignment."""
    return "\n".join(f"{one.name} = {expression(one.value)}" for one in formula.assignments)


def expression(expr: Expr) -> str:
    """One tree in plain notation."""
    return _written(expr)[0]


def _written(expr: Expr) -> tuple[str, int]:
    """The text, and how tightly its outermost operator binds."""
    if isinstance(expr, Number):
        return _number(expr.value)
    if isinstance(expr, Text):
        return (f'"{expr.value}"' if expr.value else "None"), _ATOM
    if isinstance(expr, Name):
        return expr.name, _ATOM
    if expr.op in _BINARY and len(expr.args) == 2 and not expr.options:
        sign, binds = _BINARY[expr.op]
        # A comparison beside a comparison would be read as a chain, a power groups to the right.
        left = _within(expr.args[0], binds + (binds in (30, 80)))
        right = _within(expr.args[1], binds + (binds != 80))
        return f"{left} {sign} {right}", binds
    if expr.op == "neg":
        return f"-{_within(expr.args[0], 71)}", 70
    if expr.op == "logical_not":
        return f"not {_within(expr.args[0], 26)}", 25
    if expr.op == "tuple":
        return f"[{', '.join(expression(arg) for arg in expr.args)}]", _ATOM
    if expr.op == "item":
        base, *places = expr.args
        return f"{_within(base, _ATOM)}[{', '.join(_place(place) for place in places)}]", _ATOM
    given = [expression(arg) for arg in expr.args] + [f"{name}={expression(value)}" for name, value in expr.options]
    return f"{expr.op}({', '.join(given)})", _ATOM


def _within(expr: Expr, binds: int) -> str:
    text, own = _written(expr)
    return f"({text})" if own < binds else text


def _number(value: float | int | bool) -> tuple[str, int]:
    if isinstance(value, float) and not math.isfinite(value):
        return ("nan", _ATOM) if math.isnan(value) else ("inf", _ATOM) if value > 0 else ("-inf", 70)
    return str(value), _ATOM if isinstance(value, bool) or value >= 0 else 70


def _place(place: Expr) -> str:
    if isinstance(place, Text):
        return place.value or "None"
    if isinstance(place, Call) and place.op == "range":
        return ":".join("" if isinstance(part, Text) else expression(part) for part in place.args)
    return expression(place)
