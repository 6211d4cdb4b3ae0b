"""What of a kernel nobody can judge: the statements that name something of a header, or of the interface, not at hand.

A name is known where our declarations or the project's own files declare it. What is declared in terms of an unknown
name is unknown itself: a variable of an unknown type, a function that takes one, a class derived from one. Names are
followed by their spelling, over the whole of the files, so two variables of one name share their fate: that silences
a little more than it must, and never less.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from attrs import define, field, frozen

from kernelgen_ls.kernel.blank import strip_comments
from kernelgen_ls.runner.toolchains.embedded.names import spelled
from kernelgen_ls.runner.toolchains.source_tree import SourceText

_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(?P<word>\w*)(?P<rest>(?:[^\\\n]|\\[^\n]|\\\n)*)", re.MULTILINE)
_LITERAL = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'')
_PIECE = re.compile(r"[^;{}]+")
_TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.']*|::|->|[^\s\w]")
_NAME = re.compile(r"[A-Za-z_]\w*")
_NOT_NEWLINE = re.compile(r"[^\n]")

_KEYWORDS = frozenset(
    """
    alignas alignof asm auto bool break case catch char char16_t char32_t class const const_cast constexpr
    continue decltype default delete do double dynamic_cast else enum explicit export extern false final float
    for friend goto if inline int long mutable namespace new noexcept nullptr operator override private
    protected public register reinterpret_cast return short signed sizeof static static_assert static_cast
    struct switch template this thread_local throw true try typedef typeid typename union unsigned using virtual
    void volatile wchar_t while __attribute__ __VA_ARGS__ __VA_OPT__ __FILE__ __LINE__ __func__ __FUNCTION__
    __PRETTY_FUNCTION__ _Float16 __bf16 __restrict __restrict__ __inline__ __builtin_expect half
    """.split()  # noqa: SIM905  # a list of these words would read as a table of element types
)
_NOT_A_TYPE = frozenset(
    (
        *("return", "else", "case", "goto", "throw", "new", "delete", "sizeof", "if", "while", "for", "switch", "do"),
        *("using", "namespace", "operator"),
    )
)
_INTRODUCES = frozenset(("class", "struct", "enum", "union", "namespace", "using", "typename"))
_AFTER_A_NAME = frozenset(("", "=", ",", ")", "(", "[", ":", ">"))


@frozen
class Statement:
    """A piece of a file between ``;``, ``{`` and ``}``, or a ``#define``.

    Lines are zero-based, both included; ``declares`` are the names that it seems to declare, ``mentions`` those that
    it may declare besides.
    """

    first: int
    last: int
    words: frozenset[str]
    declares: frozenset[str]
    mentions: frozenset[str]


@define(eq=False)
class Unknown:
    """The statements of ``sources`` that name something unknown.

    ``seeds`` are names that are known to be missing. ``everything``: a header is missing, so whatever is declared
    nowhere at hand may be its; ``given`` are names that are known besides.
    """

    sources: Sequence[SourceText]
    seeds: Iterable[str]
    everything: bool
    given: Iterable[str] = ()
    _names: set[str] = field(factory=set, init=False)
    _known: frozenset[str] = field(default=frozenset(), init=False)
    _unjudged: dict[str, list[Statement]] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self._names = set(self.seeds)
        by_path = {source.path: statements(source.prepared) for source in self.sources}
        if self.everything:
            mentioned = (one.mentions | one.declares for found in by_path.values() for one in found)
            self._known = frozenset().union(_interface(), _KEYWORDS, self.given, *mentioned)
        self._spread(by_path)

    def _spread(self, by_path: dict[str, tuple[Statement, ...]]) -> None:
        """Find the unjudged statements; each makes what it declares unknown, until nothing more becomes so."""
        waiting = {path: list(found) for path, found in by_path.items()}
        grown = True
        while grown:
            grown = False
            for path, found in waiting.items():
                judged = []
                for one in found:
                    if not self.names(one.words):
                        judged.append(one)
                        continue
                    self._unjudged.setdefault(path, []).append(one)
                    grown = grown or not one.declares <= self._names
                    self._names |= one.declares
                waiting[path] = judged

    def names(self, words: Iterable[str]) -> bool:
        """Whether one of some words is unknown."""
        found = frozenset(words)
        return not found.isdisjoint(self._names) or (self.everything and not found <= self._known)

    def says(self, text: str) -> bool:
        """Whether a text, as of a message's, names something unknown."""
        return self.names(_NAME.findall(text))

    def at(self, path: str, line: int) -> bool:
        """Whether something unknown is named in what stands on a zero-based line of a file."""
        return any(one.first <= line <= one.last for one in self._unjudged.get(path, ()))

    def lines(self, path: str) -> Iterator[int]:
        """The zero-based lines of a file that could not be judged."""
        for one in self._unjudged.get(path, ()):
            yield from range(one.first, one.last + 1)


@lru_cache(256)
def statements(text: str) -> tuple[Statement, ...]:
    """The statements of a C++ text, in order; none for a text without code."""
    code = _LITERAL.sub(lambda match: '"' + " " * (len(match.group()) - 2) + '"', strip_comments(text))
    starts = [0, *(match.end() for match in re.finditer("\n", code))]
    found = [
        _definition(match.group("rest"), *_lines(starts, match.start(), match.end()))
        for match in _DIRECTIVE.finditer(code)
        if match.group("word") == "define"
    ]
    plain = _DIRECTIVE.sub(lambda match: _NOT_NEWLINE.sub(" ", match.group()), code)
    enumerators = False
    for match in _PIECE.finditer(plain):
        piece = match.group()
        kept = piece.strip()
        if kept:
            begin = match.start() + len(piece) - len(piece.lstrip())
            tokens = _TOKEN.findall(kept)
            lines = _lines(starts, begin, begin + len(kept))
            found.append(_enumerators(tokens, *lines) if enumerators else _statement(tokens, *lines))
            enumerators = "enum" in tokens and plain[match.end() : match.end() + 1] == "{"
    return tuple(found)


@lru_cache(256)
def code_lines(text: str) -> frozenset[int]:
    """The zero-based lines of a text that hold more than comments and blanks."""
    return frozenset(number for number, line in enumerate(strip_comments(text).split("\n")) if line.strip())


def _lines(starts: list[int], begin: int, end: int) -> tuple[int, int]:
    return bisect_right(starts, begin) - 1, bisect_right(starts, max(end - 1, begin)) - 1


def _statement(tokens: list[str], first: int, last: int) -> Statement:
    words = frozenset(filter(str.isidentifier, tokens))
    declares: set[str] = set()
    mentions: set[str] = set()
    for before, token, after in zip(["", *tokens], tokens, [*tokens[1:], ""], strict=False):
        if before in _INTRODUCES:
            names = declares
        elif after not in _AFTER_A_NAME:
            continue
        elif _may_end_a_type(before):
            names = declares
        elif before in (",", "[", "("):
            names = mentions
        else:
            continue
        if token.isidentifier() and token not in _KEYWORDS:
            names.add(token)
    return Statement(first, last, words, frozenset(declares), frozenset(mentions))


def _may_end_a_type(token: str) -> bool:
    return token in (">", "*", "&", "]") or (token.isidentifier() and token not in _NOT_A_TYPE)


def _enumerators(tokens: list[str], first: int, last: int) -> Statement:
    words = frozenset(filter(str.isidentifier, tokens))
    names = (token for before, token in zip([",", *tokens], tokens, strict=False) if before == ",")
    return Statement(first, last, words, frozenset(names) & words, frozenset())


def _definition(rest: str, first: int, last: int) -> Statement:
    """A macro: its parameters are known in it, the words of its body are what it names."""
    tokens = _TOKEN.findall(rest)
    words = frozenset(filter(str.isidentifier, tokens))
    parameters: frozenset[str] = frozenset()
    if tokens[1:2] == ["("] and ")" in tokens and re.match(r"\s*\w+\(", rest):
        parameters = frozenset(tokens[2 : tokens.index(")")])
    return Statement(first, last, words - parameters, frozenset(tokens[:1]) & words, frozenset())


@lru_cache(1)
def _interface() -> frozenset[str]:
    return frozenset(spelled())
