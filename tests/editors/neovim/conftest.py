"""Every test here runs in each Neovim that is installed; a missing one is named at the end, and fails the run in CI."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from .editor import Editor, Version, launch, scripted_command, versions

HERE, MISSING = versions()

KERNEL = [
    '#include "kernel_operator.h"',
    "using namespace AscendC;",
    'extern "C" __global__ __aicore__ void add_custom(GM_ADDR x, GM_ADDR y, GM_ADDR z)',
    "{",
    "    ",
    "}",
]
"""What most tests open: the cursor belongs into line 4 (zero-based), column 4."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "version" in metafunc.fixturenames:
        metafunc.parametrize("version", HERE, ids=[version.name for version in HERE], scope="session")


def pytest_terminal_summary(terminalreporter: Any) -> None:
    if MISSING:
        terminalreporter.section("editors that are missing")
        terminalreporter.line(f"{', '.join(MISSING)}: nothing was tested there; scripts/setup_neovim.sh installs them")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    if MISSING and os.environ.get("CI") == "true":
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def kernel(tmp_path: Path) -> Path:
    path = tmp_path / "project/op_kernel/add_custom.cpp"
    path.parent.mkdir(parents=True)
    path.write_text("\n".join(KERNEL) + "\n", encoding="utf-8")
    return path


class Script:
    """The scripted server's script; a test changes it while the server runs."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.content: dict[str, Any] = {}
        self.set()

    def set(self, **changes: Any) -> None:
        self.content.update(changes)
        part = self.path.with_suffix(".part")
        part.write_text(json.dumps(self.content), encoding="utf-8")
        part.replace(self.path)


@pytest.fixture
def script(tmp_path: Path) -> Script:
    return Script(tmp_path / "script.json")


Start = Callable[..., Editor]


@pytest.fixture
def start(version: Version, home: Path, kernel: Path, script: Script, tmp_path: Path) -> Iterator[Start]:
    """Start an editor on the kernel with the scripted server behind it; ``options`` go to ``setup``."""
    editors: list[Editor] = []

    def begin(options: dict[str, Any] | None = None, *, file: Path = kernel, **more: Any) -> Editor:
        log = tmp_path / f"log{len(editors)}.jsonl"
        setup = {"cmd": scripted_command(script.path, log), **(options or {})}
        (tmp_path / "options.json").write_text(json.dumps(setup), encoding="utf-8")
        read = f"vim.json.decode(table.concat(vim.fn.readfile('{tmp_path / 'options.json'}')))"
        before = [f"lua require('kernelgen').setup({read})", *more.pop("before", [])]
        editor = launch(version, home, file=file, before=before, **more)
        editor.log = log
        editors.append(editor)
        editor.wait(editor.attached, "the server attached to the buffer")
        return editor

    yield begin
    for editor in editors:
        editor.close()
