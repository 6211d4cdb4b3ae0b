"""What every lint asks of a kernel: the value of an expression, the type and the origin of a tensor.

Everything here answers None where the text does not prove the answer; a lint speaks only of what is proven.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from attrs import define, frozen

from kernelgen_ls.kernel.chips import Chip
from kernelgen_ls.kernel.constants import TYPE_BYTES, evaluate
from kernelgen_ls.kernel.dtypes import SPELLINGS
from kernelgen_ls.kernel.findings import Severity
from kernelgen_ls.kernel.program import Program
from kernelgen_ls.kernel.structure import Argument, Call, Function, Span, Structure, Variable

_TENSOR = re.compile(
    r"(?:this\s*->\s*)?(?P<name>[A-Za-z_]\w*)\s*(?:\[(?P<offset>[^\[\]]*)\])?"
    r"(?:\s*\.\s*(?:template\s+)?ReinterpretCast\s*<(?P<cast>[^<>]*)>\s*\(\s*\))?"
)
_ORIGIN = re.compile(
    r"(?:this\s*->\s*)?(?P<buffer>[A-Za-z_]\w*)\s*(?:\[[^\[\]]*\])?\s*\.\s*(?:template\s+)?"
    r"(?P<method>AllocTensor|DeQue|Get|ReinterpretCast)\s*<(?P<type>[^<>]*(?:<[^<>]*>)?)>\s*\([^()]*\)\s*"
)
_MAX_DEPTH = 8
_ASSIGNED = re.compile(r"\s*=(?!=)")
_VALUE = re.compile(r"\w+\s*=\s*(?P<value>[^;=]*);")
_STEPPED = re.compile(r"\s*(?:\+\+|--|(?:[-+*/%|&^]|<<|>>)=(?!=))")
_ADDRESSED = re.compile(r"(?:\+\+|--|[(,=]\s*&)\s*(?:this\s*->\s*)?$")


@frozen
class Replacement:
    """Replace a span of the text."""

    span: Span
    text: str


@frozen
class Repair:
    """A quick fix: ``safe`` where it keeps the kernel's meaning."""

    title: str
    replacements: tuple[Replacement, ...]
    safe: bool = False


@frozen
class Report:
    """What a lint has to say about a span, with other places that explain it."""

    span: Span
    message: str
    related: tuple[tuple[Span, str], ...] = ()
    repairs: tuple[Repair, ...] = ()


@frozen
class Lint:
    """A rule: its code, the severity it has unless a setting says otherwise, and the check itself."""

    code: str
    severity: Severity
    summary: str
    check: Callable[[LintContext], Iterator[Report]]


@frozen
class Tensor:
    """An expression that is a tensor: ``element`` is its element type, None where the text does not say.

    ``offset`` is the subscript as written ("" without one); ``buffer`` the queue or buffer it was taken from, ``taken``
    by which method.
    """

    variable: Variable
    is_local: bool
    element: str | None
    offset: str
    buffer: Variable | None
    taken: str


@define(eq=False)
class LintContext:
    """One program being linted for one chip."""

    source: Program
    chip: Chip

    @property
    def structure(self) -> Structure:
        """The parts of the kernel."""
        return self.source.structure

    def value(self, expression: str, offset: int, depth: int = 0) -> int | None:
        """Return the integer that ``expression`` has at ``offset``, or None where the text does not prove one."""
        if depth > _MAX_DEPTH:
            return None
        plain = re.sub(r"\bthis\s*->\s*", "", expression)
        return evaluate(
            plain,
            lambda name: self._named_value(name, offset, depth),
            lambda written: self.element_bytes(written, offset),
        )

    def element_bytes(self, written: str | None, offset: int) -> int | None:
        """Return the size of a type at ``offset``, or None for a template parameter, a define, or an unknown type."""
        element = self.element_type(written, offset)
        return None if element is None else TYPE_BYTES.get(element)

    def element_type(self, written: str | None, offset: int) -> str | None:
        """Return the plain name of a known element type (``half`` also for ``float16_t``), or None."""
        name = re.sub(r"\b(?:const|typename|AscendC|std)\b|::|&|\s", "", written or "")
        function = self.structure.function_at(offset)
        for _ in range(_MAX_DEPTH):
            if function is not None and name in self._template_parameters(function):
                return None
            meaning = self.structure.aliases.get(name)
            if meaning is None:
                break
            name = re.sub(r"\b(?:AscendC|std)\b|::|\s", "", meaning)
        name = SPELLINGS.get(name, name)
        return name if name in TYPE_BYTES else None

    def tensor(self, argument: Argument) -> Tensor | None:
        """Return the tensor that an argument is (``x``, ``this->x[64]``), or None where it is not seen to be one."""
        match = _TENSOR.fullmatch(argument.text.strip())
        if match is None:
            return None
        at = argument.span.start
        variable = self.structure.variable_at(match.group("name"), at)
        if variable is None or variable.is_array:
            return None
        kind, element = variable.kind, variable.arguments[0] if variable.arguments else None
        origin = _ORIGIN.fullmatch(variable.value.strip())
        if kind == "auto" and origin is not None:
            kind, element = "LocalTensor", origin.group("type")
        if kind not in ("LocalTensor", "GlobalTensor"):
            return None
        buffer, taken = None, ""
        if origin is not None and origin.group("method") != "ReinterpretCast":
            buffer = self.structure.variable_at(origin.group("buffer"), variable.span.start)
            taken = origin.group("method")
        declared_at = variable.span.start
        known = self.element_type(match.group("cast") or element, at if match.group("cast") else declared_at)
        return Tensor(variable, kind == "LocalTensor", known, match.group("offset") or "", buffer, taken)

    def buffer_of(self, argument: Argument) -> Variable | None:
        """Return the queue or buffer that an argument names (``this->queue``, ``queues[i]``)."""
        name = re.sub(r"\bthis\s*->\s*|\[[^\[\]]*\]|\s", "", argument.text)
        return self.structure.variable_at(name, argument.span.start) if name.isidentifier() else None

    def is_discarded(self, offset: int) -> bool:
        """Return whether ``offset`` lies in an arm of an ``if constexpr`` that is surely not compiled."""
        for conditional in self.structure.compile_time_conditionals:
            if not conditional.span.holds(offset):
                continue
            arm = next((index for index, span in enumerate(conditional.arms) if span.holds(offset)), None)
            condition = self.source.plain[conditional.condition.start : conditional.condition.end]
            value = self.value(condition, conditional.condition.start)
            if arm is not None and value is not None and bool(value) is (arm == 1):
                return True
        return False

    def repeats(self, call: Call) -> bool:
        """Return whether a call runs more than once: in a loop, or in a function that is called from one."""
        if self.structure.loops_at(call.span.start):
            return True
        function = self.structure.function_at(call.span.start)
        return function is not None and self.structure.repeats(function)

    def _named_value(self, name: str, offset: int, depth: int) -> int | None:
        if "::" in name:
            return None
        function = self.structure.function_at(offset)
        if function is not None and name in self._template_parameters(function):
            return None
        variable = self.structure.variable_at(name, offset)
        if variable is None:
            declared = any(item.name == name for item in self.structure.variables)
            return None if declared else self.source.constants.get(name)
        if variable.is_array:
            return None
        if variable.is_constant and (variable.owner or variable.scope.start == 0):
            return self.source.constants.get(name)
        if variable.owner:
            return self._member_value(variable, depth)
        if variable.value and (variable.is_constant or not self._is_assigned(variable)):
            return self.value(variable.value, variable.span.start, depth + 1)
        return None

    def _member_value(self, variable: Variable, depth: int) -> int | None:
        """Return the value of a member that one assignment, of a constant, gives it; None for anything else."""
        everywhere = Span(0, len(self.source.text))
        if variable.value or self.source.is_header or self._steps(variable.name, everywhere):
            return None
        assignments = self._assignments(variable.name, everywhere)
        if len(assignments) != 1:
            return None
        function = self.structure.function_at(assignments[0])
        if function is None or function.owner != variable.owner:
            return None
        value = _VALUE.match(self.source.plain, assignments[0])
        return self.value(value.group("value"), assignments[0], depth + 1) if value else None

    def _is_assigned(self, variable: Variable) -> bool:
        end = self.source.plain.find(";", variable.name_span.end)
        rest = Span(variable.name_span.end if end < 0 else end, variable.scope.end)
        return bool(self._assignments(variable.name, rest)) or self._steps(variable.name, rest)

    def mentions(self, name: str) -> tuple[int, ...]:
        """Return the offsets at which the word ``name`` stands outside comments."""
        return self.source.mentions(name)

    def _assignments(self, name: str, span: Span) -> list[int]:
        """Return where the plain assignments ``name =`` in ``span`` stand."""
        plain = self.source.plain
        return [
            offset
            for offset in self.mentions(name)
            if span.holds(offset) and _ASSIGNED.match(plain, offset + len(name))
        ]

    def _steps(self, name: str, span: Span) -> bool:
        """Return whether ``name`` is changed in ``span`` by anything but a plain assignment, or its address taken."""
        plain = self.source.plain
        return any(
            span.holds(offset)
            and (_STEPPED.match(plain, offset + len(name)) or _ADDRESSED.search(plain, max(0, offset - 16), offset))
            for offset in self.mentions(name)
        )

    def _template_parameters(self, function: Function) -> frozenset[str]:
        owner = self.structure.class_named(function.owner) if function.owner else None
        return frozenset(function.template_parameters) | frozenset(owner.template_parameters if owner else ())
