"""Tiling data: the structs a host hands its kernel, read from their macros and written as the header a kernel needs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from attrs import frozen

from kernelgen_ls.kernel import cpp_text
from kernelgen_ls.kernel.constants import evaluate

_UNKNOWN_LENGTH = 4096
"""Length given to a tiling array whose length no text says: large enough that no index in a kernel is refused."""


@frozen
class TilingField:
    """One field: ``length`` is the written array length ("" for a scalar), ``elements`` its value where known."""

    type: str
    name: str
    length: str = ""
    elements: int | None = None
    is_struct: bool = False


@frozen
class TilingStruct:
    """A tiling struct as the host declares it; ``path`` and ``line`` (zero-based) say where."""

    name: str
    fields: tuple[TilingField, ...]
    path: str = ""
    line: int = 0


@frozen
class TilingClass:
    """``REGISTER_TILING_DATA_CLASS(operator, struct)``: which struct an operator, or one of its tiling keys, uses."""

    operator: str
    struct: str


def tiling_header(structs: Iterable[TilingStruct]) -> str:
    """Return the C++ header with ``structs`` as a kernel sees them: plain structs, nested ones first.

    Structs of the library (``TCubeTiling``, ``SoftMaxTiling``) come from ``kernel_tiling/kernel_tiling.h``. An array
    whose length no text says is given 4096 elements, so that the header compiles.
    """
    ordered = _nested_first(tuple(structs))
    known = {struct.name for struct in ordered}
    lines = ["#pragma once", "#include <cstdint>"]
    if any(item.is_struct and item.type not in known for struct in ordered for item in struct.fields):
        lines.append('#include "kernel_tiling/kernel_tiling.h"')
    for struct in ordered:
        lines.append(f"struct {struct.name} {{")
        for item in struct.fields:
            length = f"[{_UNKNOWN_LENGTH if item.elements is None else item.elements}]" if item.length else ""
            lines.append(f"  {item.type} {item.name}{length};")
        lines.append("};")
    return "\n".join(lines) + "\n"


_BEGIN = re.compile(r"\bBEGIN_TILING_DATA_DEF\s*\(\s*(?P<name>\w+)\s*\)")
_END = re.compile(r"\bEND_TILING_DATA_DEF\b")
_REGISTER = re.compile(r"^[ \t]*REGISTER_TILING_DATA_CLASS\s*\(", re.MULTILINE)
_FIELD = re.compile(r"\bTILING_DATA_FIELD_DEF(?P<kind>_ARR|_STRUCT)?\s*\(")


def tiling_structs(path: str, text: str, constants: Mapping[str, int]) -> Iterator[TilingStruct]:
    """Yield the tiling structs that ``text``, free of comments, declares; ``constants`` give the arrays' lengths."""
    for begin in _BEGIN.finditer(text):
        line_start = text.rfind("\n", 0, begin.start()) + 1
        if text[line_start : begin.start()].lstrip().startswith("#"):
            continue  # the macro's own definition
        end = _END.search(text, begin.end())
        body = text[begin.end() : end.start() if end else len(text)]
        fields: list[TilingField] = []
        for match in _FIELD.finditer(body):
            given = cpp_text.arguments(body, match.end() - 1)
            kind = match.group("kind")
            if kind == "_ARR" and len(given) == 3:
                element, length, name = given
                fields.append(TilingField(element, name, length, evaluate(length, constants)))
            elif kind != "_ARR" and len(given) == 2:
                fields.append(TilingField(given[0], given[1], is_struct=kind == "_STRUCT"))
        yield TilingStruct(begin.group("name"), tuple(fields), path, text.count("\n", 0, begin.start()))


def _nested_first(structs: tuple[TilingStruct, ...]) -> list[TilingStruct]:
    by_name = {struct.name: struct for struct in structs}
    ordered: dict[str, TilingStruct] = {}

    def place(struct: TilingStruct, parents: frozenset[str]) -> None:
        for item in struct.fields:
            nested = by_name.get(item.type) if item.is_struct else None
            if nested is not None and nested.name not in parents:
                place(nested, parents | {struct.name})
        ordered.setdefault(struct.name, struct)

    for struct in structs:
        place(struct, frozenset())
    return list(ordered.values())


def tiling_classes(text: str) -> Iterator[TilingClass]:
    """Yield the ``REGISTER_TILING_DATA_CLASS`` lines of ``text``, which is free of comments."""
    for match in _REGISTER.finditer(text):
        given = cpp_text.arguments(text, match.end() - 1)
        if len(given) == 2:
            yield TilingClass(*given)
