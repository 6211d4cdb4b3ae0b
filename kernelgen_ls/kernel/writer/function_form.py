"""A kernel as one function: declarations, then a loop with the stages one after the other."""

from __future__ import annotations

from collections.abc import Sequence

from kernelgen_ls.kernel.writer.layout import call, head
from kernelgen_ls.kernel.writer.sections import Sections


def function_lines(sections: Sections) -> list[str]:
    """The function."""
    plan = sections.plan
    parameters = [f"GM_ADDR {one}" for one in sections.addresses()]
    parameters += [f"{type_} {one}" for type_, one in sections.told]
    lines = [*sections.template, *head(plan.class_name, parameters), "{", "TPipe pipe;", *sections.declarations(), ""]
    lines += [_declared(line, sections.own_sizes) for line in sections.share()]
    lines += ["", *sections.buffers("pipe."), ""]
    # Each stage in a block of its own: tensors have the same name where they are put into a queue and taken from it.
    stages = (sections.loads(plan.moving), sections.computing(), sections.stores())
    turn = [line for stage in stages for line in ("{", *stage, "}")]
    located = [_declared(line, sections.own_sizes) for line in sections.located()] if sections.lists else []
    return [*lines, *sections.loop(turn, sections.once(declared=True), sections.released(), located), "}"]


def function_call(name: str, arguments: Sequence[str]) -> list[str]:
    """The lines of an entry function that run the function."""
    return call(name, arguments)


def _declared(line: str, names: Sequence[str]) -> str:
    return f"uint32_t {line}" if any(line.startswith(f"{name} =") for name in names) else line
