"""The life of a model worker's process: started, loaded, missed when it dies, started again, ended.

One that keeps dying is left alone for a while, and a model that did not load is not tried at every keystroke. A model
file that is replaced is loaded again once it is whole. What the worker is asked is ``engine``'s.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import logging
import sys
import time
from collections.abc import Callable, Coroutine
from typing import Any

from attrs import evolve

from kernelgen_ls.model.engine.choice import ModelChoice, worker_environment
from kernelgen_ls.model.engine.protocol import INSTALL_LLAMA, NO_LLAMA, EngineError
from kernelgen_ls.model.engine.status import StatusFeed
from kernelgen_ls.model.engine.watch import FileWatch
from kernelgen_ls.model.messages import EngineState, EngineStatus, ModelInfo, Speed
from kernelgen_ls.model.prompts.chat import ChatFormat
from kernelgen_ls.rpc import Child, ErrorCode, Limits, RpcError, spawn
from kernelgen_ls.rpc.wire import from_wire, to_wire

log = logging.getLogger(__name__)

_LOAD_SECONDS = 600.0
_DEATHS = 3
_DEATHS_WITHIN = 120.0
_REST_SECONDS = 30.0
_REFUSED_SECONDS = 5.0
"""A model that did not load is not tried again at every keystroke."""


class WorkerProcess:
    """At most one process with one model in it; see the module's docstring."""

    def __init__(
        self,
        argv: tuple[str, ...] | None,
        status: StatusFeed,
        *,
        settle: Callable[[], None],
        greeting: Callable[[], Coroutine[Any, Any, None]],
    ) -> None:
        """``argv`` replaces the worker's command line; ``greeting`` is sent to each process once it is loaded."""
        self._argv = argv or (sys.executable, "-m", "kernelgen_ls.model.worker")
        self._own_worker = argv is None
        self._status = status
        self._settle = settle
        self._greeting = greeting
        self._model: ModelChoice | None = None
        self._child: Child | None = None
        self._starting: asyncio.Task[Child] | None = None
        self._watch: FileWatch | None = None
        self._background: set[asyncio.Task[None]] = set()
        self._deaths: list[float] = []
        self._refused: tuple[float, str] | None = None
        self._closed = False

    @property
    def child(self) -> Child | None:
        """The process with its model loaded."""
        return self._child

    @property
    def starting(self) -> bool:
        """Whether a process is being started now."""
        return self._starting is not None

    async def start(self, model: ModelChoice) -> None:
        """Load ``model``, ending what was loaded before. Never raises for a model or an engine that does not work:
        the status says so and what to do, and the next request tries again."""
        await self._stop()
        self._model = model
        self._closed = False
        self._refused = None
        if self._own_worker and importlib.util.find_spec("llama_cpp") is None:
            self._status.set(EngineStatus(EngineState.OFF, f"{NO_LLAMA}: {INSTALL_LLAMA}"))
            return
        if self._own_worker:
            self._watch = FileWatch(model.path, self._replaced)
            self._watch.start()
        with contextlib.suppress(EngineError):
            await self.ready()

    async def close(self) -> None:
        """End the worker and what watches the file."""
        self._closed = True
        await self._stop()
        self._status.set(EngineStatus(EngineState.OFF, "Stopped"))

    async def _stop(self) -> None:
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

    async def ready(self) -> Child:
        """The worker with its model loaded; starts it where there is none. Raises :class:`EngineError`."""
        if self._child is not None and self._child.connection.closed:
            await self.mourn(self._child)
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
            self._later(self._greeting())

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
        self._status.set(EngineStatus(EngineState.LOADING, f"Loading {model.path.name}"))
        child: Child | None = None
        try:
            child = await spawn(self._argv, env=worker_environment(model), limits=Limits(), on_stderr=_pass_on)
            info = await self._load(child, model)
        except (OSError, RpcError) as error:
            if child is not None:
                if isinstance(error, RpcError) and error.code == ErrorCode.DISCONNECTED:
                    self._deaths.append(time.monotonic())
                await child.stop()
            message = _reason(error, model, child)
            self._refused = (time.monotonic(), message)
            self._status.fail(message)
            raise EngineError(message) from error
        except asyncio.CancelledError:
            if child is not None:
                await child.stop()
            raise
        if info.chat_problem:
            log.warning("%s: %s", model.path.name, info.chat_problem)
        self._status.set(EngineStatus(EngineState.READY, info.chat_problem, info, self._status.status.speed, 1.0))
        return child

    async def _load(self, child: Child, model: ModelChoice) -> ModelInfo:
        def on_progress(state: dict[str, Any]) -> None:
            fraction = state.get("fraction")
            if isinstance(fraction, (int, float)):
                self._status.set(evolve(self._status.status, progress=round(float(fraction), 2)))

        answer = await child.connection.call(
            "load", to_wire(model.load_request()), on_progress=on_progress, timeout=_LOAD_SECONDS
        )
        info = evolve(from_wire(answer, ModelInfo), starter=model.starter)
        if not info.starter:
            await asyncio.to_thread(ChatFormat.of(info).prepare)
        return info

    def _refuse_if_it_keeps_dying(self) -> None:
        now = time.monotonic()
        self._deaths = [when for when in self._deaths if now - when < _DEATHS_WITHIN]
        if len(self._deaths) >= _DEATHS and now - self._deaths[-1] < _REST_SECONDS:
            message = f"the model worker died {len(self._deaths)} times in a row and rests for {_REST_SECONDS:.0f} s"
            self._status.fail(message)
            raise EngineError(message, "See the log; another model or an older llama-cpp-python may help")

    async def mourn(self, child: Child) -> bool:
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
            self._status.set(evolve(self._status.status, speed=speed))
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
            await self.ready()


def _pass_on(line: str) -> None:
    """What the worker says, in the log: its warnings as such, llama.cpp's own words below them."""
    log.log(logging.WARNING if line.startswith("WARNING ") else logging.INFO, "%s", line)


def _reason(error: OSError | RpcError, model: ModelChoice, child: Child | None) -> str:
    if isinstance(error, OSError):
        return f"the model worker could not be started: {error}"
    if error.code == ErrorCode.DISCONNECTED:
        words = child.last_words[-1] if child is not None and child.last_words else error.message
        return f"the model worker died while loading {model.path.name} ({words}): choose another model file"
    return error.message
