"""Classes whose only constructor is defaulted, as C++20 takes them where braces set their members.

Until C++17 ``struct S { S() = default; int a; };`` may be written ``S{1}``; from C++20 on a declared constructor,
though it is the one that there is anyway, forbids that. Without its declaration the class is the same in both.
"""

from __future__ import annotations

import re

from kernelgen_ls.kernel.blank import strip_comments

_DEFAULTED = re.compile(r"(?<![~\w:.>])(?P<name>[A-Za-z_]\w*)\s*\(\s*(?:void)?\s*\)\s*(?:noexcept\s*)?=\s*default\s*;")
_BEFORE = re.compile(r"[;{}:]|^[ \t]*#[^\n]*$", re.MULTILINE)
"""What ends where a member's declaration starts."""
_OPENING, _CLOSING = "{", "}"


def without_defaulted_constructors(text: str) -> str:
    """``text`` without the declarations of defaulted constructors of classes that declare no other one.

    Lines stay where they are.
    """
    plain = strip_comments(text)
    for found in reversed(list(_DEFAULTED.finditer(plain))):
        if _is_only_one(plain, found["name"], found.start()):
            start = max((match.end() for match in _BEFORE.finditer(plain, 0, found.start())), default=0)
            text = text[:start] + re.sub(r"[^\n]", " ", text[start : found.end()]) + text[found.end() :]
    return text


def _is_only_one(text: str, name: str, place: int) -> bool:
    """Whether the class ``name`` around ``place`` names itself before a parenthesis there and nowhere else."""
    body = _body(text, name, place)
    return len(re.findall(rf"(?<![~\w]){name}\s*\(", body)) == 1


def _body(text: str, name: str, place: int) -> str:
    """What is between the braces of the class ``name`` around ``place``; "" where that is in no such class."""
    heads = list(re.finditer(rf"\b(?:struct|class)\s+{name}\b[^;{{}}()]*{{", text[:place]))
    if not heads:
        return ""
    depth = 1
    for at in range(heads[-1].end(), len(text)):
        depth += (text[at] == _OPENING) - (text[at] == _CLOSING)
        if depth == 0:
            return text[heads[-1].end() : at] if at > place else ""
    return ""
