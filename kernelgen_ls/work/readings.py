"""What is known of how long kernels take: the latest measurement, whether it still holds, a bound beside it.

A figure says what it is: measured, simulated, replayed, or an estimate. It is *stale* as soon as anything that was
compiled for it differs; it is never shown as the current text's.
"""

from __future__ import annotations

import logging

from attrs import frozen

from kernelgen_ls.kernel.findings import Range
from kernelgen_ls.work.chip import chosen_chip
from kernelgen_ls.work.estimate import Estimate, NoEstimate, estimate_measured, estimate_operator
from kernelgen_ls.work.history import History, Measured, before, change
from kernelgen_ls.work.running import hash_of, key_of
from kernelgen_ls.workspace.operators import Operator
from kernelgen_ls.workspace.tree import TreeTooLargeError, tree_of

logger = logging.getLogger(__name__)


@frozen
class Entry:
    """An entry function of a document: ``name`` and where the name stands."""

    name: str
    range: Range


@frozen
class Reading:
    """What is known of one entry function: the latest measurement and the one before, whether it is stale, a bound."""

    entry: Entry
    measured: Measured | None = None
    before: Measured | None = None
    stale: bool = False
    estimate: Estimate | None = None
    path: str = ""
    """The document's path in its operator."""
    no_estimate: str = ""
    """Why there is no bound, where that is the chip's doing and no shape's."""


def readings(operator: Operator, entries: tuple[Entry, ...], history: History, chip: str) -> tuple[Reading, ...]:
    """What is known of an operator's entry functions; reads the disk, so call it in a thread."""
    known = {one.name: history.entries(key_of(operator, one.name)) for one in entries}
    now = _hash(operator) if any(known.values()) else ""
    texts, target = operator.belonging(), chosen_chip(operator, chip).chip
    found = []
    for entry in entries:
        measured = known[entry.name]
        latest = measured[-1] if measured else None
        # Beside a figure the bound is that of its own case; without one, what the specification says.
        bound = estimate_measured(latest.latency) if latest is not None else None
        if bound is None and target is not None:
            bound = estimate_operator(texts, operator.own_entry, entry.name, target)
        found.append(
            Reading(
                entry,
                latest,
                before(measured),
                stale=latest is not None and latest.text_hash != now,
                estimate=bound if isinstance(bound, Estimate) else None,
                path=operator.own_entry,
                no_estimate=bound.reason if isinstance(bound, NoEstimate) and bound.of_chip else "",
            )
        )
    return tuple(found)


def _hash(operator: Operator) -> str:
    """The hash of what a measurement of this text would send; empty where that cannot be said."""
    try:
        return hash_of(tree_of(operator))
    except TreeTooLargeError as error:
        logger.info("whether measurements of %s still hold is not known: %s", operator.entry, error)
        return ""


def changed_since(reading: Reading) -> float | None:
    """The share by which the latest measurement differs from the one before."""
    if reading.measured is None or reading.before is None:
        return None
    return change(reading.measured.latency, reading.before.latency)
