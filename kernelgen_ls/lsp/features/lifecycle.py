"""initialize, initialized, shutdown: who the client is, and what starts and ends with it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from lsprotocol import types

from kernelgen_ls.lsp.session.client import choose_encoding, read_client
from kernelgen_ls.lsp.session.configuration import Configuration
from kernelgen_ls.lsp.session.documents import Documents
from kernelgen_ls.lsp.session.editor import Editor
from kernelgen_ls.lsp.session.ports import Background, Registrar
from kernelgen_ls.lsp.transport import parent


def register(
    registrar: Registrar,
    editor: Editor,
    documents: Documents,
    configuration: Configuration,
    tasks: Background,
    *,
    begin: Callable[[], Awaitable[None]],
    close: Callable[[], Awaitable[None]],
    end: Callable[[int], None],
) -> None:
    """Register the life of a session: it begins with ``begin`` and closes with ``close``; ``end`` ends the server."""

    @registrar.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        editor.client = read_client(params)
        documents.encoding = choose_encoding(params)
        configuration.start(params.initialization_options)
        if params.process_id is not None and parent.exists(params.process_id):
            tasks.spawn(parent.watch(params.process_id, lambda: end(1)), "parent watch")

    @registrar.feature(types.INITIALIZED)
    async def initialized(params: types.InitializedParams) -> None:
        await begin()

    @registrar.feature(types.SHUTDOWN)
    async def shutdown(params: None) -> None:
        await close()
