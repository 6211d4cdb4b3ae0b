"""What a formula is once it is understood: assignments of expression trees, in order.

A tree has four kinds of nodes. Its operators and functions have the names of ``functions.FUNCTIONS`` whatever they
were written with (``x * y``, ``\\odot``, ``torch.mul``); its leaves are numbers, words and names, and a name is an
input's, an attribute's or one that an earlier assignment gave.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen


@frozen(cache_hash=True)
class Number:
    """A number as it was written: ``1`` is an integer, ``1.0`` is none, ``True`` is a truth value."""

    value: float | int | bool


@frozen(cache_hash=True)
class Text:
    """A word that says how: ``tanh`` of ``gelu(x, approximate="tanh")``, an element type of a cast; "" for nothing."""

    value: str


@frozen(cache_hash=True)
class Name:
    """An input, an attribute, or what an earlier assignment gave."""

    name: str


@frozen(cache_hash=True)
class Call:
    """``op`` of its operands. ``options`` are the other parameters that were given, by name, in the order written."""

    op: str
    args: tuple[Expr, ...]
    options: tuple[tuple[str, Expr], ...] = ()

    def option(self, name: str) -> Expr | None:
        """The parameter of that name, None where it was not given."""
        return next((value for key, value in self.options if key == name), None)


Expr = Number | Text | Name | Call


@frozen
class Assignment:
    """``name = value``; a name that has a value already has a new one from here on."""

    name: str
    value: Expr


@frozen
class Formula:
    """A formula that is understood.

    ``reads`` are the inputs that it reads and ``attributes`` the attributes, in order of first use; ``outputs`` the
    names that it gives, in order. ``assumptions`` says in words what the text left open and what was taken
    for it (``the last axis taken for that of a reduction without `dim```).
    """

    assignments: tuple[Assignment, ...]
    outputs: tuple[str, ...]
    reads: tuple[str, ...]
    attributes: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    same: tuple[Assignment, ...] = ()
    """Further right sides of an equation (``y = tanh(x) = ...``): they give the same, or one is misunderstood."""
    defaults: tuple[tuple[str, Expr], ...] = ()
    """The values that its own text gives to attributes that are not given."""


@frozen
class NotUnderstood:
    """Where the understanding of a text ended: ``word`` stands at ``offset``; ``reason`` says why, for a user."""

    word: str
    reason: str
    offset: int = 0

    @property
    def message(self) -> str:
        """One line: where and why."""
        return f"the formula is not understood at `{self.word}`: {self.reason}" if self.word else self.reason


class FormulaError(Exception):
    """Raised inside the readers of notations; ``understand`` turns it into its ``NotUnderstood``."""

    def __init__(self, word: str, reason: str, offset: int = 0) -> None:
        super().__init__(f"{word}: {reason}")
        self.found = NotUnderstood(word, reason, offset)


def parts(expr: Expr) -> Iterator[Expr]:
    """A tree and all the trees that its operands hold."""
    yield expr
    if isinstance(expr, Call):
        for arg in expr.args:
            yield from parts(arg)


def names_in(expr: Expr) -> Iterator[str]:
    """The names that a tree reads, in order, as often as they occur."""
    if isinstance(expr, Name):
        yield expr.name
    elif isinstance(expr, Call):
        for child in (*expr.args, *(value for _, value in expr.options)):
            yield from names_in(child)


def replaced(expr: Expr, values: dict[str, Expr]) -> Expr:
    """The tree with trees in the place of names."""
    if isinstance(expr, Name):
        return values.get(expr.name, expr)
    if isinstance(expr, Call):
        return Call(
            expr.op,
            tuple(replaced(arg, values) for arg in expr.args),
            tuple((key, replaced(value, values)) for key, value in expr.options),
        )
    return expr


def renamed(expr: Expr, names: dict[str, str]) -> Expr:
    """The tree with other names."""
    return replaced(expr, {name: Name(other) for name, other in names.items()})
