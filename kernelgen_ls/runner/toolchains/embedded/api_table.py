"""Reads the API table out of our declarations: names, signatures, parameters, element types and documentation.

The declarations are the one place where these facts stand; ``kernelgen_ls/kernel/api/table.json`` is written from them
by ``make generate`` and a test holds the two equal.

A declaration's comment is its documentation: the first sentences, then lines that start with ``constraint:``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from copy import copy
from pathlib import Path
from typing import Any

from clang import cindex

from kernelgen_ls.folders import DECLARATIONS
from kernelgen_ls.kernel import api
from kernelgen_ls.kernel.api import ApiEntry, ApiKind, Parameter, Signature
from kernelgen_ls.runner.toolchains.embedded.parser import COMMON_FLAGS

TABLE = Path(api.__file__).parent / "table.json"
"""The file that ``kernel.api`` reads."""

_KERNEL = "kernel_operator.h"
_CONVOLUTION = "lib/conv_intf.h"
_HOST = "kernelgen_host.h"
_C_INTERFACE = "c_api/asc_simd.h"
_ROOTS = (
    *(_KERNEL, _CONVOLUTION, _HOST, _C_INTERFACE),
    *("simt_api/asc_simt.h", "simt_api/asc_fp16.h", "simt_api/asc_bf16.h"),
    *("acl/acl.h", "aclnn/acl_meta.h"),
)
_CATEGORIES = {
    "config": "types",
    "types": "types",
    "tensor": "tensors",
    "queue": "queues and buffers",
    "copy": "data copy",
    "vector": "vector computation",
    "compare": "comparison and selection",
    "convert": "conversion",
    "groups": "groups of cores and limits",
    "hccl": "communication",
    "reduce": "reduction",
    "gather": "gather and sort",
    "system": "system and synchronisation",
    "intrinsics": "system and synchronisation",
    "scalar": "scalar computation",
    "math": "mathematical functions",
    "activation": "activation and normalisation",
    "transform": "layout and quantisation",
    "tiling": "tiling and kernel type",
    "cube": "matrix computation",
    "matmul": "Matmul",
    "simd": "register programming",
    "simt": "SIMT threads",
    "threads": "SIMT threads",
    "layout": "layouts",
    "conv": "convolution",
    "kernel_tiling": "tiling structures",
    "ge": "graph engine (host)",
    "op_def": "operator definition (host)",
    "op_impl": "operator registration (host)",
    "tilingdata_base": "tiling data (host)",
    "tiling_api": "tiling functions (host)",
    "platform_ascendc": "platform (host)",
}
_FOLDERS = {
    "acl": "host runtime",
    "aclnn": "host runtime",
    "c_api": "C interface",
    "simt_api": "SIMT threads",
}
_KINDS = {
    cindex.CursorKind.FUNCTION_DECL: ApiKind.FUNCTION,
    cindex.CursorKind.FUNCTION_TEMPLATE: ApiKind.FUNCTION,
    cindex.CursorKind.CXX_METHOD: ApiKind.METHOD,
    cindex.CursorKind.CONSTRUCTOR: ApiKind.METHOD,
    cindex.CursorKind.CLASS_DECL: ApiKind.CLASS,
    cindex.CursorKind.CLASS_TEMPLATE: ApiKind.CLASS,
    cindex.CursorKind.STRUCT_DECL: ApiKind.CLASS,
    cindex.CursorKind.ENUM_DECL: ApiKind.ENUM,
    cindex.CursorKind.ENUM_CONSTANT_DECL: ApiKind.CONSTANT,
    cindex.CursorKind.VAR_DECL: ApiKind.CONSTANT,
    cindex.CursorKind.TYPE_ALIAS_DECL: ApiKind.TYPE,
    cindex.CursorKind.TYPE_ALIAS_TEMPLATE_DECL: ApiKind.TYPE,
    cindex.CursorKind.TYPEDEF_DECL: ApiKind.TYPE,
    cindex.CursorKind.MACRO_DEFINITION: ApiKind.MACRO,
}
_SCOPES = (cindex.CursorKind.NAMESPACE, cindex.CursorKind.LINKAGE_SPEC)
_CLASSES = (cindex.CursorKind.CLASS_DECL, cindex.CursorKind.CLASS_TEMPLATE, cindex.CursorKind.STRUCT_DECL)
_PRIVATE = re.compile(r"^(?:_|Kernelgen|kernelgen|KERNELGEN|ASC_|operator|__|pair$|quad$|octet$)|_$")
_PRIVATE_SCOPES = re.compile(r"\b(?:CInterface|Constraint|Std|std)\b")
_QUALIFIERS = re.compile(r"\b(?:__aicore__|inline|static|virtual|explicit|constexpr)\s+")
_TYPES = r"(?P<types>(?:[^()]|\([^()]*\))*)"
_DEFINE_TYPES = re.compile(rf"\bASC_DEFINE\(\w+, \([^()]*\), T, {_TYPES}\)")
_STATED = re.compile(r" ASC_(?:DEFINE|BLOCKS|MASK|ROWS)\(")
"""What our declarations state after the declarator."""
_TAKES_TYPES = re.compile(rf'\bASC_TAKES\("\w+", [TE], {_TYPES}\)')
_FROM = re.compile(r" ASC_FROM_\d+\((?P<types>[^()]*)\)")
_ABSENT = re.compile(r'\bASC_(?:ABSENT_BEFORE_\d+\("[^"]*", "[^"]*"\)|SELECTS\(\w+\)) ?')
_DEDUCED = re.compile(r"\b(?:AscendC::)?Constraint::(?:bare|same)<(?P<type>\w+)>")
_TAKES = re.compile(r"\bTakes<(?P<kinds>[^<>]*)>")
_DEPRECATED = re.compile(r'\[\[deprecated\("(?P<reason>[^"]*)"\)\]\]')


def read_entries() -> list[ApiEntry]:
    """Every documented name of the interface; what several scopes declare under one name is one entry.

    A declaration without a comment is checked but is no entry: there is nothing to say about it.
    """
    found: dict[str, list[_Declaration]] = {}
    for header in _ROOTS:
        for declaration in _declarations(header):
            listed = found.setdefault(declaration.name, [])
            if not any(_same(declaration, other) for other in listed):
                listed.append(declaration)
    entries = (_entry(name, found[name]) for name in sorted(found))
    return [entry for entry in entries if entry.summary]


def table_text() -> str:
    """The text of ``table.json``: what our declarations say now."""
    lines = (json.dumps(api.to_json(entry), ensure_ascii=False) for entry in read_entries())
    return "[\n" + ",\n".join(lines) + "\n]\n"


class _Declaration:
    """One declaration: its cursor's facts as text."""

    def __init__(self, cursor: Any, scope: str, lines: list[str]) -> None:
        self.name: str = cursor.spelling
        method = cursor.kind in _FUNCTIONS and cursor.semantic_parent.kind in _CLASSES
        self.kind = ApiKind.METHOD if method else _KINDS[cursor.kind]
        self.scope = scope
        self.header = Path(cursor.location.file.name).resolve().relative_to(DECLARATIONS)
        self.text = _source(cursor, lines).removeprefix("ASC_LAZY ")
        self.comment = _comment(cursor, lines)
        if self.kind is ApiKind.CONSTANT and not self.comment and cursor.kind == cindex.CursorKind.ENUM_CONSTANT_DECL:
            self.comment = f"A value of {cursor.semantic_parent.spelling}."
        self.signature = _signature(cursor, self.text, scope)
        types = _DEFINE_TYPES.search(self.text) or _TAKES_TYPES.search(self.text)
        self.dtypes = _dtypes(types.group("types")) if types else ()
        deprecated = _DEPRECATED.search(self.text)
        self.deprecated = deprecated.group("reason") if deprecated else ""


def _same(left: _Declaration, right: _Declaration) -> bool:
    return left.signature.text == right.signature.text and left.scope == right.scope


def _declarations(header: str) -> Iterator[_Declaration]:
    name = "/kernelgen/table.h"
    unit = cindex.Index.create().parse(
        name,
        ["-x", "c++-header", *COMMON_FLAGS, "-D__CCE_AICORE__=310", "-D__NPU_ARCH__=3510"],
        unsaved_files=[(name, f'#include "{header}"\n')],
        options=cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD,
    )
    texts: dict[str, list[str]] = {}
    for cursor, scope in _walk(unit.cursor, ""):
        path = cursor.location.file.name
        lines = texts.setdefault(path, Path(path).read_text(encoding="utf-8").split("\n"))
        declaration = _Declaration(cursor, scope, lines)
        if declaration.text.startswith("ASC_CALL("):
            yield from _calls(declaration)
        elif not declaration.text.startswith("ASC_"):  # a macro of ours wrote it, and there is no text to show
            yield declaration


def _calls(declaration: _Declaration) -> Iterator[_Declaration]:
    """A function of the C interface, once for each way to call it, by the kinds of its arguments."""
    result = declaration.text.split(",")[1].strip()
    for match in _TAKES.finditer(declaration.text):
        kinds = [kind.strip() for kind in match.group("kinds").split(",") if kind.strip()]
        call = copy(declaration)
        shown = f"{result} {declaration.name}({', '.join(kinds)})"
        call.signature = Signature(shown, tuple(Parameter("", kind) for kind in kinds), declaration.scope)
        yield call


def _walk(parent: Any, scope: str) -> Iterator[tuple[Any, str]]:
    for cursor in parent.get_children():
        if cursor.location.file is None or not _ours(cursor.location.file.name):
            continue
        if cursor.kind in _SCOPES:
            yield from _walk(cursor, "::".join(part for part in (scope, cursor.spelling) if part))
            continue
        if cursor.kind not in _KINDS or not cursor.spelling or _PRIVATE.search(cursor.spelling):
            continue
        if _PRIVATE_SCOPES.search(scope) or cursor.kind == cindex.CursorKind.CONSTRUCTOR:
            continue
        if cursor.kind == cindex.CursorKind.MACRO_DEFINITION and not _public_macro(cursor):
            continue
        if cursor.kind in _CLASSES and not cursor.is_definition():
            continue
        yield cursor, scope
        if cursor.kind in (*_CLASSES, cindex.CursorKind.ENUM_DECL):
            yield from _walk(cursor, "::".join(part for part in (scope, cursor.spelling) if part))


def _ours(path: str) -> bool:
    return path.startswith(str(DECLARATIONS)) and not path.startswith(str(DECLARATIONS / "std"))


def _public_macro(cursor: Any) -> bool:
    name = cursor.spelling
    skipped = name.startswith("OP_LOG") or name in ("likely", "unlikely", "PREDICTED_TRUE")
    return not skipped and len(list(cursor.get_tokens())) > 1


def _source(cursor: Any, lines: list[str]) -> str:
    start, end = cursor.extent.start, cursor.extent.end
    if start.line == end.line:
        return lines[start.line - 1][start.column - 1 :] if cursor.kind in _FUNCTIONS else _cut(lines, cursor)
    return "\n".join(lines[start.line - 1 : end.line])[start.column - 1 :]


_FUNCTIONS = (
    cindex.CursorKind.FUNCTION_DECL,
    cindex.CursorKind.FUNCTION_TEMPLATE,
    cindex.CursorKind.CXX_METHOD,
)


def _cut(lines: list[str], cursor: Any) -> str:
    text = lines[cursor.extent.start.line - 1]
    cut: str = text[cursor.extent.start.column - 1 : cursor.extent.end.column - 1]
    return cut


def _comment(cursor: Any, lines: list[str]) -> str:
    """The ``///`` lines right above a declaration; one overload's comment serves all, so most have none."""
    collected: list[str] = []
    for line in reversed(lines[: cursor.extent.start.line - 1]):
        text = line.strip()
        if not text.startswith("///"):
            break
        collected.insert(0, text[3:].strip())
    return "\n".join(collected)


def _signature(cursor: Any, text: str, scope: str) -> Signature:
    parameters = [_parameter(child) for child in _members(cursor) if not _PRIVATE.search(child.spelling)]
    if cursor.kind == cindex.CursorKind.MACRO_DEFINITION:
        parameters = [Parameter(name) for name in _macro_parameters(text)]
        shown = f"{cursor.spelling}({', '.join(item.name for item in parameters)})" if "(" in text else cursor.spelling
        return Signature(shown, tuple(parameters), scope)
    return Signature(_shown(cursor, text), tuple(parameters), scope)


def _members(cursor: Any) -> Iterator[Any]:
    """The parameters of a function, or the fields of a structure with those of its unnamed unions."""
    for child in cursor.get_children():
        if child.kind in (cindex.CursorKind.PARM_DECL, cindex.CursorKind.FIELD_DECL):
            yield child
        elif child.kind == cindex.CursorKind.UNION_DECL and child.is_anonymous():
            yield from _members(child)


def _parameter(cursor: Any) -> Parameter:
    source = Path(cursor.extent.start.file.name).read_text(encoding="utf-8").split("\n")
    text = _cut(source, cursor) if cursor.extent.start.line == cursor.extent.end.line else cursor.spelling
    written, _, default = text.partition("=")
    written = written.strip()
    name = cursor.spelling
    kind = re.sub(rf"\b{re.escape(name)}\b", "", written, count=1).strip() if name else written
    return Parameter(name, re.sub(r"\s+", " ", kind), default.strip())


def _macro_parameters(text: str) -> list[str]:
    match = re.match(r"\w+\(([^()]*)\)", text)
    return [item.strip() for item in match.group(1).split(",") if item.strip()] if match else []


def _shown(cursor: Any, text: str) -> str:
    """The declaration as one line of C++: without body, constraint macros and the qualifiers every function has."""
    text = _ABSENT.sub("", _DEPRECATED.sub("", text))
    text = _STATED.split(text)[0]
    if cursor.kind in _FUNCTIONS:
        text = _before_body(text)
    elif cursor.kind in (*_CLASSES, cindex.CursorKind.ENUM_DECL):
        text = text.split("{")[0]
    text = re.sub(r"//[^\n]*", "", text)
    text = _QUALIFIERS.sub("", text)
    text = _DEDUCED.sub(r"\g<type>", text)
    return re.sub(r"\s+", " ", text).strip().rstrip(";").strip()


def _before_body(text: str) -> str:
    """``text`` up to the ``;`` or ``{`` that ends the declarator; braces of default arguments do not."""
    depth = 0
    for index, character in enumerate(text):
        if character in "([":
            depth += 1
        elif character in ")]":
            depth -= 1
        elif depth == 0 and (character == ";" or (character == "{" and index and text[index - 1] in " \n")):
            return text[:index]
    return text


def _dtypes(written: str) -> tuple[str, ...]:
    """The element types of a constraint, on whichever chip."""
    listed = _FROM.sub(r", \g<types>", written).replace("Constraint::Bf16", "bfloat16_t")
    return tuple(item.strip() for item in listed.split(","))


def _entry(name: str, declarations: list[_Declaration]) -> ApiEntry:
    order = [
        ApiKind.FUNCTION,
        ApiKind.CLASS,
        ApiKind.MACRO,
        ApiKind.ENUM,
        ApiKind.TYPE,
        ApiKind.METHOD,
        ApiKind.CONSTANT,
    ]
    ranked = sorted(declarations, key=lambda item: order.index(item.kind))
    first = ranked[0]
    comment = next((item.comment for item in ranked if item.comment), "")
    summary, constraints = _documentation(comment)
    dtypes = tuple(dict.fromkeys(dtype for item in ranked for dtype in item.dtypes))
    return ApiEntry(
        name=name,
        kind=first.kind,
        signatures=tuple(item.signature for item in ranked),
        summary=summary,
        dtypes=dtypes,
        constraints=constraints,
        category=_category(first.header),
        header=_public_header(first.header),
        deprecated=next((item.deprecated for item in ranked if item.deprecated), ""),
    )


def _documentation(comment: str) -> tuple[str, tuple[str, ...]]:
    summary: list[str] = []
    constraints = []
    for line in comment.split("\n"):
        if line.startswith("constraint:"):
            constraints.append(line.removeprefix("constraint:").strip())
        elif constraints and line:
            constraints[-1] += f" {line}"
        elif line:
            summary.append(line)
    return " ".join(summary), tuple(constraints)


def _category(header: Path) -> str:
    return _FOLDERS.get(header.parts[0]) or _CATEGORIES.get(header.stem, header.stem)


def _public_header(header: Path) -> str:
    if header.parts[0] == "c_api":
        return _C_INTERFACE
    if header.parts[0] == "ascendc":
        return {"matmul": "lib/matmul_intf.h", "conv": "lib/conv/conv3d/conv3d_api.h"}.get(header.stem, _KERNEL)
    if header.parts[0] == "host":
        return "register/op_def_registry.h"
    return header.as_posix()
