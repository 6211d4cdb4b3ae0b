"""Text that a C++ parser can read: what AscendC adds to C++ becomes spaces, and every column stays where it was.

Two constructs of AscendC are not C++ at all: the attribute ``[aicore]`` (also ``[host, aicore]``) and the launch
configuration ``<<<blocks, l2, stream>>>``. ``blank`` removes them for a real C++ front end, which gets the qualifiers
(``__aicore__``, ``__gm__``) as macros. ``blank_for_syntax`` also turns the qualifiers into C++ words of the same
length and every character beyond ASCII into one ASCII character, so that a byte offset of the result is an index of
the original ``str``.
"""

from __future__ import annotations

import re
from functools import lru_cache

_COMMENT_OR_LITERAL = re.compile(
    r"""//[^\n]* | /\*.*?(?:\*/|\Z) | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'""",
    re.VERBOSE | re.DOTALL,
)
_NOT_CPP = re.compile(r"\[\s*(?P<host>host\s*,\s*)?aicore\s*\]|<<<")
_STRING = re.compile(r'"(?:\\.|[^"\\\n])*"')
_NOT_NEWLINE = re.compile(r"[^\n]")
_WITH_ARGUMENTS = re.compile(
    r"\b(?:__(?:mix|schedmode|launch_bounds|attribute)__|LAUNCH_BOUND)\s*(?:\((?:[^()]|\([^()]*\))*\))?"
)
_TAKE_ARGUMENTS = ("__mix__", "__schedmode__", "__attribute__", "__launch_bounds__", "LAUNCH_BOUND")
_CORE_CONDITION = re.compile(r"(?<=if) ASCEND_IS_AI[CV](?=\s*\{)")
"""``if ASCEND_IS_AIC {``: the macro brings the brackets."""
_NEEDLESS_TEMPLATE = re.compile(r"(?:\.|->)\s*template\s+\w+\s*\(")
"""``queue.template EnQue(x)``, which compilers take and the grammar does not."""
_BEYOND_ASCII = re.compile(r"[^\x01-\x7f]")

DEVICE_ATTRIBUTE = "__aic__"
BOTH_ATTRIBUTE = "__haic__"
"""Macros as long as the attribute allows that a front end may define: a function of the device, or of both sides."""

_CPP_WORDS = tuple(
    (word, cpp.ljust(len(word)))
    for cpp, words in (
        ("static", ("__global__",)),
        (
            "inline",
            (
                "__aicore__",
                "__forceinline__",
                "__inline__",
                "__host_aicore__",
                "__simd_vf__",
                "__simt_vf__",
                "__simd_callee__",
                "__simt_callee__",
                "__force_inline__",
                "__host__",
            ),
        ),
        (
            "const",
            (
                "__gm__",
                "__ubuf__",
                "__cbuf__",
                "__ca__",
                "__cb__",
                "__cc__",
                "__fbuf__",
                "__biasbuf__",
                "__tiling_data_ptr__",
                "__ssbuf__",
                "__local_mem__",
            ),
        ),
        (
            "",
            (
                "__vector__",
                "__cube__",
                "__restrict__",
                "__restrict",
                "__sync_noalias__",
                "__VEC_SCOPE__",
                "__BLOCK_LOCAL__",
                "__kfc_workspace__",
            ),
        ),
    )
    for word in words
)
"""What each qualifier becomes for the grammar; literal replacement, for this runs on every keystroke."""


def spaces(text: str) -> str:
    """Return ``text`` with every character but the newlines replaced by a space."""
    return _NOT_NEWLINE.sub(" ", text)


def blank(text: str, attributes: bool = False) -> str:
    """Return ``text`` with ``[aicore]`` and ``<<<...>>>`` as spaces; the same length, lines and columns.

    With ``attributes``, ``[aicore]`` becomes DEVICE_ATTRIBUTE and ``[host, aicore]`` BOTH_ATTRIBUTE instead. Comments
    and literals are left alone. A launch whose ``>>>`` is missing is left as it is, for the parser to report.
    """
    if "<<<" not in text and "aicore]" not in text and "aicore " not in text:
        return text
    pieces: list[str] = []
    done = 0
    for match in _NOT_CPP.finditer(text):
        if match.start() < done or _in_comment_or_string(text, match.start()):
            continue
        end = match.end()
        if match.group() == "<<<":
            end = _launch_end(text, end)
            if end < 0:
                continue
        pieces.append(text[done : match.start()])
        removed = spaces(text[match.start() : end])
        if attributes and match.group() != "<<<" and not text[match.start() - 1 : match.start()].isalnum():
            word = BOTH_ATTRIBUTE if match.group("host") else DEVICE_ATTRIBUTE
            removed = word + removed[len(word) :] if "\n" not in removed[: len(word)] else removed
        pieces.append(removed)
        done = end
    pieces.append(text[done:])
    return "".join(pieces)


def blank_for_syntax(text: str) -> str:
    """Return an ASCII text of the same length in which AscendC's qualifiers are C++ words; see the module.

    ``__global__`` becomes ``static``, function qualifiers ``inline``, address spaces ``const``, the rest spaces; what
    compilers take beyond the grammar becomes what it takes, too.
    """
    plain = blank(text)
    for word, cpp in _CPP_WORDS:
        plain = plain.replace(word, cpp)
    if any(word in plain for word in _TAKE_ARGUMENTS):
        plain = _WITH_ARGUMENTS.sub(lambda match: spaces(match.group()), plain)
    if "ASCEND_IS_A" in plain:
        plain = _CORE_CONDITION.sub(lambda match: f"({match.group()[1:-1]})", plain)
    if "template" in plain:
        plain = _NEEDLESS_TEMPLATE.sub(lambda match: match.group().replace("template", " " * 8), plain)
    return _BEYOND_ASCII.sub("_", plain) if not plain.isascii() or "\0" in plain else plain


@lru_cache(maxsize=8)
def strip_comments(text: str) -> str:
    """Return ``text`` with comments as spaces, so that offsets stay; literals are kept."""
    if "//" not in text and "/*" not in text:
        return text

    def replace(match: re.Match[str]) -> str:
        found = match.group()
        return spaces(found) if found.startswith("/") else found

    return _COMMENT_OR_LITERAL.sub(replace, text)


def _in_comment_or_string(text: str, offset: int) -> bool:
    """Return whether ``offset`` stands in a comment or a string, looking only at what can decide it."""
    line_start = text.rfind("\n", 0, offset) + 1
    before = _STRING.sub("", text[line_start:offset])
    if "//" in before or before.count('"') % 2:
        return True
    opened = text.rfind("/*", 0, offset)
    if opened < 0 or text.find("*/", opened + 2, offset) >= 0:
        return False
    return "//" not in text[text.rfind("\n", 0, opened) + 1 : opened]


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
