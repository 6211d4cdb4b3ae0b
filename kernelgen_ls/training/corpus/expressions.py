"""Expression trees over vector operations, their formulas, and their lowering to AscendC's three-address calls.

A tree's leaves are input tensors. ``lower`` turns it into ``Step`` values over registers: the names of the inputs,
``%out``, temporaries ``%t0``, ``%t1`` ..., the comparison ``%mask``, the one-number buffer ``%stat`` and row scalars
``%s0`` ... (C++ scalars, one a row, read from ``%stat`` after a reduction).
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field, frozen


@frozen(cache_hash=True)
class Expr:
    """A node. ``op`` names it; ``args`` are its operands; ``value`` is a constant, an attribute's or a leaf's name."""

    op: str
    args: tuple[Expr, ...] = ()
    value: str = ""


def leaf(name: str) -> Expr:
    """An input tensor."""
    return Expr("leaf", (), name)


@frozen
class Step:
    """One AscendC call: ``dst = op(srcs, scalar)``; for ``Compare`` and ``Select`` ``mode`` is the CMPMODE."""

    op: str
    dst: str
    srcs: tuple[str, ...] = ()
    scalar: str = ""
    mode: str = ""


UNARY = {
    "exp": "Exp", "log": "Ln", "abs": "Abs", "sqrt": "Sqrt", "rsqrt": "Rsqrt", "relu": "Relu",
    "reciprocal": "Reciprocal",
}  # fmt: skip
BINARY = {"add": "Add", "sub": "Sub", "mul": "Mul", "div": "Div", "max": "Max", "min": "Min"}
SCALAR = {"adds": "Adds", "muls": "Muls", "maxs": "Maxs", "mins": "Mins", "leaky": "LeakyRelu"}
REDUCTIONS = {"rowsum": "ReduceSum", "rowmax": "ReduceMax", "rowmin": "ReduceMin", "rowmean": "ReduceSum"}
COMPARISONS = {"gt": ("GT", ">"), "lt": ("LT", "<"), "ge": ("GE", ">="), "le": ("LE", "<="), "eq": ("EQ", "==")}


def is_row_scalar(node: Expr) -> bool:
    """Whether the node is one number a row."""
    if node.op in REDUCTIONS:
        return True
    return node.op in ("sadds", "smuls", "ssqrt") and is_row_scalar(node.args[0])


def _constant_first(value: str) -> bool:
    """Whether a constant or attribute is written before the tensor: people do both, so half of them are."""
    if value.startswith("-"):
        return False
    return (len(value) if value[0].isdigit() else ord(value[0])) % 2 == 1


def formula(node: Expr, parent: int = 0) -> str:
    """The tree in plain notation, with the fewest parentheses."""
    op, args = node.op, node.args
    if op == "leaf":
        return node.value
    text, level = "", 9
    if op in ("add", "sub", "mul", "div"):
        level = 1 if op in ("add", "sub") else 2
        sign = {"add": "+", "sub": "-", "mul": "*", "div": "/"}[op]
        text = f"{formula(args[0], level)} {sign} {formula(args[1], level + (op in ('sub', 'div')))}"
    elif op in ("adds", "sadds"):
        level = 1
        if node.value.startswith("-"):
            text = f"{formula(args[0], 1)} - {node.value[1:]}"
        elif _constant_first(node.value):
            text = f"{node.value} + {formula(args[0], 1)}"
        else:
            text = f"{formula(args[0], 1)} + {node.value}"
    elif op == "rsubs":
        level = 1
        text = f"{node.value} - {formula(args[0], 2)}"
    elif op in ("muls", "smuls"):
        level = 2
        if node.value == "-1":
            text = f"-{formula(args[0], 3)}"
        elif _constant_first(node.value):
            text = f"{node.value} * {formula(args[0], 2)}"
        else:
            text = f"{formula(args[0], 2)} * {node.value}"
    elif op == "divs":
        level = 2
        text = f"{formula(args[0], 2)} / {node.value}"
    elif op == "rdivs":
        level = 2
        text = f"{node.value} / {formula(args[0], 3)}"
    elif op in ("max", "min"):
        text = f"{op}({formula(args[0])}, {formula(args[1])})"
    elif op in ("maxs", "mins"):
        text = f"{op[:3]}({formula(args[0])}, {node.value})"
    elif op == "leaky":
        text = f"leaky_relu({formula(args[0])}, {node.value})"
    elif op == "ssqrt":
        text = f"sqrt({formula(args[0])})"
    elif op in REDUCTIONS:
        text = f"{op[3:]}({formula(args[0])}, dim=-1)"
    elif op == "where":
        sign = COMPARISONS[node.value.split()[0]][1]
        right = formula(args[1]) if len(args) == 4 else node.value.split()[1]
        text = f"where({formula(args[0])} {sign} {right}, {formula(args[-2])}, {formula(args[-1])})"
    elif op == "square":
        text = f"square({formula(args[0])})"
    else:
        text = f"{op}({', '.join(formula(arg) for arg in args)})"
    return f"({text})" if level < parent else text


def leaves(node: Expr) -> list[str]:
    """The inputs' names in order of first use."""
    if node.op == "leaf":
        return [node.value]
    found: list[str] = []
    for arg in node.args:
        found += [name for name in leaves(arg) if name not in found]
    return found


def size(node: Expr) -> int:
    """The number of operations."""
    return (node.op != "leaf") + sum(size(arg) for arg in node.args)


def skeleton(node: Expr) -> str:
    """The tree without names and constants: what makes an operator that operator (the key of the train/test split)."""
    if node.op == "leaf":
        return "x"
    return f"{node.op}({','.join(skeleton(arg) for arg in node.args)})"


def expand(node: Expr) -> Expr:
    """The tree with the well-known functions (``silu`` ...) replaced by what they are made of."""
    args = tuple(expand(arg) for arg in node.args)
    if node.op in MACROS:
        return expand(MACROS[node.op](args[0]))
    return Expr(node.op, args, node.value)


def _sigmoid(x: Expr) -> Expr:
    return Expr("rdivs", (Expr("adds", (Expr("exp", (Expr("muls", (x,), "-1"),)),), "1"),), "1")


def _tanh(x: Expr) -> Expr:
    e = Expr("adds", (Expr("exp", (Expr("muls", (x,), "2"),)),), "1")
    return Expr("adds", (Expr("muls", (Expr("reciprocal", (e,)),), "-2"),), "1")


MACROS: dict[str, Callable[[Expr], Expr]] = {
    "sigmoid": _sigmoid,
    "silu": lambda x: Expr("div", (x, Expr("adds", (Expr("exp", (Expr("muls", (x,), "-1"),)),), "1"))),
    "quick_gelu": lambda x: Expr("div", (x, Expr("adds", (Expr("exp", (Expr("muls", (x,), "-1.702"),)),), "1"))),
    "tanh": _tanh,
    "softplus": lambda x: Expr("log", (Expr("adds", (Expr("exp", (x,)),), "1"),)),
    "logsigmoid": lambda x: Expr(
        "muls", (Expr("log", (Expr("adds", (Expr("exp", (Expr("muls", (x,), "-1"),)),), "1"),)),), "-1"
    ),
    "square": lambda x: Expr("mul", (x, x)),
    "relu6": lambda x: Expr("mins", (Expr("maxs", (x,), "0"),), "6"),
    "hardsigmoid": lambda x: Expr(
        "mins", (Expr("maxs", (Expr("adds", (Expr("muls", (x,), "0.2"),), "0.5"),), "0"),), "1"
    ),
    "hardtanh": lambda x: Expr("mins", (Expr("maxs", (x,), "-1"),), "1"),
    "softsign": lambda x: Expr("div", (x, Expr("adds", (Expr("abs", (x,)),), "1"))),
    "softmax": lambda x: _let_softmax(x),
    "center": lambda x: Expr("sub", (x, Expr("rowmean", (x,)))),
    "rms_norm": lambda x: Expr(
        "div", (x, Expr("ssqrt", (Expr("sadds", (Expr("rowmean", (Expr("mul", (x, x)),)),), "1e-6"),)))
    ),
    "l2_norm": lambda x: Expr(
        "div", (x, Expr("ssqrt", (Expr("sadds", (Expr("rowsum", (Expr("mul", (x, x)),)),), "1e-12"),)))
    ),
    "l1_norm": lambda x: Expr("div", (x, Expr("sadds", (Expr("rowsum", (Expr("abs", (x,)),)),), "1e-6"))),
    "layer_norm": lambda x: Expr("rms_of_center", (Expr("sub", (x, Expr("rowmean", (x,)))),)),
    "rms_of_center": lambda x: Expr(
        "div", (x, Expr("ssqrt", (Expr("sadds", (Expr("rowmean", (Expr("mul", (x, x)),)),), "1e-5"),)))
    ),
}


def _let_softmax(x: Expr) -> Expr:
    shifted = Expr("exp", (Expr("sub", (x, Expr("rowmax", (x,)))),))
    return Expr("div", (shifted, Expr("rowsum", (shifted,))))


ROW_MACROS = ("softmax", "center", "rms_norm", "l2_norm", "l1_norm", "layer_norm")


def has_rows(node: Expr) -> bool:
    """Whether any reduction along the last axis occurs."""
    return node.op in REDUCTIONS or node.op in ROW_MACROS or any(has_rows(arg) for arg in node.args)


@frozen
class Program:
    """The lowered tree: its steps, how many temporaries and row scalars they use, whether a comparison mask is used."""

    steps: tuple[Step, ...]
    temporaries: int
    scalars: int
    masks: bool
    reduces: bool


@define
class _Value:
    """One computed vector: the call that makes it and the values it reads (indices; negative for inputs)."""

    op: str
    args: tuple[int, ...]
    scalar: str = ""
    mode: str = ""
    dst: str = ""


@define
class _Linearised:
    """The tree as calls in order, equal subtrees computed once; the row scalars they produce."""

    values: list[_Value] = field(factory=list)
    inputs: list[str] = field(factory=list)
    known: dict[Expr, int] = field(factory=dict)
    scalars: dict[Expr, str] = field(factory=dict)

    def add(self, op: str, args: tuple[int, ...], scalar: str = "", mode: str = "", dst: str = "") -> int:
        self.values.append(_Value(op, args, scalar, mode, dst))
        return len(self.values) - 1

    def visit(self, node: Expr) -> int:
        """The index of ``node``'s value."""
        if node.op == "leaf":
            if node.value not in self.inputs:
                self.inputs.append(node.value)
            return -1 - self.inputs.index(node.value)
        if node not in self.known:
            self.known[node] = self._compute(node)
        return self.known[node]

    def _compute(self, node: Expr) -> int:
        op, args, value = node.op, node.args, node.value
        if op in UNARY:
            return self.add(UNARY[op], (self.visit(args[0]),))
        if op in SCALAR:
            return self.add(SCALAR[op], (self.visit(args[0]),), value)
        if op == "divs":
            return self.add("Muls", (self.visit(args[0]),), f"1 / {value}")
        if op == "rsubs":
            return self.add("Adds", (self.add("Muls", (self.visit(args[0]),), "-1"),), value)
        if op == "rdivs":
            inverse = self.add("Reciprocal", (self.visit(args[0]),))
            return inverse if value == "1" else self.add("Muls", (inverse,), value)
        if op == "where":
            return self._where(node)
        left, right = args
        if is_row_scalar(right):
            a = self.visit(left)
            s = self.row_scalar(right)
            form = {"add": ("Adds", s), "sub": ("Adds", f"-{s}"), "mul": ("Muls", s), "div": ("Muls", f"1 / {s}")}
            return self.add(form[op][0], (a,), form[op][1])
        if size(left) >= size(right):
            a = self.visit(left)
            b = self.visit(right)
        else:
            b = self.visit(right)
            a = self.visit(left)
        return self.add(BINARY[op], (a, b))

    def _where(self, node: Expr) -> int:
        mode, *constant = node.value.split()
        a = self.visit(node.args[0])
        b = () if constant else (self.visit(node.args[1]),)
        yes = self.visit(node.args[-2])
        no = self.visit(node.args[-1])
        name = "CompareScalar" if constant else "Compare"
        self.add(name, (a, *b), constant[0] if constant else "", COMPARISONS[mode][0], dst="%mask")
        return self.add("Select", (yes, no))

    def row_scalar(self, node: Expr, place: str = "%stat") -> str:
        """Reduce into the one-number buffer ``place``, adjust there, read it back as a C++ scalar."""
        if node in self.scalars:
            return self.scalars[node]
        chain: list[Expr] = []
        inner = node
        while inner.op not in REDUCTIONS:
            chain.append(inner)
            inner = inner.args[0]
        self.add(REDUCTIONS[inner.op], (self.visit(inner.args[0]),), dst=place)
        if inner.op == "rowmean":
            self.add("Muls", (), "1 / cols", dst=place)
        for link in reversed(chain):
            if link.op == "ssqrt":
                self.add("Sqrt", (), dst=place)
            else:
                self.add("Adds" if link.op == "sadds" else "Muls", (), link.value, dst=place)
        if place == "%out":
            return "%out"
        name = f"%s{len(self.scalars)}"
        self.add("GetValue", (), dst=name)
        self.scalars[node] = name
        return name


def lower(node: Expr) -> Program:
    """The steps that compute ``node`` into ``out``: registers are given greedily, in place where an operand dies."""
    code = _Linearised()
    tree = expand(node)
    if is_row_scalar(tree):
        code.row_scalar(tree, "%out")
        final = -1
    else:
        final = code.visit(tree)
        if final < 0:
            final = code.add("DataCopy", (final,))
    last: dict[int, int] = {}
    for at, value in enumerate(code.values):
        for arg in value.args:
            last[arg] = at
    registers = {-1 - i: name for i, name in enumerate(code.inputs)}
    reduced_out = is_row_scalar(tree)
    free = [] if reduced_out else ["%out"]
    temporaries = 0
    steps: list[Step] = []
    for at, value in enumerate(code.values):
        sources = tuple(registers[arg] for arg in value.args)
        if value.dst:
            own = (value.dst,) if not sources and value.dst in ("%stat", "%out") else ()
            own = ("%stat",) if value.op == "GetValue" else own
            steps.append(Step(value.op, value.dst, sources or own, value.scalar, value.mode))
        dying = [registers[arg] for arg in dict.fromkeys(value.args) if last[arg] == at and arg >= 0]
        if value.dst:
            free += dying
            continue
        if at == final:
            place = "%out"
        elif dying:
            place = dying.pop(0)
        elif free:
            free.sort()
            place = free.pop(0)
        else:
            place = f"%t{temporaries}"
            temporaries += 1
        free += [register for register in dying if register != place]
        if place in free:
            free.remove(place)
        registers[at] = place
        extra = ("%mask",) if value.op == "Select" else ()
        steps.append(Step(value.op, place, (*extra, *sources), value.scalar, value.mode))
    masks = any(step.dst == "%mask" for step in steps)
    reduces = any(step.op.startswith("Reduce") for step in steps)
    return Program(tuple(steps), temporaries, len(code.scalars), masks, reduces)
