"""``bench grammar``: what holding an answer to its frame costs, on the same model in one run.

The same prompt is answered with the grammar and without it, in turn, so that both meet the same machine. The prompt
ends behind the reasoning: the grammar is at work from the first token. A model of random weights has to be held at each
token of the frame, and has a real vocabulary (151,936 tokens) to be checked against; the starter writes the frame of
itself. Drafts are as they ship: under a grammar there are none. The worker's processor time stands beside the clock's:
on a machine that does other things too it is the one to believe.
"""

from __future__ import annotations

import asyncio
import statistics
from collections.abc import Sequence
from pathlib import Path

import attrs
import click
from attrs import evolve, frozen

from kernelgen_ls.bench.editing import default_model
from kernelgen_ls.bench.processes import cpu_seconds
from kernelgen_ls.folders import write_json
from kernelgen_ls.model.engine.choice import ModelChoice
from kernelgen_ls.model.engine.local import LocalEngine
from kernelgen_ls.model.generation.grammar import answer_grammar
from kernelgen_ls.model.messages import GenerateRequest, Sampling, Segment, Timings
from kernelgen_ls.model.prompts import frame, starter

_SPEC = starter.StarterSpec(
    "add_custom",
    "z = x + y",
    (starter.StarterParameter("x", "half"), starter.StarterParameter("y", "half")),
    (starter.StarterParameter("z", "half"),),
    shape=(48, 1024),
)


@frozen
class Rates:
    """Tokens a second while writing, of several runs; ``cpu_ms`` is the least processor time a token, 0 if unknown."""

    median: float
    best: float
    cpu_ms: float

    @classmethod
    def of(cls, runs: Sequence[tuple[Timings, float]]) -> Rates:
        """The rates of ``runs`` with their processor seconds; the clock leaves the prompt's evaluation out."""
        rates = [(run.generated - 1) / run.decode_ms * 1000 for run, _ in runs if run.decode_ms > 0]
        if not rates:
            return cls(0.0, 0.0, 0.0)
        cpu = min(seconds * 1000 / run.generated for run, seconds in runs)
        return cls(round(statistics.median(rates), 1), round(max(rates), 1), round(cpu, 3))


@frozen
class GrammarReport:
    """One model's figures."""

    model: str
    vocabulary: int
    tokens: int
    free: Rates
    held: Rates

    @property
    def cost(self) -> float:
        """Processor milliseconds that the grammar adds to a token."""
        return round(self.held.cpu_ms - self.free.cpu_ms, 3)


@click.command()
@click.option(
    "--model", type=click.Path(exists=True, path_type=Path), help="A GGUF file; default: the starter or a tiny one."
)
@click.option("--shape", default="0.6b", show_default=True, help="Shape of a random model beside it; 'none': skip.")
@click.option("--tokens", default=300, show_default=True, help="Tokens an answer has at most.")
@click.option("--runs", default=5, show_default=True, help="Answers with the grammar, and as many without.")
@click.option("--json", "output", type=click.Path(path_type=Path), help="Write the reports there.")
def grammar(model: Path | None, shape: str, tokens: int, runs: int, output: Path | None) -> None:
    """Compare tokens a second with and without the grammar of an answer."""
    from kernelgen_ls.bench.engine import random_model

    models = [model or default_model()]
    if shape != "none":
        models.append(random_model(shape, "q4_k_m", lambda at: click.echo(f"writing {at}", err=True)))
    reports = [asyncio.run(_measure(one, tokens, runs)) for one in models]
    _show(reports)
    if output is not None:
        found = [{**attrs.asdict(report), "cost_ms_a_token": report.cost} for report in reports]
        write_json(output, found)


async def _measure(model: Path, tokens: int, runs: int) -> GrammarReport:
    engine = LocalEngine()
    await engine.start(ModelChoice(path=model))
    try:
        info = engine.status.model
        if info is None:
            raise click.ClickException(engine.status.detail)
        prompt = (*starter.generation_prompt(_SPEC), Segment(frame.THINK_END, special=True))
        free = GenerateRequest(prompt, max_tokens=tokens, sampling=Sampling(0.0))
        held = evolve(free, grammar=answer_grammar(()))
        timings: dict[bool, list[tuple[Timings, float]]] = {False: [], True: []}
        for _ in range(runs + 1):
            for request in (free, held):
                before = cpu_seconds(engine.pid)
                result = await engine.generate(request, lambda text, tokens: None)
                timings[bool(request.grammar)].append((result.timings, cpu_seconds(engine.pid) - before))
        # The first pair warms the caches.
        return GrammarReport(
            info.name,
            info.vocabulary,
            min(run.generated for pair in timings.values() for run, _ in pair),
            Rates.of(timings[False][1:]),
            Rates.of(timings[True][1:]),
        )
    finally:
        await engine.close()


def _show(reports: Sequence[GrammarReport]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(title="tokens a second, median (best)")
    for name in ("model", "vocabulary", "tokens", "without", "with the grammar", "CPU ms a token"):
        table.add_column(name, justify="left" if name == "model" else "right")
    for report in reports:
        table.add_row(
            report.model,
            f"{report.vocabulary:,}",
            str(report.tokens),
            f"{report.free.median:.1f} ({report.free.best:.1f})",
            f"{report.held.median:.1f} ({report.held.best:.1f})",
            f"{report.free.cpu_ms:.2f} {report.cost:+.2f}",
        )
    Console().print(table)
