"""What the files of a request may look like: paths, sizes and flags are checked before anything touches a disk."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from attrs import evolve

from kernelgen_ls.rpc import ErrorCode, RpcError
from kernelgen_ls.runner.jobs.messages import SourceFile
from kernelgen_ls.workspace.tree import TreeLimits

_FLAG = re.compile(
    r"-O[0-3]|-g|-std=c\+\+(?:14|17|20)|-D[A-Za-z_]\w*(?:=[\w.+-]*)?|-W(?:no-)?[a-z][a-z0-9+-]*|--cce-auto-sync(?:=(?:on|off))?"
)
_SEGMENT_BYTES = 255
_PATH_BYTES = 1024
_DEPTH = 32


def text_hash(text: str) -> str:
    """The SHA-256 that names a file's text on the wire."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def content_key(kind: str, files: Iterable[SourceFile], *profile: str) -> str:
    """The SHA-256 over the kind of job, each file's path and hash, and whatever else decides the answer."""
    digest = hashlib.sha256()
    for part in [kind, *profile, "", *(p for f in files for p in (f.path, f.sha256))]:
        encoded = part.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "big") + encoded)
    return digest.hexdigest()


def write_tree(root: Path, texts: Mapping[str, str]) -> None:
    """Write the texts (checked paths to content) below ``root``."""
    for path, text in texts.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", errors="surrogatepass", newline="")


def check_path(path: str) -> None:
    """Raise :class:`RpcError` INVALID_PARAMS unless ``path`` is relative, POSIX, and stays below its root."""
    segments = path.split("/")
    if (
        not path
        or len(path.encode("utf-8", "surrogatepass")) > _PATH_BYTES
        or len(segments) > _DEPTH
        or any(s in ("", ".", "..") or len(s.encode("utf-8", "surrogatepass")) > _SEGMENT_BYTES for s in segments)
        or "\\" in path
        or any(ord(c) < 32 or c == "\x7f" for c in path)
        or re.match(r"[A-Za-z]:", path)
    ):
        raise _invalid(f"the path {path[:200]!r} does not stay inside the project: paths are relative, without '..'")


def check_flags(flags: Iterable[str]) -> None:
    """Raise :class:`RpcError` INVALID_PARAMS for a compiler flag that is not on the allow-list."""
    for flag in flags:
        if not _FLAG.fullmatch(flag):
            raise _invalid(f"the compiler flag {flag[:100]!r} is not allowed on a runner")


def name_files(
    files: Sequence[SourceFile], entry: str, limits: TreeLimits, known: Callable[[str], bytes | None]
) -> tuple[SourceFile, ...]:
    """The files by path, each with its hash; a text that was not sent stays away (``load_texts`` brings it).

    That is enough to look for a kept answer without reading the tree. ``known`` gives the UTF-8 of a hash or None.
    Raises :class:`RpcError`: INVALID_PARAMS for a bad path, a duplicate or a wrong hash, TOO_LARGE over ``limits``,
    BLOB_MISSING with the hashes that the sender has to send.
    """
    if len(files) > limits.files:
        raise RpcError(ErrorCode.TOO_LARGE, f"a tree of {len(files)} files; this runner takes {limits.files}")
    named: dict[str, SourceFile] = {}
    missing: list[str] = []
    total = 0
    for file in files:
        check_path(file.path)
        if file.path in named:
            raise _invalid(f"{file.path!r} is in the tree twice")
        if file.text is None:
            data = known(file.sha256)
            if data is None:
                missing.append(file.sha256)
                continue
        else:
            data = file.text.encode("utf-8", "surrogatepass")
            name = hashlib.sha256(data).hexdigest()
            if file.sha256 not in ("", name):
                raise _invalid(f"{file.path}: its text does not have the hash it is named by")
            file = file if file.sha256 else evolve(file, sha256=name)
        total += len(data)
        if len(data) > limits.file_bytes:
            raise RpcError(
                ErrorCode.TOO_LARGE, f"{file.path}: {len(data)} bytes; this runner takes {limits.file_bytes}"
            )
        if total > limits.total_bytes:
            raise RpcError(
                ErrorCode.TOO_LARGE, f"the tree has over {limits.total_bytes} bytes, the most this runner takes"
            )
        named[file.path] = file
    if missing:
        raise _missing(missing)
    if entry not in named:
        raise _invalid(f"the entry {entry[:200]!r} is not in the tree")
    _refuse_file_as_folder(named)
    return tuple(named[path] for path in sorted(named))


def load_texts(files: Sequence[SourceFile], known: Callable[[str], bytes | None]) -> tuple[SourceFile, ...]:
    """The files of ``name_files`` with every text; raises :class:`RpcError` BLOB_MISSING for what is gone since."""
    whole, missing = [], []
    for file in files:
        if file.text is None:
            data = known(file.sha256)
            if data is None:
                missing.append(file.sha256)
                continue
            file = evolve(file, text=data.decode("utf-8", "surrogatepass"))
        whole.append(file)
    if missing:
        raise _missing(missing)
    return tuple(whole)


def _refuse_file_as_folder(paths: Iterable[str]) -> None:
    taken = set(paths)
    for path in taken:
        parts = path.split("/")
        for depth in range(1, len(parts)):
            if "/".join(parts[:depth]) in taken:
                raise _invalid(f"{path!r} lies inside another file of the tree")


def _missing(hashes: list[str]) -> RpcError:
    return RpcError(ErrorCode.BLOB_MISSING, f"{len(hashes)} files are not known here", {"hashes": hashes})


def _invalid(message: str) -> RpcError:
    return RpcError(ErrorCode.INVALID_PARAMS, message)
