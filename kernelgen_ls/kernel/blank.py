"""Text that a C++ parser can read: what AscendC adds to C++ becomes spaces, and every column stays where it was.

Two constructs of AscendC are not C++ at all: the attribute ``[aicore]`` (also ``[host, aicore]``) and the launch
configuration ``<<<blocks, l2, stream>>>``. ``blank`` removes them for a real C++ front end, which gets the qualifiers
(``__aicore__``, ``__gm__``) as macros. ``blank_for_syntax`` also turns the qualifiers into C++ words of the same
length and every character beyond ASCII into one ASCII character, so that a byte offset of the result is an index of
the original ``str``.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"""
      (?P<skip> //[^\n]* | /\*.*?(?:\*/|\Z) | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' )
    | (?P<attribute> \[\s*(?:host\s*,\s*)?aicore\s*\] )
    | (?P<launch> <<< )
    """,
    re.VERBOSE | re.DOTALL,
)
_NOT_NEWLINE = re.compile(r"[^\n]")
_QUALIFIER = re.compile(r"\b__[a-z_0-9]+?__\b(?:\s*\([\d\s,]*\))?")
_BEYOND_ASCII = re.compile(r"[^\x01-\x7f]")

_AS_STATIC = frozenset({"__global__"})
_AS_INLINE = frozenset(
    {"__aicore__", "__forceinline__", "__inline__", "__host_aicore__", "__simd_vf__", "__simt_vf__", "__simd_callee__"}
)
_AS_CONST = frozenset(
    {"__gm__", "__ubuf__", "__cbuf__", "__ca__", "__cb__", "__cc__", "__fbuf__", "__biasbuf__", "__ssbuf__"}
)
_AS_SPACE = frozenset({"__vector__", "__cube__", "__mix__", "__restrict__", "__schedmode__", "__sync_noalias__"})


def spaces(text: str) -> str:
    """Return ``text`` with every character but the newlines replaced by a space."""
    return _NOT_NEWLINE.sub(" ", text)


def blank(text: str) -> str:
    """Return ``text`` with ``[aicore]`` and ``<<<...>>>`` as spaces; the same length, lines and columns.

    Comments and literals are left alone. A launch whose ``>>>`` is missing is left as it is, for the parser to report.
    """
    if "<<<" not in text and "aicore]" not in text and "aicore " not in text:
        return text
    pieces: list[str] = []
    done = 0
    for match in _TOKEN.finditer(text):
        if match.start() < done or match.group("skip"):
            continue
        end = match.end()
        if match.group("launch"):
            end = _launch_end(text, match.end())
            if end < 0:
                continue
        pieces.append(text[done : match.start()])
        pieces.append(spaces(text[match.start() : end]))
        done = end
    pieces.append(text[done:])
    return "".join(pieces)


def blank_for_syntax(text: str) -> str:
    """Return an ASCII text of the same length in which AscendC's qualifiers are C++ words; see the module.

    ``__global__`` becomes ``static``, function qualifiers ``inline``, address spaces ``const``, the rest spaces.
    """
    plain = _QUALIFIER.sub(_as_cpp_word, blank(text))
    return _BEYOND_ASCII.sub("_", plain) if not plain.isascii() or "\0" in plain else plain


def strip_comments(text: str) -> str:
    """Return ``text`` with comments as spaces, so that offsets stay; literals are kept."""
    if "//" not in text and "/*" not in text:
        return text

    def replace(match: re.Match[str]) -> str:
        found = match.group()
        return spaces(found) if found.startswith("/") else found

    return _TOKEN.sub(replace, text)


def _launch_end(text: str, start: int) -> int:
    """Return the offset after the ``>>>`` that closes a launch whose arguments begin at ``start``, or -1."""
    depth = 0
    for index in range(start, len(text)):
        character = text[index]
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
            if depth < 0:
                return -1
        elif character == ";":
            return -1
        elif depth == 0 and text.startswith(">>>", index):
            return index + 3
    return -1


def _as_cpp_word(match: re.Match[str]) -> str:
    found = match.group()
    name = found.split("(")[0].rstrip()
    rest = spaces(found[len(name) :]) if name in _AS_SPACE else found[len(name) :]
    if name in _AS_STATIC:
        return "static".ljust(len(name)) + rest
    if name in _AS_INLINE:
        return "inline".ljust(len(name)) + rest
    if name in _AS_CONST:
        return "const".ljust(len(name)) + rest
    if name in _AS_SPACE:
        return " " * len(name) + rest
    return found
