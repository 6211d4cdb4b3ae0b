"""The worker's methods over the RPC: load, tokenize, complete, warm, generate, save, forget, measure, drafts, stats."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import attrs

from kernelgen_ls.model.gguf_file import GgufError, check
from kernelgen_ls.model.inference.backend import Backend, BackendError, GrammarError
from kernelgen_ls.model.inference.decoding import Cost, Decoder
from kernelgen_ls.model.inference.plan import LoadPlan, plan_load
from kernelgen_ls.model.inference.requests import Clock, complete, generate, warm
from kernelgen_ls.model.inference.scheduler import Job, Priority, Scheduler, Steps, once
from kernelgen_ls.model.inference.sequences import ContextFullError
from kernelgen_ls.model.inference.vocabulary import Vocabulary
from kernelgen_ls.model.machine import available_memory, physical_cores, resident_memory
from kernelgen_ls.model.messages import (
    MOST_TEMPLATE_CHARS,
    CompleteRequest,
    DraftTexts,
    FimTokens,
    GenerateRequest,
    LoadRequest,
    ModelInfo,
    SequenceRequest,
    Speed,
    Stats,
    TokenizeRequest,
    TokenizeResult,
    WarmRequest,
)
from kernelgen_ls.model.prompts.chat import ChatFormat
from kernelgen_ls.model.state_files import StateFolder
from kernelgen_ls.rpc import Call, ErrorCode, Handler, RpcError
from kernelgen_ls.rpc.wire import from_wire, to_wire

T = TypeVar("T")

log = logging.getLogger(__name__)

MODEL_ERROR = 1
"""RPC error code: the model or the request to it is at fault; the message is for the user."""

_CHAT_TEMPLATE = "tokenizer.chat_template"
_MEASURED_PROMPT = 48
_MEASURED_TOKENS = 4
_USER_ERRORS = (GgufError, BackendError, GrammarError, ContextFullError)


class Service:
    """One model behind the worker's methods."""

    def __init__(
        self,
        open_backend: Callable[[LoadPlan, Callable[[float], None]], Backend],
        can_offload: Callable[[], bool],
    ) -> None:
        self._open_backend = open_backend
        self._can_offload = can_offload
        self._decoder: Decoder | None = None
        self._scheduler: Scheduler | None = None

    def handlers(self) -> dict[str, Handler]:
        """Method names to handlers."""
        return {
            "load": _handler(self.load),
            "tokenize": _handler(self.tokenize),
            "complete": _handler(self.complete),
            "warm": _handler(self.warm),
            "generate": _handler(self.generate),
            "save": _handler(self.save),
            "forget": _handler(self.forget),
            "drafts": _handler(self.drafts),
            "measure": _handler(self.measure),
            "stats": _handler(self.stats),
        }

    def close(self) -> None:
        """Stop the engine thread and keep what is worth keeping on disk."""
        if self._scheduler is not None:
            self._scheduler.stop()
        if self._decoder is not None:
            self._decoder.backend.resume()
            for slot in self._decoder.sequences.live:
                self._decoder.sequences.save(slot)

    # -- methods

    async def load(self, call: Call) -> object:
        """Load a model; progress ``{"fraction": float}``."""
        if self._decoder is not None:
            raise RpcError(ErrorCode.INVALID_REQUEST, "a worker loads one model; start another for another")
        request = from_wire(call.params, LoadRequest)
        loop = asyncio.get_running_loop()
        fractions: asyncio.Queue[float | None] = asyncio.Queue()

        def on_progress(fraction: float) -> None:
            loop.call_soon_threadsafe(fractions.put_nowait, fraction)

        file = await asyncio.to_thread(check, Path(request.path))

        def work() -> tuple[LoadPlan, Backend]:
            plan = plan_load(
                request, file, cores=physical_cores(), free=available_memory(), offload=self._can_offload()
            )
            return plan, self._open_backend(plan, on_progress)

        # A template that takes this process down is never run in any other.
        chat = ChatFormat(file.text(_CHAT_TEMPLATE))
        trying = asyncio.create_task(asyncio.to_thread(chat.problem))
        task = asyncio.create_task(asyncio.to_thread(work))
        task.add_done_callback(lambda _: fractions.put_nowait(None))
        while (fraction := await fractions.get()) is not None:
            await call.progress({"fraction": fraction})
        plan, backend = await task
        states = await asyncio.to_thread(_state_folder, request, f"{file.fingerprint}-{plan.gpu_layers}")
        self._decoder = Decoder(backend, states)
        self._scheduler = Scheduler(backend.abort, backend.resume)
        self._decoder.interruptible = self._scheduler.interruptible
        vocabulary = backend.vocabulary
        return ModelInfo(
            path=str(file.path),
            name=file.name,
            architecture=file.architecture,
            parameters=file.parameters,
            bytes=file.size,
            context=backend.cells,
            trained_context=file.context,
            vocabulary=len(vocabulary.pieces),
            fim=vocabulary.fim is not None,
            chat_template=chat.template[:MOST_TEMPLATE_CHARS],
            gpu_layers=plan.gpu_layers,
            threads=plan.threads,
            quantisation=file.quantisation,
            fim_tokens=fim_texts(vocabulary),
            begin_text=vocabulary.spelling(vocabulary.bos),
            end_text=vocabulary.spelling(vocabulary.eos),
            chat_problem=await trying,
        )

    async def tokenize(self, call: Call) -> object:
        """Tokens of a prompt."""
        request = from_wire(call.params, TokenizeRequest)
        decoder = self._loaded()

        def work() -> TokenizeResult:
            tokens, _ = decoder.tokens(request.prompt)
            vocabulary = decoder.backend.vocabulary
            return TokenizeResult(tuple(tokens), tuple(vocabulary.spelling(token) for token in tokens))

        return await self._run(Priority.CONTROL, once(work))

    async def complete(self, call: Call) -> object:
        """One inline completion."""
        request = from_wire(call.params, CompleteRequest)
        decoder, clock = self._loaded(), Clock()
        return await self._run(Priority.TYPING, lambda: complete(decoder, request, clock))

    async def warm(self, call: Call) -> object:
        """Evaluate a prompt when nothing else is to do."""
        request = from_wire(call.params, WarmRequest)
        decoder, clock = self._loaded(), Clock()
        return await self._run(Priority.WARM, lambda: warm(decoder, request, clock))

    async def generate(self, call: Call) -> object:
        """A whole answer; progress ``{"text": str, "tokens": int}``."""
        request = from_wire(call.params, GenerateRequest)
        decoder, clock = self._loaded(), Clock()
        loop = asyncio.get_running_loop()
        pieces: asyncio.Queue[tuple[str, int] | None] = asyncio.Queue()

        def on_text(text: str, tokens: int) -> None:
            loop.call_soon_threadsafe(pieces.put_nowait, (text, tokens))

        async def stream() -> None:
            ended = False
            while not ended:
                batch = [await pieces.get()]
                while not pieces.empty():
                    batch.append(pieces.get_nowait())
                ended = None in batch
                if texts := [piece for piece in batch if piece is not None]:
                    await call.progress({"text": "".join(text for text, _ in texts), "tokens": texts[-1][1]})

        streaming = asyncio.create_task(stream())
        try:
            result = await self._run(Priority.GENERATION, lambda: generate(decoder, request, clock, on_text))
            pieces.put_nowait(None)
            await streaming
            return result
        finally:
            streaming.cancel()

    async def save(self, call: Call) -> object:
        """Write a sequence's state to disk now; whether there was something to write."""
        request = from_wire(call.params, SequenceRequest)
        sequences = self._loaded().sequences

        def work() -> bool:
            slot = sequences.find(request.sequence)
            return slot is not None and sequences.save(slot)

        return await self._run(Priority.WARM, once(work))

    async def forget(self, call: Call) -> object:
        """Drop a sequence from memory."""
        request = from_wire(call.params, SequenceRequest)
        sequences = self._loaded().sequences

        def work() -> bool:
            slot = sequences.find(request.sequence)
            if slot is None or slot.pins:
                return False
            sequences.drop(slot)
            return True

        return await self._run(Priority.WARM, once(work))

    async def drafts(self, call: Call) -> object:
        """Texts of the workspace to look drafts up in."""
        request = from_wire(call.params, DraftTexts)
        decoder = self._loaded()

        def steps() -> Steps[None]:
            for text in request.texts:
                decoder.remember((text,))
                yield

        return await self._run(Priority.WARM, steps)

    async def measure(self, call: Call) -> object:
        """Evaluate a little at the lowest priority, so that the speed is known before the first request."""
        decoder = self._loaded()

        def steps() -> Steps[Speed]:
            text = "template <typename T>\nclass Kernel {\n public:\n  void Init(uint32_t length) {}\n};\n"
            tokens = (decoder.backend.tokenize(text, False) * _MEASURED_PROMPT)[:_MEASURED_PROMPT]
            cost = Cost()
            slot = decoder.sequences.open("measure", tokens)
            slot.pins += 1
            try:
                yield from decoder.read(slot, tokens, cost)
                for token in tokens[:_MEASURED_TOKENS]:
                    yield
                    decoder.evaluate(slot, (token,), 1, cost)
            finally:
                slot.pins -= 1
                decoder.sequences.drop(slot, keep=False)
            return decoder.speed

        return await self._run(Priority.WARM, steps)

    async def stats(self, call: Call) -> object:
        """What was done so far."""
        decoder, scheduler = self._loaded(), self._scheduler
        assert scheduler is not None
        sequences, totals = decoder.sequences, decoder.totals
        live = sequences.live
        return Stats(
            requests=scheduler.requests,
            cancelled=scheduler.cancelled,
            evaluated=totals.evaluated,
            reused=totals.reused,
            generated=totals.generated,
            drafted=totals.drafted,
            accepted=totals.accepted,
            aborted=totals.aborted,
            sequences=len(live),
            cells=sum(len(slot.tokens) for slot in live),
            saved=sequences.saved,
            restored=sequences.restored,
            evicted=sequences.evicted,
            memory=resident_memory(),
            speed=decoder.speed,
        )

    # -- plumbing

    def _loaded(self) -> Decoder:
        if self._decoder is None:
            raise RpcError(ErrorCode.INVALID_REQUEST, "no model is loaded: call `load` first")
        return self._decoder

    async def _run(self, priority: Priority, steps: Callable[[], Steps[T]]) -> T:
        assert self._scheduler is not None
        job: Job[T] = self._scheduler.submit(priority, steps)
        try:
            return await asyncio.wrap_future(job.future)
        except asyncio.CancelledError:
            self._scheduler.cancel(job)
            raise


def _state_folder(request: LoadRequest, model: str) -> StateFolder | None:
    """Where the states of ``model`` are kept; None where none are wanted or the disk takes none."""
    if not request.state_dir or request.state_bytes <= 0:
        return None
    try:
        return StateFolder(Path(request.state_dir) / model, request.state_bytes)
    except OSError as problem:
        log.warning("states of documents are not kept on disk: %s", problem)
        return None


def fim_texts(vocabulary: Vocabulary) -> FimTokens:
    """The spelling of a vocabulary's fill-in-the-middle tokens."""
    if vocabulary.fim is None:
        return FimTokens()
    prefix, suffix, middle = vocabulary.fim
    return FimTokens(vocabulary.spelling(prefix), vocabulary.spelling(suffix), vocabulary.spelling(middle))


def _handler(method: Callable[[Call], Awaitable[object]]) -> Handler:
    async def handle(call: Call) -> Any:
        try:
            answer = await method(call)
            return to_wire(answer) if attrs.has(type(answer)) else answer
        except _USER_ERRORS as error:
            raise RpcError(MODEL_ERROR, str(error)) from error

    return handle
