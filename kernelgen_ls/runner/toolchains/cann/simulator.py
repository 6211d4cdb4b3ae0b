"""What ``msprof op simulator`` leaves behind: a latency, what each pipe did, what each line costs. All of it simulated.

The folder and its columns are from public documentation: ``simulator/trace.json`` with every core's events in the trace
format of Chrome (microseconds), and in ``core0.veccore0`` and its like ``*_instr_exe.csv`` and ``*_code_exe.csv``.
Columns are found by name; not confirmed against a real CANN yet.
"""

from __future__ import annotations

import json
import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from kernelgen_ls.runner.jobs.messages import LineCost, PipeTime
from kernelgen_ls.runner.toolchains.cann.msprof import number, rows

_PIPES = {
    "scalar": "scalar",
    "vector": "vector",
    "vec": "vector",
    "cube": "cube",
    "mte1": "MTE1",
    "mte2": "MTE2",
    "mte3": "MTE3",
    "fixp": "fixpipe",
    "fixpipe": "fixpipe",
}
_LINES = 10
_TRACE_BYTES = 256 * 1024 * 1024


def simulator_command(msprof: str, config: Path, out: Path, soc: str) -> list[str]:
    """The command that runs a kernel's object in the simulator of ``soc``."""
    return [msprof, "op", "simulator", f"--config={config}", f"--soc-version={soc}", f"--output={out}"]


def read_duration(out: Path) -> float | None:
    """Microseconds from the first event of any core to the end of the last; None where no trace was written."""
    first, last = math.inf, -math.inf
    for path in _traces(out):
        for event in _events(path):
            start, length = _finite(event.get("ts")), _finite(event.get("dur", 0))
            if event.get("ph") in ("X", "B", "E") and start is not None and length is not None:
                first, last = min(first, start), max(last, start + length)
    return round(last - first, 6) if last > first else None


def read_simulated_pipes(out: Path, duration_us: float) -> tuple[PipeTime, ...]:
    """How long each pipe's instructions ran, averaged over the cores, from ``*_instr_exe.csv``."""
    by_core: dict[Path, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for path, row in rows(out, "*_instr_exe*.csv"):
        pipe, us = _PIPES.get(row.get("pipe", "").lower()), number(row.get("running_time(us)"))
        if pipe is not None and us is not None:
            by_core[path][pipe] += us
    totals: dict[str, float] = defaultdict(float)
    for core in by_core.values():
        for pipe, us in core.items():
            totals[pipe] += us / len(by_core)
    return tuple(
        PipeTime(pipe, round(us, 6), round(us / duration_us, 6) if duration_us else 0.0) for pipe, us in totals.items()
    )


def read_lines(out: Path, to_project: Callable[[str], str | None]) -> tuple[LineCost, ...]:
    """The project's lines that cost most, dearest first: microseconds on the core where they took longest.

    ``to_project`` gives the project's path of a path that the simulator printed, None for others' files.
    """
    dearest: dict[tuple[str, int], LineCost] = {}
    for _, row in rows(out, "*_code_exe*.csv"):
        place = re.match(r"(?P<path>.+):(?P<line>\d+)$", row.get("code", ""))
        us = number(row.get("running_time(us)"))
        path = to_project(place["path"]) if place else None
        if place is None or path is None or us is None:
            continue
        calls = int(number(row.get("call_count")) or 0)
        cost = LineCost(path, max(0, int(place["line"]) - 1), round(us, 6), calls)
        known = dearest.get((cost.path, cost.line))
        if known is None or known.us < us:
            dearest[cost.path, cost.line] = cost
    return tuple(sorted(dearest.values(), key=lambda cost: -cost.us)[:_LINES])


def _traces(out: Path) -> list[Path]:
    """The trace of all cores where there is one, else every core's own."""
    whole = [path for path in out.rglob("trace.json") if path.parent.name == "simulator"]
    return whole or list(out.rglob("trace.json"))


def _events(path: Path) -> Iterator[dict[str, Any]]:
    """A trace's events; a file that is no trace, or is larger than any sensible one, has none."""
    if path.is_symlink() or path.stat().st_size > _TRACE_BYTES:
        return
    try:
        plain = json.loads(path.read_text(encoding="utf-8", errors="replace"))
    except (ValueError, RecursionError):
        return
    events = plain.get("traceEvents") if isinstance(plain, dict) else plain
    for event in events if isinstance(events, list) else ():
        if isinstance(event, dict):
            yield event


def _finite(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and math.isfinite(value) else None
