"""``kernelgen-ls bench defects DIR``: the share of injected defects that the checker finds, by kind.

Half of the kernels keep their class where it is; of the others it is moved into a header first, which is where larger
projects have theirs.
"""

from __future__ import annotations

import os
import posixpath
import random
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import click
from attrs import evolve, field, frozen
from rich.console import Console
from rich.progress import track
from rich.table import Table

from kernelgen_ls.bench.edits import Finder
from kernelgen_ls.bench.mutate import KINDS, Mutation, finder_of, mutations
from kernelgen_ls.folders import write_json
from kernelgen_ls.kernel.chips import DEFAULT_CHIP
from kernelgen_ls.kernel.findings import Finding, Severity
from kernelgen_ls.kernel.roles import Role, role_of
from kernelgen_ls.kernel.syntax import Source
from kernelgen_ls.runner.jobs.messages import CheckRequest, Outcome, SourceFile
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
    in_header: bool = False
    """Whether the kernel's class was moved into a header before."""
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
                place = f"{trial.kernel}{' (header)' if trial.in_header else ''}:{mutation.line + 1}"
                click.echo(f"{place}: {mutation.kind}: {mutation.description}: {where}{said}")
    if not trials:
        click.echo("no clean kernel was found below the paths", err=True)
        sys.exit(2)


def run(kernels: Iterable[Target], each: int, seed: int, progress: bool = False) -> Iterator[Trial]:
    """Yield a trial for every defect of every kernel that is clean to begin with; every other one is moved first."""
    toolchain = EmbeddedToolchain()
    listed = list(kernels)
    shown = track(listed, "mutating", console=Console(stderr=True), transient=True) if progress else listed
    for number, target in enumerate(shown):
        request = request_of(target, DEFAULT_CHIP.soc)
        moved = into_header(request) if number % 2 else None
        yield from _trials(toolchain, moved or request, os.path.relpath(target.place), each, seed, moved is not None)


def into_header(request: CheckRequest) -> CheckRequest | None:
    """Return the request with what stands before the entry functions in a header; None where nothing does."""
    text = _text(request, request.entry)
    entries = Source.parse(text).structure.entries
    if not entries:
        return None
    start = text.rfind("\n", 0, entries[0].span.start) + 1
    before = text[:start].rstrip().rpartition("\n")[2]
    if before.startswith(("template", 'extern "C"')):
        start = text.rfind(before, 0, start)
    if "class " not in text[:start]:
        return None
    header = f"{posixpath.splitext(request.entry)[0]}_class.h"
    moved = f'#include "{posixpath.basename(header)}"\n\n{text[start:]}'
    files = (*_with_text(request, request.entry, moved).files, SourceFile(header, f"#pragma once\n{text[:start]}"))
    return evolve(request, files=files)


def _trials(
    toolchain: EmbeddedToolchain, request: CheckRequest, kernel: str, each: int, seed: int, in_header: bool
) -> Iterator[Trial]:
    clean = toolchain.check(request)
    if clean.outcome is not Outcome.PASSED:
        return
    before = {(finding.code, finding.message) for finding in clean.findings}
    tried: set[str] = set()
    for path in [request.files[-1].path, request.entry] if in_header else [request.entry]:
        text = _text(request, path)
        kinds = [kind for kind in KINDS if kind not in tried]
        # One stream of choices a kernel: adding a kernel does not change what is tried in the others.
        for mutation in mutations(text, random.Random(f"{seed}:{text}"), each, kinds):
            tried.add(mutation.kind)
            result = toolchain.check(_with_text(request, path, mutation.text))
            new = [item for item in result.findings if _counts(item) and (item.code, item.message) not in before]
            distances = [_distance(item, path, mutation.line) for item in new]
            messages = tuple(item.message for item in new)
            yield Trial(kernel, mutation, min(distances, default=None), in_header, messages)


def figures(trials: list[Trial]) -> dict[str, object]:
    """How many defects were tried, found, and found within two lines: in all, by who finds them, by kind."""
    groups = {
        "kernels": len({trial.kernel for trial in trials}),
        **_counted(trials),
        "source": _counted([trial for trial in trials if not trial.in_header]),
        "header": _counted([trial for trial in trials if trial.in_header]),
    }
    finders = {
        finder.value: _counted([trial for trial in trials if finder_of(trial.mutation.kind) is finder])
        for finder in Finder
    }
    kinds = {}
    for kind in dict.fromkeys(trial.mutation.kind for trial in trials):
        of_kind = [trial for trial in trials if trial.mutation.kind == kind]
        kinds[kind] = {"finder": finder_of(kind).value, **_counted(of_kind)}
    return {**groups, "finders": finders, "kinds": kinds}


def _counted(trials: list[Trial]) -> dict[str, int]:
    found = sum(trial.found for trial in trials)
    return {"tried": len(trials), "found": found, "near": sum(trial.near for trial in trials)}


def _table(trials: list[Trial]) -> None:
    table = Table("defect", "finder", ".cpp", "found", "near", "header", "found", "near")
    for kind in dict.fromkeys(trial.mutation.kind for trial in trials):
        of_kind = [trial for trial in trials if trial.mutation.kind == kind]
        table.add_row(kind, finder_of(kind).value, *_cells(of_kind))
    for finder in Finder:
        table.add_row("all", finder.value, *_cells([one for one in trials if finder_of(one.mutation.kind) is finder]))
    Console(width=100).print(table)


def _cells(trials: list[Trial]) -> Iterator[str]:
    for in_header in (False, True):
        count = _counted([trial for trial in trials if trial.in_header is in_header])
        yield str(count["tried"])
        yield from (f"{count[key] / max(count['tried'], 1):.1%}" for key in ("found", "near"))


def _counts(finding: Finding) -> bool:
    return finding.severity in (Severity.ERROR, Severity.WARNING)


def _distance(finding: Finding, path: str, line: int) -> int:
    """How many lines the defect is from the nearest place that the finding points at, its related places included."""
    places = [finding.location, *(item.location for item in finding.related)]
    return min((abs(place.range.start.line - line) for place in places if place.path == path), default=10_000)


def _text(request: CheckRequest, path: str) -> str:
    return next(item.text or "" for item in request.files if item.path == path)


def _with_text(request: CheckRequest, path: str, text: str) -> CheckRequest:
    files = tuple(evolve(item, text=text) if item.path == path else item for item in request.files)
    return evolve(request, files=files)
