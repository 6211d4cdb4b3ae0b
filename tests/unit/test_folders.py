"""A file is written whole or not at all, and what was there is never lost."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from kernelgen_ls import folders
from kernelgen_ls.folders import NotWrittenError, incomplete, remove_parts, resuming, write_bytes, write_text, writing


def test_text_is_written_with_its_own_line_ends_and_folders_are_made(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "核.cpp"
    write_text(path, "a\r\nb\n")
    assert path.read_bytes() == b"a\r\nb\n"
    assert [one.name for one in path.parent.iterdir()] == ["核.cpp"]


def test_a_block_that_raises_leaves_what_was_there_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "kernel.cpp"
    path.write_text("before")
    with pytest.raises(ValueError, match="half way"), writing(path) as part:
        part.write_text("half")
        raise ValueError("half way")
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("step", ["write_bytes", "replace"])
def test_a_full_disk_names_the_file_and_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    path = tmp_path / "kernel.cpp"
    path.write_text("before")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, step, full)
    with pytest.raises(NotWrittenError, match=r"kernel\.cpp cannot be written: No space left on device") as caught:
        write_text(path, "after")
    assert (caught.value.errno, caught.value.filename) == (errno.ENOSPC, str(path))
    monkeypatch.undo()
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_cannot_be_made_is_said_in_the_name_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file" / "kernel.cpp", tmp_path / "file" / "below" / "kernel.cpp"):
        with pytest.raises(NotWrittenError, match=r"kernel\.cpp cannot be written: Not a directory"):
            write_text(path, "text")


def test_a_folder_in_the_files_place_stays(tmp_path: Path) -> None:
    with pytest.raises(NotWrittenError, match="Is a directory"):
        write_text(tmp_path, "text")
    assert list(tmp_path.iterdir()) == []


def test_permissions_are_kept_and_links_stay_links(tmp_path: Path) -> None:
    path, link = tmp_path / "real" / "kernel.cpp", tmp_path / "kernel.cpp"
    write_text(path, "before")
    path.chmod(0o640)
    link.symlink_to(path)
    write_text(link, "after")
    assert link.is_symlink() and path.read_text() == "after"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_file_that_must_not_be_written_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "kernel.cpp"
    path.write_text("before")
    # Whoever runs as root may write everything: the answer to the question is what counts here.
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(NotWrittenError, match="Permission denied"):
        write_text(path, "after")
    assert path.read_text() == "before"


def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "usual").write_text("")
    write_text(tmp_path / "ours", "")
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_a_pipe_is_written_and_not_replaced(tmp_path: Path) -> None:
    code = "import sys, pathlib, kernelgen_ls.folders as f; f.write_text(pathlib.Path(sys.argv[1]), 'x')"
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen([sys.executable, "-c", code, str(pipe)]):
        assert pipe.read_text() == "x"
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert list(tmp_path.iterdir()) == [pipe]


def test_two_writers_of_one_file_do_not_meet(tmp_path: Path) -> None:
    path = tmp_path / "state"
    with writing(path) as first, writing(path) as second:
        assert first != second
        first.write_text("first")
        second.write_text("second")
    assert path.read_text() == "first"
    assert list(tmp_path.iterdir()) == [path]


def test_a_very_long_name_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("核" * 80 + ".cpp")
    write_text(path, "text")
    assert path.read_text() == "text"


def test_what_only_saves_time_does_not_wait_for_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    write_bytes(tmp_path / "cache", b"", durable=False)
    assert synced == []
    write_bytes(tmp_path / "choice", b"")
    assert len(synced) == 1


def test_what_is_fetched_goes_on_where_it_stopped(tmp_path: Path) -> None:
    path = tmp_path / "models" / "model.gguf"
    with pytest.raises(ConnectionError), resuming(path) as part, part.open("ab") as stream:
        stream.write(b"half")
        raise ConnectionError
    assert incomplete(path).read_bytes() == b"half" and not path.exists()
    with resuming(path) as part, part.open("ab") as stream:
        stream.write(b" and half")
    assert path.read_bytes() == b"half and half"
    assert list(path.parent.iterdir()) == [path]


def test_leftovers_go_once_nobody_can_be_writing_them(tmp_path: Path) -> None:
    with pytest.raises(OSError), writing(tmp_path / "a") as part:
        old, fresh = part.with_name(part.name.replace("-", "-1")), part.with_name(part.name.replace("-", "-2"))
        raise OSError
    for path in (old, fresh, tmp_path / "b.state"):
        path.write_text("")
        os.utime(path, (0, 0))
    os.utime(fresh)
    remove_parts(tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted([fresh, tmp_path / "b.state"])


def test_every_folder_is_the_programs_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(variable, str(tmp_path / variable))
    assert [folders.config_folder(), folders.data_folder(), folders.cache_folder()] == [
        tmp_path / variable / "kernelgen-ls" for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")
    ]
