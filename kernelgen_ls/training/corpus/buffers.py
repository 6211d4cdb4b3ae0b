"""The memory a kernel owns: its queues, buffers and global tensors, declared and initialised."""

from __future__ import annotations

from kernelgen_ls.training.corpus.naming import NamedKernel
from kernelgen_ls.training.corpus.operators import Tensor
from kernelgen_ls.training.corpus.work_split import core_share, row_extent


def declarations(k: NamedKernel) -> list[str]:
    """Queues, buffers and global tensors."""
    q, hand = k.q, k.hand
    lines: list[str] = []
    position = f"{q}{hand.position}"
    for tensors, where in ((k.data_inputs, "VECIN"), ([k.operator.output], "VECOUT")):
        queues = [k.queue[t.name] for t in tensors]
        head = f"{q}TQue<{position}::{where}, {k.depth}> "
        lines += [head + ", ".join(queues) + ";"] if hand.grouped else [f"{head}{name};" for name in queues]
    lines += [f"{q}TBuf<{q}TPosition::VECCALC> {holder};" for holder, _, _ in k.buffers]
    for tensor in (*k.operator.inputs, k.operator.output):
        lines.append(f"{q}GlobalTensor<{k.type_of(tensor)}> {k.gm[tensor.name]};")
    return lines


def init_lines(k: NamedKernel) -> list[str]:
    """Everything Init does after its parameters are stored."""
    hand = k.hand
    out, offset, extent = core_share(k)
    out += k.say.line("gm")
    for tensor in (*k.operator.inputs, k.operator.output):
        extent_ = extent or row_extent(k, tensor)
        address = _gm_address(k, tensor, k.type_of(tensor), offset)
        out.append(f"{k.gm[tensor.name]}.SetGlobalBuffer({address}, {extent_});")
    out += k.say.line("buffer")
    arrow = "->" if hand.pipe_argument and hand.form == "class" else "."
    span = k.padded if k.kind == "row" else k.sizes["tile"].ref
    for tensor in (*k.data_inputs, k.operator.output):
        bytes_ = f"{span} * sizeof({k.type_of(tensor)})"
        if tensor is k.operator.output and k.operator.reduces:
            bytes_ = "32"
        out.append(f"{k.pipe}{arrow}InitBuffer({k.queue[tensor.name]}, {k.depth}, {bytes_});")
    out += [f"{k.pipe}{arrow}InitBuffer({holder}, {size});" for holder, _, size in k.buffers]
    return out


def _gm_address(k: NamedKernel, tensor: Tensor, type_: str, offset: str) -> str:
    space = " *" if k.hand.pointer_space else "*"
    address = f"(__gm__ {type_}{space}){tensor.name}"
    if k.hand.cast == "reinterpret":
        address = f"reinterpret_cast<__gm__ {type_}{space}>({tensor.name})"
    return f"{address} + {offset}" if offset else address
