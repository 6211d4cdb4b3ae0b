"""Functions that are defined piecewise: a value for each condition, and one for the rest."""

from __future__ import annotations

from kernelgen_ls.kernel.formula.functions import LOGICAL
from kernelgen_ls.kernel.formula.notation.reader import COMPARED, Reader
from kernelgen_ls.kernel.formula.tokens import Kind, Token
from kernelgen_ls.kernel.formula.tree import Call, Expr

_ENDS = ("cases", "aligned", "array", "matrix", "bmatrix", "pmatrix")


def system(reader: Reader, token: Token) -> Expr:
    r"""Cases behind ``\{`` whatever environment holds them."""
    if not any(reader.token.isa(f"\\begin {name}") for name in _ENDS):
        raise reader.fail("a list of cases is expected behind the brace")
    return cases(reader, reader.take())


def cases(reader: Reader, token: Token) -> Expr:
    """The cases of an environment, each with its condition."""
    environment = token.text.removeprefix("\\begin ")
    end = f"\\end {environment}"
    rows: list[tuple[Expr, Expr | None]] = []
    while not reader.token.isa(end):
        rows.append(_case(reader))
        while reader.token.kind is Kind.BREAK:
            reader.take()
    reader.expect(end)
    if reader.token.isa("\\}"):
        reader.take()
    if not rows:
        raise reader.fail("there is no case", token)
    *before, (value, condition) = rows
    if condition is not None:
        reader.assumptions.append("the last case taken for the rest")
    for earlier, when in reversed(before):
        if when is None:
            raise reader.fail("a case without its condition", token)
        value = Call("where", (when, earlier, value))
    return value


def _case(reader: Reader) -> tuple[Expr, Expr | None]:
    """One row of cases: its value and when it holds; None for the rest."""
    value = reader.expression()
    reader.skip(",", "&", "\\quad", ".")
    if reader.token.text in ("if", "when", "for", "where", "其他"):
        reader.take()
        reader.skip("&", "\\quad", ",")
    if reader.token.kind is Kind.BREAK or reader.token.text.startswith("\\end "):
        return value, None
    if reader.token.text in ("otherwise", "else", "Otherwise"):
        reader.take()
        reader.skip(".", ",")
        return value, None
    if reader.token.text == "any":
        reader.take()
        reader.conditions += 1
        condition: Expr = Call("any", (_alternatives(reader),))
    else:
        reader.conditions += 1
        start = reader.token
        condition = reader.expression()
        if isinstance(condition, Call) and condition.op not in (*LOGICAL, "at"):
            raise reader.fail("a condition is expected here", start)
    reader.conditions -= 1
    reader.skip(".", ",", "\\quad")
    return value, condition


def _alternatives(reader: Reader) -> Expr:
    r"""``x is \pm\infty or NaN``: what one value may be."""
    value = reader.expression(COMPARED)
    if reader.token.text != "is":
        raise reader.fail("a condition is expected here")
    reader.take()
    if reader.token.isa("\\pm"):
        reader.take()
    states = []
    while True:
        states.append(Call(reader.state(), (value,)))
        if not reader.token.isa("or"):
            break
        reader.take()
    result: Expr = states[0]
    for state in states[1:]:
        result = Call("logical_or", (result, state))
    return result
