"""textDocument/hover: the latency of an entry function, a page on an AscendC name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kernelgen_ls.kernel.roles import Role
from kernelgen_ls.lsp.session.scope import role

if TYPE_CHECKING:
    from kernelgen_ls.kernel.names import Identifier
    from kernelgen_ls.lsp.server import KernelServer
    from kernelgen_ls.lsp.session.documents import Document
    from kernelgen_ls.lsp.session.session import Session


def register(server: KernelServer) -> None:
    """Register hovers."""
    session = server.session

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(params: types.HoverParams) -> types.Hover | None:
        document = session.documents.get(params.text_document.uri)
        if document is None or role(document) not in (Role.KERNEL, Role.HOST):
            return None
        from kernelgen_ls.kernel.names import identifier_at

        position = document.from_client(params.position, session.documents.encoding)
        source = session.trees.of(document)
        name = identifier_at(source, position)
        if name is None:
            return None
        page = await _latency_page(session, document, name) or _api_page(name.name, enabled=session.settings.api.hover)
        if not page:
            return None
        kind = types.MarkupKind.Markdown if session.client.markdown else types.MarkupKind.PlainText
        return types.Hover(
            contents=types.MarkupContent(kind=kind, value=page),
            range=document.range_to_client(name.range, session.documents.encoding),
        )


async def _latency_page(session: Session, document: Document, name: Identifier) -> str:
    if not session.settings.latency.hover or role(document) is not Role.KERNEL:
        return ""
    if all(entry.range != name.range for entry in session.latencies.entries(document)):
        return ""
    from kernelgen_ls.report.latency_page import page

    images = session.client.name.startswith("Visual Studio Code")
    for reading in await session.latencies.readings(document):
        if reading.entry.range == name.range:
            return page(reading, images=images)
    return ""


def _api_page(name: str, *, enabled: bool) -> str | None:
    if not enabled:
        return None
    from kernelgen_ls.kernel import api

    entry = api.lookup(name)
    return api.page(entry) if entry is not None else None
