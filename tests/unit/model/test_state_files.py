"""States on disk: found by their tokens, bounded, safe against whatever lies there."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kernelgen_ls.model.state_files import StateFolder, read_tokens


def put(folder: StateFolder, tokens: list[int], size: int = 1000, age: int = 0) -> Path:
    path = folder.path_for(tokens)
    assert path is not None
    path.write_bytes(np.array([0x67677371, 3, len(tokens), *tokens], dtype=np.int32).tobytes() + bytes(size))
    if age:
        os.utime(path, (path.stat().st_mtime - age,) * 2)
    folder.written(path)
    return path


def test_the_longest_common_start_wins(tmp_path: Path) -> None:
    folder = StateFolder(tmp_path / "m", 1 << 20)
    put(folder, [1, 2, 3])
    best = put(folder, [1, 2, 4, 5])
    assert folder.best([1, 2, 4, 6]) == (best, 3)
    assert folder.best([9]) is None


def test_a_longer_state_replaces_its_beginning(tmp_path: Path) -> None:
    folder = StateFolder(tmp_path / "m", 1 << 20)
    first = put(folder, [1, 2, 3])
    put(folder, [1, 2, 3, 4])
    assert not first.exists()
    assert folder.path_for([1, 2]) is None


def test_the_oldest_go_when_the_total_is_over_its_bound_over_all_models(tmp_path: Path) -> None:
    other = StateFolder(tmp_path / "other", 1 << 20)
    old = put(other, [7, 7], age=500)
    folder = StateFolder(tmp_path / "m", 2500)
    older = put(folder, [1], age=900)
    used = put(folder, [2], age=800)
    assert folder.best([2]) is not None
    put(folder, [3])
    assert not old.exists() and not older.exists()
    assert used.exists()


def test_the_folder_is_the_users_alone_and_left_over_parts_go(tmp_path: Path) -> None:
    place = tmp_path / "states" / "m"
    place.mkdir(parents=True)
    for part in ("old.part", "another-process-writes-this.part"):
        (place / part).write_bytes(b"half")
    os.utime(place / "old.part", (0, 0))
    StateFolder(place, 1 << 20)
    assert stat.S_IMODE(place.parent.stat().st_mode) == 0o700
    assert [one.name for one in place.iterdir()] == ["another-process-writes-this.part"]


@given(st.binary(max_size=64))
def test_any_file_is_read_safely(tmp_path_factory: object, content: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.state"
    path.write_bytes(content)
    assert isinstance(read_tokens(path), list)
