"""Where the program keeps what on this machine, and the one way to write a file whole.

A file is written beside its place and then put there, so that whoever reads it finds what was there before or all of
what is there now: after a crash, on a full disk, beside a second process that writes the same. Imported at the server's
start: nothing here imports more than the standard library does at once.
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import json
import os
import stat
import time
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

APP = "kernelgen-ls"

DECLARATIONS = Path(__file__).resolve().parent / "runner" / "include"
"""Our declarations: ``kernel_operator.h`` and what kernels and host files include beside it."""

_PART = ".part"
_STALE_SECONDS = 24 * 3600
_numbers = itertools.count()


class NotWrittenError(OSError):
    """A file could not be written; what was there before is still there. ``filename`` is the file that was meant."""

    def __str__(self) -> str:
        return f"{self.filename} cannot be written: {self.strerror}"


@cache
def declared_headers() -> frozenset[str]:
    """The headers that this program declares itself, as they are included."""
    standard = DECLARATIONS / "std"
    found = (path for path in DECLARATIONS.rglob("*") if path.is_file())
    ours = (path.relative_to(standard if standard in path.parents else DECLARATIONS).as_posix() for path in found)
    return frozenset((*ours, *forwarded_headers()))


@cache
def forwarded_headers() -> Mapping[str, str]:
    """Headers that CANN spreads over many files and that are one of ours: by name, what is read in their place.

    ``forwarded.txt`` has a line ``ours:``, and below it, indented, ``folder/:`` and names without ``.h``.
    """
    found: dict[str, str] = {}
    target = folder = ""
    for line in (DECLARATIONS / "forwarded.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        if not line.startswith(" "):
            target = line.removesuffix(":")
            continue
        for word in line.split():
            if word.endswith("/:"):
                folder = "" if word == "./:" else word.removesuffix(":")
            else:
                found[f"{folder}{word}.h"] = target
    return found


def config_folder() -> Path:
    """What the user has set and chosen."""
    from platformdirs import user_config_path  # here: half a server's start does without it

    return user_config_path(APP, appauthor=False)


def data_folder() -> Path:
    """What is to be kept: models, measurements, records."""
    from platformdirs import user_data_path

    return user_data_path(APP, appauthor=False)


def cache_folder() -> Path:
    """What only saves time: everything goes on without it."""
    from platformdirs import user_cache_path

    return user_cache_path(APP, appauthor=False)


def write_text(path: Path, text: str, *, durable: bool = True) -> None:
    """Write ``text`` as UTF-8 with its own line ends, whole or not at all, as :func:`write_bytes` does."""
    write_bytes(path, text.encode("utf-8"), durable=durable)


def write_json(path: Path, value: object, *, durable: bool = True) -> None:
    """Write plain ``value`` as JSON for people and machines, whole or not at all."""
    write_text(path, json.dumps(value, indent=2) + "\n", durable=durable)


def write_bytes(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Write ``data``, whole or not at all; folders that are missing are made. Raises :class:`NotWrittenError`.

    ``durable`` waits for the disk, so that a power cut cannot leave an empty file; what only saves time does without.
    """
    with writing(path, durable=durable) as part:
        part.write_bytes(data)


@contextlib.contextmanager
def writing(path: Path, *, durable: bool = True) -> Iterator[Path]:
    """Give the path of a file to write, which takes ``path``'s place at the end of the block.

    Its permissions are those of the file it replaces; a link stays a link, and a file that must not be written is not
    replaced either. Where the block raises, what it wrote is removed and ``path`` is as it was. A device or a pipe has
    nothing to lose: it is written as it is. Raises :class:`NotWrittenError` for every ``OSError``.
    """
    try:
        target = Path(os.path.realpath(path))
        before = _mode(target)
        if before is not None and not stat.S_ISREG(before):
            yield target
            return
        if before is not None and not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        _make_folder(target.parent)
        part = target.with_name(f".{target.name[:48]}.{os.getpid()}-{next(_numbers)}{_PART}")
        try:
            yield part
            _put(part, target, before, durable=durable)
        except BaseException:
            with contextlib.suppress(OSError):
                part.unlink()
            raise
    except OSError as problem:
        raise NotWrittenError(problem.errno, problem.strerror or str(problem), str(path)) from problem


@contextlib.contextmanager
def resuming(path: Path) -> Iterator[Path]:
    """As :func:`writing`, for what takes hours to come: where the block raises, what there is stays for the next time.

    The file to append to is the same every time. Errors of the block pass as they are.
    """
    part = incomplete(path)
    _make_folder(path.parent)
    yield part
    _put(part, path, None, durable=True)


def incomplete(path: Path) -> Path:
    """The file that :func:`resuming` writes for ``path``."""
    return path.with_name(path.name + ".incomplete")


def remove_parts(folder: Path) -> None:
    """Remove what writes that were cut short have left in ``folder`` a day ago or earlier."""
    for part in folder.glob(f"*{_PART}"):
        with contextlib.suppress(OSError):
            if time.time() - part.stat().st_mtime > _STALE_SECONDS:
                part.unlink()


def _put(part: Path, target: Path, mode: int | None, *, durable: bool) -> None:
    if durable:
        with part.open("rb+") as stream:
            os.fsync(stream.fileno())
    if mode is not None:
        part.chmod(stat.S_IMODE(mode))
    part.replace(target)


def _make_folder(folder: Path) -> None:
    # Where a file has the folder's name, opening what lies below it says so in better words.
    with contextlib.suppress(FileExistsError):
        folder.mkdir(parents=True, exist_ok=True)


def _mode(path: Path) -> int | None:
    try:
        return path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
