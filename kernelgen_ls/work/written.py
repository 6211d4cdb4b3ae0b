"""A generated text over what a file holds already: its line ends stay, and what its comments ask for."""

from __future__ import annotations

import re

from kernelgen_ls.kernel.spec.comment import comment_at
from kernelgen_ls.kernel.syntax import Source
from kernelgen_ls.workspace.encodings import with_line_ends_of

_COMMENT = re.compile(r"\s*(?:(?://[^\n]*|/\*.*?\*/)\s*)+", re.DOTALL)


def written_over(old: str, new: str, *, comments: bool, specification: bool = False) -> str:
    """``new`` as the content of a file that holds ``old``: with its line ends and, if asked, what its comments say.

    ``specification`` tells that the file holds nothing but a comment yet.
    """
    text = new.replace("\r\n", "\n")
    if comments:
        text = with_comments(old.replace("\r\n", "\n"), text, specification=specification)
    return with_line_ends_of(text, old)


def with_comments(old: str, new: str, *, specification: bool = False) -> str:
    """``new`` with what ``old`` says in comments: at its beginning, and above the same entry functions."""
    was = Source.parse(old)
    specified = {}
    for entry in was.structure.entries:
        if found := comment_at(was, was.range(entry.name_span).start):
            specified[entry.name] = found[0].strip()
    for entry in reversed(Source.parse(new).structure.entries):
        comment = specified.get(entry.name, "")
        if comment not in new:
            new = f"{new[: entry.span.start]}{comment}\n{new[entry.span.start :]}"
    return with_leading_comment(old, new, specification=specification)


def with_leading_comment(old: str, new: str, *, specification: bool = False) -> str:
    """``new`` below the comment that ``old`` begins with: a specification is not lost to what it asked for."""
    match = _COMMENT.match(old)
    comment = match.group().strip() if match else ""
    if not comment or comment in new:
        return new
    return f"{old.rstrip()}\n{new}" if specification else f"{comment}\n{new}"
