"""What there is to check below paths that a user names, and which other kernels a workspace holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path

from attrs import frozen

from kernelgen_ls.kernel.roles import HEADER_SUFFIXES, SOURCE_SUFFIXES, Role, role_of
from kernelgen_ls.workspace.files import Files, read_file
from kernelgen_ls.workspace.operators import (
    MAX_DEPTH,
    MAX_FOLDERS,
    MAX_LISTED,
    Operator,
    named_place,
    operator_in,
    workspace_root,
)
from kernelgen_ls.workspace.project import CheckFiles

_MOST_FOLDERS, _DEEPEST = 20_000, 64
"""A user who names a folder means all of it."""
MAX_NEIGHBOURS = 60
"""Other kernels of a workspace in which drafts are looked up."""
MAX_NEIGHBOUR_CHARS = 60_000
MAX_NEIGHBOURS_CHARS = 400_000


@frozen
class Target:
    """One file to check, with the operator it belongs to."""

    operator: Operator
    check: CheckFiles

    @property
    def entry(self) -> str:
        """The file, relative to the root of the operator's files."""
        return self.check.entry

    @property
    def place(self) -> Path:
        """Where the file lies."""
        return self.operator.files.place(self.entry)


def targets(
    paths: Iterable[str | Path], folders: tuple[Path, ...] = (), unsaved: Mapping[Path, str] | None = None
) -> Iterator[Target]:
    """Yield what there is to check below ``paths``, each file once; a file that is named is checked whatever it is.

    In a folder kernels and host files are checked, headers through the sources that include them, and plain C++ is
    left alone. Raises FileNotFoundError for a path that does not exist.
    """
    readers: dict[Path, Files] = {}
    done: set[Path] = set()
    for written in paths:
        path = named_place(written)
        if not path.exists():
            raise FileNotFoundError(f"{written} does not exist")
        for place in _entries(path) if path.is_dir() else [path]:
            root = workspace_root(place, (*folders, path) if path.is_dir() else folders)
            files = readers.setdefault(root, Files(root, unsaved or {}))
            operator = operator_in(files, place)
            for check in operator.checks:
                target = Target(operator, check)
                if target.place not in done:
                    done.add(target.place)
                    yield target


def _entries(folder: Path) -> Iterator[Path]:
    """The files that are entries of a check of the whole folder."""
    files = Files(folder)
    for path in files.walk("", folders=_MOST_FOLDERS, depth=_DEEPEST):
        if path.endswith(SOURCE_SUFFIXES):
            role = role_of(path, files.text(path) or "")
            if role is Role.KERNEL or role.is_host:
                yield files.place(path)


def neighbours(root: Path) -> dict[str, str]:
    """The texts of kernels below a workspace's root, by path relative to it: those changed last, the latest at the end.

    Reads the disk, so call it in a thread.
    """
    files = Files(root)
    suffixes = (*SOURCE_SUFFIXES, *HEADER_SUFFIXES)
    listed = islice(files.walk("", folders=MAX_FOLDERS, depth=MAX_DEPTH), MAX_LISTED)
    sources = [files.place(path) for path in listed if path.endswith(suffixes)]
    found: dict[str, str] = {}
    room = MAX_NEIGHBOURS_CHARS
    for _, place in sorted(((-changed, place) for place, changed in _small(sources))):
        read = read_file(place)
        if read is not None and "__aicore__" in read.text:
            room -= len(read.text)
            if room < 0:
                break
            found[files.path(place)] = read.text
        if len(found) >= MAX_NEIGHBOURS:
            break
    return dict(reversed(found.items()))


def _small(places: Iterable[Path]) -> Iterator[tuple[Path, float]]:
    """The files that are short enough to be drafted from, with the time of their last change."""
    for place in places:
        with suppress(OSError):
            status = place.stat()
            if status.st_size <= MAX_NEIGHBOUR_CHARS:
                yield place, status.st_mtime
