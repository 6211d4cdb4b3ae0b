"""``kernelgen-ls check``: kernels and host files from the command line, for people and for CI."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click
from attrs import define, evolve, field
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from kernelgen_ls.cli.console import print_json
from kernelgen_ls.cli.errors import ExitStatus, NoAnswerError
from kernelgen_ls.kernel.chips import DEFAULT_CHIP, chip_named
from kernelgen_ls.kernel.findings import Severity
from kernelgen_ls.report.check import Checked, answered, as_json, as_sarif, line, summary, unique
from kernelgen_ls.runner.client.client import local_runner
from kernelgen_ls.runner.jobs.messages import CheckResult, Outcome
from kernelgen_ls.settings import Settings, load, project_folder
from kernelgen_ls.work.checking import Check, check_both
from kernelgen_ls.work.chip import chosen_chip
from kernelgen_ls.workspace.discover import Target, targets

if TYPE_CHECKING:
    from kernelgen_ls.runner.client.fleet import JobRunner

_STYLES = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFORMATION: "cyan", Severity.HINT: "dim"}
_BAR_FROM = 8
"""A progress bar is shown from this many files on."""


@click.command()
@click.argument("paths", nargs=-1, required=True)
@click.option("--chip", help="The chip to check for, or its family; default: the setting, else what it is written for.")
@click.option("--runner", "runner_name", help="Compile on this runner of your settings too.")
@click.option("--json", "json_output", is_flag=True, help="Print the findings as JSON.")
@click.option("--sarif", "sarif_output", is_flag=True, help="Print the findings as SARIF 2.1.0, for CI.")
def check(
    paths: tuple[str, ...], chip: str | None, runner_name: str | None, json_output: bool, sarif_output: bool
) -> None:
    """Check kernels and host files below PATHS without CANN, or kernels with a runner's.

    Exits with 1 where there is an error and with 2 where a file could not be checked. Chip and severities are those of
    your settings and of the project's .kernelgen.json. Without a runner code generation and linking are
    not seen; with one, host files are still checked here.
    """
    if json_output and sarif_output:
        raise click.UsageError("--json and --sarif exclude each other")
    try:
        chip_named(chip or DEFAULT_CHIP.soc)
    except ValueError as unknown:
        raise click.BadParameter(str(unknown), param_hint="--chip") from unknown
    settings = _Settings(chip)
    try:
        found = list(targets(paths, (Path.cwd(),)))
    except FileNotFoundError as problem:
        raise NoAnswerError(str(problem)) from problem
    runner = _named_runner(settings.of(Path.cwd()), runner_name) if runner_name else None
    checked = asyncio.run(_check_all(found, settings, runner))
    if json_output:
        print_json(as_json(checked), indent=1)
    elif sarif_output:
        print_json(as_sarif(checked), indent=1)
    else:
        _print(checked)
    raise SystemExit(_status(checked))


@define
class _Settings:
    """The settings that hold for each file: those of its own project, with the chip of the command line."""

    chip: str | None
    _by_project: dict[Path | None, Settings] = field(factory=dict, init=False)

    def of(self, place: Path) -> Settings:
        """The settings for a file or a folder; what is wrong with a project's file is said once."""
        project = project_folder(place)
        if project not in self._by_project:
            settings, problems = load(project)
            for problem in problems:
                click.echo(f"{problem.name}: {problem.message}", err=True)
            if self.chip:
                settings = evolve(settings, check=evolve(settings.check, chip=self.chip))
            self._by_project[project] = settings
        return self._by_project[project]


def _named_runner(settings: Settings, name: str) -> JobRunner:
    from kernelgen_ls.runner.client.fleet import Fleet

    try:
        return Fleet(settings.runners).named(name)
    except KeyError as unknown:
        raise click.BadParameter(str(unknown.args[0]), param_hint="--runner") from unknown


async def _check_all(found: list[Target], settings: _Settings, runner: JobRunner | None) -> list[Checked]:
    local = local_runner()
    console = Console(stderr=True)
    columns = (TextColumn("checking"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=console, transient=True) if len(found) >= _BAR_FROM else None
    slots = asyncio.Semaphore(2 * (os.cpu_count() or 1))
    try:
        with bar or nullcontext():
            task = bar.add_task("checking", total=len(found)) if bar else None

            async def one(target: Target) -> Checked:
                chosen = settings.of(target.place).check
                document = str(target.place)
                async with slots:
                    result = await check_both(local, runner, Check(target.operator, (target.check,), document), chosen)
                if bar is not None and task is not None:
                    bar.advance(task)
                return _shown(target, result, chosen.chip)

            return list(await asyncio.gather(*(one(target) for target in found)))
    finally:
        await local.close()
        if runner is not None:
            await runner.close()


def _shown(target: Target, result: CheckResult, chip: str) -> Checked:
    """A result with paths as the user would write them; ``chip`` is the one that was named."""
    because = "" if chip else chosen_chip(target.operator, entry=target.entry).because
    return Checked(os.path.relpath(target.place), os.path.relpath(target.operator.files.root), result, because)


def _print(checked: list[Checked]) -> None:
    out = Console(highlight=False, soft_wrap=True)
    for path, finding in unique(checked):
        out.print(line(path, finding), style=_STYLES[finding.severity], markup=False)
        for related in finding.related[:3]:
            where = f"{related.location.path}:{related.location.range.start.line + 1}"
            out.print(f"    {where}: {related.message}", style="dim", markup=False)
    for item in checked:
        if not answered(item):
            out.print(f"{item.shown}: not checked: {item.result.message or item.result.outcome.value}", markup=False)
    out.print(summary(checked), markup=False)


def _status(checked: Sequence[Checked]) -> ExitStatus:
    if not all(answered(item) for item in checked):
        return ExitStatus.NO_ANSWER
    wrong = any(item.result.outcome is Outcome.COMPILE_ERROR for item in checked)
    return ExitStatus.WRONG if wrong else ExitStatus.DONE
