"""Notices when a model's file is replaced, and says so only once the new one is whole."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from pathlib import Path

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver

from kernelgen_ls.model import gguf_file

log = logging.getLogger(__name__)

_SETTLE_SECONDS = 0.3
"""A file that did not change for so long and passes the checks is whole."""
_GIVE_UP_CHECKS = 4 * 3600


class _Handler(FileSystemEventHandler):
    def __init__(self, name: str, touched: Callable[[], None]) -> None:
        self._name = name
        self._touched = touched

    def on_any_event(self, event: FileSystemEvent) -> None:
        names = {Path(str(path)).name for path in (event.src_path, event.dest_path) if path}
        if self._name in names and event.event_type in {"created", "modified", "moved", "closed"}:
            self._touched()


class FileWatch:
    """Calls ``replaced`` in the event loop when ``path`` holds another complete model than at the start."""

    def __init__(self, path: Path, replaced: Callable[[], None]) -> None:
        self._path = path
        self._replaced = replaced
        self._known = _identity(path)
        self._observer: BaseObserver | None = None
        self._task: asyncio.Task[None] | None = None
        self._touched = asyncio.Event()

    def start(self) -> None:
        """Watch; without file system events (a folder that is gone, too many watches) only say so in the log."""
        loop = asyncio.get_running_loop()
        self._task = loop.create_task(self._run())
        observer = Observer()

        def touched() -> None:
            with contextlib.suppress(RuntimeError):  # the loop may have ended before the observer's thread did
                loop.call_soon_threadsafe(self._touched.set)

        handler = _Handler(self._path.name, touched)
        try:
            observer.schedule(handler, str(self._path.resolve().parent))
            observer.start()
        except OSError as error:
            log.info("%s is not watched: %s", self._path, error)
            return
        self._observer = observer

    def stop(self) -> None:
        """Watch no more."""
        if self._task is not None:
            self._task.cancel()
        if self._observer is not None:
            with contextlib.suppress(RuntimeError):
                self._observer.stop()
            self._observer = None

    async def _run(self) -> None:
        while True:
            await self._touched.wait()
            self._touched.clear()
            if _identity(self._path) == self._known:
                continue
            await self._until_whole()

    async def _until_whole(self) -> None:
        for _ in range(_GIVE_UP_CHECKS):
            before = _identity(self._path)
            await asyncio.sleep(_SETTLE_SECONDS)
            if before is None or before != _identity(self._path):
                continue
            if before == self._known:
                return
            try:
                await asyncio.to_thread(gguf_file.check, self._path)
            except gguf_file.GgufError as error:
                log.info("not loaded yet: %s", error)
                # The next event of the file system starts over; a writer that is still busy will cause one.
                return
            self._known = before
            self._replaced()
            return


def _identity(path: Path) -> tuple[int, int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns
