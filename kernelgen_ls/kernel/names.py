"""What stands at a place of a text: the name, the call being written, what may be completed; and a text's outline.

These work on half-written code: they look at the text around the place and at the last tree only for declared types.
"""

from __future__ import annotations

import re
from enum import Enum

from attrs import frozen

from kernelgen_ls.kernel.findings import Position, Range
from kernelgen_ls.kernel.structure import Function, KernelClass, Span
from kernelgen_ls.kernel.syntax import Source

_PATH_BEFORE = re.compile(r"(?:[A-Za-z_]\w*\s*::\s*)+$")
_CALLEE = re.compile(
    r"(?P<path>(?:[A-Za-z_]\w*\s*(?:::|\.|->)\s*(?:template\s+)?)*)(?P<name>[A-Za-z_]\w*)\s*"
    r"(?:<[^<>;(){}]*(?:<[^<>;(){}]*>[^<>;(){}]*)*>)?\s*$"
)
_TYPE_BEFORE = re.compile(r"(?P<type>[A-Za-z_]\w*)\s*(?:<[^<>;(){}]*>)?[ \t]*[&*]?[ \t]+$")
_BEFORE_A_CALL = frozenset({"return", "else", "case", "do", "new", "throw", "and", "or", "not"})
_LITERAL = re.compile(r'"(?:\\.|[^"\\\n])*"?|\'(?:\\.|[^\'\\\n])\'')
_NOT_CALLS = frozenset(
    {"if", "for", "while", "switch", "return", "sizeof", "constexpr", "catch", "decltype", "alignof", "defined"}
)
_CLOSED_LITERAL = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'')
_REACH = 4000
"""How many characters before the cursor are looked at for the call it stands in."""


@frozen
class Identifier:
    """A name: ``qualifier`` is the ``AscendC`` of ``AscendC::Add``, ``receiver`` the ``queue`` of ``queue.EnQue``."""

    name: str
    qualifier: str
    receiver: str
    range: Range


@frozen
class CallContext:
    """The innermost call whose arguments a place stands in: ``argument`` is the zero-based index of the one there."""

    name: str
    qualifier: str
    receiver: str
    argument: int
    name_range: Range


@frozen
class CompletionContext:
    """What is being written at a place: ``prefix`` is the part of the name that is there already.

    ``receiver_kind`` is the receiver's type (``LocalTensor``, ``TQue``) where the text declares it, else "".
    """

    prefix: str
    range: Range
    qualifier: str
    receiver: str
    receiver_kind: str


class SymbolKind(str, Enum):
    """What an entry of the outline is."""

    ENTRY = "entry function"
    CLASS = "class"
    STAGE = "stage"
    METHOD = "method"
    FUNCTION = "function"
    QUEUE = "queue"
    BUFFER = "buffer"


@frozen
class Symbol:
    """An entry of the outline, with those inside it."""

    name: str
    kind: SymbolKind
    detail: str
    range: Range
    selection: Range
    children: tuple[Symbol, ...] = ()


def identifier_at(source: Source, position: Position) -> Identifier | None:
    """Return the name at ``position`` (or ending there); None in a comment, a string, and where there is none."""
    offset = source.offset(position)
    start, end = _word_around(source.text, offset)
    if start == end or not (source.text[start].isalpha() or source.text[start] == "_") or not is_code(source, start):
        return None
    before = source.text[max(0, start - 300) : start]
    return Identifier(source.text[start:end], _qualifier(before), _receiver(before), source.range(Span(start, end)))


def is_code(source: Source, offset: int) -> bool:
    """Return whether ``offset`` is outside comments and literals (and inside none that is still being written)."""
    line_start = source.text.rfind("\n", 0, offset) + 1
    before = source.text[line_start:offset].rstrip()
    in_comment = bool(before) and source.plain[line_start + len(before) - 1] != before[-1]
    if in_comment and not before.endswith("*/"):
        return False
    return '"' not in _CLOSED_LITERAL.sub("", source.plain[line_start:offset])


def call_at(source: Source, position: Position) -> CallContext | None:
    """Return the call whose arguments hold ``position``, however unfinished; None where there is none."""
    offset = source.offset(position)
    low = max(0, offset - _REACH)
    text = _LITERAL.sub(lambda match: '"' + " " * (len(match.group()) - 1), source.plain[low:offset])
    depth = 0
    commas = 0
    for index in range(len(text) - 1, -1, -1):
        character = text[index]
        if character in ")]}":
            depth += 1
        elif character in "([{":
            if depth:
                depth -= 1
                continue
            commas_here, commas = commas, 0
            if character == "(":
                found = _callee(source, low, text[:index], commas_here)
                if found is not None:
                    return found
        elif depth == 0 and character == ",":
            commas += 1
        elif depth == 0 and character == ";":
            return None
    return None


def completion_at(source: Source, position: Position) -> CompletionContext | None:
    """Return what is being written at ``position``; None in comments, literals and include lines."""
    offset = source.offset(position)
    start = offset
    while start > 0 and (source.text[start - 1].isalnum() or source.text[start - 1] == "_"):
        start -= 1
    prefix = source.text[start:offset]
    line = source.text[source.text.rfind("\n", 0, offset) + 1 : offset].lstrip()
    if (prefix and prefix[0].isdigit()) or line.startswith("#") or not is_code(source, offset):
        return None
    before = source.text[max(0, start - 300) : start]
    receiver = _receiver(before)
    kind = receiver_kind(source, receiver, start)
    if receiver and not kind:
        # The unfinished line may break the tree around it, and the declaration with it.
        kind = receiver_kind(_without_line(source, offset), receiver, offset)
    return CompletionContext(prefix, source.range(Span(start, offset)), _qualifier(before), receiver, kind)


def _without_line(source: Source, offset: int) -> Source:
    """Return the source with spaces in the place of the line at ``offset``; offsets stay."""
    start = source.text.rfind("\n", 0, offset) + 1
    end = source.text.find("\n", offset)
    end = len(source.text) if end < 0 else end
    return source.with_text(source.text[:start] + " " * (end - start) + source.text[end:])


def receiver_kind(source: Source, receiver: str, offset: int) -> str:
    """Return the type of the object ``receiver`` at ``offset`` (``LocalTensor``), "" where the text does not say."""
    if not receiver:
        return ""
    if receiver.rstrip().endswith(")"):
        called = re.search(r"(\w+)\s*(?:<[^<>]*>)?\s*\([^()]*\)\s*$", receiver)
        return _RESULTS.get(called.group(1), "") if called else ""
    base = re.sub(r"\[[^\[\]]*\]", "", receiver.replace("->", ".")).split(".")[-1].split("::")[-1].strip()
    variable = source.structure.variable_at(base, offset)
    if variable is None:
        return ""
    if variable.kind == "auto":
        called = re.search(r"(\w+)\s*(?:<[^<>]*>)?\s*\(", variable.value)
        return _RESULTS.get(called.group(1), "") if called else ""
    return variable.kind


_RESULTS = {
    "AllocTensor": "LocalTensor",
    "DeQue": "LocalTensor",
    "Get": "LocalTensor",
    "GetWithOffset": "LocalTensor",
    "ReinterpretCast": "LocalTensor",
    "GetTPipePtr": "TPipe",
}


def document_symbols(source: Source) -> tuple[Symbol, ...]:
    """Return the outline: entry functions, classes with their queues, buffers, stages and methods, free functions."""
    structure = source.structure
    symbols = [_class_symbol(source, item) for item in structure.classes]
    classes = {item.name: item.span for item in structure.classes}
    for function in structure.functions:
        home = classes.get(function.owner)
        if home is None or not home.holds(function.span.start):
            symbols.append(_function_symbol(source, function))
    return tuple(sorted(symbols, key=lambda symbol: symbol.range.start))


def _class_symbol(source: Source, item: KernelClass) -> Symbol:
    inside = [_function_symbol(source, function) for function in item.functions if item.span.holds(function.span.start)]
    for variable in source.structure.variables:
        if variable.owner == item.name and (variable.is_queue or variable.kind == "TBuf"):
            kind = SymbolKind.QUEUE if variable.is_queue else SymbolKind.BUFFER
            spans = source.range(variable.span), source.range(variable.name_span)
            inside.append(Symbol(variable.name, kind, variable.position, *spans))
    inside.sort(key=lambda symbol: symbol.selection.start)
    span, name_span = source.range(item.span), source.range(item.name_span)
    return Symbol(item.name, SymbolKind.CLASS, "", span, name_span, tuple(inside))


def _function_symbol(source: Source, function: Function) -> Symbol:
    kind = SymbolKind.FUNCTION
    if function.is_entry:
        kind = SymbolKind.ENTRY
    elif function.owner:
        kind = SymbolKind.STAGE if function.is_stage else SymbolKind.METHOD
    detail = f"({', '.join(parameter.name for parameter in function.parameters)})"
    return Symbol(function.name, kind, detail, source.range(function.span), source.range(function.name_span))


def _callee(source: Source, low: int, before: str, argument: int) -> CallContext | None:
    """Return the call whose opening bracket follows ``before``, which starts at the offset ``low`` of the source."""
    base = low + max(0, len(before) - 400)
    match = _CALLEE.search(before[-400:])
    if match is None or match.group("name") in _NOT_CALLS:
        return None
    name, path = match.group("name"), match.group("path")
    start = base + match.start("name")
    typed = _TYPE_BEFORE.search(source.plain[max(0, base + match.start() - 200) : base + match.start()])
    if typed is not None and not path and typed.group("type") not in _BEFORE_A_CALL:
        function = source.structure.function_at(start)
        if function is None or not function.body.holds(start):
            return None  # a declaration: its brackets hold parameters
        name = typed.group("type")  # `DataCopyParams params(`: the arguments are the type's constructor's
    return CallContext(
        name, _qualifier(path), _receiver(path), argument, source.range(Span(start, start + len(match.group("name"))))
    )


def _word_around(text: str, offset: int) -> tuple[int, int]:
    start = end = offset
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    return start, end


def _qualifier(before: str) -> str:
    match = _PATH_BEFORE.search(before)
    return re.sub(r"\s|::$", "", match.group()).removesuffix("::") if match else ""


def _receiver(before: str) -> str:
    """Return the expression before a trailing ``.`` or ``->``: the longest chain of names, calls and subscripts."""
    trimmed = re.sub(r"\btemplate\s+$", "", before).rstrip()
    if trimmed.endswith("->"):
        trimmed = trimmed[:-2].rstrip()
    elif trimmed.endswith("."):
        trimmed = trimmed[:-1].rstrip()
    else:
        return ""
    return trimmed[_chain_start(trimmed) :].strip()


def _chain_start(text: str) -> int:
    """Return where the chain of names, ``.``, ``->``, ``::``, subscripts and calls that ends ``text`` starts."""
    index = len(text)
    while index > 0:
        character = text[index - 1]
        if character in ")]":
            opened = _opening(text, index - 1)
            if opened < 0:
                return index
            index = opened
        elif character.isalnum() or character in "_.:":
            index -= 1
        elif text[index - 2 : index] == "->":
            index -= 2
        elif character == ">" and "<" in text[:index]:
            opened = text.rfind("<", 0, index)
            if ";" in text[opened:index]:
                return index
            index = opened
        else:
            return index
    return index


def _opening(text: str, closed: int) -> int:
    depth = 0
    for index in range(closed, -1, -1):
        if text[index] in ")]":
            depth += 1
        elif text[index] in "([":
            depth -= 1
            if depth == 0:
                return index
    return -1
