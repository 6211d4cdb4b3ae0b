"""The result cache: bounded in memory and on disk, harmless when the disk fails or the clock jumps."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from kernelgen_ls.folders import writing
from kernelgen_ls.runner.jobs.messages import SourceFile
from kernelgen_ls.runner.jobs.request_files import content_key
from kernelgen_ls.runner.server.cache import ResultCache


def key(n: int) -> str:
    return f"{n:064x}"


def test_both_stores_are_bounded_and_the_oldest_go_first(tmp_path: Path) -> None:
    cache = ResultCache(tmp_path, memory_entries=3, disk_bytes=4000)
    for n in range(50):
        cache.put(key(n), {"n": n, "pad": "x" * 100})
    assert sum(f.stat().st_size for f in tmp_path.iterdir()) <= 4000
    fresh = ResultCache(tmp_path, disk_bytes=4000)
    assert fresh.get(key(49)) == {"n": 49, "pad": "x" * 100}
    assert fresh.get(key(0)) is None


def test_a_result_too_large_for_the_disk_stays_in_memory(tmp_path: Path) -> None:
    cache = ResultCache(tmp_path, disk_bytes=1000)
    cache.put(key(1), {"big": "x" * 10_000})
    assert cache.get(key(1)) == {"big": "x" * 10_000}
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_process_left_is_removed(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), writing(tmp_path / key(1)) as part:
        raise KeyboardInterrupt
    part.write_bytes(b"half")
    os.utime(part, (0, 0))
    cache = ResultCache(tmp_path)
    assert cache.get(key(1)) is None
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_costs_the_cache_not_the_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = ResultCache(tmp_path)

    def full(self: Path, data: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    cache.put(key(1), {"n": 1})
    assert cache.get(key(1)) == {"n": 1}
    assert list(tmp_path.iterdir()) == []


def test_measurements_expire_and_a_clock_set_back_keeps_none_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1_000_000.0
    monkeypatch.setattr("kernelgen_ls.runner.server.cache.time.time", lambda: now)
    cache = ResultCache(tmp_path)
    cache.put(key(1), {"us": 3})
    now += 50
    assert cache.get(key(1), max_age_seconds=60) == {"us": 3}
    now += 50
    assert cache.get(key(1), max_age_seconds=60) is None
    cache.put(key(2), {"us": 4})
    now -= 100_000
    assert cache.get(key(2), max_age_seconds=60) is None


def test_parts_of_a_key_do_not_run_into_each_other() -> None:
    files = (SourceFile("a", "", "1"), SourceFile("b", "", "2"))
    keys = {
        content_key("check", files, "x", "y"),
        content_key("check", files, "xy"),
        content_key("check", files[:1], "x", "y"),
        content_key("measure", files, "x", "y"),
        content_key("check", (SourceFile("a", "", "1b"), SourceFile("", "", "2")), "x", "y"),
    }
    assert len(keys) == 5
