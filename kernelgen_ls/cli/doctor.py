"""The command line of the doctor."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from kernelgen_ls.cli.console import print_json
from kernelgen_ls.cli.errors import ExitStatus, NoAnswerError
from kernelgen_ls.doctor.diagnosis import Diagnosis, Examination, Verdict
from kernelgen_ls.folders import write_text
from kernelgen_ls.kernel.chips import DEFAULT_CHIP

_MARKS = {Verdict.GOOD: ("ok  ", "green"), Verdict.NOTE: ("note", "yellow"), Verdict.BAD: ("BAD ", "red")}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON list.")
@click.option("--no-model", is_flag=True, help="Do not load the model (its speed takes a while to measure).")
@click.option("--clangd", "for_clangd", is_flag=True, help="Print the .clangd fragment instead.")
@click.option("--write", is_flag=True, help="With --clangd: put it into ./.clangd, keeping what else is there.")
def doctor(as_json: bool, no_model: bool, for_clangd: bool, write: bool) -> None:
    """Say what works here and what to do where it does not; the exit status is 1 when something is bad."""
    from kernelgen_ls.settings import load, project_folder

    settings, _ = load(project_folder(Path.cwd()))
    if for_clangd:
        _clangd(settings.check.chip or DEFAULT_CHIP.soc, write=write)
        return
    from kernelgen_ls.doctor import examinations

    chosen = [one for one in examinations.EXAMINATIONS if not (no_model and one is examinations.model)]
    found: list[Diagnosis] = []
    for examination in chosen:
        for diagnosis in asyncio.run(_examine(examination, settings)):
            found.append(diagnosis)
            if not as_json:
                _show(diagnosis)
    if as_json:
        rows = [{"name": d.name, "verdict": d.verdict.value, "message": d.message, "advice": d.advice} for d in found]
        print_json(rows, indent=2)
    bad = any(diagnosis.verdict is Verdict.BAD for diagnosis in found)
    raise SystemExit(ExitStatus.WRONG if bad else ExitStatus.DONE)


async def _examine(examination: Examination, settings: object) -> tuple[Diagnosis, ...]:
    from kernelgen_ls.settings import Settings

    assert isinstance(settings, Settings)
    return await examination(settings)


def _show(diagnosis: Diagnosis) -> None:
    mark, colour = _MARKS[diagnosis.verdict]
    click.echo(f"{click.style(mark, fg=colour)}  {diagnosis.name}: {diagnosis.message}")
    if diagnosis.advice:
        click.echo(f"      -> {diagnosis.advice}")


def _clangd(chip: str, *, write: bool) -> None:
    from kernelgen_ls.doctor.clangd import fragment, merged
    from kernelgen_ls.kernel.chips import chip_named

    try:
        text = fragment(chip_named(chip))
    except ValueError as error:
        raise NoAnswerError(str(error)) from error
    if not write:
        click.echo(text, nl=False)
        return
    path = Path.cwd() / ".clangd"
    existing = path.read_text(encoding="utf-8") if path.exists() else ""
    write_text(path, merged(existing, text))
    click.echo(f"wrote {path}; turn off what both servers give with the kernelgen.api.* settings.")
