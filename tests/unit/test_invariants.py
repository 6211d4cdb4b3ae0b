"""The architecture's rules about who may import what, where a linter contract cannot say "only this module"."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
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
        # A golden, and what judges by it, may be torch code of the user's; both run in a process of their own.
        ("torch", ("training/", "runner/execution/golden.py", "runner/execution/own_check.py")),
        ("platformdirs", ("folders.py",)),
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


LSP = "kernelgen_ls.lsp"


def lsp_graph() -> dict[str, set[str]]:
    """Which file of ``lsp/`` imports which, wherever in the file and for whatever end."""
    files = {
        ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path
        for path in (PACKAGE / "lsp").rglob("*.py")
    }
    return {module: (imports(path) & files.keys()) - {module} for module, path in files.items()}


def test_no_file_of_lsp_imports_itself_by_way_of_others() -> None:
    graph = lsp_graph()
    # Importing a module runs its packages' files, which is no dependency of ours: those hold docstrings alone.
    packages = {module for module in graph if any(other.startswith(module + ".") for other in graph)}
    assert all(not graph[module] for module in packages)
    try:
        TopologicalSorter({module: used - packages for module, used in graph.items()}).prepare()
    except CycleError as error:
        pytest.fail(f"a cycle: {' -> '.join(error.args[1])}")


LSP_FOLDERS = ("transport", "session", "edits", "following", "features")
"""From the ground up: each may import itself and those before it."""


def test_the_folders_of_lsp_lie_one_on_the_other() -> None:
    graph = {module: used - {LSP} for module, used in lsp_graph().items() if module != LSP}
    floors = [f"{LSP}.{name}" for name in (*LSP_FOLDERS, "wiring", "server")]

    def floor(module: str) -> int:
        return next(number for number, name in enumerate(floors) if f"{module}.".startswith(f"{name}."))

    upwards = {(module, one) for module, used in graph.items() for one in used if floor(one) > floor(module)}
    assert upwards == set()


def test_nobody_but_the_server_holds_the_session_whole() -> None:
    assert importers(f"{LSP}.wiring") == {"lsp/server.py"}
    assert importers(f"{LSP}.server") == {"cli/serve.py"}


MOVES = {
    "folders.py": "the one way to write a file whole",
    "runner/toolchains/cann/kept_builds.py": "a whole folder of a build, copied beside its place",
    "runner/execution/cases.py": "files that a program made, moved out of its reach",
    "runner/toolchains/twin/launch.py": "files that a program made, moved out of its reach",
}


def moves_files(path: Path) -> bool:
    """Whether a file calls ``os.replace`` and the like, or ``Path.replace`` (with one argument: a string's has two)."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.keywords:
            owner = node.func.value.id if isinstance(node.func.value, ast.Name) else ""
            if owner in ("os", "shutil") and node.func.attr in ("replace", "rename", "renames", "move"):
                return True
            text = any(isinstance(one, ast.Starred) for one in node.args) or len(node.args) != 1
            if node.func.attr in ("replace", "rename") and not text:
                return True
    return False


def test_files_are_written_whole_in_one_place() -> None:
    found = {path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py") if moves_files(path)}
    assert found == set(MOVES)


ROOMS = ["embedded", "cann", "twin", "replay"]


@pytest.mark.parametrize("room", ["embedded", "cann", "twin"])
def test_no_tool_chain_knows_another(room: str) -> None:
    """What they share lies beside them; only the record knows a second one, the one it records."""
    others = {f"runner/toolchains/{other}/" for other in ROOMS if other != room}
    assert {path for path in importers(f"kernelgen_ls.runner.toolchains.{room}") if path.startswith(tuple(others))} <= (
        {"runner/toolchains/replay/toolchain.py"} if room == "cann" else set()
    )


@pytest.mark.parametrize("room", ROOMS)
def test_no_step_of_running_kernels_knows_a_tool_chain(room: str) -> None:
    """The flow of a job, its sandbox and its cases serve every tool chain, the next one too."""
    found = importers(f"kernelgen_ls.runner.toolchains.{room}")
    assert {path for path in found if path.startswith(("runner/execution/", "runner/jobs/", "runner/server/"))} == set()


def test_views_know_neither_editor_nor_command_line() -> None:
    for path in (PACKAGE / "report").rglob("*.py"):
        found = {name for name in imports(path) if name.startswith(("kernelgen_ls.lsp", "kernelgen_ls.cli", "click"))}
        assert found == set(), path.name


def test_benchmarks_do_not_go_through_the_command_line() -> None:
    assert importers("kernelgen_ls.cli") - {"__main__.py"} == {
        path for path in importers("kernelgen_ls.cli") if path.startswith("cli/")
    }
