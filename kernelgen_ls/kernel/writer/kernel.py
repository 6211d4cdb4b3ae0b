"""The kernel's file: a plan as AscendC, in a class or a function."""

from __future__ import annotations

import re
from collections.abc import Sequence

from attrs import evolve

from kernelgen_ls.kernel.dtypes import BY_KERNEL
from kernelgen_ls.kernel.formula.lowering import NotLoweredError
from kernelgen_ls.kernel.writer.class_form import class_call, class_lines
from kernelgen_ls.kernel.writer.code import literal
from kernelgen_ls.kernel.writer.function_form import function_call, function_lines
from kernelgen_ls.kernel.writer.hands import Form
from kernelgen_ls.kernel.writer.helpers import helpers
from kernelgen_ls.kernel.writer.layout import constant_name, indented
from kernelgen_ls.kernel.writer.naming import Names, pascal
from kernelgen_ls.kernel.writer.plan import ALIGNMENT, BUFFER_NUM, Attribute, Plan, known_value, sizes_of
from kernelgen_ls.kernel.writer.sections import Sections


def kernel_file(plans: Sequence[Plan], entry: str) -> str:
    """The text of the kernel's file: a class or function for each plan, those that come out alike once.

    ``entry`` is the signature of its entry function.
    """
    bodies: list[list[str]] = []
    chosen: list[Sections] = []
    for plan in plans:
        sections = Sections(_fresh(plan))
        lines = _body(sections)
        if lines in bodies:
            chosen.append(chosen[bodies.index(lines)])
            continue
        if chosen:
            sections = Sections(_fresh(plan, pascal(_kind(plan))))
            lines = _body(sections)
        bodies.append(lines)
        chosen.append(sections)
    every = [line for body in bodies for line in body]
    parts = [_head(plans), _constants(chosen[0]), *helpers(every), *bodies, _entry(plans, chosen, entry)]
    return indented("\n\n".join("\n".join(part) for part in parts), plans[0].hand.indent)


def _fresh(plan: Plan, suffix: str = "") -> Plan:
    """The plan with names of its own for what one class declares."""
    return evolve(plan, suffix=suffix, names=Names(), tensors={})


def _body(sections: Sections) -> list[str]:
    return class_lines(sections) if sections.plan.hand.form is Form.CLASS else function_lines(sections)


def _kind(plan: Plan) -> str:
    """The kind of the tensor that tells the plan's columns from others."""
    return next(one.types[0] for one in plan.typed.tensors.values() if one.kind != "real").removesuffix("_t")


def _head(plans: Sequence[Plan]) -> list[str]:
    lines = [f"// {line}" for line in plans[0].formula.splitlines() if line.strip()]
    includes = ["#include <type_traits>", ""] if any(plan.is_converting for plan in plans) else []
    return [*lines, *includes, '#include "kernel_operator.h"', "", "using namespace AscendC;"]


def _constants(sections: Sections) -> list[str]:
    plan = sections.plan
    whole = "whole repeats of float, whole blocks of 32 bytes of every type"
    lines = [
        f"constexpr int32_t BUFFER_NUM = {BUFFER_NUM};  // one is copied while the other is computed on",
        f"constexpr uint32_t ALIGNMENT = {ALIGNMENT};  // elements: {whole}",
    ]
    if plan.static:
        sizes = sizes_of(plan) or {}
        lines += [f"constexpr uint32_t {sections.sizes[name]} = {value};" for name, value in sizes.items()]
        lines += [f"constexpr {one.type} {constant_name(one.name)} = {_default(one)};" for one in plan.attributes]
    return lines


def _default(attribute: Attribute) -> str:
    """An attribute's default as C++."""
    value = known_value(attribute.spec)
    assert isinstance(value, int | float)  # a static kernel is not planned without
    return literal(value) if attribute.type == "float" else str(int(value))


def _entry(plans: Sequence[Plan], chosen: Sequence[Sections], entry: str) -> list[str]:
    first, lines, data = chosen[0], [entry, "{"], ""
    if not first.plan.static:
        names = re.findall(r"(\w+)\s*[,)]", entry)
        data = "tilingData" if "tilingData" not in names else "data"
        lines.append(f"GET_TILING_DATA({data}, {names[-1]});")
    shared = chosen.count(first)
    for number, (plan, sections) in enumerate(zip(plans, chosen, strict=True)):
        if sections is first and number:
            continue
        if shared < len(plans):
            lines.append(f"#{'if' if not number else 'elif'} {_condition(plans, chosen, sections)}")
        lines += _call(sections, plan, data)
    return [*lines, *(["#endif"] if shared < len(plans) else []), "}"]


def _condition(plans: Sequence[Plan], chosen: Sequence[Sections], wanted: Sections) -> str:
    """The preprocessor's condition for the columns of a class: the types of the tensor that tells them apart."""
    mine = [plan for plan, sections in zip(plans, chosen, strict=True) if sections is wanted]
    others = [plan for plan, sections in zip(plans, chosen, strict=True) if sections is not wanted]
    for name in plans[0].typed.tensors:
        own = {kernel for plan in mine for kernel in plan.typed.tensors[name].types}
        if own.isdisjoint(kernel for plan in others for kernel in plan.typed.tensors[name].types):
            graph = dict.fromkeys(BY_KERNEL[kernel].graph for plan in mine for kernel in plan.typed.tensors[name].types)
            return " || ".join(f"ORIG_DTYPE_{name.upper()} == {one}" for one in graph)
    raise NotLoweredError("columns of different kinds that no tensor tells apart")


def _call(sections: Sections, plan: Plan, data: str) -> list[str]:
    arguments = [*sections.addresses(), *(f"{data}.{one}" for _, one in sections.told)]
    types = ", ".join(f"DTYPE_{owner.upper()}" for _, owner in plan.typed.parameters)
    name = f"{sections.plan.class_name}<{types}>" if types else sections.plan.class_name
    return class_call(name, arguments) if plan.hand.form is Form.CLASS else function_call(name, arguments)
