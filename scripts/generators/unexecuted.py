"""The list of what is declared and has no body on the twin, in docs/twin/limits.md.

The declarations are parsed as the twin compiles them, for an Atlas A2: an overload without a definition is an undefined
symbol of a kernel that calls it.
"""

from __future__ import annotations

import functools
import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from clang import cindex
from clang.cindex import Cursor, CursorKind

from scripts.generators import ROOT

INCLUDE = ROOT / "kernelgen_ls/runner/include"
PAGE = ROOT / "docs/twin/limits.md"
START = "<!-- `make generate` writes the list from here -->\n"
END = "<!-- to here -->\n"

_FLAGS = [
    *("-x", "c++", "-std=c++17", "-nostdinc", "-nostdinc++", "--target=x86_64-unknown-linux-gnu", "-w"),
    *("-isystem", str(INCLUDE), "-isystem", str(INCLUDE / "std")),
    *("-DKERNELGEN_TWIN=3", "-D__CCE_AICORE__=220", "-D__NPU_ARCH__=2201"),
]
_SCOPES = (
    *(CursorKind.NAMESPACE, CursorKind.CLASS_DECL, CursorKind.STRUCT_DECL, CursorKind.CLASS_TEMPLATE),
    *(CursorKind.LINKAGE_SPEC, CursorKind.UNEXPOSED_DECL),
)
_FUNCTIONS = (*(CursorKind.FUNCTION_DECL, CursorKind.FUNCTION_TEMPLATE, CursorKind.CXX_METHOD, CursorKind.CONSTRUCTOR),)


@functools.cache
def _unit() -> cindex.TranslationUnit:
    text = '#include "kernel_operator.h"\n'
    unit = cindex.Index.create().parse("unit.cpp", args=_FLAGS, unsaved_files=[("unit.cpp", text)])
    errors = [str(one) for one in unit.diagnostics if one.severity >= cindex.Diagnostic.Error]
    if errors:
        raise RuntimeError("\n".join(errors))
    return unit


def functions() -> Iterator[Cursor]:
    """Every declaration and definition of a function in our headers, as the twin compiles them."""
    pending = [_unit().cursor]
    while pending:
        for cursor in pending.pop().get_children():
            if cursor.location.file is None or not cursor.location.file.name.startswith(str(INCLUDE)):
                continue
            if cursor.kind in _SCOPES:
                pending.append(cursor)
            elif cursor.kind in _FUNCTIONS:
                yield cursor


def header(cursor: Cursor) -> str:
    """The header of a function within our declarations."""
    return Path(os.path.normpath(cursor.location.file.name)).relative_to(INCLUDE).as_posix()


def _name(cursor: Cursor) -> str:
    parent = cursor.semantic_parent
    owned = parent.kind in (CursorKind.CLASS_DECL, CursorKind.STRUCT_DECL, CursorKind.CLASS_TEMPLATE)
    plain = cursor.spelling.split("<")[0]
    return f"{parent.spelling}::{plain}" if owned else plain


def only_states(definition: Cursor) -> bool:
    """Whether a body holds nothing but constraints on element types: it does nothing where it is called."""
    bodies = [child for child in definition.get_children() if child.kind is CursorKind.COMPOUND_STMT]
    statements = [statement for body in bodies for statement in body.get_children()]
    return bool(statements) and all(one.kind is CursorKind.STATIC_ASSERT for one in statements)


def _defaulted(cursor: Cursor) -> bool:
    words = [token.spelling for token in cursor.get_tokens()]
    return words[-2:-1] == ["="] and words[-1] in ("default", "delete")


def unexecuted() -> dict[str, dict[str, tuple[int, int]]]:
    """By header and name: how many overloads have no body, and how many there are."""
    overloads: dict[tuple[str, str], dict[str, bool]] = defaultdict(dict)
    for cursor in functions():
        first = cursor.canonical
        if not header(first).startswith("ascendc/"):
            continue
        definition = cursor.get_definition()
        lacks = not _defaulted(cursor) and (definition is None or only_states(definition))
        overloads[header(first), _name(first)][first.get_usr()] = lacks
    found: dict[str, dict[str, tuple[int, int]]] = defaultdict(dict)
    for (place, name), lacking in sorted(overloads.items()):
        if any(lacking.values()):
            found[place][name] = (sum(lacking.values()), len(lacking))
    return dict(found)


def listed() -> str:
    """The list as it stands in the page."""
    lines = ["| of `ascendc/` | declared and not executed |", "|---|---|"]
    for place, names in sorted(unexecuted().items()):
        said = ", ".join(
            f"`{name}`" if lacking == total else f"`{name}` ({lacking} of {total})"
            for name, (lacking, total) in sorted(names.items())
        )
        lines.append(f"| `{place.removeprefix('ascendc/')}` | {said} |")
    return "\n".join(lines) + "\n"


def texts() -> dict[Path, str]:
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(END)
    return {PAGE: f"{before}{START}\n{listed()}\n{END}{after}"}
