"""Subscripts: parts of a name, indices, and what stands in brackets behind a value."""

from __future__ import annotations

import re

from kernelgen_ls.kernel.formula.notation.reader import ELEMENT, WHOLE, Reader, is_index
from kernelgen_ls.kernel.formula.tokens import Kind, Token
from kernelgen_ls.kernel.formula.tree import Call, Expr, Name, Text

_INDICES = re.compile(r"[bg-tk]{2,3}")
_NO_INDICES = frozenset(("in", "is", "it", "no", "on", "min", "opt", "int", "log", "lin", "lo", "old", "ih", "hi"))
_EVERYTHING = Call("range", (Text(""), Text("")))


def subscript(reader: Reader, value: Expr) -> Expr:
    """The subscript of a name: a part of the name, or indices."""
    reader.take()
    braced = reader.token.isa("{") and bool(reader.take())
    words = []
    depth = 0
    while True:
        if reader.token.kind is Kind.END:
            raise reader.fail("the subscript is never closed")
        if braced and reader.token.isa("}") and not depth:
            reader.take()
            break
        depth += reader.token.isa("{") - reader.token.isa("}")
        words.append(reader.take())
        if not braced:
            break
    return _with_subscript(reader, value, [word for word in words if not word.isa("{", "}")])


def _with_subscript(reader: Reader, value: Expr, words: list[Token]) -> Expr:
    if not words:
        raise reader.fail("a subscript with nothing in it")
    written = "".join(word.text for word in words)
    if isinstance(value, Name):
        for name in (f"{value.name}_{written}", f"{value.name}{written}"):
            if name in reader.known:
                return reader.named(name, words[0])
    parts: list[Expr] = []
    picked = _picked(reader, words) if isinstance(value, Name) else None
    if picked is not None:
        return Call("at", (value, *picked))
    for word in words:
        if word.isa(",", "_", "..."):
            continue
        if word.isa(":"):
            parts += _wholes(1)
            continue
        if word.kind is Kind.NAME and is_index(word.text) and isinstance(value, Name | Call):
            parts.append(Name(word.text))
        elif word.kind is Kind.NAME and (element := ELEMENT.fullmatch(word.text)) and isinstance(value, Name):
            value = Name(f"{value.name}_{element.group('name')}")
            parts.append(Name(element.group("index")))
        elif word.kind is Kind.NAME and _INDICES.fullmatch(word.text) and word.text not in _NO_INDICES:
            parts += [Name(letter) for letter in word.text]
        elif word.kind in (Kind.NAME, Kind.NUMBER) and isinstance(value, Name) and not parts:
            joined = f"{value.name}_{word.text}" if word.kind is Kind.NAME else f"{value.name}{word.text}"
            plain = f"{value.name}_{word.text}"
            value = Name(plain if plain in reader.known else joined)
        else:
            raise reader.fail("an element of its own: only whole tensors and rows are understood", word)
    if isinstance(value, Name):
        reader.seen.setdefault(value.name, words[0].start)
    return Call("at", (value, *parts)) if parts else value


def _picked(reader: Reader, words: list[Token]) -> list[Expr] | None:
    r"""The places of ``x_{\text{index}_i, j}``, where a declared tensor picks a row; None for other subscripts."""
    places: list[Expr] = []
    rest = [word for word in words if not word.isa(",", "...")]
    while rest:
        word = rest.pop(0)
        if word.isa(":"):
            places += _wholes(1)
            continue
        if word.kind is not Kind.NAME:
            return None
        if word.text in reader.known and len(rest) > 1 and rest[0].isa("_") and is_index(rest[1].text):
            places.append(Call("at", (reader.named(word.text, word), Name(rest[1].text))))
            rest = rest[2:]
        elif is_index(word.text):
            places.append(Name(word.text))
        else:
            return None
    return places if places and isinstance(places[0], Call) else None


def element(reader: Reader, value: Expr) -> Expr:
    """What stands in brackets behind a value: indices, numbers or ranges."""
    token = reader.take()
    items: list[Expr] = []
    while not reader.token.isa("]"):
        items.append(_slice(reader))
        if not reader.token.isa("]"):
            reader.expect(",")
    reader.expect("]")
    if not items:
        raise reader.fail("which elements is not said", token)
    whole = [item for item in items if item == Text("...") or item == _EVERYTHING]
    if whole and items[-len(whole) :] == whole and len(whole) < len(items):
        # `x[i, :]` is the row `x[i]`; `x[0:2, :]` is a slice as it stands.
        places = items[: -len(whole)]
        if all(_is_place(reader, item) for item in places):
            items = [*places, *(() if Text("...") in whole else _wholes(len(whole)))]
    plain = all(_is_place(reader, item) for item in items)
    return Call("at" if plain else "item", (value, *items))


def _wholes(count: int) -> list[Name]:
    """The places of whole axes at a tensor's end, as they are called in ``indices``."""
    return [Name(f"{WHOLE}{place}") for place in range(count, 0, -1)]


def _is_place(reader: Reader, item: Expr) -> bool:
    """Whether it is an index of its own rather than a value: ``i``, ``rows[i]``."""
    if isinstance(item, Name):
        return item.name.startswith(WHOLE) or (item.name not in reader.known and is_index(item.name))
    return isinstance(item, Call) and item.op == "at"


def _slice(reader: Reader) -> Expr:
    parts: list[Expr] = [Text("")]
    colons = 0
    if reader.token.isa("..."):
        reader.take()
        return Text("...")
    while not reader.token.isa("]", ","):
        if reader.token.isa(":"):
            reader.take()
            colons += 1
            parts.append(Text(""))
            continue
        parts[-1] = reader.expression()
    return Call("range", tuple(parts)) if colons else parts[0]
