"""The three stages of a kernel's loop: copy in, compute, copy out, as functions' bodies or all in one.

Changes with how tensors pass between global memory, the queues and the arithmetic.
"""

from __future__ import annotations

from kernelgen_ls.training.corpus.arithmetic import step_lines
from kernelgen_ls.training.corpus.naming import NamedKernel
from kernelgen_ls.training.corpus.work_split import offset_of_turn


def copy_in_lines(k: NamedKernel) -> list[str]:
    """One tile or row from global memory into the input queues."""
    q, hand, out = k.q, k.hand, []
    offset = offset_of_turn(k)
    inputs = k.data_inputs
    if k.operator.index:
        source = k.names.size("source")
        out.append(f"{hand.integer} {source} = {k.gm[k.operator.index]}.GetValue({k.index});")
        offset = f"{source} * {k.sizes['cols'].ref}"
    out += [f"{_local_tensor(k, k.io, k.local[t.name])} = {k.queue[t.name]}.AllocTensor<{k.io}>();" for t in inputs]
    argument, pad = "", ""
    if k.kind != "even":
        lines, argument = _copy_params(k, k.io, k.count)
        out += lines
        pad_type = f"{q}DataCopyPadExtParams<{k.io}>" if hand.ext_params else f"{q}DataCopyPadParams"
        pad = k.pad
        if hand.inline_params:
            pad = f"{pad_type}{{false, 0, 0, 0}}"
        else:
            out.append(f"{pad_type} {pad}{{false, 0, 0, 0}};")
    for tensor in inputs:
        at = "0" if tensor.vector else offset
        place = f"{k.gm[tensor.name]}[{at}]" if not tensor.vector else k.gm[tensor.name]
        name = k.local[tensor.name]
        if k.kind == "even":
            out.append(f"{q}DataCopy({name}, {place}, {k.count});")
        else:
            out.append(f"{q}DataCopyPad({name}, {place}, {argument}, {pad});")
    out += [f"{k.queue[t.name]}.EnQue{k.explicit(k.io)}({k.local[t.name]});" for t in inputs]
    return out


def compute_lines(k: NamedKernel, *, fresh: bool = True) -> list[str]:
    """From the input queues through the program to the output queue. ``fresh`` False assigns to existing locals."""
    q, out = k.q, []
    result = k.operator.output
    out += [
        f"{_local_tensor(k, k.io, k.local[t.name], fresh=fresh)} = {k.queue[t.name]}.DeQue<{k.io}>();"
        for t in k.data_inputs
    ]
    name = k.local[result.name]
    out.append(f"{_local_tensor(k, k.out_type, name)} = {k.queue[result.name]}.AllocTensor<{k.out_type}>();")
    out += k.views
    widened = [t for t in k.data_inputs if t.dtype != k.c]
    if widened:
        out += k.say.line("cast")
    k.arithmetic = [
        f"{q}Cast({k.registers[t.name]}, {k.local[t.name]}, {q}RoundMode::CAST_NONE, {k.count});" for t in widened
    ]
    for step in k.program.steps:
        k.arithmetic += step_lines(k, step)
        if k.hand.barrier and step.op != "GetValue":
            k.arithmetic.append(f"{q}PipeBarrier<PIPE_V>();")
    if result.dtype != k.c:
        k.arithmetic += _narrow(k)
    out += k.arithmetic
    out.append(f"{k.queue[result.name]}.EnQue{k.explicit(k.out_type)}({name});")
    out += [f"{k.queue[t.name]}.FreeTensor({k.local[t.name]});" for t in k.data_inputs]
    return out


def copy_out_lines(k: NamedKernel, *, fresh: bool = True) -> list[str]:
    """One tile or row from the output queue to global memory."""
    q, out = k.q, []
    result = k.operator.output
    name = k.local[result.name]
    out.append(f"{_local_tensor(k, k.out_type, name, fresh=fresh)} = {k.queue[result.name]}.DeQue<{k.out_type}>();")
    place = f"{k.gm[result.name]}[{offset_of_turn(k)}]"
    if k.operator.reduces:
        place = f"{k.gm[result.name]}[{k.index}]"
    if k.kind == "even":
        out.append(f"{q}DataCopy({place}, {name}, {k.count});")
    else:
        lines, argument = _copy_params(k, k.out_type, "1" if k.operator.reduces else k.count)
        out += lines
        out.append(f"{q}DataCopyPad({place}, {name}, {argument});")
    out.append(f"{k.queue[result.name]}.FreeTensor({name});")
    return out


def fused_lines(k: NamedKernel) -> list[str]:
    """The three stages one after the other in one scope."""
    return [*copy_in_lines(k), *compute_lines(k, fresh=False), *_out_in_loop(k)]


def _out_in_loop(k: NamedKernel) -> list[str]:
    lines = copy_out_lines(k, fresh=False)
    again = f" {k.params}{{"
    if k.kind == "even" or k.hand.inline_params:
        return lines
    renamed = k.names.unique("out" + k.params[:1].upper() + k.params[1:])
    return [line.replace(again, f" {renamed}{{").replace(f", {k.params});", f", {renamed});") for line in lines]


def _narrow(k: NamedKernel) -> list[str]:
    q, out = k.q, k.operator.output
    count = "1" if k.operator.reduces else k.count
    source = k.registers["%out"]
    if "%half" in k.registers:
        half = k.registers["%half"]
        return [
            f"{q}Cast({half}, {source}, {q}RoundMode::CAST_NONE, {count});",
            f"{q}Cast({k.local[out.name]}, {half}, {q}RoundMode::CAST_RINT, {count});",
        ]
    return [f"{q}Cast({k.local[out.name]}, {source}, {q}RoundMode::CAST_RINT, {count});"]


def _copy_params(k: NamedKernel, type_: str, count: str) -> tuple[list[str], str]:
    """Declarations before a DataCopyPad, and its parameter argument."""
    hand, q = k.hand, k.q
    kind = "DataCopyExtParams" if hand.ext_params else "DataCopyParams"
    width = "uint32_t" if hand.ext_params else "uint16_t"
    amount = f"sizeof({type_})" if count == "1" else f"{count} * sizeof({type_})"
    cast = f"static_cast<{width}>({amount})" if hand.literal != "paren" else f"({width})({amount})"
    values = f"{{1, {cast}, 0, 0, 0}}" if hand.ext_params else f"{{1, {cast}, 0, 0}}"
    if hand.inline_params:
        return [], f"{q}{kind}{values}"
    return [f"{q}{kind} {k.params}{values};"], k.params


def _local_tensor(k: NamedKernel, type_: str, name: str, *, fresh: bool = True) -> str:
    return f"{k.q}LocalTensor<{type_}> {name}" if fresh else name
