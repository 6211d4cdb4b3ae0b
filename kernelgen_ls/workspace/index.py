"""Where in a workspace the files of a name lie: looked up once a check at most, read again where a folder has changed.

A folder's own time of change says whether its list still holds, so that a second look at some thousand folders costs
a few milliseconds. What ``.gitignore`` names is listed too, for a generated header is included all the same; but not
what lies in folders that only builds and tools fill (``ignores.NEVER``).
"""

from __future__ import annotations

import os
import posixpath
from collections import OrderedDict, deque
from collections.abc import Iterator
from pathlib import Path
from threading import Lock

from attrs import define, field, frozen

from kernelgen_ls.kernel.roles import HEADER_SUFFIXES, SOURCE_SUFFIXES
from kernelgen_ls.workspace.ignores import NEVER

MAX_FOLDERS, MAX_DEPTH = 20_000, 24
"""What is looked into: never all of somebody's home."""
_MAX_INDEXES = 4

_SUFFIXES = (*SOURCE_SUFFIXES, *HEADER_SUFFIXES)


@frozen
class _Folder:
    changed: int
    folders: tuple[str, ...]
    files: tuple[str, ...]


@define(eq=False)
class NameIndex:
    """The sources and headers below ``root`` by their names. Paths are POSIX and relative to it; links are left out."""

    root: Path
    _read: dict[str, _Folder] = field(factory=dict, init=False)
    _paths: dict[str, tuple[str, ...]] = field(factory=dict, init=False)
    _lock: Lock = field(factory=Lock, init=False)

    def named(self, name: str) -> tuple[str, ...]:
        """The paths of the files called ``name``, as of the last ``refresh``."""
        return self._paths.get(name, ())

    def names(self) -> Iterator[str]:
        """The names that there are."""
        return iter(self._paths)

    def refresh(self) -> None:
        """Read what has changed since the last time."""
        with self._lock:
            before = self._read
            self._read = dict(self._walk())
            if self._read == before:
                return
            paths: dict[str, list[str]] = {}
            for folder, found in self._read.items():
                for name in found.files:
                    paths.setdefault(name, []).append(posixpath.join(folder, name))
            self._paths = {name: tuple(found) for name, found in paths.items()}

    def _walk(self) -> Iterator[tuple[str, _Folder]]:
        waiting = deque([("", 0)])
        visited = 0
        while waiting and visited < MAX_FOLDERS:
            path, depth = waiting.popleft()
            visited += 1
            found = self._folder(path)
            if found is None:
                continue
            yield path, found
            if depth < MAX_DEPTH:
                waiting.extend((posixpath.join(path, name), depth + 1) for name in found.folders)

    def _folder(self, path: str) -> _Folder | None:
        place = self.root / path if path else self.root
        try:
            changed = os.stat(place).st_mtime_ns  # noqa: PTH116  # thousands of times a check
            known = self._read.get(path)
            if known is not None and known.changed == changed:
                return known
            folders, files = [], []
            with os.scandir(place) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        if entry.name not in NEVER and not entry.name.startswith("."):
                            folders.append(entry.name)
                    elif entry.name.endswith(_SUFFIXES) and not entry.is_symlink():
                        files.append(entry.name)
        except OSError:
            return None
        return _Folder(changed, tuple(sorted(folders)), tuple(sorted(files)))


_indexes: OrderedDict[Path, NameIndex] = OrderedDict()
_lock = Lock()


def index_of(root: Path) -> NameIndex:
    """The index of a workspace's root, brought up to date."""
    with _lock:
        index = _indexes.pop(root, None) or NameIndex(root)
        _indexes[root] = index
        while len(_indexes) > _MAX_INDEXES:
            _indexes.popitem(last=False)
    index.refresh()
    return index
