"""An operator in a hand: the kernel's text, and for dynamic ones the tiling header and the host file.

Lines are built with tabs for nesting; the hand's indentation replaces them at the end.
"""

from __future__ import annotations

import random

from attrs import define, field, frozen

from kernelgen_ls.training.corpus.expressions import Program, Step, lower, plan
from kernelgen_ls.training.corpus.hands import Commenter, Hand, Namer
from kernelgen_ls.training.corpus.host import host_file, tiling_header
from kernelgen_ls.training.corpus.operators import FLOATS, Operator, Tensor
from kernelgen_ls.training.corpus.words import pascal

BYTES = {"half": 2, "float": 4, "bfloat16_t": 2, "int32_t": 4, "int16_t": 2, "int8_t": 1, "uint8_t": 1}
UB_BUDGET = 150 * 1024


@frozen
class Size:
    """A size or an attribute of a kernel: its logical name, its type and value, and its names in the file."""

    key: str
    type: str
    value: str
    field: str
    """Name in the tiling struct, or of the constant."""
    ref: str
    """What the kernel's body calls it."""
    param: str
    """Name as a parameter of Init."""


@frozen
class Kernel:
    """A rendered operator. ``tiling_header`` and ``host`` are empty unless the kernel is dynamic."""

    operator: Operator
    hand: Hand
    program: Program
    source: str
    tiling_header: str = ""
    host: str = ""
    dynamic: bool = False

    @property
    def plan(self) -> str:
        """The plan that precedes the kernel in the model's answer."""
        return plan(self.program, self.operator.output.name)


def compute_type(operator: Operator, hand: Hand) -> str:
    """The type the arithmetic is done in."""
    dtype, out = operator.inputs[0].dtype, operator.output.dtype
    if dtype not in FLOATS:
        return dtype
    narrow = dtype == "half" and out in ("half", "int8_t", "int32_t")
    return "half" if narrow and not operator.by_rows and not hand.wide else "float"


@define
class Renderer:
    """Writes one kernel. Names are given first, then each stage is written from them."""

    rng: random.Random
    operator: Operator
    hand: Hand
    names: Namer = field(init=False)
    say: Commenter = field(init=False)
    program: Program = field(init=False)
    sizes: dict[str, Size] = field(factory=dict)
    gm: dict[str, str] = field(factory=dict)
    queue: dict[str, str] = field(factory=dict)
    local: dict[str, str] = field(factory=dict)
    buffers: list[tuple[str, str, str]] = field(factory=list)
    """(buffer's name, type of its elements, its size in bytes as text)."""
    registers: dict[str, str] = field(factory=dict)
    """What the body calls each register, after ``_name_registers``."""
    views: list[str] = field(factory=list)
    scalars: dict[str, str] = field(factory=dict)
    kind: str = ""

    def __attrs_post_init__(self) -> None:
        self.names = Namer(self.rng, self.hand)
        self.say = Commenter(self.rng, self.hand)
        self.program = lower(self.operator.tree)
        for tensor in (*self.operator.inputs, self.operator.output):
            self.names.taken.add(tensor.name)
        self.names.taken.update(["workspace", "tiling", "T", self.operator.name])
        self.kind = "row" if self.operator.by_rows else ("tail" if self.hand.tail else "even")
        self.copies = bool(self.program.steps) and self.program.steps[-1].op == "DataCopy"
        self.c = self.operator.inputs[0].dtype if self.copies else compute_type(self.operator, self.hand)
        self.io = "T" if self.hand.template and self.hand.form == "class" else self.operator.inputs[0].dtype
        self.out_type = (
            self.io if self.operator.output.dtype == self.operator.inputs[0].dtype else self.operator.output.dtype
        )
        self._name()

    c: str = field(init=False, default="")
    io: str = field(init=False, default="")
    out_type: str = field(init=False, default="")
    copies: bool = field(init=False, default=False)

    # names

    @property
    def data_inputs(self) -> list[Tensor]:
        """The inputs that are copied in (all but the indices of a gather)."""
        return [tensor for tensor in self.operator.inputs if tensor.name != self.operator.index]

    def _name(self) -> None:
        n, operator, hand = self.names, self.operator, self.hand
        in_class = hand.form == "class"
        for tensor in (*operator.inputs, operator.output):
            self.gm[tensor.name] = n.tensor("gm", tensor.name, member=in_class)
        for tensor in self.data_inputs:
            self.queue[tensor.name] = n.tensor("in_queue", tensor.name, member=in_class)
            self.local[tensor.name] = n.tensor("local", tensor.name, member=False)
        out = operator.output.name
        self.queue[out] = n.tensor("out_queue", out, member=in_class)
        self.local[out] = n.tensor("local", out, member=False)
        member = "member" if in_class else "local"
        self.pipe = n.size("pipe", style=member if not hand.pipe_argument else "local")
        self.depth = n.size("depth", style="const")
        self._sizes()
        self.length = n.size("length", style=member) if self.kind == "tail" else ""
        self.padded = n.size("padded", style=member) if self.kind == "row" else ""
        self.first = n.size("first", style=member) if self.kind == "row" else ""
        self.last = n.size("last", style=member) if self.kind == "row" else ""
        self.begin = n.size("begin") if self.kind == "tail" else ""
        self.per_core = n.size("block") if self.kind != "even" else ""
        self.offset = n.size("offset")
        self.count = (
            n.size("count") if self.kind == "tail" else self.sizes["tile" if self.kind == "even" else "cols"].ref
        )
        self.index = n.size("row" if self.kind == "row" else "index")
        self.params = n.size("params")
        self.pad = n.size("pad")
        self.data = n.size("data")
        self.op = n.size("op")
        self.struct = pascal(*operator.words) + self.rng.choice(
            ["TilingData", "Tiling", "TilingDataDef", "Params", "Info"]
        )
        if hand.sizes == "dynamic":
            self.struct = pascal(*operator.words) + "TilingData"
        self.klass = self.rng.choice(["Kernel{}", "{}", "{}Kernel", "{}Op"]).format(pascal(*operator.words))
        if hand.plain_names:
            self.klass = "KernelOp"
        self._name_registers()

    pipe: str = field(init=False, default="")
    depth: str = field(init=False, default="")
    length: str = field(init=False, default="")
    padded: str = field(init=False, default="")
    first: str = field(init=False, default="")
    last: str = field(init=False, default="")
    begin: str = field(init=False, default="")
    per_core: str = field(init=False, default="")
    offset: str = field(init=False, default="")
    count: str = field(init=False, default="")
    index: str = field(init=False, default="")
    params: str = field(init=False, default="")
    pad: str = field(init=False, default="")
    data: str = field(init=False, default="")
    op: str = field(init=False, default="")
    struct: str = field(init=False, default="")
    klass: str = field(init=False, default="")

    def _sizes(self) -> None:
        operator, hand = self.operator, self.hand
        total = operator.rows * operator.cols
        tile = self._tile()
        if self.kind == "row":
            values = {"rows": str(operator.rows), "cols": str(operator.cols)}
        elif self.kind == "tail":
            values = {"total": str(total), "tile": str(tile)}
        else:
            values = {
                "block": str(tile * (tiles := self.rng.choice([1, 2, 4, 8, 16]))),
                "tiles": str(tiles),
                "tile": str(tile),
            }
        entries = [(key, hand.integer, value) for key, value in values.items()]
        entries += [(name, "float", _float(value)) for name, value in operator.attributes]
        for key, type_, value in entries:
            known = key in values
            if hand.sizes == "const":
                name = self.names.size(key, style="const") if known else self.names.unique(key)
                self.sizes[key] = Size(key, type_, value, name, name, name)
                continue
            field_name = self.names.size(key) if known else self.names.unique(key)
            if hand.form == "function":
                ref = field_name
            elif hand.member == "this":
                ref = f"this->{field_name}"
            else:
                ref = self.names.unique(
                    {"_": f"{field_name}_", "m_": f"m_{field_name}"}.get(hand.member, f"{field_name}M")
                )
                if hand.member == "":
                    ref = self.names.unique(
                        self.rng.choice(["cur", "my", "the", "k"]) + field_name[:1].upper() + field_name[1:]
                    )
            self.sizes[key] = Size(key, type_, value, field_name, ref, field_name)

    def _tile(self) -> int:
        operator, hand = self.operator, self.hand
        per = sum(BYTES[t.dtype] for t in (*operator.inputs, operator.output)) * hand.depth
        per += (
            4 * (self.program.temporaries + 2 + len(operator.inputs))
            if self.c == "float"
            else 2 * self.program.temporaries + 2
        )
        fit = [size for size in (256, 512, 1024, 2048, 4096) if size * per <= UB_BUDGET]
        return min(fit[-1], 2048) if hand.plain_names else self.rng.choice(fit[-4:])

    def _name_registers(self) -> None:
        operator, n = self.operator, self.names
        member = self.hand.form == "class"
        span = self.padded if self.kind == "row" else self.sizes["tile"].ref
        number = 0

        def buffer(name: str, dtype: str, size: str) -> str:
            view = name
            holder = n.tensor_buffer(name, member=member)
            self.buffers.append((holder, dtype, size))
            self.views.append(f"{self.q}LocalTensor<{dtype}> {view} = {holder}.Get<{dtype}>();")
            return view

        for tensor in self.data_inputs:
            self.registers[tensor.name] = self.local[tensor.name]
            if tensor.dtype != self.c:
                name = n.unique(self._wide_name(tensor.name)) if self.hand.plain_names else n.numbered(number)
                self.registers[tensor.name] = buffer(name, self.c, f"{span} * sizeof({self.c})")
                number += not self.hand.plain_names
        self.registers["%out"] = self.local[operator.output.name]
        if operator.output.dtype != self.c:
            size = "32" if operator.reduces else f"{span} * sizeof({self.c})"
            self.registers["%out"] = buffer(n.size("acc"), self.c, size)
        for at in range(self.program.temporaries):
            self.registers[f"%t{at}"] = buffer(n.numbered(number + at), self.c, f"{span} * sizeof({self.c})")
        if self.program.masks:
            self.registers["%mask"] = buffer(n.size("mask"), "uint8_t", f"{span}")
        if self.program.reduces:
            self.registers["%work"] = buffer(n.size("work"), self.c, f"{span} * sizeof({self.c})")
        if self.program.scalars:
            self.registers["%stat"] = buffer(n.size("stat"), self.c, "32")
        if operator.output.dtype == "int8_t" and self.c == "float":
            self.registers["%half"] = buffer(n.size("half"), "half", f"{span} * sizeof(half)")

    @property
    def q(self) -> str:
        """The qualification of AscendC names."""
        return self.hand.q

    # pieces of the body

    def _gm_address(self, tensor: Tensor, type_: str, offset: str) -> str:
        space = " *" if self.hand.pointer_space else "*"
        address = f"(__gm__ {type_}{space}){tensor.name}"
        if self.hand.cast == "reinterpret":
            address = f"reinterpret_cast<__gm__ {type_}{space}>({tensor.name})"
        return f"{address} + {offset}" if offset else address

    def _type(self, tensor: Tensor) -> str:
        if tensor.name == self.operator.index:
            return "int32_t"
        return self.out_type if tensor is self.operator.output else self.io

    def init_lines(self) -> list[str]:
        """Everything Init does after its parameters are stored."""
        q, hand, out = self.q, self.hand, []
        integer = hand.integer
        if self.kind == "tail":
            total, begin, per, length = self.sizes["total"].ref, self.begin, self.per_core, self.length
            blocks = f"{q}GetBlockNum()"
            out.append(f"{integer} {per} = ({total} + {blocks} - 1) / {blocks};")
            align = 32 if hand.plain_names else self.rng.choice([32, 64, 16])
            out.append(f"{per} = ({per} + {align - 1}) / {align} * {align};")
            out.append(f"{integer} {begin} = {per} * {q}GetBlockIdx();")
            rest = f"({total} - {begin} < {per} ? {total} - {begin} : {per})"
            decl = "" if hand.form == "class" else f"{integer} "
            if hand.plain_names or self.rng.random() < 0.5:
                out.append(f"{decl}{length} = {begin} >= {total} ? 0 : {rest};")
            else:
                out.append(f"{decl}{length} = {per};")
                out += [
                    f"if ({begin} + {per} > {total}) {{",
                    f"\t{length} = {begin} < {total} ? {total} - {begin} : 0;",
                    "}",
                ]
            offset, extent = begin, length
        elif self.kind == "even":
            block = self.sizes["block"].ref
            offset, extent = f"{block} * {q}GetBlockIdx()", block
        else:
            out += self._row_split()
            offset, extent = "", ""
        out += self.say.line("gm")
        for tensor in (*self.operator.inputs, self.operator.output):
            extent_ = extent or self._row_extent(tensor)
            address = self._gm_address(tensor, self._type(tensor), offset)
            out.append(f"{self.gm[tensor.name]}.SetGlobalBuffer({address}, {extent_});")
        out += self.say.line("buffer")
        arrow = "->" if hand.pipe_argument and hand.form == "class" else "."
        span = self.padded if self.kind == "row" else self.sizes["tile"].ref
        for tensor in (*self.data_inputs, self.operator.output):
            bytes_ = f"{span} * sizeof({self._type(tensor)})"
            if tensor is self.operator.output and self.operator.reduces:
                bytes_ = "32"
            out.append(f"{self.pipe}{arrow}InitBuffer({self.queue[tensor.name]}, {self.depth}, {bytes_});")
        out += [f"{self.pipe}{arrow}InitBuffer({holder}, {size});" for holder, _, size in self.buffers]
        return out

    def _row_split(self) -> list[str]:
        q, hand = self.q, self.hand
        decl = "" if hand.form == "class" else f"{hand.integer} "
        rows, cols, per = self.sizes["rows"].ref, self.sizes["cols"].ref, self.per_core
        unit = 32 if hand.plain_names else 32 // min(BYTES[t.dtype] for t in (*self.data_inputs, self.operator.output))
        lines = [
            f"{decl}{self.padded} = ({cols} + {unit - 1}) / {unit} * {unit};",
            f"{hand.integer} {per} = ({rows} + {q}GetBlockNum() - 1) / {q}GetBlockNum();",
            f"{decl}{self.first} = {per} * {q}GetBlockIdx();",
        ]
        if hand.plain_names or self.rng.random() < 0.5:
            lines.append(f"{decl}{self.last} = {self.first} + {per} < {rows} ? {self.first} + {per} : {rows};")
        else:
            lines += [
                f"{decl}{self.last} = {self.first} + {per};",
                f"if ({self.last} > {rows}) {{",
                f"\t{self.last} = {rows};",
                "}",
            ]
        return lines

    def _row_extent(self, tensor: Tensor) -> str:
        rows, cols = self.sizes["rows"].ref, self.sizes["cols"].ref
        if tensor.name == self.operator.index or (tensor is self.operator.output and self.operator.reduces):
            return rows
        return cols if tensor.vector else f"{rows} * {cols}"

    def _copy_params(self, type_: str, count: str) -> tuple[list[str], str]:
        """Declarations before a DataCopyPad, and its parameter argument."""
        hand, q = self.hand, self.q
        kind = "DataCopyExtParams" if hand.ext_params else "DataCopyParams"
        width = "uint32_t" if hand.ext_params else "uint16_t"
        amount = f"sizeof({type_})" if count == "1" else f"{count} * sizeof({type_})"
        cast = f"static_cast<{width}>({amount})" if hand.literal != "paren" else f"({width})({amount})"
        values = f"{{1, {cast}, 0, 0, 0}}" if hand.ext_params else f"{{1, {cast}, 0, 0}}"
        if hand.inline_params:
            return [], f"{q}{kind}{values}"
        return [f"{q}{kind} {self.params}{values};"], self.params

    def copy_in_lines(self) -> list[str]:
        """One tile or row from global memory into the input queues."""
        q, hand, out = self.q, self.hand, []
        offset = self._offset()
        inputs = self.data_inputs
        if self.operator.index:
            source = self.names.size("source")
            out.append(f"{hand.integer} {source} = {self.gm[self.operator.index]}.GetValue({self.index});")
            offset = f"{source} * {self.sizes['cols'].ref}"
        out += [
            f"{self._decl(self.io, self.local[t.name])} = {self.queue[t.name]}.AllocTensor<{self.io}>();"
            for t in inputs
        ]
        argument, pad = "", ""
        if self.kind != "even":
            lines, argument = self._copy_params(self.io, self.count)
            out += lines
            pad_type = f"{q}DataCopyPadExtParams<{self.io}>" if hand.ext_params else f"{q}DataCopyPadParams"
            pad = self.pad
            if hand.inline_params:
                pad = f"{pad_type}{{false, 0, 0, 0}}"
            else:
                out.append(f"{pad_type} {pad}{{false, 0, 0, 0}};")
        for tensor in inputs:
            at = "0" if tensor.vector else offset
            place = f"{self.gm[tensor.name]}[{at}]" if not tensor.vector else self.gm[tensor.name]
            name = self.local[tensor.name]
            if self.kind == "even":
                out.append(f"{q}DataCopy({name}, {place}, {self.count});")
            else:
                out.append(f"{q}DataCopyPad({name}, {place}, {argument}, {pad});")
        out += [f"{self.queue[t.name]}.EnQue{self._explicit(self.io)}({self.local[t.name]});" for t in inputs]
        return out

    def _offset(self) -> str:
        if self.kind == "tail":
            return self.offset
        return f"{self.index} * {self.sizes['tile' if self.kind == 'even' else 'cols'].ref}"

    def _explicit(self, type_: str) -> str:
        return f"<{type_}>" if self.hand.explicit else ""

    def _decl(self, type_: str, name: str, *, fresh: bool = True) -> str:
        return f"{self.q}LocalTensor<{type_}> {name}" if fresh else name

    def compute_lines(self, *, fresh: bool = True) -> list[str]:
        """From the input queues through the program to the output queue. ``fresh`` False assigns to existing locals."""
        q, out = self.q, []
        result = self.operator.output
        out += [
            f"{self._decl(self.io, self.local[t.name], fresh=fresh)} = {self.queue[t.name]}.DeQue<{self.io}>();"
            for t in self.data_inputs
        ]
        name = self.local[result.name]
        out.append(f"{self._decl(self.out_type, name)} = {self.queue[result.name]}.AllocTensor<{self.out_type}>();")
        out += self.views
        widened = [t for t in self.data_inputs if t.dtype != self.c]
        if widened:
            out += self.say.line("cast")
        out += [
            f"{q}Cast({self.registers[t.name]}, {self.local[t.name]}, {q}RoundMode::CAST_NONE, {self.count});"
            for t in widened
        ]
        for step in self.program.steps:
            out += self._step(step)
            if self.hand.barrier and step.op != "GetValue":
                out.append(f"{q}PipeBarrier<PIPE_V>();")
        if result.dtype != self.c:
            out += self._narrow()
        out.append(f"{self.queue[result.name]}.EnQue{self._explicit(self.out_type)}({name});")
        out += [f"{self.queue[t.name]}.FreeTensor({self.local[t.name]});" for t in self.data_inputs]
        return out

    def _narrow(self) -> list[str]:
        q, out = self.q, self.operator.output
        count = "1" if self.operator.reduces else self.count
        source = self.registers["%out"]
        if "%half" in self.registers:
            half = self.registers["%half"]
            return [
                f"{q}Cast({half}, {source}, {q}RoundMode::CAST_NONE, {count});",
                f"{q}Cast({self.local[out.name]}, {half}, {q}RoundMode::CAST_RINT, {count});",
            ]
        return [f"{q}Cast({self.local[out.name]}, {source}, {q}RoundMode::CAST_RINT, {count});"]

    def _step(self, step: Step) -> list[str]:
        q, c = self.q, self.c
        sources = [self.registers[s] for s in step.srcs]
        if step.op == "GetValue":
            name = self.scalars[step.dst] = self.names.unique(self._scalar_name())
            return [*self._sync(), f"{c} {name} = {sources[0]}.GetValue(0);"]
        dst = self.registers[step.dst]
        single = step.dst == "%stat" or (self.operator.reduces and step.dst == "%out")
        count = "1" if single else self.count
        if step.op.startswith("Reduce"):
            return [f"{q}{step.op}{self._explicit(c)}({dst}, {sources[0]}, {self.registers['%work']}, {self.count});"]
        if step.op == "CompareScalar":
            return [
                f"{q}CompareScalar({dst}, {sources[0]}, {self._scalar(step.scalar)}, {q}CMPMODE::{step.mode}, {count});"
            ]
        if step.op == "Compare":
            return [f"{q}Compare({dst}, {sources[0]}, {sources[1]}, {q}CMPMODE::{step.mode}, {count});"]
        if step.op == "Select":
            return [f"{q}Select({dst}, {', '.join(sources)}, {q}SELMODE::VSEL_TENSOR_TENSOR_MODE, {count});"]
        if step.op == "DataCopy":
            return [f"{q}DataCopy({dst}, {sources[0]}, {self.padded or count});"]
        scalar = [self._scalar(step.scalar)] if step.scalar else []
        if not sources:
            sources = [dst]
        return [f"{q}{step.op}({', '.join([dst, *sources, *scalar, count])});"]

    def _wide_name(self, name: str) -> str:
        return self.names.joined([name, "Fp32"])

    def _scalar_name(self) -> str:
        if self.hand.plain_names:
            return f"scalar{len(self.scalars)}"
        words = [
            "max val",
            "row sum",
            "scalar",
            "value",
            "mean val",
            "norm",
            "denom",
            "total val",
            "s val",
            "reduced val",
        ]
        parts = (self.rng.choice(words)).split()
        return parts[0] + "".join(p.capitalize() for p in parts[1:]) if self.hand.case != "snake" else "_".join(parts)

    def _sync(self) -> list[str]:
        q, sync = self.q, self.hand.sync
        if sync == "event":
            event = self.names.size("event")
            return [
                f"event_t {event} = static_cast<event_t>({q}GetTPipePtr()->FetchEventID({q}HardEvent::V_S));",
                f"{q}SetFlag<{q}HardEvent::V_S>({event});",
                f"{q}WaitFlag<{q}HardEvent::V_S>({event});",
            ]
        return [f"{q}PipeBarrier<PIPE_ALL>();"] if sync == "all" else []

    def _scalar(self, text: str) -> str:
        """A step's scalar as C++ of the compute type."""
        if text == "1 / cols":
            return f"1.0f / {self.sizes['cols'].ref}"
        if text.startswith("1 / %"):
            return f"1.0f / {self.scalars[text[4:]]}"
        if text.startswith("1 / "):
            return self._cast(
                f"(1.0f / {_float(text[4:])})" if self.hand.literal == "paren" else f"1.0f / {_float(text[4:])}"
            )
        if text.lstrip("-") in self.scalars:
            return ("-" if text.startswith("-") else "") + self.scalars[text.lstrip("-")]
        if text in self.sizes:
            return self._cast(self.sizes[text].ref)
        if self.c not in FLOATS:
            return (
                f"static_cast<{self.c}>({text})" if self.hand.literal == "static_cast" or self.c == "int16_t" else text
            )
        return self._cast(_float(text))

    def _cast(self, value: str) -> str:
        c = self.io if self.io == "T" and self.c == self.operator.inputs[0].dtype else self.c
        if self.c == "float" and c != "T":
            return value
        return {"paren": f"({c}){value}", "call": f"{c}({value})"}.get(self.hand.literal, f"static_cast<{c}>({value})")

    def copy_out_lines(self, *, fresh: bool = True) -> list[str]:
        """One tile or row from the output queue to global memory."""
        q, out = self.q, []
        result = self.operator.output
        name = self.local[result.name]
        out.append(
            f"{self._decl(self.out_type, name, fresh=fresh)} = {self.queue[result.name]}.DeQue<{self.out_type}>();"
        )
        place = f"{self.gm[result.name]}[{self._offset()}]"
        if self.operator.reduces:
            place = f"{self.gm[result.name]}[{self.index}]"
        if self.kind == "even":
            out.append(f"{q}DataCopy({place}, {name}, {self.count});")
        else:
            lines, argument = self._copy_params(self.out_type, "1" if self.operator.reduces else self.count)
            out += lines
            out.append(f"{q}DataCopyPad({place}, {name}, {argument});")
        out.append(f"{self.queue[result.name]}.FreeTensor({name});")
        return out

    # the loop

    def loop_head(self) -> tuple[str, list[str]]:
        """The ``for`` line and what stands first in its body."""
        step = f"++{self.index}" if self.hand.prefix_increment else f"{self.index}++"
        integer = self.hand.integer
        if self.kind == "row":
            return f"for ({integer} {self.index} = {self.first}; {self.index} < {self.last}; {step}) {{", []
        if self.kind == "even":
            return (
                f"for ({integer} {self.index} = 0; {self.index} < {self.sizes['tiles'].ref}; {step}) {{",
                [],
            )
        tile, o = self.sizes["tile"].ref, self.offset
        head = f"for ({integer} {o} = 0; {o} < {self.length}; {o} += {tile}) {{"
        rest = f"{self.length} - {o}"
        return head, [*self.say.line("tail"), f"{integer} {self.count} = {rest} < {tile} ? {rest} : {tile};"]

    def declarations(self) -> list[str]:
        """Queues, buffers and global tensors."""
        q, hand = self.q, self.hand
        lines: list[str] = []
        position = f"{q}{hand.position}"
        for tensors, where in ((self.data_inputs, "VECIN"), ([self.operator.output], "VECOUT")):
            queues = [self.queue[t.name] for t in tensors]
            head = f"{q}TQue<{position}::{where}, {self.depth}> "
            lines += [head + ", ".join(queues) + ";"] if hand.grouped else [f"{head}{name};" for name in queues]
        lines += [f"{q}TBuf<{q}TPosition::VECCALC> {holder};" for holder, _, _ in self.buffers]
        for tensor in (*self.operator.inputs, self.operator.output):
            lines.append(f"{q}GlobalTensor<{self._type(tensor)}> {self.gm[tensor.name]};")
        return lines

    # the file

    def kernel(self) -> Kernel:
        """The whole kernel."""
        hand = self.hand
        lines = self._head()
        body = self._class_file() if hand.form == "class" else self._function_file()
        lines += body
        text = "\n".join(lines) + "\n"
        text = text.replace("\t", hand.indent)
        dynamic = hand.sizes == "dynamic"
        fields = [(s.type, s.field) for s in self.sizes.values()]
        return Kernel(
            self.operator, hand, self.program, text,
            tiling_header(self.operator, self.struct, fields) if dynamic else "",
            host_file(self.operator, self.struct, self.sizes_for_host()) if dynamic else "", dynamic,
        )  # fmt: skip

    def sizes_for_host(self) -> dict[str, tuple[str, str]]:
        """Of each size: its field and its value's text, for the host's tiling function."""
        return {key: (size.field, size.value) for key, size in self.sizes.items()}

    def _head(self) -> list[str]:
        hand, lines = self.hand, []
        formula = self.operator.formula()
        if hand.head_comment == "line":
            lines.append(f"// {formula}")
        elif hand.head_comment == "block":
            about = {"zh": "算子实现", "en": "vector kernel"}.get(hand.language, "kernel")
            lines += ["/*", f" * {self.operator.name}: {about}", f" * {formula}", " */"]
        lines.append('#include "kernel_operator.h"')
        if hand.using:
            lines.append("using namespace AscendC;")
        lines.append("")
        lines.append(f"constexpr int32_t {self.depth} = {hand.depth};")
        if hand.sizes == "const":
            lines += [f"constexpr {s.type} {s.field} = {s.value};" for s in self.sizes.values()]
        if hand.sizes == "struct":
            lines += ["", f"struct {self.struct} {{"]
            lines += [f"\t{s.type} {s.field} = {s.value};" for s in self.sizes.values()]
            lines.append("};")
        lines.append("")
        return lines

    def _open(self, head: str) -> list[str]:
        return [head, "{"] if self.hand.allman else [f"{head} {{"]

    def _entry_head(self) -> list[str]:
        arguments = [f"GM_ADDR {t.name}" for t in (*self.operator.inputs, self.operator.output)]
        dynamic = self.hand.sizes == "dynamic"
        arguments += ["GM_ADDR workspace"] * (self.hand.workspace or dynamic) + ["GM_ADDR tiling"] * dynamic
        return self._open(f'extern "C" __global__ __aicore__ void {self.operator.name}({", ".join(arguments)})')

    def _class_file(self) -> list[str]:
        hand, q = self.hand, self.q
        stages = self._stages()
        private = [f"\t{line}" if line else "" for stage in stages for line in stage]
        members = [] if hand.pipe_argument else [f"\t{q}TPipe {self.pipe};"]
        members += [f"\t{line}" for line in self.declarations()]
        if hand.sizes != "const":
            members += [f"\t{s.type} {s.ref.removeprefix('this->')};" for s in self.sizes.values()]
        members += [f"\t{hand.integer} {name};" for name in (self.length, self.padded, self.first, self.last) if name]
        public = [f"\t{line}" if line else "" for line in self._public()]
        lines = ["template <typename T>"] if hand.template else []
        lines += [f"class {self.klass} {{"]
        if hand.members_first:
            lines += ["private:", *members, "", "public:", *public, "", "private:", *private, "};"]
        else:
            lines += ["public:", *public, "", "private:", *private]
            lines += ["", *members, "};"] if private else [*members, "};"]
        lines.append("")
        return lines + self._class_entry()

    def _public(self) -> list[str]:
        hand, q = self.hand, self.q
        init, process, *_ = hand.methods
        lines = []
        if hand.constructor:
            lines += [f"__aicore__ inline {self.klass}() {{}}"]
        arguments = [f"GM_ADDR {t.name}" for t in (*self.operator.inputs, self.operator.output)]
        store = []
        if hand.sizes != "const":
            by_struct = hand.sizes == "struct" and hand.language != "en"
            prefix = f"{self.data}." if by_struct else ""
            arguments += (
                [f"const {self.struct} &{self.data}"]
                if by_struct
                else [f"{s.type} {s.param}" for s in self.sizes.values()]
            )
            store = [f"{s.ref} = {prefix}{s.param};" for s in self.sizes.values()]
        if hand.pipe_argument:
            arguments.append(f"{q}TPipe *{self.pipe}")
        lines += [*self.say.line("init"), *self._open(f"__aicore__ inline void {init}({', '.join(arguments)})")]
        lines += [f"\t{line}" for line in [*store, *self.init_lines()]] + ["}"]
        lines += ["", *self.say.line("process"), *self._open(f"__aicore__ inline void {process}()")]
        head, first = self.loop_head()
        lines += [f"\t{head}", *[f"\t\t{line}" for line in first]]
        if hand.fused:
            lines += [f"\t\t{line}" for line in self._fused()]
        else:
            lines += [f"\t\t{call};" for call in self._calls()]
        return [*lines, "\t}", "}"]

    def _calls(self) -> list[str]:
        _, _, copy_in, compute, copy_out = self.hand.methods
        if self.kind == "tail":
            return [
                f"{copy_in}({self.offset}, {self.count})",
                f"{compute}({self.count})",
                f"{copy_out}({self.offset}, {self.count})",
            ]
        return [f"{copy_in}({self.index})", f"{compute}()", f"{copy_out}({self.index})"]

    def _stages(self) -> list[list[str]]:
        if self.hand.fused:
            return []
        hand = self.hand
        _, _, copy_in, compute, copy_out = hand.methods
        i = hand.integer
        if self.kind == "tail":
            span = f"{i} {self.offset}, {i} {self.count}"
            signatures = [span, f"{i} {self.count}", span]
        else:
            signatures = [f"{i} {self.index}", "", f"{i} {self.index}"]
        bodies = [self.copy_in_lines(), self.compute_lines(), self.copy_out_lines()]
        stages = []
        for name, kind, signature, body in zip(
            (copy_in, compute, copy_out), ("copy_in", "compute", "copy_out"), signatures, bodies, strict=True
        ):
            stage = [*self.say.line(kind), *self._open(f"__aicore__ inline void {name}({signature})")]
            stage += [f"\t{line}" for line in body] + ["}"]
            if kind != "copy_out":
                stage.append("")
            stages.append(stage)
        return stages

    def _fused(self) -> list[str]:
        return [*self.copy_in_lines(), *self.compute_lines(fresh=False), *self._out_in_loop()]

    def _out_in_loop(self) -> list[str]:
        lines = self.copy_out_lines(fresh=False)
        again = f" {self.params}{{"
        if self.kind == "even" or self.hand.inline_params:
            return lines
        renamed = self.names.unique("out" + self.params[:1].upper() + self.params[1:])
        return [line.replace(again, f" {renamed}{{").replace(f", {self.params});", f", {renamed});") for line in lines]

    def _class_entry(self) -> list[str]:
        hand, q = self.hand, self.q
        init, process, *_ = hand.methods
        lines = self._entry_head()
        arguments = [t.name for t in (*self.operator.inputs, self.operator.output)]
        if hand.sizes == "struct":
            lines.append(f"\t{self.struct} {self.data};")
            by_struct = hand.language != "en"
            arguments += [self.data] if by_struct else [f"{self.data}.{s.field}" for s in self.sizes.values()]
        elif hand.sizes == "dynamic":
            lines.append(f"\tGET_TILING_DATA({self.data}, tiling);")
            arguments += [f"{self.data}.{s.field}" for s in self.sizes.values()]
        nested = "\t"
        if hand.sizes == "dynamic" and hand.tiling_key:
            lines.append("\tif (TILING_KEY_IS(1)) {")
            nested = "\t\t"
        if hand.pipe_argument:
            lines.append(f"{nested}{q}TPipe {self.pipe};")
            arguments.append(f"&{self.pipe}")
        type_ = self.operator.inputs[0].dtype
        if hand.uses_dtype_macro and hand.sizes == "dynamic":
            type_ = "DTYPE_" + self.operator.inputs[0].name.upper()
        generic = f"<{type_}>" if hand.template else ""
        lines.append(f"{nested}{self.klass}{generic} {self.op};")
        lines += [f"{nested}{self.op}.{init}({', '.join(arguments)});", f"{nested}{self.op}.{process}();"]
        if nested == "\t\t":
            lines.append("\t}")
        return [*lines, "}"]

    def _function_file(self) -> list[str]:
        hand, q = self.hand, self.q
        lines = self._entry_head()
        if hand.sizes == "struct":
            lines.append(f"\t{self.struct} {self.data};")
        elif hand.sizes == "dynamic":
            lines.append(f"\tGET_TILING_DATA({self.data}, tiling);")
        if hand.sizes != "const":
            lines += [f"\t{s.type} {s.ref} = {self.data}.{s.field};" for s in self.sizes.values()]
        lines.append(f"\t{q}TPipe {self.pipe};")
        lines += [f"\t{line}" for line in [*self.declarations(), *self.init_lines()]]
        head, first = self.loop_head()
        lines += [f"\t{head}", *[f"\t\t{line}" for line in [*first, *self._fused()]]]
        return [*lines, "\t}", "}"]


def _float(text: str) -> str:
    """A decimal constant as a C++ float literal."""
    if text.lstrip("-").isdigit():
        return f"{text}.0f"
    return f"{text}f"


def render(rng: random.Random, operator: Operator, hand: Hand) -> Kernel:
    """``operator`` written in ``hand``."""
    return Renderer(rng, operator, hand).kernel()
