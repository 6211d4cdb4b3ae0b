"""Cases that nobody has written: from an operator's specification, its rows of test cases and its formula.

The rows, or the shapes that the specification says, in every column of element types; then an odd tail and the least
shape where shapes are free; then zeros and large numbers where the formula's values for them are no edge of their type.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve, field, frozen

from kernelgen_ls.kernel.cases.blocks import blocks_of_kernel
from kernelgen_ls.kernel.cases.case import Given, MadeCase, MadeCases, NotMade
from kernelgen_ls.kernel.cases.columns import Column, read_columns
from kernelgen_ls.kernel.cases.indices import bounds, operations
from kernelgen_ls.kernel.cases.meanings import meanings
from kernelgen_ls.kernel.cases.rows import Row, Shape, read_rows
from kernelgen_ls.kernel.cases.shapes import Shapes, read_shapes
from kernelgen_ls.kernel.cases.sheet import CaseTable
from kernelgen_ls.kernel.cases.telling import has_powers, levels, order_of_norm, smallness, takes_negative
from kernelgen_ls.kernel.cases.trial import Trial
from kernelgen_ls.kernel.formula import Formula, NotUnderstood, spelled_out, understand
from kernelgen_ls.kernel.formula.readings import is_open
from kernelgen_ls.kernel.formula.rows import OPEN
from kernelgen_ls.kernel.opdef import OperatorDefinition
from kernelgen_ls.kernel.spec.specification import HOW_TO_SAY, SpecAttribute, Specification
from kernelgen_ls.kernel.spec.understood import texts_of, understood
from kernelgen_ls.kernel.structure import Function

MAX_ROWS = 12
"""So many rows of a table are taken."""
MAX_ELEMENTS = 1 << 23
"""More in all inputs together are not tried: the golden outputs of every case would take minutes."""
_ALIGNED = re.compile(r"对齐|整数倍|倍数|\balign(?:ed|ment)?\b|\bmultiples? of\b|\bdivisible\b", re.IGNORECASE)
_NEED_NOT = re.compile(r"不必|不需|无需|不要求|不限|\bnot\b|n't\b|\bno need\b|\bany\b|\bwithout\b", re.IGNORECASE)
_OF_THE_CUBE = frozenset({"matmul", "outer"})
"""What works in blocks of sizes of their own, which no specification mentions."""


@frozen
class Described:
    """What is known of an operator: its specification, ``table`` of test cases, definition and kernel.

    ``code`` is the kernel's text, ``text`` the descriptions' (for what they say of alignment), ``families`` the names
    that definitions give the chip. ``sources`` and ``reference_source`` name, for people, what specification, table
    and reference code were read from.
    """

    specification: Specification
    kernel: Function
    code: str
    table: CaseTable = field(factory=CaseTable)
    operator: OperatorDefinition | None = None
    families: tuple[str, ...] = ()
    text: str = ""
    sources: tuple[str, ...] = ()
    reference_source: str = ""

    @property
    def tiled(self) -> bool:
        """Whether the kernel is told its shapes."""
        return any("tiling" in parameter.name.lower() for parameter in self.kernel.parameters)


def make_cases(what: Described) -> MadeCases | NotMade:
    """The cases of an operator, or why there are none.

    Golden outputs come from the formula where it leaves nothing open, else from reference code that is understood.
    """
    spec = what.specification
    lacking = _lacking(what)
    if lacking:
        return lacking
    tried: list[MadeCases | NotMade] = []
    for text in texts_of(spec):
        made = _made_with(text, what)
        if isinstance(made, MadeCases) and not made.assumptions:
            return made
        tried.append(made)
    return next((one for one in tried if isinstance(one, MadeCases)), tried[0])


def _made_with(text: str, what: Described) -> MadeCases | NotMade:
    """The cases whose golden outputs ``text`` gives: the specification's formula, or its reference code."""
    spec = what.specification
    inputs, outputs, attributes = (
        [one.name for one in named] for named in (spec.inputs, spec.outputs, spec.attributes)
    )
    formula = understood(spec, text)
    if isinstance(formula, NotUnderstood):
        return NotMade(f"{formula.message}; write golden(case, inputs) in {what.kernel.name}_cases.py")
    unread = [name for name in inputs if name not in formula.reads]
    if unread:
        return NotMade(f"no golden outputs: the formula does not read {', '.join(unread)}")
    if len(formula.outputs) != len(spec.outputs):
        given, wanted = (", ".join(names) for names in (formula.outputs, [one.name for one in spec.outputs]))
        return NotMade(
            f"no golden outputs: the formula gives {given or 'nothing'}, the operator's outputs are {wanted}"
        )
    rows = read_rows(what.table, spec.inputs)
    shapes = read_shapes(spec.inputs, rows, what.text, told=what.tiled)
    if isinstance(shapes, str):
        return NotMade(f"nobody says the shape of {shapes}: {HOW_TO_SAY['shapes']}")
    named = sorted(shapes.free - shapes.numbers)
    if named and not rows and not what.tiled:
        return NotMade(f"nobody says how long {named[0]} is in this kernel, which reads no tiling: give it a number")
    columns = read_columns(spec, what.operator, what.families, what.code)
    if not columns:
        return NotMade(f"nobody says the element types: {HOW_TO_SAY['dtypes']}")
    read = meanings(spec, text, what.text, shapes)
    assert not isinstance(read, NotUnderstood)  # it was understood above
    if read[0] == understand(text, inputs, attributes, outputs) and not is_open(read[0]):
        return _Maker(what, text, read, rows, shapes, columns, text != spec.formula).made()
    # What only the specification says has to stand in the cases' formula itself.
    return _Maker(what, spelled_out(read[0]), read, rows, shapes, columns, text != spec.formula).made()


def _lacking(what: Described) -> NotMade | None:
    spec, name = what.specification, what.kernel.name
    if not spec.formula and not spec.reference:
        return NotMade(f"no golden outputs: nobody says what {name} computes; {HOW_TO_SAY['formula']}")
    for side, tensors in (("inputs", spec.inputs), ("outputs", spec.outputs)):
        if not tensors:
            return NotMade(f"nobody says the {side} of {name}: {HOW_TO_SAY[side]}")
    return None


@frozen
class _Maker:
    what: Described
    text: str
    meanings: tuple[Formula, ...]
    rows: tuple[Row, ...]
    shapes: Shapes
    columns: tuple[Column, ...]
    from_code: bool
    """Whether the golden outputs are those of reference code."""

    @property
    def formula(self) -> Formula:
        """What the formula most likely means."""
        return self.meanings[0]

    def made(self) -> MadeCases | NotMade:
        kernel = self.what.kernel.name
        known = self._attributes({})
        unset = [name for name in self.formula.attributes if name not in known]
        if any(name not in row.attributes for name in unset for row in self.rows or (Row(""),)):
            return NotMade(f"no golden outputs: {unset[0]} has no default; {_SAY_DEFAULT.format(name=unset[0])}")
        base = tuple(self._base())
        if not base:
            return NotMade("no row of test cases has the axes that the specification says")
        if base[0].elements > MAX_ELEMENTS:
            return NotMade(
                f"{base[0].name} is too large for golden outputs of its formula: write golden(case, inputs) in numpy"
            )
        order = order_of_norm(self.formula)
        if order:
            return NotMade(f"nobody says which exponents {order} takes: write inputs(case, rng) in {kernel}_cases.py")
        negative = takes_negative(self.formula)
        trial = Trial(self.formula, self._small(base[0]), negative)
        problem = trial.problem()
        if problem:
            return NotMade(f"no golden outputs: {problem}")
        least = min(base, key=lambda case: case.elements)
        values = [(0, "zeros")] if trial.zeros() and not has_powers(self.formula) else []
        largest = trial.largest()
        values += [(largest, f"up to {largest}")] if largest else []
        extra = [evolve(least, name=f"{named}, {least.name}", largest=bound) for bound, named in values]
        extra += self._telling(least, trial)
        blocks, guessed = None, False
        if not self.what.tiled:
            blocks, guessed = blocks_of_kernel(self.what.code, math.prod(next(iter(base[0].inputs.values())).shape))
        # Those that op_host may refuse come last: a tiling function that does not end takes the later ones along.
        cases = (*base, *extra, *self._further(base))
        sources = self._sources(len(base))
        several = self.meanings if len(self.meanings) > 1 else ()
        readings = {" and ".join(one.assumptions): spelled_out(one) for one in several}
        open_ = tuple(one for one in self.formula.assumptions if several or not one.endswith(OPEN))
        fixed = self.what.tiled and not self.shapes.free and not any(case.tentative for case in cases)
        return MadeCases(
            kernel, self.text, cases, trial.domain(), sources, blocks, guessed, negative, fixed, open_, readings
        )

    def _telling(self, least: MadeCase, trial: Trial) -> Iterator[MadeCase]:
        """Cases that tell apart what usual numbers do not: at the formula's steps, and as small as its constants."""
        found = levels(self.formula, least.attributes)
        steps = evolve(least, name=f"halves, {least.name}", levels=found)
        if found and trial.special(evolve(trial.case, levels=found)):
            yield steps
        times = smallness(self.formula, least.attributes)
        if times is not None and trial.special(evolve(trial.case, times=times)):
            yield evolve(least, name=f"times {times:g}, {least.name}", times=times)

    def _sources(self, taken: int) -> tuple[str, ...]:
        """What the cases were made from, with what was assumed or left out."""
        *first, last = (*self._golden(), *self.what.sources)
        if self.shapes.assumed:
            last = f"{last} with shapes that nobody says"
        elif taken < len(self.rows):
            last = f"{taken} of {len(self.rows)} rows of {last}"
        return (*first, last)

    def _golden(self) -> tuple[str, ...]:
        """Where the golden outputs come from, where it is no formula."""
        return (f"the reference code of {self.what.reference_source}",) if self.from_code else ()

    def _base(self) -> Iterator[MadeCase]:
        """The rows, else the specification's own shapes, so that every column is there."""
        taken = [(row, shapes) for row in self.rows if (shapes := self.shapes.of_row(row)) is not None]
        taken = [one for one in taken if sum(map(math.prod, one[1].values())) <= MAX_ELEMENTS][:MAX_ROWS]
        own = self.shapes.at(self.shapes.usual)
        if not self.what.tiled:  # its shapes stand in its text
            fixed = self.shapes.at(
                {name: size for name, size in self.shapes.usual.items() if name not in self.shapes.free}
            )
            same = [one for one in taken if one[1] == fixed]
            taken = same[:1] or ([] if fixed is not None else taken[:1])
        if not taken and own is not None:
            taken = [(Row(""), own)]
        left = list(self.columns)
        for row, shapes in taken:
            column = self._column(row, left or self.columns)
            if column is not None:
                left = [one for one in left if one != column]
                yield self._case(shapes, column, row.attributes)
        if taken:
            row, shapes = min(taken, key=lambda one: sum(map(math.prod, one[1].values())))
            for column in left:
                yield self._case(shapes, column, row.attributes)

    def _column(self, row: Row, preferred: Sequence[Column]) -> Column | None:
        """The column that a row means: of its types the first of the preferred ones."""
        first = next(iter(self.shapes.inputs))
        wanted = {**({first: row.dtype} if row.dtype else {}), **row.dtypes}
        fits = (
            one for one in (*preferred, *self.columns) if all(one.get(name) == type_ for name, type_ in wanted.items())
        )
        return next(fits, None)

    def _further(self, base: Sequence[MadeCase]) -> Iterator[MadeCase]:
        """An odd tail and the least shape, where nothing speaks against them."""
        aligned = any(_ALIGNED.search(line) and not _NEED_NOT.search(line) for line in self.what.text.splitlines())
        if not self.what.tiled or aligned or operations(self.formula) & _OF_THE_CUBE:
            return
        known = [{name: one.shape for name, one in case.inputs.items()} for case in base]
        attributes = self.rows[0].attributes if self.rows else {}
        for sizes, column in ((self.shapes.odd(), self.columns[-1]), (self.shapes.least(), self.columns[0])):
            shapes = self.shapes.at(sizes) if sizes is not None else None
            if shapes is None or shapes in known:
                continue
            known.append(shapes)
            case = self._case(shapes, column, attributes)
            yield evolve(case, name=f"{self._kind(shapes, known[0])}, {case.name}", tentative=True)

    def _kind(self, shapes: Mapping[str, Shape], usual: Mapping[str, Shape]) -> str:
        """What is special about shapes, in words."""
        first = next(iter(shapes))
        if math.prod(shapes[first]) == 1:
            return "one element"
        if shapes[first][-1:] != usual[first][-1:]:
            return "odd tail"
        return "one row" if math.prod(shapes[first][:-1]) == 1 else "odd rows"

    def _case(self, shapes: Mapping[str, Shape], column: Column, written: Mapping[str, str]) -> MadeCase:
        below = bounds(self.formula, shapes)
        inputs = {name: Given(column[name], shape, below.get(name)) for name, shape in shapes.items()}
        outputs = {one.name: column[one.name] for one in self.what.specification.outputs}
        shown = list(next(iter(inputs.values())).shape)
        types = ", ".join(dict.fromkeys(one.dtype for one in inputs.values()))
        return MadeCase(f"{shown} {types}", inputs, outputs, self._attributes(written))

    def _small(self, case: MadeCase) -> MadeCase:
        """The case with axes as short as the specification lets them be, for a trial."""
        shapes = self.shapes.short() or {name: one.shape for name, one in case.inputs.items()}
        below = bounds(self.formula, shapes)
        return evolve(
            case,
            inputs={name: Given(one.dtype, shapes[name], below.get(name)) for name, one in case.inputs.items()},
        )

    def _attributes(self, written: Mapping[str, str]) -> dict[str, Any]:
        """The attributes' values by name: a row's own, else their defaults."""
        found = {}
        for one in self.what.specification.attributes:
            text = written.get(one.name) or one.default
            value = None if text is None else _value(text, one)
            if value is not None:
                found[one.name] = value
        return found


_SAY_DEFAULT = "write 'attr {name}: float = 1.0' in the comment, or name its value in api_desc.md or test_cases.csv"


def _value(text: str, attribute: SpecAttribute) -> Any:
    """An attribute's value as it is written in C++, Python or JSON; a word as it stands, None for nothing."""
    plain = text.strip().strip("`")
    if plain in ("None", "null", "nullptr", ""):
        return None
    listed = plain.replace("{", "[").replace("}", "]").replace("(", "[").replace(")", "]")
    number = re.sub(r"(?<=[\d.])[fFuUlL]+\b", "", listed)
    number = re.sub(r"(?<=\d)\.(?!\d)", ".0", number)
    try:
        value = json.loads({"True": "true", "False": "false"}.get(number, number))
    except ValueError:
        return plain.strip("'\"")
    return float(value) if attribute.type.lower() == "float" and isinstance(value, int) else value
