"""Which texts libclang is not given at all: those it would overflow its stack on, or take longer than a save may."""

from __future__ import annotations

import re
from functools import lru_cache

from attrs import frozen

from kernelgen_ls.kernel.blank import strip_comments
from kernelgen_ls.kernel.findings import Position
from kernelgen_ls.kernel.roles import is_host_test
from kernelgen_ls.runner.toolchains.source_tree import SourceText

MAX_BYTES = 2_000_000
"""Largest file that is parsed: a kernel of 2 MB is generated code, and parsing it would take longer than a save may."""

MAX_NESTING = 200
"""Deepest bracket nesting that is parsed; clang's own limit is 256 and its recursion is paid for in stack."""

MAX_OPERATORS = 2000
"""Most operators of one statement, and most ``else if`` of a file, that are parsed: clang recurses over each."""

_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\ufffd]")
_STATEMENT = re.compile(r"[^;{}]+")
_OPERATOR = re.compile(r"[-+*/%&|^<>=!~?]")
_ELSE_IF = re.compile(r"\belse\s+if\b")
_BRACKETS = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|[()\[\]{}]", re.DOTALL)


@frozen
class Refusal:
    """Why a text is not parsed at all, and where that shows."""

    message: str
    position: Position


@lru_cache(maxsize=512)  # by object: several steps of a check ask about the same one
def refusal(source: SourceText) -> Refusal | None:
    """Why ``source`` cannot be parsed within a save's budget, or None where it can."""
    size = len(source.text.encode(errors="replace")) if len(source.text) > MAX_BYTES // 4 else 0
    if size > MAX_BYTES:
        message = f"the file has {size / 1e6:.1f} MB; files over {MAX_BYTES / 1e6:.0f} MB are not checked"
        return Refusal(message, Position(0, 0))
    odd = _CONTROL.findall(source.text)
    if len(odd) > 16 and len(odd) * 100 > len(source.text):
        return Refusal("the file is not text (many control characters); it was not checked", Position(0, 0))
    return _nesting(source) or _chain(source) or _test(source)


def _test(source: SourceText) -> Refusal | None:
    """Refuse a program that tries kernels out on the host: it is compiled against what only a test has."""
    if not is_host_test(source.text):
        return None
    return Refusal("the file is a unit test or a run on the CPU, which is host code; it is not checked", Position(0, 0))


def _nesting(source: SourceText) -> Refusal | None:
    if _most_nesting(source.text) <= MAX_NESTING:
        return None
    depth = 0
    for match in _BRACKETS.finditer(source.text):
        character = match.group()
        if len(character) != 1:
            continue
        if character in "([{":
            depth += 1
            if depth > MAX_NESTING:
                message = f"brackets are nested more than {MAX_NESTING} deep here; the file was not checked"
                return Refusal(message, source.position_at(match.start()))
        else:
            depth = max(depth - 1, 0)
    return None


def _most_nesting(text: str) -> int:
    """No less than how deep brackets are nested: how often innermost pairs can be taken away, and what is left then."""
    brackets = "".join(found for found in _BRACKETS.findall(text) if len(found) == 1)
    taken = 0
    while taken <= MAX_NESTING:
        outer = brackets.replace("()", "").replace("[]", "").replace("{}", "")
        if len(outer) == len(brackets):
            break
        brackets, taken = outer, taken + 1
    return taken + len(brackets)


def _chain(source: SourceText) -> Refusal | None:
    """Refuse statements that a recursive parser runs out of stack on: thousands of operators, of ``else if``."""
    if source.text.count("else") > MAX_OPERATORS and len(_ELSE_IF.findall(source.text)) > MAX_OPERATORS:
        message = f"the file has more than {MAX_OPERATORS} 'else if'; it was not checked"
        return Refusal(message, Position(0, 0))
    for statement in _STATEMENT.finditer(source.text):
        if len(statement.group()) <= MAX_OPERATORS:
            continue
        # Item by item: a table of thousands of negative numbers is no deep expression.
        items = strip_comments(statement.group()).split(",")
        if any(len(item) > MAX_OPERATORS and len(_OPERATOR.findall(item)) > MAX_OPERATORS for item in items):
            message = f"an expression has more than {MAX_OPERATORS} operators here; the file was not checked"
            return Refusal(message, source.position_at(statement.start()))
    return None
