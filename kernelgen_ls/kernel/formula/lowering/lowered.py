"""A formula lowered for tensors of given kinds: its values, the axes they are walked by, instructions, registers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from attrs import define, field, frozen

from kernelgen_ls.kernel.dtypes import BOOL, INT8, INT16, INT32, UINT8
from kernelgen_ls.kernel.formula.lowering.allocation import Allocation
from kernelgen_ls.kernel.formula.lowering.build import Builder, Leaf, Literal
from kernelgen_ls.kernel.formula.lowering.exactness import check_exact
from kernelgen_ls.kernel.formula.lowering.graph import Node, NotLoweredError, Scalar, Value, constant
from kernelgen_ls.kernel.formula.lowering.selection import FLOAT, HALF, Selection, Virtual, decisive
from kernelgen_ls.kernel.formula.lowering.space import Space, index_places, space_of
from kernelgen_ls.kernel.formula.lowering.steps import WIDE, Lowered, Read, Register, Written
from kernelgen_ls.kernel.formula.tree import Formula, names_in
from kernelgen_ls.kernel.formula.writing import expression

REAL = "real"
"""``half``, ``bfloat16_t`` or ``float``: which, is the column's."""
_SMALL = frozenset(one.kernel for one in (INT8, UINT8, BOOL))
_INTEGERS = frozenset(one.kernel for one in (INT32, INT16))
_LONGEST_COMMENT = 100


@frozen
class Operand:
    """A tensor: its ``shape`` as written, None where nobody says it; the element types that its columns have.

    ``kind`` is ``real``, or the one integer type that it has.
    """

    kind: str
    shape: tuple[str, ...] | None = None
    types: frozenset[str] = frozenset()


def lower(
    formula: Formula,
    inputs: Mapping[str, Operand],
    outputs: Mapping[str, Operand],
    attributes: Mapping[str, Value | Literal],
    *,
    native: bool = False,
    whole: Collection[str] = (),
) -> Lowered:
    """What a kernel computes for inputs and outputs of these kinds.

    ``attributes`` are what an attribute's name stands for: itself, a number, or a word. ``native``: computed in the
    tensors' own type in the place of float. ``whole`` names the attributes that are whole numbers.
    Raises ``NotLoweredError``.
    """
    builder = Builder({name: _leaf(one) for name, one in inputs.items()}, attributes)
    values = builder.build(formula)
    given = {name: _converted(builder, values[name], outputs[name]) for name in values}
    nodes = _live(builder.nodes, [one for one in given.values() if isinstance(one, Node)])
    tensors = {name: one for name, one in given.items() if isinstance(one, Node)}
    if len(tensors) != len(given) or not any(node.access is not None for node in nodes):
        raise NotLoweredError("an output that no input has a part in")
    if not native:
        stored = [node for name, node in tensors.items() if outputs[name].kind == "int32_t"]
        check_exact(nodes, {name: one.kind for name, one in inputs.items()}, stored)
    space = space_of(nodes, tuple(tensors.values()))
    return _Lowering(formula, inputs, outputs, space, nodes, tensors, native, frozenset(whole)).lowered()


def _leaf(one: Operand) -> Leaf:
    shape = ("...", "last axis") if one.shape is None else tuple("..." if axis == "*" else axis for axis in one.shape)
    return Leaf(shape, one.kind == "bool", one.kind != REAL)


def _converted(builder: Builder, value: Value, output: Operand) -> Value:
    """A value in what its output's elements stand for."""
    if output.kind == "bool":
        return builder.real(builder.truth(value))
    value = builder.real(value)
    if isinstance(value, Node) and value.op == "through" and output.types == {value.detail}:
        value = value.args[0]  # storing it does the same
    if isinstance(value, Node) and output.kind in _SMALL and not value.is_whole:
        return builder.apply("trunc", value)
    return value


def _live(nodes: list[Node], outputs: list[Node]) -> list[Node]:
    found: dict[int, Node] = {}
    left = list(outputs)
    while left:
        one = left.pop()
        if one.number not in found:
            found[one.number] = one
            left += [arg for arg in one.args if isinstance(arg, Node)]
    return [one for one in nodes if one.number in found]


def _root(node: Node) -> Node:
    """The value whose elements another one has, with other axes of one element."""
    while node.op == "same" and isinstance(node.args[0], Node):
        node = node.args[0]
    return node


@define
class _Lowering:
    formula: Formula
    inputs: Mapping[str, Operand]
    outputs: Mapping[str, Operand]
    space: Space
    nodes: list[Node]
    tensors: dict[str, Node]
    native: bool
    whole: frozenset[str]
    selection: Selection = field(init=False)

    @selection.default
    def _start(self) -> Selection:
        integers = self.native and any(one.kind in _INTEGERS for one in self.inputs.values())
        rounded = [node for name, node in self.tensors.items() if self.outputs[name].kind != REAL]
        return Selection(self.space, integers, self.whole, decisive(self.nodes, rounded))

    def lowered(self) -> Lowered:
        """The kernel's turn."""
        found = [(node, self._read(node)) for node in self.nodes if node.op == "input"]
        fixed = [one for one in found if one[1].is_fixed]
        moving = [one for one in found if not one[1].is_fixed]
        for node, read in fixed:
            self._load(node, read)
        start = len(self.selection.instructions)
        for node, read in moving:
            self._load(node, read)
        own = {name: self._own(name) for name in self.tensors}
        self._compute(own)
        borrowed = [read.value for _, read in moving] + [one.fixed for one in own.values() if one.fixed is not None]
        kept = frozenset((*(self.selection.values[node.number] for node, _ in fixed), *own.values()))
        allocation = Allocation(self.selection.instructions, borrowed, kept)
        steps = allocation.steps(dict(self._comments()))
        return Lowered(
            prologue=steps[:start],
            steps=steps[start:],
            space=self.space,
            reads=tuple(read for _, read in (*fixed, *moving)),
            writes=tuple(self._write(name) for name in self.tensors),
            temporaries=tuple(allocation.temporaries),
            is_native=self.native,
            attributes=self._attributes(),
        )

    def _read(self, node: Node) -> Read:
        access, is_long = node.access, self.space.is_long(node.places)
        assert access is not None
        kind = self.inputs[access.tensor].kind
        name = access.tensor if access.parts == 1 else f"{access.tensor}#{access.part}"
        groups = self.space.groups_of(node.places)
        if access.by:
            self._check_picked(node)
            is_fixed = False
        elif self.space.rows:
            is_fixed = not any(groups)
        else:
            is_fixed = not is_long
        if kind == "int64_t" or (kind not in {REAL, *_SMALL, *_INTEGERS}):
            raise NotLoweredError(f"the vector unit computes nothing in {kind}")
        local = Register(name, WIDE if self.native else "local", is_long)
        return Read(access, local, local if self.native else Register(name, WIDE, is_long), groups, is_fixed)

    def _check_picked(self, node: Node) -> None:
        behind = node.places - index_places(node)
        if not behind or not behind <= set(self.space.cols):
            raise NotLoweredError("rows that are picked beside tensors of a part of their axes")

    def _load(self, node: Node, read: Read) -> None:
        """The instructions that bring an input into the type that is computed in."""
        local = Virtual(read.local.type, read.local.is_long, read.local)
        if self.native:
            self.selection.values[node.number] = local
            return
        value = Virtual(WIDE, read.value.is_long, read.value)
        kind = self.inputs[read.access.tensor].kind
        emit = self.selection.emit
        if kind == REAL:
            emit("Widen", value, local)
        elif kind in _INTEGERS:
            emit("Cast", value, local, mode="CAST_NONE")
        else:
            half = emit("Cast", Virtual(HALF, read.local.is_long), local, mode="CAST_NONE")
            emit("Cast", value, half, mode="CAST_NONE")
        self.selection.values[node.number] = value

    def _own(self, name: str) -> Virtual:
        """Where an output's value is wanted: in its own type, or in the one that is computed in."""
        is_long = self.space.is_long(self.tensors[name].places)
        if self.native and self.outputs[name].kind != "bool":
            return Virtual(WIDE, is_long, Register(name, WIDE, is_long))
        if self.outputs[name].kind == REAL:
            return Virtual(WIDE, is_long, Register(name, WIDE, is_long))
        return Virtual("local", is_long, Register(name, "local", is_long))

    def _compute(self, own: Mapping[str, Virtual]) -> None:
        wanted: dict[int, str] = {}
        for name, node in self.tensors.items():
            root = _root(node)
            if own[name].type == WIDE and root.op != "input" and root.number not in wanted:
                wanted[root.number] = name
        for node in self.nodes:
            self.selection.of(node, own[wanted[node.number]] if node.number in wanted else None)
            for output, last in self.tensors.items():
                if last is node:
                    self._store(output, node, own[output])

    def _store(self, name: str, node: Node, own: Virtual) -> None:
        """The instructions that bring an output's value into its own type."""
        value, kind, emit = self.selection.of(node), self.outputs[name].kind, self.selection.emit
        if own.type == WIDE:
            if self.native and value.type == FLOAT:
                emit("Cast", own, value, mode="CAST_RINT")
            elif value is not own:
                emit("Adds", own, value, constant(0))
            if not self.native:
                is_long = own.is_long
                emit("Narrow", Virtual("local", is_long, Register(name, "local", is_long)), own)
        elif kind in _INTEGERS:
            emit("Cast", own, value, mode="CAST_RINT" if node.is_whole else "CAST_TRUNC")
        elif kind in _SMALL:
            if kind == "uint8_t":
                value = emit("Maxs", Virtual(value.type, value.is_long), value, constant(0))
            half = emit("Cast", Virtual(HALF, value.is_long), value, mode="CAST_NONE")
            emit("Cast", own, half, mode="CAST_RINT")
        else:
            raise NotLoweredError(f"the vector unit computes nothing in {kind}")

    def _write(self, name: str) -> Written:
        places = self.tensors[name].places
        is_long = self.space.is_long(places)
        own_type = WIDE if self.native and self.outputs[name].kind != "bool" else "local"
        groups = self.space.groups_of(places)
        if not all(groups):
            raise NotLoweredError("an output that some rows share")
        if not is_long and not self.space.reduces and self.space.cols:
            raise NotLoweredError("an output with one element a row and nothing that makes it one")
        return Written(name, Register(name, own_type, is_long), groups)

    def _comments(self) -> Iterator[tuple[int, str]]:
        if len(self.formula.assignments) < 2:
            return
        for number, one in enumerate(self.formula.assignments):
            text = f"{one.name} = {expression(one.value)}"
            if len(text) <= _LONGEST_COMMENT:
                yield number, text

    def _attributes(self) -> tuple[str, ...]:
        found: dict[str, None] = {}
        for one in self.selection.instructions:
            for arg in one.args:
                if isinstance(arg, Scalar):
                    found.update(dict.fromkeys(name for name in names_in(arg.expr) if not name.startswith("%")))
        return tuple(found)
