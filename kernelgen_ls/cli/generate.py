"""``kernelgen-ls generate SPEC``: a kernel from a specification, written, checked and mended in the terminal."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import click

from kernelgen_ls.cli.errors import NoAnswerError
from kernelgen_ls.settings import GenerationMode, PromptProfile, Settings, load, project_folder
from kernelgen_ls.workspace.project import SOURCE_SUFFIXES

if TYPE_CHECKING:
    from kernelgen_ls.model.engine.protocol import Engine
    from kernelgen_ls.model.generation.candidate import Generation, Progress
    from kernelgen_ls.model.prompts.task import GenerationTask
    from kernelgen_ls.runner.client.client import RunnerClient

_TEXT_SUFFIXES = (".md", ".json", ".csv", ".cpp", ".h", ".hpp", ".cc", ".asc", ".cce")
_FOLDERS = ("", "op_host", "op_kernel", "validation")
_MOST_BYTES = 1_000_000


@click.command()
@click.argument("spec", type=click.Path(exists=True, path_type=Path))
@click.option("--model", "model_path", type=click.Path(path_type=Path), help="GGUF file; default: the chosen model.")
@click.option("--n", "candidates", type=click.IntRange(1, 64), help="Kernels to try; default: the setting.")
@click.option("--rounds", type=click.IntRange(0, 16), help="Repairs for each; default: the setting.")
@click.option("--mode", type=click.Choice([mode.value for mode in GenerationMode]), help="Which files to write.")
@click.option("--profile", type=click.Choice([profile.value for profile in PromptProfile]), help="Prompt profile.")
@click.option("--chip", help="The chip to write for; default: the setting.")
@click.option("--seed", type=int, default=0, show_default=True, help="Other numbers draw other kernels.")
@click.option("--all", "exhaustive", is_flag=True, help="Go on after a kernel that compiles, and offer the best.")
@click.option("--out", type=click.Path(path_type=Path), help="A folder to write into, or the kernel's file.")
@click.option("--reasoning", is_flag=True, help="Show what the model thinks.")
@click.option("--json", "as_json", is_flag=True, help="Print every candidate as one JSON object.")
def generate(
    spec: Path,
    model_path: Path | None,
    candidates: int | None,
    rounds: int | None,
    mode: str | None,
    profile: str | None,
    chip: str | None,
    seed: int,
    exhaustive: bool,
    out: Path | None,
    reasoning: bool,
    as_json: bool,
) -> None:
    """Write a kernel for SPEC: an api_desc.md, an msopgen JSON, a source file with a comment, or an operator's folder.

    The exit status is 0 when the kernel compiles, 1 when the best one has errors left, 2 when there is none.
    """
    from kernelgen_ls.kernel.chips import chip_named
    from kernelgen_ls.model.generation.sources import read_operator
    from kernelgen_ls.model.generation.task import IncompleteSpecificationError, task_for

    settings, _ = load(project_folder(Path.cwd()))
    settings = _with(settings, model_path=model_path, candidates=candidates, rounds=rounds, profile=profile, chip=chip)
    texts, entry = read_texts(spec)
    try:
        sources = read_operator(texts, entry)
        task = task_for(
            sources.specification,
            chip_named(settings.check.chip),
            mode=GenerationMode(mode) if mode else settings.generation.mode,
            project=sources.project,
        )
    except (IncompleteSpecificationError, ValueError) as error:
        raise NoAnswerError(str(error)) from error
    found = asyncio.run(_generate(settings, task, texts, seed=seed, exhaustive=exhaustive, reasoning=reasoning))
    if as_json:
        click.echo(json.dumps(as_object(found), ensure_ascii=False, indent=2))
    _deliver(found, out, quiet=as_json)
    raise SystemExit(0 if found.clean else 2 if found.best is None else 1)


def read_texts(spec: Path) -> tuple[dict[str, str], str]:
    """The texts of the operator that ``spec`` belongs to, by path relative to its folder, and ``spec``'s own path."""
    folder = spec if spec.is_dir() else spec.absolute().parent
    if folder.name in ("op_host", "op_kernel"):
        folder = folder.parent
    texts: dict[str, str] = {}
    entry = "" if spec.is_dir() else spec.absolute().relative_to(folder.absolute()).as_posix()
    for name in _FOLDERS:
        inside = folder / name
        if not inside.is_dir():
            continue
        for file in sorted(inside.iterdir()):
            readable = file.is_file() and file.suffix in _TEXT_SUFFIXES and file.stat().st_size <= _MOST_BYTES
            # Beside a lone specification other operators' files may lie: only what belongs to it is read.
            if readable and (name or file.suffix in (".md", ".json", ".csv") or file == spec.absolute()):
                texts[file.relative_to(folder).as_posix()] = file.read_bytes().decode("utf-8-sig", "replace")
    if entry and not entry.endswith((".cpp", ".h", ".asc", ".cce", ".cc")):
        if not spec.name.endswith("api_desc.md") and spec.suffix == ".md":
            texts["api_desc.md"] = texts.pop(entry)
        entry = ""
    return texts, entry


def _with(
    settings: Settings,
    *,
    model_path: Path | None,
    candidates: int | None,
    rounds: int | None,
    profile: str | None,
    chip: str | None,
) -> Settings:
    """The settings with the command line's own values laid over them."""
    generation = settings.generation
    if candidates is not None:
        generation = attrs.evolve(generation, candidates=candidates)
    if rounds is not None:
        generation = attrs.evolve(generation, rounds=rounds)
    if profile is not None:
        generation = attrs.evolve(generation, profile=PromptProfile(profile))
    model = settings.model
    if model_path is not None:
        model = attrs.evolve(model, path=str(model_path), generation_path="")
    check = attrs.evolve(settings.check, chip=chip) if chip else settings.check
    return attrs.evolve(settings, generation=generation, model=model, check=check)


async def _generate(
    settings: Settings,
    task: GenerationTask,
    texts: dict[str, str],
    *,
    seed: int,
    exhaustive: bool,
    reasoning: bool,
) -> Generation:
    from kernelgen_ls.model.engine.protocol import EngineError
    from kernelgen_ls.model.generation.generator import Generator, Plan
    from kernelgen_ls.model.generation.records import Records, records_file
    from kernelgen_ls.model.generation.signatures import api_signatures
    from kernelgen_ls.runner.jobs.messages import SourceFile
    from kernelgen_ls.work.judge import CandidateCheck

    try:
        async with generation_engine(settings) as engine, local_checker() as runner:
            files = tuple(SourceFile(path, text) for path, text in texts.items() if not path.endswith(".md"))
            check = CandidateCheck(runner.check, settings.check.chip, files)
            plan = attrs.evolve(Plan.of(settings.generation), seed=seed, exhaustive=exhaustive)
            generator = Generator(engine, settings.generation, lookup=api_signatures)
            with LiveProgress(task.operator, show_reasoning=reasoning) as live:
                found = await generator.generate(task, check, on_progress=live.show, plan=plan)
            if settings.generation.records and engine.status.model is not None:
                Records(records_file()).add(found, engine.status.model.name)
            return found
    except EngineError as error:
        raise NoAnswerError(str(error)) from error


@asynccontextmanager
async def generation_engine(settings: Settings) -> AsyncIterator[Engine]:
    """The generation model, loaded; a ``NoAnswerError`` says what is missing."""
    from kernelgen_ls.model.engine.local import LocalEngine
    from kernelgen_ls.model.store import NoModelError, generation_choice

    engine = LocalEngine()
    try:
        await engine.start(generation_choice(settings.model))
        if engine.status.model is None:
            raise NoAnswerError(engine.status.detail or "no model is loaded; see `kernelgen-ls doctor`.")
        yield engine
    except NoModelError as error:
        raise NoAnswerError(str(error)) from error
    finally:
        await engine.close()


@asynccontextmanager
async def local_checker() -> AsyncIterator[RunnerClient]:
    """The embedded checker in a process of its own."""
    from kernelgen_ls.runner.client.client import local_runner

    runner = local_runner()
    try:
        yield runner
    finally:
        await runner.close()


class LiveProgress:
    """One line that is rewritten while the model works; on a stream that is no terminal, a line a stage."""

    def __init__(self, title: str, *, show_reasoning: bool = False) -> None:
        from rich.console import Console
        from rich.status import Status

        self._console = Console(stderr=True)
        self._status = Status(f"{title}: reading the prompt", console=self._console)
        self._title = title
        self._show_reasoning = show_reasoning
        self._last = ""

    def __enter__(self) -> LiveProgress:
        self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._status.stop()

    def show(self, progress: Progress) -> None:
        """Show where the generation stands."""
        place = f"candidate {progress.candidate} of {progress.candidates}"
        if progress.round:
            place += f", round {progress.round}"
        self._status.update(f"{self._title}: {progress.stage.value} ({place}, {progress.tokens} tokens)")
        if self._show_reasoning and progress.reasoning:
            self._console.print(progress.reasoning, end="", style="dim", markup=False, highlight=False)
        step = f"{place}: {progress.stage.value}"
        if step != self._last and not self._console.is_terminal:
            self._console.print(f"{self._title}: {step}", markup=False, highlight=False)
        self._last = step


def as_object(found: Generation) -> dict[str, Any]:
    """A generation as JSON shows it: every candidate, its findings, tokens, seconds; the best first."""
    from kernelgen_ls.model.generation.records import candidate_object

    best = found.best
    return {
        "title": found.title,
        "summary": found.summary,
        "profile": found.profile,
        "clean": found.clean,
        "hint": found.hint,
        "files": {file.path: file.text for file in best.files} if best else {},
        "tokens": found.tokens,
        "rounds": found.rounds,
        "seconds": round(found.seconds, 3),
        "candidates": [candidate_object(candidate) for candidate in found.candidates],
    }


def _deliver(found: Generation, out: Path | None, *, quiet: bool) -> None:
    best = found.best
    if best is not None and out is not None:
        for file in best.files:
            target = out if len(best.files) == 1 and out.suffix in SOURCE_SUFFIXES else out / file.path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(file.text, encoding="utf-8")
            click.echo(f"wrote {target}", err=True)
    elif best is not None and not quiet:
        for file in best.files:
            if len(best.files) > 1:
                click.echo(f"// ---- {file.path}")
            click.echo(file.text, nl=False)
    click.echo(f"{found.summary} ({found.tokens} tokens, {found.seconds:.1f} s)", err=True)
    for finding in best.errors if best is not None else ():
        place = finding.location.range.start
        click.echo(f"{finding.location.path}:{place.line + 1}:{place.column + 1}: {finding.message}", err=True)
