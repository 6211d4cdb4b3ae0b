"""A specification written as a kernel: understood, lowered, planned, written; or the reason why not."""

from __future__ import annotations

import re
from collections.abc import Sequence

from attrs import evolve, frozen

from kernelgen_ls.kernel.cases.columns import Column, read_columns
from kernelgen_ls.kernel.chips import Architecture, Chip
from kernelgen_ls.kernel.formula import Formula, NotUnderstood, understand
from kernelgen_ls.kernel.formula.lowering import Lowered, NotLoweredError, Operand, Scalar, lower
from kernelgen_ls.kernel.formula.tree import Name, Number, Text
from kernelgen_ls.kernel.formula.writing import written
from kernelgen_ls.kernel.host import read_host
from kernelgen_ls.kernel.spec.specification import SpecAttribute, Specification
from kernelgen_ls.kernel.writer.columns import Typed, kind_of, typed
from kernelgen_ls.kernel.writer.hands import CLASS, Hand
from kernelgen_ls.kernel.writer.host import Fixed, fixed_value, host_file, literal_number, tiling_header
from kernelgen_ls.kernel.writer.kernel import kernel_file
from kernelgen_ls.kernel.writer.naming import RESERVED, Names, camel
from kernelgen_ls.kernel.writer.plan import Attribute, Kind, Plan, aligned, sizes_of
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

    ``static``: only a kernel, for the shapes and attributes that the specification says, in its first element types.
    Otherwise a kernel for any shape and every column of element types, with its op_host and tiling header.
    ``kernel`` and ``host`` are what the project has of both: the entry function keeps its signature, the definition of
    the operator stays. ``formula`` is the specification's where it was understood before.
    """
    try:
        return _Writer(specification, chip, static, kernel, host, hand).written(formula)
    except NotLoweredError as error:
        return NotWritten(str(error))
    except _NotWrittenError as error:
        return NotWritten(str(error))


@frozen
class _Writer:
    specification: Specification
    chip: Chip
    static: bool
    kernel: str
    host: str
    hand: Hand

    def written(self, formula: Formula | None) -> Written:
        spec = self.specification
        if self.chip.architecture is not Architecture.DAV_2201:
            raise _NotWrittenError(f"kernels for {self.chip.soc} are not")
        if any(one.requirement == "dynamic" for one in (*spec.inputs, *spec.outputs)):
            raise _NotWrittenError("lists of tensors are not")
        formula = self._formula() if formula is None else formula
        if set(formula.outputs) != {one.name for one in spec.outputs}:
            raise _NotWrittenError(f"the formula gives {', '.join(formula.outputs)} and the operator other outputs")
        unread = [one.name for one in spec.inputs if one.name not in formula.reads]
        if unread:
            raise _NotWrittenError(f"the formula does not read {unread[0]}")
        columns = self._columns()
        types = typed(columns, [one.name for one in (*spec.inputs, *spec.outputs)])
        self._check_kinds(types)
        lowered, fixed = self._lowered(formula, types)
        plan = self._plan(formula, lowered, types)
        if plan.static and sizes_of(plan) is None:
            raise _NotWrittenError("a shape is no number")
        self._check_rows(plan)
        text = kernel_file(plan, self._entry()[0])
        if self.static:
            return Written(text)
        return Written(text, host_file(plan, self.host, fixed), tiling_header(plan))

    def _formula(self) -> Formula:
        spec = self.specification
        names = ([one.name for one in spec.inputs], [one.name for one in spec.attributes])
        reason = "nobody says what it computes"
        for text in filter(None, (spec.formula, spec.reference)):
            found = understand(text, *names, [one.name for one in spec.outputs])
            if isinstance(found, Formula):
                return found
            assert isinstance(found, NotUnderstood)
            reason = found.message
        raise _NotWrittenError(reason)

    def _columns(self) -> Sequence[Column]:
        host = read_host({"op_host/host.cpp": self.host}) if self.host else None
        operator = host.operator_for(self.specification.kernel_name) if host is not None else None
        families = (self.chip.config_name, *self.chip.former_config_names)
        columns = read_columns(self.specification, operator, families, "DTYPE_")
        if not columns:
            raise _NotWrittenError("nobody says the element types")
        return columns if self.host or not self.static else columns[:1]

    def _check_kinds(self, types: Typed) -> None:
        for name, one in types.tensors.items():
            if len({kind_of(type_) for type_ in one.types}) > 1:
                raise _NotWrittenError(f"{name} has both floating-point and integer columns")

    # The formula, lowered

    def _lowered(self, formula: Formula, types: Typed) -> tuple[Lowered, tuple[Fixed, ...]]:
        """The lowered formula; with attributes held to their defaults where they decide what is computed."""
        try:
            return self._lowered_with(formula, types, held=False), ()
        except NotLoweredError as error:
            if "when the kernel runs" not in str(error):
                raise
        held = [
            Fixed(one, index, fixed_value(one))
            for index, one in enumerate(self.specification.attributes)
            if one.type in ("int", "bool", "string") and one.default is not None
        ]
        return self._lowered_with(formula, types, held=True), tuple(held)

    def _lowered_with(self, formula: Formula, types: Typed, *, held: bool) -> Lowered:
        spec = self.specification
        shapes = {one.name: one.shape for one in spec.inputs}
        inputs = {one.name: _operand(types, one.name, shapes[one.name]) for one in spec.inputs}
        outputs = {one.name: _operand(types, one.name, None) for one in spec.outputs}
        attributes = {one.name: _meaning(one, held=held or self.static) for one in spec.attributes}
        if all(one.kind == "int32_t" for one in inputs.values()) and all(
            one.kind in ("int32_t", "bool") for one in outputs.values()
        ):
            try:
                return lower(formula, inputs, outputs, attributes, native=True)
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

    def _plan(self, formula: Formula, lowered: Lowered, types: Typed) -> Plan:
        spec = self.specification
        used = set(lowered.attributes)
        names = Names({*RESERVED, *(one.name for one in (*spec.inputs, *spec.outputs))})
        attributes = tuple(
            Attribute(one, names.unique(camel(one.name)), _scalar_type(one, lowered))
            for one in spec.attributes
            if one.name in used
        )
        return Plan(
            spec, written(formula), lowered, types, self.chip, self.hand, attributes, self.static, self._entry()[1]
        )

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

    def _check_rows(self, plan: Plan) -> None:
        if not plan.longest_tile():
            raise _NotWrittenError("its tensors do not fit into the unified buffer together")
        cols = plan.lowered.space.count(plan.lowered.space.cols)
        if plan.kind is Kind.REDUCING and cols is not None and aligned(cols) > plan.longest_tile():
            raise _NotWrittenError(
                f"rows of {cols} elements, which do not fit into the unified buffer, are not reduced"
            )


def _operand(types: Typed, name: str, shape: tuple[str, ...] | None) -> Operand:
    one = types.tensors[name]
    return Operand(one.kind, shape, frozenset(one.types))


def _meaning(one: SpecAttribute, *, held: bool) -> Scalar | Text:
    """What an attribute's name stands for: itself, or its default where it has to be known."""
    plain = (one.default or "").strip()
    if one.type == "string":
        return Text(plain.strip("\"'"))
    if held and one.type in ("int", "bool") and plain:
        lowered = plain.lower()
        return Scalar(Number(lowered == "true" if lowered in ("true", "false") else int(literal_number(plain))))
    return Scalar(Name(one.name))


def _scalar_type(one: SpecAttribute, lowered: Lowered) -> str:
    return "int32_t" if one.type == "int" and lowered.is_native else "float"
