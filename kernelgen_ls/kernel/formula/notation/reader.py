"""What every part of the parser may ask: the words of an equation, what its names mean, and the parser itself."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod

from attrs import define, field

from kernelgen_ls.kernel.formula.tokens import Token
from kernelgen_ls.kernel.formula.tree import Call, Expr, FormulaError, Name

COMPARED, SUMMED = 30, 50
"""How strongly comparisons and sums bind: what an operator's operand may not hold is asked for with its power."""
_STATES = {"finite": "isfinite", "nan": "isnan", "inf": "isinf", "infinite": "isinf", "infinity": "isinf"}
_INDEX = re.compile(r"[b-dg-tz]")
WHOLE = ":"
"""Begins the name of an index that goes along all of an axis: ``x[i, :]``."""
ELEMENT = re.compile(r"(?P<name>[A-Za-z]\w*)_(?P<index>[ijk])")
"""An element of a tensor as plain text has it: ``x_i``."""


def is_index(word: str) -> bool:
    """Whether a word is what people call an index: a small letter, but not those of tensors and numbers."""
    return bool(_INDEX.fullmatch(word))


@define
class Reader(ABC):
    """Reads the words of one equation. ``known`` are the names that mean something whatever they look like.

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

    @abstractmethod
    def expression(self, power: int = 0) -> Expr:
        """Read an expression whose operators bind more than ``power``."""

    @abstractmethod
    def argument(self) -> Expr:
        """Read what a command takes: a group in braces, or one word."""

    @abstractmethod
    def atom(self) -> Expr:
        """Read what a function takes without parentheses: one factor, with its indices and power."""

    @property
    def token(self) -> Token:
        """The next word."""
        return self.tokens[min(self.at, len(self.tokens) - 1)]

    @property
    def following(self) -> Token:
        """The word behind the next one."""
        return self.tokens[min(self.at + 1, len(self.tokens) - 1)]

    def take(self) -> Token:
        """The next word, which is read with that."""
        token = self.token
        self.at += 1
        return token

    def skip(self, *signs: str) -> None:
        """Read any of these signs, as often as they stand here."""
        while self.token.isa(*signs):
            self.take()

    def expect(self, sign: str) -> Token:
        """Read a sign that must be there."""
        if not self.token.isa(sign):
            raise self.fail(f"`{sign}` is expected here")
        return self.take()

    def fail(self, reason: str, token: Token | None = None) -> FormulaError:
        """The error that the understanding ends at a word, the next one by default."""
        token = token or self.token
        word = re.sub(r"^(\\begin|\\end) (\w+)$", r"\1{\2}", token.text.strip())
        return FormulaError(word or "the end", reason, token.start)

    def named(self, text: str, token: Token) -> Expr:
        """A variable, or an element of one as plain text has it."""
        element = ELEMENT.fullmatch(text) if text not in self.known else None
        name = element.group("name") if element else text
        self.seen.setdefault(name, token.start)
        return Call("at", (Name(name), Name(element.group("index")))) if element else Name(name)

    def state(self) -> str:
        """The function that tells the state of a number that the next word names: finite, inf or nan."""
        word = self.take()
        op = _STATES.get(word.text.lower())
        if op is None:
            raise self.fail("is: finite, inf or nan", word)
        return op
