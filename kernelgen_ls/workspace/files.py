"""Reading files below one root: the unsaved text where there is one, else the disk's; each at most once.

Everything that looks at an operator on disk reads through here: which text a file has, how it is encoded and whether it
is there at all is decided in one place. A link is followed only to what lies below the root itself.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import Path

from attrs import define, field

from kernelgen_ls.kernel.roles import HEADER_SUFFIXES, SOURCE_SUFFIXES
from kernelgen_ls.workspace.encodings import Text, decode
from kernelgen_ls.workspace.ignores import Ignores

SUFFIXES = (
    *(*SOURCE_SUFFIXES, *HEADER_SUFFIXES, ".c", ".cmake"),
    *(".py", ".csv", ".json", ".md", ".txt", ".sh"),
)
"""The files that can belong to an operator: sources, build files, descriptions, cases."""

_OUTSIDE = re.compile(r"\\|^[A-Za-z]:|(?:^|/)\.\.?(?:/|$)")

MAX_FILE_BYTES = 8 * 1024 * 1024
"""A larger file is no source: it is passed over. (A checker may refuse smaller ones, and say so.)"""


@define(eq=False)
class Files:
    """The files below ``root``. Paths are POSIX and relative to it; ``unsaved`` texts are by their place on disk."""

    root: Path
    unsaved: Mapping[Path, str] = field(factory=dict)
    ignores: Ignores = field(init=False)
    _texts: dict[str, Text | None] = field(factory=dict, init=False)
    _there: dict[str, bool] = field(factory=dict, init=False)
    _walked: dict[tuple[str, int, int, str], tuple[str, ...]] = field(factory=dict, init=False)
    _real_root: str = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.ignores = Ignores(self.root)
        self._real_root = os.path.join(os.path.realpath(self.root), "")  # noqa: PTH118  # with its separator

    def __contains__(self, path: object) -> bool:
        """Whether there is such a file below the root."""
        if not isinstance(path, str) or not _stays_inside(path):
            return False
        if path not in self._there:
            place = self.root / path
            self._there[path] = place in self.unsaved or self._is_file(place)
        return self._there[path]

    def admit(self, path: str) -> None:
        """Let a file that the user named be read, wherever a link on the way to it leads."""
        self._there[path] = (self.root / path) in self.unsaved or (self.root / path).is_file()

    def read(self, path: str) -> Text | None:
        """A file with its encoding; None where it is not there, cannot be read or is too large."""
        if path not in self._texts:
            self._texts[path] = self._read(path) if path in self else None
        return self._texts[path]

    def text(self, path: str) -> str | None:
        """A file's text; None as for ``read``."""
        found = self.read(path)
        return found.text if found is not None else None

    def is_unsaved(self, path: str) -> bool:
        """Whether the text comes from an editor and not from the disk."""
        return (self.root / path) in self.unsaved

    def place(self, path: str) -> Path:
        """Where a file lies on this machine."""
        return self.root / path

    def path(self, place: Path) -> str:
        """The path of a place below the root. Raises ValueError for one that is not."""
        return place.relative_to(self.root).as_posix()

    def walk(self, folder: str, *, folders: int, depth: int, asked: str | None = None) -> tuple[str, ...]:
        """The files at and below ``folder`` that are not ignored, nearest first, unsaved ones included.

        At most ``folders`` folders are looked into, and none deeper than ``depth``: never all of somebody's home. What
        ignores the folder that was ``asked`` for (else ``folder``) does not hold below it.
        """
        asked = folder if asked is None else asked
        if folder and not _stays_inside(folder):
            return ()
        key = (folder, folders, depth, asked)
        if key not in self._walked:
            self._walked[key] = tuple(self._walk(folder, folders, depth, asked))
        return self._walked[key]

    def _walk(self, folder: str, folders: int, depth: int, asked: str) -> Iterator[str]:
        top = asked if asked and self.ignores.ignored(asked, folder=True) else ""
        seen: set[str] = set()
        waiting = deque([(folder, 0)])
        visited = 0
        while waiting and visited < folders:
            current, level = waiting.popleft()
            visited += 1
            for entry in _entries(self.root / current):
                path = posixpath.join(current, entry.name)
                is_folder = entry.is_dir(follow_symlinks=False)
                if (is_folder and level >= depth) or (not is_folder and not _may_belong(entry.name)):
                    continue
                if self.ignores.inside(path, folder=is_folder, top=top):
                    continue
                if is_folder:
                    waiting.append((path, level + 1))
                    continue
                if not entry.is_symlink():
                    self._there[path] = True
                if path in self:
                    seen.add(path)
                    yield path
        yield from sorted(self._unsaved_below(folder, depth, top) - seen)

    def beside(self, folder: str) -> tuple[str, ...]:
        """The files that lie directly in ``folder``."""
        return self.walk(folder, folders=1, depth=0)

    def _unsaved_below(self, folder: str, depth: int, top: str) -> set[str]:
        base = self.root / folder if folder else self.root
        found = {self.path(place) for place in self.unsaved if base in place.parents and _may_belong(place.name)}
        level = folder.count("/") + 1 if folder else 0
        near = {path for path in found if path.count("/") - level <= depth}
        return {path for path in near if not self.ignores.ignored(path, folder=False, top=top)}

    def _read(self, path: str) -> Text | None:
        place = self.root / path
        unsaved = self.unsaved.get(place)
        if unsaved is not None:
            return Text(unsaved)
        return read_file(place)

    def _is_file(self, place: Path) -> bool:
        try:
            if not place.is_file():
                return False
            return os.path.realpath(place).startswith(self._real_root)
        except OSError:
            return False


def read_file(place: Path) -> Text | None:
    """One file of this machine as text; None where it is not there, cannot be read or is too large."""
    try:
        if not place.is_file() or place.stat().st_size > MAX_FILE_BYTES:
            return None
        return decode(place.read_bytes())
    except OSError:
        return None


def _stays_inside(path: str) -> bool:
    """Whether ``path`` is relative, on every system, and does not climb out."""
    return bool(path) and not path.startswith("/") and not _OUTSIDE.search(path)


def _may_belong(name: str) -> bool:
    return name.endswith(SUFFIXES)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """What lies in a folder, by name."""
    try:
        with os.scandir(folder) as found:
            return sorted(found, key=lambda entry: entry.name)
    except OSError:
        return []
