"""Results by the content they were computed from: in memory and on disk, both bounded.

A disk that is full, read-only or holds damaged files costs the cache, never a job. Entries are JSON files named by
their key; the least recently used go first.
"""

from __future__ import annotations

import json
import logging
import os
import time
from collections import OrderedDict
from pathlib import Path
from typing import Any

from attrs import define

from kernelgen_ls.folders import remove_parts, write_bytes
from kernelgen_ls.runner.jobs.messages import Outcome

log = logging.getLogger(__name__)


def gives_again(outcome: Outcome) -> bool:
    """Whether the same content gives this outcome again. What crashes on a device may not, nor what is no verdict."""
    return outcome.is_verdict and outcome is not Outcome.RUNTIME_ERROR


@define
class _OnDisk:
    size: int
    used: float


class ResultCache:
    """At most ``memory_entries`` in memory and ``disk_bytes`` in ``directory`` (None: memory only)."""

    def __init__(
        self, directory: Path | None = None, *, memory_entries: int = 2000, disk_bytes: int = 64 * 1024 * 1024
    ) -> None:
        self._memory: OrderedDict[str, dict[str, Any]] = OrderedDict()
        self._memory_entries = memory_entries
        self._directory = directory
        self._disk_bytes = disk_bytes
        self._disk: dict[str, _OnDisk] | None = None
        self._disk_size = 0

    def get(self, key: str, max_age_seconds: float | None = None) -> dict[str, Any] | None:
        """The map kept under ``key``, or None; one older than ``max_age_seconds`` by the wall clock is dropped."""
        entry = self._memory.get(key) or self._read(key)
        if entry is None:
            return None
        age = time.time() - entry["at"]
        if max_age_seconds is not None and not -60 <= age <= max_age_seconds:
            # A clock that was set back makes an entry of the future: nobody knows its age, so it is too old.
            self._drop(key)
            return None
        self._remember(key, entry)
        result = entry["result"]
        assert isinstance(result, dict)
        return result

    def put(self, key: str, result: dict[str, Any]) -> None:
        """Keep ``result`` (JSON values only) under ``key``."""
        entry = {"at": time.time(), "result": result}
        self._remember(key, entry)
        self._write(key, json.dumps(entry, ensure_ascii=True, separators=(",", ":")).encode())

    def _remember(self, key: str, entry: dict[str, Any]) -> None:
        self._memory[key] = entry
        self._memory.move_to_end(key)
        while len(self._memory) > self._memory_entries:
            self._memory.popitem(last=False)

    def _drop(self, key: str) -> None:
        self._memory.pop(key, None)
        known = self._index().pop(key, None)
        if known is not None and self._directory is not None:
            self._disk_size -= known.size
            try:
                (self._directory / key).unlink(missing_ok=True)
            except OSError as problem:
                log.warning("cannot remove from the result cache: %s", problem)

    # ---- the disk -----------------------------------------------------------------------------------------------

    def _index(self) -> dict[str, _OnDisk]:
        if self._disk is None:
            self._disk = {}
            if self._directory is not None:
                try:
                    self._directory.mkdir(parents=True, exist_ok=True, mode=0o700)
                    remove_parts(self._directory)
                    for entry in os.scandir(self._directory):
                        if entry.is_dir(follow_symlinks=False):
                            continue  # built projects, which their tool chain keeps
                        known = entry.stat(follow_symlinks=False)
                        if len(entry.name) == 64:
                            self._disk[entry.name] = _OnDisk(known.st_size, known.st_mtime)
                except OSError as problem:
                    self._give_up(problem)
            self._disk_size = sum(known.size for known in self._disk.values())
        return self._disk

    def _read(self, key: str) -> dict[str, Any] | None:
        known = self._index().get(key)
        if known is None or self._directory is None:
            return None
        try:
            entry = json.loads((self._directory / key).read_bytes())
            if isinstance(entry["at"], int | float) and isinstance(entry["result"], dict):
                known.used = time.time()
                return {"at": entry["at"], "result": entry["result"]}
        except (OSError, ValueError, KeyError, TypeError) as problem:
            log.warning("a damaged entry of the result cache: %s", problem)
        self._drop(key)
        return None

    def _write(self, key: str, data: bytes) -> None:
        index = self._index()
        if self._directory is None or len(data) > self._disk_bytes // 4:
            return
        try:
            write_bytes(self._directory / key, data, durable=False)
        except OSError as problem:
            self._give_up(problem)
            return
        old = index.get(key)
        self._disk_size += len(data) - (old.size if old else 0)
        index[key] = _OnDisk(len(data), time.time())
        if self._disk_size > self._disk_bytes:
            for name in sorted(index, key=lambda n: index[n].used):
                if self._disk_size <= self._disk_bytes * 3 // 4:
                    break
                self._drop(name)

    def _give_up(self, problem: OSError) -> None:
        log.warning("the result cache goes on in memory only: %s", problem)
        self._directory = None
