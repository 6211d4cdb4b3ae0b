"""Explicit specialisations inside a class, as GCC takes them: constrained templates of the same name.

C++17 allows ``template <> void f<2>();`` in a class, clang and the device's compiler take it, GCC up to 13 does not. It
becomes a template with the parameters of the one that it specialises and a requires clause, which is chosen in the same
places; lines stay where they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from attrs import frozen

_HEAD = re.compile(r"\btemplate\s*<")
_EMPTY_HEAD = re.compile(r"\btemplate\s*<\s*>")
_NAME = re.compile(r"\b(?P<name>operator\s*(?:\(\s*\)|\[\s*\]|[^\w\s(<]+)|[A-Za-z_]\w*)\s*(?P<next>[<(])")
_CLASS = re.compile(r"\s*(?:struct|class)\s+(?P<name>\w+)\s*(?P<next><)?")
_PARAMETER = re.compile(r"(?P<kind>[\w:\s]*?)\b(?P<name>[A-Za-z_]\w*)\s*$")
_OPENING, _CLOSING = "<([{", ">)]}"


@frozen
class _Parameter:
    """A template parameter: its declaration without and with its default, and whether it is a type."""

    name: str
    declared: str
    whole: str
    is_type: bool


@frozen
class _Declared:
    """What a template head declares; ``arguments`` and ``name_end`` are where its name has some."""

    name: str
    is_class: bool
    name_end: int
    arguments_end: int = 0


def without_class_specialisations(text: str, places: Iterable[int]) -> str:
    """``text`` with the explicit specialisations at ``places`` (offsets within their ``template <>``) rewritten.

    What is not understood stays as it is.
    """
    for place in sorted(places, reverse=True):
        text = _rewritten(text, place)
    return text


def _rewritten(text: str, place: int) -> str:
    heads = (match for match in _EMPTY_HEAD.finditer(text, max(0, place - 200)) if match.end() >= place)
    head = next(heads, None)
    declared = _declared(text, head.end()) if head is not None and head.start() <= place else None
    if head is None or declared is None or not declared.arguments_end:
        return text
    parameters = _primary(text, head.start(), declared)
    given = _split(text[declared.name_end : declared.arguments_end].strip()[1:-1])
    if parameters is None or not 0 < len(given) <= len(parameters):
        return text
    pairs = zip(parameters, given, strict=False)
    condition = " && ".join(
        f"::std::is_same_v<{one.name}, {argument}>" if one.is_type else f"{one.name} == ({argument})"
        for one, argument in pairs
    )
    shown = ", ".join(one.declared if declared.is_class else one.whole for one in parameters)
    named = f"<{', '.join(one.name for one in parameters)}>" if declared.is_class else ""
    removed = "\n" * text.count("\n", declared.name_end, declared.arguments_end)
    return (
        f"{text[: head.start()]}template <{shown}> requires ({condition})"
        f"{text[head.end() : declared.name_end]}{named}{removed}{text[declared.arguments_end :]}"
    )


def _declared(text: str, start: int) -> _Declared | None:
    """What is declared after a template head that ends at ``start``."""
    if match := _CLASS.match(text, start):
        end = _closing(text, match.start("next")) if match["next"] else 0
        return _Declared(match["name"], True, match.end("name"), end)
    ends = [found for found in (text.find("{", start), text.find(";", start)) if found >= 0]
    place, limit = start, min(ends, default=len(text))
    while match := _NAME.search(text, place, limit):
        name = "".join(match["name"].split())
        if match["next"] == "(":
            return _Declared(name, False, match.end("name"))
        end = _closing(text, match.start("next"))
        if not end:
            return None
        if text[end:limit].lstrip().startswith("("):
            return _Declared(name, False, match.end("name"), end)
        place = end
    return None


def _primary(text: str, before: int, wanted: _Declared) -> list[_Parameter] | None:
    """The parameters of the template above ``before`` that ``wanted`` specialises."""
    for head in reversed(list(_HEAD.finditer(text, 0, before))):
        end = _closing(text, head.end() - 1)
        declared = _declared(text, end) if end else None
        if declared is None or declared.arguments_end:
            continue
        if (declared.name, declared.is_class) == (wanted.name, wanted.is_class):
            found = [_parameter(one) for one in _split(text[head.end() : end - 1])]
            known = [one for one in found if one is not None]
            return known if known and len(known) == len(found) else None
    return None


def _parameter(text: str) -> _Parameter | None:
    whole = " ".join(text.split())
    declared = whole.partition("=")[0].strip()
    match = _PARAMETER.fullmatch(declared)
    if match is None or not match["kind"].strip():
        return None
    return _Parameter(match["name"], declared, whole, match["kind"].strip() in ("typename", "class"))


def _closing(text: str, start: int) -> int:
    """Where the brackets that open at ``start`` are closed, just behind; 0 where they are not."""
    depth = 0
    for place in range(start, len(text)):
        if text[place] in _OPENING:
            depth += 1
        elif text[place] in _CLOSING and text[place - 1] != "-":
            depth -= 1
            if depth == 0:
                return place + 1
    return 0


def _split(text: str) -> list[str]:
    """The parts between commas that are in no brackets."""
    parts, depth, start = [], 0, 0
    for place, sign in enumerate(text):
        depth += (sign in _OPENING) - (sign in _CLOSING)
        if sign == "," and depth == 0:
            parts.append(text[start:place].strip())
            start = place + 1
    rest = text[start:].strip()
    return [*parts, rest] if rest else parts
