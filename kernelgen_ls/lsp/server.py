"""The server: what is registered, and the loop it runs in."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from collections.abc import Callable
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInternalError
from pygls.lsp.server import LanguageServer

import kernelgen_ls
from kernelgen_ls.lsp.features import (
    code_actions,
    code_lens,
    commands,
    completion,
    configuration,
    documents,
    generation,
    hover,
    inline_completion,
    latency,
    lifecycle,
    signature_help,
    symbols,
    verification,
    watched_files,
)
from kernelgen_ls.lsp.session.ports import Registrar
from kernelgen_ls.lsp.transport.protocol import Protocol
from kernelgen_ls.lsp.transport.stdio import MessageReader, MessageWriter, take_descriptors
from kernelgen_ls.lsp.wiring import Session

logger = logging.getLogger(__name__)


class KernelServer(LanguageServer):
    """pygls' server with this project's protocol and one session."""

    protocol: Protocol

    def __init__(self, model_worker: tuple[str, ...] | None = None, log_level: str = "") -> None:
        """``model_worker`` is another command to run as the model's worker (tests and benchmarks).

        ``log_level`` goes before the setting of that name.
        """
        super().__init__(
            "kernelgen-ls",
            kernelgen_ls.__version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
            protocol_cls=Protocol,
        )
        self.session = Session(self.protocol, model_worker, log_level)
        self.ended: asyncio.Future[int] | None = None
        self.protocol.on_exit = self.end

    def end(self, code: int) -> None:
        """End the server with an exit code; the first one counts."""
        if self.ended is not None and not self.ended.done():
            self.ended.set_result(code)

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Errors of handlers go to the log: a request has its own answer, and a pop-up helps nobody."""
        if isinstance(error, JsonRpcException) and not isinstance(error, JsonRpcInternalError):
            logger.info("refused: %s", error)
            return
        logger.error("%s", getattr(source, "__name__", source), exc_info=error)


def create_server(model_worker: tuple[str, ...] | None = None, log_level: str = "") -> KernelServer:
    """A server with every feature registered, bound to no stream yet; the parameters are ``KernelServer``'s."""
    server = KernelServer(model_worker, log_level)
    register_features(server, server.session, server.end)
    return server


def register_features(registrar: Registrar, session: Session, end: Callable[[int], None]) -> None:
    """The table of contents: every feature with what it may touch; ``end`` ends the server with an exit code."""
    settings, docs, editor, trees = session.configuration, session.documents, session.editor, session.trees
    tasks, board = session.tasks, session.board
    typing, checks, watch = session.typing, session.checks, session.watch
    latencies, verifications = session.latencies, session.verifications

    lifecycle.register(registrar, editor, docs, settings, tasks, begin=session.begin, close=session.close, end=end)
    configuration.register(registrar, settings, editor, on_folders=checks.changed_outside)
    documents.register(
        registrar,
        docs,
        opened=(typing.opened, checks.opened, watch.opened),
        changed=(typing.changed, verifications.changed, checks.changed),
        saved=(latencies.saved, verifications.saved, checks.saved, session.records.saved),
        closed=(typing.closed, verifications.closed, checks.closed, latencies.closed, watch.closed, trees.forget),
    )
    watched_files.register(registrar, watch)
    inline_completion.register(registrar, settings, docs, typing)
    completion.register(registrar, settings, docs, editor, trees, typing)
    signature_help.register(registrar, settings, docs, editor, trees)
    hover.register(registrar, settings, docs, editor, trees, latencies, verifications)
    symbols.register(registrar, settings, docs, trees)
    code_actions.register(
        registrar,
        docs,
        editor,
        checks,
        more=generation.actions(settings, docs, editor, trees, verifications),
        on_rest=typing.rested,
    )
    generation.register(registrar, docs, editor, session.generating)
    latency.register(registrar, settings, docs, latencies, verifications)
    verification.register(registrar, docs, editor, verifications)
    code_lens.register(
        registrar,
        docs,
        latency.lenses(settings, docs, latencies),
        verification.lenses(settings, docs, verifications),
    )
    commands.register(registrar, docs, board, typing, checks)


def run_stdio(model_worker: tuple[str, ...] | None = None, log_level: str = "") -> int:
    """Serve one client over standard input and output; returns the process' exit code.

    ``log_level`` goes before the setting of that name.
    """
    stdin, stdout = take_descriptors()
    server = create_server(model_worker, log_level)
    writer = MessageWriter(stdout)
    server.protocol.set_writer(writer)
    try:
        return asyncio.run(_serve(server, stdin))
    finally:
        writer.close()


async def _serve(server: KernelServer, stdin: Any) -> int:
    loop = asyncio.get_running_loop()
    server.ended = loop.create_future()
    # A closed input without `exit` is a client that died: 1, as for `exit` without `shutdown`.
    MessageReader(stdin, server.protocol.feed, lambda: server.end(1)).start(loop)
    if sys.platform != "win32":
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            loop.add_signal_handler(number, server.end, 128 + number)
    code = await server.ended
    await server.session.close()
    return code
