"""The files that a check of one document needs: the editor's text where a file is open, the disk's where it is not."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from attrs import frozen

from kernelgen_ls.lsp.documents import Document
from kernelgen_ls.runner.messages import SourceFile

MAX_FILES = 200
MAX_FILE_BYTES = 2 * 1024 * 1024
_SUFFIXES = {".h", ".hpp", ".cpp", ".cc", ".c", ".asc", ".cce", ".json", ".inc"}
_FOLDERS = ("op_host", "op_kernel", "include", "common", "src")


@frozen
class Sources:
    """A tree: ``root`` on this machine, paths inside it POSIX and relative."""

    root: Path
    entry: str
    files: tuple[SourceFile, ...]

    def path(self, relative: str) -> Path:
        """Where a file of the tree lies on this machine."""
        return self.root / relative


def gather(document: Document, opened: Iterable[Document], root_of: Callable[[Path], Path]) -> Sources:
    """Collect the operator that ``document`` belongs to; reads the disk, so call it in a thread."""
    workspace = root_of(document.path)
    root = _operator_root(document.path, workspace)
    entry = document.path.relative_to(root).as_posix()
    texts = {other.path: other.text for other in opened}
    texts[document.path] = document.text
    files = {entry: SourceFile(entry, document.text)}
    for path in _candidates(root, document.path):
        if len(files) >= MAX_FILES:
            break
        text = texts.get(path)
        if text is None:
            text = _read(path)
        if text is not None:
            relative = path.relative_to(root).as_posix()
            files.setdefault(relative, SourceFile(relative, text))
    return Sources(root, entry, tuple(files.values()))


def _operator_root(path: Path, workspace: Path) -> Path:
    """The folder that holds ``op_host`` and ``op_kernel``, or the file's own folder; never above the workspace."""
    for folder in path.parents:
        if folder.name in ("op_host", "op_kernel"):
            return folder.parent if folder != workspace else folder
        if folder == workspace:
            break
    return path.parent


def _candidates(root: Path, entry: Path) -> list[Path]:
    found = [path for path in sorted(_listed(entry.parent)) if path.suffix in _SUFFIXES]
    for name in _FOLDERS:
        folder = root / name
        if folder != entry.parent:
            found += [path for path in sorted(_listed(folder)) if path.suffix in _SUFFIXES]
    return found + [path for path in sorted(_listed(root)) if path.suffix in _SUFFIXES and path.parent != entry.parent]


def _listed(folder: Path) -> list[Path]:
    try:
        return [path for path in folder.iterdir() if path.is_file() and not path.is_symlink()]
    except OSError:
        return []


def _read(path: Path) -> str | None:
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            return None
        return path.read_bytes().decode("utf-8", "replace")
    except OSError:
        return None
