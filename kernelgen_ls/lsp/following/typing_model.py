"""The typing model as the server sees it: its engine and its completer, started in the background, told of edits.

Nothing here waits for the model: until it is loaded there simply is no ghost text, and the status says why.
"""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import TYPE_CHECKING

from kernelgen_ls.kernel.findings import Position
from kernelgen_ls.kernel.roles import Role
from kernelgen_ls.lsp.session.documents import Document
from kernelgen_ls.lsp.session.operators import operator_of_document
from kernelgen_ls.lsp.session.ports import Background, Board, OpenDocuments, ReportsWork, SettingsInForce
from kernelgen_ls.lsp.session.scope import role
from kernelgen_ls.lsp.session.status import ModelPart, model_part
from kernelgen_ls.model.messages import EngineState, EngineStatus
from kernelgen_ls.settings import ModelSettings, Settings

if TYPE_CHECKING:
    from kernelgen_ls.model.completion.document import Completion, DocumentSnapshot
    from kernelgen_ls.model.completion.inline_completer import InlineCompleter
    from kernelgen_ls.model.completion.state import CompletionStats
    from kernelgen_ls.model.completion.usage import Usage
    from kernelgen_ls.model.engine.protocol import Engine

logger = logging.getLogger(__name__)


class TypingModel:
    """Starts, restarts and asks the model that completes while typing."""

    def __init__(
        self,
        settings: SettingsInForce,
        documents: OpenDocuments,
        tasks: Background,
        board: Board,
        editor: ReportsWork,
        worker: tuple[str, ...] | None = None,
    ) -> None:
        """``worker`` is another command to run as the model's worker."""
        self._settings = settings
        self._documents = documents
        self._tasks = tasks
        self._board = board
        self._editor = editor
        self._worker = worker
        self._completer: InlineCompleter | None = None
        self.engine: Engine | None = None
        self._starting: asyncio.Task[object] | None = None
        self._loaded = asyncio.Event()
        self._declarations: dict[str, str] = {}
        self._offered: set[Path] = set()
        self._loading: asyncio.Task[object] | None = None
        settings.on_change(self._settings_changed)

    def begin(self) -> None:
        """Start the engine in the background; what is missing is said, not raised."""
        self._starting = self._tasks.spawn(self._start(), "start of the typing model")

    async def _start(self) -> None:
        from kernelgen_ls.model.completion.inline_completer import InlineCompleter
        from kernelgen_ls.model.completion.usage import Usage, usage_file
        from kernelgen_ls.model.engine.local import LocalEngine
        from kernelgen_ls.model.store import NoModelError, typing_choice

        settings = self._settings.now
        engine = LocalEngine(self._worker)
        self.engine = engine
        engine.on_status(lambda status: self._on_status(status) if self.engine is engine else None)
        self._completer = InlineCompleter(
            engine, settings.completion, style=settings.model.prompt_style, usage=Usage(usage_file())
        )
        for document in self._documents:
            self.opened(document)
        if not _wanted(settings):
            off = EngineStatus(EngineState.OFF, "Completion and generation are disabled in the settings.")
            self._board.update(model=model_part(off))
            self._loaded.set()
            return
        try:
            choice = await asyncio.to_thread(typing_choice, settings.model)
        except NoModelError as error:
            self._on_status(EngineStatus(EngineState.OFF, str(error)))
            return
        await engine.start(choice)

    def opened(self, document: Document) -> None:
        """A document was opened: its prompt is evaluated ahead, with the declarations of its host side."""
        if self._completer is not None and _ours(document):
            self._tasks.spawn(self._open(document), f"declarations for {document.uri}")

    async def _open(self, document: Document) -> None:
        from kernelgen_ls.model.completion.declarations import declarations

        if role(document) is Role.KERNEL and "TILING_DATA" in document.text:
            roots = self._editor.client.roots
            operator = await asyncio.to_thread(operator_of_document, document, list(self._documents), roots)
            hosts = await asyncio.to_thread(lambda: operator.hosts)
            self._declarations[document.uri] = declarations(document.text, hosts)
        if self._completer is not None and self._documents.current(document):
            self._completer.opened(self._snapshot(document))
            await self._offer_neighbours(self._editor.client.root_of(document.path))

    async def _offer_neighbours(self, root: Path) -> None:
        """What the other kernels of a workspace say, once a workspace: the model drafts from it."""
        if root in self._offered or self._completer is None or not self._completer.settings.drafting:
            return
        from kernelgen_ls.workspace.discover import neighbours

        self._offered.add(root)
        texts = await asyncio.to_thread(neighbours, root)
        if self._completer is not None:
            # The open ones last: where there is too much, what was offered first goes.
            opened = {self._snapshot(document).path: document.text for document in self._documents}
            others = {path: text for path, text in texts.items() if path not in opened}
            self._completer.offer_drafts({**others, **opened})

    def changed(self, before: Document, document: Document) -> None:
        """A document was edited."""
        if self._completer is not None and _ours(document):
            self._completer.changed(self._snapshot(document))

    def rested(self, document: Document, position: Position) -> None:
        """The cursor came to rest (an editor asks for code actions then): the prompt there is evaluated ahead."""
        if self._completer is not None and _ours(document):
            self._completer.moved(self._snapshot(document).path, position)

    def closed(self, document: Document) -> None:
        """A document was closed."""
        if self._completer is not None:
            self._completer.closed(self._snapshot(document).path)
        self._declarations.pop(document.uri, None)

    async def complete(self, document: Document, position: Position, *, manual: bool, count: int) -> Completion | None:
        """The ghost text at a position of this version; None when there is none, or no model (the status says why)."""
        if self._completer is None or not _ours(document):
            return None
        from kernelgen_ls.model.engine.protocol import EngineError

        try:
            return await self._completer.complete(self._snapshot(document), position, manual=manual, count=count)
        except EngineError as error:
            logger.warning("no completion: %s", error)
            if manual:
                self._editor.say(str(error))
            return None

    async def loaded(self) -> None:
        """Wait while the model is being loaded."""
        await self._loaded.wait()

    @property
    def usage(self) -> Usage | None:
        """The counts of what was shown and accepted."""
        return self._completer.usage if self._completer else None

    @property
    def stats(self) -> CompletionStats | None:
        """What became of the requests of this session."""
        return self._completer.stats if self._completer else None

    async def restart(self) -> None:
        """Load the model anew, with the settings that hold now."""
        await self.close()
        self.begin()

    async def close(self) -> None:
        """End the worker."""
        for task in (self._starting, self._loading):
            if task is not None and task is not asyncio.current_task():
                task.cancel()
        self._offered.clear()
        completer, self._completer = self._completer, None
        engine, self.engine = self.engine, None
        if completer is not None:
            await completer.close()
        if engine is not None:
            await engine.close()

    def _snapshot(self, document: Document) -> DocumentSnapshot:
        from kernelgen_ls.model.completion.document import DocumentSnapshot

        root = self._editor.client.root_of(document.path)
        path = document.path.relative_to(root) if document.path.is_relative_to(root) else document.path
        return DocumentSnapshot(
            path.as_posix(),
            document.version,
            document.text,
            document.language,
            self._declarations.get(document.uri, ""),
        )

    def _on_status(self, status: EngineStatus) -> None:
        self._board.update(model=model_part(status))
        if status.state is not EngineState.LOADING:
            self._loaded.set()
        elif self._loading is None or self._loading.done():
            self._loaded.clear()
            self._loading = self._tasks.spawn(self._show_loading(), "progress of loading the model")
        if status.state is EngineState.OFF and status.detail:
            self._editor.say(status.detail)

    async def _show_loading(self) -> None:
        async with self._editor.work_done("KernelGen: loading the model", percentage=True) as work:
            while not self._loaded.is_set():
                part: ModelPart = self._board.status.model
                work.report(part.name or part.detail, round(part.progress * 100))
                try:
                    await asyncio.wait_for(self._loaded.wait(), 0.25)
                except asyncio.TimeoutError:
                    continue

    def _settings_changed(self, old: Settings, new: Settings) -> None:
        if self._completer is None:
            return
        self._completer.settings = new.completion
        self._completer.style = new.model.prompt_style
        if _engine_settings(old.model) != _engine_settings(new.model) or _wanted(old) != _wanted(new):
            self._tasks.spawn(self.restart(), "restart of the model after a change of settings")


def _ours(document: Document) -> bool:
    return role(document) is not Role.OTHER


def _wanted(settings: Settings) -> bool:
    """Whether anything needs a model."""
    return settings.completion.enabled or settings.generation.enabled


def _engine_settings(model: ModelSettings) -> tuple[object, ...]:
    return (
        model.path, model.typing_path, model.gpu_layers, model.threads, model.context, model.state_cache,
        model.spin_count,
    )  # fmt: skip
