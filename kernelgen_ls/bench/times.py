"""Distributions of round trips."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence

from attrs import frozen


def percentile(ordered: Sequence[float], share: float) -> float:
    """The value below which ``share`` of the sorted values lie; 0 for none."""
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


@frozen
class Times:
    """Of many round trips, in ms."""

    count: int
    p50: float
    p99: float
    longest: float

    @classmethod
    def of(cls, values: list[float]) -> Times:
        """The distribution of ``values``; zeros for none."""
        if not values:
            return cls(0, 0.0, 0.0, 0.0)
        ordered = sorted(values)
        p99 = percentile(ordered, 0.99)
        return cls(len(values), round(statistics.median(ordered), 2), round(p99, 2), round(ordered[-1], 2))


async def times_of(once: Callable[[], Awaitable[object]], count: int) -> Times:
    """``count`` runs, one after another."""
    values = []
    for _ in range(count):
        started = time.perf_counter()
        await once()
        values.append((time.perf_counter() - started) * 1000)
        await asyncio.sleep(0.002)
    return Times.of(values)
