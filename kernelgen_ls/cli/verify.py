"""``kernelgen-ls verify PATH[:ENTRY]``: whether a kernel gives its golden outputs, on a runner that can run it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import click

from kernelgen_ls.cli.console import print_json
from kernelgen_ls.cli.errors import ExitStatus, NoAnswerError
from kernelgen_ls.cli.measure import read_target, tell

if TYPE_CHECKING:
    from kernelgen_ls.runner.client.fleet import PooledRunner
    from kernelgen_ls.runner.jobs.messages import VerifyResult
    from kernelgen_ls.work.running import Subject


@click.command()
@click.argument("target", metavar="PATH[:ENTRY]")
@click.option("--runner", "runner_name", help="Runner of the settings; default: the one that verifies, or measures.")
@click.option("--cases", help="Cases file or validation folder, relative to the operator; default: found by its name.")
@click.option("--chip", help="The chip; default: the setting.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def verify(target: str, runner_name: str | None, cases: str | None, chip: str | None, as_json: bool) -> None:
    """Run the kernel in PATH on its cases and compare; ENTRY names its entry function where there are several.

    The exit status is 0 where every case gives its golden outputs, 1 where the kernel is wrong, 2 where it was not run.
    """
    from kernelgen_ls.kernel.chips import chip_named
    from kernelgen_ls.runner.client.fleet import Fleet
    from kernelgen_ls.runner.jobs.messages import Outcome
    from kernelgen_ls.work.running import NotRunnableError, subject
    from kernelgen_ls.workspace.tree import TreeTooLargeError

    operator, entry, settings = read_target(target)
    name = runner_name or settings.runners.verify or settings.runners.measure
    if not name:
        raise NoAnswerError("no runner verifies (setting runners.verify): name one with --runner (docs/runner.md)")
    try:
        what = subject(operator, entry, cases or "")
        soc = chip_named(chip or settings.check.chip).soc
        pool = Fleet(settings.runners).named(name)
    except (NotRunnableError, TreeTooLargeError, ValueError, KeyError) as problem:
        raise NoAnswerError(str(problem.args[0] if problem.args else problem)) from problem
    result = asyncio.run(_ask(pool, what, soc))
    _show(result, what.kernel, as_json)
    if result.outcome is not Outcome.PASSED:
        raise SystemExit(ExitStatus.WRONG if result.outcome.is_verdict else ExitStatus.NO_ANSWER)


async def _ask(pool: PooledRunner, what: Subject, soc: str) -> VerifyResult:
    from kernelgen_ls.work import running

    try:
        return await running.verify(pool, what, soc, tell)
    finally:
        await pool.close()


def _show(result: VerifyResult, kernel: str, as_json: bool) -> None:
    from kernelgen_ls.rpc.wire import to_wire

    if as_json:
        print_json(to_wire(result))
        return
    for finding in result.findings:
        at = finding.location
        click.echo(f"{at.path}:{at.range.start.line + 1}:{at.range.start.column + 1}: {finding.message}")
    for case in result.cases:
        click.echo(f"{case.name}: {case.outcome.value}{': ' if case.message else ''}{case.message}")
    said = f": {result.message}" if result.message else ""
    by = f" (run by {result.toolchain.name})" if result.toolchain.name and result.cases else ""
    click.echo(f"{kernel}: {result.outcome.value}{by}{said}")
