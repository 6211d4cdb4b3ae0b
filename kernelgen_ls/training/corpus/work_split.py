"""Which part of the data a core takes and in what turns: even blocks, blocks with a tail, or rows.

Changes with the ways in which kernels divide their work.
"""

from __future__ import annotations

from kernelgen_ls.kernel.constants import TYPE_BYTES
from kernelgen_ls.training.corpus.naming import NamedKernel
from kernelgen_ls.training.corpus.operators import Tensor


def core_share(k: NamedKernel) -> tuple[list[str], str, str]:
    """Lines that work out this core's part, then where it starts in every tensor and how long it is.

    Both are empty by rows, where each tensor has its own extent.
    """
    q, hand, out = k.q, k.hand, []
    integer = hand.integer
    if k.kind == "tail":
        total, begin, per, length = k.sizes["total"].ref, k.begin, k.per_core, k.length
        blocks = f"{q}GetBlockNum()"
        out.append(f"{integer} {per} = ({total} + {blocks} - 1) / {blocks};")
        align = 32 if hand.plain_names else k.rng.choice([32, 64, 16])
        out.append(f"{per} = ({per} + {align - 1}) / {align} * {align};")
        out.append(f"{integer} {begin} = {per} * {q}GetBlockIdx();")
        rest = f"({total} - {begin} < {per} ? {total} - {begin} : {per})"
        decl = "" if hand.form == "class" else f"{integer} "
        if hand.plain_names or k.rng.random() < 0.5:
            out.append(f"{decl}{length} = {begin} >= {total} ? 0 : {rest};")
        else:
            out.append(f"{decl}{length} = {per};")
            out += [
                f"if ({begin} + {per} > {total}) {{",
                f"\t{length} = {begin} < {total} ? {total} - {begin} : 0;",
                "}",
            ]
        offset, extent = begin, length
    elif k.kind == "even":
        block = k.sizes["block"].ref
        offset, extent = f"{block} * {q}GetBlockIdx()", block
    else:
        out += _row_split(k)
        offset, extent = "", ""
    return out, offset, extent


def _row_split(k: NamedKernel) -> list[str]:
    q, hand = k.q, k.hand
    decl = "" if hand.form == "class" else f"{hand.integer} "
    rows, cols, per = k.sizes["rows"].ref, k.sizes["cols"].ref, k.per_core
    unit = 32 if hand.plain_names else 32 // min(TYPE_BYTES[t.dtype] for t in (*k.data_inputs, k.operator.output))
    lines = [
        f"{decl}{k.padded} = ({cols} + {unit - 1}) / {unit} * {unit};",
        f"{hand.integer} {per} = ({rows} + {q}GetBlockNum() - 1) / {q}GetBlockNum();",
        f"{decl}{k.first} = {per} * {q}GetBlockIdx();",
    ]
    if hand.plain_names or k.rng.random() < 0.5:
        lines.append(f"{decl}{k.last} = {k.first} + {per} < {rows} ? {k.first} + {per} : {rows};")
    else:
        lines += [
            f"{decl}{k.last} = {k.first} + {per};",
            f"if ({k.last} > {rows}) {{",
            f"\t{k.last} = {rows};",
            "}",
        ]
    return lines


def row_extent(k: NamedKernel, tensor: Tensor) -> str:
    """How many elements of a tensor there are, where a core's part is counted in rows."""
    rows, cols = k.sizes["rows"].ref, k.sizes["cols"].ref
    if tensor.name == k.operator.index or (tensor is k.operator.output and k.operator.reduces):
        return rows
    return cols if tensor.vector else f"{rows} * {cols}"


def offset_of_turn(k: NamedKernel) -> str:
    """Where the current turn starts, counted from the start of the core's part."""
    if k.kind == "tail":
        return k.offset
    return f"{k.index} * {k.sizes['tile' if k.kind == 'even' else 'cols'].ref}"


def loop_head(k: NamedKernel) -> tuple[str, list[str]]:
    """The ``for`` line and what stands first in its body."""
    step = f"++{k.index}" if k.hand.prefix_increment else f"{k.index}++"
    integer = k.hand.integer
    if k.kind == "row":
        return f"for ({integer} {k.index} = {k.first}; {k.index} < {k.last}; {step}) {{", []
    if k.kind == "even":
        return (
            f"for ({integer} {k.index} = 0; {k.index} < {k.sizes['tiles'].ref}; {step}) {{",
            [],
        )
    tile, o = k.sizes["tile"].ref, k.offset
    head = f"for ({integer} {o} = 0; {o} < {k.length}; {o} += {tile}) {{"
    rest = f"{k.length} - {o}"
    return head, [*k.say.line("tail"), f"{integer} {k.count} = {rest} < {tile} ? {rest} : {tile};"]
