"""A generated text over what a file holds already: its line ends stay, and what its comments ask for."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from kernelgen_ls.kernel.roles import has_entry
from kernelgen_ls.kernel.spec.kept import with_comments, with_verdict, without_verdict
from kernelgen_ls.model.prompts.task import GeneratedFile
from kernelgen_ls.workspace.encodings import with_line_ends_of


def written_over(old: str, new: str, *, comments: bool, specification: bool = False) -> str:
    """``new`` as the content of a file that holds ``old``: with its line ends and, if asked, what its comments say.

    ``specification`` tells that the file holds nothing but a comment yet.
    """
    text = new.replace("\r\n", "\n")
    if comments:
        text = with_comments(old.replace("\r\n", "\n"), text, specification=specification)
    return with_line_ends_of(text, old)


def with_verdicts(files: Sequence[GeneratedFile], said: str, *, mended: bool = False) -> tuple[GeneratedFile, ...]:
    """The files with what is known of the kernel at the head of its file: a specification there promises nothing.

    A file that was ``mended`` is the user's own: it only says something else where it says something already.
    """
    return tuple(
        evolve(file, text=with_verdict(file.text, said))
        if has_entry(file.text) and not (mended and without_verdict(file.text) == file.text)
        else file
        for file in files
    )
