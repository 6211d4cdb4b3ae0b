"""The texts that are compiled as one: an entry's file and every header of the project that it includes.

A lint asks a program as it would ask a single text: offsets run through all of its files, the headers first, and a
class that one file declares and another completes is whole. What the preprocessor leaves out is blank.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping
from functools import cached_property

from attrs import define, evolve, field, frozen

from kernelgen_ls.kernel.blank import strip_comments
from kernelgen_ls.kernel.constants import read_constants
from kernelgen_ls.kernel.findings import Location, Range
from kernelgen_ls.kernel.preprocess import Preprocessor
from kernelgen_ls.kernel.roles import HEADER_SUFFIXES
from kernelgen_ls.kernel.structure import (
    Argument,
    Branch,
    Call,
    Conditional,
    Function,
    Jump,
    Loop,
    Parameter,
    Span,
    Structure,
    Variable,
)
from kernelgen_ls.kernel.syntax import Source

_ASKS = re.compile(r"^[ \t]*#[ \t]*(?P<word>if|endif)", re.MULTILINE)


_DEEPEST = 200
"""Headers are followed through so many others, as far as clang goes itself."""


@frozen(eq=False)
class Part:
    """One file of a program: ``source`` is its active text, which begins at ``start`` of the program."""

    path: str
    text: str
    source: Source
    start: int


@define(eq=False)
class Program:
    """The files of one compilation, the headers before what includes them. ``entry`` is the path that is compiled."""

    parts: tuple[Part, ...]
    entry: str
    _shifted: dict[tuple[Source, int], Structure] = field(factory=dict, repr=False)
    _mentions: dict[str, tuple[int, ...]] = field(factory=dict, repr=False, init=False)

    @classmethod
    def of(
        cls,
        entry: str,
        included: Callable[[str], tuple[str, Mapping[int, str]] | None],
        macros: Mapping[str, str],
        previous: Program | None = None,
    ) -> Program:
        """Return the program of ``entry`` and of what it includes under ``macros``, each file once.

        ``included`` gives a file's text and, by the offset of its ``#include`` lines, the files that they mean; None
        for one that is not to be read. What has not changed since ``previous`` is not read again.
        """
        preprocessor = Preprocessor.of(macros)
        active: dict[str, tuple[str, str]] = {}
        seen: set[str] = set()

        def read(path: str, depth: int = 0) -> None:
            found = included(path) if path not in seen and depth < _DEEPEST else None
            seen.add(path)
            if found is not None:
                text, files = found
                kept = preprocessor.active(
                    text,
                    strip_comments(text),
                    lambda offset: read(files[offset], depth + 1) if offset in files else None,
                )
                active[path] = (text, kept)

        read(entry)
        old = {part.path: part.source for part in previous.parts} if previous is not None else {}
        parts: list[Part] = []
        start = 0
        for path, (text, kept) in active.items():
            known = old.get(path)
            source = Source.parse(kept) if known is None else known.with_text(kept)
            parts.append(Part(path, text, source, start))
            start += len(kept) + 1
        return cls(tuple(parts), entry, previous._shifted if previous is not None else {})

    @classmethod
    def of_one(cls, source: Source, path: str = "") -> Program:
        """Return the program that is one text, all of it active."""
        return cls((Part(path, source.text, source, 0),), path)

    @property
    def is_header(self) -> bool:
        """Whether it is compiled for want of a file that includes it, so that a class may be completed elsewhere."""
        return self.entry.endswith(HEADER_SUFFIXES)

    @cached_property
    def text(self) -> str:
        """The active text of every file, a line end between two."""
        return "\n".join(part.source.text for part in self.parts)

    @cached_property
    def plain(self) -> str:
        """The active text with comments as spaces; offsets stay."""
        return "\n".join(part.source.plain for part in self.parts)

    @cached_property
    def constants(self) -> dict[str, int]:
        """The integer constants that the files define and that have one value in all of them."""
        values: dict[str, int] = {}
        conflicting: set[str] = set()
        for part in self.parts:
            found = read_constants(part.source.plain, values)
            conflicting |= values.keys() - found.keys()
            values = found
        return {name: value for name, value in values.items() if name not in conflicting}

    @cached_property
    def structure(self) -> Structure:
        """The parts of the whole program."""
        if len(self.parts) == 1:
            return self.parts[0].source.structure
        kept: dict[tuple[Source, int], Structure] = {}
        for part in self.parts:
            key = (part.source, part.start)
            kept[key] = self._shifted.get(key) or _shift(part.source, part.start)
        self._shifted.clear()
        self._shifted.update(kept)
        return _joined(list(kept.values()))

    def mentions(self, name: str) -> tuple[int, ...]:
        """Return the offsets at which the word ``name`` stands outside comments."""
        known = self._mentions.get(name)
        if known is None:
            found = (part.start + offset for part in self.parts for offset in part.source.mentions(name))
            known = self._mentions[name] = tuple(found)
        return known

    def part_at(self, offset: int) -> Part:
        """Return the file that ``offset`` lies in."""
        return self.parts[max(bisect_right(self._starts, offset) - 1, 0)]

    def location(self, span: Span) -> Location:
        """Return the file and the range of ``span``."""
        part = self.part_at(span.start)
        source = part.source
        start, end = source.position(span.start - part.start), source.position(span.end - part.start)
        return Location(part.path, Range(start, end))

    def offset(self, location: Location) -> int | None:
        """Return the offset of where ``location`` starts; None for a file that is no part of the program."""
        part = next((part for part in self.parts if part.path == location.path), None)
        return None if part is None else part.start + part.source.offset(location.range.start)

    def is_open(self, offset: int) -> bool:
        """Return whether ``offset`` is compiled in some builds only: in an ``#if`` that the build answers."""
        return bool(self._open) and any(span.holds(offset) for span in self._open)

    @cached_property
    def _open(self) -> tuple[Span, ...]:
        spans = []
        begun: list[int] = []
        for match in _ASKS.finditer(self.plain):
            if match.group("word") == "if":
                begun.append(match.start())
            elif begun:
                spans.append(Span(begun.pop(), match.end()))
        return tuple(spans)

    @cached_property
    def _starts(self) -> list[int]:
        return [part.start for part in self.parts]


def _joined(structures: list[Structure]) -> Structure:
    """Return the structures of a program's files as one; their offsets are the program's already."""
    functions = tuple(function for one in structures for function in one.functions)
    by_owner: dict[str, list[Function]] = {}
    for function in functions:
        by_owner.setdefault(function.owner, []).append(function)
    aliases: dict[str, str] = {}
    for one in structures:
        for name, meaning in one.aliases.items():
            aliases[name] = meaning if aliases.get(name, meaning) == meaning else ""
    return Structure(
        functions=functions,
        classes=tuple(
            evolve(item, functions=tuple(by_owner.get(item.name, ()))) for one in structures for item in one.classes
        ),
        variables=tuple(variable for one in structures for variable in one.variables),
        calls=tuple(call for one in structures for call in one.calls),
        loops=tuple(loop for one in structures for loop in one.loops),
        conditionals=tuple(item for one in structures for item in one.conditionals),
        jumps=tuple(jump for one in structures for jump in one.jumps),
        lambdas=tuple(span for one in structures for span in one.lambdas),
        broken=tuple(offset for one in structures for offset in one.broken),
        aliases=aliases,
    )


def _shift(source: Source, by: int) -> Structure:
    """Return the structure of ``source`` with every offset moved by ``by``; the scope of its file is everything."""
    structure = source.structure

    def span(one: Span) -> Span:
        return Span(one.start + by, one.end + by)

    def scope(variable: Variable) -> Span:
        return variable.scope if variable.scope.start == 0 and not variable.owner else span(variable.scope)

    def function(one: Function) -> Function:
        return evolve(
            one,
            span=span(one.span),
            name_span=span(one.name_span),
            body=span(one.body),
            parameters=tuple(Parameter(each.type, each.name, span(each.span)) for each in one.parameters),
        )

    def call(one: Call) -> Call:
        return Call(
            one.name,
            one.receiver,
            one.qualifier,
            one.template_arguments,
            tuple(Argument(each.text, span(each.span)) for each in one.arguments),
            span(one.span),
            span(one.name_span),
            tuple(Branch(each.statement + by, each.arm) for each in one.branches),
        )

    return Structure(
        functions=tuple(map(function, structure.functions)),
        classes=tuple(
            evolve(one, span=span(one.span), name_span=span(one.name_span), functions=()) for one in structure.classes
        ),
        variables=tuple(
            evolve(one, span=span(one.span), name_span=span(one.name_span), scope=scope(one))
            for one in structure.variables
        ),
        calls=tuple(map(call, structure.calls)),
        loops=tuple(Loop(span(one.span), span(one.body), one.header, one.variables) for one in structure.loops),
        conditionals=tuple(
            Conditional(
                span(one.span),
                span(one.condition),
                tuple(map(span, one.arms)),
                one.exhaustive,
                one.compile_time,
                one.falls_through,
            )
            for one in structure.conditionals
        ),
        jumps=tuple(Jump(one.kind, span(one.span)) for one in structure.jumps),
        lambdas=tuple(map(span, structure.lambdas)),
        broken=tuple(offset + by for offset in structure.broken),
        aliases=structure.aliases,
    )
