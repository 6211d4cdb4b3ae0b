"""A step of the lowered program as an instruction, with its scalars in the type that it computes in.

Changes with the instructions that ``expressions`` may choose.
"""

from __future__ import annotations

from kernelgen_ls.training.corpus.expressions import Step
from kernelgen_ls.training.corpus.naming import NamedKernel, float_literal
from kernelgen_ls.training.corpus.operators import FLOATS


def step_lines(k: NamedKernel, step: Step) -> list[str]:
    """The instruction of one step, behind whatever it has to wait for."""
    q, c = k.q, k.c
    sources = [k.registers[s] for s in step.srcs]
    if step.op == "GetValue":
        name = k.scalars[step.dst] = k.names.unique(_scalar_name(k))
        return [*_sync(k), f"{c} {name} = {sources[0]}.GetValue(0);"]
    dst = k.registers[step.dst]
    single = step.dst == "%stat" or (k.operator.reduces and step.dst == "%out")
    count = "1" if single else k.count
    if step.op.startswith("Reduce"):
        return [f"{q}{step.op}{k.explicit(c)}({dst}, {sources[0]}, {k.registers['%work']}, {k.count});"]
    if step.op == "CompareScalar":
        return [f"{q}CompareScalar({dst}, {sources[0]}, {_scalar(k, step.scalar)}, {q}CMPMODE::{step.mode}, {count});"]
    if step.op == "Compare":
        return [f"{q}Compare({dst}, {sources[0]}, {sources[1]}, {q}CMPMODE::{step.mode}, {count});"]
    if step.op == "Select":
        return [f"{q}Select({dst}, {', '.join(sources)}, {q}SELMODE::VSEL_TENSOR_TENSOR_MODE, {count});"]
    if step.op == "DataCopy":
        return [f"{q}DataCopy({dst}, {sources[0]}, {k.padded or count});"]
    scalar = [_scalar(k, step.scalar)] if step.scalar else []
    if not sources:
        sources = [dst]
    return [f"{q}{step.op}({', '.join([dst, *sources, *scalar, count])});"]


def _scalar(k: NamedKernel, text: str) -> str:
    """A step's scalar as C++ of the compute type."""
    if text == "1 / cols":
        return f"1.0f / {k.sizes['cols'].ref}"
    if text.startswith("1 / %"):
        return f"1.0f / {k.scalars[text[4:]]}"
    if text.startswith("1 / "):
        return _cast(
            k,
            f"(1.0f / {float_literal(text[4:])})" if k.hand.literal == "paren" else f"1.0f / {float_literal(text[4:])}",
        )
    if text.lstrip("-") in k.scalars:
        return ("-" if text.startswith("-") else "") + k.scalars[text.lstrip("-")]
    if text in k.sizes:
        return _cast(k, k.sizes[text].ref)
    if k.c not in FLOATS:
        return f"static_cast<{k.c}>({text})" if k.hand.literal == "static_cast" or k.c == "int16_t" else text
    return _cast(k, float_literal(text))


def _cast(k: NamedKernel, value: str) -> str:
    c = k.io if k.io == "T" and k.c == k.operator.inputs[0].dtype else k.c
    if k.c == "float" and c != "T":
        return value
    return {"paren": f"({c}){value}", "call": f"{c}({value})"}.get(k.hand.literal, f"static_cast<{c}>({value})")


def _scalar_name(k: NamedKernel) -> str:
    if k.hand.plain_names:
        return f"scalar{len(k.scalars)}"
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
    parts = (k.rng.choice(words)).split()
    return parts[0] + "".join(p.capitalize() for p in parts[1:]) if k.hand.case != "snake" else "_".join(parts)


def _sync(k: NamedKernel) -> list[str]:
    q, sync = k.q, k.hand.sync
    if sync == "event":
        event = k.names.size("event")
        return [
            f"event_t {event} = static_cast<event_t>({q}GetTPipePtr()->FetchEventID({q}HardEvent::V_S));",
            f"{q}SetFlag<{q}HardEvent::V_S>({event});",
            f"{q}WaitFlag<{q}HardEvent::V_S>({event});",
        ]
    return [f"{q}PipeBarrier<PIPE_ALL>();"] if sync == "all" else []
