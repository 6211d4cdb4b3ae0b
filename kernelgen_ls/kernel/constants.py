"""Integer constants of a C++ text: what a length or a size is, when the text alone says so.

``evaluate`` computes an expression with C's rules for integers; whatever depends on a name the scope does not hold, on
a floating-point number, or on a call, is None: unknown, never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from kernelgen_ls.kernel.dtypes import BY_KERNEL, DTYPES, INT64, SPELLINGS

TYPE_BYTES: Mapping[str, int] = {
    **{name: dtype.bytes for name, dtype in BY_KERNEL.items() if dtype.bytes is not None},
    **{name: dtype.bytes for dtype in DTYPES if dtype.bytes is not None for name in dtype.spellings},
    "char": 1,
    "size_t": 8,
}
"""Bytes of the element types an AscendC kernel can name. Types narrower than a byte are not here on purpose."""

_TOKEN = re.compile(
    r"\s*(?:(?P<float>(?:\d[\d']*\.[\d']*|\.\d[\d']*)(?:[eE][+-]?\d+)?[fFlL]?|\d+[eE][+-]?\d+[fFlL]?)"
    r"|(?P<number>0[xX][\da-fA-F']+|0[bB][01']+|\d[\d']*)(?P<suffix>[uUlLzZ]*)"
    r"|(?P<name>[A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*)"
    r"|(?P<operator><<|>>|<=|>=|==|!=|&&|\|\||[-+*/%<>&^|~!?:(),]))"
)
_BINARY = {
    "||": 1,
    "&&": 2,
    "|": 3,
    "^": 4,
    "&": 5,
    "==": 6,
    "!=": 6,
    "<": 7,
    ">": 7,
    "<=": 7,
    ">=": 7,
    "<<": 8,
    ">>": 8,
    "+": 9,
    "-": 9,
    "*": 10,
    "/": 10,
    "%": 10,
}
_CASTS = frozenset({"static_cast", "reinterpret_cast", "const_cast"})
_DEFINITION = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(?P<macro>[A-Za-z_]\w*)[ \t]+(?P<body>[^\n\\]+)$"
    r"|\b(?:constexpr|const)\s+(?:static\s+|inline\s+|constexpr\s+|const\s+|unsigned\s+)*"
    r"(?P<type>[A-Za-z_][\w:]*)\s+(?P<name>[A-Za-z_]\w*)\s*(?:=\s*(?P<value>[^;{}]+)|\{(?P<braced>[^;{}]*)\})\s*;",
    re.MULTILINE,
)
_ENUM = re.compile(r"\benum\b[^{};]*\{(?P<body>[^{}]*)\}")
_INTEGER_TYPES = frozenset(
    name for name in TYPE_BYTES if BY_KERNEL.get(SPELLINGS.get(name, name), INT64).kind in "iub"
) | {"auto", "long", "uint"}


class _UnknownError(Exception):
    """The expression has no value that the text alone gives."""


def evaluate(
    expression: str,
    values: Mapping[str, int] | Callable[[str], int | None],
    type_bytes: Callable[[str], int | None] = TYPE_BYTES.get,
) -> int | None:
    """Return the integer that ``expression`` has, or None where the text alone does not say.

    ``values`` gives what a name stands for (a mapping or a function, None for unknown), ``type_bytes`` the size of a
    type in a ``sizeof``.
    """
    lookup = values if callable(values) else values.get
    try:
        return _Expression(expression, lookup, type_bytes).value()
    except _UnknownError:
        return None


def read_constants(text: str, known: Mapping[str, int] | None = None) -> dict[str, int]:
    """Return the integer constants that ``text`` defines by ``constexpr``, ``const``, ``#define`` or ``enum``.

    ``text`` is free of comments. A name with two different values is left out, for which one holds is not known.
    """
    values: dict[str, int] = dict(known or {})
    conflicting: set[str] = set()

    def put(name: str, value: int | None) -> None:
        if value is None or values.get(name, value) != value:
            conflicting.add(name)
        if value is not None:
            values.setdefault(name, value)

    for match in _DEFINITION.finditer(text):
        name = match.group("macro") or match.group("name")
        written = match.group("body") or match.group("value") or match.group("braced") or ""
        if match.group("type") and match.group("type").split("::")[-1] not in _INTEGER_TYPES:
            conflicting.add(name)
            continue
        put(name, evaluate(written, values))
    for match in _ENUM.finditer(text):
        following: int | None = 0
        for item in match.group("body").split(","):
            name, _, written = (part.strip() for part in item.partition("="))
            if not name.isidentifier():
                continue
            value = evaluate(written, values) if written else following
            put(name, value)
            following = None if value is None else value + 1
    return {name: value for name, value in values.items() if name not in conflicting}


class _Expression:
    """A recursive-descent reading of one expression."""

    def __init__(self, text: str, lookup: Callable[[str], int | None], type_bytes: Callable[[str], int | None]) -> None:
        self._tokens = _tokens(text)
        self._at = 0
        self._lookup = lookup
        self._type_bytes = type_bytes

    def value(self) -> int:
        result = self._conditional()
        if self._peek() != "":
            raise _UnknownError
        return result

    def _peek(self, ahead: int = 0) -> str:
        index = self._at + ahead
        return self._tokens[index] if index < len(self._tokens) else ""

    def _take(self, expected: str = "") -> str:
        symbol = self._peek()
        if symbol == "" or (expected and symbol != expected):
            raise _UnknownError
        self._at += 1
        return symbol

    def _conditional(self) -> int:
        condition = self._binary(1)
        if self._peek() != "?":
            return condition
        self._take()
        when_true = self._attempt(self._conditional)
        self._take(":")
        when_false = self._attempt(self._conditional)
        chosen = when_true if condition else when_false
        if chosen is None:
            raise _UnknownError
        return chosen

    def _attempt(self, read: Callable[[], int]) -> int | None:
        """Read an operand that may never be needed; where it is unknown, skip to the end of its tokens."""
        start = self._at
        try:
            return read()
        except _UnknownError:
            self._at = start
            depth = 0
            while (symbol := self._peek()) and not (depth == 0 and symbol in (":", ")", ",")):
                depth += (symbol in "(?") - (symbol in "):")
                self._at += 1
            return None

    def _binary(self, lowest: int) -> int:
        left = self._unary()
        while (precedence := _BINARY.get(self._peek(), 0)) >= lowest:
            operator = self._take()
            left = _apply(operator, left, self._binary(precedence + 1))
        return left

    def _unary(self) -> int:
        symbol = self._peek()
        if symbol in ("-", "+", "~", "!"):
            self._take()
            operand = self._unary()
            return {"-": -operand, "+": operand, "~": ~operand, "!": int(not operand)}[symbol]
        return self._primary()

    def _primary(self) -> int:
        symbol = self._take()
        if symbol == "(":
            if self._peek().split("::")[-1] in _INTEGER_TYPES and self._type_ends(")"):
                return self._unary()
            result = self._conditional()
            self._take(")")
            return result
        if symbol[0].isdigit():
            return int(symbol, 0)
        if symbol in ("true", "false"):
            return int(symbol == "true")
        if symbol == "sizeof":
            self._take("(")
            size = self._type_bytes(self._take())
            self._take(")")
            if size is None:
                raise _UnknownError
            return size
        if symbol in _CASTS:
            self._take("<")
            if not self._type_ends(">"):
                raise _UnknownError
            self._take("(")
            result = self._conditional()
            self._take(")")
            return result
        if symbol in _INTEGER_TYPES and self._peek() == "(":
            self._take()
            result = self._conditional()
            self._take(")")
            return result
        found = self._lookup(symbol)
        if found is None or self._peek() == "(":
            raise _UnknownError
        return found

    def _type_ends(self, close: str) -> bool:
        """Consume an integer type and ``close``; False, with nothing consumed, where something else stands."""
        start = self._at
        while self._peek().split("::")[-1] in _INTEGER_TYPES or self._peek() == "const":
            self._at += 1
        if self._at > start and self._peek() == close:
            self._at += 1
            return True
        self._at = start
        return False


@lru_cache(maxsize=4096)
def _tokens(text: str) -> tuple[str, ...]:
    tokens: list[str] = []
    position = 0
    stripped = text.rstrip()
    while position < len(stripped):
        match = _TOKEN.match(stripped, position)
        if match is None or match.group("float"):
            raise _UnknownError
        position = match.end()
        number = match.group("number")
        if number:
            digits = number.replace("'", "")
            octal = len(digits) > 1 and digits.isdigit() and digits[0] == "0"
            if octal and not set(digits) <= set("01234567"):
                raise _UnknownError
            tokens.append("0o" + digits[1:] if octal else digits)
        else:
            tokens.append(re.sub(r"\s", "", match.group("name") or match.group("operator")))
    return tuple(tokens)


def _apply(operator: str, left: int, right: int) -> int:
    if operator in ("/", "%"):
        if right == 0:
            raise _UnknownError
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return quotient if operator == "/" else left - quotient * right
    if operator in ("<<", ">>"):
        if not 0 <= right < 64:
            raise _UnknownError
        return left << right if operator == "<<" else left >> right
    comparisons = {
        "<": left < right,
        ">": left > right,
        "<=": left <= right,
        ">=": left >= right,
        "==": left == right,
        "!=": left != right,
        "&&": bool(left and right),
        "||": bool(left or right),
    }
    if operator in comparisons:
        return int(comparisons[operator])
    return {"+": left + right, "-": left - right, "*": left * right, "&": left & right}.get(
        operator, left | right if operator == "|" else left ^ right
    )
