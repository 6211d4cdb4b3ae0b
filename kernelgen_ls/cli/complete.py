"""``kernelgen-ls complete FILE:LINE:COL``: what the editor would show there, in the terminal, with what it cost."""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

import attrs
import click
from attrs import frozen

from kernelgen_ls.cli.console import print_json
from kernelgen_ls.cli.errors import NoAnswerError
from kernelgen_ls.cli.options import model_worker_option
from kernelgen_ls.kernel.findings import Position
from kernelgen_ls.model.completion.declarations import declarations
from kernelgen_ls.model.completion.document import Completion, Cursor, DocumentSnapshot
from kernelgen_ls.model.messages import CompleteResult, EngineStatus
from kernelgen_ls.settings import Settings, load, project_folder
from kernelgen_ls.workspace.files import read_file
from kernelgen_ls.workspace.operators import named_place, operator_of


@frozen
class Place:
    """A cursor in a file, counted from 1 as editors show it; the column counts code points."""

    file: Path
    line: int
    column: int

    @property
    def position(self) -> Position:
        """The same place counted from 0."""
        return Position(self.line - 1, self.column - 1)


@frozen
class Answer:
    """What the editor would show, what the engine said, and with which model; loading took ``load_seconds``."""

    shown: Completion | None
    result: CompleteResult | None
    status: EngineStatus
    load_seconds: float


def read_place(context: click.Context, parameter: click.Parameter, value: str) -> Place:
    """Parse ``FILE:LINE:COL``; without a column the end of the line is meant, without a line the end of the file."""
    name = value
    numbers: list[int] = []
    for _ in range(2):
        head, colon, number = name.rpartition(":")
        if not colon or not number.isdigit():
            break
        name, numbers = head, [int(number), *numbers]
    file = Path(name)
    if not file.is_file():
        raise click.BadParameter(f"there is no file {name!r}; write FILE:LINE:COL, both counted from 1.")
    read = read_file(file)
    if read is None:
        raise click.BadParameter(f"{name} cannot be read as a source file.")
    lines = [line.removesuffix("\r") for line in read.text.split("\n")]
    line = numbers[0] if numbers else len(lines)
    if not 1 <= line <= len(lines):
        raise click.BadParameter(f"{name} has {len(lines)} lines; there is no line {line}.")
    column = numbers[1] if len(numbers) > 1 else len(lines[line - 1]) + 1
    if not 1 <= column <= len(lines[line - 1]) + 1:
        raise click.BadParameter(f"line {line} of {name} has no column {column}.")
    return Place(file, line, column)


@click.command()
@click.argument("place", metavar="FILE:LINE:COL", callback=read_place)
@click.option("--model", "model_path", type=click.Path(path_type=Path), help="GGUF file; default: the chosen model.")
@click.option("-n", "--alternatives", default=1, show_default=True, help="How many texts to ask for.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@model_worker_option
def complete(
    place: Place, model_path: Path | None, alternatives: int, as_json: bool, model_worker: tuple[str, ...] | None
) -> None:
    """Print the ghost text at FILE:LINE:COL (counted from 1), as a manual request in an editor would show it."""
    settings, problems = load(project_folder(place.file))
    for problem in problems:
        click.echo(f"{problem.name}: {problem.message}", err=True)
    if model_path is not None:
        model = attrs.evolve(settings.model, path=str(model_path), typing_path="")
        settings = attrs.evolve(settings, model=model)
    operator = operator_of(named_place(place.file), (Path.cwd(),))
    known = declarations(operator.text, operator.hosts)
    document = DocumentSnapshot(place.file.absolute().as_posix(), 1, operator.text, declarations=known)
    answer = asyncio.run(_complete(settings, document, place.position, alternatives, model_worker))
    if as_json:
        print_json(as_object(place, answer), indent=2)
    else:
        _show(place, document, answer)


async def _complete(
    settings: Settings,
    document: DocumentSnapshot,
    position: Position,
    alternatives: int,
    worker: tuple[str, ...] | None,
) -> Answer:
    from kernelgen_ls.model.completion.inline_completer import InlineCompleter
    from kernelgen_ls.model.engine.local import LocalEngine
    from kernelgen_ls.model.engine.protocol import EngineError
    from kernelgen_ls.model.store import NoModelError, typing_choice

    engine = LocalEngine(worker)
    started = time.monotonic()
    try:
        await engine.start(typing_choice(settings.model))
        if engine.status.model is None:
            raise NoAnswerError(engine.status.detail or "no model is loaded; see `kernelgen-ls doctor`.")
        load_seconds = time.monotonic() - started
        completer = InlineCompleter(engine, settings.completion, style=settings.model.prompt_style)
        found = await completer.complete(document, position, manual=True, count=alternatives)
        return Answer(found, completer.last_result, engine.status, load_seconds)
    except (EngineError, NoModelError) as error:
        raise NoAnswerError(str(error)) from error
    finally:
        await engine.close()


def as_object(place: Place, answer: Answer) -> dict[str, object]:
    """The answer as JSON shows it; ``text`` is null when the editor would show nothing. Times in ms, load in s."""
    found, model, result = answer.shown, answer.status.model, answer.result
    return {
        "file": str(place.file),
        "line": place.line,
        "column": place.column,
        "text": found.text if found else None,
        "alternatives": list(found.alternatives) if found else [],
        "unfit": [c.text for c in result.candidates] if result is not None and found is None else [],
        "stop": result.candidates[0].stop.value if result is not None else None,
        "timings": attrs.asdict(result.timings) if result is not None else None,
        "model": {"path": model.path, "name": model.name, "starter": model.starter} if model else None,
        "load_seconds": round(answer.load_seconds, 3),
    }


def _show(place: Place, document: DocumentSnapshot, answer: Answer) -> None:
    name = answer.status.model.name if answer.status.model else "no model"
    found = answer.shown
    if found is None:
        click.echo(f"{name} has nothing fit to show at {place.file}:{place.line}:{place.column}.", err=True)
    else:
        prefix = Cursor.at(document.text, place.position).line_prefix
        colour = sys.stdout.isatty()
        for number, text in enumerate((found.text, *found.alternatives)):
            if number:
                click.echo("")
            ghost = click.style(text, fg="cyan") if colour else text
            click.echo(click.style(prefix, dim=True) + ghost if colour else prefix + ghost)
    if answer.result is not None:
        times = answer.result.timings
        click.echo(
            f"{name}: {times.prompt} tokens evaluated, {times.reused} reused, {times.generated} written; "
            f"{times.first_ms:.0f} ms to the first, {times.total_ms:.0f} ms in all "
            f"(loading {answer.load_seconds:.1f} s)",
            err=True,
        )
