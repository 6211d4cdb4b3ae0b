"""Expressions in plain notation and in LaTeX: a Pratt parser over the words of ``tokens``.

It gives trees in which indices are still written: ``x_i`` is ``at(x, i)``, a sum with bounds a ``sum`` with an
``index``. ``indices`` turns these into operations on whole tensors.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping

from attrs import define, field

from kernelgen_ls.kernel.dtypes import find_dtype
from kernelgen_ls.kernel.formula.calls import called, reduction
from kernelgen_ls.kernel.formula.functions import FUNCTIONS, LOGICAL, OPTIONS, Function, find_function
from kernelgen_ls.kernel.formula.tokens import Kind, Token
from kernelgen_ls.kernel.formula.tree import Call, Expr, FormulaError, Name, Number, Text

_BINARY = {
    "or": (10, "logical_or"),
    "||": (10, "logical_or"),
    "and": (20, "logical_and"),
    "<": (30, "lt"),
    "<=": (30, "le"),
    ">": (30, "gt"),
    ">=": (30, "ge"),
    "==": (30, "eq"),
    "!=": (30, "ne"),
    "+": (50, "add"),
    "-": (50, "sub"),
    "*": (60, "mul"),
    "/": (60, "div"),
    "//": (60, "floordiv"),
    "%": (60, "remainder"),
    "\\bmod": (60, "remainder"),
    "@": (60, "matmul"),
    "^": (80, "pow"),
}
_NOT, _COMPARED, _SUMMED, _PRODUCT, _UNARY, _POWER = 25, 30, 50, 60, 70, 80
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
_STATES = {"finite": "isfinite", "nan": "isnan", "inf": "isinf", "infinite": "isinf", "infinity": "isinf"}
_INDEX = re.compile(r"[b-dg-tz]")
_ELEMENT = re.compile(r"(?P<name>[A-Za-z]\w*)_(?P<index>[ijk])")
"""An element of a tensor as plain text has it: ``x_i``."""
_BINDER = re.compile(r"(?P<name>sum|prod|max|min|mean)_(?P<index>[b-dg-tz])")
"""A sum as plain text has it: ``sum_k``."""
_PROBABLE = {"sigma": "sigmoid", "Phi": "ndtr"}
"""What a Greek letter before a parenthesis is: the logistic function, the normal distribution's."""
_INDICES = re.compile(r"[bg-tk]{2,3}")
_NO_INDICES = frozenset(("in", "is", "it", "no", "on", "min", "opt", "int", "log", "lin", "lo", "old", "ih", "hi"))
_MATHEMATICAL = {"E": "mean", "Mean": "mean", "Var": "var", "Avg": "mean", "RMS": "rms"}
"""What stands before brackets as well as before parentheses; of these a variance is one of all elements."""
_FRACTIONS = ("\\frac", "\\dfrac", "\\tfrac", "\\cfrac")
_ACCENTS = {"\\hat": "hat", "\\widehat": "hat", "\\tilde": "tilde", "\\widetilde": "tilde", "\\dot": "dot"}
_BARS = ("\\bar", "\\overline")
_REFUSED = {
    "\\int": "an integral has no value that can be computed here",
    "\\partial": "a derivative is no formula of the inputs",
    "\\nabla": "a derivative is no formula of the inputs",
    "...": "what the dots stand for is not said",
}
_EVERYTHING = Call("range", (Text(""), Text("")))
_OPERANDS = Function("tuple", (), 0, many=True)
_BOUNDLESS = "its bounds hang on another index"
_ENDS = ("cases", "aligned", "array", "matrix", "bmatrix", "pmatrix")


def is_index(word: str) -> bool:
    """Whether a word is what people call an index: a small letter, but not those of tensors and numbers."""
    return bool(_INDEX.fullmatch(word))


@define
class Parser:
    """Parses the words of one equation. ``known`` are the names that mean something whatever they look like.

    ``is_open`` says that the inputs are unknown: any name may be one.
    """

    tokens: list[Token]
    known: frozenset[str]
    is_open: bool
    at: int = 0
    seen: dict[str, int] = field(factory=dict)
    """Where each name was read first."""
    assumptions: list[str] = field(factory=list)
    conditions: int = 0
    """How many conditions are open: in these ``=`` compares."""
    bars: int = 0
    """How many ``|`` are open."""

    @property
    def token(self) -> Token:
        """The next word."""
        return self.tokens[min(self.at, len(self.tokens) - 1)]

    def take(self) -> Token:
        """The next word, which is read with that."""
        token = self.token
        self.at += 1
        return token

    def fail(self, reason: str, token: Token | None = None) -> FormulaError:
        """The error that the understanding ends at a word, the next one by default."""
        token = token or self.token
        word = re.sub(r"^(\\begin|\\end) (\w+)$", r"\1{\2}", token.text.strip())
        return FormulaError(word or "the end", reason, token.start)

    def expect(self, sign: str) -> Token:
        """Read a sign that must be there."""
        if not self.token.isa(sign):
            raise self.fail(f"`{sign}` is expected here")
        return self.take()

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
            elif token.kind is Kind.NAME and token.text == "is" and power < _COMPARED:
                left = self._state(left)
            elif token.isa("=") and self.conditions and power < _COMPARED:
                self.take()
                left = Call("eq", (left, self.expression(_COMPARED)))
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
                if divided and not token.isa("(", "{", *_FRACTIONS):
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
        while binds == _COMPARED and (more := _BINARY.get(self.token.text)) and more[0] == _COMPARED:
            self.take()
            last, right = right, self.expression(binds)
            value = Call("logical_and", (value, Call(more[1], (last, right))))
        return value

    def _raised(self, left: Expr) -> Expr:
        token = self.token
        exponent = self._argument() if token.latex else self.expression(_POWER - 1)
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
        word = self.take()
        op = _STATES.get(word.text.lower())
        if op is None:
            raise self.fail("is: finite, inf or nan", word)
        value = Call(op, (left,))
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
                *_FRACTIONS,
                *_ACCENTS,
                *_BARS,
                "(",
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
            return self._postfix(self._name(token))
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
        handler = _PREFIXES.get(token.text)
        if handler is not None:
            return self._postfix(handler(self, token))
        raise self.fail(_REFUSED.get(token.text, "a value is expected here"), token)

    # What begins with a sign

    def _parentheses(self, token: Token) -> Expr:
        conditions, self.conditions = self.conditions, min(self.conditions, 1)
        value = self.expression()
        if self.token.isa(","):
            items = [value]
            while self.token.isa(","):
                self.take()
                if self.token.isa(")"):
                    break
                items.append(self.expression())
            value = Call("tuple", tuple(items))
        self.expect(")")
        self.conditions = conditions
        return value

    def _list(self, token: Token) -> Expr:
        items = []
        while not self.token.isa("]"):
            items.append(self.expression())
            if not self.token.isa("]"):
                self.expect(",")
        self.expect("]")
        return Call("tuple", tuple(items))

    def _group(self, token: Token) -> Expr:
        function = find_function(self.token.text) if self.token.kind is Kind.NAME else None
        if function is not None and self.tokens[self.at + 1].isa("}"):
            following = self.tokens[min(self.at + 2, len(self.tokens) - 1)]
            if following.isa("(", "{") and self.token.text not in self.known:
                # `{sinh}{(x)}` is `sinh(x)`.
                name = self.take()
                self.take()
                return (
                    self._call(function, name)
                    if following.isa("(")
                    else called(function, [self._argument()], {}, (name.text, name.start))
                )
        value = self.expression()
        self.expect("}")
        return value

    def _argument(self) -> Expr:
        """What a command takes: a group in braces, or one word."""
        token = self.token
        if token.isa("{"):
            self.take()
            return self._group(token)
        if token.isa("-"):
            self.take()
            return Call("neg", (self._argument(),))
        if token.kind is Kind.NUMBER and token.latex and len(token.text) > 1 and token.text.isdigit():
            # `\frac12` and `x^23` take one digit each.
            self.take()
            self.tokens.insert(self.at, Token(Kind.NUMBER, token.text[1:], token.start + 1, True, False))
            return _number(token.text[0])
        if token.kind is Kind.NAME:
            return self._name(self.take())
        return self._prefix()

    def _fraction(self, token: Token) -> Expr:
        if self.token.isa("{") and any(word.isa("\\partial") for word in self.tokens[self.at : self.at + 3]):
            raise self.fail(_REFUSED["\\partial"], self.tokens[self.at + 1])
        above = self._argument()
        return Call("div", (above, self._argument()))

    def _root(self, token: Token) -> Expr:
        if self.token.isa("[") and token.latex:
            self.take()
            degree = self.expression()
            self.expect("]")
            return Call("pow", (self._argument(), Call("div", (Number(1), degree))))
        return Call("sqrt", (self._argument(),))

    def _absolute(self, token: Token) -> Expr:
        self.bars += 1
        value = self.expression()
        self.bars -= 1
        self.expect("|")
        return Call("abs", (value,))

    def _norm(self, token: Token) -> Expr:
        value = self.expression()
        self.expect("\\|")
        order: Expr = Number(2)
        if self.token.isa("_"):
            self.take()
            order = self._argument()
        return Call("norm", (value,), (("ord", order),))

    def _floor(self, token: Token) -> Expr:
        value = self.expression()
        if self.token.isa("\\rceil"):
            self.take()
            return Call("round", (value,))
        self.expect("\\rfloor")
        return Call("floor", (value,))

    def _ceiling(self, token: Token) -> Expr:
        value = self.expression()
        self.expect("\\rceil")
        return Call("ceil", (value,))

    def _accent(self, token: Token) -> Expr:
        word = self._argument()
        if not isinstance(word, Name):
            raise self.fail("only a name can have this sign above it", token)
        return self._named(f"{word.name}_{_ACCENTS[token.text]}", token)

    def _bar(self, token: Token) -> Expr:
        word = self._argument()
        if isinstance(word, Name) and f"{word.name}_bar" in self.known:
            return self._named(f"{word.name}_bar", token)
        return Call("mean", (word,))

    def _binder(self, token: Token) -> Expr:
        r"""``\sum_{i=1}^{N}`` and what it sums: the product that follows."""
        return self._bound(token.text[1:], token)

    def _bound(self, op: str, token: Token) -> Expr:
        options = self._bounds()
        body = self.expression(_SUMMED)
        return Call(op, (body,), tuple(options.items()))

    def _bounds(self) -> dict[str, Expr]:
        options: dict[str, Expr] = {}
        while self.token.isa("_", "^"):
            if self.take().text == "^":
                options["end"] = self._argument()
                if any(isinstance(part, Call) and part.op == "at" for part in _parts(options["end"])):
                    raise self.fail(_BOUNDLESS, self.tokens[self.at - 1])
                continue
            braced = self.token.isa("{") and bool(self.take())
            index = self.take()
            if index.kind is not Kind.NAME:
                raise self.fail("the index of the sum is expected here", index)
            if not is_index(index.text):
                raise self.fail("over what this goes is not clear", index)
            options["index"] = Text(index.text)
            if braced and self.token.isa("="):
                self.take()
                options["start"] = self.expression()
            if braced:
                if not self.token.isa("}"):
                    raise self.fail("over what this goes is not clear")
                self.take()
        return options

    def _underset(self, token: Token) -> Expr:
        depth, start = 0, self.at
        self.expect("{")
        while depth >= 0:
            sign = self.take()
            depth += sign.isa("{") - sign.isa("}")
            if sign.kind is Kind.END:
                raise self.fail("the brace is never closed", token)
        below = self.tokens[start + 1 : self.at - 1]
        braced = self.token.isa("{") and bool(self.take())
        name = self.take()
        if braced:
            self.expect("}")
        index = next((word for word in below if word.kind is Kind.NAME and is_index(word.text)), None)
        if index is None or find_function(name.text) is None:
            raise self.fail("what stands below is not understood", name)
        options = (("index", Text(index.text)),)
        return Call(reduction(name.text), (self._atom(),), options)

    def _system(self, token: Token) -> Expr:
        if not any(self.token.isa(f"\\begin {name}") for name in _ENDS):
            raise self.fail("a list of cases is expected behind the brace")
        return self._cases(self.take())

    def _cases(self, token: Token) -> Expr:
        environment = token.text.removeprefix("\\begin ")
        end = f"\\end {environment}"
        rows: list[tuple[Expr, Expr | None]] = []
        while not self.token.isa(end):
            rows.append(self._case())
            while self.token.kind is Kind.BREAK:
                self.take()
        self.expect(end)
        if self.token.isa("\\}"):
            self.take()
        if not rows:
            raise self.fail("there is no case", token)
        *cases, (value, condition) = rows
        if condition is not None:
            self.assumptions.append("the last case taken for the rest")
        for earlier, when in reversed(cases):
            if when is None:
                raise self.fail("a case without its condition", token)
            value = Call("where", (when, earlier, value))
        return value

    def _case(self) -> tuple[Expr, Expr | None]:
        """One row of cases: its value and when it holds; None for the rest."""
        value = self.expression()
        self._skip(",", "&", "\\quad", ".")
        if self.token.text in ("if", "when", "for", "where", "其他"):
            self.take()
            self._skip("&", "\\quad", ",")
        if self.token.kind is Kind.BREAK or self.token.text.startswith("\\end "):
            return value, None
        if self.token.text in ("otherwise", "else", "Otherwise"):
            self.take()
            self._skip(".", ",")
            return value, None
        if self.token.text == "any":
            self.take()
            self.conditions += 1
            condition: Expr = Call("any", (self._alternatives(),))
        else:
            self.conditions += 1
            start = self.token
            condition = self.expression()
            if isinstance(condition, Call) and condition.op not in LOGICAL:
                raise self.fail("a condition is expected here", start)
        self.conditions -= 1
        self._skip(".", ",", "\\quad")
        return value, condition

    def _alternatives(self) -> Expr:
        r"""``x is \pm\infty or NaN``: what one value may be."""
        value = self.expression(_COMPARED)
        if self.token.text != "is":
            raise self.fail("a condition is expected here")
        self.take()
        if self.token.isa("\\pm"):
            self.take()
        states = []
        while True:
            word = self.take()
            op = _STATES.get(word.text.lower())
            if op is None:
                raise self.fail("is: finite, inf or nan", word)
            states.append(Call(op, (value,)))
            if not self.token.isa("or"):
                break
            self.take()
        result: Expr = states[0]
        for state in states[1:]:
            result = Call("logical_or", (result, state))
        return result

    def _skip(self, *signs: str) -> None:
        while self.token.isa(*signs):
            self.take()

    # What begins with a name

    def _name(self, token: Token) -> Expr:
        text = token.text
        if text in _MODULES and self.token.isa(".") and text not in self.known:
            return self._module(token)
        if text == "d" and self.token.kind is Kind.NAME and text not in self.known:
            joined = f"d{self.token.text}"
            if joined in self.known or (self.is_open and not self.token.spaced):
                self.take()
                return self._named(joined, token)
        if text in _PROBABLE and text not in self.known and token.latex and self.token.isa("("):
            return self._call(FUNCTIONS[_PROBABLE[text]], token)
        if (element := _BINDER.fullmatch(text)) and text not in self.known:
            options = (("index", Text(element.group("index"))),)
            return Call(reduction(element.group("name")), (self.expression(_SUMMED),), options)
        if find_dtype(text) is not None and text not in self.known and self.token.isa("("):
            self.take()
            value = self.expression()
            self.expect(")")
            return Call("cast", (value, Text(text)))
        if text in _MATHEMATICAL and text not in self.known and self.token.isa("(", "["):
            return self._mathematical(token)
        function = find_function(text)
        if function is not None and (text not in self.known or self.token.isa("(")) and self._is_called(token):
            return self._call(function, token)
        if text in self.known:
            return self._named(text, token)
        if text in _CONSTANTS:
            return _CONSTANTS[text]
        if text == "e" and self.token.isa("^"):
            return Number(math.e)
        if self.token.isa("(") and not self.token.spaced and not (token.latex and self.is_open and len(text) == 1):
            raise self.fail("no function of this name is known", token)
        if token.latex and len(text) > 1 and all(letter in self.known for letter in text):
            letters = [Token(Kind.NAME, letter, token.start, True, False) for letter in text[1:]]
            self.tokens[self.at : self.at] = letters
            return self._named(text[0], token)
        return self._named(text, token)

    def _is_called(self, token: Token) -> bool:
        """Whether a function's name stands for the function: its operand follows."""
        if self.token.isa("(") or (token.latex and self.token.isa("^", "_", "{", "|", "[")):
            return True
        return token.latex and (
            self.token.kind in (Kind.NAME, Kind.NUMBER) or self.token.isa(*_FRACTIONS, "\\sqrt", "\\sum")
        )

    def _named(self, text: str, token: Token) -> Expr:
        element = _ELEMENT.fullmatch(text) if text not in self.known else None
        name = element.group("name") if element else text
        self.seen.setdefault(name, token.start)
        return Call("at", (Name(name), Name(element.group("index")))) if element else Name(name)

    def _module(self, token: Token) -> Expr:
        path = token.text
        while self.token.isa("."):
            self.take()
            path += f".{self.take().text}"
        last = path.rsplit(".", 1)[-1]
        if last in _CONSTANTS:
            return _CONSTANTS[last]
        if last == "e":
            return Number(math.e)
        if find_dtype(last) is not None and not self.token.isa("("):
            return Text(last)
        function = find_function(path)
        if function is None:
            raise FormulaError(path, "no function of this name is known", token.start)
        return self._call(function, Token(Kind.NAME, path, token.start, token.latex, token.spaced))

    def _mathematical(self, token: Token) -> Expr:
        closing = ")" if self.take().text == "(" else "]"
        value = self.expression()
        options: dict[str, Expr] = {}
        while self.token.isa(","):
            self.take()
            self._option(options)
        self.expect(closing)
        op = _MATHEMATICAL[token.text]
        if op == "rms":
            return Call("sqrt", (Call("mean", (Call("square", (value,)),), tuple(options.items())),))
        if op == "var":
            options.setdefault("correction", Number(0))
        return Call(op, (value,), tuple(options.items()))

    def _call(self, function: Function, token: Token) -> Expr:
        exponent: Expr | None = None
        if self.token.isa("^") and token.latex:
            self.take()
            exponent = self._argument()
            if exponent == Call("neg", (Number(1),)) or exponent == Number(-1):
                inverse = _INVERSE.get(function.name)
                if inverse is None:
                    raise self.fail("what this function's inverse is is not known", token)
                function, exponent = find_function(inverse) or function, None
        if self.token.isa("_") and token.latex:
            value = self._subscripted(function, token)
        elif self.token.isa("("):
            self.take()
            value = self._arguments(function, token)
        elif token.latex:
            value = called(function, [self._atom()], {}, (token.text, token.start))
        else:
            raise self.fail("its operand must stand in parentheses", token)
        return Call("pow", (value, exponent)) if exponent is not None else value

    def _atom(self) -> Expr:
        """What a function takes that is written without parentheses: one factor, with its indices and power."""
        value = self._prefix()
        while self.token.isa("^"):
            self.take()
            value = self._raised(value)
        return value

    def _subscripted(self, function: Function, token: Token) -> Expr:
        r"""``\log_2 x`` and ``\max_j x_j``."""
        if function.name == "log":
            self.take()
            if self.token.text == "e" and "e" not in self.known:
                self.take()
                return Call("log", (self._atom(),))
            value = self._argument()
            argument = self._atom()
            if value == Name("e"):
                return Call("log", (argument,))
            if value in (Number(2), Number(10)):
                return Call(f"log{value.value}" if isinstance(value, Number) else "log", (argument,))
            return Call("div", (Call("log", (argument,)), Call("log", (value,))))
        if function.reduces or function.many:
            options = self._bounds()
            return Call(reduction(function.name), (self._atom(),), tuple(options.items()))
        raise self.fail("what this function's index means is not known")

    def _arguments(self, function: Function, token: Token) -> Expr:
        operands: list[Expr] = []
        options: dict[str, Expr] = {}
        conditions, self.conditions = self.conditions, 0
        while not self.token.isa(")"):
            following = self.tokens[min(self.at + 1, len(self.tokens) - 1)]
            if self.token.kind is Kind.NAME and following.isa("="):
                self._option(options)
            else:
                operands.append(self.expression())
            while self.token.kind is Kind.BREAK:
                self.take()
            if not self.token.isa(")"):
                self.expect(",")
        self.take()
        self.conditions = conditions
        return called(function, operands, options, (token.text, token.start))

    def _option(self, options: dict[str, Expr]) -> None:
        name = self.take()
        self.expect("=")
        key = OPTIONS.get(name.text, name.text)
        options[key] = self.expression()

    def _postfix(self, value: Expr) -> Expr:
        while True:
            token = self.token
            if token.isa("_") and token.latex:
                value = self._index(value)
            elif token.isa("(") and isinstance(value, Name) and value.name not in self.known:
                raise FormulaError(
                    value.name, "no function of this name is known", self.seen.get(value.name, token.start)
                )
            elif token.isa("[") and not (token.spaced and not token.latex):
                value = self._element(value)
            elif token.isa(".") and self.tokens[self.at + 1].kind is Kind.NAME and not self.tokens[self.at + 1].spaced:
                value = self._method(value)
            else:
                return value

    def _method(self, value: Expr) -> Expr:
        self.take()
        token = self.take()
        if token.text in ("T", "mT"):
            return Call("transpose", (value,))
        if token.text in ("values", "indices"):
            return value
        function = find_function(token.text)
        if function is None or not self.token.isa("("):
            raise self.fail("no function of this name is known", token)
        self.take()
        operands: list[Expr] = [value]
        call = self._arguments(_OPERANDS, token)
        assert isinstance(call, Call)
        return called(function, [*operands, *call.args], dict(call.options), (token.text, token.start))

    def _index(self, value: Expr) -> Expr:
        """The subscript of a name: a part of the name, or indices."""
        self.take()
        braced = self.token.isa("{") and bool(self.take())
        words = []
        depth = 0
        while True:
            if self.token.kind is Kind.END:
                raise self.fail("the subscript is never closed")
            if braced and self.token.isa("}") and not depth:
                self.take()
                break
            depth += self.token.isa("{") - self.token.isa("}")
            words.append(self.take())
            if not braced:
                break
        return self._with_subscript(value, [word for word in words if not word.isa("{", "}")])

    def _with_subscript(self, value: Expr, words: list[Token]) -> Expr:
        if not words:
            raise self.fail("a subscript with nothing in it")
        written = "".join(word.text for word in words)
        if isinstance(value, Name):
            for name in (f"{value.name}_{written}", f"{value.name}{written}"):
                if name in self.known:
                    return self._named(name, words[0])
        parts: list[Expr] = []
        for word in words:
            if word.isa(",", "_", "..."):
                continue
            if word.kind is Kind.NAME and is_index(word.text) and isinstance(value, Name | Call):
                parts.append(Name(word.text))
            elif word.kind is Kind.NAME and (element := _ELEMENT.fullmatch(word.text)) and isinstance(value, Name):
                value = Name(f"{value.name}_{element.group('name')}")
                parts.append(Name(element.group("index")))
            elif word.kind is Kind.NAME and _INDICES.fullmatch(word.text) and word.text not in _NO_INDICES:
                parts += [Name(letter) for letter in word.text]
            elif word.kind in (Kind.NAME, Kind.NUMBER) and isinstance(value, Name) and not parts:
                joined = f"{value.name}_{word.text}" if word.kind is Kind.NAME else f"{value.name}{word.text}"
                plain = f"{value.name}_{word.text}"
                value = Name(plain if plain in self.known else joined)
            else:
                raise self.fail("an element of its own: only whole tensors and rows are understood", word)
        if isinstance(value, Name):
            self.seen.setdefault(value.name, words[0].start)
        return Call("at", (value, *parts)) if parts else value

    def _element(self, value: Expr) -> Expr:
        token = self.take()
        items: list[Expr] = []
        while not self.token.isa("]"):
            items.append(self._slice())
            if not self.token.isa("]"):
                self.expect(",")
        self.expect("]")
        if not items:
            raise self.fail("which elements is not said", token)
        whole = [item for item in items if item == Text("...") or item == _EVERYTHING]
        if whole and items[-len(whole) :] == whole and len(whole) < len(items):
            # `x[i, :]` is the row `x[i]`; `x[0:2, :]` is a slice as it stands.
            items = items[: -len(whole)] if all(self._is_place(item) for item in items[: -len(whole)]) else items
        plain = all(self._is_place(item) for item in items)
        return Call("at" if plain else "item", (value, *items))

    def _is_place(self, item: Expr) -> bool:
        """Whether it is an index of its own rather than a value: ``i``, ``rows[i]``."""
        if isinstance(item, Name):
            return item.name not in self.known and is_index(item.name)
        return isinstance(item, Call) and item.op == "at"

    def _slice(self) -> Expr:
        parts: list[Expr] = [Text("")]
        colons = 0
        if self.token.isa("..."):
            self.take()
            return Text("...")
        while not self.token.isa("]", ","):
            if self.token.isa(":"):
                self.take()
                colons += 1
                parts.append(Text(""))
                continue
            parts[-1] = self.expression()
        return Call("range", tuple(parts)) if colons else parts[0]


_PREFIXES: Mapping[str, Callable[[Parser, Token], Expr]] = {
    "(": Parser._parentheses,
    "[": Parser._list,
    "{": Parser._group,
    "|": Parser._absolute,
    "\\|": Parser._norm,
    **dict.fromkeys(_FRACTIONS, Parser._fraction),
    "\\sqrt": Parser._root,
    "\\sum": Parser._binder,
    "\\prod": Parser._binder,
    "\\lfloor": Parser._floor,
    "\\lceil": Parser._ceiling,
    **dict.fromkeys(_ACCENTS, Parser._accent),
    **dict.fromkeys(_BARS, Parser._bar),
    "\\underset": Parser._underset,
    "\\{": Parser._system,
    "\\begin cases": Parser._cases,
}


def _inverted(value: Expr) -> Expr:
    is_truth = isinstance(value, Call) and value.op in LOGICAL
    return Call("logical_not" if is_truth else "invert", (value,))


def _product(left: Expr, right: Expr, token: Token) -> Expr:
    """A product without a sign: of matrices, where one is transposed."""
    if isinstance(right, Call) and right.op == "tuple":
        raise FormulaError(token.text, "it stands before a list: no function of this name is known", token.start)
    transposes = any(isinstance(part, Call) and part.op == "transpose" for one in (left, right) for part in _parts(one))
    if transposes and not isinstance(left, Number):
        return Call("matmul", (left, right))
    return Call("mul", (left, right))


def _parts(expr: Expr) -> Iterator[Expr]:
    """A tree and all that it is made of."""
    yield expr
    if isinstance(expr, Call):
        for arg in expr.args:
            yield from _parts(arg)


def _number(text: str) -> Number:
    text = text.rstrip("fF")
    # More digits than any float has are no count of anything.
    return Number(int(text)) if text.isdigit() and len(text) < 300 else Number(float(text))
