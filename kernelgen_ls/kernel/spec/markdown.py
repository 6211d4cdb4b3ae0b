"""Specifications in Markdown: the ``api_desc.md`` of an operator, with Chinese or English headings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen

from kernelgen_ls.kernel.dtypes import dtypes_in
from kernelgen_ls.kernel.spec.reference import reference_in
from kernelgen_ls.kernel.spec.sides import outputs_of, reads_of
from kernelgen_ls.kernel.spec.specification import SpecAttribute, Specification, SpecTensor
from kernelgen_ls.kernel.spec.words import EQUATION, NAME, SCALARS, camel, operator_name, shape_in

_HEADING = re.compile(r"^(?P<marks>#{1,6})[ \t]+(?P<title>.+?)[ \t#]*$", re.MULTILINE)
_FENCE = re.compile(r"^```.*?^```[ \t]*$", re.MULTILINE | re.DOTALL)
_DISPLAYED = re.compile(r"\$\$(?P<formula>.+?)\$\$", re.DOTALL)
_FUNCTION = re.compile(rf"\bdef\s+(?P<name>{NAME})\s*\((?P<parameters>[^)]*)\)")
_BULLET = re.compile(
    rf"^[ \t]*(?:[-*+]|\d+\.)[ \t]+(?:\*\*)?`?(?P<name>{NAME})`?(?:\*\*)?[ \t]*"
    r"(?:[(（](?P<kind>[^)）]*)[)）])?[ \t]*[:：](?P<text>.*)$",
    re.MULTILINE,
)
_DOCUMENTED = re.compile(rf"^[ \t]+(?P<name>{NAME})[ \t]*\((?P<kind>[^)]*)\)[ \t]*:(?P<text>.*)$", re.MULTILINE)
_RETURNS = re.compile(
    r"^(?P<margin>[ \t]+)(?:Returns?|返回值?)[ \t]*[:：][ \t]*\n(?:(?P=margin)[ \t]+\S.*\n?)*", re.MULTILINE
)
"""The part of a function's documentation that says what it returns."""
_RETURNED = re.compile(
    r"(?:\bReturns?\b[ \t]*:?|返回值?[ \t]*[:：]?)\s*(?P<text>[^\n]*(?:[Tt]ensor|张量|[Oo]utput|输出)[^\n]*)"
)
_FORMULA_TITLES = ("formula", "mathematical definition", "公式", "数学", "computation rule")
_FUNCTION_TITLES = ("functional description", "operator function", "operator semantics", "功能", "description")
_INPUT_TITLES = ("inputs", "input", "输入")
_OUTPUT_TITLES = ("outputs", "output", "输出", "返回", "returns")
_DTYPE_TITLES = ("data type", "dtype", "数据类型")
_PARAMETER_TITLES = ("参数", "parameters", "arguments", "attributes", "属性")
_LITERAL = re.compile(r"[-+]?[\d.]+(?:[eE][-+]?\d+)?|True|False|'[^']*'|\"[^\"]*\"")
_SCALAR = re.compile(
    r"\b(?:attr(?:ibute)?|scalar attribute|float|int|bool|str|string|double)\b|属性|标量", re.IGNORECASE
)


@frozen
class _Section:
    """A heading of a Markdown text, its level, and the text up to the next heading."""

    level: int
    title: str
    body: str


def from_api_desc(text: str) -> Specification:
    """Return what an ``api_desc.md`` says, with Chinese or English headings.

    The name is the title's (``aclnn`` in front is dropped), else that of the Python function; formulas are the
    displayed ones of the formula's section, else of the function's; tensors come from the lists or tables under the
    input and output headings, else from the Python function's documentation. Outputs that nothing lists are those left
    in the formula, or returned by reference code in a fence; where a text says no more than that something is returned,
    it is called ``out``.
    """
    text = text.replace("\r\n", "\n")
    sections = _sections(text)
    function = _FUNCTION.search(text)
    title = next((section.title for section in sections if section.level == 1), "")
    name = operator_name(title) or (camel(function.group("name")) if function else "")
    inputs, outputs, attributes = _interface(text, sections)
    formula, reference = _formula(sections), reference_in(text)
    if not inputs:
        read = reads_of(formula or reference)
        inputs = [SpecTensor(one) for one in read if one not in SCALARS and one not in {a.name for a in attributes}]
        attributes += [_described_attribute(one, "", "", {}) for one in read if one in SCALARS]
    known = {one.name for one in inputs} | {one.name for one in attributes}
    defaults = _python_defaults(reference)
    attributes += [_described_attribute(one, "", "", defaults) for one in defaults if one not in known]
    if not outputs:
        outputs = _unlisted_outputs(text, formula or reference, inputs, attributes)
    return Specification(
        name=name,
        formula=formula,
        description=_first_paragraph(sections),
        inputs=tuple(inputs),
        outputs=tuple(outputs),
        attributes=tuple(attributes),
        dtypes=dtypes_in("\n".join(section.body for section in _titled(sections, _DTYPE_TITLES))),
        sources=("api_desc.md",),
        reference=reference,
    )


def _sections(text: str) -> list[_Section]:
    hidden = _FENCE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)
    headings = list(_HEADING.finditer(hidden))
    ends = [heading.start() for heading in headings[1:]] + [len(text)]
    return [
        _Section(len(heading.group("marks")), heading.group("title").strip(), text[heading.end() : end].strip("\n"))
        for heading, end in zip(headings, ends, strict=True)
    ]


def _titled(sections: list[_Section], titles: tuple[str, ...]) -> Iterator[_Section]:
    """Yield the sections whose title has one of the words, and those below them."""
    level = 0
    for section in sections:
        if level and section.level > level:
            yield section
            continue
        level = 0
        lowered = section.title.lower()
        if section.level > 1 and any(title in lowered for title in titles):
            level = section.level
            yield section


def _formula(sections: list[_Section]) -> str:
    for titles in (_FORMULA_TITLES, _FUNCTION_TITLES):
        for body in (section.body for section in _titled(sections, titles)):
            shown = [_one_line(match.group("formula")) for match in _DISPLAYED.finditer(body)]
            plain = [line.strip(" `") for line in body.splitlines() if EQUATION.match(line.strip(" `"))]
            if shown or plain:
                return "\n".join(shown or plain)
    return ""


def _one_line(formula: str) -> str:
    return re.sub(r"\s+", " ", formula).strip()


def _first_paragraph(sections: list[_Section]) -> str:
    for section in _titled(sections, _FUNCTION_TITLES):
        for paragraph in re.split(r"\n[ \t]*\n", _FENCE.sub("", section.body)):
            plain = _one_line(paragraph)
            if plain and not plain.startswith(("$$", "|", "- ", "计算公式")):
                return plain
    return ""


def _interface(text: str, sections: list[_Section]) -> tuple[list[SpecTensor], list[SpecTensor], list[SpecAttribute]]:
    """Return the inputs, outputs and attributes that lists, tables and the Python function's documentation give."""
    inputs: list[SpecTensor] = []
    outputs: list[SpecTensor] = []
    attributes: list[SpecAttribute] = []
    defaults = _python_defaults(text)
    for titles, into in ((_INPUT_TITLES, inputs), (_OUTPUT_TITLES, outputs), (_PARAMETER_TITLES, None)):
        for section in _titled(sections, titles):
            for name, kind, described in _described(section.body):
                if re.search("属性|attr", section.title, re.IGNORECASE):
                    attributes.append(_described_attribute(name, kind, described, defaults))
                else:
                    _place(name, kind, described, into, inputs, outputs, attributes, defaults)
    if not inputs:
        for match in _DOCUMENTED.finditer(_RETURNS.sub("", text)):
            name, kind, described = match.group("name", "kind", "text")
            _place(name, kind, described, inputs, inputs, outputs, attributes, defaults)
    names = {tensor.name for tensor in outputs}
    return [tensor for tensor in _once(inputs) if tensor.name not in names], _once(outputs), attributes


def _unlisted_outputs(
    text: str, formula: str, inputs: Sequence[SpecTensor], attributes: Sequence[SpecAttribute]
) -> list[SpecTensor]:
    given = outputs_of(formula, inputs, attributes) if formula else ()
    returned = _RETURNED.search(text)
    if given or returned is None:
        return list(given)
    taken = {one.name for one in inputs}
    free = next(name for name in ("out", "output", "y", "result") if name not in taken)
    return [_described_tensor(free, returned.group("text"))]


def _place(
    name: str,
    kind: str,
    described: str,
    into: list[SpecTensor] | None,
    inputs: list[SpecTensor],
    outputs: list[SpecTensor],
    attributes: list[SpecAttribute],
    defaults: Mapping[str, str],
) -> None:
    """Put one described parameter where its own words, then its section, say."""
    if "输出" in kind or "output" in kind.lower():
        into = outputs
    elif "输入" in kind or "input" in kind.lower():
        into = inputs
    has_default = name in defaults
    is_attribute = name in SCALARS or (has_default and bool(_LITERAL.fullmatch(defaults[name])))
    is_tensor = "tensor" in kind.lower()
    if not is_attribute:
        is_tensor = is_tensor or "张量" in described or "tensor" in described.lower()
        is_attribute = bool(_SCALAR.search(kind)) or has_default or (not kind and "属性" in described)
    if is_attribute and not is_tensor and into is not outputs:
        attributes.append(_described_attribute(name, kind, described, defaults))
    elif into is not None:
        into.append(_described_tensor(name, described + " " + kind))


def _described_attribute(name: str, kind: str, described: str, defaults: Mapping[str, str]) -> SpecAttribute:
    written = re.search(r"\b(float|int|bool|string|str|double)\b", f"{kind} {described}", re.IGNORECASE)
    types = {"str": "string", "double": "float"}
    found = written.group(1).lower() if written else ""
    return SpecAttribute(name, types.get(found, found), defaults.get(name), described.strip())


def _described(body: str) -> Iterator[tuple[str, str, str]]:
    """Yield (name, kind, text) of the bullets and table rows of a section."""
    body = _FENCE.sub("", body)
    for match in _BULLET.finditer(body):
        yield match.group("name"), match.group("kind") or "", match.group("text")
    rows = [
        [cell.strip(" `") for cell in line.strip().strip("|").split("|")] for line in body.splitlines() if "|" in line
    ]
    if len(rows) > 2 and all(set(cell) <= set("-: ") for cell in rows[1]):
        head = [cell.lower() for cell in rows[0]]
        named = next((i for i, cell in enumerate(head) if re.search(r"参数|名称|name|parameter", cell)), None)
        side = next((i for i, cell in enumerate(head) if re.search(r"输入.*输出|in.*out|direction", cell)), None)
        for row in rows[2:]:
            if named is not None and named < len(row) and re.fullmatch(NAME, row[named]):
                kind = row[side] if side is not None and side < len(row) else ""
                yield row[named], kind, " ".join(cell for i, cell in enumerate(row) if i not in (named, side))


def _described_tensor(name: str, described: str) -> SpecTensor:
    requirement = "optional" if re.search(r"\boptional\b|可选", described, re.IGNORECASE) else "required"
    if re.search(r"tensor\s*list|list of tensors|aclTensorList|动态输入", described, re.IGNORECASE):
        requirement = "dynamic"
    return SpecTensor(name, dtypes_in(described), _stated_shape(described), requirement, described.strip())


def _stated_shape(described: str) -> tuple[str, ...] | None:
    """Return a shape that prose states: brackets after the word shape (or 形状), or brackets of numbers alone."""
    said = re.search(r"(?:shape|形状)\D{0,12}?(?P<shape>[\[(][\w\s,*-]+[\])])", described, re.IGNORECASE)
    if said:
        return shape_in(said.group("shape"))
    numbers = re.search(r"\[\s*\d+(?:\s*,\s*\d+)*\s*\]", described)
    return shape_in(numbers.group()) if numbers else None


def _once(tensors: list[SpecTensor]) -> list[SpecTensor]:
    return list({tensor.name: tensor for tensor in reversed(tensors)}.values())[::-1]


def _python_defaults(text: str) -> dict[str, str]:
    """Return the default values in the signature of the Python function."""
    function = _FUNCTION.search(text)
    if function is None:
        return {}
    pairs = (part.partition("=") for part in re.split(r",(?![^(\[]*[)\]])", function.group("parameters")))
    return {left.split(":")[0].strip(): right.strip() for left, mark, right in pairs if mark}
