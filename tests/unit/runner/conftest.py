from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from kernelgen_ls.runner.jobs.config import RunnerConfig
from kernelgen_ls.runner.toolchains import TOOLCHAINS, ToolchainRow
from tests.unit.runner.serving import Serving

HERE = Path(__file__).parent


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
