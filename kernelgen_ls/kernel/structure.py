"""The parts of a kernel's text that AscendC gives a meaning to, as data with offsets into the text.

``reading.read_structure`` reads them from a syntax tree that may contain errors: what cannot be read is left out. All
offsets are indices of the text, ends are exclusive.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from functools import cached_property

from attrs import define, field, frozen

STAGES = ("Init", "Process", "CopyIn", "Compute", "CopyOut")
"""The stages of a kernel class by the names that AscendC programs give them."""

UB_POSITIONS = frozenset({"VECIN", "VECOUT", "VECCALC", "LCM"})
"""Logical positions that live in the unified buffer."""


@frozen
class Span:
    """A half-open range of offsets."""

    start: int
    end: int

    def holds(self, offset: int) -> bool:
        """Return whether ``offset`` lies inside."""
        return self.start <= offset < self.end


@frozen
class Parameter:
    """A function's parameter: ``type`` as written (``GM_ADDR``, ``const LocalTensor<T> &``)."""

    type: str
    name: str
    span: Span


@frozen
class Function:
    """A function with a body: an entry function, a stage of a kernel class, or any other.

    ``owner`` is the class it belongs to, "" for a free function; ``qualifiers`` are AscendC's words before it
    (``__global__``, ``__aicore__``, ``__vector__``); ``template_parameters`` include those of its class.
    """

    name: str
    owner: str
    span: Span
    name_span: Span
    body: Span
    parameters: tuple[Parameter, ...]
    qualifiers: tuple[str, ...]
    template_parameters: tuple[str, ...]

    @property
    def is_entry(self) -> bool:
        """Whether the host can launch it."""
        return "__global__" in self.qualifiers

    @property
    def is_stage(self) -> bool:
        """Whether it is one of the stages of a kernel class, or a variant such as ``CopyInPad``."""
        return bool(self.owner) and self.name.startswith(STAGES)


@frozen
class KernelClass:
    """A class or struct: ``functions`` are those defined inside it or, in this text, for it.

    ``declared`` are the member functions that it declares without a body.
    """

    name: str
    span: Span
    name_span: Span
    bases: tuple[str, ...]
    template_parameters: tuple[str, ...]
    functions: tuple[Function, ...]
    declared: tuple[str, ...] = ()

    @property
    def undefined(self) -> tuple[str, ...]:
        """The member functions that it declares and that this text does not define."""
        defined = {function.name for function in self.functions}
        return tuple(name for name in self.declared if name not in defined)

    @property
    def stages(self) -> tuple[Function, ...]:
        """Its ``Init``, ``Process``, ``CopyIn``, ``Compute``, ``CopyOut`` and their variants."""
        return tuple(function for function in self.functions if function.is_stage)


@frozen
class Variable:
    """A declared name: a queue, a buffer, a tensor, or anything else.

    ``kind`` is the type without namespace and template arguments (``TQue``, ``LocalTensor``, ``uint32_t``, ``auto``),
    ``arguments`` its template arguments as written, ``value`` the initialiser as written. ``scope`` is where the name
    holds; ``access`` is ``private``, ``protected`` or ``public`` in a class and "" elsewhere.
    """

    name: str
    kind: str
    arguments: tuple[str, ...]
    span: Span
    name_span: Span
    scope: Span
    owner: str
    access: str
    is_array: bool
    is_constant: bool
    value: str

    @property
    def is_queue(self) -> bool:
        """Whether it is a ``TQue`` or a ``TQueBind``."""
        return self.kind in ("TQue", "TQueBind")

    @property
    def position(self) -> str:
        """The logical position of a queue or buffer (``VECIN``); "" where none is written. A bind's is its source."""
        if not self.arguments:
            return "VECCALC" if self.kind == "TBuf" else ""
        return self.arguments[0].split("::")[-1].strip()

    @property
    def depth(self) -> str:
        """The queue's depth as written; "" where the type gives none."""
        index = 2 if self.kind == "TQueBind" else 1
        return self.arguments[index] if self.is_queue and len(self.arguments) > index else ""


@frozen
class Argument:
    """An argument of a call, as written."""

    text: str
    span: Span


@frozen
class Branch:
    """One arm of an ``if`` or ``switch``: statements of different arms of one ``statement`` do not both run."""

    statement: int
    arm: int


@frozen
class Call:
    """A call: ``AscendC::DataCopy(dst, src, n)``, ``this->pipe.InitBuffer(q, 2, n)``, ``q.DeQue<half>()``.

    ``receiver`` is what stands before the last ``.`` or ``->``, ``qualifier`` what stands before the last ``::``.
    """

    name: str
    receiver: str
    qualifier: str
    template_arguments: tuple[str, ...]
    arguments: tuple[Argument, ...]
    span: Span
    name_span: Span
    branches: tuple[Branch, ...] = ()


@frozen
class Loop:
    """A ``for``, ``while`` or ``do``: ``variables`` are the names its header declares or steps, ``header`` its text."""

    span: Span
    body: Span
    header: str
    variables: tuple[str, ...]


@frozen
class Conditional:
    """An ``if`` or a ``switch``: ``arms`` are what it chooses from, of which at most one runs.

    ``exhaustive`` says that one of them always does; ``compile_time`` is an ``if constexpr``; in a ``switch`` an arm
    runs on into the next (``falls_through``).
    """

    span: Span
    condition: Span
    arms: tuple[Span, ...]
    exhaustive: bool
    compile_time: bool = False
    falls_through: bool = False


@frozen
class Jump:
    """A ``return``, ``break``, ``continue`` or ``goto``."""

    kind: str
    span: Span


@define
class Structure:
    """Everything read from one text. Tuples are in the order of the text."""

    functions: tuple[Function, ...] = ()
    classes: tuple[KernelClass, ...] = ()
    variables: tuple[Variable, ...] = ()
    calls: tuple[Call, ...] = ()
    loops: tuple[Loop, ...] = ()
    conditionals: tuple[Conditional, ...] = ()
    jumps: tuple[Jump, ...] = ()
    lambdas: tuple[Span, ...] = ()
    broken: tuple[int, ...] = ()
    """Where the grammar could not read what stands there."""
    aliases: Mapping[str, str] = field(factory=dict)
    """``using A = B`` and ``typedef B A``; a name with two meanings maps to ""."""
    _function_at: dict[int, Function | None] = field(factory=dict, init=False, repr=False, eq=False)
    _lineages: dict[str, tuple[str, ...]] = field(factory=dict, init=False, repr=False, eq=False)
    _variable_at: dict[tuple[str, int], Variable | None] = field(factory=dict, init=False, repr=False, eq=False)

    @cached_property
    def entries(self) -> tuple[Function, ...]:
        """The entry functions: what the host launches."""
        return tuple(function for function in self.functions if function.is_entry)

    @cached_property
    def queues(self) -> tuple[Variable, ...]:
        """Variables that are queues."""
        return tuple(variable for variable in self.variables if variable.is_queue)

    @cached_property
    def compile_time_conditionals(self) -> tuple[Conditional, ...]:
        """Every ``if constexpr``."""
        return tuple(item for item in self.conditionals if item.compile_time)

    def class_named(self, name: str) -> KernelClass | None:
        """Return the class called ``name``; None where there is none, or more than one (specialisations)."""
        found = [item for item in self.classes if item.name == name]
        return found[0] if len(found) == 1 else None

    def calls_of(self, *names: str) -> tuple[Call, ...]:
        """Return the calls of functions called one of ``names``, in order."""
        return tuple(call for name in names for call in self._calls_by_name.get(name, ()))

    def function_at(self, offset: int) -> Function | None:
        """Return the function whose definition holds ``offset``."""
        if offset not in self._function_at:
            self._function_at[offset] = self._find_function(offset)
        return self._function_at[offset]

    def _find_function(self, offset: int) -> Function | None:
        index = bisect_right(self._function_starts, offset) - 1
        while index >= 0:
            if self.functions[index].span.holds(offset):
                return self.functions[index]
            index -= 1 if index and self.functions[index - 1].span.end > self.functions[index].span.start else index + 1
        return None

    def loops_at(self, offset: int) -> tuple[Loop, ...]:
        """Return the loops whose body holds ``offset``, outermost first."""
        function = self.function_at(offset)
        loops = self.loops if function is None else self._loops_by_function.get(function.span.start, ())
        return tuple(loop for loop in loops if loop.body.holds(offset))

    def conditionals_in(self, function: Function) -> tuple[Conditional, ...]:
        """Return the conditionals of a function."""
        return tuple(self._conditionals_by_function.get(function.span.start, ()))

    def lineage(self, owner: str) -> tuple[str, ...]:
        """Return the class ``owner`` and those it derives from, as far as this text shows them, nearest first."""
        known = self._lineages.get(owner)
        if known is not None:
            return known
        found: dict[str, None] = {}
        waiting = [owner]
        while waiting:
            name = waiting.pop(0)
            if name not in found:
                found[name] = None
                waiting.extend(self._bases.get(name, ()))
        known = self._lineages[owner] = tuple(found)
        return known

    def variables_called(self, name: str) -> tuple[Variable, ...]:
        """Return every declaration of ``name``."""
        return tuple(self._variables_by_name.get(name, ()))

    def variable_at(self, name: str, offset: int) -> Variable | None:
        """Return what declares ``name`` at ``offset``: the innermost scope, then the class, then the file.

        None where the name has no declaration here, or where it has two of one scope that do not agree.
        """
        key = (name, offset)
        if key not in self._variable_at:
            self._variable_at[key] = self._find_variable(name, offset) if name in self._variables_by_name else None
        return self._variable_at[key]

    def _find_variable(self, name: str, offset: int) -> Variable | None:
        enclosing = self.function_at(offset)
        owner = enclosing.owner if enclosing is not None else ""
        local: Variable | None = None
        members: list[Variable] = []
        free: list[Variable] = []
        for variable in self._variables_by_name.get(name, ()):
            if variable.owner:
                members.append(variable)
            elif variable.scope.start == 0:
                free.append(variable)
            elif (
                variable.scope.holds(offset)
                and variable.span.start <= offset
                and (local is None or variable.scope.start >= local.scope.start)
            ):
                local = variable
        if local is not None:
            return local
        for ancestor in self.lineage(owner) if owner and members else ():
            own = [variable for variable in members if variable.owner == ancestor]
            if own:
                return _agreed(own)
        return _agreed(free) or (_agreed(members) if owner and not free else None)

    @cached_property
    def _bases(self) -> Mapping[str, list[str]]:
        bases: dict[str, list[str]] = {}
        for item in self.classes:
            bases.setdefault(item.name, []).extend(item.bases)
        return bases

    @cached_property
    def _loops_by_function(self) -> Mapping[int, list[Loop]]:
        loops: dict[int, list[Loop]] = {}
        for loop in self.loops:
            function = self.function_at(loop.span.start)
            loops.setdefault(function.span.start if function is not None else -1, []).append(loop)
        return loops

    @cached_property
    def _conditionals_by_function(self) -> Mapping[int, list[Conditional]]:
        conditionals: dict[int, list[Conditional]] = {}
        for item in self.conditionals:
            function = self.function_at(item.span.start)
            if function is not None:
                conditionals.setdefault(function.span.start, []).append(item)
        return conditionals

    @cached_property
    def _calls_by_name(self) -> Mapping[str, list[Call]]:
        by_name: dict[str, list[Call]] = {}
        for call in self.calls:
            by_name.setdefault(call.name, []).append(call)
        return by_name

    @cached_property
    def _variables_by_name(self) -> Mapping[str, list[Variable]]:
        by_name: dict[str, list[Variable]] = {}
        for variable in self.variables:
            by_name.setdefault(variable.name, []).append(variable)
        return by_name

    @cached_property
    def _function_starts(self) -> list[int]:
        return [function.span.start for function in self.functions]


def _agreed(variables: list[Variable]) -> Variable | None:
    if not variables:
        return None
    first = variables[0]
    same = all(other.kind == first.kind and other.arguments == first.arguments for other in variables)
    return first if same else None
