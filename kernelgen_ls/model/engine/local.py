"""The engine: this process's side of a model worker. Asks it, tells it the texts for drafts, says how it stands.

A worker that dies takes one request with it: that one fails with the reason and is never repeated by itself; the next
request starts a new worker. How it is started and ended is ``worker_process``'s.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from kernelgen_ls.model.engine.choice import SPIN, ModelChoice, worker_environment
from kernelgen_ls.model.engine.standing import OnStatus, Standing, too_slow_to_type
from kernelgen_ls.model.engine.worker_process import INSTALL_LLAMA, NO_LLAMA, EngineError, WorkerProcess
from kernelgen_ls.model.messages import (
    CompleteRequest,
    CompleteResult,
    DraftText,
    DraftTexts,
    EngineState,
    EngineStatus,
    GenerateRequest,
    GenerateResult,
    Segment,
    SessionRequest,
    Stats,
    Timings,
    TokenizeRequest,
    TokenizeResult,
    WarmRequest,
)
from kernelgen_ls.rpc import ErrorCode, RpcError
from kernelgen_ls.rpc.wire import from_wire, to_wire

__all__ = [
    "INSTALL_LLAMA",
    "NO_LLAMA",
    "SPIN",
    "Engine",
    "EngineError",
    "ModelChoice",
    "too_slow_to_type",
    "worker_environment",
]

T = TypeVar("T")


class Engine:
    """One model's worker. All methods belong to the event loop that :meth:`start` ran in."""

    def __init__(self, argv: tuple[str, ...] | None = None) -> None:
        """``argv`` replaces the worker's command line (a scripted worker in benchmarks)."""
        self._standing = Standing(
            EngineStatus(EngineState.OFF, "No model is chosen: run `kernelgen-ls model use PATH`")
        )
        self._worker = WorkerProcess(argv, self._standing, settle=self._settle, greeting=self._kept_drafts)
        self._busy = 0
        self._drafts: dict[str, DraftText] = {}

    @property
    def status(self) -> EngineStatus:
        """How the worker stands."""
        return self._standing.status

    def on_status(self, callback: OnStatus) -> None:
        """Call ``callback`` with every new status."""
        self._standing.on_status(callback)

    async def start(self, model: ModelChoice) -> None:
        """Load ``model``, ending what was loaded before. Never raises for a model or an engine that does not work:
        the status says so and what to do, and the next request tries again."""
        await self._worker.start(model)

    async def close(self) -> None:
        """End the worker and what watches the file."""
        await self._worker.close()

    @property
    def pid(self) -> int | None:
        """The worker's process id."""
        return self._worker.child.pid if self._worker.child is not None else None

    async def complete(self, request: CompleteRequest) -> CompleteResult:
        """One inline completion. Raises :class:`EngineError`."""
        result = await self._ask("complete", request, CompleteResult)
        self._standing.learn(result.timings)
        self._settle()
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
        if self._worker.child is not None:
            await self._send_drafts(texts)

    async def stats(self) -> Stats:
        """What the worker did so far."""
        return await self._ask("stats", None, Stats, quiet=True)

    def _kept_drafts(self) -> Coroutine[Any, Any, None]:
        return self._send_drafts(tuple(self._drafts.values()))

    async def _send_drafts(self, texts: tuple[DraftText, ...]) -> None:
        child = self._worker.child
        if child is not None and texts:
            with contextlib.suppress(RpcError):
                await child.connection.call("drafts", to_wire(DraftTexts(texts)))

    async def _ask(
        self,
        method: str,
        request: object,
        kind: type[T],
        *,
        quiet: bool = False,
        on_progress: Callable[[dict[str, Any]], None] | None = None,
    ) -> T:
        if self.status.state is EngineState.OFF:
            raise EngineError(self.status.detail)
        child = await self._worker.ready()
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
                in_use = await self._worker.mourn(child)
                words = f" ({child.last_words[-1]})" if child.last_words else ""
                message = f"The model worker died during this request{words}; the next one starts it again"
                if not in_use:
                    message = "The model was loaded again during this request; ask again"
                elif self._worker.child is None and not self._worker.starting:
                    self._standing.fail(message)
                raise EngineError(message) from error
            raise EngineError(error.message) from error
        finally:
            if not quiet:
                self._busy -= 1
                self._settle()

    def _settle(self) -> None:
        """Ready, busy or slow, after a request or a measurement."""
        if self._worker.child is not None and not self._worker.starting:
            self._standing.settle(busy=bool(self._busy))
