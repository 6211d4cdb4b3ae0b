"""Kernels that were written for a task, and how often one of k of them compiles and is right.

Right is what an execution on the task's cases says; a kernel that nobody could execute is not right, and is counted
besides. compile@k and right@k are the unbiased estimates of the chance that one of k samples does, 1 - C(n-c,k)/C(n,k)
for c of n.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import Any

from attrs import frozen

from kernelgen_ls.kernel.verdict import VerdictOutcome

_RULE, _MODEL = "rule", "model"


class By(str, Enum):
    """Whose kernels count: those written by rule, the model's, or both as a user gets them."""

    RULE = "rule"
    MODEL = "model"
    BOTH = "both"


@frozen
class Sample:
    """One kernel: whether its first text compiles, whether what repairs made of it does, and what running that came to.

    ``outcome`` is a ``VerdictOutcome``'s value, "" for a kernel that does not compile or that nobody was to execute.
    """

    written_by: str
    first_compiles: bool
    compiles: bool
    outcome: str = ""

    @property
    def right(self) -> bool:
        """Whether it was executed and is right."""
        return self.outcome == VerdictOutcome.RIGHT.value

    @property
    def wrong(self) -> bool:
        """Whether it was executed and is wrong."""
        return self.outcome == VerdictOutcome.WRONG.value


@frozen
class Tried:
    """A task with the kernels that were written for it; ``problem`` says why there are none, or none that compiles."""

    task: str
    samples: tuple[Sample, ...] = ()
    tokens: int = 0
    seconds: float = 0.0
    problem: str = ""
    said: str = ""
    """What is known of the kernel that a user would be offered, in a line."""


@frozen
class Score:
    """A row of the table, in percent of the tasks. ``wrong`` and ``not_executed`` are of the kernels that compile."""

    group: str
    by: By
    tasks: int
    compile_first: Mapping[int, float]
    compile: Mapping[int, float]
    right: Mapping[int, float]
    wrong: float
    not_executed: float


def sample_of(candidate: Mapping[str, Any]) -> Sample:
    """The sample that a candidate of ``generate --json`` is."""
    attempts = candidate["attempts"]
    verdict = candidate["verdict"] or {}
    compiles = any(attempt["clean"] for attempt in attempts)
    return Sample(
        candidate["written_by"],
        bool(attempts) and attempts[0]["clean"],
        compiles,
        verdict.get("outcome", "") if compiles else "",
    )


def tried_of(raw: Mapping[str, Any]) -> Tried:
    """What a line of results holds."""
    return Tried(**{**raw, "samples": tuple(Sample(**one) for one in raw["samples"])})


def at_k(samples: int, right: int, k: int) -> float:
    """The unbiased estimate of the chance that one of ``k`` samples is right, given ``right`` of ``samples``.

    Of fewer samples than ``k`` it is the chance that one of all is.
    """
    if not right:
        return 0.0
    if samples - right < k:
        return 1.0
    return 1.0 - math.comb(samples - right, k) / math.comb(samples, k)


def score(group: str, by: By, tried: Sequence[Tried], ks: Sequence[int]) -> Score:
    """The figures of a group of tasks for one source of kernels."""
    samples = [one for task in tried for one in task.samples if by is By.BOTH or one.written_by == by.value]
    compiling = [one for one in samples if one.compiles]
    silent = sum(not one.right and not one.wrong for one in compiling)
    return Score(
        group,
        by,
        len(tried),
        {k: _rate(tried, by, k, "first_compiles") for k in ks},
        {k: _rate(tried, by, k, "compiles") for k in ks},
        {k: _rate(tried, by, k, "right") for k in ks},
        _percent(sum(one.wrong for one in compiling), len(compiling)),
        _percent(silent, len(compiling)),
    )


def _rate(tried: Sequence[Tried], by: By, k: int, what: str) -> float:
    """The mean over tasks. Of both a kernel by rule comes first, and the model's where that is not enough."""
    chances = []
    for task in tried:
        chance = 0.0
        for writer in (_RULE, _MODEL) if by is By.BOTH else (by.value,):
            good = [bool(getattr(one, what)) for one in task.samples if one.written_by == writer]
            chance = max(chance, at_k(len(good), sum(good), k))
        chances.append(chance)
    return _percent(sum(chances), len(chances))


def _percent(part: float, whole: int) -> float:
    return round(100 * part / whole, 1) if whole else 0.0


def shown(rows: Iterable[Score], title: str) -> None:
    """Print the rows as a table."""
    from rich.console import Console
    from rich.table import Table

    rows = list(rows)
    table = Table(title=f"{title}, percent")
    ks = list(rows[0].compile) if rows else []
    table.add_column("")
    table.add_column("by")
    for column in ("tasks", *(f"{name}@{k}" for k in ks for name in ("first compile", "compile", "right"))):
        table.add_column(column, justify="right")
    table.add_column("wrong", justify="right")
    table.add_column("not executed", justify="right")
    for row in rows:
        rates = [f"{of[k]:.1f}" for k in ks for of in (row.compile_first, row.compile, row.right)]
        table.add_row(row.group, row.by.value, str(row.tasks), *rates, f"{row.wrong:.1f}", f"{row.not_executed:.1f}")
    Console().print(table)
