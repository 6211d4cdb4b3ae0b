"""Measurements of each kernel over time, on disk and bounded: what a hover compares with, and a plot draws.

One file a kernel, one JSON line a measurement, the newest last. A file that is damaged loses its damaged lines only.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from kernelgen_ls.folders import data_folder, write_text
from kernelgen_ls.rpc import RpcError, parts_hash
from kernelgen_ls.rpc.wire import from_wire, to_wire
from kernelgen_ls.runner.jobs.messages import Latency

log = logging.getLogger(__name__)


@frozen
class KernelKey:
    """Which kernel: the project's folder on this machine, the file in it, the entry function."""

    root: str
    path: str
    kernel: str

    @property
    def file_name(self) -> str:
        """The history file's name."""
        text = "\0".join((self.root, self.path, self.kernel)).encode("utf-8", "surrogatepass")
        return f"{self.kernel[:60]}-{hashlib.sha256(text).hexdigest()[:24]}.jsonl"


@frozen
class Measured:
    """One measurement: ``text_hash`` is of everything that was compiled, ``runner`` the runner's name."""

    text_hash: str
    runner: str
    latency: Latency


def tree_hash(texts: Sequence[tuple[str, str]]) -> str:
    """A hash of (path, text) pairs: a measurement is stale as soon as it differs."""
    return parts_hash(part for pair in sorted(texts) for part in pair)


def change(new: Latency, old: Latency | None) -> float | None:
    """How much ``new`` differs from ``old`` as a share (-0.04: four per cent faster); None where they do not compare.

    Other chips, cases and kinds of figures do not compare.
    """
    if old is None or old.median_us <= 0 or (old.soc, old.case, old.kind) != (new.soc, new.case, new.kind):
        return None
    return (new.median_us - old.median_us) / old.median_us


def before(entries: Sequence[Measured]) -> Measured | None:
    """The newest measurement before the last that compares with it: same chip, same case, same kind of figure."""
    earlier = entries[:-1]
    return next((one for one in reversed(earlier) if change(entries[-1].latency, one.latency) is not None), None)


class History:
    """The measurements in ``folder`` (default: this user's data folder), at most ``keep`` of a kernel."""

    def __init__(self, folder: Path | None = None, keep: int = 100, max_kernels: int = 1000) -> None:
        self._folder = folder or data_folder() / "latency"
        self._keep = keep
        self._max_kernels = max_kernels

    def append(self, key: KernelKey, measured: Measured) -> None:
        """Keep a measurement; a disk that does not take it is logged, no more."""
        entries = [*self.entries(key), measured][-self._keep :]
        text = "".join(json.dumps(to_wire(entry), ensure_ascii=False) + "\n" for entry in entries)
        file = self._folder / key.file_name
        try:
            write_text(file, text)
            self._prune()
        except OSError as problem:
            log.warning("the measurement is not kept: %s", problem)

    def entries(self, key: KernelKey) -> list[Measured]:
        """A kernel's measurements, oldest first."""
        try:
            lines = (self._folder / key.file_name).read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return []
        found = []
        for line in lines:
            entry = _entry(line)
            if entry is not None:
                found.append(entry)
        return found

    def _prune(self) -> None:
        files = sorted(self._folder.glob("*.jsonl"), key=lambda path: path.stat().st_mtime)
        for file in files[: max(0, len(files) - self._max_kernels)]:
            file.unlink(missing_ok=True)


def _entry(line: str) -> Measured | None:
    try:
        return from_wire(json.loads(line), Measured)
    except (ValueError, RpcError):
        return None
