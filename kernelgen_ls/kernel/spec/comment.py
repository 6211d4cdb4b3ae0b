"""Specifications in a comment: above an entry function, or alone in a file that has no code yet."""

from __future__ import annotations

import re
from collections.abc import Sequence

from attrs import evolve

from kernelgen_ls.kernel.dtypes import dtypes_in, find_dtype
from kernelgen_ls.kernel.findings import Position
from kernelgen_ls.kernel.formula import Formula, understand
from kernelgen_ls.kernel.spec.reference import reference_in, without_references
from kernelgen_ls.kernel.spec.sides import outputs_of
from kernelgen_ls.kernel.spec.specification import SpecAttribute, Specification, SpecTensor
from kernelgen_ls.kernel.spec.words import EQUATION, NAME, camel, operator_name, shape_in
from kernelgen_ls.kernel.structure import Function
from kernelgen_ls.kernel.syntax import Source

_IN = re.compile(r"^(?:@param\s*\[\s*in\s*\]|in(?:put)?|输入)\s+(?P<rest>.+)$", re.IGNORECASE)
_OUT = re.compile(r"^(?:@param\s*\[\s*out\s*\]|out(?:put)?|输出)\s+(?P<rest>.+)$", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"^(?:attr(?:ibute)?|属性)\s+(?P<rest>.+)$", re.IGNORECASE)
_KEYED = re.compile(r"^@?(?P<key>[A-Za-z]+|[\u4e00-\u9fff]{2,8})\s*[:：]\s*(?P<value>.*)$")
_TENSOR = re.compile(rf"^`?(?P<name>{NAME})`?\s*(?:[:：]|\s)\s*(?P<rest>.*)$")
AS_GENERATED = "As generated: "
"""Begins the line that says of a generated kernel what was known of it; it specifies nothing."""
_LEADING = re.compile(r"\s*(?:(?://[^\n]*|/\*.*?\*/)\s*)+", re.DOTALL)
_KEYS = {
    **dict.fromkeys(("op", "operator", "name", "算子", "算子名", "算子名称"), "name"),
    **dict.fromkeys(("formula", "公式", "计算公式"), "formula"),
    **dict.fromkeys(("brief", "description", "功能", "功能描述", "描述"), "description"),
    **dict.fromkeys(("dtype", "dtypes", "types", "数据类型", "支持的数据类型"), "dtypes"),
    **dict.fromkeys(("shape", "shapes", "形状"), "shape"),
    **dict.fromkeys(("input", "inputs", "in", "输入"), "inputs"),
    **dict.fromkeys(("output", "outputs", "out", "输出"), "outputs"),
}


def from_comment(comment: str, entry: Function | None = None) -> Specification:
    """Return what a comment says, one fact a line; ``entry`` is the function it stands above.

    Understood are ``op: Name``, ``formula: y = ...`` (or a line that is an equation), ``in x: float16 [48, 1024]``,
    ``out y: ...``, ``attr alpha: float = 1.0``, ``dtypes: float16, float32``, ``shape: [48, 1024]``, ``inputs: a,
    b``, reference code in Python in a fence, their Chinese words, and Doxygen's ``@brief`` and ``@param[in]``. The
    rest is the description. Without a list of tensors they are the entry's parameters: those left of a ``=`` are
    outputs, those right of one inputs. Where only inputs are listed, the formula's left side names the outputs.
    """
    unmarked = "\n".join(_unmarked(comment))
    name = camel(entry.name) if entry is not None else ""
    spec = Specification(name=name, sources=("comment",), reference=reference_in(unmarked))
    inputs: list[SpecTensor] = []
    outputs: list[SpecTensor] = []
    attributes: list[SpecAttribute] = []
    described: list[str] = []
    formulas: list[str] = []
    shape: tuple[str, ...] | None = None
    for line in without_references(unmarked).split("\n"):
        line = re.sub(r"^[@\\](brief|formula|details?)\s+", r"\1: ", line.strip())
        if line.startswith(AS_GENERATED):
            continue
        if match := _IN.match(line):
            inputs += _tensors(match.group("rest"))
        elif match := _OUT.match(line):
            outputs += _tensors(match.group("rest"))
        elif match := _ATTRIBUTE.match(line):
            attributes += _attribute(match.group("rest"))
        elif (match := _KEYED.match(line)) and (key := _KEYS.get(match.group("key").lower())):
            value = match.group("value").strip()
            if key == "name":
                spec = evolve(spec, name=operator_name(value) or spec.name)
            elif key == "formula":
                formulas.append(value)
            elif key == "description":
                described.append(value)
            elif key == "dtypes":
                spec = evolve(spec, dtypes=dtypes_in(value))
            elif key == "shape":
                shape = shape_in(value)
            else:
                (inputs if key == "inputs" else outputs).extend(_tensors(value))
        elif EQUATION.match(line):
            if not _given_already(line, formulas):
                formulas.append(line)
        elif line:
            described.append(line)
    formula = "\n".join(formulas)
    if entry is not None and not (inputs and outputs):
        parameters = [parameter.name for parameter in entry.parameters]
        named = _sides(formula, parameters) if formula else _called(spec.reference, parameters)
        inputs = inputs or [SpecTensor(name) for name in named[0]]
        outputs = outputs or [SpecTensor(name) for name in named[1]]
    if entry is None and inputs and not outputs:
        outputs = list(outputs_of(formula, inputs, attributes))
    if shape is not None:
        inputs = [evolve(tensor, shape=tensor.shape if tensor.shape is not None else shape) for tensor in inputs]
        outputs = [evolve(tensor, shape=tensor.shape if tensor.shape is not None else shape) for tensor in outputs]
    return evolve(
        spec,
        formula=formula,
        description=" ".join(part for part in described if part),
        inputs=tuple(inputs),
        outputs=tuple(outputs),
        attributes=tuple(attributes),
    )


def comment_at(source: Source, position: Position | None = None) -> tuple[str, Function | None] | None:
    """Return the comment that specifies a kernel, and the entry function below it.

    Of several entry functions the one at ``position`` is meant, else the first with a comment. A file with comments and
    no code but includes is its own specification. None where there is no comment.
    """
    entries = source.structure.entries
    if position is not None:
        offset = source.offset(position)
        near = [entry for entry in entries if _with_comment(source, entry)[0] <= offset < entry.span.end]
        entries = tuple(near) or entries
    for entry in entries:
        _, comment = _with_comment(source, entry)
        if comment:
            return comment, entry
    if not entries and not re.sub(r"^[ \t]*#.*$|\busing namespace \w+;", "", source.plain, flags=re.MULTILINE).strip():
        comments = "\n".join(re.findall(r"//[^\n]*|/\*.*?\*/", source.text, re.DOTALL))
        return (comments, None) if comments.strip() else None
    return None


def leading_comment(source: Source) -> str:
    """Return the comment at the beginning of a text where it specifies an operator; "" where it says something else."""
    match = _LEADING.match(source.text)
    comment = match.group() if match else ""
    keys = {_KEYS.get(found["key"].lower()) for line in _comment_lines(comment) if (found := _KEYED.match(line))}
    return comment if "formula" in keys or reference_in("\n".join(_unmarked(comment))) else ""


def _comment_lines(comment: str) -> list[str]:
    return [line.strip() for line in _unmarked(comment)]


def _unmarked(comment: str) -> list[str]:
    """The lines without what makes them a comment, as far in as they are written."""
    lines = []
    for line in comment.replace("\r\n", "\n").split("\n"):
        plain = re.sub(r"^\s*(?:/\*+!?|//+[/!<]*|\*+(?!/)(?=\s|$))\s?", "", line)
        lines.append(re.sub(r"\s*\*+/\s*$", "", plain).rstrip())
    return lines


def _with_comment(source: Source, entry: Function) -> tuple[int, str]:
    """Return where the comment directly above an entry function starts, and its text; its own start without one."""
    end = len(source.text[: entry.span.start].rstrip())
    if source.text[:end].endswith("*/"):
        start = source.text.rfind("/*", 0, end)
        return start, source.text[start:end]
    start = end
    while start > 0:
        line_start = source.text.rfind("\n", 0, start - 1) + 1
        if not source.text[line_start:start].lstrip().startswith("//"):
            break
        start = line_start
    return (start, source.text[start:end]) if start < end else (entry.span.start, "")


def _tensors(text: str) -> list[SpecTensor]:
    """Read ``x: float16 [48, 1024], gamma: float32 [1024]``, or ``x, gamma``, or ``x float16 [48, 1024] text``."""
    found: list[SpecTensor] = []
    for part in re.split(r"[,，;；、](?![^\[(]*[\])])", text):
        match = _TENSOR.match(part.strip() + " ")
        if match is None:
            if found and (more := dtypes_in(part)):
                found[-1] = evolve(found[-1], dtypes=(*found[-1].dtypes, *more))
            continue
        name, rest = match.group("name"), match.group("rest").strip()
        if found and (another := find_dtype(name)) is not None:
            shape = found[-1].shape if found[-1].shape is not None else shape_in(rest)
            found[-1] = evolve(found[-1], dtypes=(*found[-1].dtypes, another.name), shape=shape)
            continue
        requirement = next((word for word in ("optional", "dynamic") if re.search(rf"\b{word}\b", rest)), "required")
        found.append(SpecTensor(name, dtypes_in(rest), shape_in(rest), requirement, rest))
    return found


def _given_already(line: str, formulas: Sequence[str]) -> bool:
    """Whether a formula has given what an equation gives from something else: then it is a remark on the code."""
    target, _, value = (part.strip() for part in line.partition("="))
    given = {formula.partition("=")[0].strip() for formula in formulas}
    return target in given and target not in re.findall(NAME, value)


def _attribute(text: str) -> list[SpecAttribute]:
    match = re.match(
        rf"`?(?P<name>{NAME})`?\s*[:：]?\s*(?P<type>int|float|bool|string|str)?\b\s*(?:=\s*(?P<default>\S+))?(?P<rest>.*)$",
        text,
    )
    if match is None:
        return []
    kind = {"str": "string"}.get(match.group("type") or "", match.group("type") or "")
    return [SpecAttribute(match.group("name"), kind, match.group("default"), match.group("rest").strip())]


def _called(reference: str, parameters: list[str]) -> tuple[list[str], list[str]]:
    """Return which parameters reference code reads, and those left over, where these are as many as it returns."""
    found = understand(reference)
    if not isinstance(found, Formula):
        return [], []
    inputs = [name for name in parameters if name in found.reads]
    left = [name for name in parameters if name not in inputs and not re.search("workspace|tiling", name.lower())]
    return inputs, left if len(left) == len(found.outputs) else []


def _sides(formula: str, parameters: list[str]) -> tuple[list[str], list[str]]:
    """Return which parameters an equation reads and which it gives; those it does not name are neither."""
    left: set[str] = set()
    right: set[str] = set()
    for line in formula.splitlines():
        target, mark, value = line.partition("=")
        if mark:
            left |= set(re.findall(NAME, target))
            right |= set(re.findall(NAME, value))
    outputs = [name for name in parameters if name in left]
    return [name for name in parameters if name in right and name not in outputs], outputs
