"""``kernelgen-ls verify PATH[:ENTRY]``: whether a kernel gives its golden outputs, on the twin or a runner."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import click

from kernelgen_ls.cli.console import print_json
from kernelgen_ls.cli.errors import ExitStatus, NoAnswerError
from kernelgen_ls.cli.measure import read_target, tell

if TYPE_CHECKING:
    from kernelgen_ls.runner.client.fleet import PooledRunner
    from kernelgen_ls.runner.jobs.messages import VerifyRequest, VerifyResult
    from kernelgen_ls.work.running import Subject


@click.command()
@click.argument("target", metavar="PATH[:ENTRY]")
@click.option(
    "--runner",
    "runner_name",
    help="Runner of the settings; default: the one that verifies, or measures, else the twin on this machine.",
)
@click.option("--cases", help="Cases file or validation folder, relative to the operator; default: found by its name.")
@click.option("--case", type=click.IntRange(0), help="Only this case, counted from 0.")
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Makes the inputs: the same seed, the same inputs."
)
@click.option("--chip", help="The chip; default: the setting.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def verify(
    target: str,
    runner_name: str | None,
    cases: str | None,
    case: int | None,
    seed: int,
    chip: str | None,
    as_json: bool,
) -> None:
    """Run the kernel in PATH on its cases and compare; ENTRY names its entry function where there are several.

    The exit status is 0 where every case gives its golden outputs and no error was found on the way, 1 where the kernel
    is wrong, 2 where it was not run.
    """
    from kernelgen_ls.report.verification import verification_json, verification_lines
    from kernelgen_ls.runner.client.fleet import TWIN, Fleet
    from kernelgen_ls.runner.jobs.messages import Outcome
    from kernelgen_ls.work.chip import chosen_chip
    from kernelgen_ls.work.running import NotRunnableError, subject
    from kernelgen_ls.workspace.tree import TreeTooLargeError

    operator, entry, settings = read_target(target)
    name = runner_name or settings.runners.verify or settings.runners.measure or TWIN
    try:
        what = subject(operator, entry, cases or "")
        soc = chosen_chip(operator, chip or settings.check.chip).chip.soc
        pool = Fleet(settings.runners).named(name)
    except (NotRunnableError, TreeTooLargeError, ValueError, KeyError) as problem:
        raise NoAnswerError(str(problem.args[0] if problem.args else problem)) from problem
    result = asyncio.run(_ask(pool, what, what.verify_request(soc, seed=seed, case=case)))
    if as_json:
        print_json(verification_json(result))
    else:
        for line in verification_lines(result, what.kernel):
            click.echo(line)
    if result.outcome is not Outcome.PASSED:
        raise SystemExit(ExitStatus.WRONG if result.outcome.is_verdict else ExitStatus.NO_ANSWER)


async def _ask(pool: PooledRunner, what: Subject, request: VerifyRequest) -> VerifyResult:
    from kernelgen_ls.runner.client.client import local_runner
    from kernelgen_ls.work import running

    checker = local_runner()
    try:
        return await running.verify(pool, what, request, tell, checker)
    finally:
        await asyncio.gather(pool.close(), checker.close())
