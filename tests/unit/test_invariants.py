"""The architecture's rules about who may import what, where a linter contract cannot say "only this module"."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "kernelgen_ls"


def imports(path: Path) -> set[str]:
    """The absolute module names a file imports anywhere, also inside functions."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


def importers(module: str) -> set[str]:
    """The files of the package that import ``module`` or something inside it."""
    return {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if any(name == module or name.startswith(module + ".") for name in imports(path))
    }


@pytest.mark.parametrize(
    ("module", "allowed"),
    [
        ("llama_cpp", ("model/worker.py", "bench/engine.py", "training/")),
        ("clang", ("runner/toolchains/embedded/",)),
        ("pygls", ("lsp/",)),
        ("lsprotocol", ("lsp/",)),
        # A golden may be a torch module of the user's; it runs in a process of its own.
        ("torch", ("training/", "runner/execution/golden.py")),
    ],
)
def test_only_one_room_imports(module: str, allowed: tuple[str, ...]) -> None:
    found = importers(module)
    assert found, f"nothing imports {module} any more: is this rule still about something?"
    assert {path for path in found if not path.startswith(allowed)} == set()


UNIX_ONLY = {"fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"}


def test_every_module_can_be_imported_on_windows() -> None:
    """What only Unix has is imported where it is used; sandbox_exec.py is a program of its own, for Linux."""
    offenders = {}
    for path in PACKAGE.rglob("*.py"):
        top = [node for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, ast.Import)]
        if found := {alias.name for node in top for alias in node.names} & UNIX_ONLY:
            offenders[path.relative_to(PACKAGE).as_posix()] = found
    assert set(offenders) <= {"runner/execution/sandbox_exec.py"}, offenders


IO_MODULES = {"asyncio", "subprocess", "socket", "shutil", "tempfile", "threading", "os", "logging"}


def test_kernel_does_no_io() -> None:
    """``kernel/`` is functions over text: what it must read is handed to it."""
    offenders = {
        path.relative_to(PACKAGE).as_posix(): sorted(imports(path) & IO_MODULES)
        for path in (PACKAGE / "kernel").rglob("*.py")
        if imports(path) & IO_MODULES
    }
    assert offenders == {}


def test_rpc_imports_nothing_of_ours() -> None:
    offenders = {
        path.name: name
        for path in (PACKAGE / "rpc").rglob("*.py")
        for name in imports(path)
        if name.startswith("kernelgen_ls") and not name.startswith("kernelgen_ls.rpc")
    }
    assert offenders == {}
