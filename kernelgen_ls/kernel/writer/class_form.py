"""A kernel as a class, in the stages CopyIn, Compute and CopyOut."""

from __future__ import annotations

from collections.abc import Sequence

from kernelgen_ls.kernel.writer.layout import call, head
from kernelgen_ls.kernel.writer.plan import Kind
from kernelgen_ls.kernel.writer.sections import Sections

_COUNTED = {
    Kind.FLAT: ("offset", "count"),
    Kind.LIST: ("offset", "count"),
    Kind.ROWS: ("row", "start", "count"),
    Kind.REDUCING: ("row", "count"),
}
"""What the stages of a turn are told."""
_COUNTED_ONCE = {Kind.FLAT: (), Kind.LIST: ("index",), Kind.ROWS: ("start", "count"), Kind.REDUCING: ("count",)}


def class_lines(sections: Sections) -> list[str]:
    """The class."""
    plan, hand = sections.plan, sections.plan.hand
    lines = [*sections.template, f"class {plan.class_name} {{", "public:"]
    lines += [f"__aicore__ inline {plan.class_name}() {{}}", "", *_init(sections), "", *_process(sections), ""]
    lines.append("private:")
    counted = _told(_COUNTED[plan.kind])
    if plan.kind is Kind.LIST:
        lines += [*head("Locate", ["uint32_t index"]), "{", *sections.located(), "}", ""]
    if plan.fixed:
        lines += ["// What every turn reads is loaded once.", *head("LoadOnce", _told(_COUNTED_ONCE[plan.kind])), "{"]
        lines += [*sections.once(declared=False), "}", ""]
        lines += [*head("ReleaseOnce", []), "{", *sections.released(), "}", ""]
    lines += [*head(hand.copy_in, counted), "{", *sections.loads(plan.moving), "}", ""]
    lines += [*head(hand.compute, ["uint32_t count"]), "{", *sections.computing(), "}", ""]
    lines += [*head(hand.copy_out, counted), "{", *sections.stores(), "}", ""]
    return [*lines, *_members(sections), "};"]


def class_call(name: str, arguments: Sequence[str]) -> list[str]:
    """The lines of an entry function that run the class."""
    return ["TPipe pipe;", f"{name} op;", *call("op.Init", [*arguments, "&pipe"]), "op.Process();"]


def _told(names: Sequence[str]) -> list[str]:
    return [f"uint32_t {name}" for name in names]


def _init(sections: Sections) -> list[str]:
    told = sections.told
    parameters = [*(f"GM_ADDR {one}" for one in sections.addresses()), *(f"{type_} {one}" for type_, one in told)]
    kept = [f"this->{one} = {one};" for _, one in told]
    body = [*kept, "", *sections.share(), "", *sections.buffers("pipe->")]
    return [*head("Init", [*parameters, "TPipe *pipe"]), "{", *body, "}"]


def _process(sections: Sections) -> list[str]:
    plan, hand = sections.plan, sections.plan.hand
    counted, once = ", ".join(_COUNTED[plan.kind]), ", ".join(_COUNTED_ONCE[plan.kind])
    loop = sections.loop(
        [f"{hand.copy_in}({counted});", f"{hand.compute}(count);", f"{hand.copy_out}({counted});"],
        [f"LoadOnce({once});"] if plan.fixed else [],
        ["ReleaseOnce();"] if plan.fixed else [],
        ["Locate(index);"],
    )
    return [*head("Process", []), "{", *loop, "}"]


def _members(sections: Sections) -> list[str]:
    plan = sections.plan
    fixed = {read.value for read in plan.fixed}
    lines = sections.declarations()
    lines += [f"LocalTensor<{plan.text(read.local)}> {sections.registers[read.local]};" for read in plan.fixed]
    lines += [f"LocalTensor<float> {sections.registers[one]};" for one, _ in plan.widened() if one in fixed]
    lines += [f"{type_} {one};" for type_, one in sections.told]
    return lines + [f"uint32_t {one};" for one in sections.own_sizes]
