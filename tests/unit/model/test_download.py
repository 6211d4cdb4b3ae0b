"""Downloads go on where they were cut off, are checked, and leave nothing wrong behind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kernelgen_ls.model.download import DownloadError, RemoteFile, fetch, pick, remote_files
from kernelgen_ls.model.download import Hub as Where
from tests.unit.model.hub import Hub, serving


@pytest.fixture
def hub(tiny_gguf: Path) -> Iterator[Hub]:
    with serving(Hub({"tiny.gguf": tiny_gguf.read_bytes()})) as hub:
        yield hub


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """huggingface_hub writes every 10 MB; the tests' file is smaller than that."""
    monkeypatch.setattr("huggingface_hub.constants.DOWNLOAD_CHUNK_SIZE", 500)


@pytest.fixture(params=list(Where))
def where(request: pytest.FixtureRequest) -> Where:
    return request.param


def pull(hub: Hub, where: Where, folder: Path, seen: list[tuple[int, int]] | None = None) -> Path:
    file = pick(remote_files("me/kernels", where, endpoint=hub.address), "")
    on_progress = None if seen is None else (lambda there, total: seen.append((there, total)))
    return fetch(file, folder, where, endpoint=hub.address, on_progress=on_progress)


def test_a_file_arrives_whole_and_progress_ends_at_its_size(hub: Hub, where: Where, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    path = pull(hub, where, tmp_path, seen)
    size = len(hub.files["tiny.gguf"])
    assert path.read_bytes() == hub.files["tiny.gguf"]
    assert seen[-1] == (size, size)
    assert not list(tmp_path.rglob("*.incomplete"))


def test_a_connection_dropped_half_way_is_taken_up_where_it_broke(hub: Hub, where: Where, tmp_path: Path) -> None:
    hub.drops = [len(hub.files["tiny.gguf"]) // 2]
    path = pull(hub, where, tmp_path)
    assert path.read_bytes() == hub.files["tiny.gguf"]
    assert len(hub.ranges) == 2
    assert int(hub.ranges[1].removeprefix("bytes=").partition("-")[0]) > 0


def test_a_run_that_failed_is_gone_on_with_by_the_next(
    hub: Hub, where: Where, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    hub.drops = [1000, *[0] * 6]
    with pytest.raises(DownloadError, match="Run the same command again"):
        pull(hub, where, tmp_path)
    hub.drops = []
    before = len(hub.ranges)
    path = pull(hub, where, tmp_path)
    assert path.read_bytes() == hub.files["tiny.gguf"]
    assert hub.ranges[before].startswith("bytes=")


def test_a_wrong_checksum_removes_the_file(hub: Hub, where: Where, tmp_path: Path) -> None:
    hub.wrong_checksum = True
    with pytest.raises(DownloadError, match="checksum"):
        pull(hub, where, tmp_path)
    assert not list(tmp_path.rglob("*.gguf"))


def test_a_missing_repository_says_so(hub: Hub, where: Where) -> None:
    with pytest.raises(DownloadError, match="no such repository"):
        remote_files("me/other", where, endpoint=hub.address)


def test_no_server_says_what_to_do(where: Where) -> None:
    with pytest.raises(DownloadError, match="cannot be listed"):
        remote_files("me/kernels", where, endpoint="http://127.0.0.1:1")


@pytest.mark.parametrize(
    ("names", "wanted", "picked"),
    [
        (["a.gguf"], "", "a.gguf"),
        (["m-Q8_0.gguf", "m-Q4_K_M.gguf", "m-F16.gguf"], "", "m-Q4_K_M.gguf"),
        (["m-Q8_0.gguf", "m-Q4_K_M.gguf"], "q8", "m-Q8_0.gguf"),
        (["m.gguf", "m-Q8_0.gguf"], "m.gguf", "m.gguf"),
    ],
)
def test_which_file_is_taken(names: list[str], wanted: str, picked: str) -> None:
    assert pick([RemoteFile("r", name) for name in names], wanted).name == picked


@pytest.mark.parametrize(("names", "wanted"), [([], ""), (["a.gguf", "b.gguf"], ""), (["a.gguf", "b.gguf"], "gguf")])
def test_when_it_is_not_clear_the_names_are_listed(names: list[str], wanted: str) -> None:
    with pytest.raises(DownloadError) as error:
        pick([RemoteFile("r", name) for name in names], wanted)
    assert all(name in str(error.value) for name in names)


@pytest.mark.parametrize("name", ["../../evil.gguf", "/evil.gguf"])
def test_a_name_that_leads_out_of_the_folder_is_refused(where: Where, tmp_path: Path, name: str) -> None:
    with pytest.raises(DownloadError, match="outside"):
        fetch(RemoteFile("me/kernels", name), tmp_path, where, endpoint="http://127.0.0.1:1")
