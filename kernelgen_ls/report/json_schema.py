"""JSON schemas (draft 2020-12) of what commands print with ``--json``, made from the data classes that are printed.

A key may be added by a later version: whoever reads an answer leaves alone what it does not know.
"""

from __future__ import annotations

import inspect
from enum import Enum
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

import attrs

from kernelgen_ls.kernel.verdict import Verdict, VerdictOutcome
from kernelgen_ls.model.generation.candidate import Author
from kernelgen_ls.runner.jobs.messages import VerifyResult

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


def generate_schema() -> dict[str, Any]:
    """Of ``kernelgen-ls generate --json``: what is offered, and every candidate with its verdict."""
    definitions: dict[str, Any] = {}
    verdict = _of(Verdict | None, definitions)
    integer, number, text = {"type": "integer"}, {"type": "number"}, {"type": "string"}
    texts = {"type": "object", "additionalProperties": text, "description": "Texts by path."}
    author = {"enum": [*(one.value for one in Author), None], "description": "Who wrote it: a rule or the model."}
    finding = _closed(path=text, line=integer, column=integer, severity=text, source=text, code=text, message=text)
    finding["description"] = "Lines and columns count from 1."
    flag, nothing = {"type": "boolean"}, {"type": "null"}
    attempt = _closed(
        round=integer,
        prompt=text,
        answer=text,
        files=texts,
        cut=text,
        by_rule=flag,
        clean=flag,
        checked=flag,
        check_failed=text,
        verified={"type": ["boolean", "null"]},
        verdict=verdict,
        latency_us={"anyOf": [number, nothing]},
        findings={"type": "array", "items": finding},
        tokens=integer,
        prompt_tokens=integer,
        seconds=number,
    )
    attempts = {"type": "array", "items": {"$ref": "#/$defs/attempt"}}
    candidate = _closed(
        number=integer, seed=integer, end=text, written_by=author, problem=text, verdict=verdict, attempts=attempts
    )
    whole = _closed(
        title=text,
        summary=text,
        profile=text,
        clean=flag,
        verdict=verdict,
        written_by=author,
        remarks={"type": "array", "items": text},
        files=texts,
        tokens=integer,
        rounds=integer,
        seconds=number,
        candidates={"type": "array", "items": {"$ref": "#/$defs/candidate"}},
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "kernelgen-ls generate --json",
        "description": "The best candidate first; `verdict` is null where nobody was to execute the kernel.",
        **whole,
        "$defs": {"candidate": candidate, "attempt": attempt, **definitions},
    }


def _closed(**properties: Any) -> dict[str, Any]:
    """An object with all of these properties."""
    return {"type": "object", "properties": properties, "required": list(properties)}


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
