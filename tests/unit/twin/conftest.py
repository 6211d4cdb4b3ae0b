from __future__ import annotations

import platform
from collections.abc import Iterator
from pathlib import Path

import pytest

from kernelgen_ls.runner.toolchains import UnavailableError
from kernelgen_ls.runner.toolchains.twin.compilers import Compiler, find_compiler

HERE = Path(__file__).parent
_ANYWHERE = ("test_compilers.py", "test_pages.py", "test_signatures.py")
"""Tests that run no kernel."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if platform.system() == "Linux":
        return
    skipped = pytest.mark.skip(reason="the sandbox is made of Linux's namespaces and Landlock")
    for item in items:
        if item.path.parent == HERE and item.path.name not in _ANYWHERE:
            item.add_marker(skipped)


@pytest.fixture(scope="session")
def compiler() -> Compiler:
    try:
        return find_compiler()
    except UnavailableError as problem:
        pytest.skip(str(problem))


@pytest.fixture(autouse=True, scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What the twin keeps between jobs is kept between these tests, and nowhere else."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield
