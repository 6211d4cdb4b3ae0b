"""The host side: the tiling data's header, the tiling function, and the operator's definition where there is none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen

from kernelgen_ls.kernel import cpp_text
from kernelgen_ls.kernel.blank import strip_comments
from kernelgen_ls.kernel.formula.lowering import Read
from kernelgen_ls.kernel.spec.specification import SpecAttribute
from kernelgen_ls.kernel.writer.layout import indented
from kernelgen_ls.kernel.writer.plan import (
    ALIGNMENT,
    BUFFER_NUM,
    MOST_ELEMENTS,
    Attribute,
    Kind,
    Plan,
    count_field,
    fields_of,
    known_value,
)
from kernelgen_ls.kernel.writer.templates import host_template

_TILING = re.compile(r"^namespace\s+optiling\s*\{", re.MULTILINE)
_COMMENT = re.compile(r"\A[ \t]*//[^\n]*")
_INCLUDE = re.compile(r"^#include[^\n]*$", re.MULTILINE)
_SET_TILING = re.compile(r"\bSetTiling\s*\(\s*[\w:]+\s*\)")
_AI_CORE = re.compile(r"^(?P<indent>[ \t]*)this->AICore\(\)", re.MULTILINE)


@frozen
class Fixed:
    """An attribute that the kernel is written for one value of: the host refuses others. ``index`` counts from 0."""

    spec: SpecAttribute
    index: int
    value: str
    """As C++."""


def tiling_header(plan: Plan) -> str:
    """The header that declares the tiling data."""
    name = plan.specification.name
    guard = f"{plan.specification.kernel_name.upper()}_TILING_H"
    lines = [
        f"#ifndef {guard}",
        f"#define {guard}",
        "",
        '#include "register/tilingdata_base.h"',
        "",
        "namespace optiling {",
    ]
    lines.append(f"BEGIN_TILING_DATA_DEF({name}TilingData)")
    lines += [f"TILING_DATA_FIELD_DEF({type_}, {field});" for type_, field in fields_of(plan)]
    lines += [
        "END_TILING_DATA_DEF;",
        "",
        f"REGISTER_TILING_DATA_CLASS({name}, {name}TilingData)",
        "}",
        "",
        f"#endif  // {guard}",
    ]
    return "\n".join(lines) + "\n"


def host_file(plans: Sequence[Plan], host: str, fixed: Sequence[Fixed]) -> str:
    """The host's file: a tiling function, then the definition that ``host`` has, or one made of the specification."""
    plan = max(plans, key=lambda one: one.bytes_per_element())
    kept = max(one.kept_bytes for one in plans)
    whole = host or host_template(plan.specification, plan.chip.config_name)
    own = [
        "#include <algorithm>",
        f'#include "{plan.specification.kernel_name}_tiling.h"',
        '#include "register/op_def_registry.h"',
        '#include "tiling/platform/platform_ascendc.h"',
    ]
    if any(one.spec.type == "string" for one in fixed):
        own.insert(1, "#include <string>")
    others = [line for line in _INCLUDE.findall(whole) if line not in own]
    text = "\n".join([*own, *others, "", *_constants(plan, kept), "", *_function(plan, fixed)])
    rest = _INCLUDE.sub("", _without_tiling(whole)).strip()
    return f"{indented(text, plan.hand.indent)}\n{_with_tiling(rest)}\n"


def _without_tiling(host: str) -> str:
    """A host's text without the namespaces of tiling functions: what defines the operator, and what that calls."""
    while (place := _TILING.search(host)) is not None:
        end = cpp_text.close(strip_comments(host), place.end() - 1)
        host = host[: place.start()] + _COMMENT.sub("", host[end:], count=1)
    return host


def _with_tiling(definition: str) -> str:
    """The definition with the tiling function, where it names none or another."""
    if _SET_TILING.search(definition):
        return _SET_TILING.sub("SetTiling(optiling::TilingFunc)", definition)
    return _AI_CORE.sub(r"\g<indent>this->AICore().SetTiling(optiling::TilingFunc);\n\g<0>", definition, count=1)


def _constants(plan: Plan, kept: int) -> Iterator[str]:
    yield "namespace optiling {"
    yield f"constexpr uint32_t ALIGNMENT = {ALIGNMENT};  // elements, as in the kernel"
    what = ", ".join(_buffered(plan))
    yield f"// Bytes that an element takes in the unified buffer: {what}."
    yield f"constexpr uint64_t BYTES_PER_ELEMENT = {plan.bytes_per_element()};"
    why = "for single numbers and the tool chain" if kept < 8192 else "for the library's functions and single numbers"
    yield f"constexpr uint64_t KEPT_BYTES = {kept};  // {why}"
    yield f"constexpr int64_t MOST_ELEMENTS = {MOST_ELEMENTS};  // what the kernel adds to that still fits in 32 bits"


def _buffered(plan: Plan) -> Iterator[str]:
    """What takes memory in the unified buffer, in words."""
    double = [one.local.name for one in plan.moving if one.local.is_long]
    double += [one.tensor for one in plan.lowered.writes if one.local.is_long]
    if double:
        times = {2: "twice"}.get(BUFFER_NUM, f"{BUFFER_NUM} times")
        yield f"{' and '.join(dict.fromkeys(name.partition('#')[0] for name in double))} {times}"
    once = [read.local.name for read in plan.fixed if read.local.is_long]
    if once:
        yield f"{' and '.join(once)} once"
    more = sum(value.is_long for value, _ in plan.widened()) + sum(one.is_long for one in plan.lowered.temporaries)
    if more:
        yield f"{more} more buffer{'s' if more > 1 else ''} to compute in"


def _function(plan: Plan, fixed: Sequence[Fixed]) -> list[str]:
    name = plan.specification.name
    lines = ["static ge::graphStatus TilingFunc(gert::TilingContext *context)", "{"]
    lines += _attributes(plan, fixed)
    lines += [
        "auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());",
        "uint64_t ubBytes = 0;",
        "platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ubBytes);",
        "uint32_t longestTile = (ubBytes - KEPT_BYTES) / BYTES_PER_ELEMENT / ALIGNMENT * ALIGNMENT;",
        "",
    ]
    lines += _sizes(plan)
    lines += ["", f"{name}TilingData tiling;"]
    given = {one.name: _read_attribute(one, plan) for one in plan.attributes}
    lines += [f"tiling.set_{field}({given.get(field, field)});" for _, field in fields_of(plan)]
    lines += [
        "tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());",
        "context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());",
        "return ge::GRAPH_SUCCESS;",
        "}",
        "}",
    ]
    return lines


def _attributes(plan: Plan, fixed: Sequence[Fixed]) -> Iterator[str]:
    if plan.attributes or fixed:
        yield "const gert::RuntimeAttrs *attributes = context->GetAttrs();"
    for one in fixed:
        getter = {"int": "GetInt", "bool": "GetBool", "string": "GetStr"}[one.spec.type]
        differs = f"*attributes->{getter}({one.index}) != {one.value}"
        if one.spec.type == "string":
            differs = f"std::string(attributes->{getter}({one.index})) != {one.value}"
        yield from [
            f"if ({differs}) {{",
            f"return ge::GRAPH_FAILED;  // the kernel is written for {one.spec.name} = {one.value}",
            "}",
        ]


def _read_attribute(one: Attribute, plan: Plan) -> str:
    index = [spec.name for spec in plan.specification.attributes].index(one.spec.name)
    getter = {"int": "GetInt", "bool": "GetBool"}.get(one.spec.type, "GetFloat")
    value = f"*attributes->{getter}({index})"
    return value if getter == "GetFloat" and one.type == "float" else f"static_cast<{one.type}>({value})"


def _sizes(plan: Plan) -> Iterator[str]:
    """Lines that find the sizes and the number of cores."""
    space = plan.lowered.space
    if plan.kind is Kind.LIST:
        yield "uint32_t tileLength = longestTile;"
        for read in plan.fixed:
            tensor = read.access.tensor
            index = [one.name for one in plan.specification.inputs].index(tensor)
            shape = f"context->GetRequiredInputShape({index})->GetStorageShape()"
            yield f"uint32_t {count_field(tensor)} = {shape}.GetShapeSize();"
        yield "context->SetBlockDim(platform.GetCoreNumAiv());"
        return
    if plan.kind is Kind.FLAT:
        read = next(one for one in plan.lowered.reads if one.local.is_long)
        yield from _counted("totalLength", f"{_shape(plan, read)}.GetShapeSize()", least=0)
        for tensor in plan.single_or_whole:
            index = [one.name for one in plan.specification.inputs].index(tensor)
            count = count_field(tensor)
            yield f"uint64_t {count} = context->GetInputShape({index})->GetStorageShape().GetShapeSize();"
            yield from [
                f"if ({count} != totalLength && {count} != 1) {{",
                "return ge::GRAPH_FAILED;  // one number for all elements, or one for each",
                "}",
            ]
        yield "uint32_t tileLength = longestTile;"
        yield "// No more cores than there are pieces to share out."
        yield "uint32_t pieces = (totalLength + ALIGNMENT - 1) / ALIGNMENT;"
        yield "context->SetBlockDim(std::max(std::min(platform.GetCoreNumAiv(), pieces), 1U));"
        return
    longest = next(one for one in plan.lowered.reads if one.local.is_long)
    names = _Shapes(plan)
    yield from names.declarations()
    yield from names.filled()
    yield from _counted("cols", names.cols(longest))
    yield from _counted("rows", names.rows())
    if len(space.rows) > 1:
        yield f"uint32_t innerRows = {names.inner()};"
    for tensor in plan.row_or_whole:
        index = [one.name for one in plan.specification.inputs].index(tensor)
        count = count_field(tensor)
        yield from _counted(count, f"context->GetInputShape({index})->GetStorageShape().GetShapeSize()")
        yield from [
            f"if ({count} != static_cast<uint64_t>(rows) * cols && {count} != cols) {{",
            "return ge::GRAPH_FAILED;  // one row for all, or as many rows",
            "}",
        ]
    if plan.kind is Kind.REDUCING:
        yield "uint32_t tileLength = (cols + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;"
        yield from [
            "if (tileLength > longestTile) {",
            "return ge::GRAPH_FAILED;  // a row has to fit into the unified buffer",
            "}",
        ]
    else:
        yield "uint32_t tileLength = std::min(longestTile, (cols + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);"
    yield "context->SetBlockDim(std::max(std::min(platform.GetCoreNumAiv(), rows), 1U));"


def _counted(name: str, count: str, least: int = 1) -> Iterator[str]:
    """Lines that find a number of elements, and refuse what the kernel cannot count or, with ``least``, none."""
    if count.isdigit():
        yield f"uint32_t {name} = {count};"
        return
    given = f"given{name[:1].upper()}{name[1:]}"
    yield f"int64_t {given} = {count};"
    yield from [
        f"if ({given} < {least} || {given} > MOST_ELEMENTS) {{",
        "return ge::GRAPH_FAILED;",
        "}",
        f"uint32_t {name} = static_cast<uint32_t>({given});",
    ]


def _shape(plan: Plan, read: Read) -> str:
    index = [one.name for one in plan.specification.inputs].index(read.access.by or read.access.tensor)
    return f"context->GetInputShape({index})->GetStorageShape()"


@frozen
class _Shapes:
    """The sizes of rows and columns by the shapes of the inputs that stretch over them."""

    plan: Plan

    def declarations(self) -> Iterator[str]:
        for name in self._used():
            index = [one.name for one in self.plan.specification.inputs].index(name)
            yield f"const gert::Shape &{self._name(name)} = context->GetInputShape({index})->GetStorageShape();"

    def filled(self) -> Iterator[str]:
        """Lines that refuse tensors without elements."""
        empty = " || ".join(f"{self._name(name)}.GetShapeSize() < 1" for name in self._used())
        if empty:
            yield from [f"if ({empty}) {{", "return ge::GRAPH_FAILED;  // a tensor without elements", "}"]

    def _used(self) -> list[str]:
        text = " ".join(
            [
                self.cols(next(one for one in self.plan.lowered.reads if one.local.is_long)),
                self.rows(),
                self.inner() if len(self.plan.lowered.space.rows) > 1 else "",
            ]
        )
        return [one.name for one in self.plan.specification.inputs if re.search(rf"\b{self._name(one.name)}\.", text)]

    def _name(self, tensor: str) -> str:
        return f"{self.plan.parameter(tensor)}Shape"

    def cols(self, read: Read) -> str:
        """How many elements a turn's longest part has."""
        whole = self._product(read.access.tensor, self.plan.lowered.space.cols)
        return f"{whole} / {read.access.parts}" if read.access.parts > 1 else whole

    def rows(self) -> str:
        """How many rows there are."""
        plan, space = self.plan, self.plan.lowered.space
        if not space.rows:
            return "1"
        for read in plan.lowered.reads:
            if all(read.groups) and not read.access.by:
                whole = f"{self._name(read.access.tensor)}.GetShapeSize()"
                divisor = f"cols * {read.access.parts}" if read.access.parts > 1 else "cols"
                return (
                    f"{whole} / ({divisor})"
                    if "*" in divisor
                    else f"{whole} / {divisor}"
                    if read.local.is_long
                    else whole
                )
        for read in plan.lowered.reads:
            if all(read.groups) and read.access.by:
                return f"{self._name(read.access.by)}.GetShapeSize()"
        return " * ".join(self._group(number) for number in range(len(space.rows)))

    def inner(self) -> str:
        """How many rows the last group has."""
        return self._group(len(self.plan.lowered.space.rows) - 1)

    def _group(self, number: int) -> str:
        """How many rows a group of axes has: by an input that stretches over it and nothing else, or by its axes."""
        group = self.plan.lowered.space.rows[number]
        read = next(one for one in self.plan.lowered.reads if one.groups[number] and not one.access.by)
        return self._product(read.access.tensor, group)

    def _product(self, tensor: str, places: tuple[int, ...]) -> str:
        name = self._name(tensor)
        own = next(one for one in self.plan.specification.inputs if one.name == tensor)
        shape = ("...", "last axis") if own.shape is None else own.shape
        axes = {len(shape) - axis: axis for axis, size in enumerate(shape) if size != "1"}
        if set(places) == set(axes):
            return f"{name}.GetShapeSize()"
        open_ = max((place for place, axis in axes.items() if shape[axis] in ("...", "*")), default=0)
        if open_ not in places:
            return " * ".join(_dim(name, place, axes, open_) for place in places)
        rest = [_dim(name, place, axes, open_) for place in axes if place not in places]
        return f"{name}.GetShapeSize() / ({' * '.join(rest)})"


def _dim(name: str, place: int, axes: Mapping[int, int], open_: int) -> str:
    """The size of a shape's axis: counted from the first one where it lies before an axis that stands for several."""
    return f"{name}.GetDim({axes[place] if 0 < open_ < place else f'{name}.GetDimNum() - {place}'})"


def fixed_value(spec: SpecAttribute) -> str:
    """An attribute's default as C++."""
    value = known_value(spec)
    return f'"{value}"' if isinstance(value, str) else str(value).lower()
