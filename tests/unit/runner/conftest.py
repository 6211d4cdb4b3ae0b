from __future__ import annotations

import platform
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from kernelgen_ls.runner.jobs.config import RunnerConfig
from kernelgen_ls.runner.toolchains import TOOLCHAINS, ToolchainRow
from tests.unit.runner.serving import Serving

HERE = Path(__file__).parent
LINUX = ("test_cann", "test_hostile_jobs", "test_sandbox")
"""The modules, by the beginnings of their names, whose programs run in the sandbox."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if platform.system() == "Linux":
        return
    skipped = pytest.mark.skip(reason="the sandbox is made of Linux's namespaces and Landlock")
    for item in items:
        if item.path.parent == HERE and item.path.name.startswith(LINUX):
            item.add_marker(skipped)


@pytest.fixture(autouse=True)
def workers_find_the_scripted_toolchain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(HERE))
    monkeypatch.setitem(TOOLCHAINS, "scripted", ToolchainRow("scripted_toolchain:Scripted", ("check",)))


@pytest.fixture
async def serve() -> AsyncIterator[Callable[..., Awaitable[Serving]]]:
    """Start a service with the scripted tool chain and connect clients to it."""
    started: list[Serving] = []

    async def start(config: RunnerConfig | None = None) -> Serving:
        started.append(Serving(config or RunnerConfig(workers=2)))
        return started[-1]

    yield start
    for serving in started:
        await serving.close()
