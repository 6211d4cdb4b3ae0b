"""Specifications in the JSON from which msopgen generates a project."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import cast

from kernelgen_ls.kernel.dtypes import find_dtype
from kernelgen_ls.kernel.spec.specification import SpecAttribute, Specification, SpecTensor


class BrokenDefinitionError(ValueError):
    """A text that defines no operator; the message says where and why."""


def from_json(text: str) -> tuple[Specification, ...]:
    """Return the operators that an msopgen JSON defines.

    The layout is a list of objects with ``op``, ``input_desc``, ``output_desc`` and ``attr``. Raises
    ``BrokenDefinitionError`` for a text that is no JSON or has another layout.
    """
    try:
        content = json.loads(text)
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
    return tuple(_from_object(item) for item in items)


def _from_object(item: Mapping[str, object]) -> Specification:
    return Specification(
        name=str(item["op"]),
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
        yield SpecTensor(str(entry.get("name", "")), dtypes, None, str(entry.get("param_type", "required")).lower())


def _objects(described: object) -> list[Mapping[str, object]]:
    items = described if isinstance(described, list) else []
    return [cast("Mapping[str, object]", entry) for entry in items if isinstance(entry, dict)]
