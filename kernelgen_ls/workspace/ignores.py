"""What of a workspace is not looked at: what its ``.gitignore`` files name, and folders that hold no sources of it."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from attrs import define, field
from pathspec import GitIgnoreSpec

NEVER = frozenset({".git", ".hg", ".svn", "node_modules", "__pycache__", "build", "build_out", ".venv"})


@define(eq=False)
class Ignores:
    """The ``.gitignore`` files of the folders from ``root`` down, each read once. Paths are POSIX, relative to it."""

    root: Path
    _read: dict[str, GitIgnoreSpec | None] = field(factory=dict, init=False)

    def ignored(self, path: str, *, folder: bool, top: str = "") -> bool:
        """Whether ``path``, or a folder that it lies in, is not to be looked at; ``top`` as for ``inside``."""
        path, start = (path[len(top) + 1 :], f"{top}/") if top else (path, "")
        parts = path.split("/")
        if any(self._is_never(part) for part in (parts if folder else parts[:-1])):
            return True
        above = [start + "/".join(parts[:depth]) for depth in range(1, len(parts))]
        return any(self._named(one, top, folder=True) for one in above) or self._named(start + path, top, folder=folder)

    def inside(self, path: str, *, folder: bool, top: str = "") -> bool:
        """As ``ignored``, for a path in a folder that is known not to be: a walk asks it of each step.

        Files above ``top`` have no say.
        """
        name = posixpath.basename(path)
        return (folder and self._is_never(name)) or self._named(path, top, folder=folder)

    def _is_never(self, name: str) -> bool:
        return name in NEVER or (name.startswith(".") and name not in (".", ".."))

    def _named(self, path: str, top: str, *, folder: bool) -> bool:
        """Whether the last pattern that fits says so, in the file nearest to ``path`` that has one for it."""
        for base in _above(path, top):
            spec = self._spec(base)
            if spec is None:
                continue
            relative = path[len(base) + 1 :] if base else path
            verdict = spec.check_file(f"{relative}/" if folder else relative).include
            if verdict is not None:
                return verdict
        return False

    def _spec(self, folder: str) -> GitIgnoreSpec | None:
        if folder not in self._read:
            self._read[folder] = _read(self.root / folder / ".gitignore")
        return self._read[folder]


def _read(file: Path) -> GitIgnoreSpec | None:
    try:
        known = file.stat()
        return _specification(file, known.st_mtime_ns, known.st_size)
    except OSError:
        return None


@lru_cache(maxsize=64)
def _specification(file: Path, _changed: int, _size: int) -> GitIgnoreSpec:
    """The patterns of a file, compiled once for each of its versions."""
    lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError:
        return GitIgnoreSpec.from_lines(line for line in lines if _sound(line))


def _sound(line: str) -> bool:
    """Whether pathspec takes a pattern; git passes over one that means nothing."""
    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True


def _above(path: str, top: str) -> Iterable[str]:
    """The folders that ``path`` lies in from ``top`` down, the nearest first, "" for the root."""
    folder = posixpath.dirname(path)
    while folder not in (top, "", "/"):
        yield folder
        folder = posixpath.dirname(folder)
    yield top
