"""JSON schemas (draft 2020-12) of what commands print with ``--json``, made from the data classes that are printed.

A key may be added by a later version: whoever reads an answer leaves alone what it does not know.
"""

from __future__ import annotations

import inspect
from enum import Enum
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

import attrs

from kernelgen_ls.runner.jobs.messages import VerifyResult
from kernelgen_ls.work.verdicts import Verdict, VerdictOutcome

_SIMPLE = {str: "string", bool: "boolean", int: "integer", float: "number", NoneType: "null"}


def verify_schema() -> dict[str, Any]:
    """Of ``kernelgen-ls verify --json``: one kernel, or those of a folder."""
    definitions: dict[str, Any] = {}
    kernel = _object(VerifyResult, definitions)
    named = {"path": {"type": "string"}, "kernel": {"type": "string"}, "verdict": _of(Verdict, definitions)}
    kernel["properties"] = named | kernel["properties"]
    kernel["required"] = [*named, *kernel["required"]]
    kernel["description"] = (
        "A kernel's verification. Lines and columns count from 0, columns in Unicode code points; paths are relative "
        "to the working directory."
    )
    several = {
        "type": "object",
        "description": "The verifications of a folder's kernels: wrong where one is, right where all are.",
        "properties": {
            "outcome": _of(VerdictOutcome, definitions),
            "kernels": {"type": "array", "items": {"$ref": "#/$defs/kernel"}},
        },
        "required": ["outcome", "kernels"],
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "kernelgen-ls verify --json",
        "oneOf": [{"$ref": "#/$defs/kernel"}, {"$ref": "#/$defs/folder"}],
        "$defs": {"kernel": kernel, "folder": several, **definitions},
    }


def _of(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    """The schema of a type; that of a class is put among the definitions under the class' name."""
    if kind in _SIMPLE:
        return {"type": _SIMPLE[kind]}
    if get_origin(kind) is tuple:
        return {"type": "array", "items": _of(get_args(kind)[0], definitions)}
    if inspect.isclass(kind):
        if kind.__name__ not in definitions:
            definitions[kind.__name__] = _words(kind) if issubclass(kind, Enum) else _object(kind, definitions)
        return {"$ref": f"#/$defs/{kind.__name__}"}
    return {"anyOf": [_of(one, definitions) for one in get_args(kind)]}


def _object(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    types = get_type_hints(kind)
    return {
        "type": "object",
        "description": _about(kind),
        "properties": {one.name: _of(types[one.name], definitions) for one in attrs.fields(kind)},
        "required": [one.name for one in attrs.fields(kind)],
    }


def _words(kind: type[Enum]) -> dict[str, Any]:
    return {"type": "string", "description": _about(kind), "enum": [member.value for member in kind]}


def _about(kind: type) -> str:
    """What a class' docstring says, in one line, without the marks of the documentation's own language."""
    return " ".join((inspect.getdoc(kind) or "").replace("``", "").replace(":class:", "").split())
