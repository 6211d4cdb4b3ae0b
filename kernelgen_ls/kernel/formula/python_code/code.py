"""Reference code in Python as a formula: a small dialect of torch and numpy, read by ``ast`` and never executed.

Understood are assignments, ``return``, ``if`` (its value is chosen when the formula is evaluated) and calls of what
``functions`` has, as functions and as methods, in a function, in the ``forward`` of a class, or alone. Everything else
ends the understanding at its name. Reductions mean what PyTorch (and behind ``np.`` numpy) means by them.
"""

from __future__ import annotations

import ast
import re

from attrs import frozen

from kernelgen_ls.kernel.formula.python_code.simplified import simplified
from kernelgen_ls.kernel.formula.python_code.statements import Statements
from kernelgen_ls.kernel.formula.tree import Assignment, Call, Expr, FormulaError, names_in

_CODE = re.compile(r"^[ \t]*(?:def \w+\(|class \w+|import \w+|from \S+ import|return\b)", re.MULTILINE)


@frozen
class Code:
    """What a piece of Python computes: assignments in order, each name given once, and what it returns."""

    assignments: tuple[Assignment, ...]
    outputs: tuple[str, ...]
    parameters: tuple[str, ...]
    defaults: tuple[tuple[str, Expr], ...]


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
    module = simplified(module)
    function = _function(module)
    reader = Statements(text, {one.name: one for one in ast.walk(module) if isinstance(one, ast.FunctionDef)})
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


def _parameters(function: ast.FunctionDef, reader: Statements) -> tuple[tuple[str, ...], tuple[tuple[str, Expr], ...]]:
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
