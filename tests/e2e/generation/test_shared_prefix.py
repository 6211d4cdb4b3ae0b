"""What all prompts of a profile begin with is evaluated once: its state outlives the worker."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernelgen_ls.model.engine.choice import ModelChoice
from kernelgen_ls.model.engine.local import LocalEngine
from kernelgen_ls.model.messages import GenerateRequest, Sampling, Segment, Timings
from kernelgen_ls.model.prompts import chatml

pytestmark = pytest.mark.engine
SHARED = (Path(__file__).parents[3] / "kernelgen_ls/model/prompts/profiles/en/full_shared.txt").read_text("utf-8")


async def written(model: Path, states: Path, task: str) -> Timings:
    """What a worker of its own spends on one task's prompt."""
    engine = LocalEngine()
    await engine.start(ModelChoice(model, threads=1, state_dir=states))
    try:
        prompt = (Segment(chatml.USER, special=True), Segment(SHARED), Segment(task))
        request = GenerateRequest(prompt, max_tokens=2, sampling=Sampling(), shared=2)
        return (await engine.generate(request, lambda text, tokens: None)).timings
    finally:
        await engine.close()


async def test_another_worker_reads_the_shared_part_from_disk(tiny_gguf: Path, tmp_path: Path) -> None:
    states = tmp_path / "states"
    first = await written(tiny_gguf, states, "operator AddCustom")
    assert first.prompt > 200
    assert list(states.rglob("*.state"))
    second = await written(tiny_gguf, states, "another operator")
    assert second.reused > 0.9 * first.prompt
    assert second.prompt < 0.1 * first.prompt
