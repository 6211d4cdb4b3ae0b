"""Neovim's highlighting of AscendC names, from the API table: tree-sitter queries and syntax rules."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from pathlib import Path

from kernelgen_ls.kernel import api
from kernelgen_ls.kernel.api import ApiKind
from scripts.generators import GENERATED, ROOT

QUERIES = ROOT / "editors/neovim/queries/cpp/highlights.scm"
SYNTAX = ROOT / "editors/neovim/syntax/cpp/kernelgen.vim"

QUALIFIERS = (
    *("__aicore__", "__global__", "__gm__", "__ubuf__", "__cbuf__", "__ca__", "__cb__", "__cc__", "__fbuf__"),
    *("__biasbuf__", "__cube__", "__vector__", "__mix__", "__inline__"),
)
SCALARS = ("half", "bfloat16_t", "int4b_t", "GM_ADDR")


def names(*kinds: ApiKind) -> list[str]:
    return sorted({entry.name for entry in api.all_entries() if entry.kind in kinds and entry.name.isidentifier()})


FUNCTIONS = names(ApiKind.FUNCTION)
METHODS = sorted({*names(ApiKind.METHOD), *FUNCTIONS})
METHODS_ALONE = names(ApiKind.METHOD)
TYPES = sorted({*names(ApiKind.CLASS, ApiKind.ENUM, ApiKind.TYPE), *SCALARS})
MACROS = sorted({*names(ApiKind.MACRO)} - set(SCALARS))
SCOPES = names(ApiKind.ENUM, ApiKind.TYPE)
CONSTANTS = [name for name in names(ApiKind.CONSTANT) if "_" in name]
"""Those that mean something by themselves; the short ones (`A1`, `ALL`) only behind their enumeration."""


def wrapped(words: Iterable[str], indent: str, quote: str = "") -> str:
    text = " ".join(f"{quote}{word}{quote}" for word in words)
    return textwrap.fill(text, 116, initial_indent=indent, subsequent_indent=indent, break_long_words=False)


def rule(pattern: str, capture: str, words: Iterable[str]) -> str:
    """A pattern for nodes of these names, in buffers that the server has a say in."""
    return f"({pattern}\n  (#any-of? @{capture}\n{wrapped(words, '    ', chr(34))})\n  (#kernelgen-buffer?))\n"


def queries() -> str:
    function, type_, macro = "function.builtin.ascendc", "type.builtin.ascendc", "function.macro.ascendc"
    constant, modifier = "constant.builtin.ascendc", "keyword.modifier.ascendc"
    called = f"""[
    (call_expression function: (identifier) @{function})
    (call_expression function: (template_function name: (identifier) @{function}))
    (call_expression function: (qualified_identifier name: (identifier) @{function}))
    (call_expression function: (qualified_identifier name: (template_function name: (identifier) @{function})))
  ]"""
    method = f"""[
    (call_expression function: (field_expression field: (field_identifier) @{function}))
    (call_expression function: (field_expression field: (template_method name: (field_identifier) @{function})))
  ]"""
    # In a template's arguments the parser takes an enumerator for a type.
    scoped = f"""qualified_identifier
    scope: (namespace_identifier) @{type_}
    name: [(identifier) (type_identifier)] @{constant}"""
    parts = [
        "; extends",
        f"; {GENERATED}",
        "",
        rule(called, function, FUNCTIONS),
        rule(method, function, METHODS),
        rule(f"(type_identifier) @{type_}", type_, TYPES),
        rule(f"(namespace_identifier) @{type_}", type_, ["AscendC"]),
        rule(f"({scoped})", type_, SCOPES),
        rule(f"(identifier) @{constant}", constant, CONSTANTS),
        rule(f"(identifier) @{macro}", macro, MACROS),
        rule(f"[(identifier) (type_identifier)] @{modifier}", modifier, QUALIFIERS),
    ]
    return "\n".join(parts)


def keywords(group: str, words: Iterable[str], options: str = "") -> list[str]:
    return [f"syntax keyword {group} {line}{options}" for line in wrapped(words, "").split("\n")]


def syntax() -> str:
    """Keywords and what may follow them: patterns that look behind would be tried at every character of the screen."""
    types = [name for name in TYPES if name not in SCOPES]
    lines = [
        f'" {GENERATED}',
        "if !luaeval(\"require('kernelgen.client').wants(vim.api.nvim_get_current_buf())\")",
        "  finish",
        "endif",
        *keywords("kernelgenFunction", FUNCTIONS),
        *keywords("kernelgenMethod", METHODS_ALONE, " contained"),
        "syntax match kernelgenAccess /\\.\\|->/ nextgroup=kernelgenMethod",
        *keywords("kernelgenType", types),
        *keywords("kernelgenType", SCOPES, " nextgroup=kernelgenEnumerator"),
        "syntax match kernelgenEnumerator /::\\w\\+/ contained",
        *keywords("kernelgenConstant", CONSTANTS),
        *keywords("kernelgenMacro", MACROS),
        *keywords("kernelgenQualifier", QUALIFIERS),
        "highlight default link kernelgenFunction Function",
        "highlight default link kernelgenMethod Function",
        "highlight default link kernelgenType Type",
        "highlight default link kernelgenEnumerator Constant",
        "highlight default link kernelgenConstant Constant",
        "highlight default link kernelgenMacro Macro",
        "highlight default link kernelgenQualifier StorageClass",
    ]
    return "\n".join([*lines, ""])


def texts() -> dict[Path, str]:
    return {QUERIES: queries(), SYNTAX: syntax()}
