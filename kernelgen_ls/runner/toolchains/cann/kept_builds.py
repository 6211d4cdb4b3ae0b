"""Built packages that are kept between jobs: taken out of a job's reach, claimed, pruned.

Workers of several runners use one folder at the same time.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

_SOURCES = "kernelgen-built-from"
_PARTIAL = "partial-"


def built_from(package: Path) -> str:
    """The hash of all that a kept package was built from."""
    try:
        return (package / _SOURCES).read_text()
    except OSError:
        return ""


def take(source: Path, target: Path, built_from: str) -> None:
    """Copy what was built out of its job's reach: files, folders, and links that stay inside; nothing else."""
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o755)
    partial = Path(tempfile.mkdtemp(prefix=_PARTIAL, dir=target.parent))
    try:
        shutil.copytree(source, partial / "vendor", symlinks=True, ignore=lambda f, names: _strange(source, f, names))
        for path in (partial / "vendor", *(partial / "vendor").rglob("*")):
            if not path.is_symlink():
                path.chmod(0o755 if path.is_dir() else 0o644)
        note = partial / "vendor" / _SOURCES
        note.unlink(missing_ok=True)
        note.write_text(built_from)
        (partial / "vendor").replace(target)
    except OSError:
        if not target.is_dir():  # else another worker built the same and was first
            raise
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _strange(root: Path, folder: str, names: list[str]) -> list[str]:
    inside, strange = os.path.realpath(root), []
    for name in names:
        path = Path(folder) / name
        if path.is_symlink():
            leads = os.path.realpath(path)
            fine = not path.readlink().is_absolute() and leads.startswith(f"{inside}{os.sep}") and path.exists()
        else:
            fine = path.is_file() or path.is_dir()
        if not fine:
            strange.append(name)
    return strange


def claimed(keep: Path) -> bool:
    """Whether a package is kept; from now on it counts as used, and no worker removes it for as long as a job runs."""
    try:
        with _locked(keep.parent):
            if not keep.is_dir():
                return False
            os.utime(keep)
            return True
    except FileNotFoundError:
        return False


def prune(folder: Path, limit: int, newest: Path, spared: float) -> None:
    """Keep the builds within ``limit`` bytes, the least recently used go first.

    Other workers build and use packages here at the same time: what was made or used in the last ``spared`` seconds
    stays, whatever it takes. What a worker left half copied when it died goes.
    """
    spare_after = time.time() - spared
    sizes = []
    for build in folder.iterdir():
        with contextlib.suppress(OSError):
            used = build.stat().st_mtime
            if not build.name.startswith(_PARTIAL):
                sizes.append((used, sum(path.lstat().st_size for path in build.rglob("*")), build))
            elif used < spare_after:
                shutil.rmtree(build, ignore_errors=True)
    total = sum(size for _, size, _ in sizes)
    for _, size, build in sorted(sizes):
        if total <= limit:
            return
        if build != newest and _removed(build, spare_after):
            total -= size


def _removed(build: Path, spare_after: float) -> bool:
    """Remove a package unless a job has claimed it since; at once for everyone who looks, its files after that."""
    try:
        with _locked(build.parent):
            if build.stat().st_mtime >= spare_after:
                return False
            doomed = Path(tempfile.mkdtemp(prefix=_PARTIAL, dir=build.parent))
            build.replace(doomed / "vendor")
    except OSError:
        return False
    shutil.rmtree(doomed, ignore_errors=True)
    return True


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Alone among the workers of every runner that keeps its builds in ``folder``, for a moment."""
    import fcntl  # Unix only

    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
