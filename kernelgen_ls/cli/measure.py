"""``kernelgen-ls measure PATH[:ENTRY]``: a kernel's latency on a runner, or a bound where there is none."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kernelgen_ls.cli.console import print_json
from kernelgen_ls.cli.errors import ExitStatus, NoAnswerError
from kernelgen_ls.folders import write_text

if TYPE_CHECKING:
    from kernelgen_ls.kernel.chips import Chip
    from kernelgen_ls.runner.client.fleet import PooledRunner
    from kernelgen_ls.runner.jobs.messages import MeasureRequest, MeasureResult, StageReport, VerifyResult
    from kernelgen_ls.settings import Settings
    from kernelgen_ls.work.estimate import Estimate, NoEstimate
    from kernelgen_ls.work.history import History, Measured
    from kernelgen_ls.work.running import Subject
    from kernelgen_ls.workspace.operators import Operator


@click.command()
@click.argument("target", metavar="PATH[:ENTRY]")
@click.option("--runner", "runner_name", help="Runner of the settings; default: the one that measures.")
@click.option("--cases", help="Cases file or validation folder, relative to the operator; default: found by its name.")
@click.option("--case", default=0, show_default=True, type=click.IntRange(0), help="Which case, from 0.")
@click.option("--launches", default=20, show_default=True, type=click.IntRange(1, 1000))
@click.option("--chip", help="The chip; default: the setting.")
@click.option("--fresh", is_flag=True, help="Measure again even where a measurement is kept.")
@click.option("--no-verify", is_flag=True, help="Do not compare the outputs first.")
@click.option("--estimate", "only_estimate", is_flag=True, help="Print the bound, ask no runner.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--history", "show_history", is_flag=True, help="Print the kernel's measurements, measure nothing.")
@click.option("--plot", type=click.Path(path_type=Path, dir_okay=False), help="Write the history as .svg or .html.")
def measure(
    target: str,
    runner_name: str | None,
    cases: str | None,
    case: int,
    launches: int,
    chip: str | None,
    fresh: bool,
    no_verify: bool,
    only_estimate: bool,
    as_json: bool,
    show_history: bool,
    plot: Path | None,
) -> None:
    """Measure the kernel in PATH; ENTRY names its entry function where there are several.

    Without a runner the kernel is compared on the twin, where it has cases, and a bound is printed and called an
    estimate. The exit status is 1 where a kernel is wrong, 2 where no figure could be had.
    """
    from kernelgen_ls.runner.client.fleet import Fleet
    from kernelgen_ls.work.chip import chosen_chip
    from kernelgen_ls.work.estimate import estimate_operator
    from kernelgen_ls.work.history import History
    from kernelgen_ls.work.running import NotRunnableError, entry_function, key_of, subject
    from kernelgen_ls.workspace.tree import TreeTooLargeError

    operator, entry, settings = read_target(target)
    try:
        kernel = entry_function(operator, entry)
        chosen = chosen_chip(operator, chip or settings.check.chip).chip
        fleet = Fleet(settings.runners)
        name = "" if only_estimate else runner_name or settings.runners.measure
        pool = fleet.named(name) if name else None
    except (NotRunnableError, ValueError, KeyError) as problem:
        raise NoAnswerError(str(problem.args[0] if problem.args else problem)) from problem
    history, key = History(keep=settings.latency.history), key_of(operator, kernel)
    if show_history:
        _print_history(history.entries(key), as_json)
        _write_plot(plot, kernel, history.entries(key))
        return
    if pool is None:
        verified = None if only_estimate or no_verify else _on_the_twin(operator, kernel, cases, chosen, settings)
        found = estimate_operator(operator.belonging(), operator.own_entry, kernel, chosen)
        _print_estimate(found, verified, kernel, as_json)
        return
    try:
        what = subject(operator, kernel, cases or "", chosen)
    except (NotRunnableError, TreeTooLargeError) as problem:
        raise NoAnswerError(str(problem)) from problem
    request = what.measure_request(
        chosen.soc, case=case, launches=launches, verify=not no_verify, fresh=fresh, document=what.tree.entry
    )
    result, changed = asyncio.run(_ask(pool, name, what, request, history))
    _show(result, kernel, changed, as_json)
    _write_plot(plot, kernel, history.entries(key))
    raise SystemExit(_status(result))


def read_target(target: str) -> tuple[Operator, str, Settings]:
    """``PATH[:ENTRY]``: the operator of the file, the entry function that is named, the settings of its project."""
    from kernelgen_ls.workspace.operators import named_place, operator_of

    path, entry = _split(target)
    return operator_of(named_place(path), (Path.cwd(),)), entry, read_settings(path)


def read_settings(path: Path) -> Settings:
    """The settings of a file's project; what is wrong with them is said on standard error."""
    from kernelgen_ls.settings import load, project_folder

    settings, problems = load(project_folder(path))
    for problem in problems:
        click.echo(f"{problem.name}: {problem.message}", err=True)
    return settings


def _split(target: str) -> tuple[Path, str]:
    if Path(target).is_file():
        return Path(target), ""
    name, _, entry = target.rpartition(":")
    if not Path(name).is_file():
        raise click.BadParameter(f"there is no file {name or target!r}", param_hint="PATH")
    return Path(name), entry


def tell(report: StageReport) -> None:
    """Say on standard error where a job stands."""
    ahead = f", {report.ahead} before it" if report.ahead else ""
    click.echo(f"{report.stage.value}{ahead}{': ' if report.detail else ''}{report.detail}", err=True)


async def _ask(
    pool: PooledRunner, name: str, what: Subject, request: MeasureRequest, history: History
) -> tuple[MeasureResult, float | None]:
    from kernelgen_ls.work.running import measure

    try:
        return await measure(pool, name, what, request, history, tell)
    finally:
        await pool.close()


def _show(result: MeasureResult, kernel: str, changed: float | None, as_json: bool) -> None:
    from kernelgen_ls.rpc.wire import to_wire
    from kernelgen_ls.work.estimate import Estimate, estimate_measured

    if as_json:
        plain: dict[str, Any] = to_wire(result)
        if result.latency is not None:
            plain["median_us"], plain["spread_us"] = result.latency.median_us, result.latency.spread_us
            plain["change"] = changed
        print_json(plain)
        return
    for finding in result.findings:
        at = finding.location
        click.echo(f"{at.path}:{at.range.start.line + 1}:{at.range.start.column + 1}: {finding.message}")
    if result.latency is None:
        click.echo(f"{result.outcome.value}: {result.message}")
        return
    latency = result.latency
    click.echo(
        f"{kernel}: {latency.median_us:.2f} us {latency.kind.value}"
        f"{'' if changed is None else f' ({changed:+.1%})'}, spread {latency.spread_us:.2f} us, "
        f"N = {len(latency.samples_us)}, case {latency.case!r}"
    )
    frequency = f", {latency.current_mhz} of {latency.rated_mhz} MHz" if latency.rated_mhz else ""
    kept = ", kept from before" if result.cached else ""
    click.echo(f"  {latency.soc}, CANN {latency.cann or 'unknown'}, {latency.block_dim} blocks{frequency}{kept}")
    for pipe in sorted(latency.pipes, key=lambda pipe: -pipe.ratio):
        mark = "  <- binds" if pipe == latency.binding_pipe else ""
        click.echo(f"  {pipe.name:>8} {pipe.us:10.2f} us {pipe.ratio:7.1%}{mark}")
    bound = estimate_measured(latency)
    if isinstance(bound, Estimate):
        click.echo(f"  estimate: at least {bound.us:.2f} us for this case, bound by {bound.binding}")
    for cost in latency.lines:
        click.echo(f"  {cost.path}:{cost.line + 1} {cost.us:10.2f} us, {cost.calls} runs")
    for warning in result.warnings:
        click.echo(f"  note: {warning}")


def _on_the_twin(
    operator: Operator, kernel: str, cases: str | None, chip: Chip, settings: Settings
) -> VerifyResult | None:
    """The twin's verdict on a kernel that no device measures; None, and said, where there is nothing to run it on."""
    from kernelgen_ls.runner.client.fleet import TWIN, Fleet
    from kernelgen_ls.work.running import NotRunnableError, subject, verify_once
    from kernelgen_ls.workspace.tree import TreeTooLargeError

    try:
        what = subject(operator, kernel, cases or "", chip, TWIN)
    except (NotRunnableError, TreeTooLargeError) as problem:
        click.echo(f"not verified: {problem}", err=True)
        return None
    return asyncio.run(verify_once(Fleet(settings.runners).named(TWIN), what, what.verify_request(chip.soc), tell))


def _print_estimate(estimate: Estimate | NoEstimate, verified: VerifyResult | None, kernel: str, as_json: bool) -> None:
    """The bound, and before it the verdict where there is one; a wrong kernel's bound is not printed."""
    from kernelgen_ls.kernel.verdict import VerdictOutcome
    from kernelgen_ls.report.verification import verification_lines
    from kernelgen_ls.rpc.wire import to_wire
    from kernelgen_ls.work.estimate import NoEstimate
    from kernelgen_ls.work.verdicts import verdict

    said = {} if verified is None else {"verdict": to_wire(verdict(verified))}
    if verified is not None and not as_json:
        for line in verification_lines(verified, kernel):
            click.echo(line)
    reason, status = "", ExitStatus.NO_ANSWER
    if verified is not None and verdict(verified).outcome is VerdictOutcome.WRONG:
        reason, status = "the kernel is wrong", ExitStatus.WRONG
    elif isinstance(estimate, NoEstimate):
        reason = f"no runner measures (setting runners.measure), and no estimate either: {estimate.reason}"
    if reason or isinstance(estimate, NoEstimate):
        if as_json:
            print_json({"estimate": None, "reason": reason, **said})
        elif status is ExitStatus.NO_ANSWER:
            click.echo(reason)
        raise SystemExit(status)
    if as_json:
        print_json({"estimate": to_wire(estimate), **said})
        return
    click.echo(f"estimate: at least {estimate.us:.2f} us on {estimate.chip}, bound by {estimate.binding}")
    for bound in estimate.bounds:
        click.echo(f"  {bound.pipe:>8} at least {bound.us:10.2f} us")
    click.echo(f"  assumed: {'; '.join(estimate.assumptions)}")


def _print_history(entries: list[Measured], as_json: bool) -> None:
    from kernelgen_ls.rpc.wire import to_wire

    if as_json:
        print_json([to_wire(entry) for entry in entries])
        return
    for entry in entries:
        latency = entry.latency
        day = time.strftime("%Y-%m-%d %H:%M", time.localtime(latency.taken_at))
        where = f"{latency.soc}  {latency.case}  {entry.runner}"
        click.echo(f"{day}  {latency.median_us:10.2f} us  {latency.kind.value:9}  {where}")
    for caveat in dict.fromkeys(entry.latency.caveat for entry in entries if entry.latency.caveat):
        click.echo(f"note: {caveat}")
    if not entries:
        click.echo("nothing was measured yet")


def _write_plot(plot: Path | None, kernel: str, entries: list[Measured]) -> None:
    from kernelgen_ls.report.latency_chart import history_svg, page

    if plot is None:
        return
    if plot.suffix not in (".svg", ".html"):
        raise click.BadParameter("the picture is .svg or .html", param_hint="--plot")
    write_text(plot, history_svg(entries) if plot.suffix == ".svg" else page(kernel, entries))
    click.echo(plot, err=True)


def _status(result: MeasureResult) -> ExitStatus:
    from kernelgen_ls.runner.jobs.messages import Outcome

    if result.outcome is Outcome.PASSED:
        return ExitStatus.DONE
    return ExitStatus.WRONG if result.outcome.is_verdict else ExitStatus.NO_ANSWER
