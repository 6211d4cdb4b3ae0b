"""textDocument/codeLens: what other features say above an entry function, in their order."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable

from lsprotocol import types

from kernelgen_ls.lsp.session.documents import Document
from kernelgen_ls.lsp.session.ports import OpenDocuments, Registrar

Lenses = Callable[[Document], Awaitable[Iterable[types.CodeLens]]]


def register(registrar: Registrar, documents: OpenDocuments, *features: Lenses) -> None:
    """Register the lenses."""

    @registrar.feature(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions())
    async def code_lens(params: types.CodeLensParams) -> list[types.CodeLens] | None:
        document = documents.get(params.text_document.uri)
        if document is None:
            return None
        return [lens for feature in features for lens in await feature(document)] or None
