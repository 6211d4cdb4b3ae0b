"""``kernelgen-ls model``: list, choose, inspect and fetch language models."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click
from attrs import evolve

from kernelgen_ls.cli.console import print_json
from kernelgen_ls.cli.errors import NoAnswerError
from kernelgen_ls.model import gguf_file, store
from kernelgen_ls.model.download import DownloadError, Hub, OnProgress, fetch, pick, remote_files
from kernelgen_ls.model.gguf_file import GgufError, GgufFile
from kernelgen_ls.report.units import count_text, size_text
from kernelgen_ls.settings import ModelSettings, load


@click.group()
def model() -> None:
    """List, choose, inspect and fetch language models."""


_WIDE = 10_000
"""Columns: a terminal wraps a long line, and a path that is cut is of no use to anybody."""


@model.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_models(as_json: bool) -> None:
    """List the GGUF files on this machine, and which are in use."""
    found = store.found(stored=_stored(), settings=_settings())
    if as_json:
        print_json([_entry(one) for one in found], indent=2)
        return
    if not found:
        click.echo("No GGUF file was found. Fetch one: kernelgen-ls model pull REPOSITORY")
        return
    from rich.console import Console
    from rich.table import Table

    table = Table("model", "architecture", "weights", "type", "size", "used for", "file", box=None)
    for one in found:
        if one.file is None:
            table.add_row("[red]unusable[/red]", "", "", "", "", ", ".join(one.purposes), f"{one.path}\n{one.problem}")
            continue
        file = one.file
        table.add_row(
            file.name + (" (starter)" if store.is_starter(one.path) else ""),
            file.architecture,
            count_text(file.parameters),
            file.quantisation,
            size_text(file.size),
            ", ".join(one.purposes),
            str(one.path),
        )
    Console(width=_WIDE).print(table)


@model.command()
@click.argument("path", type=click.Path(path_type=Path), required=False)
@click.option("--typing", "role", flag_value="typing", help="Only for ghost text.")
@click.option("--generation", "role", flag_value="generation", help="Only for whole kernels and fixes.")
@click.option("--starter", is_flag=True, help="Go back to the model that ships with the package.")
def use(path: Path | None, role: str | None, starter: bool) -> None:
    """Use the GGUF file PATH; for typing and generation, unless one of them is named."""
    if (path is None) != starter:
        raise click.UsageError("give the path of a GGUF file, or --starter")
    chosen = ""
    if path is not None:
        path = path.expanduser().resolve()
        file = _checked(path)
        chosen = str(path)
        click.echo(f"{file.name}: {count_text(file.parameters)} weights, {file.quantisation}, {size_text(file.size)}")
    before = _stored()
    after = evolve(before, **{role: chosen}) if role else store.StoredModels(both=chosen)
    _use(after, role or "typing and generation")


@model.command()
@click.argument("path", type=click.Path(path_type=Path), required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def info(path: Path | None, as_json: bool) -> None:
    """Say what a GGUF file holds (the one in use without PATH) and whether it can be used."""
    if path is None:
        choice = store.chosen(_settings(), store.Purpose.TYPING)
        if choice is None:
            raise NoAnswerError("no model is chosen: kernelgen-ls model use PATH")
        path = choice.path
    file = _checked(path)
    facts = _facts(file)
    if as_json:
        print_json(facts, indent=2)
        return
    for name, value in facts.items():
        click.echo(f"{name:>16}  {value}")


@model.command()
@click.argument("source", metavar="REPOSITORY[:FILE]")
@click.option("--from", "hub", type=click.Choice(["hf", "modelscope"]), default="hf", show_default=True)
@click.option("--revision", default="", help="Branch, tag or commit.")
@click.option("--endpoint", help="Address of a mirror; HF_ENDPOINT is honoured without it.")
@click.option("--use/--no-use", "use_it", default=True, help="Use it once it is there.", show_default=True)
def pull(source: str, hub: str, revision: str, endpoint: str | None, use_it: bool) -> None:
    """Fetch a GGUF file; run again after an interruption, it goes on where it stopped."""
    repository, _, wanted = source.partition(":")
    try:
        file = pick(remote_files(repository, Hub(hub), revision=revision, endpoint=endpoint), wanted)
        path = _with_bar(
            file.name,
            lambda on_progress: fetch(
                file, store.models_folder(), Hub(hub), revision=revision, endpoint=endpoint, on_progress=on_progress
            ),
        )
    except DownloadError as error:
        raise NoAnswerError(str(error)) from error
    click.echo(str(path))
    if use_it:
        _checked(path)
        _use(store.StoredModels(both=str(path)), "typing and generation")


def _with_bar(name: str, work: Callable[[OnProgress], Path]) -> Path:
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, TimeRemainingColumn()) as progress:
        task = progress.add_task(name, total=None)

        def on_progress(there: int, total: int) -> None:
            progress.update(task, completed=there, total=total or None)

        return work(on_progress)


def _settings() -> ModelSettings:
    return load()[0].model


def _use(stored: store.StoredModels, work: str) -> None:
    """Store what was chosen, and say where the user's settings go before it."""
    try:
        store.write_stored(stored)
    except store.StoredFileError as error:
        raise NoAnswerError(str(error)) from error
    click.echo(f"Used for {work}; a running editor takes it when its server starts again.")
    click.echo("`kernelgen-ls doctor` measures its speed here.")
    settings = _settings()
    for purpose in store.Purpose:
        used, wanted = store.chosen(settings, purpose, stored), store.chosen(ModelSettings(), purpose, stored)
        if used is not None and (wanted is None or used.path != wanted.path):
            click.echo(f"warning: your settings' model paths go before it: {purpose.value} uses {used.path}", err=True)


def _stored() -> store.StoredModels:
    try:
        return store.read_stored()
    except store.StoredFileError as error:
        click.echo(f"warning: {error}", err=True)
        return store.StoredModels()


def _checked(path: Path) -> GgufFile:
    try:
        return gguf_file.check(path)
    except GgufError as error:
        raise NoAnswerError(str(error)) from error


def _entry(one: store.Found) -> dict[str, object]:
    facts = _facts(one.file) if one.file is not None else {"file": str(one.path), "problem": one.problem}
    return {**facts, "used for": list(one.purposes)}


def _facts(file: GgufFile) -> dict[str, object]:
    return {
        "name": file.name,
        "file": str(file.path),
        "architecture": file.architecture,
        "weights": file.parameters,
        "type": file.quantisation,
        "bytes": file.size,
        "layers": file.layers,
        "trained context": file.context,
        "vocabulary": file.vocabulary,
        "licence": file.text("general.license"),
        "KV cache": f"{file.cell_bytes} bytes a token",
    }
