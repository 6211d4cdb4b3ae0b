"""A body's head is that of its declaration: one that differs is another overload, and calls of it are ambiguous."""

from __future__ import annotations

import re

from tests.unit.twin.verifying import ROOT

_INCLUDE = ROOT / "kernelgen_ls/runner/include"
_HEAD = re.compile(
    r"template <(?P<template>[^;{}]*?)>\s*__aicore__ inline (?P<result>[\w:<> &*]+?) \*?&?(?P<name>\w+)\("
)
_NAME = re.compile(r"^(?P<type>.*?[\s&*>])(?P<name>\w+)(?P<array>(?:\[[^\]]*\])*)$")


def _split(text: str) -> list[str]:
    """Pieces between commas that stand outside brackets."""
    pieces, depth, last = [], 0, 0
    for at, letter in enumerate(text):
        depth += letter in "<([{"
        depth -= letter in ">)]}"
        if letter == "," and depth == 0:
            pieces.append(text[last:at])
            last = at + 1
    return [piece.strip() for piece in [*pieces, text[last:]] if piece.strip()]


def _type(parameter: str) -> str:
    """A parameter without its name, its default and what does not change its type."""
    plain = re.sub(r"\s+", " ", parameter.split(" = ")[0].strip())
    match = _NAME.match(plain)
    kind = (match["type"] + match["array"]) if match and match["type"].strip() not in ("const", "") else plain
    kind = re.sub(r"\[[^\]]*\]", "*", kind).replace("__gm__ ", "").replace("AscendC::", "").strip()
    return re.sub(r"^const (?=\w+$)", "", re.sub(r" ?([&*]) ?", r"\1", kind))


def _inside(text: str, start: int) -> str:
    """What stands between the bracket before ``start`` and the one that closes it."""
    depth = 1
    for at in range(start, len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
        if depth == 0:
            return text[start:at]
    return ""


def _heads(text: str) -> set[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    joined = re.sub(r"\\\n\s*", " ", text)
    return {
        (
            match["name"],
            tuple(map(_type, _split(match["template"]))),
            tuple(map(_type, _split(_inside(joined, match.end())))),
        )
        for match in _HEAD.finditer(joined)
    }


def test_every_body_has_a_declaration() -> None:
    declared = set().union(*(_heads(path.read_text(encoding="utf-8")) for path in (_INCLUDE / "ascendc").glob("*.h")))
    names = {name for name, _, _ in declared} - {"name"}  # macros' own
    bodies = set().union(*(_heads(path.read_text(encoding="utf-8")) for path in (_INCLUDE / "twin").glob("*_bodies.h")))
    assert len(bodies) > 60
    assert sorted(body for body in bodies - declared if body[0] in names) == []
