"""Random operators: a name, tensors with types, an expression tree, a shape; and which of them are held out."""

from __future__ import annotations

import hashlib
import random

from attrs import evolve, field, frozen

from kernelgen_ls.kernel.dtypes import BFLOAT16, FLOAT16, FLOAT32
from kernelgen_ls.model.prompts import starter
from kernelgen_ls.training.corpus.expressions import Expr, expand, formula, has_rows, is_row_scalar, leaf, skeleton
from kernelgen_ls.training.corpus.words import OPERATOR_WORDS, WORDS, invented, snake, tensor_name, words_of

FLOATS = (FLOAT16.kernel, FLOAT32.kernel, BFLOAT16.kernel)


@frozen
class Tensor:
    """A kernel's tensor. ``vector``: one axis only (a weight over the last axis, or row indices)."""

    name: str
    dtype: str
    vector: bool = False


@frozen
class Operator:
    """An operator of one output.

    ``index`` names the int32 input that picks rows (a gather), "" otherwise. ``rows`` and ``cols`` are the first
    input's shape flattened to two axes.
    """

    name: str
    inputs: tuple[Tensor, ...]
    output: Tensor
    tree: Expr
    rows: int
    cols: int
    attributes: tuple[tuple[str, str], ...] = ()
    index: str = ""
    words: tuple[str, ...] = field(default=())
    structure: str = ""
    """The skeleton before well-known functions were written out; empty where none was."""

    @property
    def by_rows(self) -> bool:
        """Whether a kernel works row by row (a reduction or a gather) rather than over the flat length."""
        return bool(self.index) or has_rows(self.tree)

    @property
    def reduces(self) -> bool:
        """Whether the output has one number a row."""
        return is_row_scalar(self.tree)

    def formula(self) -> str:
        """The formula in plain notation."""
        text = formula(self.tree)
        if self.index:
            table = self.inputs[0].name
            return f"{self.output.name}[i] = " + formula(_rename(self.tree, table, f"{table}[{self.index}[i]]"))
        if self.output.dtype in ("int8_t", "int32_t") and self.inputs[0].dtype in FLOATS:
            text = f"round({text})"
        return f"{self.output.name} = {text}"

    def key(self) -> str:
        """What the split is made by: structure and kinds of types, without names, constants and shapes."""
        return f"{self.structure or skeleton(self.tree)}|{bool(self.index)}|{self.output.dtype in FLOATS}"

    def held_out(self) -> bool:
        """Whether the operator belongs to the test split: one structure in twelve, by hash; single calls never."""
        return hashlib.sha256(self.key().encode()).digest()[0] % 12 == 0


def _rename(node: Expr, old: str, new: str) -> Expr:
    if node.op == "leaf":
        return Expr("leaf", (), new if node.value == old else node.value)
    return Expr(node.op, tuple(_rename(arg, old, new) for arg in node.args), node.value)


WRITTEN_OUT = 0.25
"""Share of the operators whose well-known functions (silu, softmax ...) are written out in the formula."""


def plain_operator(operator: Operator) -> Operator:
    """The operator in the plain names of ``starter.plain_names``, without its sizes."""
    tensors = [tensor.name for tensor in operator.inputs]
    names = dict(zip(tensors, starter.PLAIN_INPUTS, strict=False))
    names[operator.output.name] = starter.PLAIN_OUTPUTS[0]
    values = dict(zip((name for name, _ in operator.attributes), starter.PLAIN_ATTRIBUTES, strict=False))
    return evolve(
        operator,
        name=starter.PLAIN_OPERATOR,
        words=tuple(starter.PLAIN_OPERATOR.split("_")),
        inputs=tuple(evolve(tensor, name=names[tensor.name]) for tensor in operator.inputs),
        output=evolve(operator.output, name=names[operator.output.name]),
        tree=_plain_tree(operator.tree, names, values),
        attributes=tuple((values[name], value) for name, value in operator.attributes),
        index=names.get(operator.index, ""),
        rows=1,
        cols=1,
    )


def _plain_tree(node: Expr, names: dict[str, str], values: dict[str, str]) -> Expr:
    value = names[node.value] if node.op == "leaf" else " ".join(values.get(word, word) for word in node.value.split())
    return Expr(node.op, tuple(_plain_tree(arg, names, values) for arg in node.args), value)


CONSTANTS = words_of(
    """
    0.5 2 0.1 0.25 1.5 3 0.01 0.2 4 0.125 0.75 1.702 0.044715 10 0.3 0.8 0.9 0.05 6 8 16
    """
)
ACTIVATIONS = words_of(
    """
    sigmoid silu quick_gelu tanh softplus logsigmoid square relu6 hardsigmoid hardtanh softsign exp abs relu relu
    abs exp sigmoid silu tanh square
    """
)
BINARIES = ["add", "add", "sub", "mul", "mul", "div", "max", "min"]


def constant(rng: random.Random, *, positive: bool = False) -> str:
    """A short decimal constant."""
    text = rng.choice(CONSTANTS) if rng.random() < 0.7 else f"{rng.uniform(0.01, 9.9):.{rng.randint(1, 3)}f}"
    return text if positive or rng.random() < 0.8 else "-" + text


@frozen
class Sampler:
    """Draws trees over given leaves. ``attributes`` collects the scalar attributes that trees refer to."""

    rng: random.Random
    attributes: dict[str, str] = field(factory=dict)
    taken: set[str] = field(factory=set)

    def scalar(self, *, positive: bool = False) -> str:
        """A constant, or the name of a new attribute."""
        if self.rng.random() < 0.15 and len(self.attributes) < 2:
            pool = ["alpha", "scale", "eps", "factor", "slope", "threshold", "offset", "lambda_", "tau", *WORDS]
            name = self.rng.choice(pool)
            if name.lower() not in self.taken:
                self.taken.add(name.lower())
                self.attributes[name] = constant(self.rng, positive=True)
                return name
        return constant(self.rng, positive=positive)

    def pointwise(self, depth: int, names: list[str]) -> Expr:
        """A float tree that uses every name of ``names``."""
        rng = self.rng
        if depth <= 0 and len(names) == 1:
            return leaf(names[0])
        if len(names) > 1:
            cut = rng.randint(1, len(names) - 1)
            left = self.pointwise(depth - 1 if rng.random() < 0.6 else 0, names[:cut])
            right = self.pointwise(depth - 1 if rng.random() < 0.4 else 0, names[cut:])
            if rng.random() < 0.08:
                mode = rng.choice(["gt", "lt", "ge", "le"])
                return Expr("where", (left, right, left, right), mode)
            return Expr(rng.choice(BINARIES), (left, right))
        inner = self.pointwise(depth - 1, names)
        roll = rng.random()
        if roll < 0.5:
            return Expr(rng.choice(ACTIVATIONS), (inner,))
        if roll < 0.58:
            safe = Expr("adds", (Expr("square", (inner,)),), constant(rng, positive=True))
            return Expr(rng.choice(["sqrt", "rsqrt", "log", "reciprocal"]), (safe,))
        if roll < 0.84:
            op = rng.choice(["adds", "muls", "muls", "maxs", "mins", "leaky", "rsubs", "divs"])
            if op == "divs":
                return Expr(op, (inner,), constant(rng, positive=True))
            return Expr(op, (inner,), self.scalar(positive=op in ("leaky", "rsubs")))
        if roll < 0.92:
            other = leaf(names[0])
            return Expr(rng.choice(["mul", "add", "sub"]), (inner, other))
        mode = rng.choice(["gt", "lt", "ge", "le"])
        return Expr("where", (inner, inner, Expr("muls", (inner,), constant(rng))), f"{mode} {constant(rng)}")

    def integer(self, depth: int, names: list[str]) -> Expr:
        """A tree of what the vector unit does on int32."""
        rng = self.rng
        if len(names) > 1:
            cut = rng.randint(1, len(names) - 1)
            args = (self.integer(depth - 1, names[:cut]), self.integer(depth - 1, names[cut:]))
            return Expr(rng.choice(["add", "sub", "mul", "max", "min"]), args)
        if depth <= 0:
            return leaf(names[0])
        op = rng.choice(["adds", "muls", "maxs", "mins"])
        return Expr(op, (self.integer(depth - 1, names),), str(rng.randint(-9, 64) or 2))

    def row(self, depth: int, names: list[str]) -> Expr:
        """A tree with a reduction along the last axis."""
        rng = self.rng
        inner = self.pointwise(depth if rng.random() < 0.5 else 0, names)
        roll = rng.random()
        if roll < 0.6:
            tree = Expr(rng.choice(["softmax", "center", "rms_norm", "l2_norm", "l1_norm", "layer_norm"]), (inner,))
        elif roll < 0.8:
            kind = rng.choice(["rowmax", "rowmin", "rowmean", "rowsum"])
            row = Expr(kind, (inner,))
            tree = Expr(rng.choice(["sub", "sub", "add", "mul"]), (inner, row))
        else:
            row = Expr("rowmax", (Expr("abs", (inner,)),))
            tree = Expr("div", (inner, Expr("sadds", (row,), rng.choice(["1e-6", "1e-5", "1e-8"]))))
        if rng.random() < 0.45:
            post = rng.random()
            if post < 0.5:
                tree = Expr(rng.choice(ACTIVATIONS), (tree,))
            elif post < 0.8:
                tree = Expr(rng.choice(["muls", "adds", "maxs", "mins"]), (tree,), self.scalar())
            else:
                tree = Expr(rng.choice(["mul", "add"]), (tree, leaf(rng.choice(names))))
        return tree

    def reduction(self, depth: int, names: list[str]) -> Expr:
        """A tree whose value is one number a row."""
        rng = self.rng
        inner = self.pointwise(depth, names)
        tree = Expr(rng.choice(["rowsum", "rowmean", "rowmax", "rowmin"]), (inner,))
        if rng.random() < 0.3:
            tree = Expr(rng.choice(["sadds", "smuls"]), (tree,), constant(rng, positive=True))
        if tree.op != "rowmax" and inner.op in ("square", "abs", "exp") and rng.random() < 0.5:
            tree = Expr("ssqrt", (tree,))
        return tree


def operator_name(rng: random.Random) -> tuple[str, ...]:
    """The words of an operator's name."""
    if rng.random() < 0.1:
        return (invented(rng), rng.choice(OPERATOR_WORDS))
    head = rng.choice(OPERATOR_WORDS if rng.random() < 0.7 else WORDS)
    tail = rng.choice(OPERATOR_WORDS if rng.random() < 0.4 else WORDS)
    words = [head, tail] if head != tail else [head, "op"]
    if rng.random() < 0.2:
        words.append(rng.choice(["custom", "v2", "kernel", "op", "fp", rng.choice(WORDS)]))
    return tuple(words)


RESERVED = words_of(
    """
    workspace tiling pipe op t i row count rows cols length mask stat t0 t1 t2 t3 s0 s1 s2 half float int new delete
    this offset index total tile start
    """
)


def random_operator(rng: random.Random) -> Operator:
    """An operator of any kind."""
    taken = set(RESERVED)
    roll = rng.random()
    number = rng.choices([1, 2, 3, 4], [45, 38, 13, 4])[0]
    names = [tensor_name(rng, taken) for _ in range(number)]
    out = tensor_name(rng, taken, output=True)
    words = operator_name(rng)
    taken.update(words)
    sampler = Sampler(rng, taken=taken)
    dtype = rng.choices(FLOATS, [46, 36, 18])[0]
    out_dtype, index = dtype, ""
    vectors: set[str] = set()
    depth = rng.choices([0, 1, 2, 3], [12, 38, 34, 16])[0]
    if roll < 0.08:
        dtype = out_dtype = rng.choice(["int32_t", "int32_t", "int16_t"])
        tree = sampler.integer(rng.randint(1, 2), names)
    elif roll < 0.16:
        tree = (
            sampler.pointwise(depth, names) if depth or number > 1 else Expr("muls", (leaf(names[0]),), constant(rng))
        )
        out_dtype = rng.choice(["int8_t", "int32_t", *[f for f in FLOATS if f != dtype]])
        if out_dtype == "int8_t" and rng.random() < 0.7:
            tree = Expr("mins", (Expr("maxs", (tree,), "-128"),), "127")
    elif roll < 0.52:
        tree = sampler.pointwise(max(depth, number == 1), names)
    elif roll < 0.78:
        used = names[: rng.choice([1, 1, 2])]
        tree = sampler.row(min(depth, 2), used)
        for name in names[len(used) :][:2]:
            tree = Expr("mul" if not vectors else "add", (tree, leaf(name)))
            vectors.add(name)
        names = [*used, *names[len(used) :][:2]]
    elif roll < 0.9:
        tree = sampler.reduction(min(depth, 2), names[:2])
        names = names[:2]
    else:
        index = names[1] if number > 1 else tensor_name(rng, taken)
        names = [names[0]]
        sampler = Sampler(rng, taken=taken)
        tree = sampler.pointwise(rng.choice([0, 0, 1, 1, 2]), names)
        if rng.random() < 0.2:
            tree = Expr(rng.choice(["softmax", "l2_norm", "rms_norm"]), (tree,))
    inputs = [Tensor(name, dtype, name in vectors) for name in names]
    if index:
        inputs.append(Tensor(index, "int32_t", vector=True))
    structure = ""
    if rng.random() < WRITTEN_OUT and out_dtype in FLOATS:
        structure, tree = skeleton(tree), expand(tree)
    cols = rng.choice([64, 128, 256, 512, 768, 1024, 1280, 1536, 2048, 100, 200, 500, 1000, 33, 77, 120, 300, 640, 896])
    rows = rng.choice([8, 16, 24, 32, 48, 64, 96, 128, 256, 384, 512, 1024, 2048, 40, 100, 200, 37])
    return Operator(
        name=snake(*words), inputs=tuple(inputs), output=Tensor(out, out_dtype), tree=tree, rows=rows, cols=cols,
        attributes=tuple((k, v) for k, v in sampler.attributes.items() if k in formula(tree)),
        index=index, words=words, structure=structure,
    )  # fmt: skip
