"""The server: what is registered, and the loop it runs in."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from contextlib import suppress
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInternalError
from pygls.lsp.server import LanguageServer

import kernelgen_ls
from kernelgen_ls.lsp.features import (
    code_actions,
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
    watched_files,
)
from kernelgen_ls.lsp.session.session import Session
from kernelgen_ls.lsp.transport.protocol import Protocol
from kernelgen_ls.lsp.transport.stdio import MessageReader, MessageWriter, take_descriptors

logger = logging.getLogger(__name__)

CLOSE_SECONDS = 5.0
"""What the children may take to end before the server ends without waiting for them."""

FEATURES = (
    lifecycle,
    configuration,
    documents,
    inline_completion,
    symbols,
    code_actions,
    commands,
    generation,
    latency,
    hover,
    completion,
    signature_help,
    watched_files,
)


class KernelServer(LanguageServer):
    """pygls' server with this project's protocol and one session."""

    protocol: Protocol

    def __init__(self, model_worker: tuple[str, ...] | None = None) -> None:
        """``model_worker`` is another command to run as the model's worker (tests and benchmarks)."""
        super().__init__(
            "kernelgen-ls",
            kernelgen_ls.__version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
            protocol_cls=Protocol,
        )
        self.model_worker = model_worker
        self.session = Session(self)
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


def create_server(model_worker: tuple[str, ...] | None = None) -> KernelServer:
    """A server with every feature registered, bound to no stream yet."""
    server = KernelServer(model_worker)
    for feature in FEATURES:
        feature.register(server)
    return server


def run_stdio(model_worker: tuple[str, ...] | None = None, log_level: str = "") -> int:
    """Serve one client over standard input and output; returns the process' exit code.

    ``log_level`` goes before the setting of that name.
    """
    stdin, stdout = take_descriptors()
    server = create_server(model_worker)
    server.session.log_level = log_level
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
    with suppress(asyncio.TimeoutError):
        await asyncio.wait_for(server.session.close(), CLOSE_SECONDS)
    return code
