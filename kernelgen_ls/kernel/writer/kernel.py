"""The kernel's file: a plan as AscendC, in a class or a function."""

from __future__ import annotations

import re

from kernelgen_ls.kernel.writer.class_form import class_call, class_lines
from kernelgen_ls.kernel.writer.code import literal
from kernelgen_ls.kernel.writer.function_form import function_call, function_lines
from kernelgen_ls.kernel.writer.hands import Form
from kernelgen_ls.kernel.writer.helpers import helpers
from kernelgen_ls.kernel.writer.layout import constant_name, indented
from kernelgen_ls.kernel.writer.plan import ALIGNMENT, BUFFER_NUM, Plan, sizes_of
from kernelgen_ls.kernel.writer.sections import Sections


def kernel_file(plan: Plan, entry: str) -> str:
    """The text of the kernel's file. ``entry`` is the signature of its entry function."""
    sections = Sections(plan)
    body = class_lines(sections) if plan.hand.form is Form.CLASS else function_lines(sections)
    parts = [_head(plan), _constants(sections), *helpers(body), body, _entry(sections, entry)]
    return indented("\n\n".join("\n".join(part) for part in parts), plan.hand.indent)


def _head(plan: Plan) -> list[str]:
    lines = [f"// {line}" for line in plan.formula.splitlines() if line.strip()]
    includes = ["#include <type_traits>", ""] if plan.is_converting else []
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
        lines += [
            f"constexpr {one.type} {constant_name(one.name)} = {_default(one.spec.default, one.type)};"
            for one in plan.attributes
        ]
    return lines


def _default(text: str | None, type_: str) -> str:
    """An attribute's default as C++ of a type."""
    plain = (text or "0").strip().rstrip("fF")
    return literal(float(plain)) if type_ == "float" else plain


def _entry(sections: Sections, entry: str) -> list[str]:
    plan, arguments, lines = sections.plan, sections.addresses(), [entry, "{"]
    if not plan.static:
        names = re.findall(r"(\w+)\s*[,)]", entry)
        data = "tilingData" if "tilingData" not in names else "data"
        lines.append(f"GET_TILING_DATA({data}, {names[-1]});")
        arguments += [f"{data}.{one}" for _, one in sections.told]
    types = ", ".join(f"DTYPE_{owner.upper()}" for _, owner in plan.typed.parameters)
    name = f"{plan.class_name}<{types}>" if types else plan.class_name
    called = class_call(name, arguments) if plan.hand.form is Form.CLASS else function_call(name, arguments)
    return [*lines, *called, "}"]
