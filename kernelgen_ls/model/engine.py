"""The engine: this process's side of a model worker. Starts it, talks to it, restarts it, says how it stands.

A worker that dies takes one request with it: that one fails with the reason and is never repeated by itself; the next
request starts a new worker. One that keeps dying is left alone for a while. A model file that is replaced is loaded
again once it is whole.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import logging
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from attrs import evolve, frozen

from kernelgen_ls.model.messages import (
    CompleteRequest,
    CompleteResult,
    DraftText,
    DraftTexts,
    EngineState,
    EngineStatus,
    GenerateRequest,
    GenerateResult,
    LoadRequest,
    ModelInfo,
    Segment,
    SessionRequest,
    Speed,
    Stats,
    Timings,
    TokenizeRequest,
    TokenizeResult,
    WarmRequest,
)
from kernelgen_ls.model.watch import FileWatch
from kernelgen_ls.model.wire import from_wire, to_wire
from kernelgen_ls.rpc import Child, ErrorCode, Limits, RpcError, spawn

log = logging.getLogger(__name__)
T = TypeVar("T")

OnStatus = Callable[[EngineStatus], None]

_LOAD_SECONDS = 600.0
_DEATHS = 3
_DEATHS_WITHIN = 120.0
_REST_SECONDS = 30.0
_TYPICAL_PROMPT, _TYPICAL_ANSWER = 8, 12
"""Tokens to evaluate and to write for a usual proposal, once the file's state is warm."""
_SLOW_SECONDS = 2.0
_TELLING_PROMPT = 64
"""Tokens from which on a prompt says how fast this machine reads."""
SPIN = 1000
"""Measured with 0.6B on two cores: quiet, 23 tokens/s (0: 17, libgomp's own: 19); with three other programs for each
core, 3.9 (0: 4.6; libgomp's own: under 1)."""
_REFUSED_SECONDS = 5.0
"""A model that did not load is not tried again at every keystroke."""
NO_LLAMA = (
    "The model engine is not installed (llama-cpp-python): run `pip install llama-cpp-python==0.3.36` in this "
    "environment, then `kernelgen-ls doctor`"
)


class EngineError(RuntimeError):
    """A request failed: what happened, and what to do."""

    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__(f"{message}. {advice}" if advice else message)
        self.message = message
        self.advice = advice


@frozen
class ModelChoice:
    """A model and how to run it. The numbers' zeros and ``gpu_layers`` -1 mean: chosen by the machine.

    ``state_dir`` None keeps no states on disk. ``spin`` is libgomp's spin count: SPIN shares the cores with a
    compiler, None leaves the library's own choice.
    """

    path: Path
    context: int = 0
    gpu_layers: int = -1
    threads: int = 0
    sequences: int = 16
    state_dir: Path | None = None
    state_bytes: int = 2 << 30
    reserve: int = 0
    spin: int | None = SPIN
    starter: bool = False
    exact: bool = False


class Engine:
    """One model's worker. All methods belong to the event loop that :meth:`start` ran in."""

    def __init__(self, argv: tuple[str, ...] | None = None) -> None:
        """``argv`` replaces the worker's command line (a scripted worker in benchmarks)."""
        self._argv = argv or (sys.executable, "-m", "kernelgen_ls.model.worker")
        self._own_worker = argv is None
        self._model: ModelChoice | None = None
        self._child: Child | None = None
        self._starting: asyncio.Task[Child] | None = None
        self._watch: FileWatch | None = None
        self._background: set[asyncio.Task[None]] = set()
        self._status = EngineStatus(EngineState.OFF, "No model is chosen: run `kernelgen-ls model use PATH`")
        self._listeners: list[OnStatus] = []
        self._busy = 0
        self._deaths: list[float] = []
        self._refused: tuple[float, str] | None = None
        self._closed = False
        self._drafts: dict[str, DraftText] = {}

    # -- status

    @property
    def status(self) -> EngineStatus:
        """How the worker stands."""
        return self._status

    def on_status(self, callback: OnStatus) -> None:
        """Call ``callback`` with every new status."""
        self._listeners.append(callback)

    def _set(self, status: EngineStatus) -> None:
        if status == self._status:
            return
        self._status = status
        for listener in self._listeners:
            _tell(listener, status)

    def _fail(self, detail: str, state: EngineState = EngineState.FAILED) -> None:
        self._set(evolve(self._status, state=state, detail=detail, progress=0.0))

    def _settle(self) -> None:
        """Ready, busy or slow, after a request or a measurement."""
        if self._child is None or self._starting is not None:
            return
        state, detail = EngineState.READY, ""
        if too_slow_to_type(self._status.speed):
            state = EngineState.SLOW
            detail = (
                f"{self._status.speed.decode:.1f} tokens/s here: too slow to type with; choose a smaller model for "
                "typing (`kernelgen-ls model use --typing PATH`)"
            )
        self._set(evolve(self._status, state=EngineState.BUSY if self._busy else state, detail=detail, progress=1.0))

    # -- life

    async def start(self, model: ModelChoice) -> None:
        """Load ``model``, ending what was loaded before. Never raises for a model or an engine that does not work:
        the status says so and what to do, and the next request tries again."""
        await self._stop_worker()
        self._model = model
        self._closed = False
        self._refused = None
        if self._own_worker and importlib.util.find_spec("llama_cpp") is None:
            self._set(EngineStatus(EngineState.OFF, NO_LLAMA))
            return
        if self._own_worker:
            self._watch = FileWatch(model.path, self._replaced)
            self._watch.start()
        with contextlib.suppress(EngineError):
            await self._worker()

    async def close(self) -> None:
        """End the worker and what watches the file."""
        self._closed = True
        await self._stop_worker()
        self._set(EngineStatus(EngineState.OFF, "Stopped"))

    async def _stop_worker(self) -> None:
        if self._watch is not None:
            self._watch.stop()
            self._watch = None
        for task in (*self._background, self._starting):
            if task is not None:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError, EngineError):
                    await task
        self._starting = None
        child, self._child = self._child, None
        if child is not None:
            await child.stop()

    async def _worker(self) -> Child:
        """The worker with its model loaded; starts it where there is none. Raises :class:`EngineError`."""
        if self._child is not None and self._child.connection.closed:
            await self._mourn(self._child)
        if self._child is not None:
            return self._child
        if self._starting is None:
            self._starting = asyncio.create_task(self._start_worker())
            self._starting.add_done_callback(self._started)
        # One caller's cancel must not stop the loading that others wait for.
        return await asyncio.shield(self._starting)

    def _started(self, task: asyncio.Task[Child]) -> None:
        if self._starting is task:
            self._starting = None
        if not task.cancelled() and task.exception() is None:
            self._child = task.result()
            self._settle()
            if self._own_worker:
                self._later(self._measure(self._child))
            if self._drafts:
                self._later(self._send_drafts(tuple(self._drafts.values())))

    def _later(self, work: Any) -> None:
        task: asyncio.Task[None] = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    async def _start_worker(self) -> Child:
        model = self._model
        if model is None or self._closed:
            raise EngineError("no model is chosen", "Run `kernelgen-ls model use PATH`")
        if self._refused is not None and time.monotonic() - self._refused[0] < _REFUSED_SECONDS:
            raise EngineError(self._refused[1])
        self._refuse_if_it_keeps_dying()
        self._set(EngineStatus(EngineState.LOADING, f"Loading {model.path.name}"))
        child: Child | None = None
        try:
            child = await spawn(
                self._argv, env=worker_environment(model), limits=Limits(), on_stderr=lambda line: log.info("%s", line)
            )
            info = await self._load(child, model)
        except (OSError, RpcError) as error:
            if child is not None:
                if isinstance(error, RpcError) and error.code == ErrorCode.DISCONNECTED:
                    self._deaths.append(time.monotonic())
                await child.stop()
            message = _reason(error, model, child)
            self._refused = (time.monotonic(), message)
            self._fail(message)
            raise EngineError(message) from error
        except asyncio.CancelledError:
            if child is not None:
                await child.stop()
            raise
        self._set(EngineStatus(EngineState.READY, "", info, self._status.speed, 1.0))
        return child

    async def _load(self, child: Child, model: ModelChoice) -> ModelInfo:
        request = LoadRequest(
            path=str(model.path),
            context=model.context,
            gpu_layers=model.gpu_layers,
            threads=model.threads,
            sequences=model.sequences,
            state_dir=str(model.state_dir) if model.state_dir is not None else "",
            state_bytes=model.state_bytes,
            reserve=model.reserve,
            exact=model.exact,
        )

        def on_progress(state: dict[str, Any]) -> None:
            fraction = state.get("fraction")
            if isinstance(fraction, (int, float)):
                self._set(evolve(self._status, progress=round(float(fraction), 2)))

        answer = await child.connection.call("load", to_wire(request), on_progress=on_progress, timeout=_LOAD_SECONDS)
        return evolve(from_wire(answer, ModelInfo), starter=model.starter)

    def _refuse_if_it_keeps_dying(self) -> None:
        now = time.monotonic()
        self._deaths = [when for when in self._deaths if now - when < _DEATHS_WITHIN]
        if len(self._deaths) >= _DEATHS and now - self._deaths[-1] < _REST_SECONDS:
            message = f"the model worker died {len(self._deaths)} times in a row and rests for {_REST_SECONDS:.0f} s"
            self._fail(message)
            raise EngineError(message, "See the log; another model or an older llama-cpp-python may help")

    async def _mourn(self, child: Child) -> bool:
        """A worker is gone: clear it away. Whether it was the one in use, and nobody has noticed before."""
        in_use = self._child is child
        if in_use:
            self._child = None
            self._deaths.append(time.monotonic())
        status = await child.stop()
        log.warning("the model worker ended with status %s: %s", status, " | ".join(child.last_words[-3:]))
        return in_use

    async def _measure(self, child: Child) -> None:
        with contextlib.suppress(RpcError):
            speed = from_wire(await child.connection.call("measure"), Speed)
            self._set(evolve(self._status, speed=speed))
            self._settle()

    def _replaced(self) -> None:
        """The model's file is another one now, and whole."""
        self._later(self._reload())

    async def _reload(self) -> None:
        if self._model is None or self._closed:
            return
        log.info("%s was replaced: loading it again", self._model.path)
        self._refused = None
        child, self._child = self._child, None
        if child is not None:
            await child.stop()
        with contextlib.suppress(EngineError):
            await self._worker()

    # -- requests

    async def complete(self, request: CompleteRequest) -> CompleteResult:
        """One inline completion. Raises :class:`EngineError`."""
        result = await self._ask("complete", request, CompleteResult)
        self._learn(result.timings)
        return result

    async def warm(self, request: WarmRequest) -> Timings:
        """Evaluate a prompt's prefix when the worker has nothing else to do."""
        return await self._ask("warm", request, Timings, quiet=True)

    async def generate(self, request: GenerateRequest, on_text: Callable[[str, int], None]) -> GenerateResult:
        """A whole answer; ``on_text`` gets its pieces and the number of tokens so far. Raises :class:`EngineError`."""

        def on_progress(state: dict[str, Any]) -> None:
            on_text(str(state.get("text", "")), int(state.get("tokens", 0)))

        return await self._ask("generate", request, GenerateResult, on_progress=on_progress)

    async def tokenize(self, prompt: tuple[Segment, ...]) -> TokenizeResult:
        """A prompt's tokens."""
        return await self._ask("tokenize", TokenizeRequest(prompt), TokenizeResult, quiet=True)

    async def save(self, session: str) -> bool:
        """Write a session's state to disk; whether there was something new to write."""
        return await self._ask("save", SessionRequest(session), bool, quiet=True)

    async def forget(self, session: str) -> bool:
        """Drop a session's state from memory (kept on disk where that is worth it)."""
        return await self._ask("forget", SessionRequest(session), bool, quiet=True)

    async def draft_texts(self, texts: tuple[DraftText, ...]) -> None:
        """Texts of the workspace to look drafts up in, by name; an empty text forgets one. A restart keeps them."""
        for text in texts:
            self._drafts.pop(text.name, None)
            if text.text:
                self._drafts[text.name] = text
        if self._child is not None:
            await self._send_drafts(texts)

    async def _send_drafts(self, texts: tuple[DraftText, ...]) -> None:
        child = self._child
        if child is not None:
            with contextlib.suppress(RpcError):
                await child.connection.call("drafts", to_wire(DraftTexts(texts)))

    async def stats(self) -> Stats:
        """What the worker did so far."""
        return await self._ask("stats", None, Stats, quiet=True)

    @property
    def pid(self) -> int | None:
        """The worker's process id."""
        return self._child.pid if self._child is not None else None

    async def _ask(
        self,
        method: str,
        request: object,
        kind: type[T],
        *,
        quiet: bool = False,
        on_progress: Callable[[dict[str, Any]], None] | None = None,
    ) -> T:
        if self._status.state is EngineState.OFF:
            raise EngineError(self._status.detail)
        child = await self._worker()
        if not quiet:
            self._busy += 1
            self._settle()
        try:
            answer = await child.connection.call(
                method, to_wire(request) if request is not None else {}, on_progress=on_progress
            )
            return from_wire(answer, kind)
        except RpcError as error:
            if error.code == ErrorCode.DISCONNECTED:
                in_use = await self._mourn(child)
                words = f" ({child.last_words[-1]})" if child.last_words else ""
                message = f"The model worker died during this request{words}; the next one starts it again"
                if not in_use:
                    message = "The model was loaded again during this request; ask again"
                elif self._child is None and self._starting is None:
                    self._fail(message)
                raise EngineError(message) from error
            raise EngineError(error.message) from error
        finally:
            if not quiet:
                self._busy -= 1
                self._settle()

    def _learn(self, timings: Timings) -> None:
        speed = self._status.speed
        if timings.generated > 1 and timings.decode_ms:
            speed = evolve(speed, decode=_average(speed.decode, 1000 * timings.generated / timings.decode_ms))
        read, read_ms = timings.evaluated - timings.generated, timings.first_ms - timings.queue_ms
        if read >= _TELLING_PROMPT and read_ms > 0:
            speed = evolve(speed, prefill=_average(speed.prefill, 1000 * read / read_ms))
        self._set(evolve(self._status, speed=speed))
        self._settle()


def _average(known: float, new: float) -> float:
    return known + 0.2 * (new - known) if known else new


def _tell(listener: OnStatus, status: EngineStatus) -> None:
    try:
        listener(status)
    except Exception:
        # A defect in whoever shows the status must not stop the engine.
        log.exception("a listener to the engine's status failed")


def too_slow_to_type(speed: Speed) -> bool:
    """Whether a usual proposal takes over two seconds at this speed; False while it is unknown."""
    if not speed.prefill or not speed.decode:
        return False
    return _TYPICAL_PROMPT / speed.prefill + _TYPICAL_ANSWER / speed.decode > _SLOW_SECONDS


def worker_environment(model: ModelChoice) -> dict[str, str]:
    """The worker's environment: ggml must not start a debugger, and libgomp must not burn cores while it waits."""
    environment = dict(os.environ)
    environment["GGML_NO_BACKTRACE"] = "1"
    environment["PYTHONUNBUFFERED"] = "1"
    if model.spin is not None:
        environment["GOMP_SPINCOUNT"] = str(model.spin)
        environment["OMP_WAIT_POLICY"] = "passive"
    return environment


def _reason(error: OSError | RpcError, model: ModelChoice, child: Child | None) -> str:
    if isinstance(error, OSError):
        return f"the model worker could not be started: {error}"
    if error.code == ErrorCode.DISCONNECTED:
        words = child.last_words[-1] if child is not None and child.last_words else error.message
        return f"the model worker died while loading {model.path.name} ({words}): choose another model file"
    return error.message
