"""What a kernel's text will call everything, decided before a line of it is written.

Changes with the names, types and sizes that people give to queues, buffers, registers and tiling fields.
"""

from __future__ import annotations

import random

from attrs import define, field, frozen

from kernelgen_ls.kernel.constants import TYPE_BYTES
from kernelgen_ls.kernel.dtypes import FLOAT16, FLOAT32, INT8, INT32
from kernelgen_ls.training.corpus.expressions import Program, lower
from kernelgen_ls.training.corpus.hands import Commenter, Hand, Namer
from kernelgen_ls.training.corpus.operators import FLOATS, Operator, Tensor
from kernelgen_ls.training.corpus.words import pascal

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


def compute_type(operator: Operator, hand: Hand) -> str:
    """The type the arithmetic is done in."""
    dtype, out = operator.inputs[0].dtype, operator.output.dtype
    if dtype not in FLOATS:
        return dtype
    narrow = dtype == FLOAT16.kernel and out in (FLOAT16.kernel, INT8.kernel, INT32.kernel)
    return FLOAT16.kernel if narrow and not operator.by_rows and not hand.wide else FLOAT32.kernel


def float_literal(text: str) -> str:
    """A decimal constant as a C++ float literal."""
    if text.lstrip("-").isdigit():
        return f"{text}.0f"
    return f"{text}f"


@define
class NamedKernel:
    """A kernel whose names, types and sizes are decided and of which no line is written yet.

    The modules that write it call it ``k``. Writing adds to ``names``, ``scalars`` and ``arithmetic``: a name that
    only some stage needs is taken where it is written.
    """

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
    arithmetic: list[str] = field(factory=list)
    """The lines that compute, once they are written."""
    kind: str = ""
    """How the work is split: ``even`` blocks, blocks with a ``tail``, or by ``row``."""

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
    """The type the arithmetic is done in."""
    io: str = field(init=False, default="")
    """The type of the inputs, ``T`` in a template."""
    out_type: str = field(init=False, default="")
    copies: bool = field(init=False, default=False)

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
        entries += [(name, "float", float_literal(value)) for name, value in operator.attributes]
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
        per = sum(TYPE_BYTES[t.dtype] for t in (*operator.inputs, operator.output)) * hand.depth
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

    def _wide_name(self, name: str) -> str:
        return self.names.joined([name, "Fp32"])

    def type_of(self, tensor: Tensor) -> str:
        """The type of a tensor's elements, as the kernel's text calls it."""
        if tensor.name == self.operator.index:
            return "int32_t"
        return self.out_type if tensor is self.operator.output else self.io

    def explicit(self, type_: str) -> str:
        """The template argument of a call that could do without it."""
        return f"<{type_}>" if self.hand.explicit else ""
