"""The files of an operator on this machine that a runner needs: op_host, op_kernel, headers, CMake, cases.

``.gitignore`` files are respected, links are not followed, sizes are limited. Nothing is executed, git neither.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from kernelgen_ls.kernel.roles import FOLDERS, HEADER_SUFFIXES, SOURCE_SUFFIXES
from kernelgen_ls.runner.jobs.messages import SourceFile
from kernelgen_ls.runner.jobs.tree import TreeLimits

_SUFFIXES = frozenset(
    (
        *(*SOURCE_SUFFIXES, *HEADER_SUFFIXES),
        *(".c", ".cmake", ".py", ".csv", ".json", ".md", ".txt", ".sh"),
    )
)
_NEVER = frozenset({".git", ".hg", ".svn", "node_modules", "__pycache__", "build", "build_out", ".venv"})


class TreeTooLargeError(ValueError):
    """The folder holds more than a runner takes."""


@frozen
class _Pattern:
    regex: re.Pattern[str]
    negated: bool
    folders_only: bool


def project_root(path: Path) -> Path:
    """The folder of the operator that ``path`` belongs to: the one with op_kernel or op_host, else the file's own."""
    path = path.absolute()
    for parent in path.parents:
        if parent.name in FOLDERS:
            return parent.parent
    return path.parent


def collect(root: Path, limits: TreeLimits | None = None) -> tuple[SourceFile, ...]:
    """The text files below ``root``, sorted by path. Raises :class:`TreeTooLargeError`."""
    limits = limits or TreeLimits()
    files: list[SourceFile] = []
    total = 0
    for path in _walk(root, "", []):
        try:
            data = (root / path).read_bytes()
        except OSError:
            continue  # it went away, or may not be read
        if len(data) > limits.file_bytes:
            continue
        total += len(data)
        if len(files) >= limits.files or total > limits.total_bytes:
            raise TreeTooLargeError(
                f"{root} holds more than {limits.files} files or {limits.total_bytes // 2**20} MiB: "
                "measure from the operator's own folder, or list what it does not need in .gitignore"
            )
        files.append(SourceFile(path, data.decode("utf-8", "replace")))
    return tuple(sorted(files, key=lambda file: file.path))


def find_cases(files: tuple[SourceFile, ...], kernel: str) -> str | None:
    """The cases file of a kernel, or the folder of NPUKernelBench's layout; None where there is neither."""
    paths = [file.path for file in files]
    for wanted in (f"{kernel}_cases.py", "cases.py"):
        found = next((path for path in paths if path.rsplit("/", 1)[-1] == wanted), None)
        if found:
            return found
    sheet = next((path for path in paths if path.endswith("validation/test_cases.csv")), None)
    return sheet.rsplit("/", 1)[0] if sheet else None


def _walk(root: Path, prefix: str, patterns: list[tuple[str, _Pattern]]) -> Iterator[str]:
    folder = root / prefix
    patterns = [*patterns, *((prefix, pattern) for pattern in _read_ignore(folder / ".gitignore"))]
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        path = f"{prefix}{entry.name}"
        is_folder = entry.is_dir(follow_symlinks=False)
        if entry.is_symlink() or entry.name in _NEVER or _ignored(path, is_folder, patterns):
            continue
        if is_folder:
            yield from _walk(root, f"{path}/", patterns)
        elif entry.is_file(follow_symlinks=False) and Path(entry.name).suffix in _SUFFIXES:
            yield path


def _ignored(path: str, is_folder: bool, patterns: list[tuple[str, _Pattern]]) -> bool:
    """Whether the last pattern that fits says so; a folder's patterns hold below it."""
    verdict = False
    for base, pattern in patterns:
        if (is_folder or not pattern.folders_only) and pattern.regex.fullmatch(path.removeprefix(base)):
            verdict = not pattern.negated
    return verdict


def _read_ignore(file: Path) -> list[_Pattern]:
    try:
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    return [pattern for line in lines if (pattern := _pattern(line)) is not None]


def _pattern(line: str) -> _Pattern | None:
    """One line of a ``.gitignore``, as gitignore(5) explains them."""
    text = line.rstrip()
    if not text or text.startswith("#"):
        return None
    negated = text.startswith("!")
    text = text.removeprefix("!").removeprefix("\\")
    folders_only = text.endswith("/")
    text = text.rstrip("/")
    anchored = "/" in text
    body = _translate(text.removeprefix("/"))
    try:
        regex = re.compile(body if anchored else f"(?:.*/)?{body}")
    except re.error:
        return None
    return _Pattern(regex, negated, folders_only)


def _translate(glob: str) -> str:
    pieces = re.split(r"(/\*\*/|\*\*/|/\*\*|\*|\?|\[[^\]/]+\])", glob)
    known = {"/**/": "/(?:.*/)?", "**/": "(?:.*/)?", "/**": "/.*", "*": "[^/]*", "?": "[^/]"}
    return "".join(
        known.get(piece)
        or (
            f"[{'^' if piece[1] in '!^' else ''}{piece[2:] if piece[1] in '!^' else piece[1:]}"
            if _is_set(piece)
            else re.escape(piece)
        )
        for piece in pieces
    )


def _is_set(piece: str) -> bool:
    return piece.startswith("[") and piece.endswith("]") and len(piece) > 2
