"""A tiny model with random weights, and engines over it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from kernelgen_ls.model.engine.choice import ModelChoice
from kernelgen_ls.model.engine.local import LocalEngine
from kernelgen_ls.model.messages import EngineState

Open = Callable[..., Awaitable[LocalEngine]]


@pytest.fixture
async def open_engine(tiny_gguf: Path) -> AsyncIterator[Open]:
    """Opens engines over the tiny model (or another ``path``) and closes them."""
    engines: list[LocalEngine] = []

    async def open_one(path: Path | None = None, *, ready: bool = True, **options: Any) -> LocalEngine:
        engine = LocalEngine()
        engines.append(engine)
        await engine.start(ModelChoice(path or tiny_gguf, threads=1, exact=True, **options))
        assert not ready or engine.status.state in {EngineState.READY, EngineState.BUSY}, engine.status.detail
        return engine

    yield open_one
    for engine in engines:
        await engine.close()
