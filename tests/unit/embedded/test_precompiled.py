"""Precompiled declarations are kept between processes, and nothing that happens to them stops a check."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from kernelgen_ls.runner.jobs.messages import CheckRequest, Outcome, SourceFile
from kernelgen_ls.runner.toolchains.embedded import precompiled
from kernelgen_ls.runner.toolchains.embedded.precompiled import Precompiled, own_folder
from kernelgen_ls.runner.toolchains.embedded.toolchain import EmbeddedToolchain

KERNEL = """\
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void fill(GM_ADDR y) { AscendC::TPipe pipe; }
"""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(precompiled, "cache_folder", lambda: tmp_path / "cache")
    return tmp_path / "cache" / "declarations"


def outcome() -> Outcome:
    request = CheckRequest("fill.cpp", (SourceFile("fill.cpp", KERNEL),), "Ascend910B1")
    return EmbeddedToolchain().check(request).outcome


def test_a_later_process_makes_nothing_again(cache: Path, tmp_path: Path):
    assert outcome() is Outcome.PASSED
    before = {path: path.stat().st_mtime_ns for path in cache.iterdir()}
    assert outcome() is Outcome.PASSED
    assert len(before) == 1 and {path: path.stat().st_mtime_ns for path in cache.iterdir()} == before


@pytest.mark.parametrize("damage", [b"", b"garbage" * 100_000])
def test_what_was_damaged_on_the_disk_is_made_again(cache: Path, damage: bytes):
    assert outcome() is Outcome.PASSED
    (kept,) = cache.iterdir()
    sound = kept.read_bytes()
    kept.write_bytes(damage)
    assert outcome() is Outcome.PASSED
    (kept,) = cache.iterdir()
    assert len(kept.read_bytes()) == len(sound)


def test_a_check_does_without_the_cache(cache: Path):
    cache.parent.mkdir()
    cache.write_text("a file where the folder should be")
    assert outcome() is Outcome.PASSED


def test_declarations_of_another_edition_go_after_a_day(cache: Path, tmp_path: Path):
    cache.mkdir(parents=True)
    old, new = cache / "0000-0000-0000.pch", cache / "1111-0000-0000.pch"
    for path in (old, new):
        path.write_bytes(b"")
    os.utime(old, (0, 0))
    Precompiled("1", tmp_path).header("key", lambda path: path.write_bytes(b"made") and None)
    assert not old.exists() and new.exists()


@pytest.mark.skipif(os.name != "posix", reason="whether a process lives is asked as POSIX has it")
def test_the_folder_of_a_process_that_was_killed_goes_with_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    left, living = tmp_path / f"kernelgen-check-{gone.pid}-x", tmp_path / f"kernelgen-check-{os.getpid()}-x"
    left.mkdir()
    living.mkdir()
    with own_folder() as folder:
        assert Path(folder).is_dir() and living.is_dir() and not left.exists()
