"""The status payload: one word, one short message, what to do."""

import asyncio
import logging
from typing import Any

import attrs
import pytest

from kernelgen_ls.lsp.server import create_server
from kernelgen_ls.lsp.session.status import (
    CheckerPart,
    CheckerState,
    GenerationPart,
    ModelPart,
    RunnerPart,
    State,
    Status,
    StatusBoard,
)
from kernelgen_ls.model.messages import EngineState
from kernelgen_ls.settings import Settings

READY = Status(model=ModelPart(EngineState.READY, "KernelGen-LM-4B"), checker=CheckerPart(CheckerState.READY))


@pytest.mark.parametrize(
    ("changes", "state", "message"),
    [
        ({}, State.READY, "KernelGen-LM-4B"),
        ({"model": ModelPart(EngineState.LOADING, "m", progress=0.5)}, State.LOADING, "loading m 50%"),
        ({"model": ModelPart(EngineState.OFF, detail="do this")}, State.WARNING, "no model"),
        ({"model": ModelPart(EngineState.FAILED)}, State.ERROR, "model stopped"),
        ({"model": ModelPart(EngineState.SLOW, "m")}, State.WARNING, "m (slow here)"),
        ({"model": ModelPart(EngineState.BUSY, "m")}, State.BUSY, "m"),
        ({"checker": CheckerPart(CheckerState.FAILED)}, State.WARNING, "checker stopped"),
        ({"runners": (RunnerPart("board", "unreachable", "ask"),)}, State.WARNING, "runner board unreachable"),
        ({"generation": GenerationPart("Generate Add", "writing")}, State.BUSY, "Generate Add: writing"),
        ({"enabled": False}, State.OFF, "KernelGen off"),
    ],
)
def test_the_worst_news_is_shown(changes: dict[str, Any], state: State, message: str) -> None:
    payload = attrs.evolve(READY, **changes).payload()
    assert (payload["state"], payload["message"]) == (state.value, message)


def test_the_payload_has_the_documented_keys() -> None:
    assert list(READY.payload()) == [
        "state", "message", "detail", "model", "generationModel", "checker", "runners", "generation", "completion",
    ]  # fmt: skip
    assert list(READY.payload()["model"]) == ["state", "name", "starter", "progress", "detail", "prefill", "decode"]


async def test_many_changes_send_the_first_and_the_last() -> None:
    sent: list[dict[str, Any]] = []
    board = StatusBoard(sent.append)
    board.update(model=ModelPart(EngineState.READY, "m"))
    assert sent == []
    board.open()
    for step in range(100):
        board.update(model=ModelPart(EngineState.LOADING, "m", progress=step / 100))
    while sent[-1]["model"]["progress"] != 0.99:
        await asyncio.wait_for(asyncio.sleep(0.05), 5)
    assert len(sent) == 2
    board.close()


def test_the_status_begins_as_the_default_settings_have_it() -> None:
    board = StatusBoard(lambda _: None)
    board.settings_changed(Settings())
    assert board.status == Status()


@pytest.mark.parametrize(("given", "level"), [("", logging.WARNING), ("debug", logging.DEBUG)])
def test_a_log_level_from_the_command_line_goes_before_the_setting(given: str, level: int) -> None:
    logger = logging.getLogger("kernelgen_ls")
    before = logger.level
    create_server(log_level=given).session.configuration.apply(Settings())
    assert logger.level == level
    logger.setLevel(before)
