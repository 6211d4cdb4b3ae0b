"""Where precompiled declarations are kept: in the user's cache, so that only the first process ever makes them.

They hold for one libclang and for the very files of our declarations; after an upgrade the old ones are removed. Where
the cache cannot be used (a worker that may read nothing of the user's, a full disk) they live as long as the process.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from kernelgen_ls.folders import DECLARATIONS, NotWrittenError, cache_folder, remove_parts, write_bytes

log = logging.getLogger(__name__)

_SUFFIX = ".pch"
_UNUSED_SECONDS = 24 * 3600
"""Other declarations than ours may be another installation's, which is in use."""


class Precompiled:
    """The precompiled headers of one libclang, by what they were made of. ``own`` is the process' own folder."""

    def __init__(self, libclang: str, own: Path) -> None:
        self._own = own
        self._edition = _edition(libclang)
        self._known: dict[str, Path] = {}

    def header(self, key: str, make: Callable[[Path], None]) -> Path:
        """The precompiled header for ``key``; ``make`` writes it where there is none."""
        path = self._known.get(key)
        if path is None:
            path = self._known[key] = self._kept(key, make)
        return path

    def _kept(self, key: str, make: Callable[[Path], None]) -> Path:
        prefix = f"{self._edition}-{_digest(key.encode())}-"
        folder = cache_folder() / "declarations"
        for path in folder.glob(f"{prefix}*{_SUFFIX}"):
            if _is_whole(path):
                return path
        own = self._own / f"{prefix}own{_SUFFIX}"
        make(own)
        data = own.read_bytes()
        path = folder / f"{prefix}{_digest(data)}{_SUFFIX}"
        try:
            write_bytes(path, data, durable=False)
        except NotWrittenError as problem:
            log.info("precompiled declarations are not kept: %s", problem)
            return own
        own.unlink()
        self._remove_others(folder)
        return path

    def _remove_others(self, folder: Path) -> None:
        remove_parts(folder)
        for path in folder.glob(f"*{_SUFFIX}"):
            with contextlib.suppress(OSError):
                old = time.time() - path.stat().st_mtime > _UNUSED_SECONDS
                if old and not path.name.startswith(self._edition):
                    path.unlink()


def _is_whole(path: Path) -> bool:
    """Whether a kept header is as it was written: clang may crash on one that is not. What is damaged is removed."""
    try:
        if path.stem.rpartition("-")[2] == _digest(path.read_bytes()):
            return True
        path.unlink()
    except OSError as problem:
        log.info("precompiled declarations cannot be used: %s", problem)
    return False


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def own_folder() -> tempfile.TemporaryDirectory[str]:
    """A folder of this process; those of processes that were killed, which could not remove theirs, go with it."""
    prefix = "kernelgen-check-"
    if os.name == "posix":
        for folder in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
            owner = folder.name.removeprefix(prefix).partition("-")[0]
            if owner.isdigit() and not _lives(int(owner)):
                shutil.rmtree(folder, ignore_errors=True)
    return tempfile.TemporaryDirectory(prefix=f"{prefix}{os.getpid()}-", ignore_cleanup_errors=True)


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _edition(libclang: str) -> str:
    """What precompiled headers hold for: clang refuses one whose sources have another size or time."""
    digest = hashlib.sha256(f"{libclang}\0{DECLARATIONS}\0".encode())
    for name, size, changed in sorted(_files(str(DECLARATIONS))):
        digest.update(f"{name}\0{size}\0{changed}\0".encode())
    return digest.hexdigest()[:16]


def _files(folder: str) -> Iterator[tuple[str, int, int]]:
    for entry in os.scandir(folder):
        if entry.is_dir():
            yield from _files(entry.path)
        else:
            status = entry.stat()
            yield entry.path, status.st_size, status.st_mtime_ns
