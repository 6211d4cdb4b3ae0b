"""Which lines the preprocessor keeps: text that it leaves out becomes spaces, so that every offset stays.

What an ``#if`` asks is computed from the macros that a chip and the texts define. Macros that the operator build gives
(``ORIG_DTYPE_X``, ``TILING_KEY_VAR``) differ from one build to the next, so every arm of such a question is kept: each
is compiled in one of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from attrs import define, field

from kernelgen_ls.kernel.blank import spaces
from kernelgen_ls.kernel.constants import evaluate

_DIRECTIVE = re.compile(
    r"^[ \t]*#[ \t]*(?P<word>if|ifdef|ifndef|elif|elifdef|elifndef|else|endif|define|undef|include)\b"
    r"(?P<rest>(?:[^\n\\]|\\\r?\n|\\[^\n])*)",
    re.MULTILINE,
)
_GIVEN_BY_BUILD = re.compile(r"(?:ORIG_)?DTYPE_\w+|FORMAT_\w+|TILING_KEY\w*|ASCENDC_TPL\w*|TEMPLATE_\w+|__DAV_\w+")
"""What the build defines differently for each of a kernel's binaries."""
_DEFINED = re.compile(r"\bdefined\s*(?:\(\s*(\w+)\s*\)|(\w+))")
_NAME = re.compile(r"\s*(?P<name>[A-Za-z_]\w*)(?P<call>\()?\s*(?P<body>.*)", re.DOTALL)
_WORD = re.compile(r"[A-Za-z_]\w*")
_MAX_DEPTH = 16


def _nothing(offset: int) -> None:
    """What an ``#include`` means to a text of its own."""


@define
class Preprocessor:
    """The macros known so far; ``active`` reads one text after the other, in the order of their inclusion.

    ``macros`` maps a name to what it stands for, None where that is not known or takes arguments.
    """

    macros: dict[str, str | None] = field(factory=dict)

    @classmethod
    def of(cls, macros: Mapping[str, str]) -> Preprocessor:
        """The preprocessor that begins with ``macros``."""
        return cls(dict(macros))

    def active(self, text: str, plain: str, include: Callable[[int], None] = _nothing) -> str:
        """Return ``text`` with what is never compiled as spaces. ``plain`` is the text without its comments.

        ``include`` is told the offset of every ``#include`` that may be compiled, before what follows it is read.
        """
        if "#" not in plain:
            return text
        pieces: list[str] = []
        done = 0
        stack: list[_Group] = []
        for match in _DIRECTIVE.finditer(plain):
            word, rest = match.group("word"), match.group("rest")
            was_kept = all(group.kept for group in stack)
            if word == "include":
                if was_kept:
                    include(match.start())
                continue
            if word in ("define", "undef"):
                if was_kept:
                    self._define(word, rest, certain=all(group.certain for group in stack))
                continue
            between = text[done : match.start()]
            pieces.append(between if was_kept else spaces(between))
            done = match.end()
            if word.startswith("if"):
                stack.append(_Group.opened(self._asked(word, rest) if was_kept else False))
            directive = text[match.start() : done]
            # Only a question that stays open is left for a reader to ask.
            asked = bool(stack) and stack[-1].open and all(group.kept for group in stack[:-1])
            pieces.append(directive if asked else spaces(directive))
            if word.startswith("if"):
                continue
            if stack and word.startswith("el"):
                outer = all(group.kept for group in stack[:-1])
                answer = True if word == "else" else self._asked(word.removeprefix("el"), rest) if outer else False
                stack[-1].next_arm(answer)
            elif stack:
                stack.pop()
        kept = all(group.kept for group in stack)
        pieces.append(text[done:] if kept else spaces(text[done:]))
        return "".join(pieces)

    def _define(self, word: str, rest: str, certain: bool) -> None:
        match = _NAME.match(rest)
        if match is None:
            return
        name = match.group("name")
        if word == "undef":
            if certain:
                self.macros.pop(name, None)
            return
        body = match.group("body").strip()
        known = certain and not match.group("call") and (name not in self.macros or self.macros[name] == body)
        self.macros[name] = body if known else None

    def _asked(self, word: str, rest: str) -> bool | None:
        """Return whether the question of a directive is true; None where that differs or is not known."""
        if word in ("ifdef", "ifndef"):
            names = _WORD.findall(rest)
            if not names or _GIVEN_BY_BUILD.fullmatch(names[0]):
                return None
            return (names[0] in self.macros) is (word == "ifdef")
        known: dict[str, int | None] = {}
        value = evaluate(
            _DEFINED.sub(self._is_defined, rest.replace("\\\n", " ")), lambda name: self._value(name, known)
        )
        return None if value is None else bool(value)

    def _is_defined(self, match: re.Match[str]) -> str:
        name = match.group(1) or match.group(2)
        return name if _GIVEN_BY_BUILD.fullmatch(name) else str(int(name in self.macros))

    def _value(self, name: str, known: dict[str, int | None], depth: int = 0) -> int | None:
        """Return a macro's value; ``known`` are those of the same question, each worked out once."""
        if name in known:
            return known[name]
        if _GIVEN_BY_BUILD.fullmatch(name) or depth > _MAX_DEPTH:
            return None
        if name not in self.macros:
            return 0
        body = self.macros[name]
        known[name] = None  # what is defined by itself has no value
        known[name] = None if body is None else evaluate(body, lambda inner: self._value(inner, known, depth + 1))
        return known[name]


@define
class _Group:
    """An ``#if`` up to its ``#endif``: whether the arm at hand is kept, and whether an earlier one surely was.

    ``certain`` says that the arm at hand surely is what it is, ``open`` that the ``#if`` itself could not be answered.
    """

    kept: bool
    taken: bool
    certain: bool
    open: bool

    @classmethod
    def opened(cls, asked: bool | None) -> _Group:
        return cls(asked is not False, asked is True, asked is not None, asked is None)

    def next_arm(self, asked: bool | None) -> None:
        self.kept = not self.taken and asked is not False
        self.certain = self.certain and asked is not None
        self.taken = self.taken or asked is True
