"""Expressions in plain notation and in LaTeX: a Pratt parser over the words of ``tokens``.

It gives trees in which indices are still written: ``x_i`` is ``at(x, i)``, a sum with bounds a ``sum`` with an
``index``. ``indices`` turns these into operations on whole tensors.
"""

from __future__ import annotations

import math

from attrs import define

from kernelgen_ls.kernel.formula.functions import LOGICAL
from kernelgen_ls.kernel.formula.notation.applications import method, value_of_name
from kernelgen_ls.kernel.formula.notation.reader import COMPARED, SUMMED, Reader
from kernelgen_ls.kernel.formula.notation.signs import ACCENTS, BARS, DERIVATIVE, PREFIXES, group
from kernelgen_ls.kernel.formula.notation.subscripts import element, subscript
from kernelgen_ls.kernel.formula.tokens import FRACTIONS, Kind, Token
from kernelgen_ls.kernel.formula.tree import Call, Expr, FormulaError, Name, Number, Text, parts

_NOT, _PRODUCT, _UNARY, _POWER = 25, 60, 70, 80
_BINARY = {
    "or": (10, "logical_or"),
    "||": (10, "logical_or"),
    "and": (20, "logical_and"),
    "<": (COMPARED, "lt"),
    "<=": (COMPARED, "le"),
    ">": (COMPARED, "gt"),
    ">=": (COMPARED, "ge"),
    "==": (COMPARED, "eq"),
    "!=": (COMPARED, "ne"),
    "+": (SUMMED, "add"),
    "-": (SUMMED, "sub"),
    "*": (_PRODUCT, "mul"),
    "/": (_PRODUCT, "div"),
    "//": (_PRODUCT, "floordiv"),
    "%": (_PRODUCT, "remainder"),
    "\\bmod": (_PRODUCT, "remainder"),
    "@": (_PRODUCT, "matmul"),
    "^": (_POWER, "pow"),
}
_REFUSED = {
    "\\int": "an integral has no value that can be computed here",
    "\\partial": DERIVATIVE,
    "\\nabla": DERIVATIVE,
    "...": "what the dots stand for is not said",
}


@define
class Parser(Reader):
    """A Pratt parser: each operator has a power, and an operand ends where one with less follows."""

    def expression(self, power: int = 0) -> Expr:
        """Read an expression whose operators bind more than ``power``."""
        left = self._prefix()
        divided = False
        while True:
            token = self.token
            if token.isa("?") and power == 0:
                left = self._ternary(left)
            elif token.kind is Kind.NAME and token.text == "if" and power == 0 and not self.conditions:
                left = self._conditional(left)
            elif token.kind is Kind.NAME and token.text == "is" and power < COMPARED:
                left = self._state(left)
            elif token.isa("=") and self.conditions and power < COMPARED:
                self.take()
                left = Call("eq", (left, self.expression(COMPARED)))
            elif token.isa("\\over") and power == 0:
                self.take()
                left = Call("div", (left, self.expression()))
            elif token.kind is Kind.SIGN and token.text in _BINARY:
                binds, op = _BINARY[token.text]
                if binds <= power and not (binds == _POWER and power == _POWER):
                    return left
                left = self._binary(left, binds, op)
                divided = op == "div"
            elif power < _PRODUCT and self._multiplies():
                if divided and not token.isa("(", "{", *FRACTIONS):
                    raise self.fail("write `*` or parentheses: what this belongs to is not clear after a `/`")
                before = self.tokens[self.at - 1]
                left = _product(left, self.expression(_PRODUCT), before)
            else:
                return left

    def _binary(self, left: Expr, binds: int, op: str) -> Expr:
        self.take()
        if binds == _POWER:
            return self._raised(left)
        right = self.expression(binds)
        value = Call(op, (left, right))
        # `0 < x < 1` compares twice.
        while binds == COMPARED and (more := _BINARY.get(self.token.text)) and more[0] == COMPARED:
            self.take()
            last, right = right, self.expression(binds)
            value = Call("logical_and", (value, Call(more[1], (last, right))))
        return value

    def _raised(self, left: Expr) -> Expr:
        token = self.token
        exponent = self.argument() if token.latex else self.expression(_POWER - 1)
        if isinstance(exponent, Name) and exponent.name in ("T", "mathsf") and "T" not in self.known:
            return Call("transpose", (left,))
        if left == Number(math.e) or (left == Name("e") and "e" not in self.known):
            return Call("exp", (exponent,))
        return Call("pow", (left, exponent))

    def _conditional(self, value: Expr) -> Expr:
        self.take()
        self.conditions += 1
        condition = self.expression()
        self.conditions -= 1
        if self.token.text not in ("else", "otherwise"):
            raise self.fail("what it is else is not said")
        self.take()
        return Call("where", (condition, value, self.expression()))

    def _ternary(self, condition: Expr) -> Expr:
        """``x > 0 ? x : 0`` as C has it."""
        self.take()
        value = self.expression()
        self.expect(":")
        return Call("where", (condition, value, self.expression()))

    def _state(self, left: Expr) -> Expr:
        self.take()
        negated = self.token.isa("not") and bool(self.take())
        value = Call(self.state(), (left,))
        return Call("logical_not", (value,)) if negated else value

    def _multiplies(self) -> bool:
        """Whether the next word begins a factor that is multiplied without a sign."""
        token, before = self.token, self.tokens[self.at - 1]
        if token.isa("|"):
            return not self.bars and (token.latex or not token.spaced)
        if token.latex or before.latex:
            if token.kind is Kind.NAME:
                return token.text not in ("if", "otherwise", "else", "for", "or", "and", "where", "with", "is", "when")
            begins = (
                *FRACTIONS,
                *ACCENTS,
                *BARS,
                "(",
                "[",
                "{",
                "\\sqrt",
                "\\sum",
                "\\lfloor",
                "\\lceil",
                "\\begin cases",
            )
            return token.isa(*begins) or token.kind is Kind.NUMBER
        if token.spaced:
            return False
        if before.kind is Kind.NUMBER:
            return token.kind is Kind.NAME or token.isa("(")
        return before.isa(")") and (token.isa("(") or token.kind is Kind.NAME)

    def _prefix(self) -> Expr:
        token = self.take()
        if token.kind is Kind.NUMBER:
            return _number(token.text)
        if token.kind is Kind.TEXT:
            return Text(token.text)
        if token.kind is Kind.NAME:
            return self._postfix(value_of_name(self, token))
        if token.kind is not Kind.SIGN:
            raise self.fail("a value is expected here", token)
        if token.text == "-":
            value = self.expression(_UNARY)
            return Number(-value.value) if isinstance(value, Number) else Call("neg", (value,))
        if token.text == "+":
            return self.expression(_UNARY)
        if token.text == "~":
            return _inverted(self.expression(_UNARY))
        if token.text in ("not", "!"):
            return Call("logical_not", (self.expression(_NOT if token.text == "not" else _UNARY),))
        handler = PREFIXES.get(token.text)
        if handler is not None:
            return self._postfix(handler(self, token))
        raise self.fail(_REFUSED.get(token.text, "a value is expected here"), token)

    def argument(self) -> Expr:
        """What a command takes: a group in braces, or one word."""
        token = self.token
        if token.isa("{"):
            self.take()
            return group(self, token)
        if token.isa("-"):
            self.take()
            return Call("neg", (self.argument(),))
        if token.kind is Kind.NUMBER and token.latex and len(token.text) > 1 and token.text.isdigit():
            # `\frac12` and `x^23` take one digit each.
            self.take()
            self.tokens.insert(self.at, Token(Kind.NUMBER, token.text[1:], token.start + 1, True, False))
            return _number(token.text[0])
        if token.kind is Kind.NAME:
            return value_of_name(self, self.take())
        return self._prefix()

    def atom(self) -> Expr:
        """What a function takes that is written without parentheses: one factor, with its indices and power."""
        value = self._prefix()
        while self.token.isa("^"):
            self.take()
            value = self._raised(value)
        return value

    def _postfix(self, value: Expr) -> Expr:
        while True:
            token = self.token
            if token.isa("_") and token.latex:
                value = subscript(self, value)
            elif token.isa("(") and isinstance(value, Name) and value.name not in self.known:
                raise FormulaError(
                    value.name, "no function of this name is known", self.seen.get(value.name, token.start)
                )
            elif token.isa("[") and _has_elements(value, token):
                value = element(self, value)
            elif token.isa(".") and self.following.kind is Kind.NAME and not self.following.spaced:
                value = method(self, value)
            else:
                return value


def _has_elements(value: Expr, bracket: Token) -> bool:
    """Whether a bracket behind a value picks elements of it: in LaTeX it is a parenthesis behind all but a name."""
    if bracket.latex:
        return isinstance(value, Name) or (isinstance(value, Call) and value.op == "at")
    return not bracket.spaced


def _inverted(value: Expr) -> Expr:
    is_truth = isinstance(value, Call) and value.op in LOGICAL
    return Call("logical_not" if is_truth else "invert", (value,))


def _product(left: Expr, right: Expr, token: Token) -> Expr:
    """A product without a sign: of matrices, where one is transposed."""
    if isinstance(right, Call) and right.op == "tuple":
        raise FormulaError(token.text, "it stands before a list: no function of this name is known", token.start)
    transposes = any(isinstance(part, Call) and part.op == "transpose" for one in (left, right) for part in parts(one))
    if transposes and not isinstance(left, Number):
        return Call("matmul", (left, right))
    return Call("mul", (left, right))


def _number(text: str) -> Number:
    text = text.rstrip("fF")
    # More digits than any float has are no count of anything.
    return Number(int(text)) if text.isdigit() and len(text) < 300 else Number(float(text))
