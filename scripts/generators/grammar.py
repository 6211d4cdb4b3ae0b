"""The TextMate grammars, from the API table, so that a name that is known is a name that is coloured."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from kernelgen_ls.kernel.api import ApiKind, all_entries
from scripts.generators import ROOT

GRAMMAR = ROOT / "grammars/ascendc.tmLanguage.json"
INJECTION = ROOT / "grammars/ascendc.injection.tmLanguage.json"

QUALIFIERS = [
    *("__global__", "__aicore__", "__vector__", "__cube__", "__mix__"),
    *("__gm__", "__ubuf__", "__cbuf__", "__ca__", "__cb__", "__cc__", "__biasbuf__", "__fbuf__"),
]
SCALARS = ["half", "bfloat16_t", "float16_t", "float32_t", "int4b_t", "GM_ADDR"]
POSITIONS = [
    *("GM", "VECIN", "VECOUT", "VECCALC", "A1", "A2", "B1", "B2", "C1", "C2"),
    *("CO1", "CO2", "C2PIPE2GM", "LCM", "TSCM", "SHM", "MAX"),
]
CALL = r"(?=\s*(?:<[^;{}()]*>\s*)?\()"


def one_of(names: Iterable[str]) -> str:
    return "(?:" + "|".join(sorted(set(names), key=lambda name: (-len(name), name))) + ")"


def of_kind(*kinds: ApiKind) -> list[str]:
    return [entry.name for entry in all_entries() if entry.kind in kinds and entry.name not in SCALARS]


def scoped(pattern: str, name: str) -> dict[str, str]:
    return {"match": pattern, "name": f"{name}.ascendc"}


def call(names: Iterable[str], name: str) -> dict[str, Any]:
    """A call. It starts at the white space before it, where the C++ grammar's own rule for calls starts too."""
    return {"match": rf"(?<![.\w])\s*\b({one_of(names)}){CALL}", "captures": {"1": {"name": f"{name}.ascendc"}}}


def repository() -> dict[str, Any]:
    types = of_kind(ApiKind.CLASS, ApiKind.ENUM, ApiKind.TYPE)
    return {
        "kernel-launch": scoped(r"<<<|>>>", "keyword.operator.launch"),
        "qualifiers": {
            "patterns": [
                scoped(rf"\b{one_of(QUALIFIERS)}\b", "storage.modifier.qualifier"),
                scoped(r"\[\s*(?:host\s*,\s*)?aicore\s*\]", "storage.modifier.qualifier"),
            ]
        },
        "positions": {
            # From the namespace on, and from the blanks before it: C++'s own rules take a whole qualified name at once.
            "match": rf"\s*\b(?:(\w+)\s*(::)\s*)?\b(TPosition|QuePosition)\s*(::)\s*({one_of(POSITIONS)})\b",
            "captures": {
                "1": {"name": "entity.name.namespace.ascendc"},
                "2": {"name": "punctuation.separator.scope-resolution.ascendc"},
                "3": {"name": "entity.name.type.ascendc"},
                "4": {"name": "punctuation.separator.scope-resolution.ascendc"},
                "5": {"name": "constant.language.queue-position.ascendc"},
            },
        },
        "pipes": scoped(r"\b(?:PIPE_(?:S|V|M|MTE1|MTE2|MTE3|FIX|ALL)|EVENT_ID[0-7])\b", "constant.language.pipe"),
        "macros": {
            "patterns": [
                call(of_kind(ApiKind.MACRO), "support.function.macro"),
                scoped(r"\b(?:ORIG_DTYPE|DTYPE|FORMAT)_[A-Z0-9_]+\b", "constant.other.dtype"),
            ]
        },
        "types": {
            "patterns": [
                {"match": r"\s*\b(AscendC)(?=\s*::)", "captures": {"1": {"name": "entity.name.namespace.ascendc"}}},
                scoped(rf"\b{one_of(types)}\b", "support.type"),
                scoped(rf"\b{one_of(SCALARS)}\b", "storage.type.scalar"),
            ]
        },
        "functions": call(of_kind(ApiKind.FUNCTION), "support.function"),
        "methods": {
            # From the object on: the C++ grammar takes an object and its member in one piece.
            "match": rf"\s*\b([A-Za-z_]\w*)\s*(\.|->)\s*(?:template\s+)?({one_of(of_kind(ApiKind.METHOD))}){CALL}",
            "captures": {
                "1": {"name": "variable.other.object.ascendc"},
                "2": {"name": "punctuation.separator.member.ascendc"},
                "3": {"name": "support.function.method.ascendc"},
            },
        },
    }


def texts() -> dict[Path, str]:
    parts = repository()
    grammar = {
        "name": "AscendC",
        "scopeName": "source.ascendc",
        "patterns": [{"include": "source.cpp"}],
        # Patterns beside the include would only hold outside every block of C++.
        "injections": {
            "L:source.ascendc -comment -string": {"patterns": [{"include": f"#{name}"} for name in parts]},
        },
        "repository": parts,
    }
    injection = {
        "name": "AscendC in C++",
        "scopeName": "ascendc.injection",
        "injectionSelector": "L:source.cpp -comment -string, L:source.c -comment -string",
        "patterns": [{"include": f"source.ascendc#{name}"} for name in parts],
    }
    return {GRAMMAR: json.dumps(grammar, indent=2) + "\n", INJECTION: json.dumps(injection, indent=2) + "\n"}
