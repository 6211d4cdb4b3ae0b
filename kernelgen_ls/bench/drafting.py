"""Drafting on and off, over places of one kernel: the same texts, the time of a token in each.

The starter writes what it would. Of a model with random weights the file's own continuation is dictated (see
``dictated_worker``), since what such a model writes by itself repeats without end and flatters every draft.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

from attrs import frozen

_PLACES = 12
_TOKENS = 64


@frozen
class DraftingReport:
    """``speedup`` is the time of a token without drafts over that with them: over all places, and at each."""

    dictated: bool
    others: int
    """Other texts that drafts could come from."""
    tokens: int
    ms_without: float
    ms_with: float
    speedup: float
    slowest: float
    median: float
    accepted: float
    """Share of drafted tokens that were kept."""
    identical: bool
    """Drafts never change a text."""


async def measure_drafting(
    path: Path, kernel: str, others: tuple[str, ...], *, starter: bool, dictated: bool
) -> DraftingReport:
    """Complete at places spread over ``kernel``, what follows hidden, drafting off and on in turn.

    ``others`` are texts of the workspace that drafts may come from; ``dictated`` makes the model write ``kernel``.
    """
    with tempfile.TemporaryDirectory(prefix="kernelgen-dictated-") as folder:
        text = Path(folder) / "text"
        text.write_text(kernel, encoding="utf-8")
        argv = (sys.executable, "-m", "kernelgen_ls.testing.dictated_worker", str(text)) if dictated else None
        return await _measure(path, kernel, others, argv, starter=starter)


async def _measure(
    path: Path, kernel: str, others: tuple[str, ...], argv: tuple[str, ...] | None, *, starter: bool
) -> DraftingReport:
    from kernelgen_ls.model.engine.choice import ModelChoice
    from kernelgen_ls.model.engine.local import LocalEngine
    from kernelgen_ls.model.messages import CompleteRequest, DraftText, Sampling, StopRules
    from kernelgen_ls.model.prompts.completion import completion_prompt
    from kernelgen_ls.model.prompts.context import CompletionContext

    engine = LocalEngine(argv=argv)
    await engine.start(ModelChoice(path=path, starter=starter))
    try:
        model = engine.status.model
        if model is None:
            raise RuntimeError(engine.status.detail)
        await engine.draft_texts(tuple(DraftText(f"other {at}", text) for at, text in enumerate(others)))
        lines = kernel.split("\n")
        ratios: list[float] = []
        spent = {True: 0.0, False: 0.0}
        written = {True: 0, False: 0}
        drafted = accepted = 0
        identical = True
        for place in range(1, _PLACES + 1):
            before = "\n".join(lines[: place * len(lines) // (_PLACES + 1)]) + "\n"
            prompt = completion_prompt(CompletionContext("op_kernel/k.cpp", before), model).segments
            costs: dict[bool, float] = {}
            texts: dict[bool, str] = {}
            for draft in (False, True, False, True):
                request = CompleteRequest(
                    "drafting", prompt, StopRules(max_lines=1000), _TOKENS, draft=draft, sampling=Sampling()
                )
                result = await engine.complete(request)
                timings = result.timings
                texts[draft] = result.candidates[0].text
                if timings.generated < 2:
                    continue
                cost = timings.decode_ms / (timings.generated - 1)
                costs[draft] = min(cost, costs.get(draft, cost))
                spent[draft] += timings.decode_ms
                written[draft] += timings.generated - 1
                drafted += timings.drafted
                accepted += timings.accepted
            identical &= texts[False] == texts[True]
            if len(costs) == 2:
                ratios.append(costs[False] / costs[True])
    finally:
        await engine.close()
    without, having = spent[False] / max(written[False], 1), spent[True] / max(written[True], 1)
    return DraftingReport(
        dictated=argv is not None,
        others=len(others),
        tokens=written[True],
        ms_without=round(without, 2),
        ms_with=round(having, 2),
        speedup=round(without / having, 3) if having else 0.0,
        slowest=round(min(ratios, default=0.0), 3),
        median=round(statistics.median(ratios), 3) if ratios else 0.0,
        accepted=round(accepted / max(drafted, 1), 3),
        identical=identical,
    )
