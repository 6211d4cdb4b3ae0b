"""The engine on this machine: this process's side of a model worker. Asks it, tells it the texts for drafts.

A worker that dies takes one request with it: that one fails with the reason and is never repeated by itself; the next
request starts a new worker. How it is started and ended is ``worker_process``'s.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from attrs import evolve

from kernelgen_ls.model.engine.choice import ModelChoice
from kernelgen_ls.model.engine.protocol import Capabilities, EngineError, OnStatus, OnText
from kernelgen_ls.model.engine.status import StatusFeed
from kernelgen_ls.model.engine.worker_process import WorkerProcess
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
    SequenceRequest,
    Stats,
    Timings,
    TokenizeRequest,
    TokenizeResult,
    WarmRequest,
)
from kernelgen_ls.rpc import ErrorCode, RpcError
from kernelgen_ls.rpc.wire import from_wire, to_wire

T = TypeVar("T")


class LocalEngine:
    """One model's worker. All methods belong to the event loop that :meth:`start` ran in."""

    def __init__(self, argv: tuple[str, ...] | None = None) -> None:
        """``argv`` replaces the worker's command line (a scripted worker in benchmarks)."""
        self._status = StatusFeed(
            EngineStatus(EngineState.OFF, "No model is chosen: run `kernelgen-ls model use PATH`")
        )
        self._worker = WorkerProcess(argv, self._status, settle=self._settle, greeting=self._kept_drafts)
        self._busy = 0
        self._drafts: dict[str, DraftText] = {}

    @property
    def capabilities(self) -> Capabilities:
        """All there are."""
        return Capabilities(segments=True, fim=True, sequences=True, token_counts=True, drafts=True, grammar=True)

    @property
    def status(self) -> EngineStatus:
        """How the worker stands."""
        return self._status.status

    def on_status(self, callback: OnStatus) -> None:
        """Call ``callback`` with every new status."""
        self._status.on_status(callback)

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
        result = await self._ask("complete", evolve(request, conversation=None), CompleteResult)
        self._status.learn(result.timings)
        self._settle()
        return result

    async def warm(self, request: WarmRequest) -> Timings:
        """Evaluate a prompt's prefix when the worker has nothing else to do."""
        return await self._ask("warm", request, Timings, quiet=True)

    async def generate(self, request: GenerateRequest, on_text: OnText) -> GenerateResult:
        """A whole answer; ``on_text`` gets its pieces and the number of tokens so far. Raises :class:`EngineError`."""

        def on_progress(state: dict[str, Any]) -> None:
            on_text(str(state.get("text", "")), int(state.get("tokens", 0)))

        return await self._ask("generate", evolve(request, conversation=None), GenerateResult, on_progress=on_progress)

    async def tokenize(self, prompt: tuple[Segment, ...]) -> TokenizeResult:
        """A prompt's tokens."""
        return await self._ask("tokenize", TokenizeRequest(prompt), TokenizeResult, quiet=True)

    async def save(self, sequence: str) -> bool:
        """Write a sequence's state to disk; whether there was something new to write."""
        return await self._ask("save", SequenceRequest(sequence), bool, quiet=True)

    async def forget(self, sequence: str) -> bool:
        """Drop a sequence's state from memory (kept on disk where that is worth it)."""
        return await self._ask("forget", SequenceRequest(sequence), bool, quiet=True)

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
                    self._status.fail(message)
                raise EngineError(message) from error
            raise EngineError(error.message) from error
        finally:
            if not quiet:
                self._busy -= 1
                self._settle()

    def _settle(self) -> None:
        """Ready, busy or slow, after a request or a measurement."""
        if self._worker.child is not None and not self._worker.starting:
            self._status.settle(busy=bool(self._busy))
