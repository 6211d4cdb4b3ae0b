"""Two schedules of a case: what the device may do in either order has to come to the same.

The first has the blocks in their order and every copy done where it is issued; the second has the blocks from the last
to the first and every copy done when something first waits for it. What differs is a race.
"""

from __future__ import annotations

import filecmp
from collections.abc import Callable
from pathlib import Path

from attrs import evolve, frozen

from kernelgen_ls.kernel.findings import Finding, FoundBy, Location, Severity
from kernelgen_ls.runner.toolchains.twin.launch import Launch, Ran

_LATE_COPY = "twin/late-copy"
_IF_WRONG = (_LATE_COPY, "twin/output-not-written")
_BLOCK_ORDER = "twin/block-order"
_DIVISION = "twin/division-by-zero"
_RACES = ("twin/block-read-race", "twin/block-overlap")
_SUFFIX = " (with copies done as late as the events allow, and the blocks from the last to the first)"


@frozen
class Scheduled:
    """What both schedules left: ``ran`` is the first, ``findings`` those of both."""

    ran: Ran
    findings: tuple[Finding, ...]
    lacks: str = ""


def both_schedules(
    launch: Launch, run: Callable[[Launch], Ran], right: Callable[[tuple[Path, ...]], bool], place: Location
) -> Scheduled:
    """Run both schedules; a third run says which half of the second one it was, where the outputs differ.

    A first run that found an error is enough: what a race does to the second one was said. Where an integer is divided
    by zero, what comes of it on the device is not documented: nothing but right outputs is said of such a case.
    ``right`` judges outputs, ``place`` is the entry function.
    """
    both = _both(launch, run, right, place)
    divided = tuple(finding for finding in both.findings if finding.code == _DIVISION)
    if not divided or (both.ran.end == "done" and not _errors(both.findings) and right(both.ran.outputs)):
        return both
    where = divided[0].location
    return Scheduled(both.ran, divided, f"an integer division by zero, {where.path}:{where.range.start.line + 1}")


def _both(
    launch: Launch, run: Callable[[Launch], Ran], right: Callable[[tuple[Path, ...]], bool], place: Location
) -> Scheduled:
    several = launch.case.block_dim > 1 or len(launch.library.parts) > 1
    first = run(launch)
    if several and not first.shook_hands and _without_races(first.findings) != first.findings:
        # Who comes to bytes of global memory after they were written is not seen to wait for them.
        shook = run(evolve(launch, reversed=True)).shook_hands
        first = evolve(first, shook_hands=shook, findings=_without_races(first.findings) if shook else first.findings)
    known, held = _apart(first.findings)
    if first.lacks or first.end != "done" or _errors(known):
        return Scheduled(first, known, first.lacks)
    if held and not right(first.outputs):
        return Scheduled(first, merged(known, _as_errors(held)))
    second = run(evolve(launch, reversed=several, late=True))
    if second.lacks:
        return Scheduled(first, known, second.lacks)
    told, held = _apart(_without_races(second.findings) if first.shook_hands else second.findings)
    findings = merged(known, tuple(_of_the_second(finding, known) for finding in told))
    if _errors(findings) or _same(first, second) or not right(first.outputs) or not _differs(second, right):
        return Scheduled(first, findings)
    if several and _differs(run(evolve(launch, reversed=True)), right):
        return Scheduled(first, merged(findings, (_order_matters(place),)))
    late = tuple(finding for finding in held if finding.code == _LATE_COPY)
    return Scheduled(first, merged(findings, _as_errors(late) or (_lateness_matters(place),)))


def merged(findings: tuple[Finding, ...], more: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Both, each rule once at a place."""
    known = {(finding.location, finding.code): finding for finding in (*more, *findings)}
    ordered = dict.fromkeys((finding.location, finding.code) for finding in (*findings, *more))
    return tuple(known[key] for key in ordered)


def _without_races(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    return tuple(finding for finding in findings if finding.code not in _RACES)


def _errors(findings: tuple[Finding, ...]) -> bool:
    return any(finding.severity is Severity.ERROR for finding in findings)


def _same(first: Ran, second: Ran) -> bool:
    """Whether both runs left the same bytes, which is quicker to see than whether they are right."""
    pairs = zip(first.outputs, second.outputs, strict=True)
    return second.end == "done" and all(
        one.is_file() and other.is_file() and filecmp.cmp(one, other, shallow=False) for one, other in pairs
    )


def _differs(ran: Ran, right: Callable[[tuple[Path, ...]], bool]) -> bool:
    return ran.end != "done" or not right(ran.outputs)


def _of_the_second(finding: Finding, first: tuple[Finding, ...]) -> Finding:
    known = any((one.location, one.code) == (finding.location, finding.code) for one in first)
    serious = finding.severity is Severity.ERROR
    return evolve(finding, message=finding.message + _SUFFIX) if serious and not known else finding


def _apart(findings: tuple[Finding, ...]) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """What a run says in any case, and what it says only where the outputs turn out wrong."""
    return (
        tuple(finding for finding in findings if finding.code not in _IF_WRONG),
        tuple(finding for finding in findings if finding.code in _IF_WRONG),
    )


def _as_errors(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    return tuple(evolve(finding, severity=Severity.ERROR) for finding in findings)


def _order_matters(place: Location) -> Finding:
    message = "the outputs are right with the blocks from the first to the last, and wrong from the last to the first"
    return Finding(place, Severity.ERROR, message, FoundBy.TWIN, _BLOCK_ORDER)


def _lateness_matters(place: Location) -> Finding:
    message = "the outputs are right with copies done where they are issued, and wrong with copies done late"
    return Finding(place, Severity.ERROR, message, FoundBy.TWIN, _LATE_COPY)
