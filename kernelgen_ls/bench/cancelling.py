"""How fast a cancel is felt: until the editor has its answer, until the engine works for someone else.

Through the server a generation is cancelled as editors do (``$/cancelRequest``). The engine alone is measured with a
prompt of a thousand tokens of which nothing was evaluated before: what it still evaluates after the cancel, and when
another request's first token is there.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from pathlib import Path

from attrs import frozen

from kernelgen_ls.bench.editing import Editing, generation_stage, until
from kernelgen_ls.bench.times import Times
from kernelgen_ls.model.engine.choice import ModelChoice
from kernelgen_ls.model.engine.local import LocalEngine
from kernelgen_ls.model.messages import CompleteRequest, GenerateRequest, Sampling, Segment, StopRules
from kernelgen_ls.model.prompts import chatml
from kernelgen_ls.testing.lsp_client import LspClient, LspError

PROMPT_TOKENS = 1000
_MOST_WAIT = 0.3
"""Seconds into a stage; cancels fall anywhere in it."""


@frozen
class EngineCancels:
    """The engine alone. ``evaluated`` counts tokens that it still evaluated after the cancel, at most."""

    answered: Times
    """ms until another request has its first token; beside it ``undisturbed``, the same request of an idle engine."""
    undisturbed: Times
    evaluated: int


async def server_cancels(client: LspClient, document: Editing, stages: tuple[str, ...], count: int) -> Times:
    """Start a generation, cancel it in one of ``stages``, ``count`` times: ms until the request is answered."""
    chance = random.Random(1)
    values = []
    for number in range(count):
        identifier, answer = document.generate(f"cancel-{stages[0]}-{number}")
        await until(lambda: generation_stage(client) in stages, 120)
        await asyncio.sleep(chance.random() * _MOST_WAIT)
        cancelled = time.perf_counter()
        client.cancel(identifier)
        with contextlib.suppress(LspError):
            await answer
        values.append((time.perf_counter() - cancelled) * 1000)
        await until(lambda: not generation_stage(client), 60)
    return Times.of(values)


async def engine_cancels(model: Path, count: int) -> tuple[EngineCancels, EngineCancels]:
    """While it reads a prompt, and while it writes."""
    engine = LocalEngine()
    await engine.start(ModelChoice(path=model))
    try:
        undisturbed = Times.of([await _small(engine, number) for number in range(count)])
        reading = await _cancels(engine, count, writing=False)
        writing = await _cancels(engine, count, writing=True)
        return (EngineCancels(reading[0], undisturbed, reading[1]), EngineCancels(writing[0], undisturbed, writing[1]))
    finally:
        await engine.close()


async def _cancels(engine: LocalEngine, count: int, *, writing: bool) -> tuple[Times, int]:
    values, most = [], 0
    for number in range(count):
        text = "x" if writing else await _long_text(engine, f"{number}")
        prompt = (Segment(chatml.USER, special=True), Segment(text))
        request = GenerateRequest(prompt, max_tokens=1500, sampling=Sampling(1.0, seed=number))
        before = await engine.stats()
        running = asyncio.create_task(engine.generate(request, lambda text, tokens: None))
        while (now := await engine.stats()).evaluated == before.evaluated or (  # noqa: ASYNC110  # another process
            writing and now.generated == before.generated
        ):
            await asyncio.sleep(0.002)
        at_cancel = (await engine.stats()).evaluated
        cancelled = time.perf_counter()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        small = await engine.complete(_small_request(f"after-{writing}-{number}"))
        values.append((time.perf_counter() - cancelled) * 1000)
        most = max(most, (await engine.stats()).evaluated - small.timings.evaluated - at_cancel)
    return Times.of(values), most


async def _small(engine: LocalEngine, number: int) -> float:
    began = time.perf_counter()
    await engine.complete(_small_request(f"idle-{number}"))
    return (time.perf_counter() - began) * 1000


def _small_request(session: str) -> CompleteRequest:
    return CompleteRequest(session, (Segment("x"),), max_tokens=1, stop=StopRules(max_lines=1), draft=False)


async def _long_text(engine: LocalEngine, seed: str) -> str:
    """A text of about ``PROMPT_TOKENS`` tokens that begins unlike any other."""
    words = [f"{seed}{number} " for number in range(PROMPT_TOKENS)]
    tokens = len((await engine.tokenize((Segment("".join(words)),))).tokens)
    return "".join(words[: len(words) * PROMPT_TOKENS // max(tokens, 1)])
