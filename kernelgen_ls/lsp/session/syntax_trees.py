"""The syntax tree of each open document, kept so that an edit costs only what it touched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kernelgen_ls.lsp.session.documents import Document

if TYPE_CHECKING:
    from kernelgen_ls.kernel.syntax import Source


MOST_CHARACTERS = 1_000_000
"""A longer document has no tree: parsing it would hold up every other request."""


class SyntaxTrees:
    """Trees by document; parsed when asked for, then incrementally."""

    def __init__(self) -> None:
        self._trees: dict[str, Source] = {}

    def of(self, document: Document) -> Source:
        """The tree of this version; that of an empty text for a document that is too long."""
        from kernelgen_ls.kernel.syntax import Source

        if len(document.text) > MOST_CHARACTERS:
            return Source.parse("")
        known = self._trees.get(document.uri)
        source = Source.parse(document.text) if known is None else known.with_text(document.text)
        self._trees[document.uri] = source
        return source

    def forget(self, document: Document) -> None:
        """A document was closed."""
        self._trees.pop(document.uri, None)
