"""The parts of a kernel that class and function share: declarations, shares of the cores, copies, computing, loops."""

from __future__ import annotations

import re
from collections.abc import Sequence

from attrs import define, field

from kernelgen_ls.kernel.formula.lowering import NotLoweredError, Read, Register, Written
from kernelgen_ls.kernel.formula.lowering.steps import MASK, WIDE
from kernelgen_ls.kernel.writer.code import Coder
from kernelgen_ls.kernel.writer.layout import constant_name
from kernelgen_ls.kernel.writer.naming import camel
from kernelgen_ls.kernel.writer.plan import ONE_BYTES, Kind, Plan, count_field, fields_of, sizes_of

_TEMPORARY = {WIDE: "tmp", MASK: "mask", "work": "work"}


@define
class Sections:
    """The parts of one kernel as lines without indentation."""

    plan: Plan
    registers: dict[Register, str] = field(factory=dict)
    sizes: dict[str, str] = field(factory=dict)
    coder: Coder = field(init=False)
    prologue: list[str] = field(init=False)
    steps: list[str] = field(init=False)

    @coder.default
    def _coder(self) -> Coder:
        plan = self.plan
        static = sizes_of(plan) if plan.static else None
        for _, name in fields_of(plan):
            self.sizes[name] = constant_name(name) if static is not None and name in static else name
        scalars = {one.spec.name: constant_name(one.name) if plan.static else one.name for one in plan.attributes}
        self._name_registers()
        lowered = plan.lowered
        compute = plan.text(lowered.reads[0].value) if lowered.is_native else "float"
        return Coder(lowered, plan.typed, plan.names, self.registers, scalars, self._extent, compute)

    def _extent(self, places: tuple[int, ...]) -> Sequence[str]:
        """Factors of the number of elements along axes, as C++; raises ``NotLoweredError`` where it is not told."""
        plan, space, size = self.plan, self.plan.lowered.space, self.sizes
        count = space.count(places)
        if count is not None:
            return [str(count)]
        told = {space.cols: size["totalLength" if plan.kind is Kind.FLAT else "cols"]} if self._knows_cols else {}
        if plan.row_or_whole:
            pass  # a tensor may have one row where another has many
        elif len(space.rows) == 1:
            told[space.rows[0]] = size["rows"]
        elif space.rows:
            told |= {space.rows[0]: f"{size['rows']} / {size['innerRows']}", space.rows[1]: size["innerRows"]}
        found = {group: text for group, text in told.items() if set(group) <= set(places)}
        if {place for group in found for place in group} != set(places):
            raise NotLoweredError("a number of elements that the kernel is not told")
        return list(found.values())

    @property
    def _knows_cols(self) -> bool:
        """Whether every tensor of more than one element has as many columns as tiling says."""
        return self.plan.kind is not Kind.LIST and not self.plan.single_or_whole

    def _name_registers(self) -> None:
        plan, hand = self.plan, self.plan.hand
        for one in plan.lowered.tensors:
            base = plan.tensors[one.local.name]
            self.registers[one.local] = plan.names.unique(hand.local.format(base))
            value = Register(one.local.name, WIDE, one.local.is_long)
            self.registers.setdefault(value, self.registers[one.local])
        for value, _ in plan.widened():
            self.registers[value] = plan.names.unique(hand.wide.format(plan.tensors[value.name]))
        counts: dict[str, int] = {}
        for register in plan.lowered.temporaries:
            base = _TEMPORARY.get(register.type, f"{camel(register.type.removesuffix('_t'))}Tmp")
            base = base if register.is_long else f"row{base[:1].upper()}{base[1:]}"
            number = counts.get(base, 0)
            counts[base] = number + 1
            alone = base.endswith("work")
            self.registers[register] = plan.names.unique(base if alone else f"{base}{number}")

    @prologue.default
    def _prologue(self) -> list[str]:
        return list(self.coder.lines(self.plan.lowered.prologue))

    @steps.default
    def _steps(self) -> list[str]:
        return list(self.coder.lines(self.plan.lowered.steps))

    def _type(self, tensor: str) -> str:
        return self.plan.typed.tensors[tensor].text

    def _global(self, tensor: str) -> str:
        return self.plan.hand.global_tensor.format(camel(tensor))

    def _queue(self, key: str) -> str:
        return self.plan.hand.queue.format(self.plan.tensors[key])

    def _buffer(self, register: Register) -> str:
        return self.plan.hand.buffer.format(self.registers[register])

    @property
    def global_tensors(self) -> list[str]:
        """The tensors in global memory."""
        reads = [read.access.tensor for read in self.plan.lowered.reads]
        return list(dict.fromkeys((*reads, *self.plan.indices, *(one.tensor for one in self.plan.lowered.writes))))

    @property
    def lists(self) -> list[str]:
        """The tensors in global memory that are lists."""
        spec = self.plan.specification
        dynamic = {one.name for one in (*spec.inputs, *spec.outputs) if one.requirement == "dynamic"}
        return [tensor for tensor in self.global_tensors if tensor in dynamic]

    def list_name(self, tensor: str) -> str:
        """What a list of tensors is called."""
        return f"{camel(tensor)}List"

    def declarations(self) -> list[str]:
        """Global tensors, queues and buffers."""
        plan = self.plan
        lines = [f"ListTensorDesc {self.list_name(tensor)};" for tensor in self.lists]
        lines += [f"GlobalTensor<{self._type(tensor)}> {self._global(tensor)};" for tensor in self.global_tensors]
        lines += [
            f"TQue<TPosition::VECIN, {'1' if read.is_fixed else 'BUFFER_NUM'}> {self._queue(read.local.name)};"
            for read in plan.lowered.reads
        ]
        lines += [f"TQue<TPosition::VECOUT, BUFFER_NUM> {self._queue(one.tensor)};" for one in plan.lowered.writes]
        buffered = [*(value for value, _ in plan.widened()), *plan.lowered.temporaries]
        lines += [f"TBuf<TPosition::VECCALC> {self._buffer(register)};" for register in buffered]
        return lines

    def share(self) -> list[str]:
        """Lines that find out which part is this core's, and where it lies; of lists, only where they are."""
        plan, size, lines = self.plan, self.sizes, []
        if plan.kind is Kind.FLAT:
            lines += self._own_length(size["totalLength"])
        elif plan.kind is not Kind.LIST:
            rows = size["rows"]
            lines += [
                f"uint32_t perCore = ({rows} + GetBlockNum() - 1) / GetBlockNum();",
                "firstRow = perCore * GetBlockIdx();",
                f"lastRow = firstRow + perCore < {rows} ? firstRow + perCore : {rows};",
            ]
        for tensor in self.global_tensors:
            address = plan.parameter(tensor)
            if tensor in self.lists:
                lines.append(f"{self.list_name(tensor)}.Init((__gm__ void *){address});")
                continue
            at = " + begin" if plan.kind is Kind.FLAT and self._is_long(tensor) else ""
            if tensor in plan.single_or_whole:
                at = f" + ({self._is_single(tensor)} ? 0 : begin)"
            lines.append(f"{self._global(tensor)}.SetGlobalBuffer((__gm__ {self._type(tensor)} *){address}{at});")
        return lines

    def _is_single(self, tensor: str) -> str:
        """The condition that a tensor has one number for all elements."""
        return f"{self.sizes[count_field(tensor)]} == 1"

    def _own_length(self, total: str) -> list[str]:
        return [
            "// Every core takes as many whole pieces; the last one's part may be shorter.",
            f"uint32_t perCore = ({total} + GetBlockNum() - 1) / GetBlockNum();",
            "perCore = (perCore + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;",
            "uint32_t begin = perCore * GetBlockIdx();",
            f"uint32_t rest = begin < {total} ? {total} - begin : 0;",
            "length = rest < perCore ? rest : perCore;",
        ]

    def located(self) -> list[str]:
        """Lines that find this core's part of the tensors at ``index`` of the lists."""
        first = self.lists[0]
        lines = [
            f"uint32_t total = LengthOf<{self._type(first)}>({self.list_name(first)}, index);",
            *self._own_length("total"),
        ]
        for tensor in self.lists:
            pointer = f"{self.list_name(tensor)}.GetDataPtr<{self._type(tensor)}>(index) + begin"
            lines.append(f"{self._global(tensor)}.SetGlobalBuffer({pointer});")
        return lines

    def _is_long(self, tensor: str) -> bool:
        locals_ = [one.local for one in self.plan.lowered.tensors]
        return any(one.is_long for one in locals_ if one.name.partition("#")[0] == tensor)

    def buffers(self, pipe: str) -> list[str]:
        """Lines that give queues and buffers their memory."""
        plan, tile, lines = self.plan, self.sizes["tileLength"], []
        for one in plan.lowered.tensors:
            number = "1" if isinstance(one, Read) and one.is_fixed else "BUFFER_NUM"
            size = f"{tile} * sizeof({plan.text(one.local)})" if one.local.is_long else str(ONE_BYTES)
            lines.append(f"{pipe}InitBuffer({self._queue(one.local.name)}, {number}, {size});")
        conditional: dict[str, list[str]] = {}
        for value, tensor in plan.widened():
            size = f"{tile} * sizeof(float)" if value.is_long else str(ONE_BYTES)
            line = f"{pipe}InitBuffer({self._buffer(value)}, {size});"
            types = plan.typed.tensors[tensor]
            conditional.setdefault(types.text if types.may_be_float else "", []).append(line)
        lines += conditional.pop("", [])
        for type_, held in conditional.items():
            lines += [f"if constexpr (!std::is_same_v<{type_}, float>) {{", *held, "}"]
        for register in plan.lowered.temporaries:
            lines.append(f"{pipe}InitBuffer({self._buffer(register)}, {self._bytes(register)});")
        return lines

    def _bytes(self, register: Register) -> str:
        tile = self.sizes["tileLength"]
        if not register.is_long:
            return str(ONE_BYTES)
        if register.type == MASK:
            return f"{tile} / 8"
        if register.type == "work":
            return f"{tile} / 8 * sizeof(float)"
        return f"{tile} * sizeof({self.plan.text(register)})"

    def _in_place(self, register: Register) -> str:
        """The line that declares a register of a buffer."""
        type_ = self.plan.text(register)
        return f"LocalTensor<{type_}> {self.registers[register]} = {self._buffer(register)}.Get<{type_}>();"

    def loads(self, reads: Sequence[Read]) -> list[str]:
        """Lines that copy inputs into their queues."""
        lines = []
        for read in reads:
            type_, local, queue = self.plan.text(read.local), self.registers[read.local], self._queue(read.local.name)
            lines += [
                f"LocalTensor<{type_}> {local} = {queue}.AllocTensor<{type_}>();",
                f"Load({local}, {self._at(read)}, {self._loaded(read)});",
                f"{queue}.EnQue({local});",
            ]
        return lines

    def _loaded(self, read: Read) -> str:
        """How many elements of an input a turn loads."""
        if read.access.tensor in self.plan.single_or_whole:
            return f"{self._is_single(read.access.tensor)} ? 1 : count"
        return _count(read)

    def _at(self, one: Read | Written) -> str:
        """A tensor in global memory from where a turn's part of it begins."""
        place = self._place(one)
        name = self._global(one.access.tensor if isinstance(one, Read) else one.tensor)
        return f"{name}[{place}]" if place else name

    def _place(self, one: Read | Written) -> str:
        """Where a turn's part of a tensor begins, "" for its first element."""
        if self.plan.kind is Kind.LIST and not one.local.is_long and isinstance(one, Read):
            return f"index < {self.sizes[count_field(one.access.tensor)]} ? index : 0"
        if self.plan.kind.is_flat:
            if isinstance(one, Read) and one.access.tensor in self.plan.single_or_whole:
                return f"{self._is_single(one.access.tensor)} ? 0 : offset"
            return "offset" if one.local.is_long else ""
        row = self._row(one.groups)
        if isinstance(one, Read) and one.access.tensor in self.plan.row_or_whole:
            row = f"{self.sizes[count_field(one.access.tensor)]} == {self.sizes['cols']} ? 0 : row"
        access = one.access if isinstance(one, Read) else None
        if access is not None and access.by:
            index = f"{self._global(access.by)}.GetValue({row or '0'})"
            row = f"static_cast<uint64_t>({index})"
        if not one.local.is_long:
            return row
        start = [] if self.plan.kind is Kind.REDUCING else ["start"]
        cols = self.sizes["cols"]
        stride = cols
        if access is not None and access.parts > 1:
            stride = f"{cols} * {access.parts}"
            if access.part:
                start.insert(0, f"{cols} * {access.part}" if access.part > 1 else cols)
        if row:
            wide = row if row.startswith("static_cast") else f"static_cast<uint64_t>({row})"
            start.insert(0, f"{wide} * {stride}")
        return " + ".join(start)

    def _row(self, groups: tuple[bool, ...]) -> str:
        """Which row of a tensor goes with the current one, "" for its only one."""
        if not any(groups):
            return ""
        if all(groups):
            return "row"
        return f"row {'/' if groups[0] else '%'} {self.sizes['innerRows']}"

    def computing(self) -> list[str]:
        """Lines that take the tensors from their queues, compute, and put the outputs into theirs."""
        plan = self.plan
        lines = []
        for read in plan.moving:
            type_, queue = plan.text(read.local), self._queue(read.local.name)
            lines.append(f"LocalTensor<{type_}> {self.registers[read.local]} = {queue}.DeQue<{type_}>();")
        for one in plan.lowered.writes:
            type_, queue = plan.text(one.local), self._queue(one.local.name)
            lines.append(f"LocalTensor<{type_}> {self.registers[one.local]} = {queue}.AllocTensor<{type_}>();")
        for read in plan.moving:
            if read.access.tensor in plan.single_or_whole:
                local = self.registers[read.local]
                filled = f"Duplicate({local}, FirstOf({local}), count);"
                lines += [f"if ({self._is_single(read.access.tensor)}) {{", filled, "}"]
        fixed = {read.value for read in plan.fixed}
        lines += [self._widened(value, tensor) for value, tensor in plan.widened() if value not in fixed]
        lines += [self._in_place(register) for register in plan.lowered.temporaries]
        lines += ["", *self.steps, ""]
        lines += [f"{self._queue(one.local.name)}.EnQue({self.registers[one.local]});" for one in plan.lowered.writes]
        lines += [f"{self._queue(read.local.name)}.FreeTensor({self.registers[read.local]});" for read in plan.moving]
        return lines

    def _widened(self, value: Register, tensor: str, *, declared: bool = True) -> str:
        name, buffer = self.registers[value], self._buffer(value)
        types = self.plan.typed.tensors[tensor]
        local = self.registers[next(one for one in self.registers if one.name == value.name and one != value)]
        source = f"InFloat({local}, {buffer})" if types.may_be_float else f"{buffer}.Get<float>()"
        return f"{'LocalTensor<float> ' if declared else ''}{name} = {source};"

    def stores(self) -> list[str]:
        """Lines that copy the outputs out of their queues."""
        lines = []
        for one in self.plan.lowered.writes:
            type_, local, queue = self.plan.text(one.local), self.registers[one.local], self._queue(one.local.name)
            lines += [
                f"LocalTensor<{type_}> {local} = {queue}.DeQue<{type_}>();",
                f"Store({self._at(one)}, {local}, {_count(one)});",
                f"{queue}.FreeTensor({local});",
            ]
        return lines

    def once(self, *, declared: bool) -> list[str]:
        """Lines that load what every turn reads and compute what depends on it alone."""
        plan, lines = self.plan, []
        for read in plan.fixed:
            type_, local, queue = plan.text(read.local), self.registers[read.local], self._queue(read.local.name)
            declaration = f"LocalTensor<{type_}> " if declared else ""
            lines += [
                f"{declaration}{local} = {queue}.AllocTensor<{type_}>();",
                f"Load({local}, {self._at(read)}, {_count(read)});",
                f"{queue}.EnQue({local});",
                f"{local} = {queue}.DeQue<{type_}>();",
            ]
        fixed = {read.value for read in plan.fixed}
        lines += [self._widened(value, tensor, declared=declared) for value, tensor in plan.widened() if value in fixed]
        text = "\n".join(self.prologue)
        lines += [
            self._in_place(one) for one in plan.lowered.temporaries if re.search(rf"\b{self.registers[one]}\b", text)
        ]
        return lines + self.prologue

    def released(self) -> list[str]:
        """Lines that give back what every turn read."""
        return [f"{self._queue(read.local.name)}.FreeTensor({self.registers[read.local]});" for read in self.plan.fixed]

    def loop(self, turn: list[str], once: list[str], done: list[str], located: list[str]) -> list[str]:
        """The loops over tiles and rows around a turn's stages, between what is done once."""
        plan, size = self.plan, self.sizes
        tile = size["tileLength"]
        if plan.kind.is_flat:
            inner = [
                f"for (uint32_t offset = 0; offset < length; offset += {tile}) {{",
                f"uint32_t count = length - offset < {tile} ? length - offset : {tile};",
                *turn,
                "}",
            ]
            if plan.kind is Kind.FLAT:
                return [*once, *inner, *done]
            size_of_list = f"{self.list_name(self.lists[0])}.GetSize()"
            over = f"for (uint32_t index = 0; index < {size_of_list}; index++) {{"
            return [over, *located, *once, *inner, *done, "}"]
        rows = ["for (uint32_t row = firstRow; row < lastRow; row++) {", *turn, "}"]
        cols = size["cols"]
        if plan.kind is Kind.REDUCING:
            return [f"uint32_t count = {cols};", *once, *rows, *done]
        return [
            f"for (uint32_t start = 0; start < {cols}; start += {tile}) {{",
            f"uint32_t count = {cols} - start < {tile} ? {cols} - start : {tile};",
            *once,
            *rows,
            *done,
            "}",
        ]

    @property
    def own_sizes(self) -> tuple[str, ...]:
        """What a core finds out about its share."""
        return ("length",) if self.plan.kind.is_flat else ("firstRow", "lastRow")

    @property
    def template(self) -> list[str]:
        """The line before class or function, where it has parameters."""
        names = [name for name, _ in self.plan.typed.parameters]
        return [f"template <{', '.join(f'typename {name}' for name in names)}>"] if names else []

    @property
    def told(self) -> list[tuple[str, str]]:
        """Sizes and attributes that the kernel is told when it runs."""
        return [] if self.plan.static else list(fields_of(self.plan))

    def addresses(self) -> list[str]:
        """What the entry function calls the tensors."""
        return [self.plan.parameter(tensor) for tensor in self.global_tensors]


def _count(one: Read | Written) -> str:
    """How many elements of a tensor a turn copies."""
    return "count" if one.local.is_long else "1"
