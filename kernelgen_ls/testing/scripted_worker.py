"""A worker that answers from a script instead of a model, over the same RPC: for benchmarks and tests of the rest.

``python -m kernelgen_ls.testing.scripted_worker SCRIPT.json``. Ghost text is the true continuation of one of the
script's documents in ``right`` of all cases (chosen by the text before the cursor, so that the same cursor always gets
the same answer) and a line from elsewhere otherwise. Generations are the script's answers, one after another.
Everything else (stopping rules, streaming, cancellation) is what the real worker does.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import sys
import time
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path

import cattrs
from attrs import define, evolve, field, frozen

from kernelgen_ls.model.completion.stopping import Stopper
from kernelgen_ls.model.messages import (
    Candidate,
    CompleteRequest,
    CompleteResult,
    GenerateRequest,
    GenerateResult,
    ModelInfo,
    Segment,
    Speed,
    Stats,
    StopReason,
    Timings,
    TokenizeRequest,
    TokenizeResult,
    WarmRequest,
)
from kernelgen_ls.rpc import Call, serve_stdio
from kernelgen_ls.rpc.wire import from_wire, to_wire

_PIECE = 4
"""Characters that stand for a token."""
_REMEMBERED = 120


@frozen
class Script:
    """What the worker says. ``token_ms`` is the time a written token takes, ``prompt_ms`` one to evaluate."""

    documents: tuple[str, ...] = ()
    right: float = 1.0
    seed: int = 0
    answers: tuple[str, ...] = ()
    token_ms: float = 0.0
    prompt_ms: float = 0.0
    name: str = "scripted"
    context: int = 16384
    log: str = ""
    """A file to which every prompt is appended, one JSON line each with its method."""

    @classmethod
    def read(cls, path: Path) -> Script:
        """The script in a JSON file of these fields."""
        return cattrs.structure(json.loads(path.read_text("utf-8")), cls)


CUT = "<<cut>>"
"""At the end of an answer: it is reported as cut off at the length limit."""
DIE = "<<die>>"
"""Inside an answer: the worker's process ends there, as by kill -9."""


@define(eq=False)
class ScriptedWorker:
    """The methods of the real worker, as far as the engine calls them."""

    script: Script
    _answered: int = 0
    _prompts: dict[str, str] = field(factory=dict)
    _stats: Stats = field(factory=Stats)

    def handlers(self) -> dict[str, Callable[[Call], Awaitable[object]]]:
        """Method names to handlers."""
        return {
            "load": self.load,
            "tokenize": self.tokenize,
            "complete": self.complete,
            "warm": self.warm,
            "generate": self.generate,
            "save": self.nothing,
            "forget": self.nothing,
            "drafts": self.nothing,
            "measure": self.measure,
            "stats": self.stats,
        }

    async def load(self, call: Call) -> object:
        """A model that needs no loading."""
        script = self.script
        return to_wire(
            ModelInfo(
                path=str(call.params.get("path", "")),
                name=script.name,
                architecture="scripted",
                parameters=0,
                bytes=0,
                context=script.context,
                trained_context=script.context,
                vocabulary=0,
                fim=False,
                chat_template="",
                gpu_layers=0,
                threads=1,
            )
        )

    async def complete(self, call: Call) -> object:
        """The document's continuation, or a wrong line."""
        request = from_wire(call.params, CompleteRequest)
        self._log("complete", request.prompt)
        started = time.perf_counter()
        evaluated, reused = await self._evaluate(request.sequence, request.prompt)
        first = time.perf_counter()
        before = next(segment.text for segment in reversed(request.prompt) if not segment.special)
        stopper = Stopper(request.stop)
        generated = 0
        for piece in _pieces(self._continuation(before)):
            generated += 1
            await self._write_token()
            if stopper.feed(piece) or generated >= request.max_tokens:
                break
        now = time.perf_counter()
        self._count(requests=1, evaluated=evaluated + generated, reused=reused, generated=generated)
        timings = Timings(
            evaluated=evaluated + max(generated - 1, 0),
            prompt=evaluated,
            reused=reused,
            generated=generated,
            first_ms=(first - started) * 1000,
            total_ms=(now - started) * 1000,
        )
        reason = StopReason.RULE if stopper.stopped else StopReason.END
        return to_wire(CompleteResult((Candidate(stopper.text, reason, generated),), timings))

    async def warm(self, call: Call) -> object:
        """Evaluate in advance."""
        request = from_wire(call.params, WarmRequest)
        evaluated, reused = await self._evaluate(request.sequence, request.prompt)
        self._count(evaluated=evaluated, reused=reused)
        return to_wire(Timings(evaluated=evaluated, prompt=evaluated, reused=reused))

    async def generate(self, call: Call) -> object:
        """The next answer, streamed."""
        request = from_wire(call.params, GenerateRequest)
        self._log("generate", request.prompt)
        await self._evaluate("generation", request.prompt)
        answers = self.script.answers or ("",)
        text = answers[min(self._answered, len(answers) - 1)]
        self._answered += 1
        cut = text.endswith(CUT)
        written: list[str] = []
        for piece in _pieces(text.removesuffix(CUT)):
            if DIE in "".join(written[-3:]) + piece:
                os._exit(9)
            if len(written) >= request.max_tokens:
                cut = True
                break
            await self._write_token()
            written.append(piece)
            await call.progress({"text": piece, "tokens": len(written)})
        stop = StopReason.LENGTH if cut else StopReason.END
        timings = Timings(evaluated=_tokens(_joined(request.prompt)), generated=len(written))
        self._count(requests=1, generated=len(written))
        return to_wire(GenerateResult("".join(written), stop, timings))

    async def tokenize(self, call: Call) -> object:
        """Pieces of fixed width."""
        pieces = tuple(_pieces(_joined(from_wire(call.params, TokenizeRequest).prompt)))
        return to_wire(TokenizeResult(tuple(range(len(pieces))), pieces))

    async def measure(self, call: Call) -> object:
        """The script's own speed."""
        script = self.script
        return to_wire(Speed(1000 / (script.prompt_ms or 0.1), 1000 / (script.token_ms or 1.0)))

    async def stats(self, call: Call) -> object:
        """Counts since the start."""
        return to_wire(self._stats)

    async def nothing(self, call: Call) -> object:
        """There is no state to save or forget."""
        return True

    async def _evaluate(self, sequence: str, prompt: Iterable[Segment]) -> tuple[int, int]:
        """Tokens evaluated and reused, the longest common prefix with the sequence's last prompt being free."""
        text, known = _joined(prompt), self._prompts.get(sequence, "")
        shorter = min(len(text), len(known))
        common = next((at for at in range(shorter) if text[at] != known[at]), shorter)
        self._prompts[sequence] = text
        evaluated, reused = _tokens(text[common:]), _tokens(text[:common])
        await asyncio.sleep(self.script.prompt_ms * evaluated / 1000)
        return evaluated, reused

    def _log(self, method: str, prompt: Iterable[Segment]) -> None:
        if self.script.log:
            with Path(self.script.log).open("a", encoding="utf-8") as log:
                log.write(json.dumps({"method": method, "prompt": _joined(prompt)}) + "\n")

    async def _write_token(self) -> None:
        await asyncio.sleep(self.script.token_ms / 1000)

    def _continuation(self, before: str) -> str:
        if not before.strip():
            return ""
        tail = before[-_REMEMBERED:]
        digest = hashlib.sha256(f"{self.script.seed} {before.rstrip()[-_REMEMBERED:]}".encode()).digest()
        right = int.from_bytes(digest[:4], "big") / 2**32 < self.script.right
        for document in self.script.documents:
            at = document.find(tail)
            if at < 0:
                continue
            if right:
                return document[at + len(tail) :]
            lines = [line for line in document.split("\n") if line.strip()]
            return lines[int.from_bytes(digest[4:8], "big") % len(lines)].strip() + "\n"
        return ""

    def _count(self, **more: int) -> None:
        self._stats = evolve(self._stats, **{name: getattr(self._stats, name) + count for name, count in more.items()})


def _joined(prompt: Iterable[Segment]) -> str:
    return "".join(segment.text for segment in prompt)


def _tokens(text: str) -> int:
    return (len(text) + _PIECE - 1) // _PIECE


def _pieces(text: str) -> list[str]:
    return [text[start : start + _PIECE] for start in range(0, len(text), _PIECE)]


def main() -> None:
    """Serve the script named on the command line."""
    worker = ScriptedWorker(Script.read(Path(sys.argv[1])))
    asyncio.run(serve_stdio(worker.handlers()))


if __name__ == "__main__":
    main()
