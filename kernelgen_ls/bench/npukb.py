"""``bench npukb DIR``: the tasks of an NPUKernelBench checkout, through generation, the check and the twin.

For each task a kernel is written by rule, and ``--n`` by the model, which are mended for ``--rounds`` rounds; every
kernel that compiles is run on the task's own test cases and golden outputs. Every finished task is one line of
``results.jsonl`` in ``--out``, so that a run that was killed goes on where it stopped. From one run all figures come:
without repair (the first texts) and with it, by rule, by the model, and both (see ``samples``).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import click
from attrs import frozen

from kernelgen_ls.bench.results import add_result, result_lines
from kernelgen_ls.bench.samples import By, Sample, Score, Tried, score, shown, tried_of
from kernelgen_ls.folders import write_json
from kernelgen_ls.kernel.chips import DEFAULT_CHIP
from kernelgen_ls.settings import GenerationMode, PromptProfile, load

if TYPE_CHECKING:
    from kernelgen_ls.model.generation.candidate import Candidate
    from kernelgen_ls.model.generation.generator import Generator, Plan
    from kernelgen_ls.model.generation.sources import OperatorSources
    from kernelgen_ls.model.prompts.task import GenerationTask
    from kernelgen_ls.runner.client.fleet import JobRunner
    from kernelgen_ls.settings import Settings
    from kernelgen_ls.work.judge import Judge

RESULTS = "results.jsonl"
_TEXTS = (
    ("api_desc.md", "api_desc.md"),
    ("validation/test_cases.csv", "test_cases.csv"),
    ("question/op_kernel/*", "op_kernel"),
    ("question/op_host/*", "op_host"),
)


@frozen
class BenchTask:
    """One task's folder."""

    level: str
    category: str
    operator: str
    folder: Path

    @property
    def name(self) -> str:
        """What a results line calls it."""
        return f"{self.level}/{self.category}/{self.operator}"


def tasks_in(directory: Path, levels: Sequence[str]) -> list[BenchTask]:
    """The tasks of a checkout (or of its ``tasks`` folder), in order."""
    root = directory / "tasks" if (directory / "tasks").is_dir() else directory
    found = []
    for level in sorted(root.glob("level*")):
        if levels and level.name.removeprefix("level") not in levels:
            continue
        found += [
            BenchTask(level.name, description.parent.parent.name, description.parent.name, description.parent)
            for description in sorted(level.glob("*/*/api_desc.md"))
        ]
    return found


def task_texts(task: BenchTask) -> dict[str, str]:
    """The texts a generation may see: the description, the cases, the empty kernel and the operator's definition."""
    texts: dict[str, str] = {}
    for pattern, target in _TEXTS:
        for file in sorted(task.folder.glob(pattern)):
            path = target if file.name == target else f"{target}/{file.name}"
            texts[path] = file.read_bytes().decode("utf-8-sig", "replace")
    return texts


def hidden_texts(task: BenchTask) -> dict[str, str]:
    """What a kernel is judged by and no writer sees: the reference code and how its inputs are made."""
    found = sorted((task.folder / "validation").glob("*.py"))
    return {f"validation/{file.name}": file.read_bytes().decode("utf-8-sig", "replace") for file in found}


def scores(results: Iterable[Tried], ks: Sequence[int], sources: Sequence[By]) -> list[Score]:
    """For each source of kernels a row a category, a row a level, and one of all."""
    groups: dict[str, list[Tried]] = {}
    for result in results:
        level, category, _ = result.task.split("/", 2)
        for group in (f"{level}/{category}", level, "all"):
            groups.setdefault(group, []).append(result)
    ordered = sorted(groups, key=lambda group: (group == "all", group))
    return [score(group, by, groups[group], ks) for group in ordered for by in sources]


def read_results(path: Path) -> dict[str, Tried]:
    """The finished tasks by name; a line that a kill cut is as if it were not there."""
    return {raw["task"]: tried_of(raw) for raw in result_lines(path)}


@click.command()
@click.argument("directory", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), default=Path("npukb-results"), show_default=True)
@click.option("--model", "model_path", type=click.Path(path_type=Path), help="GGUF file; default: the chosen model.")
@click.option(
    "--by", type=click.Choice([one.value for one in By]), default=By.BOTH.value, show_default=True, help="Who writes."
)
@click.option("--level", "levels", multiple=True, help="Only these levels (1, 2, 3).")
@click.option("--n", "samples", default=1, show_default=True, help="The model's samples a task.")
@click.option("--k", "ks", multiple=True, type=int, help="Rates to report; default: 1 and n.")
@click.option("--rounds", default=2, show_default=True, help="Repair rounds.")
@click.option("--mode", type=click.Choice(["static", "dynamic", "full"]), default="static", show_default=True)
@click.option("--case", default=0, show_default=True, help="The test case of a static task.")
@click.option("--max-tokens", type=int, help="Longest answer; default: the setting.")
@click.option("--profile", type=click.Choice([profile.value for profile in PromptProfile]), default="auto")
@click.option("--wrapped", is_flag=True, help="Wrap prompts as the published client does (see TextProfile).")
@click.option("--chip", default=DEFAULT_CHIP.soc, show_default=True)
@click.option("--seed", default=0, show_default=True)
@click.option("--seconds", default=1800.0, show_default=True, help="Time limit a task.")
@click.option("--limit", type=int, help="Stop after so many tasks.")
@click.option("--json", "output", type=click.Path(path_type=Path), help="Write the scores there.")
def npukb(
    directory: Path,
    out: Path,
    model_path: Path | None,
    by: str,
    levels: tuple[str, ...],
    samples: int,
    ks: tuple[int, ...],
    rounds: int,
    mode: str,
    case: int,
    max_tokens: int | None,
    profile: str,
    wrapped: bool,
    chip: str,
    seed: int,
    seconds: float,
    limit: int | None,
    output: Path | None,
) -> None:
    """Generate a kernel for each task of an NPUKernelBench checkout in DIRECTORY."""
    from kernelgen_ls.model.generation.generator import Plan

    settings, _ = load()
    generation = attrs.evolve(
        settings.generation,
        profile=PromptProfile(profile),
        max_tokens=max_tokens or settings.generation.max_tokens,
    )
    model = attrs.evolve(settings.model, path=str(model_path), generation_path="") if model_path else settings.model
    check = attrs.evolve(settings.check, chip=chip)
    settings = attrs.evolve(settings, generation=generation, model=model, check=check)
    tasks = tasks_in(directory, levels)[:limit]
    if not tasks:
        raise click.ClickException(f"{directory} holds no tasks: level*/Category/Operator/api_desc.md is expected.")
    plan = Plan(samples, rounds, seconds, seed=seed, exhaustive=True)
    run = _Run(out / RESULTS, GenerationMode(mode), case, chip, plan, wrapped, By(by))
    asyncio.run(run.all(settings, tasks))
    names = {task.name for task in tasks}
    results = [result for name, result in read_results(out / RESULTS).items() if name in names]
    sources = tuple(By) if by == By.BOTH.value else (By(by),)
    rows = scores(results, ks or tuple(dict.fromkeys((1, samples))), sources)
    shown(rows, "NPUKernelBench")
    failed = [result for result in results if not result.samples]
    if failed:
        click.echo(f"{len(failed)} tasks could not be tried; the first: {failed[0].task}: {failed[0].problem}")
    if output is not None:
        write_json(output, [attrs.asdict(row) for row in rows])


@frozen
class _Run:
    path: Path
    mode: GenerationMode
    case: int
    chip: str
    plan: Plan
    wrapped: bool
    by: By

    async def all(self, settings: Settings, tasks: Sequence[BenchTask]) -> None:
        """Every task that has no line of results yet."""
        from rich.console import Console
        from rich.progress import Progress

        from kernelgen_ls.model.generation.generator import Generator
        from kernelgen_ls.model.generation.signatures import api_signatures
        from kernelgen_ls.runner.client.fleet import TWIN, Fleet
        from kernelgen_ls.work.generating import generation_engine, local_checker

        done = read_results(self.path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        fleet = Fleet(settings.runners)
        async with AsyncExitStack() as stack:
            stack.push_async_callback(fleet.close)
            checker = await stack.enter_async_context(local_checker())
            verifier = fleet.named(settings.runners.verify or TWIN)
            generator = None
            if self.by is not By.RULE:
                engine = await stack.enter_async_context(generation_engine(settings.model))
                generator = Generator(engine, settings.generation, lookup=api_signatures, wrapped=self.wrapped)
            progress = stack.enter_context(Progress(console=Console(stderr=True)))
            bar = progress.add_task("tasks", total=len(tasks), completed=sum(t.name in done for t in tasks))
            for task in tasks:
                if task.name in done:
                    continue
                progress.update(bar, description=task.name)
                result = await self.one(task, generator, checker, verifier)
                add_result(self.path, attrs.asdict(result))
                progress.advance(bar)

    async def one(self, task: BenchTask, generator: Generator | None, checker: JobRunner, verifier: JobRunner) -> Tried:
        """Write, judge and mend kernels for one task; its own trouble is its result, never the end of the run."""
        from kernelgen_ls.kernel.chips import chip_named
        from kernelgen_ls.model.engine.protocol import EngineError
        from kernelgen_ls.model.generation.sources import read_operator
        from kernelgen_ls.model.generation.task import IncompleteSpecificationError, task_for
        from kernelgen_ls.settings import CheckSettings
        from kernelgen_ls.work.judge import Judge

        began = time.monotonic()
        texts = task_texts(task)
        try:
            sources = read_operator(texts)
            wanted = task_for(
                sources.specification,
                chip_named(self.chip),
                mode=self.mode,
                project=sources.project,
                case=self.case,
            )
            own = {path: text for path, text in texts.items() if path.startswith("op_")}
            described = {**texts, **hidden_texts(task)}
            judged_by = {path: text for path, text in described.items() if not path.endswith(".md")}
            judge = Judge(
                checker,
                CheckSettings(chip=self.chip),
                {**own, **judged_by},
                {},
                verifier=verifier,
                described=described,
                task=wanted,
            )
            candidates, remark = await self._candidates(sources, wanted, judge, generator)
        except (IncompleteSpecificationError, EngineError) as error:
            return Tried(task.name, problem=str(error), seconds=round(time.monotonic() - began, 2))
        return _result(task, candidates, time.monotonic() - began, remark)

    async def _candidates(
        self, sources: OperatorSources, wanted: GenerationTask, judge: Judge, generator: Generator | None
    ) -> tuple[tuple[Candidate, ...], str]:
        """The kernels that were written, the one by rule first, and why there is none by rule."""
        from kernelgen_ls.model.generation.written_by_rule import written_by_rule
        from kernelgen_ls.work.rule_writer import rule_writer

        ruled: Candidate | str = ""
        if self.by is not By.MODEL:
            ruled = await written_by_rule(rule_writer(sources, wanted), judge)
        before, remark = ((), ruled) if isinstance(ruled, str) else ((ruled,), "")
        if generator is None:
            return before, remark
        found = await generator.generate(wanted, judge, plan=self.plan, before=before)
        return found.candidates, remark


def _result(task: BenchTask, candidates: Sequence[Candidate], seconds: float, remark: str) -> Tried:
    from kernelgen_ls.model.generation.candidate import ranked

    samples = [_sample(candidate) for candidate in sorted(candidates, key=lambda candidate: candidate.number)]
    best = ranked(candidates)[0].best if candidates else None
    tokens = sum(attempt.tokens for candidate in candidates for attempt in candidate.attempts)
    said = best.said if best is not None else ""
    problem = "" if any(one.compiles for one in samples) else said or remark or "nothing was written"
    return Tried(task.name, tuple(samples), tokens, round(seconds, 2), problem, said)


def _sample(candidate: Candidate) -> Sample:
    best = candidate.best
    verdict = best.outcome.verdict if best is not None and best.clean else None
    return Sample(
        candidate.author.value,
        bool(candidate.attempts) and candidate.attempts[0].clean,
        best is not None and best.clean,
        verdict.outcome.value if verdict is not None else "",
    )
