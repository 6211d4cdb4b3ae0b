"""Fetching a GGUF file from Hugging Face (or a mirror of it) or ModelScope: resumed, checked, whole or not at all."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Any

from attrs import frozen

from kernelgen_ls.folders import resuming
from kernelgen_ls.model import gguf_file
from kernelgen_ls.model.gguf_file import GgufError

OnProgress = Callable[[int, int], None]
"""Gets the bytes there are and the bytes there will be (0: unknown)."""

_MODELSCOPE = "https://modelscope.cn"
_PREFERRED = ("q4_k_m", "q4_k_s", "q4_0", "q5_k_m", "q8_0", "f16")
_POLL_SECONDS = 0.2
_PIECE = 1 << 20


class Hub(str, Enum):
    """Where to fetch from."""

    HUGGING_FACE = "hf"
    MODELSCOPE = "modelscope"


class DownloadError(RuntimeError):
    """The file could not be fetched; the text says why and what to do."""


@frozen
class RemoteFile:
    """A GGUF file in a repository. ``size`` 0 and ``sha256`` empty: the hub does not say."""

    repository: str
    name: str
    size: int = 0
    sha256: str = ""


def remote_files(repository: str, hub: Hub, *, revision: str = "", endpoint: str | None = None) -> list[RemoteFile]:
    """The GGUF files of a repository. Raises :class:`DownloadError`."""
    try:
        if hub is Hub.MODELSCOPE:
            return _modelscope_files(repository, revision or "master", endpoint or _MODELSCOPE)
        from huggingface_hub import HfApi

        info = HfApi(endpoint=endpoint).model_info(repository, revision=revision or None, files_metadata=True)
        return [
            RemoteFile(repository, sibling.rfilename, sibling.size or 0, sibling.lfs.sha256 if sibling.lfs else "")
            for sibling in info.siblings or []
            if sibling.rfilename.endswith(".gguf")
        ]
    except DownloadError:
        raise
    except Exception as error:
        # huggingface_hub raises its own, its HTTP client's and the system's errors, other ones in other versions.
        raise DownloadError(_why(f"{repository} cannot be listed", error)) from error


def pick(files: list[RemoteFile], wanted: str) -> RemoteFile:
    """The file named ``wanted`` (or whose name contains it); without it the only one, or the usual 4-bit one.

    Raises :class:`DownloadError` with the names there are.
    """
    if not files:
        raise DownloadError("the repository holds no .gguf file: convert the model with llama.cpp, or choose another")
    names = ", ".join(file.name for file in files)
    if wanted:
        matching = [file for file in files if file.name == wanted] or [
            file for file in files if wanted.lower() in file.name.lower()
        ]
        if len(matching) != 1:
            raise DownloadError(f"{len(matching)} files match {wanted!r}; there are: {names}")
        return matching[0]
    if len(files) == 1:
        return files[0]
    for quantisation in _PREFERRED:
        matching = [file for file in files if quantisation in file.name.lower()]
        if len(matching) == 1:
            return matching[0]
    raise DownloadError(f"choose one of its files with REPOSITORY:FILE; there are: {names}")


def fetch(
    file: RemoteFile,
    folder: Path,
    hub: Hub,
    *,
    revision: str = "",
    endpoint: str | None = None,
    on_progress: OnProgress | None = None,
) -> Path:
    """Fetch ``file`` below ``folder``, going on from what an interrupted run left; its path once it is whole.

    Raises :class:`DownloadError`; what was fetched is kept for the next run unless it is wrong.
    """
    if Path(file.name).is_absolute() or ".." in Path(file.name).parts:
        raise DownloadError(f"the repository names a file {file.name!r}, which would lie outside its folder")
    place = folder / file.repository.replace("/", "--")
    place.mkdir(parents=True, exist_ok=True)
    with _Watched(place, file, on_progress):
        try:
            path = _resumed(file, place, *_address(file, hub, revision, endpoint))
        except Exception as error:
            # As above: the errors of huggingface_hub differ from version to version.
            raise DownloadError(_why(f"{file.name} was not fetched", error)) from error
    _check(path, file)
    return path


def _address(file: RemoteFile, hub: Hub, revision: str, endpoint: str | None) -> tuple[str, dict[str, str]]:
    """Where the file is, and the headers (with the user's own token, for Hugging Face) to ask with."""
    if hub is Hub.MODELSCOPE:
        return f"{endpoint or _MODELSCOPE}/models/{file.repository}/resolve/{revision or 'master'}/{file.name}", {}
    from huggingface_hub import hf_hub_url
    from huggingface_hub.utils import build_hf_headers  # type: ignore[attr-defined] # public, not in __all__

    url = hf_hub_url(file.repository, file.name, revision=revision or None, endpoint=endpoint)
    return url, {**build_hf_headers(), "Accept-Encoding": "identity"}


def _resumed(file: RemoteFile, place: Path, url: str, headers: dict[str, str]) -> Path:
    """huggingface_hub's own transfer with its retries, into a part file that the next run goes on with.

    Its ``hf_hub_download`` starts over in every run, which for a model of gigabytes is not good enough.
    """
    from huggingface_hub.file_download import http_get
    from huggingface_hub.utils import disable_progress_bars  # type: ignore[attr-defined] # public, not in __all__

    disable_progress_bars()
    path = place / file.name
    if path.exists() and (not file.size or path.stat().st_size == file.size):
        return path
    with resuming(path) as part, part.open("ab") as stream:
        http_get(url, stream, resume_size=stream.tell(), headers=headers, expected_size=file.size or None)
    return path


def _modelscope_files(repository: str, revision: str, endpoint: str) -> list[RemoteFile]:
    answer = _get_json(f"{endpoint}/api/v1/models/{repository}/repo/files?Revision={revision}&Recursive=true")
    listed = (answer.get("Data") or {}).get("Files") or []
    return [
        RemoteFile(repository, str(entry["Path"]), int(entry.get("Size") or 0), str(entry.get("Sha256") or ""))
        for entry in listed
        if str(entry.get("Path", "")).endswith(".gguf")
    ]


def _get_json(url: str) -> dict[str, Any]:
    from huggingface_hub.utils import get_session  # type: ignore[attr-defined] # public, not in __all__

    response = get_session().get(url, timeout=30)
    response.raise_for_status()
    answer = response.json()
    if not isinstance(answer, dict):
        raise DownloadError(f"{url} did not answer with a list of files")
    return answer


def _check(path: Path, file: RemoteFile) -> None:
    if file.sha256:
        digest = hashlib.sha256()
        with path.open("rb") as stream:
            while piece := stream.read(_PIECE):
                digest.update(piece)
        if digest.hexdigest() != file.sha256.lower():
            path.unlink()
            raise DownloadError(f"{file.name} arrived damaged (its checksum is wrong) and was removed: fetch it again")
    try:
        gguf_file.read(path)
    except GgufError as error:
        raise DownloadError(str(error)) from error


def _why(what: str, error: Exception) -> str:
    status = getattr(getattr(error, "response", None), "status_code", 0)
    if status in {401, 403}:
        return f"{what}: access is refused. Log in with `hf auth login`, or check the repository's name"
    if status == 404:
        return f"{what}: there is no such repository or file. Check the name"
    first = (str(error) or type(error).__name__).strip().splitlines()[0]
    return f"{what}: {first}. Run the same command again to go on; set HF_ENDPOINT to use a mirror"


class _Watched:
    """Reports the size of what is being written; works with every way huggingface_hub has to fetch a file."""

    def __init__(self, place: Path, file: RemoteFile, on_progress: OnProgress | None) -> None:
        self._place = place
        self._file = file
        self._on_progress = on_progress
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, name="download-progress", daemon=True)
        self._since = time.time()

    def __enter__(self) -> None:
        if self._on_progress is not None:
            self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._done.set()
        if self._on_progress is not None:
            self._thread.join()
            self._report()

    def _run(self) -> None:
        while not self._done.wait(_POLL_SECONDS):
            self._report()

    def _report(self) -> None:
        assert self._on_progress is not None
        paths = (self._place / self._file.name, *self._place.rglob("*.incomplete"))
        self._on_progress(max(map(_size_of, paths)), self._file.size)


def _size_of(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
