"""didOpen, didChange, didSave, didClose: the documents themselves, then whoever follows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from kernelgen_ls.lsp.server import KernelServer


def register(server: KernelServer) -> None:
    """Register the synchronisation of documents."""
    session = server.session

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        document = session.documents.open(params.text_document)
        session.typing.opened(document)
        session.checks.opened(document)
        session.watch.opened(document)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: types.DidChangeTextDocumentParams) -> None:
        before = session.documents.get(params.text_document.uri)
        document = session.documents.change(params)
        if document is None or before is None:
            return
        session.typing.changed(before, document)
        session.checks.changed(before, document)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE, types.SaveOptions(include_text=False))
    def did_save(params: types.DidSaveTextDocumentParams) -> None:
        document = session.documents.get(params.text_document.uri)
        if document is not None:
            session.latencies.saved(document)
            session.checks.saved(document)
            session.records.saved(document)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        document = session.documents.close(params.text_document.uri)
        if document is not None:
            session.typing.closed(document)
            session.checks.closed(document)
            session.latencies.closed(document.uri)
            session.watch.closed(document)
            session.trees.forget(document)
