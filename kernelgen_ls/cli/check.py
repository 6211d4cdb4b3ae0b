"""``kernelgen-ls check``: kernels and host files from the command line, for people and for CI."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click
from attrs import evolve
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from kernelgen_ls.kernel.chips import find_chip
from kernelgen_ls.kernel.findings import Finding, FoundBy, Location, Position, Range, Severity
from kernelgen_ls.report.check import Checked, answered, as_json, as_sarif, line, summary, unique
from kernelgen_ls.runner.client.client import RunnerClient, local_runner
from kernelgen_ls.runner.jobs.messages import CheckResult, Outcome
from kernelgen_ls.settings import Settings, load, project_folder
from kernelgen_ls.work.combined import combined
from kernelgen_ls.work.severities import with_severities
from kernelgen_ls.workspace.check_files import Target, targets

if TYPE_CHECKING:
    from kernelgen_ls.runner.client.fleet import JobRunner

_STYLES = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFORMATION: "cyan", Severity.HINT: "dim"}
_BAR_FROM = 8
"""A progress bar is shown from this many files on."""


@click.command()
@click.argument("paths", nargs=-1, required=True)
@click.option("--chip", help="The chip to check for, or its family; default: the setting.")
@click.option("--runner", "runner_name", help="Compile on this runner of your settings too.")
@click.option("--json", "json_output", is_flag=True, help="Print the findings as JSON.")
@click.option("--sarif", "sarif_output", is_flag=True, help="Print the findings as SARIF 2.1.0, for CI.")
def check(
    paths: tuple[str, ...], chip: str | None, runner_name: str | None, json_output: bool, sarif_output: bool
) -> None:
    """Check kernels and host files below PATHS without CANN, or kernels with a runner's.

    Exits with 1 where there is an error and with 2 where a file could not be checked. Chip and severities are those of
    your settings and of the project's .kernelgen.json. Without a runner address spaces, code generation and linking
    are not seen; with one, host files are still checked here.
    """
    settings, problems = load(project_folder(Path.cwd()))
    for problem in problems:
        click.echo(f"{problem.name}: {problem.message}", err=True)
    chip = chip or settings.check.chip
    if json_output and sarif_output:
        raise click.UsageError("--json and --sarif exclude each other")
    if find_chip(chip) is None:
        raise click.BadParameter(f"no chip is called {chip!r}", param_hint="--chip")
    try:
        found = list(targets(paths, chip))
    except FileNotFoundError as problem:
        click.echo(str(problem), err=True)
        sys.exit(2)
    runner = _named_runner(settings, runner_name) if runner_name else None
    checked = [
        evolve(one, result=_with_settings(one.result, settings)) for one in asyncio.run(_check_all(found, runner))
    ]
    if json_output:
        click.echo(json.dumps(as_json(checked), ensure_ascii=False, indent=1))
    elif sarif_output:
        click.echo(json.dumps(as_sarif(checked), ensure_ascii=False, indent=1))
    else:
        _print(checked)
    sys.exit(_exit_code(checked))


def _with_settings(result: CheckResult, settings: Settings) -> CheckResult:
    """The result in the severities that the user and the project chose."""
    if result.outcome not in (Outcome.PASSED, Outcome.COMPILE_ERROR):
        return result
    findings = with_severities(result.findings, settings.check.lints)
    wrong = any(finding.severity is Severity.ERROR for finding in findings)
    return evolve(result, findings=findings, outcome=Outcome.COMPILE_ERROR if wrong else Outcome.PASSED)


def _named_runner(settings: Settings, name: str) -> JobRunner:
    from kernelgen_ls.runner.client.fleet import Fleet

    try:
        return Fleet(settings.runners).named(name)
    except KeyError as unknown:
        raise click.BadParameter(str(unknown.args[0]), param_hint="--runner") from unknown


async def _check_all(found: list[Target], runner: JobRunner | None) -> list[Checked]:
    local = local_runner()
    console = Console(stderr=True)
    columns = (TextColumn("checking"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=console, transient=True) if len(found) >= _BAR_FROM else None
    slots = asyncio.Semaphore(2 * (os.cpu_count() or 1))
    try:
        with bar or nullcontext():
            task = bar.add_task("checking", total=len(found)) if bar else None

            async def one(target: Target) -> Checked:
                async with slots:
                    result = await _check_one(local, runner, target)
                if bar is not None and task is not None:
                    bar.advance(task)
                return Checked(target.shown, target.folder, result)

            return list(await asyncio.gather(*(one(target) for target in found)))
    finally:
        await local.close()
        if runner is not None:
            await runner.close()


async def _check_one(local: RunnerClient, runner: JobRunner | None, target: Target) -> CheckResult:
    result = await local.run(target.request)
    if runner is not None:
        compiled = await runner.run(target.request)
        result = combined(result, compiled) if compiled.outcome.is_verdict else compiled
    if target.encoding == "utf-8":
        return result
    message = f"the file is not UTF-8; it was read as {target.encoding.upper()}"
    start = Position(0, 0)
    where = Location(target.request.entry, Range(start, start))
    note = Finding(where, Severity.INFORMATION, message, FoundBy.EMBEDDED, "embedded/encoding")
    return evolve(result, findings=(note, *result.findings))


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


def _exit_code(checked: Iterable[Checked]) -> int:
    listed = list(checked)
    if not all(answered(item) for item in listed):
        return 2
    return 1 if any(item.result.outcome is Outcome.COMPILE_ERROR for item in listed) else 0
