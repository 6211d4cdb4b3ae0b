"""The entry functions of an open document: what is measured and run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kernelgen_ls.kernel.findings import Position
from kernelgen_ls.kernel.roles import Role
from kernelgen_ls.lsp.session.documents import Document
from kernelgen_ls.lsp.session.scope import role
from kernelgen_ls.lsp.session.syntax_trees import SyntaxTrees

if TYPE_CHECKING:
    from kernelgen_ls.work.readings import Entry


def entries(trees: SyntaxTrees, document: Document) -> tuple[Entry, ...]:
    """The entry functions of a document; none of what is no kernel on the disk."""
    if role(document) is not Role.KERNEL or not document.on_disk:
        return ()
    from kernelgen_ls.work.readings import Entry

    source = trees.of(document)
    return tuple(Entry(one.name, source.range(one.name_span)) for one in source.structure.entries)


def entry_at(trees: SyntaxTrees, document: Document, position: Position | None) -> Entry | None:
    """The entry function that holds ``position``, else the only one."""
    from kernelgen_ls.work.readings import Entry

    source = trees.of(document)
    functions = source.structure.entries
    if position is not None:
        offset = source.offset(position)
        for one in functions:
            if one.span.start <= offset <= one.span.end:
                return Entry(one.name, source.range(one.name_span))
    if len(functions) != 1:
        return None
    return Entry(functions[0].name, source.range(functions[0].name_span))
