"""A text that takes another's place keeps what the other says in comments: no specification is lost to its kernel."""

from __future__ import annotations

import re

from kernelgen_ls.kernel.spec.comment import AS_GENERATED, comment_at
from kernelgen_ls.kernel.syntax import Source

_VERDICT = re.compile(rf"^[ \t]*// {AS_GENERATED}[^\n]*\n?", re.MULTILINE)
_COMMENT = re.compile(r"\s*(?:(?://[^\n]*|/\*.*?\*/)\s*)+", re.DOTALL)


def with_verdict(text: str, said: str) -> str:
    """``text`` that begins with what was known of it when it was generated, and nowhere says that of an older one."""
    line = " ".join(said.split()).rstrip("\\")
    return f"// {AS_GENERATED}{line}\n{without_verdict(text)}"


def without_verdict(text: str) -> str:
    """``text`` without the line that says what was known of it when it was generated."""
    return _VERDICT.sub("", text)


def with_comments(was: str, text: str, *, specification: bool = False) -> str:
    """``text`` with what ``was`` says in comments: at its beginning, and above the same entry functions.

    ``specification``: ``was`` is nothing but a specification, which is kept whole.
    """
    was = without_verdict(was)
    before = Source.parse(was)
    specified = {}
    for entry in before.structure.entries:
        if found := comment_at(before, before.range(entry.name_span).start):
            specified[entry.name] = found[0].strip()
    for entry in reversed(Source.parse(text).structure.entries):
        comment = specified.get(entry.name, "")
        if comment not in text:
            text = f"{text[: entry.span.start]}{comment}\n{text[entry.span.start :]}"
    return _with_leading_comment(was, text, specification=specification)


def _with_leading_comment(was: str, text: str, *, specification: bool) -> str:
    match = _COMMENT.match(was)
    comment = match.group().strip() if match else ""
    if not comment or comment in text:
        return text
    return f"{was.rstrip()}\n{text}" if specification else f"{comment}\n{text}"
