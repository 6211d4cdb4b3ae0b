"""``kernelgen-ls verify PATH[:ENTRY]``: whether kernels give their golden outputs, on the twin or a runner."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kernelgen_ls.cli.console import print_json
from kernelgen_ls.cli.errors import ExitStatus, NoAnswerError
from kernelgen_ls.cli.measure import read_settings, read_target, tell

if TYPE_CHECKING:
    from kernelgen_ls.report.verification import Verified
    from kernelgen_ls.settings import Settings
    from kernelgen_ls.workspace.operators import Operator


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
@click.option(
    "--write-cases", "only_write", is_flag=True, help="Run nothing: write the cases that are made as a file to edit."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def verify(
    target: str,
    runner_name: str | None,
    cases: str | None,
    case: int | None,
    seed: int,
    chip: str | None,
    only_write: bool,
    as_json: bool,
) -> None:
    """Run the kernel in PATH on its cases and compare; ENTRY names its entry function where there are several.

    Of a folder every kernel below it is run in turn. The exit status is 0 where every case gives its golden outputs and
    no error was found on the way, 1 where a kernel is wrong, 2 where none is and one was not run. Without a cases file
    the cases are made from the specification, its formula and test_cases.csv.
    """
    from kernelgen_ls.kernel.verdict import VerdictOutcome
    from kernelgen_ls.report.verification import verification_json, verifications_json, worst
    from kernelgen_ls.work.running import NoCasesError, NotRunnableError
    from kernelgen_ls.workspace.tree import TreeTooLargeError

    if only_write:
        _write_cases(target, chip or "")
        return
    folder = Path(target).is_dir()
    several: list[Verified] = []
    for operator, entry, settings in _kernels(target):
        try:
            one = _verified(operator, entry, settings, runner_name, cases or "", case, seed, chip or "")
        except NoCasesError as problem:
            one = _not_run(operator, problem.kernel, str(problem))
        except (NotRunnableError, TreeTooLargeError, ValueError, KeyError) as problem:
            said = str(problem.args[0] if problem.args else problem)
            if not folder:
                raise NoAnswerError(said) from problem
            one = _not_run(operator, entry, said)
        several.append(one)
        if not as_json:
            _print(one, f"{one.path}:{one.kernel}" if folder else one.kernel)
    if not several:
        raise NoAnswerError(f"there is no kernel below {target}")
    if as_json:
        print_json(verifications_json(several) if folder else verification_json(several[0]))
    said_of_all = worst(several)
    if said_of_all is not VerdictOutcome.RIGHT:
        raise SystemExit(ExitStatus.WRONG if said_of_all is VerdictOutcome.WRONG else ExitStatus.NO_ANSWER)


def _kernels(target: str) -> Iterator[tuple[Operator, str, Settings]]:
    """The kernel that is named, or every entry function below a folder, each with the settings of its project."""
    from kernelgen_ls.work.running import entries_below

    if not Path(target).is_dir():
        yield read_target(target)
        return
    for operator, entry in entries_below(target, (Path.cwd(),)):
        yield operator, entry, read_settings(operator.files.place(operator.entry))


def _write_cases(target: str, chip: str) -> None:
    """Write the cases of every kernel that has none, and say where and what to do next."""
    from kernelgen_ls.work.chip import chosen_chip
    from kernelgen_ls.work.running import NotRunnableError, subject, verifier, write_cases
    from kernelgen_ls.workspace.tree import TreeTooLargeError

    written: list[str] = []
    problems: list[str] = []
    for operator, entry, settings in _kernels(target):
        path, soc = _path(operator), chip or settings.check.chip
        try:
            runner = verifier(settings.runners)
            place = write_cases(subject(operator, entry, chip=chosen_chip(operator, soc).chip, runner=runner))
        except (NotRunnableError, TreeTooLargeError, ValueError, OSError) as problem:
            problems.append(f"{path}: {problem}")
        else:
            written.append(f"{os.path.relpath(place)}: edit it, then run kernelgen-ls verify {path}")
    for line in written:
        click.echo(line)
    if problems or not written:
        raise NoAnswerError("\n".join(problems) or f"there is no kernel below {target}")


def _verified(
    operator: Operator,
    entry: str,
    settings: Settings,
    runner: str | None,
    cases: str,
    case: int | None,
    seed: int,
    chip: str,
) -> Verified:
    """A kernel's verification; raises what says in one line why there is none."""
    from kernelgen_ls.report.verification import Verified, seen_from
    from kernelgen_ls.runner.client.fleet import Fleet
    from kernelgen_ls.work.chip import chosen_chip
    from kernelgen_ls.work.running import subject, verifier, verify_once

    chosen = chosen_chip(operator, chip or settings.check.chip).chip
    runner = runner or verifier(settings.runners)
    what = subject(operator, entry, cases, chosen, runner)
    pool = Fleet(settings.runners).named(runner)
    result = asyncio.run(verify_once(pool, what, what.verify_request(chosen.soc, seed=seed, case=case), tell))
    return Verified(_path(operator), what.kernel, seen_from(result, os.path.relpath(operator.folder)))


def _not_run(operator: Operator, entry: str, why: str) -> Verified:
    from kernelgen_ls.report.verification import Verified
    from kernelgen_ls.runner.jobs.messages import Outcome, VerifyResult

    return Verified(_path(operator), entry, VerifyResult(Outcome.NOT_EXECUTED, message=why))


def _path(operator: Operator) -> str:
    return Path(os.path.relpath(operator.files.place(operator.entry))).as_posix()


def _print(one: Verified, name: str) -> None:
    from kernelgen_ls.report.verification import verification_lines

    for line in verification_lines(one.result, name):
        click.echo(line)
