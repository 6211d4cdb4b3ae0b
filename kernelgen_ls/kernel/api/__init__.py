"""The AscendC interface as a table: what each name is, its signatures, element types, constraints, one-line doc.

It feeds hover, completion and signature help. The table is data (``table.json``), written from this project's own
declarations; what the parameters mean stands in ``parameters.json`` by name, for the interface names alike what is
alike. Nothing in it is copied from the CANN headers or documents.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import Enum
from functools import cache
from importlib import resources
from typing import Any

from attrs import frozen


class ApiKind(str, Enum):
    """What a name of the interface is."""

    FUNCTION = "function"
    METHOD = "method"
    CLASS = "class"
    ENUM = "enum"
    CONSTANT = "constant"
    TYPE = "type"
    MACRO = "macro"


@frozen
class Parameter:
    """One parameter: its C++ type and default as written; both are empty for a macro's."""

    name: str
    type: str = ""
    default: str = ""


@frozen
class Signature:
    """One overload: the declaration as one line of C++, its parameters, and the class or namespace it stands in.

    The parameters of a class are its fields.
    """

    text: str
    parameters: tuple[Parameter, ...] = ()
    scope: str = ""

    @property
    def required(self) -> int:
        """How many arguments a call has to give."""
        return sum(not parameter.default for parameter in self.parameters)


@frozen
class ApiEntry:
    """One name: ``dtypes`` are the element types it takes (empty: any), ``deprecated`` says what to use instead."""

    name: str
    kind: ApiKind
    signatures: tuple[Signature, ...]
    summary: str = ""
    dtypes: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    category: str = ""
    header: str = ""
    deprecated: str = ""


def lookup(name: str) -> ApiEntry | None:
    """The entry of ``name``; a qualified name (``AscendC::Add``) is looked up by its last part."""
    return _table().get(name.rsplit("::", 1)[-1].strip())


def all_entries() -> tuple[ApiEntry, ...]:
    """Every entry, by name."""
    return tuple(_table().values())


def meaning(entry: ApiEntry, parameter: str) -> str:
    """What ``parameter`` of ``entry`` stands for, in a few words; "" where its name says all there is."""
    meanings = _meanings()
    return meanings.get(f"{entry.name}.{parameter}") or meanings.get(parameter, "")


def page(entry: ApiEntry) -> str:
    """A Markdown page about ``entry``: signatures, summary, parameters, element types, constraints."""
    parts = [f"```cpp\n{_signature_block(entry)}\n```"]
    if entry.deprecated:
        parts.append(f"**Deprecated:** {entry.deprecated}")
    if entry.summary:
        parts.append(entry.summary)
    rows = _field_rows(entry) if entry.kind is ApiKind.CLASS else _parameter_rows(entry)
    if rows:
        parts.append("\n".join(rows))
    if entry.dtypes:
        parts.append("**Element types:** " + ", ".join(f"`{dtype}`" for dtype in entry.dtypes))
    parts += [f"**Constraint:** {constraint}" for constraint in entry.constraints]
    if entry.header:
        parts.append(f'*{entry.category}* · `#include "{entry.header}"`')
    return "\n\n".join(parts)


def to_json(entry: ApiEntry) -> dict[str, Any]:
    """``entry`` as ``table.json`` holds it: without what is empty."""
    signatures = [
        _without_empty(
            {
                "text": signature.text,
                "scope": signature.scope,
                "parameters": [[item.name, item.type, item.default] for item in signature.parameters],
            }
        )
        for signature in entry.signatures
    ]
    return _without_empty(
        {
            "name": entry.name,
            "kind": entry.kind.value,
            "category": entry.category,
            "header": entry.header,
            "summary": entry.summary,
            "dtypes": list(entry.dtypes),
            "constraints": list(entry.constraints),
            "deprecated": entry.deprecated,
            "signatures": signatures,
        }
    )


def from_json(data: Mapping[str, Any]) -> ApiEntry:
    """The entry that ``to_json`` wrote."""
    signatures = tuple(
        Signature(
            item["text"],
            tuple(Parameter(*given) for given in item.get("parameters", ())),
            item.get("scope", ""),
        )
        for item in data["signatures"]
    )
    return ApiEntry(
        data["name"],
        ApiKind(data["kind"]),
        signatures,
        data.get("summary", ""),
        tuple(data.get("dtypes", ())),
        tuple(data.get("constraints", ())),
        data.get("category", ""),
        data.get("header", ""),
        data.get("deprecated", ""),
    )


@cache
def _table() -> dict[str, ApiEntry]:
    text = resources.files(__package__).joinpath("table.json").read_text(encoding="utf-8")
    return {item["name"]: from_json(item) for item in json.loads(text)}


@cache
def _meanings() -> dict[str, str]:
    text = resources.files(__package__).joinpath("parameters.json").read_text(encoding="utf-8")
    found: dict[str, str] = json.loads(text)
    return found


def _without_empty(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if value or key == "text"}


_SHOWN_SIGNATURES = 6


def _signature_block(entry: ApiEntry) -> str:
    lines = []
    for signature in entry.signatures[:_SHOWN_SIGNATURES]:
        scope = f"// {signature.scope}\n" if entry.kind is ApiKind.METHOD and signature.scope else ""
        lines.append(f"{scope}{signature.text}")
    more = len(entry.signatures) - _SHOWN_SIGNATURES
    if more > 0:
        lines.append(f"// and {more} more")
    return "\n".join(lines)


def _parameter_rows(entry: ApiEntry) -> list[str]:
    names: dict[str, None] = {}
    for signature in entry.signatures[:_SHOWN_SIGNATURES]:
        names.update(dict.fromkeys(item.name for item in signature.parameters if item.name))
    rows = []
    for name in names:
        explained = meaning(entry, name)
        if explained:
            rows.append(f"- `{name}`: {explained}")
    return rows


def _field_rows(entry: ApiEntry) -> list[str]:
    rows = []
    for item in entry.signatures[0].parameters:
        default = f" = {item.default}" if item.default else ""
        rows.append(f"- `{item.type} {item.name}{default}`")
    return rows
