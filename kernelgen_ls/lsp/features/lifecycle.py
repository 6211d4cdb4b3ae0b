"""initialize, initialized, shutdown: who the client is, and what starts and ends with it."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from lsprotocol import types

from kernelgen_ls.lsp.features.configuration import read_settings
from kernelgen_ls.lsp.session.client import choose_encoding, read_client
from kernelgen_ls.lsp.transport import parent

if TYPE_CHECKING:
    from kernelgen_ls.lsp.server import KernelServer


CLOSE_SECONDS = 5.0
"""How long the children may take to end; the rest of them ends with the server."""


def register(server: KernelServer) -> None:
    """Register the life of a session."""
    session = server.session

    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        session.client = read_client(params)
        session.documents.encoding = choose_encoding(params)
        if isinstance(params.initialization_options, dict):
            session.initial_editor_settings = session.editor_settings = params.initialization_options
        settings, session.settings_problems = read_settings(session)
        session.apply_settings(settings)
        if params.process_id is not None and parent.exists(params.process_id):
            session.spawn(parent.watch(params.process_id, lambda: server.end(1)), "parent watch")

    @server.feature(types.INITIALIZED)
    async def initialized(params: types.InitializedParams) -> None:
        session.status.open()
        await session.begin()

    @server.feature(types.SHUTDOWN)
    async def shutdown(params: None) -> None:
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(session.close(), CLOSE_SECONDS)
