r"""A text's equations: where each begins and ends, its left side, and what is said beside it.

Notes about the range of an index (``i = 0, 1, ..., n - 1``), lists that only say that a name is a tensor
(``x = [x_0, x_1, ...]``) and prose around an equation are no part of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import field, frozen

from kernelgen_ls.kernel.formula.notation.parser import Parser
from kernelgen_ls.kernel.formula.notation.reader import is_index
from kernelgen_ls.kernel.formula.tokens import Kind, Token, tokens
from kernelgen_ls.kernel.formula.tree import Call, Expr, FormulaError, Name, Number

_OPENING = ("(", "[", "{", "\\lfloor", "\\lceil")
_CLOSING = (")", "]", "}", "\\rfloor", "\\rceil")
_WRAPPERS = ("aligned", "align", "equation", "split", "gathered", "gather", "eqnarray", "array", "displaymath", "math")
_SHOWN = ("cases", "matrix", "bmatrix", "pmatrix", "vmatrix", "smallmatrix")
_GOES_ON = ("+", "-", "*", "/", "@", "^", "=", ",", "==", "<", ">", "<=", ">=", "and", "or", "%", "//")
_ALONG = ("along", "across", "over", "per", "on")
_PROSE = ("where", "with", "here", "in", "which", "and", "elementwise", *_ALONG)
_AXIS_WORDS = "axis axes dim dims dimension dimensions row rows column columns channel channels"
_AXES = frozenset(_AXIS_WORDS.split())


@frozen
class Equation:
    """``name = sides[0] = sides[1] ...``; ``indices`` are those of the left side.

    ``root``: the left side is a power of the name, which is the root of what stands right.
    """

    name: str
    indices: tuple[str, ...]
    sides: tuple[tuple[Token, ...], ...]
    start: int
    power: float = 1
    parameters: tuple[str, ...] = field(default=())
    """The names that a function's left side gives its operands (``f(x) = ...``)."""


def equations(text: str, known: frozenset[str]) -> list[Equation]:
    """The equations of a text, in order. Raises ``FormulaError``."""
    found = []
    for statement in _statements(tokens(text, known)):
        for part in _parts(statement):
            equation = _equation(part, known)
            if equation is not None:
                found.append(equation)
    return found


def left_sides(text: str, known: frozenset[str]) -> tuple[str, ...]:
    """The names left of a text's equations that stand on no right side, in order; none where none can be told."""
    try:
        found = equations(text, known)
    except FormulaError:
        return ()
    words = {word.text for one in found for side in one.sides for word in side if word.kind is Kind.NAME}
    return tuple(dict.fromkeys(one.name for one in found if one.name not in words))


def bare_expression(text: str, known: frozenset[str]) -> tuple[Token, ...] | None:
    """The words of a text that is one expression without a left side; None for another."""
    statements = list(_statements(tokens(text, known)))
    if len(statements) != 1 or any(word.isa("=") for word in statements[0]):
        return None
    return tuple(statements[0])


def _statements(words: list[Token]) -> Iterator[list[Token]]:
    """Split at line ends and prose where no bracket is open and no operator waits."""
    current: list[Token] = []
    depth = 0
    for at, word in enumerate(words):
        before = words[at - 1] if at else None
        if word.kind is Kind.SIGN and word.text.startswith(("\\begin ", "\\end ")):
            environment = word.text.split()[1]
            # A brace before cases makes them a value, unless it opens the statement: then they are equations.
            value = environment in _SHOWN or (
                environment in ("aligned", "array") and _opens_value(word, before, current)
            )
            if not value:
                if word.text.startswith("\\begin "):
                    current = [one for one in current if not one.isa("\\{")]
                continue
            depth += 1 if word.text.startswith("\\begin ") else -1
        elif word.isa("\\{") and any(one.isa("=") for one in current):
            pass
        elif word.isa("&") and not depth:
            continue
        depth += word.isa(*_OPENING) - word.isa(*_CLOSING)
        if word.kind is Kind.END or (word.kind is Kind.BREAK and depth <= 0 and not _goes_on(word, current, words, at)):
            if current:
                yield current
            current, depth = [], 0
            continue
        if word.kind is Kind.BREAK and (word.text == "\n" or depth <= 0):
            continue
        current.append(word)
    if current:
        yield current


def _opens_value(word: Token, before: Token | None, current: list[Token]) -> bool:
    if word.text.startswith("\\begin "):
        return before is not None and before.isa("\\{") and any(one.isa("=") for one in current)
    return any(one.text == f"\\begin {word.text.split()[1]}" for one in current)


def _goes_on(word: Token, current: list[Token], words: list[Token], at: int) -> bool:
    if word.text not in ("\n", "\\\\"):
        return False
    following = next((one for one in words[at + 1 :] if one.text != "\n" and not one.isa("&")), words[-1])
    return bool(current) and (current[-1].isa(*_GOES_ON) or following.isa(*_GOES_ON))


def _parts(statement: list[Token]) -> Iterator[list[Token]]:
    """The equations of one line, without notes about ranges of indices."""
    current: list[Token] = []
    depth = 0
    skipping = False
    at = 0
    while at < len(statement):
        word = statement[at]
        if not depth and word.isa("(") and (end := _note(statement, at)):
            at = end
            continue
        depth += word.isa(*_OPENING) + word.text.startswith("\\begin ")
        depth -= word.isa(*_CLOSING) + word.text.startswith("\\end ")
        if not depth and word.isa(",", "\\quad"):
            kind = _following(statement, at + 1)
            if kind != "same":
                if current and not skipping:
                    yield current
                current, skipping = [], kind == "note"
                at += 1
                continue
        current.append(word)
        at += 1
    if current and not skipping:
        yield current


def _note(words: list[Token], at: int) -> int:
    """Where a parenthesis ends that says the range of an index (``(i = 0, 1, ..., n - 1)``); 0 where it does not."""
    if at + 2 >= len(words) or words[at + 1].kind is not Kind.NAME or not words[at + 2].isa("=", "\\in"):
        return 0
    if not is_index(words[at + 1].text):
        return 0
    depth = 0
    for end in range(at, len(words)):
        depth += words[end].isa(*_OPENING) - words[end].isa(*_CLOSING)
        if not depth:
            return end + 1
    return 0


def _following(words: list[Token], at: int) -> str:
    """What stands behind a comma or a space: another ``equation``, a ``note`` on indices, or the ``same``."""
    while at < len(words) and words[at].isa(",", "\\quad"):
        at += 1
    if at >= len(words) or words[at].isa("\\forall", "..."):
        return "note"
    rest = words[at:]
    first = rest[0]
    ranged = len(rest) > 1 and (rest[1].isa("\\in", ",") or (rest[1].isa("=") and _begins_range(rest[2:])))
    if first.kind is Kind.NAME and is_index(first.text) and ranged:
        return "note"
    if first.kind is Kind.NUMBER or first.kind is Kind.SIGN:
        # `0, 1, ..., n - 1` goes on a note; anything else goes on the equation.
        return "same"
    depth = 0
    for word in rest:
        depth += word.isa(*_OPENING) - word.isa(*_CLOSING)
        if not depth and word.isa("="):
            return "equation"
        if not depth and word.isa(",", "\\quad"):
            break
    return "same"


def _begins_range(words: list[Token]) -> bool:
    """Whether what stands behind an index and its ``=`` is a range: ``0, 1, ..., n - 1``, ``1..n``, ``0``."""
    if not words or words[0].kind is not Kind.NUMBER:
        return bool(words) and words[0].isa("\\{", "[")
    return len(words) == 1 or words[1].isa(",", "...", ".", ":", "\\quad", "\\sim") or words[1].kind is Kind.NAME


def _equation(words: list[Token], known: frozenset[str]) -> Equation | None:
    """The equation of one part; None for a part without one, and for a list of elements."""
    sides: list[list[Token]] = [[]]
    depth = 0
    for word in words:
        depth += word.isa(*_OPENING) + word.text.startswith("\\begin ")
        depth -= word.isa(*_CLOSING) + word.text.startswith("\\end ")
        if word.isa("=") and not depth:
            sides.append([])
        else:
            sides[-1].append(word)
    left, *right = sides
    if len(right) == 1 and len(left) > 1 and left[-1].isa("+", "-", "*", "/") and not left[-1].latex:
        # `y += x` gives `y` a new value from its old one.
        sign, left = left[-1], left[:-1]
        opening, closing = (Token(Kind.SIGN, mark, sign.start) for mark in "()")
        right = [[*left, sign, opening, *right[0], closing]]
    right = [side for side in right if side]
    if not right or not left or all(_is_list(side) for side in right):
        return None
    return _target(left, tuple(tuple(side) for side in right), known)


def _is_list(side: list[Token]) -> bool:
    """Whether a side only shows elements: ``[x_0, x_1, ..., x_{n-1}]``, a matrix of numbers."""
    body = [word for word in side if not word.isa("\\quad", ".", ",")]
    if body and body[0].text.startswith("\\begin ") and body[0].text.endswith("matrix"):
        return True
    if not (len(body) > 2 and body[0].isa("[") and body[-1].isa("]")):
        return False
    if body[1].text.startswith("\\begin ") and body[1].text.endswith("matrix"):
        return True
    numbers = all(word.kind is Kind.NUMBER or word.isa(",", "-") for word in body[1:-1])
    return numbers or any(word.isa("...") for word in body)


def _target(left: list[Token], sides: tuple[tuple[Token, ...], ...], known: frozenset[str]) -> Equation:
    left = _behind_colon(left)
    if not left:
        raise FormulaError(":", "a name is expected before the `=`", sides[0][0].start)
    start = left[0].start
    if len(left) > 3 and left[0].kind is Kind.NAME and left[1].isa("(") and left[-1].isa(")"):
        parameters = _parameters(left[2:-1], known)
        if parameters:
            return Equation(left[0].text.lower(), (), sides, start, parameters=parameters)
    if len(left) == 2 and all(word.kind is Kind.NAME for word in left) and left[0].text in ("d", "D"):
        return Equation(left[0].text + left[1].text, (), sides, start)
    if not any(word.latex for word in left) and len(left) > 1:
        left = _behind_prose(left)
    parser = Parser([*left, Token(Kind.END, "", left[-1].start)], known, True)
    target = parser.expression()
    if parser.token.kind is not Kind.END:
        raise parser.fail("one name is expected before the `=`")
    power: float = 1
    if isinstance(target, Call) and target.op == "pow" and isinstance(exponent := target.args[1], Number):
        target, power = target.args[0], exponent.value
    indices: tuple[str, ...] = ()
    if isinstance(target, Call) and target.op == "at":
        indices = tuple(_index(arg, left[0]) for arg in _flat(target))
        target = _base(target)
    if not isinstance(target, Name):
        raise FormulaError(left[0].text, "one name is expected before the `=`", start)
    return Equation(target.name, indices, sides, start, power)


def _behind_colon(left: list[Token]) -> list[Token]:
    """What stands behind a heading: ``formula: y``."""
    depth, after = 0, 0
    for at, word in enumerate(left):
        depth += word.isa(*_OPENING) - word.isa(*_CLOSING)
        if word.isa(":") and not depth:
            after = at + 1
    return left[after:]


def _parameters(words: list[Token], known: frozenset[str]) -> tuple[str, ...]:
    """The operands that a function's left side names; none where it is no list of names."""
    parser = Parser([*words, Token(Kind.END, "", words[-1].start)], known, True)
    found = [parser.expression()]
    while parser.token.isa(","):
        parser.take()
        found.append(parser.expression())
    names = tuple(one.name for one in found if isinstance(one, Name))
    return names if len(names) == len(found) and parser.token.kind is Kind.END else ()


def _behind_prose(left: list[Token]) -> list[Token]:
    """The name before an ``=`` without the words of a sentence in front of it."""
    depth = 0
    for at in range(len(left) - 1, -1, -1):
        depth += left[at].isa(*_CLOSING) - left[at].isa(*_OPENING)
        if not depth and left[at].kind is Kind.NAME:
            return left[at:]
    return left


def _flat(target: Call) -> list[Expr]:
    base, *rest = target.args
    return [*(_flat(base) if isinstance(base, Call) and base.op == "at" else ()), *rest]


def _base(target: Expr) -> Expr:
    return _base(target.args[0]) if isinstance(target, Call) and target.op == "at" else target


def _index(index: Expr, word: Token) -> str:
    if not isinstance(index, Name):
        raise FormulaError(word.text, "the index on the left side is not understood", word.start)
    return index.name


def is_prose(word: Token) -> bool:
    """Whether a word behind an expression goes on in English."""
    return word.kind is Kind.NAME and word.text in _PROSE


def says_rows(words: Sequence[Token]) -> bool:
    """Whether prose behind an expression says that it goes along the last axis.

    Raises ``FormulaError`` where it names another one.
    """
    if words[0].text not in _ALONG:
        return False
    named = [word.text.lower() for word in words]
    if not _AXES & set(named):
        return False
    if "last" in named or {"row", "rows"} & set(named) or ("-" in named and "1" in named):
        return True
    raise FormulaError(words[0].text, "along which axis is not understood: write `dim`", words[0].start)
