"""What lives longer than a request: the client, the settings, the documents, the children, the background tasks."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from kernelgen_ls.kernel.findings import Range
from kernelgen_ls.lsp.following.checks import Checks, Shown
from kernelgen_ls.lsp.following.generating import Generating
from kernelgen_ls.lsp.following.generation_model import GenerationModel
from kernelgen_ls.lsp.following.generation_records import GenerationRecords
from kernelgen_ls.lsp.following.latency import Latencies
from kernelgen_ls.lsp.following.remote_runners import RemoteRunners
from kernelgen_ls.lsp.following.typing_model import TypingModel
from kernelgen_ls.lsp.following.watch import FileWatch
from kernelgen_ls.lsp.session.client import Client
from kernelgen_ls.lsp.session.documents import Document, Documents
from kernelgen_ls.lsp.session.status import StatusBoard
from kernelgen_ls.lsp.session.syntax_trees import SyntaxTrees
from kernelgen_ls.settings import Problem, Settings

if TYPE_CHECKING:
    from kernelgen_ls.lsp.server import KernelServer

logger = logging.getLogger(__name__)

STATUS = "kernelgen/status"
REASONING = "kernelgen/reasoning"


class Session:
    """One client's session, from ``initialize`` to ``exit``."""

    def __init__(self, server: KernelServer) -> None:
        self.server = server
        self._tasks: set[asyncio.Task[Any]] = set()
        self._said: set[str] = set()
        self._settings_listeners: list[Callable[[Settings, Settings], None]] = []
        self._closed = False
        self.client = Client()
        self.settings = Settings()
        self.documents = Documents()
        self.status = StatusBoard(self._send_status)
        self.typing = TypingModel(self)
        self.remote = RemoteRunners(self)
        self.checks = Checks(self)
        self.generation_model = GenerationModel(self)
        self.generating = Generating(self)
        self.records = GenerationRecords(self)
        self.latencies = Latencies(self)
        self.watch = FileWatch(self)
        self.trees = SyntaxTrees()
        self.more_actions: list[Callable[[Document, Range, Shown | None], Iterable[types.CodeAction]]] = []
        """What features beside the checker add to the code actions of a range."""
        self.initial_editor_settings: dict[str, Any] = {}
        self.editor_settings: dict[str, Any] = {}
        self.log_level = ""
        """A level from the command line, which goes before the setting."""
        self.settings_problems: tuple[Problem, ...] = ()

    async def begin(self) -> None:
        """The client is ready: ask for its settings, then start what runs beside it."""
        from kernelgen_ls.lsp.features import configuration, watched_files

        configuration.report(self, self.settings_problems)
        await configuration.pull(self)
        await configuration.ask(self)
        self.typing.begin()
        self.watch.begin()
        await watched_files.ask(self)
        await asyncio.to_thread(_read_tables)

    @property
    def root(self) -> Path | None:
        """The first workspace folder."""
        return self.client.roots[0] if self.client.roots else None

    def root_of(self, path: Path) -> Path:
        """The innermost workspace folder that holds a file, its own folder when none does."""
        holding = [root for root in self.client.roots if path.is_relative_to(root)]
        return max(holding, key=lambda root: len(root.parts), default=path.parent)

    def spawn(self, work: Coroutine[Any, Any, Any], name: str) -> asyncio.Task[Any]:
        """Run work in the background; its failure is logged, never silent, and it ends with the session."""
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("%s failed", task.get_name(), exc_info=error)

    def on_settings(self, listener: Callable[[Settings, Settings], None]) -> None:
        """Call ``listener(old, new)`` whenever the settings change."""
        self._settings_listeners.append(listener)

    def apply_settings(self, settings: Settings) -> None:
        """Make new settings hold everywhere."""
        old, self.settings = self.settings, settings
        logging.getLogger("kernelgen_ls").setLevel((self.log_level or settings.log.level.value).upper())
        self.status.settings_changed(settings)
        if old == settings:
            return
        for listener in self._settings_listeners:
            listener(old, settings)

    def say(self, message: str, kind: types.MessageType = types.MessageType.Warning, *, once: bool = True) -> None:
        """Show one line to the user (the log has the rest); with ``once`` the same line only once a session."""
        if once and message in self._said:
            return
        self._said.add(message)
        logger.warning("%s", message)
        self.server.window_show_message(types.ShowMessageParams(type=kind, message=message))

    def notify(self, method: str, params: dict[str, Any]) -> None:
        """Send one of this project's own notifications; only to a client that declared it."""
        self.server.protocol.notify(method, params)

    def _send_status(self, payload: dict[str, Any]) -> None:
        if self.client.status:
            self.notify(STATUS, payload)

    async def close(self) -> None:
        """End the background work and the children; safe to call twice."""
        if self._closed:
            return
        self._closed = True
        self.status.close()
        self.watch.close()
        own = asyncio.current_task()
        others = [task for task in self._tasks if task is not own]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
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


def _read_tables() -> None:
    """Read what the first hover and completion would otherwise wait for."""
    from kernelgen_ls.kernel import api

    api.all_entries()
