"""Evaluated states on disk: reopening a file then costs a read instead of a prefill.

One folder a model (its content's fingerprint and the context's layout), one file a list of tokens. The files are
llama.cpp's own sequence states, which begin with the tokens, so the longest common prefix is found without an index
that could be wrong. The least recently used ones go when the total is over its bound.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from array import array
from collections.abc import Sequence
from pathlib import Path

from kernelgen_ls.folders import remove_parts
from kernelgen_ls.kernel.changes import common_prefix

MAGIC = 0x67677371
"""``ggsq``: magic, version, number of tokens (32 bits each, little-endian), then the tokens."""
_HEADER = 12
_MOST_TOKENS = 1 << 20


def read_tokens(path: Path) -> list[int]:
    """The tokens a state file holds; none where it is no such file."""
    try:
        with path.open("rb") as file:
            header = array("I", file.read(_HEADER))
            if len(header) != 3 or header[0] != MAGIC or not 0 < header[2] < _MOST_TOKENS:
                return []
            tokens = array("i", file.read(4 * header[2]))
    except (OSError, ValueError):
        return []
    return list(tokens) if len(tokens) == header[2] else []


class StateFolder:
    """The states of one model in ``folder``; at most ``limit`` bytes over all models' folders beside it.

    Raises ``OSError`` where there can be no such folder.
    """

    def __init__(self, folder: Path, limit: int) -> None:
        self._folder = folder
        self._limit = limit
        self._known: dict[Path, list[int]] = {}
        folder.mkdir(parents=True, exist_ok=True)
        # The states hold what the user's files say.
        folder.parent.chmod(0o700)
        remove_parts(folder)
        for path in folder.glob("*.state"):
            if tokens := read_tokens(path):
                self._known[path] = tokens
        self._shrink()

    def best(self, tokens: Sequence[int]) -> tuple[Path, int] | None:
        """The file that shares the longest start with ``tokens``, and how long that is."""
        best = max(
            ((common_prefix(known, tokens), path) for path, known in self._known.items()),
            default=(0, self._folder),
            key=lambda pair: pair[0],
        )
        if not best[0]:
            return None
        try:
            os.utime(best[1])
        except FileNotFoundError:
            # Another process of ours dropped it.
            self._known.pop(best[1], None)
            return None
        except OSError:
            pass  # it can be read all the same, and is merely taken for an older one
        return best[1], best[0]

    def path_for(self, tokens: Sequence[int]) -> Path | None:
        """Where the state of ``tokens`` goes; None where a file holds them already, as they are or as its start."""
        if any(len(known) >= len(tokens) == common_prefix(known, tokens) for known in self._known.values()):
            return None
        name = hashlib.sha256(array("i", tokens).tobytes()).hexdigest()[:32]
        return self._folder / f"{name}.state"

    def written(self, path: Path) -> None:
        """``path`` is complete. What it begins with needs no file of its own any more."""
        tokens = read_tokens(path)
        for other, known in list(self._known.items()):
            if other != path and len(known) <= len(tokens) and common_prefix(known, tokens) == len(known):
                self._known.pop(other)
                _remove(other)
        self._known[path] = tokens
        self._shrink()

    def _shrink(self) -> None:
        files = []
        for path in self._folder.parent.glob("*/*.state"):
            try:
                status = path.stat()
            except OSError:
                continue
            files.append((status.st_mtime, status.st_size, path))
        total = sum(size for _, size, _ in files)
        for _, size, path in sorted(files):
            if total <= self._limit:
                return
            _remove(path)
            self._known.pop(path, None)
            total -= size


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):  # what cannot be removed only takes place
        path.unlink(missing_ok=True)
