"""textDocument/hover: an entry function's verdict and latency, a page on an AscendC name."""

from __future__ import annotations

from lsprotocol import types

from kernelgen_ls.kernel.findings import Range
from kernelgen_ls.kernel.roles import Role
from kernelgen_ls.lsp.following.latency import Latencies
from kernelgen_ls.lsp.following.verifications import Verifications
from kernelgen_ls.lsp.session.documents import Document
from kernelgen_ls.lsp.session.ports import KnowsClient, OpenDocuments, Registrar, SettingsInForce
from kernelgen_ls.lsp.session.scope import role
from kernelgen_ls.lsp.session.syntax_trees import SyntaxTrees


def register(
    registrar: Registrar,
    settings: SettingsInForce,
    documents: OpenDocuments,
    editor: KnowsClient,
    trees: SyntaxTrees,
    latencies: Latencies,
    verifications: Verifications,
) -> None:
    """Register hovers."""

    @registrar.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(params: types.HoverParams) -> types.Hover | None:
        document = documents.get(params.text_document.uri)
        if document is None or role(document) not in (Role.KERNEL, Role.HOST):
            return None
        from kernelgen_ls.kernel.names import identifier_at

        position = document.from_client(params.position, documents.encoding)
        name = identifier_at(trees.of(document), position)
        if name is None:
            return None
        pages = [_verdict_page(verifications, document, name.range)]
        if settings.now.latency.hover:
            pages.append(await _latency_page(latencies, document, name.range, images=editor.client.shows_images))
        page = "\n\n".join(filter(None, pages))
        if not page and settings.now.api.hover:
            page = _api_page(name.name)
        if not page:
            return None
        return types.Hover(
            contents=types.MarkupContent(kind=editor.client.markup, value=page),
            range=document.range_to_client(name.range, documents.encoding),
        )


def _verdict_page(verifications: Verifications, document: Document, name: Range) -> str:
    """What a run of the entry function whose name stands at ``name`` came to; empty for anything else."""
    entry = next((one for one in verifications.entries.of(document) if one.range == name), None)
    result = verifications.of(document, entry.name) if entry is not None else None
    if entry is None or result is None:
        return ""
    from kernelgen_ls.report.verification import verification_page

    return verification_page(result, entry.name)


async def _latency_page(latencies: Latencies, document: Document, name: Range, *, images: bool) -> str:
    """The page on the entry function whose name stands at ``name``; empty for anything else."""
    if all(entry.range != name for entry in latencies.entries.of(document)):
        return ""
    from kernelgen_ls.report.latency_page import page

    for reading in await latencies.readings(document):
        if reading.entry.range == name:
            return page(reading, images=images)
    return ""


def _api_page(name: str) -> str:
    from kernelgen_ls.kernel import api

    entry = api.lookup(name)
    return api.page(entry) if entry is not None else ""
