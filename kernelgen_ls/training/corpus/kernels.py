"""An operator in a hand: the kernel's text, and for dynamic ones the tiling header and the host file.

``naming`` decides what everything is called, then ``class_form`` or ``function_form`` writes it. Lines are built with
tabs for nesting; the hand's indentation replaces them at the end.
"""

from __future__ import annotations

import random

from attrs import frozen

from kernelgen_ls.training.corpus.buffers import declarations
from kernelgen_ls.training.corpus.class_form import class_lines
from kernelgen_ls.training.corpus.function_form import function_lines
from kernelgen_ls.training.corpus.hands import Hand
from kernelgen_ls.training.corpus.host import host_file, tiling_header
from kernelgen_ls.training.corpus.naming import NamedKernel
from kernelgen_ls.training.corpus.operators import Operator


@frozen
class Kernel:
    """A rendered operator. ``tiling_header`` and ``host`` are empty unless the kernel is dynamic."""

    operator: Operator
    hand: Hand
    plan: str
    """What precedes the kernel in the model's answer."""
    arithmetic: tuple[str, ...]
    """The lines that compute, without their indentation."""
    source: str
    tiling_header: str = ""
    host: str = ""
    dynamic: bool = False


def render(rng: random.Random, operator: Operator, hand: Hand) -> Kernel:
    """``operator`` written in ``hand``."""
    k = NamedKernel(rng, operator, hand)
    lines = _head(k) + (class_lines(k) if hand.form == "class" else function_lines(k))
    source = ("\n".join(lines) + "\n").replace("\t", hand.indent)
    if hand.sizes != "dynamic":
        return Kernel(operator, hand, written_plan(k), tuple(k.arithmetic), source)
    header = tiling_header(operator, k.struct, [(s.type, s.field) for s in k.sizes.values()])
    host = host_file(operator, k.struct, {key: (s.field, s.value) for key, s in k.sizes.items()})
    return Kernel(operator, hand, written_plan(k), tuple(k.arithmetic), source, header, host, dynamic=True)


def written_plan(k: NamedKernel) -> str:
    """The plan of a kernel that is written: how it divides its work, in what it computes, the arithmetic, the memory.

    Everything that takes thought stands in it, close to the specification and in the kernel's own words. What follows
    it is the same in every kernel or copied from it.
    """
    registers = {**k.registers, k.operator.output.name: k.registers["%out"]}
    lines = [f"{k.kind} {k.c}"]
    lines += [f"{t.name} {t.dtype} {registers[t.name]}" for t in (*k.data_inputs, k.operator.output)]
    memory = [line for line in declarations(k) if "GlobalTensor" not in line]
    return "\n".join([*lines, *k.arithmetic, *memory]) + "\n"


def _head(k: NamedKernel) -> list[str]:
    hand, lines = k.hand, []
    formula = k.operator.formula()
    if hand.head_comment == "line":
        lines.append(f"// {formula}")
    elif hand.head_comment == "block":
        about = {"zh": "算子实现", "en": "vector kernel"}.get(hand.language, "kernel")
        lines += ["/*", f" * {k.operator.name}: {about}", f" * {formula}", " */"]
    lines.append('#include "kernel_operator.h"')
    if hand.using:
        lines.append("using namespace AscendC;")
    lines.append("")
    lines.append(f"constexpr int32_t {k.depth} = {hand.depth};")
    if hand.sizes == "const":
        lines += [f"constexpr {s.type} {s.field} = {s.value};" for s in k.sizes.values()]
    if hand.sizes == "struct":
        lines += ["", f"struct {k.struct} {{"]
        lines += [f"\t{s.type} {s.field} = {s.value};" for s in k.sizes.values()]
        lines.append("};")
    lines.append("")
    return lines
