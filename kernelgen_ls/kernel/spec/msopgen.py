"""Specifications in the JSON from which msopgen generates a project, with the formula that people write beside it.

msopgen itself knows no formula: it stands in a comment (``//``, ``#``, ``/* */``), which JSON has none of and people
write all the same, or in a field of their own (``desc``, ``formula``, ``notes``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import cast

from kernelgen_ls.kernel.dtypes import find_dtype
from kernelgen_ls.kernel.spec.described import described
from kernelgen_ls.kernel.spec.specification import SpecAttribute, Specification, SpecTensor

_TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|(?P<comment>//[^\n]*|/\*.*?\*/|(?<![^\s,\]\[{}])#[^\n]*)', re.DOTALL)
_MARK = re.compile(r"^\s*(?:/\*+|//+|#+|\*+(?!/)(?=\s|$))\s?|\s*\*+/\s*$")
_LAYOUT = frozenset(
    ("op", "language", "name", "param_type", "format", "type", "input_desc", "output_desc", "attr", "shape")
)
_FORMULAS = frozenset(("formula", "math", "equation", "expression", "公式"))


class BrokenDefinitionError(ValueError):
    """A text that defines no operator; the message says where and why."""


def from_json(text: str) -> tuple[Specification, ...]:
    """Return the operators that an msopgen JSON defines.

    The layout is a list of objects with ``op``, ``input_desc``, ``output_desc`` and ``attr``; a comment belongs to the
    only operator there is. Raises ``BrokenDefinitionError`` for a text that is no JSON or has another layout.
    """
    plain, comments = _without_comments(text)
    try:
        content = json.loads(plain, parse_float=str)
    except json.JSONDecodeError as error:
        raise BrokenDefinitionError(f"line {error.lineno}, column {error.colno}: {error.msg}") from error
    except (ValueError, RecursionError) as error:
        raise BrokenDefinitionError("it is nested too deeply, or has a number that is none") from error
    items = content if isinstance(content, list) else [content]
    for place, item in enumerate(items, 1):
        if not isinstance(item, dict) or not isinstance(item.get("op"), str):
            raise BrokenDefinitionError(f'operator {place} has no name: an object with "op": "Name" is expected')
        for key in ("input_desc", "output_desc", "attr"):
            if not isinstance(item.get(key, []), list):
                raise BrokenDefinitionError(f'"{key}" of {item["op"]} must be a list')
    return tuple(_from_object(item, comments if len(items) == 1 else "") for item in items)


def _without_comments(text: str) -> tuple[str, str]:
    """The text with its comments blanked out, so that every place stays, and what they say."""
    said: list[str] = []

    def blank(match: re.Match[str]) -> str:
        comment = match["comment"]
        if comment is None:
            return match.group()
        said.extend(_MARK.sub("", line) for line in comment.split("\n"))
        return re.sub(r"[^\n]", " ", comment)

    return _TOKEN.sub(blank, text), "\n".join(said)


def _said(item: Mapping[str, object]) -> Iterator[str]:
    """What an object says beside msopgen's own fields, line by line, the formula marked as one."""
    for key, value in item.items():
        if key in _LAYOUT:
            continue
        lines = [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, str)]
        if key.lower() in _FORMULAS:
            yield "formula:"
        yield from lines
    for key in ("output_desc", "input_desc"):
        for entry in _objects(item.get(key)):
            yield from _said(entry)


def _from_object(item: Mapping[str, object], comments: str) -> Specification:
    said = described("\n".join((*_said(item), "", comments)), "definition")
    return Specification(
        name=str(item["op"]),
        formula=said.formula,
        description=said.description,
        inputs=tuple(_json_tensors(item.get("input_desc"))),
        outputs=tuple(_json_tensors(item.get("output_desc"))),
        attributes=tuple(
            SpecAttribute(
                str(entry.get("name", "")),
                str(entry.get("type", "")),
                None if entry.get("default_value") is None else str(entry["default_value"]),
            )
            for entry in _objects(item.get("attr"))
        ),
        sources=("definition",),
    )


def _json_tensors(described: object) -> Iterator[SpecTensor]:
    for entry in _objects(described):
        types = entry.get("type", [])
        names = [str(name) for name in types] if isinstance(types, list) else [str(types)]
        dtypes = tuple(dict.fromkeys(dtype.name for name in names if (dtype := find_dtype(name))))
        shape = entry.get("shape")
        axes = tuple(str(size) for size in shape) if isinstance(shape, list) else None
        yield SpecTensor(str(entry.get("name", "")), dtypes, axes, str(entry.get("param_type", "required")).lower())


def _objects(described: object) -> list[Mapping[str, object]]:
    items = described if isinstance(described, list) else []
    return [cast("Mapping[str, object]", entry) for entry in items if isinstance(entry, dict)]
