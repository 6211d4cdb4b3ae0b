"""What begins with a name: a function with what it is applied to, a constant, a variable."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from kernelgen_ls.kernel.dtypes import find_dtype
from kernelgen_ls.kernel.formula.calls import called, reduction
from kernelgen_ls.kernel.formula.functions import FUNCTIONS, OPTIONS, Function, find_function
from kernelgen_ls.kernel.formula.notation.binders import bounds
from kernelgen_ls.kernel.formula.notation.reader import SUMMED, Reader
from kernelgen_ls.kernel.formula.tokens import FRACTIONS, Kind, Token
from kernelgen_ls.kernel.formula.tree import Call, Expr, FormulaError, Name, Number, Text

_CONSTANTS: Mapping[str, Expr] = {
    "pi": Number(math.pi),
    "inf": Number(math.inf),
    "nan": Number(math.nan),
    "NaN": Number(math.nan),
    "True": Number(True),
    "False": Number(False),
    "true": Number(True),
    "false": Number(False),
    "None": Text(""),
}
_MODULES = frozenset(("torch", "np", "numpy", "F", "nn", "math", "functional", "special", "linalg"))
_INVERSE = {
    "sin": "asin",
    "cos": "acos",
    "tan": "atan",
    "sinh": "asinh",
    "cosh": "acosh",
    "tanh": "atanh",
    "exp": "log",
    "log": "exp",
}
_BINDER = re.compile(r"(?P<name>sum|prod|max|min|mean)_(?P<index>[b-dg-tz])")
"""A sum as plain text has it: ``sum_k``."""
_PROBABLE = {"sigma": "sigmoid", "Phi": "ndtr"}
"""What a Greek letter before a parenthesis is: the logistic function, the normal distribution's."""
_MATHEMATICAL = {"E": "mean", "Mean": "mean", "Var": "var", "Avg": "mean", "RMS": "rms"}
"""What stands before brackets as well as before parentheses; of these a variance is one of all elements."""
_OPERANDS = Function("tuple", (), 0, many=True)


def value_of_name(reader: Reader, token: Token) -> Expr:
    """What a name that was read means with what follows it: a call, a constant, a variable."""
    text = token.text
    if text in _MODULES and reader.token.isa(".") and text not in reader.known:
        return _module(reader, token)
    if text == "d" and reader.token.kind is Kind.NAME and text not in reader.known:
        joined = f"d{reader.token.text}"
        if joined in reader.known or (reader.is_open and not reader.token.spaced):
            reader.take()
            return reader.named(joined, token)
    if text in _PROBABLE and text not in reader.known and token.latex and reader.token.isa("("):
        return call(reader, FUNCTIONS[_PROBABLE[text]], token)
    if (element := _BINDER.fullmatch(text)) and text not in reader.known:
        options = (("index", Text(element.group("index"))),)
        return Call(reduction(element.group("name")), (reader.expression(SUMMED),), options)
    if find_dtype(text) is not None and text not in reader.known and reader.token.isa("("):
        reader.take()
        value = reader.expression()
        reader.expect(")")
        return Call("cast", (value, Text(text)))
    if text in _MATHEMATICAL and text not in reader.known and reader.token.isa("(", "["):
        return _mathematical(reader, token)
    function = find_function(text)
    if function is not None and (text not in reader.known or reader.token.isa("(")) and _is_called(reader, token):
        return call(reader, function, token)
    if text in reader.known:
        return reader.named(text, token)
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if text == "e" and reader.token.isa("^"):
        return Number(math.e)
    if reader.token.isa("(") and not reader.token.spaced and not (token.latex and reader.is_open and len(text) == 1):
        raise reader.fail("no function of this name is known", token)
    if token.latex and len(text) > 1 and all(letter in reader.known for letter in text):
        letters = [Token(Kind.NAME, letter, token.start, True, False) for letter in text[1:]]
        reader.tokens[reader.at : reader.at] = letters
        return reader.named(text[0], token)
    return reader.named(text, token)


def _is_called(reader: Reader, token: Token) -> bool:
    """Whether a function's name stands for the function: its operand follows."""
    if reader.token.isa("(") or (token.latex and reader.token.isa("^", "_", "{", "|", "[")):
        return True
    return token.latex and (
        reader.token.kind in (Kind.NAME, Kind.NUMBER) or reader.token.isa(*FRACTIONS, "\\sqrt", "\\sum")
    )


def _module(reader: Reader, token: Token) -> Expr:
    path = token.text
    while reader.token.isa("."):
        reader.take()
        path += f".{reader.take().text}"
    last = path.rsplit(".", 1)[-1]
    if last in _CONSTANTS:
        return _CONSTANTS[last]
    if last == "e":
        return Number(math.e)
    if find_dtype(last) is not None and not reader.token.isa("("):
        return Text(last)
    function = find_function(path)
    if function is None:
        raise FormulaError(path, "no function of this name is known", token.start)
    return call(reader, function, Token(Kind.NAME, path, token.start, token.latex, token.spaced))


def _mathematical(reader: Reader, token: Token) -> Expr:
    closing = ")" if reader.take().text == "(" else "]"
    value = reader.expression()
    options: dict[str, Expr] = {}
    while reader.token.isa(","):
        reader.take()
        _option(reader, options)
    reader.expect(closing)
    op = _MATHEMATICAL[token.text]
    if op == "rms":
        return Call("sqrt", (Call("mean", (Call("square", (value,)),), tuple(options.items())),))
    if op == "var":
        options.setdefault("correction", Number(0))
    return Call(op, (value,), tuple(options.items()))


def call(reader: Reader, function: Function, token: Token) -> Expr:
    """A function that was read, of what follows it."""
    exponent: Expr | None = None
    if reader.token.isa("^") and token.latex:
        reader.take()
        exponent = reader.argument()
        if exponent == Call("neg", (Number(1),)) or exponent == Number(-1):
            inverse = _INVERSE.get(function.name)
            if inverse is None:
                raise reader.fail("what this function's inverse is is not known", token)
            function, exponent = find_function(inverse) or function, None
    if reader.token.isa("_") and token.latex:
        value = _subscripted(reader, function, token)
    elif reader.token.isa("("):
        reader.take()
        value = _arguments(reader, function, token)
    elif token.latex:
        value = called(function, [reader.atom()], {}, (token.text, token.start))
    else:
        raise reader.fail("its operand must stand in parentheses", token)
    return Call("pow", (value, exponent)) if exponent is not None else value


def _subscripted(reader: Reader, function: Function, token: Token) -> Expr:
    r"""``\log_2 x`` and ``\max_j x_j``."""
    if function.name == "log":
        reader.take()
        if reader.token.text == "e" and "e" not in reader.known:
            reader.take()
            return Call("log", (reader.atom(),))
        value = reader.argument()
        argument = reader.atom()
        if value == Name("e"):
            return Call("log", (argument,))
        if value in (Number(2), Number(10)):
            return Call(f"log{value.value}" if isinstance(value, Number) else "log", (argument,))
        return Call("div", (Call("log", (argument,)), Call("log", (value,))))
    if function.reduces or function.many:
        options = bounds(reader)
        return Call(reduction(function.name), (reader.atom(),), tuple(options.items()))
    raise reader.fail("what this function's index means is not known")


def _arguments(reader: Reader, function: Function, token: Token) -> Expr:
    operands: list[Expr] = []
    options: dict[str, Expr] = {}
    conditions, reader.conditions = reader.conditions, 0
    while not reader.token.isa(")"):
        if reader.token.kind is Kind.NAME and reader.following.isa("="):
            _option(reader, options)
        else:
            operands.append(reader.expression())
        while reader.token.kind is Kind.BREAK:
            reader.take()
        if not reader.token.isa(")"):
            reader.expect(",")
    reader.take()
    reader.conditions = conditions
    return called(function, operands, options, (token.text, token.start))


def _option(reader: Reader, options: dict[str, Expr]) -> None:
    name = reader.take()
    reader.expect("=")
    key = OPTIONS.get(name.text, name.text)
    options[key] = reader.expression()


def method(reader: Reader, value: Expr) -> Expr:
    """What is called behind a value and a point: ``x.sum(-1)``, ``x.T``."""
    reader.take()
    token = reader.take()
    if token.text in ("T", "mT"):
        return Call("transpose", (value,))
    if token.text in ("values", "indices"):
        return value
    function = find_function(token.text)
    if function is None or not reader.token.isa("("):
        raise reader.fail("no function of this name is known", token)
    reader.take()
    given = _arguments(reader, _OPERANDS, token)
    assert isinstance(given, Call)
    return called(function, [value, *given.args], dict(given.options), (token.text, token.start))
