"""The files of an operator that travel to a runner: its folder, and what it includes from outside.

Sizes are limited; links that lead out, ignored files and binary files stay here. Nothing is executed, git neither.
"""

from __future__ import annotations

import os
import posixpath
from pathlib import Path

from attrs import frozen

from kernelgen_ls.kernel.cases.sheet import SHEET
from kernelgen_ls.workspace.operators import VALIDATION, Operator


class TreeTooLargeError(ValueError):
    """The folder holds more than a runner takes."""


@frozen
class TreeLimits:
    """The largest tree a runner takes; sizes in bytes of UTF-8."""

    files: int = 5_000
    file_bytes: int = 8 * 1024 * 1024
    total_bytes: int = 64 * 1024 * 1024


DEFAULT_TREE_LIMITS = TreeLimits()


@frozen
class OperatorTree:
    """An operator's texts by path, POSIX and relative to ``root``: its own folder, or one that holds its includes too.

    ``entry`` is the file that is worked on.
    """

    root: Path
    entry: str
    texts: dict[str, str]


def tree_of(operator: Operator, limits: TreeLimits = DEFAULT_TREE_LIMITS) -> OperatorTree:
    """The tree to send for an operator, sorted by path. Raises :class:`TreeTooLargeError`."""
    outside = operator.outside()
    base = posixpath.commonpath([operator.project.root, *map(posixpath.dirname, outside)]) if outside else None
    base = operator.project.root if base is None else base
    above = f"{base}/" if base else ""
    own = {operator.prefix + path: text for path, text in operator.belonging(limits.files).items()}
    texts = {path.removeprefix(above): text for path, text in sorted({**own, **outside}.items())}
    sizes = {path: len(text.encode("utf-8", "surrogatepass")) for path, text in texts.items()}
    kept = {path: text for path, text in texts.items() if sizes[path] <= limits.file_bytes}
    root = operator.files.place(base) if base else operator.files.root
    if len(kept) > limits.files or sum(sizes[path] for path in kept) > limits.total_bytes:
        raise TreeTooLargeError(
            f"{root} holds more than {limits.files} files or {limits.total_bytes // 2**20} MiB: "
            "measure from the operator's own folder, or list what it does not need in .gitignore"
        )
    return OperatorTree(Path(os.path.normpath(root)), operator.entry.removeprefix(above), kept)


def find_cases(texts: dict[str, str], kernel: str, *, torch: bool = True) -> str | None:
    """The cases file of a kernel, or the folder of NPUKernelBench's layout; None where there is neither.

    Without ``torch`` where the cases are run, such a folder is nothing to run a kernel on.
    """
    for wanted in (f"{kernel}_cases.py", "cases.py"):
        found = next((path for path in texts if posixpath.basename(path) == wanted), None)
        if found:
            return found
    sheet = next((path for path in texts if path.endswith(f"{VALIDATION}/{SHEET}")), None) if torch else None
    return posixpath.dirname(sheet) if sheet else None
