"""What ``kernelgen-ls check PATHS`` checks: the files found below the paths, each with what its check needs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from attrs import define, field, frozen

from kernelgen_ls.kernel.roles import FOLDERS, HEADER_SUFFIXES, SOURCE_SUFFIXES, Role, role_of
from kernelgen_ls.runner.jobs.messages import CheckRequest, SourceFile
from kernelgen_ls.workspace.project import files_for_check

_SUFFIXES = (*SOURCE_SUFFIXES, *HEADER_SUFFIXES, "CMakeLists.txt", ".json", "api_desc.md")
_SKIPPED_FOLDERS = frozenset({".git", "node_modules", "build", "build_out", ".venv", "__pycache__"})
_MAX_FILES = 20_000


@frozen
class Target:
    """One file to check; ``shown`` is its path, and ``folder`` that of the request's paths, as the user writes them."""

    shown: str
    folder: str
    request: CheckRequest
    encoding: str = "utf-8"


def decode(data: bytes) -> tuple[str, str]:
    """Return a source file's text and its encoding: UTF-8, or GB18030 where it is not UTF-8, else UTF-8 with marks."""
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        pass
    try:
        return data.decode("gb18030"), "gb18030"
    except UnicodeDecodeError:
        return data.decode("utf-8", errors="replace"), "unknown"


def targets(paths: Iterable[str], chip: str) -> Iterator[Target]:
    """Yield what there is to check below ``paths``; a file that is named is checked whatever it is.

    In a folder kernels and host files are checked, headers through the sources that include them, and plain C++ is
    left alone. Raises FileNotFoundError for a path that does not exist.
    """
    for written in paths:
        path = Path(written)
        if not path.exists():
            raise FileNotFoundError(f"{written} does not exist")
        base = path if path.is_dir() else _project_folder(path)
        tree = _Folder(base)
        named = [] if path.is_dir() else [path.resolve().relative_to(base.resolve()).as_posix()]
        entries: dict[str, None] = {}
        needed: dict[str, tuple[str, ...]] = {}
        for candidate in named or tree.sources():
            for files in files_for_check(candidate, tree.paths, tree.read):
                entries.setdefault(files.entry)
                needed[files.entry] = files.all
        for entry in entries:
            sources = tuple(SourceFile(item, tree.read(item) or "") for item in needed[entry])
            shown = os.path.relpath(base / entry)
            request = CheckRequest(entry, sources, chip, document=str((base / entry).resolve()))
            yield Target(shown, os.path.relpath(base), request, tree.encodings.get(entry, "utf-8"))


@define(eq=False)
class _Folder:
    """The files below one folder, read at most once."""

    base: Path
    paths: list[str] = field(init=False)
    encodings: dict[str, str] = field(factory=dict)
    _texts: dict[str, str | None] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.paths = list(_listing(self.base))

    def read(self, path: str) -> str | None:
        """The text of ``path``, or None where it cannot be read."""
        if path not in self._texts:
            try:
                text, encoding = decode((self.base / path).read_bytes())
            except OSError:
                self._texts[path] = None
            else:
                self._texts[path] = text
                self.encodings[path] = encoding
        return self._texts[path]

    def sources(self) -> Iterator[str]:
        """The files that are entries of a check of the whole folder."""
        for path in self.paths:
            if not path.endswith(SOURCE_SUFFIXES):
                continue
            role = role_of(path, self.read(path) or "")
            if role is Role.KERNEL or role.is_host:
                yield path


def _listing(base: Path) -> Iterator[str]:
    count = 0
    for folder, folders, names in os.walk(base):
        folders[:] = sorted(name for name in folders if name not in _SKIPPED_FOLDERS)
        for name in sorted(names):
            if name.endswith(_SUFFIXES):
                count += 1
                if count > _MAX_FILES:
                    return
                yield (Path(folder) / name).relative_to(base).as_posix()


def _project_folder(path: Path) -> Path:
    """The folder that holds ``path``'s operator: the one above ``op_kernel`` or ``op_host``, else the file's own."""
    for parent in path.resolve().parents:
        if parent.name in FOLDERS:
            return parent.parent
    return path.resolve().parent
