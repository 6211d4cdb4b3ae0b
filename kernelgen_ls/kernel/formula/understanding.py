"""From a text to a formula, or to the word where the understanding ends."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence

from attrs import define, evolve, field

from kernelgen_ls.kernel.formula.fragments import mathematics
from kernelgen_ls.kernel.formula.indices import Wholes
from kernelgen_ls.kernel.formula.naming import bound, plain
from kernelgen_ls.kernel.formula.notation.parser import Parser
from kernelgen_ls.kernel.formula.python_code.code import Code, from_code, looks_like_code
from kernelgen_ls.kernel.formula.rows import LAST, NOTHING, OVER, Taken, with_axes
from kernelgen_ls.kernel.formula.statements import Equation, bare_expression, equations, is_prose, says_rows
from kernelgen_ls.kernel.formula.tokens import Kind, Token
from kernelgen_ls.kernel.formula.tree import (
    Assignment,
    Call,
    Expr,
    Formula,
    FormulaError,
    Name,
    NotUnderstood,
    Number,
    names_in,
    renamed,
    replaced,
)

_AGAIN = " again"
_MAX_CHARACTERS = 20_000
"""Nothing that anybody writes as one formula is longer, and no text may keep an editor waiting."""
_FENCE = re.compile(r"^[ \t]*```[ \t]*(?P<language>\w*)[^\n]*\n(?P<code>.*?)^[ \t]*```", re.MULTILINE | re.DOTALL)


def understand(
    text: str,
    inputs: Sequence[str] = (),
    attributes: Sequence[str] = (),
    outputs: Sequence[str] = (),
    *,
    sizes: Mapping[str, Expr] | None = None,
    rows: bool = False,
    taken: Taken = NOTHING,
) -> Formula | NotUnderstood:
    """What a formula says, or where its understanding ends.

    ``inputs`` and ``attributes`` are the names that the operator declares; a formula that uses others is understood
    only where it is certain which are meant. Without ``inputs`` every name that is nothing else is one. ``outputs``
    are the declared ones; without them they are what no later line reads. ``sizes`` are names of axes' lengths and what
    computes each; ``rows`` tells that a reduction goes over the last axis where nothing else is said; ``taken`` is what
    is taken for what even then is open.
    """
    if len(text) > _MAX_CHARACTERS:
        return NotUnderstood("", f"the formula is longer than {_MAX_CHARACTERS} characters")
    try:
        declared = {*inputs, *attributes, *outputs}
        known = {name: size for name, size in (sizes or {}).items() if name not in declared}
        return _Reader(tuple(inputs), tuple(attributes), tuple(outputs), known, rows, taken).read(text)
    except FormulaError as error:
        return evolve(error.found, offset=min(error.found.offset, len(text)))
    except RecursionError:
        return NotUnderstood("", "the formula is nested too deeply")


@define
class _Reader:
    """Reads one text of equations."""

    inputs: tuple[str, ...]
    attributes: tuple[str, ...]
    outputs: tuple[str, ...]
    sizes: dict[str, Expr] = field(factory=dict)
    rows: bool = False
    taken: Taken = NOTHING
    implied: dict[str, tuple[str, ...]] = field(factory=dict)
    """The indices that an earlier line's value has and its left side does not write."""
    same: list[Assignment] = field(factory=list)
    assumptions: list[str] = field(factory=list)
    seen: dict[str, int] = field(factory=dict)

    def read(self, text: str) -> Formula:
        code = _code(text)
        if code is not None:
            return self._from_code(from_code(code))
        text = mathematics(text)
        declared = frozenset((*self.inputs, *self.attributes, *self.outputs))
        found = equations(text, declared)
        if not found:
            found = self._unnamed(text, declared)
        # Once more, with the names that the equations give: now they are known wherever they stand.
        known = declared | {equation.name for equation in found}
        if any(equation.name not in declared for equation in found):
            found = equations(text, known) or found
        assignments = [self._assignment(equation, known) for equation in found]
        return self._formula(_ordered(_single(found, assignments), frozenset((*self.inputs, *self.attributes))))

    def _unnamed(self, text: str, known: frozenset[str]) -> list[Equation]:
        words = bare_expression(text, known)
        if words is None or (len(words) > 1 and all(word.kind is Kind.NAME for word in words)):
            raise FormulaError("", "there is no formula: a line `y = x1 + x2` is expected")
        return [Equation(self.outputs[0] if len(self.outputs) == 1 else "y", (), (words,), words[0].start)]

    def _assignment(self, equation: Equation, known: frozenset[str]) -> Assignment:
        """The equation's first side that is understood; the error of the first where none is."""
        error: FormulaError | None = None
        values: list[Expr] = []
        for side in equation.sides:
            try:
                value = self._side(side, equation, known)
            except FormulaError as found:
                error = error or found
                continue
            if equation.power != 1:
                value = Call("sqrt", (value,)) if equation.power == 2 else _root(value, equation.power)
            values.append(value)
        if not values:
            assert error is not None
            raise error
        self.same += [Assignment(equation.name, value) for value in values[1:]]
        return Assignment(equation.name, values[0])

    def _side(self, side: tuple[Token, ...], equation: Equation, known: frozenset[str]) -> Expr:
        last = side[-1]
        end = Token(Kind.END, "", last.start + len(last.text))
        parser = Parser([*side, end], known | set(equation.parameters), not self.inputs)
        value = parser.expression()
        while parser.token.isa(".", ",", "\\quad"):
            parser.take()
        if parser.token.kind is not Kind.END:
            if not is_prose(parser.token):
                raise parser.fail("an operator is expected before it")
            self.rows = says_rows(side[parser.at :]) or self.rows
        for name, start in parser.seen.items():
            self.seen.setdefault(name, start)
        self.assumptions += parser.assumptions
        wholes = Wholes(equation.indices, self.sizes)
        whole = wholes.of(_with_implied(value, equation.indices, self.implied))
        if wholes.left and not equation.indices:
            self.implied[equation.name] = wholes.left
        return whole

    def _formula(self, assignments: list[Assignment]) -> Formula:
        assignments = [Assignment(one.name, replaced(one.value, self.sizes)) for one in assignments]
        assignments = _respelled(assignments, (*self.inputs, *self.attributes, *self.outputs))
        names = self._bound(_free(assignments))
        assignments = [Assignment(names.get(one.name, one.name), renamed(one.value, names)) for one in assignments]
        given = self._outputs(assignments)
        same = self._again(names, assignments)
        assignments, outputs = self._declared(assignments, given)
        taken = evolve(self.taken, axis=LAST) if self.rows else self.taken
        said, assumed = with_axes([*assignments, *same], outputs, frozenset(self.attributes), taken)
        assumed = tuple(one for one in assumed if not (self.rows and one == OVER[LAST]))
        again = {one.name for one in same}
        same = tuple(one for one in said if one.name in again)
        said = tuple(one for one in said if one.name not in again)
        called = dict(zip(given, outputs, strict=True))
        used = _free(said)
        return Formula(
            assignments=said,
            outputs=outputs,
            reads=tuple(name for name in used if name not in self.attributes),
            attributes=tuple(name for name in used if name in self.attributes),
            assumptions=tuple(dict.fromkeys((*self.assumptions, *assumed))),
            same=tuple(
                Assignment(called.get(name, name), one.value) for one in same for name in [one.name[: -len(_AGAIN)]]
            ),
        )

    def _again(self, names: Mapping[str, str], assignments: Sequence[Assignment]) -> tuple[Assignment, ...]:
        """The further sides of equations, where they read nothing but what the formula does."""
        given = {one.name for one in assignments}
        free = set(_free(assignments))
        further = [
            Assignment(one.name + _AGAIN, renamed(replaced(one.value, self.sizes), dict(names))) for one in self.same
        ]
        return tuple(one for one in further if not given & free and set(names_in(one.value)) <= free | given)

    def _from_code(self, code: Code) -> Formula:
        assignments = list(code.assignments)
        names = self._bound(_free(assignments), code.parameters)
        taken = {one.name for one in assignments}
        names |= {one: f"{one}_1" for one in taken & set(names.values()) if names.get(one, one) not in names}
        assignments = [Assignment(names.get(one.name, one.name), renamed(one.value, names)) for one in assignments]
        outputs = tuple(names.get(name, name) for name in code.outputs)
        assignments, outputs = self._declared(assignments, outputs)
        used = _free(assignments)
        defaults = {names.get(name, name): value for name, value in code.defaults}
        attributes = {*self.attributes, *(name for name in defaults if name not in self.inputs)}
        return Formula(
            assignments=tuple(assignments),
            outputs=outputs,
            reads=tuple(name for name in used if name not in attributes),
            attributes=tuple(name for name in used if name in attributes),
            assumptions=tuple(dict.fromkeys(self.assumptions)),
            defaults=tuple((name, value) for name, value in defaults.items() if name in used),
        )

    def _declared(
        self, assignments: list[Assignment], outputs: tuple[str, ...]
    ) -> tuple[list[Assignment], tuple[str, ...]]:
        """With the outputs called what they are declared, where there are as many."""
        if len(self.outputs) != len(outputs) or self.outputs == outputs:
            return assignments, outputs
        written = {name for one in assignments for name in (one.name, *names_in(one.value))}
        if written & set(self.outputs) or set(outputs) & set(_free(assignments)):
            given = [Assignment(f"{name}_", Name(name)) for name in outputs]
            last = [Assignment(new, Name(f"{name}_")) for new, name in zip(self.outputs, outputs, strict=True)]
            return [*assignments, *given, *last], self.outputs
        names = dict(zip(outputs, self.outputs, strict=True))
        same = [Assignment(names.get(one.name, one.name), renamed(one.value, names)) for one in assignments]
        return same, self.outputs

    def _bound(self, free: Sequence[str], parameters: Sequence[str] = ()) -> dict[str, str]:
        """The declared name of each name; raises ``FormulaError`` for one that means nothing."""
        if not self.inputs:
            return bound(free, self.attributes) if self.attributes else {}
        names = bound(free, (*self.inputs, *self.attributes))
        places = [name for name in parameters if name not in names]
        left = [name for name in (*self.inputs, *self.attributes) if name not in names.values()]
        if len(places) == len(left):
            names |= dict(zip(places, left, strict=True))
        for name in free:
            if name not in names:
                reason = "nothing of this name is an input, an attribute or given by an earlier line"
                raise FormulaError(name, reason, self.seen.get(name, 0))
            if plain(name) != plain(names[name]):
                self.assumptions.append(f"`{name}` taken for the declared `{names[name]}`")
        return names

    def _outputs(self, assignments: Sequence[Assignment]) -> tuple[str, ...]:
        given = list(dict.fromkeys(one.name for one in assignments))
        read: set[str] = set()
        for at, one in enumerate(assignments):
            read |= {name for later in assignments[at + 1 :] for name in names_in(later.value) if name == one.name}
        last = [name for name in given if name not in read]
        if self.outputs:
            named = [name for name in self.outputs if name in given]
            if len(named) == len(self.outputs):
                return tuple(named)
        return tuple(last)


def _code(text: str) -> str | None:
    """The Python in a text: that of its first fence, or all of it; None where it is mathematics."""
    fence = _FENCE.search(text)
    if fence is not None:
        inner = textwrap.dedent(fence.group("code"))
        is_python = fence.group("language").lower() in ("python", "py", "python3") or looks_like_code(inner)
        return inner if is_python else None
    return textwrap.dedent(text) if looks_like_code(text) else None


def _root(value: Expr, power: float) -> Expr:
    return Call("pow", (value, Call("div", (Number(1), Number(power)))))


def _free(assignments: Sequence[Assignment]) -> list[str]:
    """The names that are read before they are given, in order of first use."""
    given: set[str] = set()
    free: dict[str, None] = {}
    for one in assignments:
        free.update(dict.fromkeys(name for name in names_in(one.value) if name not in given))
        given.add(one.name)
    return list(free)


def _with_implied(expr: Expr, indices: Sequence[str], implied: Mapping[str, tuple[str, ...]]) -> Expr:
    """The tree with the indices that earlier lines' values have, where the equation has them and others besides."""
    if isinstance(expr, Name):
        own = implied.get(expr.name, ())
        return Call("at", (expr, *map(Name, own))) if own and set(own) < set(indices) else expr
    if not isinstance(expr, Call) or expr.op == "at":
        return expr
    args = tuple(_with_implied(arg, indices, implied) for arg in expr.args)
    return Call(expr.op, args, tuple((name, _with_implied(value, indices, implied)) for name, value in expr.options))


def _ordered(assignments: Sequence[Assignment], declared: frozenset[str]) -> list[Assignment]:
    """With what a line reads before it, where only a later line gives it: mathematics has no order."""
    left = list(assignments)
    done: list[Assignment] = []
    given: set[str] = set()
    while left:
        later = {one.name for one in left}
        ready = next(
            (one for one in left if all(n in given or n in declared or n not in later for n in names_in(one.value))),
            left[0],
        )
        left.remove(ready)
        done.append(ready)
        given.add(ready.name)
    return done


def _single(found: Sequence[Equation], assignments: Sequence[Assignment]) -> list[Assignment]:
    """Without what is said twice: of a formula of whole tensors and one of their elements, the latter is exact.

    Raises ``FormulaError`` for a name that has two different values.
    """
    kept: list[tuple[Equation, Assignment]] = []
    for equation, one in zip(found, assignments, strict=True):
        earlier = next((at for at, (_, other) in enumerate(kept) if other.name == one.name), None)
        if earlier is None or one.name in set(names_in(one.value)):
            kept.append((equation, one))
        elif equation.indices and not kept[earlier][0].indices:
            kept[earlier] = (equation, one)
        elif kept[earlier][1] != one and (equation.indices or not kept[earlier][0].indices):
            raise FormulaError(one.name, "two formulas give it different values", equation.start)
    return [one for _, one in kept]


def _respelled(assignments: Sequence[Assignment], declared: Sequence[str]) -> list[Assignment]:
    """With one name for what is written in capitals here and in small letters there, and said once if the same."""
    spelled: dict[str, str] = {}
    by_plain: dict[str, str] = {}
    together = [{one.name, *names_in(one.value)} for one in assignments]
    for name in (*declared, *(name for names in together for name in sorted(names))):
        first = by_plain.setdefault(plain(name), name)
        if first != name and name not in declared and not any({first, name} <= names for names in together):
            spelled[name] = first
    same = [Assignment(spelled.get(one.name, one.name), renamed(one.value, spelled)) for one in assignments]
    if len(dict.fromkeys(one.name for one in same)) != len(dict.fromkeys(same)):
        return list(assignments)
    return list(dict.fromkeys(same))
