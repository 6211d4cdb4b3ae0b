"""Files that change outside the editor: a checkout, a generated tiling header, the settings files.

A client that watches files itself is asked to; for one that does not (Neovim on Linux) the folders of the open
documents are watched here. Never the whole workspace: an inotify watch for each of its folders would be too many.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from kernelgen_ls.kernel.roles import HEADER_SUFFIXES, SOURCE_SUFFIXES
from kernelgen_ls.lsp.session.documents import Document
from kernelgen_ls.lsp.session.ports import OpenDocuments, TakesRegistrations
from kernelgen_ls.settings import PROJECT_FILE, user_file

if TYPE_CHECKING:
    from watchdog.events import FileSystemEvent
    from watchdog.observers.api import BaseObserver, ObservedWatch


logger = logging.getLogger(__name__)

SUFFIXES = (*SOURCE_SUFFIXES, *HEADER_SUFFIXES, ".json")
CASES = "cases.py"
"""How the name of a file ends that says what a kernel is run on."""
GLOB = f"**/*.{{{','.join(suffix[1:] for suffix in (*SOURCE_SUFFIXES, *HEADER_SUFFIXES))}}}"
_WROTE = {"created", "modified", "moved", "deleted", "closed"}


class FileWatch:
    """Watches the folders of open documents where the client does not."""

    def __init__(
        self,
        documents: OpenDocuments,
        editor: TakesRegistrations,
        on_settings: Callable[[], None],
        on_sources: Callable[[], None],
        on_cases: Callable[[], None],
    ) -> None:
        """``on_settings`` is called when a settings file changed, ``on_sources`` for files that a check reads.

        ``on_cases`` is called for files that only a run reads.
        """
        self._documents = documents
        self._editor = editor
        self._on_settings = on_settings
        self._on_sources = on_sources
        self._on_cases = on_cases
        self._observer: BaseObserver | None = None
        self._watches: dict[Path, ObservedWatch] = {}
        self._open: Counter[Path] = Counter()
        self._active = False
        self._loop: asyncio.AbstractEventLoop | None = None

    async def begin(self) -> None:
        """Start to watch, the documents opened so far included, or ask the client to."""
        self._active = not self._editor.client.watches_files
        self._loop = asyncio.get_running_loop()
        if self._active:
            for root in self._editor.client.roots[:1]:
                self._watch(root)
            self._watch(user_file().parent)
            for document in self._documents:
                self.opened(document)
        else:
            await self._ask()

    def opened(self, document: Document) -> None:
        """Watch the folders that a check of this document reads."""
        if not document.on_disk:
            return
        for folder in _folders(document.path):
            self._open[folder] += 1
            if self._active:
                self._watch(folder)

    def closed(self, document: Document) -> None:
        """Stop watching folders that no open document needs."""
        if not document.on_disk:
            return
        for folder in _folders(document.path):
            self._open[folder] -= 1
            if self._open[folder] <= 0:
                del self._open[folder]
                if folder not in self._editor.client.roots and folder in self._watches and self._observer:
                    self._observer.unschedule(self._watches.pop(folder))

    def close(self) -> None:
        """Stop watching."""
        self._active = False
        if self._observer is not None:
            self._observer.stop()
            self._observer = None

    def changed(self, paths: list[Path]) -> None:
        """Files changed: settings are read again, everything else means a new check.

        A document's own file is the editor's business: what counts is its buffer, and a save is told.
        """
        paths = [path for path in paths if self._documents.at(path) is None]
        settings_files = {user_file(), *(root / PROJECT_FILE for root in self._editor.client.roots)}
        if any(path in settings_files for path in paths):
            self._on_settings()
        if any(path.suffix in SUFFIXES and path not in settings_files for path in paths):
            self._on_sources()
        if any(path.name.endswith(CASES) for path in paths):
            self._on_cases()

    async def _ask(self) -> None:
        """Ask the client to watch."""
        globs = (GLOB, f"**/{PROJECT_FILE}", f"**/*{CASES}")
        options = types.DidChangeWatchedFilesRegistrationOptions(
            watchers=[types.FileSystemWatcher(glob_pattern=glob) for glob in globs]
        )
        try:
            await self._editor.register("kernelgen-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        except JsonRpcException as error:
            self._editor.say(f"The editor does not watch files ({error}): changes outside it show at the next save.")

    def _watch(self, folder: Path) -> None:
        if folder in self._watches or not folder.is_dir():
            return
        from watchdog.events import FileSystemEventHandler
        from watchdog.observers import Observer

        watch = self

        class Handler(FileSystemEventHandler):
            """Hands events of the observer's thread to the event loop."""

            def on_any_event(self, event: FileSystemEvent) -> None:
                watch._from_thread(event)

        try:
            if self._observer is None:
                self._observer = Observer()
                self._observer.daemon = True
                self._observer.start()
            self._watches[folder] = self._observer.schedule(Handler(), str(folder), recursive=False)
        except OSError as error:
            # No watches left on this machine: checks still run on save and on idle.
            logger.warning("%s is not watched for changes outside the editor: %s", folder, error)

    def _from_thread(self, event: FileSystemEvent) -> None:
        if event.event_type not in _WROTE or event.is_directory or self._loop is None:
            return
        paths = [Path(str(name)) for name in (event.src_path, event.dest_path) if name]
        try:
            self._loop.call_soon_threadsafe(self.changed, paths)
        except RuntimeError:
            logger.debug("a file changed after the server's loop had ended")


def _folders(path: Path) -> set[Path]:
    folders = {path.parent}
    if path.parent.name in ("op_host", "op_kernel"):
        operator = path.parent.parent
        folders |= {operator, operator / "op_host", operator / "op_kernel"}
    return folders
