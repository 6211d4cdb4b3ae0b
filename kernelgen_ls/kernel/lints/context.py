"""What every lint asks of a kernel: the value of an expression, the type and the origin of a tensor.

Everything here answers None where the text does not prove the answer; a lint speaks only of what is proven.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from attrs import define, field, frozen

from kernelgen_ls.kernel.chips import Chip
from kernelgen_ls.kernel.constants import TYPE_BYTES, evaluate
from kernelgen_ls.kernel.dtypes import SPELLINGS
from kernelgen_ls.kernel.findings import Severity
from kernelgen_ls.kernel.program import Program
from kernelgen_ls.kernel.structure import Argument, Call, Function, Loop, Span, Structure, Variable

_TENSOR = re.compile(
    r"(?:this\s*->\s*)?(?P<name>[A-Za-z_]\w*)\s*(?:\[(?P<offset>[^\[\]]*)\])?"
    r"(?:\s*\.\s*(?:template\s+)?ReinterpretCast\s*<(?P<cast>[^<>]*)>\s*\(\s*\))?"
)
_ORIGIN = re.compile(
    r"(?:this\s*->\s*)?(?P<buffer>[A-Za-z_]\w*)\s*(?:\[[^\[\]]*\])?\s*\.\s*(?:template\s+)?"
    r"(?P<method>AllocTensor|DeQue|Get|ReinterpretCast)\s*<(?P<type>[^<>]*(?:<[^<>]*>)?)>\s*\([^()]*\)\s*"
)
_REFILLED = re.compile(r"\b(?:AllocTensor|DeQue)\s*(?:<[^<>;()]*>)?\s*\(\s*$")
_ELEMENT_SET = re.compile(r"\s*\[[^\[\]]*\]\s*(?:=(?!=)|[-+*/|&^]=|<<=|>>=)")
_ARGUMENT_END = re.compile(r"\s*[,)]")
_SETTABLE = re.compile(r"^(?!.*\bconst\b).*[&*]\s*$", re.DOTALL)
_MAX_DEPTH = 8
_WORD = re.compile(r"[A-Za-z_]\w*")
_COUNTING = re.compile(
    r"for\s*\(\s*(?:[\w:]+\s+)?(?P<name>\w+)\s*=\s*(?P<first>[^;]+);\s*(?P=name)\s*(?P<less><=?|!=)\s*(?P<bound>[^;]+);"
    r"\s*(?:\+\+\s*(?P=name)|(?P=name)\s*\+\+|(?P=name)\s*\+=\s*(?P<step>[^;)]+))\s*\)\s*"
)
_NOTHING_BOUND: Mapping[str, int] = {}
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


@frozen
class Turns:
    """What a loop counts: ``variable`` goes from ``first`` to ``last``, both among its values, by ``step``."""

    variable: str
    first: int
    last: int
    step: int


@define(eq=False)
class LintContext:
    """One program being linted for one chip."""

    source: Program
    chip: Chip
    structure: Structure = field(init=False)
    """The parts of the program."""
    _values: dict[tuple[str, int], int | None] = field(init=False, factory=dict)
    _members: dict[int, int | None] = field(init=False, factory=dict)
    _tensors: dict[int, Tensor | None] = field(init=False, factory=dict)
    _changed: dict[int, bool] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        self.structure = self.source.structure

    def value(
        self, expression: str, offset: int, depth: int = 0, bound: Mapping[str, int] = _NOTHING_BOUND
    ) -> int | None:
        """Return the integer that ``expression`` has at ``offset``, or None where the text does not prove one.

        ``bound`` gives names a value of their own, as a turn of a loop does.
        """
        if depth > _MAX_DEPTH:
            return None
        key = (expression, offset)
        if not bound and key in self._values:
            return self._values[key]
        plain = re.sub(r"\bthis\s*->\s*", "", expression)
        value = evaluate(
            plain,
            lambda name: bound[name] if name in bound else self._named_value(name, offset, depth),
            lambda written: self.element_bytes(written, offset),
        )
        if not bound and depth == 0:
            self._values[key] = value
        return value

    def values(self, expression: str, offset: int) -> tuple[int, ...]:
        """Return the integers that ``expression`` has: one, or those of the first, second and last turn of a loop.

        A loop counts that runs a known number of times and makes every turn whole; nothing where that is not known.
        """
        found = self.value(expression, offset)
        if found is not None:
            return (found,)
        words = set(_WORD.findall(expression))
        for loop in self.structure.loops_at(offset):
            turns = self.turns(loop, offset)
            if turns is None or turns.variable not in words:
                continue
            numbers = dict.fromkeys((turns.first, min(turns.first + turns.step, turns.last), turns.last))
            values = [self.value(expression, offset, bound={turns.variable: number}) for number in numbers]
            return tuple(value for value in values if value is not None) if None not in values else ()
        return ()

    def turns(self, loop: Loop, offset: int) -> Turns | None:
        """Return the turns of a loop with constant bounds in each of which what stands at ``offset`` surely runs."""
        match = _COUNTING.fullmatch(self.source.plain[loop.span.start : loop.body.start])
        if match is None or self._steps(match.group("name"), loop.body):
            return None
        if self._assignments(match.group("name"), loop.body) or self._is_uncertain(loop, offset):
            return None
        at = loop.span.start
        first, bound = self.value(match.group("first"), at), self.value(match.group("bound"), at)
        step = self.value(match.group("step") or "1", at)
        if first is None or bound is None or not step or step < 0:
            return None
        last = bound if match.group("less") == "<=" else bound - 1
        return Turns(match.group("name"), first, last - (last - first) % step, step) if first <= last else None

    def _is_uncertain(self, loop: Loop, offset: int) -> bool:
        """Return whether a turn may leave out what stands at ``offset``: it is in an arm, or something jumps."""
        inside = [item for item in self.structure.conditionals if loop.body.holds(item.span.start)]
        jumps = any(loop.body.holds(jump.span.start) for jump in self.structure.jumps)
        return jumps or any(item.span.holds(offset) for item in inside) or self.source.is_open(offset)

    def element_bytes(self, written: str | None, offset: int) -> int | None:
        """Return the size of a type at ``offset``, or None for a template parameter, a define, or an unknown type."""
        element = self.element_type(written, offset)
        return None if element is None else TYPE_BYTES.get(element)

    def element_type(self, written: str | None, offset: int) -> str | None:
        """Return the plain name of a known element type (``half`` also for ``float16_t``), or None."""
        name = written or ""
        if name not in TYPE_BYTES:
            name = re.sub(r"\b(?:const|typename|AscendC|std)\b|::|&|\s", "", name)
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
        start = argument.span.start
        if start not in self._tensors:
            self._tensors[start] = self._tensor(argument)
        return self._tensors[start]

    def _tensor(self, argument: Argument) -> Tensor | None:
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
        name = argument.text
        if not name.isidentifier():
            name = re.sub(r"\bthis\s*->\s*|\[[^\[\]]*\]|\s", "", name)
        return self.structure.variable_at(name, argument.span.start) if name.isidentifier() else None

    def is_changed(self, variable: Variable) -> bool:
        """Return whether a local variable is given another value, or another tensor, after its declaration."""
        start = variable.name_span.start
        if start not in self._changed:
            plain = self.source.plain
            self._changed[start] = self._is_assigned(variable) or any(
                _REFILLED.search(plain, max(0, offset - 80), offset) is not None
                for offset in self._mentions_in(variable.name, variable.scope)
                if plain[max(0, offset - 80) : offset].rstrip().endswith("(")
            )
        return self._changed[start]

    def is_settled(self, name: str, own: bool, *offsets: int) -> bool:
        """Return whether ``name`` is one variable of one value at all ``offsets``: set once and never changed.

        ``own`` says that it is written with ``this->``.
        """
        find = self._member_at if own else self.structure.variable_at
        variables = [find(name, offset) for offset in offsets]
        first = variables[0]
        if first is None or any(other is not first for other in variables) or first.is_array:
            return False
        if first.is_constant:
            return True
        if not first.owner:
            return first.scope.start != 0 and not self._is_assigned(first)
        everywhere = Span(0, len(self.source.text))
        return len(self._assignments(name, everywhere)) <= 1 and not self._steps(name, everywhere)

    def _member_at(self, name: str, offset: int) -> Variable | None:
        function = self.structure.function_at(offset)
        lineage = self.structure.lineage(function.owner) if function is not None and function.owner else ()
        own = [one for one in self.structure.variables_called(name) if one.owner and one.owner in lineage]
        return own[0] if len(own) == 1 else None

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

    def is_filled(self, variable: Variable) -> bool:
        """Return whether an element of a local array is assigned after its declaration."""
        plain = self.source.plain
        return any(
            offset > variable.name_span.start and _ELEMENT_SET.match(plain, offset + len(variable.name))
            for offset in self._mentions_in(variable.name, variable.scope)
        )

    @cached_property
    def _call_starts(self) -> list[int]:
        return [call.span.start for call in self.structure.calls]

    def call_around(self, offset: int) -> Call | None:
        """Return the innermost call that has ``offset`` among its arguments or in its receiver."""
        calls = self.structure.calls
        index = bisect_right(self._call_starts, offset) - 1
        return next((calls[at] for at in range(index, max(index - 64, -1), -1) if calls[at].span.holds(offset)), None)

    @cached_property
    def own_functions(self) -> frozenset[str]:
        """The names of the functions that the program defines."""
        return frozenset(function.name for function in self.structure.functions)

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
            start = variable.name_span.start
            if start not in self._members:
                self._members[start] = self._member_value(variable, depth)
            return self._members[start]
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
        return [offset for offset in self._mentions_in(name, span) if _ASSIGNED.match(plain, offset + len(name))]

    def _mentions_in(self, name: str, span: Span) -> tuple[int, ...]:
        mentions = self.mentions(name)
        return mentions[bisect_left(mentions, span.start) : bisect_left(mentions, span.end)]

    def _steps(self, name: str, span: Span) -> bool:
        """Return whether ``name`` is changed in ``span`` by anything but a plain assignment, or its address taken."""
        plain = self.source.plain
        return any(
            _STEPPED.match(plain, offset + len(name))
            or _ADDRESSED.search(plain, max(0, offset - 16), offset)
            or self._is_handed_on(name, offset)
            for offset in self._mentions_in(name, span)
        )

    def _is_handed_on(self, name: str, offset: int) -> bool:
        """Return whether ``name`` is an argument for a reference or pointer that a function of the program can set."""
        if _ARGUMENT_END.match(self.source.plain, offset + len(name)) is None:
            return False
        call = self.call_around(offset)
        if call is None or call.name not in self.own_functions:
            return False
        index = next((index for index, one in enumerate(call.arguments) if one.span.holds(offset)), None)
        return index is not None and any(
            len(function.parameters) > index and _SETTABLE.search(function.parameters[index].type)
            for function in self.structure.functions
            if function.name == call.name
        )

    def _template_parameters(self, function: Function) -> frozenset[str]:
        owner = self.structure.class_named(function.owner) if function.owner else None
        return frozenset(function.template_parameters) | frozenset(owner.template_parameters if owner else ())
