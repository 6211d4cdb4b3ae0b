"""``kernelgen-ls generate SPEC``: a kernel from a specification, written, checked and mended in the terminal."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import click

from kernelgen_ls.cli.console import print_json
from kernelgen_ls.cli.errors import ExitStatus, NoAnswerError
from kernelgen_ls.cli.options import model_worker_option
from kernelgen_ls.folders import NotWrittenError, write_bytes
from kernelgen_ls.kernel.roles import SOURCE_SUFFIXES
from kernelgen_ls.settings import GenerationMode, GenerationWriter, PromptProfile, Settings, load, project_folder

if TYPE_CHECKING:
    from kernelgen_ls.model.engine.protocol import Engine
    from kernelgen_ls.model.generation.candidate import Attempt, Generation, Progress
    from kernelgen_ls.model.generation.generator import Plan
    from kernelgen_ls.model.prompts.task import GeneratedFile
    from kernelgen_ls.work.generating import Wanted
    from kernelgen_ls.workspace.operators import Operator


@click.command()
@click.argument("spec", type=click.Path(exists=True, path_type=Path))
@click.option("--model", "model_path", type=click.Path(path_type=Path), help="GGUF file; default: the chosen model.")
@click.option("--n", "candidates", type=click.IntRange(1, 64), help="Kernels to try; default: the setting.")
@click.option("--rounds", type=click.IntRange(0, 16), help="Repairs for each; default: the setting.")
@click.option("--mode", type=click.Choice([mode.value for mode in GenerationMode]), help="Which files to write.")
@click.option(
    "--by", type=click.Choice([one.value for one in GenerationWriter]), help="Who writes; default: the setting."
)
@click.option("--profile", type=click.Choice([profile.value for profile in PromptProfile]), help="Prompt profile.")
@click.option("--chip", help="The chip to write for; default: the setting.")
@click.option("--seed", type=int, default=0, show_default=True, help="Other numbers draw other kernels.")
@click.option("--all", "exhaustive", is_flag=True, help="Go on after a kernel that compiles, and offer the best.")
@click.option("--out", type=click.Path(path_type=Path), help="A folder to write into, or the kernel's file.")
@click.option("--reasoning", is_flag=True, help="Show what the model thinks.")
@click.option("--json", "as_json", is_flag=True, help="Print every candidate as one JSON object.")
@model_worker_option
def generate(
    spec: Path,
    model_path: Path | None,
    candidates: int | None,
    rounds: int | None,
    mode: str | None,
    by: str | None,
    profile: str | None,
    chip: str | None,
    seed: int,
    exhaustive: bool,
    out: Path | None,
    reasoning: bool,
    as_json: bool,
    model_worker: tuple[str, ...] | None,
) -> None:
    """Write a kernel for SPEC: an api_desc.md, an msopgen JSON, a source file with a comment, or an operator's folder.

    The exit status is 0 when the kernel compiles and nobody has found it wrong, 1 when the best one has errors left or
    is wrong, 2 when there is none.
    """
    from kernelgen_ls.model.generation.generator import Plan
    from kernelgen_ls.work.generating import IncompleteSpecificationError, wanted

    settings, problems = load(project_folder(spec))
    for problem in problems:
        click.echo(f"{problem.name}: {problem.message}", err=True)
    settings = _with(
        settings, model_path=model_path, candidates=candidates, rounds=rounds, by=by, profile=profile, chip=chip
    )
    try:
        operator = read_operator(spec)
        what = wanted(operator, settings, mode=GenerationMode(mode) if mode else None, named=not spec.is_dir())
    except (IncompleteSpecificationError, FileNotFoundError, ValueError) as error:
        raise NoAnswerError(str(error)) from error
    plan = attrs.evolve(Plan.of(settings.generation), seed=seed, exhaustive=exhaustive)
    found = asyncio.run(_generate(settings, what, plan, reasoning=reasoning, worker=model_worker))
    if as_json:
        print_json(as_object(found), indent=2)
    _deliver(found, out, quiet=as_json)
    raise SystemExit(_status(found))


def read_operator(spec: Path) -> Operator:
    """The operator that ``spec`` belongs to or is the folder of. Raises FileNotFoundError for a folder without one."""
    from kernelgen_ls.workspace.operators import named_place, operator_at, operator_of

    here = (Path.cwd(),)
    return operator_at(spec, here) if spec.is_dir() else operator_of(named_place(spec), here)


def _with(
    settings: Settings,
    *,
    model_path: Path | None,
    candidates: int | None,
    rounds: int | None,
    by: str | None,
    profile: str | None,
    chip: str | None,
) -> Settings:
    """The settings with the command line's own values laid over them."""
    generation = settings.generation
    if candidates is not None:
        generation = attrs.evolve(generation, candidates=candidates)
    if rounds is not None:
        generation = attrs.evolve(generation, rounds=rounds)
    if by is not None:
        generation = attrs.evolve(generation, writer=GenerationWriter(by))
    if profile is not None:
        generation = attrs.evolve(generation, profile=PromptProfile(profile))
    model = settings.model
    if model_path is not None:
        model = attrs.evolve(model, path=str(model_path), generation_path="")
    check = attrs.evolve(settings.check, chip=chip) if chip else settings.check
    return attrs.evolve(settings, generation=generation, model=model, check=check)


async def _generate(
    settings: Settings, what: Wanted, plan: Plan, *, reasoning: bool, worker: tuple[str, ...] | None
) -> Generation:
    from kernelgen_ls.model.generation.records import Records, records_file
    from kernelgen_ls.runner.client.fleet import TWIN, Fleet
    from kernelgen_ls.work.generating import EngineError, generate, generation_engine, local_checker
    from kernelgen_ls.work.judge import Judge

    fleet, model = Fleet(settings.runners), ""
    try:
        async with AsyncExitStack() as stack:

            async def engine() -> Engine:
                nonlocal model
                opened = await stack.enter_async_context(generation_engine(settings.model, worker))
                model = opened.status.model.name if opened.status.model is not None else ""
                return opened

            checker = await stack.enter_async_context(local_checker())
            verifier = fleet.named(settings.runners.verify or TWIN)
            judge = Judge.of(what.operator, checker, settings.check, what.task.kernel_path, verifier, what.task)
            with LiveProgress(what.task.operator, show_reasoning=reasoning) as live:
                found = await generate(engine, judge, what, settings, live.show, plan)
            if settings.generation.records:
                try:
                    Records(records_file()).add(found, model)
                except OSError as error:
                    # The kernel was minutes of work: it is delivered all the same.
                    click.echo(f"the generation was not recorded: {error}", err=True)
            return found
    except (EngineError, KeyError) as error:
        raise NoAnswerError(str(error.args[0] if error.args else error)) from error
    finally:
        await fleet.close()


class LiveProgress:
    """One line that is rewritten while the model works; on a stream that is no terminal, a line a stage."""

    def __init__(self, title: str, *, show_reasoning: bool = False) -> None:
        from rich.console import Console
        from rich.status import Status

        self._console = Console(stderr=True)
        self._status = Status(f"{title}: starting", console=self._console)
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
        asked = f" ({place}, {progress.tokens} tokens)" if progress.candidates else ""
        self._status.update(f"{self._title}: {progress.stage.value}{asked}")
        if self._show_reasoning and progress.reasoning:
            self._console.print(progress.reasoning, end="", style="dim", markup=False, highlight=False)
        step = f"{place}: {progress.stage.value}" if progress.candidates else f"writing {progress.stage.value}"
        if step != self._last and not self._console.is_terminal:
            self._console.print(f"{self._title}: {step}", markup=False, highlight=False)
        self._last = step


def as_object(found: Generation) -> dict[str, Any]:
    """A generation as JSON shows it: every candidate, its findings, tokens, seconds; the best first."""
    from kernelgen_ls.model.generation.records import candidate_object
    from kernelgen_ls.rpc.wire import to_wire

    best = found.best

    def verdict(of: Attempt | None) -> dict[str, Any] | None:
        return to_wire(of.outcome.verdict) if of is not None and of.outcome.verdict is not None else None

    return {
        "title": found.title,
        "summary": found.summary,
        "profile": found.profile,
        "clean": found.clean,
        "verdict": verdict(best),
        "written_by": found.author.value if best else None,
        "remarks": list(found.remarks),
        "files": {file.path: file.text for file in best.files} if best else {},
        "tokens": found.tokens,
        "rounds": found.rounds,
        "seconds": round(found.seconds, 3),
        "candidates": [{**candidate_object(one), "verdict": verdict(one.best)} for one in found.candidates],
    }


def _status(found: Generation) -> ExitStatus:
    if found.best is None:
        return ExitStatus.NO_ANSWER
    return ExitStatus.DONE if found.clean and not found.best.wrong else ExitStatus.WRONG


def _deliver(found: Generation, out: Path | None, *, quiet: bool) -> None:
    from kernelgen_ls.work.written import with_verdicts

    best = found.best
    files = with_verdicts(best.files, found.said) if best is not None else ()
    if files and out is not None:
        try:
            _write(files, out)
        except NotWrittenError:
            # The kernel was minutes of work.
            _print(() if quiet else files)
            raise
    elif not quiet:
        _print(files)
    took = f"{found.tokens} tokens, {found.seconds:.1f} s" if found.tokens else f"{found.seconds:.1f} s"
    click.echo(f"{found.summary} ({took})", err=True)
    for finding in best.errors if best is not None else ():
        place = finding.location.range.start
        click.echo(f"{finding.location.path}:{place.line + 1}:{place.column + 1}: {finding.message}", err=True)
    for line in best.outcome.mismatches if best is not None else ():
        click.echo(f"  {line}", err=True)


def _write(files: Sequence[GeneratedFile], out: Path) -> None:
    from kernelgen_ls.work.written import written_over
    from kernelgen_ls.workspace.encodings import Text, encode
    from kernelgen_ls.workspace.files import read_file

    for file in files:
        target = out if len(files) == 1 and out.suffix in SOURCE_SUFFIXES else out / file.path
        there = read_file(target)
        text = file.text if there is None else written_over(there.text, file.text, comments=True)
        write_bytes(target, encode(text, there or Text(text)))
        click.echo(f"wrote {target}", err=True)


def _print(files: Sequence[GeneratedFile]) -> None:
    for file in files:
        if len(files) > 1:
            click.echo(f"// ---- {file.path}")
        click.echo(file.text, nl=False)
