"""One client's session: its parts put together, each with what it needs of the others."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from importlib import import_module
from typing import Any

from kernelgen_ls.lsp.following.checks import Checks
from kernelgen_ls.lsp.following.generating import Generating
from kernelgen_ls.lsp.following.generation_model import GenerationModel
from kernelgen_ls.lsp.following.generation_records import GenerationRecords
from kernelgen_ls.lsp.following.latency import Latencies
from kernelgen_ls.lsp.following.published import Published
from kernelgen_ls.lsp.following.remote_runners import RemoteRunners
from kernelgen_ls.lsp.following.typing_model import TypingModel
from kernelgen_ls.lsp.following.verifications import Verifications
from kernelgen_ls.lsp.following.watch import FileWatch
from kernelgen_ls.lsp.session.configuration import Configuration
from kernelgen_ls.lsp.session.documents import Documents
from kernelgen_ls.lsp.session.editor import Editor
from kernelgen_ls.lsp.session.entries import EntryFunctions
from kernelgen_ls.lsp.session.status import StatusBoard
from kernelgen_ls.lsp.session.syntax_trees import SyntaxTrees
from kernelgen_ls.lsp.session.tasks import Tasks
from kernelgen_ls.lsp.transport.protocol import Protocol

logger = logging.getLogger(__name__)

STATUS = "kernelgen/status"
CLOSE_SECONDS = 5.0
"""What the children may take to end before the server ends without waiting for them."""


class Session:
    """What lives longer than a request, from ``initialize`` to ``exit``. Nobody but the server holds it whole."""

    def __init__(self, protocol: Protocol, model_worker: tuple[str, ...] | None = None, log_level: str = "") -> None:
        """``model_worker`` is another command to run as the model's worker, ``log_level`` goes before the setting."""
        self.documents = documents = Documents()
        self.trees = SyntaxTrees()
        self.tasks = tasks = Tasks()
        self.editor = editor = Editor(protocol)
        self.configuration = settings = Configuration(editor, log_level)
        self.board = board = StatusBoard(self._send_status)
        settings.on_change(lambda _, new: board.settings_changed(new))
        self.typing = TypingModel(settings, documents, tasks, board, editor, model_worker)
        self.remote = RemoteRunners(settings, tasks, board, editor)
        published = Published(documents, editor)
        self.checks = Checks(settings, documents, tasks, board, editor, self.remote, published)
        self.generation_model = GenerationModel(settings, tasks, board, self.typing, model_worker)
        self.records = GenerationRecords(settings, board, editor)
        self.generating = Generating(
            settings, documents, tasks, board, editor, self.checks, self.remote, self.generation_model, self.records
        )
        entries = EntryFunctions(settings, documents, editor, self.trees)
        self.latencies = Latencies(settings, tasks, editor, entries, self.checks, self.remote)
        self.verifications = Verifications(
            settings, documents, tasks, editor, entries, self.checks, self.remote, published
        )
        self.watch = FileWatch(
            documents,
            editor,
            on_settings=settings.reread,
            on_sources=self._sources_changed,
            on_cases=self.verifications.changed_outside,
        )
        self._closed = False

    async def begin(self) -> None:
        """The client is ready: ask for its settings, then start what runs beside it."""
        self.board.open()
        await self.configuration.begin()
        self.typing.begin()
        await self.watch.begin()
        await asyncio.to_thread(_read_tables)

    async def close(self) -> None:
        """End the background work and the children, those that are too slow with the server; safe to call twice."""
        if self._closed:
            return
        self._closed = True
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._close_parts(), CLOSE_SECONDS)

    async def _close_parts(self) -> None:
        self.board.close()
        self.watch.close()
        await self.tasks.close()
        closed = await asyncio.gather(
            self.typing.close(),
            self.generation_model.close(),
            self.checks.close(),
            self.remote.close(),
            return_exceptions=True,
        )
        for result in closed:
            if isinstance(result, BaseException):
                logger.error("a child did not close", exc_info=result)

    def _sources_changed(self) -> None:
        self.checks.changed_outside()
        self.verifications.changed_outside()

    def _send_status(self, payload: dict[str, Any]) -> None:
        if self.editor.client.status:
            self.editor.notify(STATUS, payload)


def _read_tables() -> None:
    """Read and import what the first hover and completion would otherwise wait for."""
    for module in ("kernelgen_ls.kernel.names", "kernelgen_ls.work.readings"):
        import_module(module)
    from kernelgen_ls.kernel import api

    api.all_entries()
