"""The engine's own decisions, with workers that are a few lines of Python."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from kernelgen_ls.model.engine.choice import ModelChoice, worker_environment
from kernelgen_ls.model.engine.local import LocalEngine
from kernelgen_ls.model.engine.protocol import EngineError
from kernelgen_ls.model.engine.status import StatusFeed, too_slow_to_type
from kernelgen_ls.model.messages import (
    CompleteRequest,
    CompleteResult,
    EngineState,
    EngineStatus,
    ModelInfo,
    Segment,
    Speed,
    Timings,
)

WORKER = """
import asyncio, os, sys
from kernelgen_ls.model.messages import CompleteResult, ModelInfo, Timings
from kernelgen_ls.rpc.wire import to_wire
from kernelgen_ls.rpc import RpcError, serve_stdio

async def load(call):
    if os.path.exists(sys.argv[1] + ".bad"):
        raise RpcError(1, "the file is damaged")
    with open(sys.argv[1], "a") as log:
        log.write("load\\n")
    await call.progress({"fraction": 0.5})
    return to_wire(ModelInfo(call.params["path"], "m", "toy", 1, 2, 3, 4, 5, False, "", 0, 1))

async def complete(call):
    if call.params["sequence"] == "deadly":
        os._exit(7)
    return to_wire(CompleteResult((), Timings(generated=2, decode_ms=2000, evaluated=102, first_ms=1000)))

asyncio.run(serve_stdio({"load": load, "complete": complete}))
"""


def engine_over(tmp_path: Path) -> LocalEngine:
    return LocalEngine((sys.executable, "-c", WORKER, str(tmp_path / "log")))


def loads(tmp_path: Path) -> int:
    return (tmp_path / "log").read_text().count("load")


REQUEST = CompleteRequest("a", (Segment("x"),))
MODEL = ModelChoice(Path("m.gguf"))


async def test_states_of_a_good_start(tmp_path: Path) -> None:
    engine = engine_over(tmp_path)
    seen: list[EngineStatus] = []
    engine.on_status(seen.append)
    await engine.start(MODEL)
    assert [status.state for status in seen[:1]] == [EngineState.LOADING]
    assert 0.5 in [status.progress for status in seen]
    assert isinstance(engine.status.model, ModelInfo)
    assert isinstance(await engine.complete(REQUEST), CompleteResult)
    assert EngineState.BUSY in [status.state for status in seen]
    assert engine.status.state is EngineState.SLOW
    await engine.close()
    assert engine.status.state is EngineState.OFF


async def test_measured_slowness_shows_with_what_to_do(tmp_path: Path) -> None:
    engine = engine_over(tmp_path)
    await engine.start(MODEL)
    await engine.complete(REQUEST)
    assert engine.status.state is EngineState.SLOW
    assert engine.status.speed == Speed(prefill=100.0, decode=1.0)
    assert "--typing" in engine.status.detail
    await engine.close()


async def test_a_request_that_kills_is_reported_and_not_repeated(tmp_path: Path) -> None:
    engine = engine_over(tmp_path)
    await engine.start(MODEL)
    with pytest.raises(EngineError, match="died during this request"):
        await engine.complete(CompleteRequest("deadly", ()))
    assert loads(tmp_path) == 1
    await engine.complete(REQUEST)
    assert loads(tmp_path) == 2
    await engine.close()


async def test_several_requests_in_a_dying_worker_count_as_one_death(tmp_path: Path) -> None:
    engine = engine_over(tmp_path)
    await engine.start(MODEL)
    for _ in range(2):
        requests = [engine.complete(CompleteRequest("deadly", ())) for _ in range(3)]
        answers = await asyncio.gather(*requests, return_exceptions=True)
        assert all(isinstance(answer, EngineError) for answer in answers)
    assert isinstance(await engine.complete(REQUEST), CompleteResult)
    assert engine.status.state in {EngineState.READY, EngineState.SLOW}
    await engine.close()


async def test_a_model_that_does_not_load_is_not_tried_at_every_keystroke(tmp_path: Path) -> None:
    (tmp_path / "log.bad").touch()
    engine = engine_over(tmp_path)
    await engine.start(MODEL)
    assert engine.status.state is EngineState.FAILED
    (tmp_path / "log.bad").unlink()
    with pytest.raises(EngineError, match="damaged"):
        await engine.complete(REQUEST)
    await engine.start(MODEL)
    assert isinstance(await engine.complete(REQUEST), CompleteResult)
    await engine.close()


async def test_a_worker_that_is_no_worker(tmp_path: Path) -> None:
    engine = LocalEngine((sys.executable, "-c", "print('hello')"))
    await engine.start(MODEL)
    assert engine.status.state is EngineState.FAILED
    missing = LocalEngine((str(tmp_path / "nothing"),))
    await missing.start(MODEL)
    assert "could not be started" in missing.status.detail


async def test_without_llama_cpp_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    engine = LocalEngine()
    await engine.start(MODEL)
    assert engine.status.state is EngineState.OFF
    assert "pip install llama-cpp-python" in engine.status.detail
    with pytest.raises(EngineError, match="pip install"):
        await engine.complete(REQUEST)


async def test_a_listener_that_fails_does_not_stop_the_engine(tmp_path: Path) -> None:
    engine = engine_over(tmp_path)

    def broken(status: EngineStatus) -> None:
        raise ValueError(status.state)

    engine.on_status(broken)
    await engine.start(MODEL)
    assert engine.status.model is not None
    await engine.close()


@pytest.mark.parametrize(
    ("speed", "slow"),
    [(Speed(), False), (Speed(16.7, 4.2), True), (Speed(41.6, 8.7), False), (Speed(127, 20), False)],
)
def test_what_is_too_slow_to_type_with(speed: Speed, slow: bool) -> None:
    assert too_slow_to_type(speed) is slow


def test_the_workers_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GOMP_SPINCOUNT", raising=False)
    polite = worker_environment(MODEL)
    assert polite["GOMP_SPINCOUNT"] == "1000"
    assert polite["GGML_NO_BACKTRACE"] == "1"
    assert "GOMP_SPINCOUNT" not in worker_environment(ModelChoice(Path("m.gguf"), spin=None))


def test_a_template_of_no_use_is_in_the_status_unless_slowness_is() -> None:
    model = ModelInfo("/m", "m", "toy", 1, 2, 3, 4, 5, False, "{{", 0, 1, chat_problem="Its chat template fails")
    feed = StatusFeed(EngineStatus(EngineState.READY, model=model))
    feed.settle(busy=False)
    assert (feed.status.state, feed.status.detail) == (EngineState.READY, "Its chat template fails")
    feed.set(EngineStatus(EngineState.READY, model=model, speed=Speed(16.7, 4.2)))
    feed.settle(busy=False)
    assert feed.status.state is EngineState.SLOW
    assert "--typing" in feed.status.detail


def test_timings_without_a_prompt_say_nothing_of_reading() -> None:
    feed = StatusFeed(EngineStatus(EngineState.READY))
    feed.learn(Timings(generated=2, decode_ms=100, evaluated=3, first_ms=50))
    assert feed.status.speed == Speed(decode=20.0)
