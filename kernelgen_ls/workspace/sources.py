"""The files that a check of one document needs: the editor's text where a file is open, the disk's where it is not."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from kernelgen_ls.kernel.roles import FOLDERS, HEADER_SUFFIXES, SOURCE_SUFFIXES, Role, role_of
from kernelgen_ls.lsp.session.documents import Document
from kernelgen_ls.runner.jobs.messages import SourceFile

if TYPE_CHECKING:
    from kernelgen_ls.workspace.project import CheckFiles, Project

MAX_LISTED = 2_000
"""Files of an operator's folder that are looked at; more is no operator's folder."""
MAX_FOLDERS, MAX_DEPTH = 200, 5
MAX_ENTRIES = 3
"""Sources through which an open header is checked."""
MAX_FILE_BYTES = 2 * 1024 * 1024
MAX_NEIGHBOURS = 60
"""Other kernels of a workspace in which drafts are looked up."""
MAX_NEIGHBOUR_CHARS = 60_000
MAX_NEIGHBOURS_CHARS = 400_000
_DESCRIBING = (".md", ".json", ".csv")
_SUFFIXES = (*SOURCE_SUFFIXES, *HEADER_SUFFIXES, *_DESCRIBING)
_SKIPPED = {"build", "build_out", "node_modules", "__pycache__", "third_party"}


@frozen
class Sources:
    """What surrounds one document: ``root`` on this machine, paths below it POSIX and relative.

    ``checks`` has one entry for a source file, up to ``MAX_ENTRIES`` for a header; ``texts`` are those that were read.
    """

    root: Path
    entry: str
    project: Project
    checks: tuple[CheckFiles, ...]
    texts: dict[str, str]
    listing: frozenset[str] = frozenset()

    @property
    def operator_prefix(self) -> str:
        """What stands before the paths of the operator's own files: its folder and a slash, or nothing."""
        return f"{self.project.root}/" if self.project.root else ""

    def path(self, relative: str) -> Path:
        """Where a file of the tree lies on this machine."""
        return self.root / relative

    def files(self, check: CheckFiles) -> tuple[SourceFile, ...]:
        """What one check sends."""
        return tuple(SourceFile(path, self.texts[path]) for path in check.all if path in self.texts)

    @property
    def hosts(self) -> dict[str, str]:
        """The texts of the host side, by path."""
        return {path: self.texts[path] for path in self.project.hosts if path in self.texts}


def gather(document: Document, opened: Iterable[Document], root_of: Callable[[Path], Path]) -> Sources:
    """Collect the operator that ``document`` belongs to; reads the disk, so call it in a thread."""
    from kernelgen_ls.workspace.project import files_for_check, find_project

    root = root_of(document.path)
    entry = document.path.relative_to(root).as_posix()
    buffers = {other.path: other.text for other in opened}
    buffers[document.path] = document.text
    texts: dict[str, str] = {entry: document.text}

    def read(path: str) -> str | None:
        if path not in texts:
            text = buffers.get(root / path)
            if text is None:
                text = text_on_disk(root / path)
            if text is None:
                return None
            texts[path] = text
        return texts[path]

    listing = frozenset({entry, *(_listing(document.path, root) if document.on_disk else ())})
    project = find_project(entry, listing, read)
    checks = files_for_check(entry, listing, read)[:MAX_ENTRIES]
    for path in {path for check in checks for path in check.all} | set(project.hosts):
        read(path)
    return Sources(root, entry, project, checks, texts, listing)


def operator_texts(sources: Sources) -> dict[str, str]:
    """Everything that belongs to the operator, descriptions and cases too, by path relative to its folder.

    Beside a lone file other operators may lie: of its folder only what is no source counts. Reads the disk.
    """
    from kernelgen_ls.workspace.project import Layout

    prefix = sources.operator_prefix
    lone = sources.project.layout is Layout.LONE
    texts: dict[str, str] = {}
    for path in sorted(sources.listing):
        if not path.startswith(prefix):
            continue
        relative = path.removeprefix(prefix)
        if lone and path != sources.entry and ("/" in relative or not path.endswith(_DESCRIBING)):
            continue
        text = sources.texts.get(path)
        if text is None and path.endswith(_SUFFIXES):
            text = text_on_disk(sources.path(path))
        if text is not None:
            texts[relative] = text
    return texts


def neighbours(root: Path) -> dict[str, str]:
    """The texts of kernels below a workspace's root, by path relative to it: those changed last, the latest at the end.

    Reads the disk, so call it in a thread.
    """
    suffixes = (*SOURCE_SUFFIXES, *HEADER_SUFFIXES)
    files = [path for path in islice(_walk(root), MAX_LISTED) if path.suffix in suffixes]
    found: dict[str, str] = {}
    room = MAX_NEIGHBOURS_CHARS
    for _, path in sorted(((-changed, path) for path, changed in _small(files))):
        text, relative = text_on_disk(path), path.relative_to(root).as_posix()
        if text is not None and role_of(relative, text) is Role.KERNEL:
            room -= len(text)
            if room < 0:
                break
            found[relative] = text
        if len(found) >= MAX_NEIGHBOURS:
            break
    return dict(reversed(found.items()))


def _small(files: Iterable[Path]) -> Iterator[tuple[Path, float]]:
    """The files that are short enough to be drafted from, with the time of their last change."""
    for path in files:
        with suppress(OSError):
            status = path.stat()
            if status.st_size <= MAX_NEIGHBOUR_CHARS:
                yield path, status.st_mtime


def _listing(file: Path, root: Path) -> Iterator[str]:
    """The operator's folder with everything below it, then what lies directly in each folder above, up to ``root``."""
    operator = _operator_folder(file, root)
    for path in islice(_walk(operator), MAX_LISTED):
        yield path.relative_to(root).as_posix()
    folder = operator
    while folder != root and root in folder.parents:
        folder = folder.parent
        for path in _files(folder):
            yield path.relative_to(root).as_posix()


def _operator_folder(file: Path, root: Path) -> Path:
    for folder in file.parents:
        if folder.name in FOLDERS and folder != root:
            return folder.parent
        if folder == root:
            break
    return file.parent


def _walk(folder: Path) -> Iterator[Path]:
    """What lies below a folder; never all of a home folder in which somebody keeps a kernel."""
    for visited, (parent, folders, names) in enumerate(os.walk(folder)):
        depth = len(Path(parent).relative_to(folder).parts)
        folders[:] = sorted(name for name in folders if name not in _SKIPPED and not name.startswith("."))
        if depth >= MAX_DEPTH:
            folders.clear()
        for name in sorted(names):
            if name.endswith(_SUFFIXES) or name == "CMakeLists.txt":
                yield Path(parent) / name
        if visited >= MAX_FOLDERS:
            return


def _files(folder: Path) -> list[Path]:
    try:
        return [path for path in sorted(folder.iterdir()) if path.suffix in _SUFFIXES or path.name == "CMakeLists.txt"]
    except OSError:
        return []


def text_on_disk(path: Path) -> str | None:
    """A file's text; None where there is none, or one of more than ``MAX_FILE_BYTES``."""
    try:
        if not path.is_file() or path.stat().st_size > MAX_FILE_BYTES:
            return None
        return path.read_bytes().decode("utf-8", "replace")
    except OSError:
        return None
