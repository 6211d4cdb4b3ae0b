"""A generated text over what a file holds already: its line ends stay, and what its comments ask for."""

from __future__ import annotations

from kernelgen_ls.kernel.spec.kept import with_comments
from kernelgen_ls.workspace.encodings import with_line_ends_of


def written_over(old: str, new: str, *, comments: bool, specification: bool = False) -> str:
    """``new`` as the content of a file that holds ``old``: with its line ends and, if asked, what its comments say.

    ``specification`` tells that the file holds nothing but a comment yet.
    """
    text = new.replace("\r\n", "\n")
    if comments:
        text = with_comments(old.replace("\r\n", "\n"), text, specification=specification)
    return with_line_ends_of(text, old)
