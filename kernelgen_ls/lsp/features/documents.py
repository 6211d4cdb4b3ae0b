"""didOpen, didChange, didSave, didClose: the documents themselves, then whoever follows them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from lsprotocol import types

from kernelgen_ls.lsp.session.documents import Document, Documents
from kernelgen_ls.lsp.session.ports import Registrar

Follower = Callable[[Document], None]
Edited = Callable[[Document, Document], None]
"""Gets the version before an edit and the one after it."""


def register(
    registrar: Registrar,
    documents: Documents,
    *,
    opened: Iterable[Follower],
    changed: Iterable[Edited],
    saved: Iterable[Follower],
    closed: Iterable[Follower],
) -> None:
    """Register the synchronisation of documents, and who is told of it, in this order."""

    @registrar.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        _tell(opened, documents.open(params.text_document))

    @registrar.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: types.DidChangeTextDocumentParams) -> None:
        before = documents.get(params.text_document.uri)
        document = documents.change(params)
        if document is None or before is None:
            return
        for follower in changed:
            follower(before, document)

    @registrar.feature(types.TEXT_DOCUMENT_DID_SAVE, types.SaveOptions(include_text=False))
    def did_save(params: types.DidSaveTextDocumentParams) -> None:
        _tell(saved, documents.get(params.text_document.uri))

    @registrar.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        _tell(closed, documents.close(params.text_document.uri))


def _tell(followers: Iterable[Follower], document: Document | None) -> None:
    if document is not None:
        for follower in followers:
            follower(document)
