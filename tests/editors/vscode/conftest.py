"""What the VS Code tests start from: a workspace with a kernel in it, and the project's own server on PATH."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.editors.vscode.server import CHROMIUM, EXTENSION, NODE, PLAYWRIGHT, ROOT, VSCODE

WORKSPACE = Path(__file__).parent / "workspace"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(item.path).is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.editors)


@pytest.fixture(scope="session")
def node() -> Path:
    """Node 24 with the extension's packages beside it."""
    absent = [str(path.relative_to(ROOT)) for path in (NODE, PLAYWRIGHT) if not path.exists()]
    if absent:
        message = f"{', '.join(absent)} missing: run scripts/setup_vscode.sh"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    return NODE


@pytest.fixture(scope="session")
def vscode(node: Path) -> Path:
    """The VS Code server and the browser that shows it."""
    absent = [str(path) for path in (VSCODE, CHROMIUM) if not path.exists()]
    if absent:
        message = f"{', '.join(absent)} missing: run scripts/setup_vscode.sh"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    return VSCODE


@pytest.fixture(scope="session")
def bundle(node: Path) -> Path:
    """The extension and its in-host tests, bundled."""
    subprocess.run([str(node), "esbuild.mjs", "--tests"], cwd=EXTENSION, check=True)
    return EXTENSION


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A folder of kernels that a test may change."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    for source in WORKSPACE.iterdir():
        (folder / source.name).write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    return folder


@pytest.fixture
def server_env(tmp_path: Path) -> dict[str, str]:
    """An environment in which PATH finds this project's server, and nothing of the user's is read or written."""
    home = tmp_path / "home"
    home.mkdir()
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    # The extension host takes PATH from a login shell, as it does for a user.
    (home / ".profile").write_text(f'export PATH="{programs}"\n')
    return {
        "PATH": programs,
        "HOME": str(home),
        "SHELL": "/bin/bash",
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_CACHE_HOME": str(home / "cache"),
        "XDG_DATA_HOME": str(home / "data"),
    }
