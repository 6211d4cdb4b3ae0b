"""What begins with a sign: brackets of every kind, fractions, roots, and signs above a name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from kernelgen_ls.kernel.dtypes import find_dtype
from kernelgen_ls.kernel.formula.calls import called
from kernelgen_ls.kernel.formula.functions import find_function
from kernelgen_ls.kernel.formula.notation.applications import call
from kernelgen_ls.kernel.formula.notation.binders import over_index, summed
from kernelgen_ls.kernel.formula.notation.piecewise import cases, system
from kernelgen_ls.kernel.formula.notation.reader import Reader
from kernelgen_ls.kernel.formula.tokens import FRACTIONS, Kind, Token
from kernelgen_ls.kernel.formula.tree import Call, Expr, Name, Number, Text

ACCENTS = {"\\hat": "hat", "\\widehat": "hat", "\\tilde": "tilde", "\\widetilde": "tilde", "\\dot": "dot"}
BARS = ("\\bar", "\\overline")
DERIVATIVE = "a derivative is no formula of the inputs"


def _parentheses(reader: Reader, token: Token) -> Expr:
    conditions, reader.conditions = reader.conditions, min(reader.conditions, 1)
    value = reader.expression()
    if reader.token.isa(","):
        items = [value]
        while reader.token.isa(","):
            reader.take()
            if reader.token.isa(")"):
                break
            items.append(reader.expression())
        value = Call("tuple", tuple(items))
    reader.expect(")")
    reader.conditions = conditions
    return _converted(reader, value)


def _converted(reader: Reader, value: Expr) -> Expr:
    """``(float)x`` as C has it; other parentheses are what stands in them."""
    dtype = find_dtype(value.name) if isinstance(value, Name) and value.name not in reader.known else None
    if dtype is None or not (reader.token.kind in (Kind.NAME, Kind.NUMBER) or reader.token.isa("(")):
        return value
    return Call("cast", (reader.atom(), Text(dtype.name)))


def _listed(reader: Reader, token: Token) -> Expr:
    items = []
    while not reader.token.isa("]"):
        items.append(reader.expression())
        if not reader.token.isa("]"):
            reader.expect(",")
    reader.expect("]")
    if token.latex and len(items) == 1:
        # Mathematics has several kinds of parentheses.
        return items[0]
    return Call("tuple", tuple(items))


def group(reader: Reader, token: Token) -> Expr:
    """What stands in braces behind the one that was read."""
    function = find_function(reader.token.text) if reader.token.kind is Kind.NAME else None
    if function is not None and reader.following.isa("}"):
        following = reader.tokens[min(reader.at + 2, len(reader.tokens) - 1)]
        if following.isa("(", "{") and reader.token.text not in reader.known:
            # `{sinh}{(x)}` is `sinh(x)`.
            name = reader.take()
            reader.take()
            return (
                call(reader, function, name)
                if following.isa("(")
                else called(function, [reader.argument()], {}, (name.text, name.start))
            )
    value = reader.expression()
    reader.expect("}")
    return value


def _fraction(reader: Reader, token: Token) -> Expr:
    if reader.token.isa("{") and any(word.isa("\\partial") for word in reader.tokens[reader.at : reader.at + 3]):
        raise reader.fail(DERIVATIVE, reader.tokens[reader.at + 1])
    above = reader.argument()
    return Call("div", (above, reader.argument()))


def _root(reader: Reader, token: Token) -> Expr:
    if reader.token.isa("[") and token.latex:
        reader.take()
        degree = reader.expression()
        reader.expect("]")
        return Call("pow", (reader.argument(), Call("div", (Number(1), degree))))
    return Call("sqrt", (reader.argument(),))


def _absolute(reader: Reader, token: Token) -> Expr:
    reader.bars += 1
    value = reader.expression()
    reader.bars -= 1
    reader.expect("|")
    return Call("abs", (value,))


def _norm(reader: Reader, token: Token) -> Expr:
    value = reader.expression()
    reader.expect("\\|")
    order: Expr = Number(2)
    if reader.token.isa("_"):
        reader.take()
        order = reader.argument()
    return Call("norm", (value,), (("ord", order),))


def _floor(reader: Reader, token: Token) -> Expr:
    value = reader.expression()
    if reader.token.isa("\\rceil"):
        reader.take()
        return Call("round", (value,))
    reader.expect("\\rfloor")
    return Call("floor", (value,))


def _ceiling(reader: Reader, token: Token) -> Expr:
    value = reader.expression()
    reader.expect("\\rceil")
    return Call("ceil", (value,))


def _accent(reader: Reader, token: Token) -> Expr:
    word = reader.argument()
    if not isinstance(word, Name):
        raise reader.fail("only a name can have this sign above it", token)
    return reader.named(f"{word.name}_{ACCENTS[token.text]}", token)


def _bar(reader: Reader, token: Token) -> Expr:
    word = reader.argument()
    if isinstance(word, Name) and f"{word.name}_bar" in reader.known:
        return reader.named(f"{word.name}_bar", token)
    return Call("mean", (word,))


PREFIXES: Mapping[str, Callable[[Reader, Token], Expr]] = {
    "(": _parentheses,
    "[": _listed,
    "{": group,
    "|": _absolute,
    "\\|": _norm,
    **dict.fromkeys(FRACTIONS, _fraction),
    "\\sqrt": _root,
    "\\sum": summed,
    "\\prod": summed,
    "\\lfloor": _floor,
    "\\lceil": _ceiling,
    **dict.fromkeys(ACCENTS, _accent),
    **dict.fromkeys(BARS, _bar),
    "\\underset": over_index,
    "\\{": system,
    "\\begin cases": cases,
}
"""What reads on behind each sign that begins a value; it is given the sign."""
