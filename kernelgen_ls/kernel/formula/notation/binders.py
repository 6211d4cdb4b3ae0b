"""What goes over an index: sums and products with bounds, and functions with an index below."""

from __future__ import annotations

from kernelgen_ls.kernel.formula.calls import reduction
from kernelgen_ls.kernel.formula.functions import find_function
from kernelgen_ls.kernel.formula.notation.reader import SUMMED, Reader, is_index
from kernelgen_ls.kernel.formula.tokens import Kind, Token
from kernelgen_ls.kernel.formula.tree import Call, Expr, Text, parts


def summed(reader: Reader, token: Token) -> Expr:
    r"""``\sum_{i=1}^{N}`` and what it sums: the product that follows."""
    options = bounds(reader)
    return Call(token.text[1:], (reader.expression(SUMMED),), tuple(options.items()))


def bounds(reader: Reader) -> dict[str, Expr]:
    """What stands below and above a sign: the index, where it starts and ends, as options of the call."""
    options: dict[str, Expr] = {}
    while reader.token.isa("_", "^"):
        if reader.take().text == "^":
            options["end"] = reader.argument()
            if any(isinstance(part, Call) and part.op == "at" for part in parts(options["end"])):
                raise reader.fail("its bounds hang on another index", reader.tokens[reader.at - 1])
            continue
        braced = reader.token.isa("{") and bool(reader.take())
        index = reader.take()
        if index.kind is not Kind.NAME:
            raise reader.fail("the index of the sum is expected here", index)
        if not is_index(index.text):
            raise reader.fail("over what this goes is not clear", index)
        options["index"] = Text(index.text)
        if braced and reader.token.isa("="):
            reader.take()
            options["start"] = reader.expression()
        if braced:
            if not reader.token.isa("}"):
                raise reader.fail("over what this goes is not clear")
            reader.take()
    return options


def over_index(reader: Reader, token: Token) -> Expr:
    r"""``\underset{i}{max} x_i``: a function with its index below."""
    depth, start = 0, reader.at
    reader.expect("{")
    while depth >= 0:
        sign = reader.take()
        depth += sign.isa("{") - sign.isa("}")
        if sign.kind is Kind.END:
            raise reader.fail("the brace is never closed", token)
    below = reader.tokens[start + 1 : reader.at - 1]
    braced = reader.token.isa("{") and bool(reader.take())
    name = reader.take()
    if braced:
        reader.expect("}")
    index = next((word for word in below if word.kind is Kind.NAME and is_index(word.text)), None)
    if index is None or find_function(name.text) is None:
        raise reader.fail("what stands below is not understood", name)
    options = (("index", Text(index.text)),)
    return Call(reduction(name.text), (reader.atom(),), options)
