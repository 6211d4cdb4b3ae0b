"""The grammar holds whatever a real worker writes to the frame that the reader reads."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from kernelgen_ls.model.engine.choice import ModelChoice
from kernelgen_ls.model.engine.local import LocalEngine
from kernelgen_ls.model.generation.answer import read_answer
from kernelgen_ls.model.generation.grammar import answer_grammar
from kernelgen_ls.model.messages import GenerateRequest, Sampling, Segment
from kernelgen_ls.model.prompts import chatml

pytestmark = pytest.mark.engine
PROMPT = (Segment(chatml.USER, special=True), Segment("write"), Segment(chatml.ASSISTANT, special=True))


@pytest.fixture
async def engine(tiny_gguf: Path) -> AsyncIterator[LocalEngine]:
    engine = LocalEngine()
    await engine.start(ModelChoice(tiny_gguf, threads=1))
    yield engine
    await engine.close()


async def test_one_kernel(engine: LocalEngine) -> None:
    request = GenerateRequest(PROMPT, max_tokens=60, sampling=Sampling(), grammar=answer_grammar(()))
    result = await engine.generate(request, lambda text, tokens: None)
    assert result.text.lstrip(" \n").startswith("<kernel_impl>\n```cpp\n")
    assert read_answer(result.text, kernel_path="op_kernel/k.cpp", stopped_early=True).files


async def test_three_files(engine: LocalEngine) -> None:
    paths = ("op_host/k_tiling.h", "op_host/k.cpp", "op_kernel/k.cpp")
    request = GenerateRequest(PROMPT, max_tokens=120, sampling=Sampling(), grammar=answer_grammar(paths))
    result = await engine.generate(request, lambda text, tokens: None)
    line = "=" * 18
    assert result.text.lstrip(" \n").startswith(f"{line} op_host/k_tiling.h {line}\n```cpp\n")


async def test_the_reasoning_is_free(engine: LocalEngine) -> None:
    request = GenerateRequest(
        PROMPT, max_tokens=20, sampling=Sampling(), grammar=answer_grammar(()), grammar_after="</think>"
    )
    free = await engine.generate(request, lambda text, tokens: None)
    plain = await engine.generate(
        GenerateRequest(PROMPT, max_tokens=20, sampling=Sampling()), lambda text, tokens: None
    )
    assert free.text == plain.text
