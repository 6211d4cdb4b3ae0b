"""An operator's definition (``OpDef``): inputs, outputs, attributes, and the dtype columns its kernel is built for."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from attrs import evolve, frozen

from kernelgen_ls.kernel import cpp_text
from kernelgen_ls.kernel.constants import evaluate
from kernelgen_ls.kernel.dtypes import FLOAT32, find_dtype
from kernelgen_ls.kernel.roles import OPERATOR_CLASS


@frozen
class Operand:
    """An input or output of an ``OpDef``: dtypes (``DT_...``) and formats (``FORMAT_...``), one per column."""

    name: str
    requirement: str = "REQUIRED"
    dtypes: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    follows: str = ""
    cleared: bool = False
    """Of an output: zeros before the kernel runs, as ``InitValue`` asks for."""


@frozen
class Attribute:
    """An attribute: ``type`` is ``Int``, ``Float``, ``Bool``, ``String``, ``ListInt``...; ``default`` as written."""

    name: str
    required: bool
    type: str
    default: str | None = None

    @property
    def value(self) -> Any:
        """The default as a value (``1.0f``, ``true``, ``{1, 2}``); None where there is none, or it cannot be read."""
        if self.default is None:
            return None
        plain = self.default.strip()
        try:
            if self.type.startswith("List"):
                listed = plain.replace("{", "[").replace("}", "]")
                return json.loads(re.sub(r"(?<=[\d.])[fFuUlL]+", "", listed))
            if self.type == "String":
                return plain.strip('"')
            number = plain.rstrip("fFuUlL") if self.type in ("Float", "Int") else plain
            return json.loads(re.sub(r"(?<=\d)\.(?!\d)", ".0", number))
        except ValueError:
            return None


@frozen
class CoreConfig:
    """One ``AddConfig``: the chip family and the operands it overrides."""

    soc: str
    inputs: tuple[Operand, ...] = ()
    outputs: tuple[Operand, ...] = ()


@frozen
class OperatorDefinition:
    """An ``OpDef``: the operator's interface."""

    name: str
    inputs: tuple[Operand, ...] = ()
    outputs: tuple[Operand, ...] = ()
    attributes: tuple[Attribute, ...] = ()
    configs: tuple[CoreConfig, ...] = ()
    computes_shapes: bool = False
    """Whether the kernel tells an output's shape, through one parameter more."""

    @property
    def entry_name(self) -> str:
        """The name of the kernel's entry function: the operator's in snake case."""
        return snake_case(self.name)


@frozen
class DtypeColumn:
    """One combination of element types the operator is built for: its index, a name, and the build's defines.

    ``alike`` are the defines of other combinations, where the difference is none to a kernel.
    """

    index: int
    name: str
    defines: tuple[tuple[str, str], ...]
    alike: tuple[tuple[tuple[str, str], ...], ...] = ()

    @property
    def types(self) -> tuple[tuple[str, ...], ...]:
        """The kernel's names of the operands' element types, a tuple a combination."""
        combinations = (self.defines, *self.alike)
        return tuple(tuple(kind for macro, kind in one if macro.startswith("DTYPE_")) for one in combinations)


def snake_case(name: str) -> str:
    """Return the kernel name the operator build derives from an operator's: ``GeGluV2`` gives ``ge_glu_v2``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def dtype_columns(operator: OperatorDefinition, *families: str) -> tuple[DtypeColumn, ...]:
    """Return the combinations of element types ``operator`` is built for, duplicates merged.

    ``families`` (``ascend910b``) select the operands that an ``AddConfig`` of one of these names overrides. A column of
    an operand that lists fewer types than others repeats its last one. No dtypes at all give no column.
    """
    inputs, outputs = _for_family(operator, families)
    operands = [*inputs, *outputs]
    by_name = {operand.name: operand for operand in operands}
    operands = [_followed(operand, by_name) for operand in operands]
    count = max((len(operand.dtypes) for operand in operands), default=0)
    columns: dict[tuple[tuple[str, str], ...], DtypeColumn] = {}
    for index in range(count):
        defines: dict[str, str] = {}
        shown: list[str] = []
        for operand in operands:
            dtype = _at(operand.dtypes, index)
            format_name = _at(operand.formats, index)
            upper = operand.name.upper()
            if dtype:
                # A name that is both input and output (an operand updated in place) is defined once, by the input.
                known = find_dtype(dtype)
                defines.setdefault(f"DTYPE_{upper}", (known.kernel if known else "") or FLOAT32.kernel)
                defines.setdefault(f"ORIG_DTYPE_{upper}", dtype)
                shown.append(known.name if known else dtype.removeprefix("DT_").lower())
            if format_name:
                defines.setdefault(f"FORMAT_{upper}", format_name)
        key = tuple(defines.items())
        columns.setdefault(key, DtypeColumn(index, _column_name(shown), key))
    return tuple(columns.values())


def _column_name(dtypes: list[str]) -> str:
    """Name a column by its types in order, each once: ``float16``, or ``float16, int32``."""
    return ", ".join(dict.fromkeys(dtypes))


def _at(values: tuple[str, ...], index: int) -> str:
    return values[min(index, len(values) - 1)] if values else ""


def _for_family(
    operator: OperatorDefinition, families: tuple[str, ...]
) -> tuple[tuple[Operand, ...], tuple[Operand, ...]]:
    config = next((config for config in operator.configs if config.soc in families), None)
    if config is None:
        return operator.inputs, operator.outputs

    def override(base: tuple[Operand, ...], changed: tuple[Operand, ...]) -> tuple[Operand, ...]:
        by_name = {operand.name: operand for operand in changed}
        named = {operand.name for operand in base}
        kept = tuple(by_name.get(operand.name, operand) for operand in base)
        return kept + tuple(operand for operand in changed if operand.name not in named)

    return override(operator.inputs, config.inputs), override(operator.outputs, config.outputs)


def _followed(operand: Operand, by_name: Mapping[str, Operand]) -> Operand:
    seen = {operand.name}
    source = operand
    while not source.dtypes and source.follows in by_name and source.follows not in seen:
        seen.add(source.follows)
        source = by_name[source.follows]
    if source is operand:
        return operand
    return evolve(operand, dtypes=source.dtypes, formats=operand.formats or source.formats)


_DTYPE = re.compile(r"\bDT_[A-Z0-9]+\b")
_FORMAT = re.compile(r"\bFORMAT_[A-Z0-9_]+\b")
_SCALAR_TYPE = re.compile(
    r"\b(?:\w+\s*::\s*)*ScalarType\s*::\s*\w+|\b(?:std\s*::\s*)?vector\s*<[^>]*>|\b(?:\w+\s*::\s*)*ScalarVar\b"
)
_ZEROS = re.compile(r"(?=.*0)[\s(){},0.fFuUlL]*")
_LIST = re.compile(
    r"\bvector\s*<\s*(?:ge\s*::\s*)?(?:DataType|Format)\s*>\s*(?P<name>\w+)\s*"
    r"(?:=\s*(?P<same>[A-Za-z_]\w*)\s*;|=?\s*(?P<open>[({]))"
)
_MAPPED = re.compile(
    r"\bfor_each\s*\(\s*(?P<source>\w+)\s*\.\s*c?begin[^;{]*\{\s*"
    r"(?P<name>\w+)\s*\.\s*(?:push|emplace)_back\s*\(\s*(?P<function>\w+)\s*\("
)
_CASE = re.compile(
    r"\bcase\s+(?:ge\s*::\s*)?(?P<case>DT_\w+)\s*:|\bdefault\s*:|\breturn\s+(?:ge\s*::\s*)?(?P<result>DT_\w+)\s*;"
)
_ATTRIBUTE_TYPES = frozenset(
    {"Int", "Float", "Bool", "String", "ListInt", "ListFloat", "ListBool", "ListString", "ListListInt"}
)


def operators(text: str) -> Iterator[OperatorDefinition]:
    """Yield the ``OpDef`` classes of ``text``, which is free of comments."""
    lists = _named_lists(text)
    for match in OPERATOR_CLASS.finditer(text):
        body = cpp_text.balanced(text, match.end() - 1)
        inputs: dict[str, dict[str, Operand]] = {}
        outputs: dict[str, dict[str, Operand]] = {}
        attributes: dict[str, Attribute] = {}
        socs: list[tuple[str, str]] = []
        computes_shapes = False
        for receiver, chain in _chains(body):
            head, arguments = chain[0]
            computes_shapes |= any(method == "OutputShapeDependOnCompute" for method, _ in chain)
            if head in ("Input", "Output") and arguments:
                operand = _operand(cpp_text.unquoted(arguments[0]), chain[1:], lists)
                (inputs if head == "Input" else outputs).setdefault(receiver, {})[operand.name] = operand
            elif head == "Attr" and arguments and not receiver:
                attribute = _attribute(cpp_text.unquoted(arguments[0]), chain[1:])
                attributes[attribute.name] = attribute
            elif head == "AICore":
                socs += [
                    (cpp_text.unquoted(given[0]), given[1] if len(given) > 1 else "")
                    for name, given in chain[1:]
                    if name == "AddConfig" and given
                ]
        configs = tuple(
            CoreConfig(soc, tuple(inputs.get(config, {}).values()), tuple(outputs.get(config, {}).values()))
            if config
            else CoreConfig(soc)
            for soc, config in socs
        )
        yield OperatorDefinition(
            match.group("name"),
            tuple(inputs.get("", {}).values()),
            tuple(outputs.get("", {}).values()),
            tuple(attributes.values()),
            configs,
            computes_shapes,
        )


def _named_lists(text: str) -> dict[str, tuple[str, ...]]:
    """Return the vectors of dtypes or formats that ``text`` names, in any of the forms operators use.

    ``v = {...}``, ``v(count, value)``, ``v(w.size(), value)``, ``v = w``, and a vector filled by pushing what a
    function with a ``switch`` gives for each element of another.
    """
    lists: dict[str, tuple[str, ...]] = {}
    for match in _LIST.finditer(text):
        if match.group("same"):
            lists[match.group("name")] = lists.get(match.group("same"), ())
            continue
        items = tuple(cpp_text.split(cpp_text.balanced(text, match.end() - 1)))
        if match.group("open") == "(" and len(items) == 2:
            sized = re.fullmatch(r"(\w+)\s*\.\s*size\s*\(\s*\)", items[0])
            count = len(lists.get(sized.group(1), ())) if sized else evaluate(items[0], {})
            items = (items[1],) * (count or 1)
        lists[match.group("name")] = items
    for match in _MAPPED.finditer(text):
        source = lists.get(match.group("source"), ())
        switch = _switch(text, match.group("function"))
        if source and switch:
            lists[match.group("name")] = tuple(
                switch.get(item.split("::")[-1].strip(), switch.get("default", "DT_UNDEFINED")) for item in source
            )
    return lists


def _switch(text: str, function: str) -> dict[str, str]:
    """Return which dtype ``function``'s ``switch`` returns for each case, and for ``default``."""
    definition = re.search(rf"\bDataType\s+{function}\s*\([^)]*\)\s*\{{", text)
    if definition is None:
        return {}
    cases: dict[str, str] = {}
    waiting: list[str] = []
    for match in _CASE.finditer(cpp_text.balanced(text, definition.end() - 1)):
        if match.group("result"):
            cases.update((case, match.group("result")) for case in waiting)
            waiting = []
        else:
            waiting.append(match.group("case") or "default")
    return cases


def _operand(name: str, chain: list[tuple[str, tuple[str, ...]]], lists: Mapping[str, tuple[str, ...]]) -> Operand:
    requirement, follows, cleared = "REQUIRED", "", False
    dtypes: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    for method, arguments in chain:
        given = ", ".join(arguments)
        if method == "ParamType":
            requirement = given.split("::")[-1].strip()
        elif method in ("DataType", "DataTypeList"):
            dtypes = _symbols(given, _DTYPE, lists)
        elif method in ("Format", "FormatList"):
            formats = _symbols(given, _FORMAT, lists)
        elif method == "Follow" and arguments:
            follows = cpp_text.unquoted(arguments[0])
        elif method == "InitValue":
            cleared = bool(_ZEROS.fullmatch(re.sub(_SCALAR_TYPE, "", given)))
    return Operand(name, requirement, dtypes, formats, follows, cleared)


def _symbols(given: str, pattern: re.Pattern[str], lists: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    listed = lists.get(given.strip())
    if listed is not None:
        given = ", ".join(listed)
    return tuple(pattern.findall(given))


def _attribute(name: str, chain: list[tuple[str, tuple[str, ...]]]) -> Attribute:
    required, kind, default = True, "", None
    for method, arguments in chain:
        if method == "AttrType" and arguments:
            required = arguments[0].split("::")[-1].strip() == "REQUIRED"
        elif method in _ATTRIBUTE_TYPES:
            kind = method
            default = ", ".join(arguments) or None
    return Attribute(name, required, kind, default)


_HEAD = re.compile(r"(?:(?:this\s*->\s*)|(?P<receiver>\w+)\s*\.\s*)?(?<!\w)(?P<name>Input|Output|Attr|AICore)\s*\(")
_NEXT = re.compile(r"\s*\.\s*(?P<name>\w+)\s*\(")


def _chains(body: str) -> Iterator[tuple[str, list[tuple[str, tuple[str, ...]]]]]:
    """Yield each builder chain ``this->Input("x").ParamType(REQUIRED)...`` as its receiver and (method, arguments)s."""
    position = 0
    while (match := _HEAD.search(body, position)) is not None:
        receiver = match.group("receiver") or ""
        opened = match.end() - 1
        chain = [(match.group("name"), cpp_text.arguments(body, opened))]
        position = cpp_text.close(body, opened)
        while (following := _NEXT.match(body, position)) is not None:
            opened = following.end() - 1
            chain.append((following.group("name"), cpp_text.arguments(body, opened)))
            position = cpp_text.close(body, opened)
        yield receiver, chain


def _macro_calls(text: str, name: str) -> Iterator[tuple[str, ...]]:
    for match in re.finditer(rf"^[ \t]*{name}\s*\(", text, re.MULTILINE):
        yield cpp_text.arguments(text, match.end() - 1)
