"""``bench npukb DIR``: the tasks of an NPUKernelBench checkout, through generation and the runner.

Each task is written ``--n`` times, checked, and mended for ``--rounds`` rounds; every finished task is one line of
``results.jsonl`` in ``--out``, so that a run that was killed goes on where it stopped. From one run both figures come:
without repair (the first attempts) and with it (what they became). compile@k and pass@k are the unbiased estimates over
n samples; pass@k needs a runner that executes kernels.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import click
from attrs import frozen

from kernelgen_ls.bench.results import add_result, result_lines
from kernelgen_ls.folders import write_json
from kernelgen_ls.kernel.chips import DEFAULT_CHIP
from kernelgen_ls.settings import GenerationMode, PromptProfile, load

if TYPE_CHECKING:
    from kernelgen_ls.model.generation.candidate import Generation
    from kernelgen_ls.model.generation.generator import Generator, Plan
    from kernelgen_ls.runner.client.client import RunnerClient

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


@frozen
class TaskResult:
    """One line of results: per candidate, whether the first attempt and the last one compile, and are verified."""

    task: str
    first_clean: tuple[bool, ...] = ()
    clean: tuple[bool, ...] = ()
    verified: tuple[bool | None, ...] = ()
    tokens: int = 0
    seconds: float = 0.0
    problem: str = ""


@frozen
class Score:
    """A row of the table. Rates are percent; None where nothing executed a kernel."""

    group: str
    tasks: int
    compile_first: Mapping[int, float]
    compile: Mapping[int, float]
    passed: Mapping[int, float] | None


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


def at_k(samples: int, right: int, k: int) -> float:
    """The unbiased estimate of the chance that one of ``k`` samples is right, given ``right`` of ``samples``."""
    if samples - right < k:
        return 1.0
    return 1.0 - math.comb(samples - right, k) / math.comb(samples, k)


def scores(results: Iterable[TaskResult], ks: Sequence[int]) -> list[Score]:
    """A row a category, a row a level, and one of all."""
    groups: dict[str, list[TaskResult]] = {}
    for result in results:
        level, category, _ = result.task.split("/", 2)
        for group in (f"{level}/{category}", level, "all"):
            groups.setdefault(group, []).append(result)
    ordered = sorted(groups, key=lambda group: (group == "all", group))
    return [_score(group, groups[group], ks) for group in ordered]


def _score(group: str, results: Sequence[TaskResult], ks: Sequence[int]) -> Score:
    executed = [result for result in results if any(value is not None for value in result.verified)]

    def rate(found: Sequence[Sequence[bool]], k: int) -> float:
        return _mean(at_k(len(samples), sum(samples), k) if samples else 0.0 for samples in found)

    return Score(
        group,
        len(results),
        {k: rate([result.first_clean for result in results], k) for k in ks},
        {k: rate([result.clean for result in results], k) for k in ks},
        {k: rate([[v is True for v in r.verified] for r in executed], k) for k in ks} if executed else None,
    )


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return round(100 * sum(listed) / len(listed), 1) if listed else 0.0


def read_results(path: Path) -> dict[str, TaskResult]:
    """The finished tasks by name; a line that a kill cut is as if it were not there."""
    found: dict[str, TaskResult] = {}
    for raw in result_lines(path):
        lists = {name: tuple(raw[name]) for name in ("first_clean", "clean", "verified")}
        found[raw["task"]] = TaskResult(**{**raw, **lists})
    return found


@click.command()
@click.argument("directory", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), default=Path("npukb-results"), show_default=True)
@click.option("--model", "model_path", type=click.Path(path_type=Path), help="GGUF file; default: the chosen model.")
@click.option("--level", "levels", multiple=True, help="Only these levels (1, 2, 3).")
@click.option("--n", "samples", default=1, show_default=True, help="Samples a task.")
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
    run = _Run(out / RESULTS, GenerationMode(mode), case, chip, plan, wrapped)
    asyncio.run(run.all(settings, tasks))
    names = {task.name for task in tasks}
    results = [result for name, result in read_results(out / RESULTS).items() if name in names]
    rows = scores(results, ks or tuple(dict.fromkeys((1, samples))))
    _show(rows, results)
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

    async def all(self, settings: Any, tasks: Sequence[BenchTask]) -> None:
        """Every task that has no line of results yet."""
        from rich.console import Console
        from rich.progress import Progress

        from kernelgen_ls.model.generation.generator import Generator
        from kernelgen_ls.model.generation.signatures import api_signatures
        from kernelgen_ls.work.generating import generation_engine, local_checker

        done = read_results(self.path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        async with generation_engine(settings.model) as engine, local_checker() as runner:
            generator = Generator(engine, settings.generation, lookup=api_signatures, wrapped=self.wrapped)
            with Progress(console=Console(stderr=True)) as progress:
                bar = progress.add_task("tasks", total=len(tasks), completed=sum(t.name in done for t in tasks))
                for task in tasks:
                    if task.name in done:
                        continue
                    progress.update(bar, description=task.name)
                    result = await self.one(task, generator, runner)
                    add_result(self.path, attrs.asdict(result))
                    progress.advance(bar)

    async def one(self, task: BenchTask, generator: Generator, runner: RunnerClient) -> TaskResult:
        """Generate, check and mend one task; its own trouble is its result, never the end of the run."""
        from kernelgen_ls.kernel.chips import chip_named
        from kernelgen_ls.model.engine.protocol import EngineError
        from kernelgen_ls.model.generation.sources import read_operator
        from kernelgen_ls.model.generation.task import IncompleteSpecificationError, task_for
        from kernelgen_ls.settings import CheckSettings
        from kernelgen_ls.work.judge import Judge

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
            judge = Judge(runner, CheckSettings(chip=self.chip), own, {})
            found = await generator.generate(wanted, judge, plan=self.plan)
        except (IncompleteSpecificationError, EngineError) as error:
            return TaskResult(task.name, problem=str(error))
        return _result(task, found)


def _result(task: BenchTask, found: Generation) -> TaskResult:
    candidates = sorted(found.candidates, key=lambda candidate: candidate.number)
    bests = [candidate.best for candidate in candidates]
    return TaskResult(
        task.name,
        tuple(bool(c.attempts) and c.attempts[0].clean for c in candidates),
        tuple(best is not None and best.clean for best in bests),
        tuple(best.outcome.verified if best is not None else None for best in bests),
        found.tokens,
        round(found.seconds, 2),
        "" if found.clean else found.summary,
    )


def _show(rows: Sequence[Score], results: Sequence[TaskResult]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console()
    ks = list(rows[0].compile) if rows else []
    table = Table(title="NPUKernelBench, percent")
    table.add_column("")
    table.add_column("tasks", justify="right")
    for k in ks:
        table.add_column(f"compile@{k}", justify="right")
        table.add_column(f"compile@{k}, repaired", justify="right")
        table.add_column(f"pass@{k}", justify="right")
    for row in rows:
        cells = []
        for k in ks:
            passed = f"{row.passed[k]:.1f}" if row.passed is not None else "-"
            cells += [f"{row.compile_first[k]:.1f}", f"{row.compile[k]:.1f}", passed]
        table.add_row(row.group, str(row.tasks), *cells)
    console.print(table)
    failed = [result for result in results if result.problem and not result.clean]
    if failed:
        console.print(f"{len(failed)} tasks could not be tried; the first: {failed[0].task}: {failed[0].problem}")
