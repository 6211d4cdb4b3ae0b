"""``kernelgen-ls bench defects DIR``: the share of injected defects that the checker finds, by kind."""

from __future__ import annotations

import os
import random
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import click
from attrs import evolve, field, frozen
from rich.console import Console
from rich.progress import track
from rich.table import Table

from kernelgen_ls.bench.mutate import Mutation, mutations
from kernelgen_ls.folders import write_json
from kernelgen_ls.kernel.chips import DEFAULT_CHIP
from kernelgen_ls.kernel.findings import Finding, Severity
from kernelgen_ls.kernel.roles import Role, role_of
from kernelgen_ls.runner.jobs.messages import CheckRequest, Outcome
from kernelgen_ls.runner.toolchains.embedded.toolchain import EmbeddedToolchain
from kernelgen_ls.work.checking import request_of
from kernelgen_ls.workspace.discover import Target, targets

_NEAR_LINES = 2


@frozen
class Trial:
    """One defect and what came of it: ``distance`` is in lines to the nearest new finding, None where none is new."""

    kernel: str
    mutation: Mutation
    distance: int | None
    messages: tuple[str, ...] = field(default=())

    @property
    def found(self) -> bool:
        """Whether the checker said anything new."""
        return self.distance is not None

    @property
    def near(self) -> bool:
        """Whether a finding, or a related place it names, is within two lines of the defect."""
        return self.distance is not None and self.distance <= _NEAR_LINES


@click.command()
@click.argument("paths", nargs=-1, required=True)
@click.option("--each", default=2, show_default=True, help="Defects of every kind in every kernel.")
@click.option("--seed", default=1, show_default=True, help="Seed of the choices.")
@click.option("--json", "output", type=click.Path(path_type=Path), help="Write the report there.")
@click.option("--missed", is_flag=True, help="Print every defect that was missed or found far away.")
def defects(paths: tuple[str, ...], each: int, seed: int, output: Path | None, missed: bool) -> None:
    """Put defects into the clean kernels below PATHS and count how many the checker finds."""
    kernels = [
        one for one in targets(paths) if role_of(one.entry, one.operator.files.text(one.entry) or "") is Role.KERNEL
    ]
    trials = list(run(kernels, each, seed, progress=True))
    _table(trials)
    if output is not None:
        write_json(output, figures(trials))
    if missed:
        for trial in trials:
            if not trial.near:
                where = "missed" if trial.distance is None else f"found {trial.distance} lines away"
                mutation = trial.mutation
                said = f" ({trial.messages[0]})" if trial.messages else ""
                click.echo(
                    f"{trial.kernel}:{mutation.line + 1}: {mutation.kind}: {mutation.description}: {where}{said}"
                )
    if not trials:
        click.echo("no clean kernel was found below the paths", err=True)
        sys.exit(2)


def run(kernels: Iterable[Target], each: int, seed: int, progress: bool = False) -> Iterator[Trial]:
    """Yield a trial for every defect of every kernel that is clean to begin with."""
    toolchain = EmbeddedToolchain()
    listed = list(kernels)
    for target in track(listed, "mutating", console=Console(stderr=True), transient=True) if progress else listed:
        request = _request(target)
        clean = toolchain.check(request)
        if clean.outcome is not Outcome.PASSED:
            continue
        before = {(finding.code, finding.message) for finding in clean.findings}
        text = _text(request)
        # One stream of choices a kernel: adding a kernel does not change what is tried in the others.
        for mutation in mutations(text, random.Random(f"{seed}:{text}"), each):
            result = toolchain.check(_with_text(request, mutation.text))
            new = [item for item in result.findings if _counts(item) and (item.code, item.message) not in before]
            distances = [_distance(item, request.entry, mutation.line) for item in new]
            yield Trial(
                os.path.relpath(target.place),
                mutation,
                min(distances, default=None),
                tuple(item.message for item in new),
            )


def _request(target: Target) -> CheckRequest:
    return request_of(target, DEFAULT_CHIP.soc)


def figures(trials: list[Trial]) -> dict[str, object]:
    """The totals and, by kind, how many defects were tried, found, and found within two lines."""
    by_kind: dict[str, list[Trial]] = defaultdict(list)
    for trial in trials:
        by_kind[trial.mutation.kind].append(trial)
    rows = {kind: _counted(listed) for kind, listed in by_kind.items()}
    return {"kernels": len({trial.kernel for trial in trials}), **_counted(trials), "kinds": rows}


def _counted(trials: list[Trial]) -> dict[str, int]:
    found = sum(trial.found for trial in trials)
    return {"tried": len(trials), "found": found, "near": sum(trial.near for trial in trials)}


def _table(trials: list[Trial]) -> None:
    table = Table("defect", "tried", "found", "within 2 lines")
    by_kind: dict[str, list[Trial]] = defaultdict(list)
    for trial in trials:
        by_kind[trial.mutation.kind].append(trial)
    for kind, listed in [*by_kind.items(), ("all", trials)]:
        count = _counted(listed)
        tried = max(count["tried"], 1)
        found, near = count["found"], count["near"]
        table.add_row(kind, str(count["tried"]), f"{found} ({found / tried:.1%})", f"{near} ({near / tried:.1%})")
    Console().print(table)


def _counts(finding: Finding) -> bool:
    return finding.severity in (Severity.ERROR, Severity.WARNING)


def _distance(finding: Finding, entry: str, line: int) -> int:
    """How many lines the defect is from the nearest place that the finding points at, its related places included."""
    places = [finding.location, *(item.location for item in finding.related)]
    return min((abs(place.range.start.line - line) for place in places if place.path == entry), default=10_000)


def _text(request: CheckRequest) -> str:
    return next(item.text or "" for item in request.files if item.path == request.entry)


def _with_text(request: CheckRequest, text: str) -> CheckRequest:
    files = tuple(evolve(item, text=text) if item.path == request.entry else item for item in request.files)
    return evolve(request, files=files)
