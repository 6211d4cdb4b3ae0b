"""The program on a console that is not UTF-8, and for a user whose home takes no file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

CLEAN = """#include "kernel_operator.h"
extern "C" __global__ __aicore__ void clean(GM_ADDR x) { AscendC::PipeBarrier<PIPE_ALL>(); } // 核😀
"""
BROKEN = CLEAN.replace("PipeBarrier", "Pipe😀Barrier")


def run(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """The program in ``folder``, with folders of its own unless ``environment`` says otherwise."""
    own = {f"XDG_{name}_HOME": str(folder / name) for name in ("CONFIG", "DATA", "CACHE")}
    line = [sys.executable, "-m", "kernelgen_ls", *arguments]
    env = {name: value for name, value in {**os.environ, **own, **environment}.items() if value}
    done = subprocess.run(line, cwd=folder, env=env, capture_output=True, check=False, timeout=120)
    assert b"Traceback" not in done.stderr, done.stderr.decode("utf-8", "replace")
    return done


GBK = {"PYTHONUTF8": "0", "PYTHONIOENCODING": "gbk"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a kernel that is right and one that is wrong, both with characters that GBK does not have."""
    (tmp_path / "核😀.cpp").write_text(CLEAN, encoding="utf-8")
    (tmp_path / "错😀.cpp").write_text(BROKEN, encoding="utf-8")
    return tmp_path


def test_what_a_console_cannot_show_is_replaced(folder: Path) -> None:
    done = run(folder, "check", "错😀.cpp", **GBK)
    assert done.returncode == 1
    assert done.stdout.decode("gbk").splitlines()[0].startswith("错?.cpp:2:")
    done = run(folder, "complete", "核😀.cpp:2:96", **GBK)
    assert done.returncode == 0
    done.stdout.decode("gbk")


def test_json_loses_nothing_on_any_console(folder: Path) -> None:
    said = [run(folder, "check", "--json", "错😀.cpp", **console).stdout for console in (GBK, {"PYTHONUTF8": "1"})]
    gbk, utf8 = (json.loads(text.decode(encoding)) for text, encoding in zip(said, ("ascii", "utf-8"), strict=True))
    assert gbk["files"][0]["path"] == utf8["files"][0]["path"] == "错😀.cpp"
    assert gbk["findings"] == utf8["findings"]
    assert "错😀" in said[1].decode("utf-8")


def test_a_name_that_is_no_unicode_is_replaced_too(folder: Path) -> None:
    name = os.fsdecode(b"\xff.cpp")
    (folder / name).write_text(BROKEN, encoding="utf-8")
    assert run(folder, "check", name, PYTHONUTF8="1").stdout.decode("utf-8").startswith("?.cpp:")


NO_HOME = {"XDG_CONFIG_HOME": "", "XDG_DATA_HOME": "", "XDG_CACHE_HOME": ""}


@pytest.mark.parametrize("home", ["/dev/null", "/proc"])
@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("check 核😀.cpp", 0),
        ("complete 核😀.cpp:2:58", 0),
        ("settings", 0),
        ("stats", 0),
        ("model list", 0),
        ("records path", 0),
        ("doctor --no-model", 0),
        ("model use --starter", 2),
    ],
)
def test_a_home_that_takes_no_file_stops_nothing_but_what_is_to_be_kept_there(
    folder: Path, line: str, status: int, home: str
) -> None:
    done = run(folder, *line.split(), HOME=home, **NO_HOME)
    assert done.returncode == status, done.stderr.decode("utf-8", "replace")


def test_a_cache_that_cannot_be_made_is_said_once(folder: Path) -> None:
    done = run(folder, "complete", "核😀.cpp:2:58", XDG_CACHE_HOME=str(folder / "核😀.cpp"))
    assert done.stderr.decode("utf-8").count("states of documents are not kept on disk") == 1
    assert done.returncode == 0


def test_a_choice_that_cannot_be_stored_names_the_file(folder: Path) -> None:
    done = run(folder, "model", "use", "--starter", XDG_CONFIG_HOME=str(folder / "核😀.cpp"))
    assert "核😀.cpp/kernelgen-ls/models.json cannot be written: Not a directory" in done.stderr.decode("utf-8")
