"""A specification written as a kernel: understood, lowered, planned, written; or the reason why not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from attrs import evolve, frozen

from kernelgen_ls.kernel.cases.columns import Column, read_columns
from kernelgen_ls.kernel.chips import Architecture, Chip
from kernelgen_ls.kernel.formula import Formula, NotUnderstood, understand
from kernelgen_ls.kernel.formula.lowering import Lowered, NotLoweredError, Operand, Scalar, lower
from kernelgen_ls.kernel.formula.tree import Call, Expr, Name, Number, Text, parts
from kernelgen_ls.kernel.formula.writing import written
from kernelgen_ls.kernel.host import read_host
from kernelgen_ls.kernel.opdef import OperatorDefinition
from kernelgen_ls.kernel.spec.specification import SpecAttribute, Specification
from kernelgen_ls.kernel.spec.understood import texts_of
from kernelgen_ls.kernel.writer.columns import Typed, typed
from kernelgen_ls.kernel.writer.hands import CLASS, Hand
from kernelgen_ls.kernel.writer.host import Fixed, fixed_value, host_file, tiling_header
from kernelgen_ls.kernel.writer.kernel import kernel_file
from kernelgen_ls.kernel.writer.naming import RESERVED, Names, camel
from kernelgen_ls.kernel.writer.plan import MOST_ELEMENTS, Attribute, Kind, Plan, aligned, known_value, sizes_of
from kernelgen_ls.kernel.writer.templates import kernel_template

_ENTRY = re.compile(r'(?:extern\s+"C"\s+)?__global__\s[^;{]*?\b(?P<name>\w+)\s*\((?P<parameters>[^)]*)\)')
_IN_HALF = frozenset({"Add", "Sub", "Mul", "Div", "Max", "Min", "Exp", "Ln", "Abs", "Sqrt", "Relu"})
"""What is as exact in half as it is in float and rounded: one instruction alone."""


@frozen
class Written:
    """A kernel's texts. ``host`` and ``tiling`` are empty for one whose shapes are constants."""

    kernel: str
    host: str = ""
    tiling: str = ""


@frozen
class NotWritten:
    """Why a specification is not written by rule: words for a user."""

    reason: str


class _NotWrittenError(Exception):
    pass


def write(
    specification: Specification,
    chip: Chip,
    *,
    static: bool,
    kernel: str = "",
    host: str = "",
    hand: Hand = CLASS,
    formula: Formula | None = None,
) -> Written | NotWritten:
    """The kernel that computes a specification's formula on ``chip``, or why none is written by rule.

    ``static``: only a kernel, for the shapes and attributes that the specification says, in its first element types,
    as long as there is no ``host``. Otherwise a kernel for any shape and every column of element types, with its
    op_host and tiling header. ``kernel`` and ``host`` are what the project has of both: the entry function keeps its
    signature, the definition of the operator stays. ``formula`` is the specification's where it was understood before:
    it is tried first.
    """
    try:
        # An op_host tells sizes: a kernel that has them as constants would be wrong for its other shapes.
        defined = _as_defined(specification, host)
        return _Writer(defined, chip, static and not host, kernel, host, hand).written(formula)
    except NotLoweredError as error:
        return NotWritten(str(error))
    except _NotWrittenError as error:
        return NotWritten(str(error))


def _as_defined(specification: Specification, host: str) -> Specification:
    """The specification with lists of tensors and attributes where the definition has them, which knows best."""
    operator = read_host({"op_host/host.cpp": host}).operator_for(specification.kernel_name) if host else None
    if operator is None:
        return specification
    specification = evolve(specification, attributes=_in_order(specification, operator))
    sides = ((specification.inputs, operator.inputs), (specification.outputs, operator.outputs))
    if any(len(tensors) != len(operands) for tensors, operands in sides):
        return specification
    inputs, outputs = (
        tuple(evolve(one, requirement=own.requirement.lower()) for one, own in zip(*side, strict=True))
        for side in sides
    )
    return evolve(specification, inputs=inputs, outputs=outputs)


def _in_order(specification: Specification, operator: OperatorDefinition) -> tuple[SpecAttribute, ...]:
    """The attributes in the definition's order, by which op_host reads them, with those that only it has."""
    said = {one.name: one for one in specification.attributes}
    defined = [one.name for one in operator.attributes]
    if not set(said) <= set(defined):
        return specification.attributes  # other names: one for one
    return tuple(said.get(name, SpecAttribute(name)) for name in defined)


@frozen
class _Writer:
    specification: Specification
    chip: Chip
    static: bool
    kernel: str
    host: str
    hand: Hand

    def written(self, formula: Formula | None) -> Written:
        """The kernel of the first formula that can be written; raises with the reason why the first one cannot."""
        if self.chip.architecture is not Architecture.DAV_2201:
            raise _NotWrittenError(f"there are no rules for {self.chip.soc}")
        self._check_lists()
        first: Exception | None = None
        candidates = [formula] if formula is not None else []
        for candidate in (*candidates, *self._formulas(candidates)):
            found = self._tried(candidate)
            if isinstance(found, Written):
                return found
            first = first or found
        raise first or _NotWrittenError("nobody says what it computes")

    def _check_lists(self) -> None:
        """Lists are gone through tensor by tensor: every output is one, and some input."""
        spec = self.specification
        if not any(one.requirement == "dynamic" for one in (*spec.inputs, *spec.outputs)):
            return
        whole = all(one.requirement == "dynamic" for one in (*spec.inputs[:1], *spec.outputs))
        if self.static or not whole:
            raise _NotWrittenError("lists of tensors whose outputs or first input are none")

    def _check_present(self, formula: Formula) -> None:
        """What a formula reads is there and one number or word: nothing says what holds where it is not."""
        spec = self.specification
        optional = [one.name for one in (*spec.inputs, *spec.outputs) if one.requirement == "optional"]
        if optional:
            raise _NotWrittenError(f"{optional[0]} is optional, and nobody says what holds without it")
        for one in spec.attributes:
            if one.name in formula.attributes and one.type.startswith("list"):
                raise _NotWrittenError(f"{one.name} is a list, and the formula reads it as one value")
            if one.name in formula.attributes and one.type == "string" and one.default is None:
                raise _NotWrittenError(f"{one.name} decides what is computed and has no default")

    def _check_extents(self, formula: Formula, lowered: Sequence[Lowered]) -> None:
        """Sizes that a formula reads are whole tensors': what is read in parts or picked has other rows and columns."""
        if self.static or not any(_reads_sizes(one.value) for one in formula.assignments):
            return
        if any(read.access.parts > 1 or read.access.by for one in lowered for read in one.reads):
            raise _NotWrittenError("sizes of a tensor that is read in parts or by an index")

    def _tried(self, formula: Formula) -> Written | NotLoweredError | _NotWrittenError:
        try:
            return self._written(formula)
        except (NotLoweredError, _NotWrittenError) as error:
            return error

    def _written(self, formula: Formula) -> Written:
        spec = self.specification
        if set(formula.outputs) != {one.name for one in spec.outputs}:
            raise _NotWrittenError(f"the formula gives {', '.join(formula.outputs)} and the operator other outputs")
        unlisted = [name for name in formula.reads if name not in {one.name for one in spec.inputs}]
        if unlisted:
            raise _NotWrittenError(f"nobody lists {unlisted[0]} among the inputs")
        unread = [one.name for one in spec.inputs if one.name not in formula.reads]
        if unread:
            raise _NotWrittenError(f"the formula does not read {unread[0]}")
        self._check_present(formula)
        groups = typed(self._columns(), [one.name for one in (*spec.inputs, *spec.outputs)])
        lowered, fixed = self._lowered(formula, groups)
        self._check_extents(formula, lowered)
        plans = self._plans(formula, lowered, groups)
        for plan in plans:
            self._check(plan)
        text = kernel_file(plans, self._entry()[0])
        if self.static:
            return Written(text)
        return Written(text, host_file(plans, self.host, fixed), tiling_header(plans[0]))

    def _formulas(self, known: Sequence[Formula]) -> Iterator[Formula]:
        """The formula and the reference code beside what is ``known``, what leaves nothing open first.

        Raises where nothing is known and neither is understood.
        """
        spec = self.specification
        names = ([one.name for one in spec.inputs], [one.name for one in spec.attributes])
        outputs = [one.name for one in spec.outputs]
        found = [understand(text, *names, outputs) for text in texts_of(spec)]
        understood = [one for one in found if isinstance(one, Formula) and one not in known]
        if found and not understood and not known and isinstance(found[0], NotUnderstood):
            raise _NotWrittenError(found[0].message)
        yield from sorted(understood, key=lambda one: bool(one.assumptions))

    def _columns(self) -> Sequence[Column]:
        host = read_host({"op_host/host.cpp": self.host}) if self.host else None
        operator = host.operator_for(self.specification.kernel_name) if host is not None else None
        families = (self.chip.config_name, *self.chip.former_config_names)
        columns = read_columns(self.specification, operator, families, "DTYPE_")
        if not columns:
            raise _NotWrittenError("nobody says the element types")
        return columns[:1] if self.static else columns

    # The formula, lowered

    def _lowered(self, formula: Formula, groups: Sequence[Typed]) -> tuple[list[Lowered], tuple[Fixed, ...]]:
        """The formula lowered for each kind of columns; attributes that decide what is computed have their defaults."""
        try:
            words = self._fixed("string")
            return [self._lowered_with(formula, types, held=False) for types in groups], words
        except NotLoweredError as error:
            if "when the kernel runs" not in str(error):
                raise
        held = self._fixed("int", "bool", "string")
        return [self._lowered_with(formula, types, held=True) for types in groups], held

    def _fixed(self, *types: str) -> tuple[Fixed, ...]:
        """The attributes of these types that have a default, which the kernel is written for."""
        return tuple(
            Fixed(one, index, fixed_value(one))
            for index, one in enumerate(self.specification.attributes)
            if one.type in types and known_value(one) is not None
        )

    def _lowered_with(self, formula: Formula, types: Typed, *, held: bool) -> Lowered:
        spec = self.specification
        lists = any(one.requirement == "dynamic" for one in spec.inputs)
        shapes = {one.name: one.shape for one in spec.inputs}
        if lists:  # what is no list is one number for each tensor, or for all
            shapes = {one.name: None if one.requirement == "dynamic" else ("1",) for one in spec.inputs}
        inputs = {one.name: _operand(types, one.name, shapes[one.name]) for one in spec.inputs}
        outputs = {one.name: _operand(types, one.name, None) for one in spec.outputs}
        attributes = {one.name: _meaning(one, held=held or self.static) for one in spec.attributes}
        if all(one.kind == "int32_t" for one in inputs.values()) and all(
            one.kind in ("int32_t", "bool") for one in outputs.values()
        ):
            whole = [one.name for one in spec.attributes if one.type in ("int", "bool")]
            try:
                return lower(formula, inputs, outputs, attributes, native=True, whole=whole)
            except NotLoweredError:  # not in integers
                pass
        found = lower(formula, inputs, outputs, attributes)
        return lower(formula, inputs, outputs, attributes, native=True) if self._fits_half(found, types) else found

    def _fits_half(self, lowered: Lowered, types: Typed) -> bool:
        """Whether one instruction does it all, in the tensors' own type as exactly as in float."""
        steps = [step for step in (*lowered.prologue, *lowered.steps) if step.op not in ("Widen", "Narrow")]
        every = {type_ for one in types.tensors.values() for type_ in one.types}
        alike = len({one.types for one in types.tensors.values()}) == 1
        return (
            alike and every <= {"half", "float"} and every != {"float"} and len(steps) == 1 and steps[0].op in _IN_HALF
        )

    # What is written

    def _plans(self, formula: Formula, lowered: Sequence[Lowered], groups: Sequence[Typed]) -> list[Plan]:
        spec = self.specification
        used = {name for one in lowered for name in one.attributes}
        names = Names({*RESERVED, *(one.name for one in (*spec.inputs, *spec.outputs))})
        whole = all(one.is_native for one in lowered)
        attributes = tuple(
            Attribute(one, names.unique(camel(one.name)), "int32_t" if one.type == "int" and whole else "float")
            for one in spec.attributes
            if one.name in used
        )
        text, parameters = written(formula), self._entry()[1]
        return [
            Plan(spec, text, one, types, self.chip, self.hand, attributes, self.static, parameters)
            for one, types in zip(lowered, groups, strict=True)
        ]

    def _entry(self) -> tuple[str, tuple[str, ...]]:
        """The entry function's signature, and what it calls inputs and outputs."""
        spec = self.specification
        count = len(spec.inputs) + len(spec.outputs)
        for match in _ENTRY.finditer(self.kernel):
            names = tuple(re.findall(r"(\w+)\s*(?:,|$)", match["parameters"]))
            is_told = any("tiling" in name.lower() for name in names)
            if match["name"] == spec.kernel_name and len(names) >= count and (self.static or is_told):
                return re.sub(r"\s+", " ", match.group()).strip(), names[:count]
        template = kernel_template(self._sound(), "", tiling=not self.static)
        match = next(_ENTRY.finditer(template))
        return match.group(), tuple(re.findall(r"(\w+)\s*(?:,|$)", match["parameters"]))[:count]

    def _sound(self) -> Specification:
        """The specification with tensors' names that a parameter may have."""
        names, spec = Names(), self.specification
        inputs = tuple(evolve(one, name=names.unique(one.name, "Addr")) for one in spec.inputs)
        outputs = tuple(evolve(one, name=names.unique(one.name, "Addr")) for one in spec.outputs)
        return evolve(spec, inputs=inputs, outputs=outputs)

    def _check(self, plan: Plan) -> None:
        if plan.kind is Kind.LIST and not plan.lowered.space.is_flat:
            raise _NotWrittenError("a reduction of lists of tensors")
        if not plan.bytes_per_element():
            raise _NotWrittenError("an operator on one element alone")
        if plan.static and sizes_of(plan) is None:
            raise _NotWrittenError("a shape is no number")
        self._check_sizes(plan)
        unset = [one.spec.name for one in plan.attributes if plan.static and known_value(one.spec) is None]
        if unset:
            raise _NotWrittenError(f"{unset[0]} has no default that is a number")
        if not plan.longest_tile():
            raise _NotWrittenError("its tensors do not fit into the unified buffer together")
        cols = plan.lowered.space.count(plan.lowered.space.cols)
        if plan.kind is Kind.REDUCING and cols is not None and aligned(cols) > plan.longest_tile():
            raise _NotWrittenError(
                f"rows of {cols} elements do not fit into the unified buffer, where they are reduced"
            )

    def _check_sizes(self, plan: Plan) -> None:
        """A shape that is numbers has elements, and no more than the kernel counts."""
        shapes = [one.fixed_shape for one in (*plan.specification.inputs, *plan.specification.outputs)]
        if any(shape is not None and 0 in shape for shape in shapes):
            raise _NotWrittenError("a tensor without elements")
        counts = (sizes_of(plan) or {}).values() if plan.static else ()
        if any(count > MOST_ELEMENTS for count in counts):
            raise _NotWrittenError(f"more than {MOST_ELEMENTS} elements, which a kernel does not count in 32 bits")


def _reads_sizes(expr: Expr) -> bool:
    return any(isinstance(part, Call) and part.op == "size" for part in parts(expr))


def _operand(types: Typed, name: str, shape: tuple[str, ...] | None) -> Operand:
    one = types.tensors[name]
    return Operand(one.kind, shape, frozenset(one.types))


def _meaning(one: SpecAttribute, *, held: bool) -> Scalar | Text:
    """What an attribute's name stands for: itself, or its default where it has to be known."""
    if one.type == "string":
        return Text((one.default or "").strip().strip("\"'"))
    value = known_value(one) if held and one.type in ("int", "bool") else None
    return Scalar(Number(value)) if isinstance(value, int | float) else Scalar(Name(one.name))
