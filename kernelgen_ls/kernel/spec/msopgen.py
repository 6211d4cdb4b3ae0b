"""Specifications in the JSON from which msopgen generates a project."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import cast

from kernelgen_ls.kernel.dtypes import find_dtype
from kernelgen_ls.kernel.spec.specification import SpecAttribute, Specification, SpecTensor


def from_json(text: str) -> tuple[Specification, ...]:
    """Return the operators that an msopgen JSON defines; nothing for a text that is none.

    The layout is a list of objects with ``op``, ``input_desc``, ``output_desc`` and ``attr``.
    """
    try:
        content = json.loads(text)
    except ValueError:
        return ()
    items = content if isinstance(content, list) else [content]
    return tuple(_from_object(item) for item in items if isinstance(item, dict) and isinstance(item.get("op"), str))


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
