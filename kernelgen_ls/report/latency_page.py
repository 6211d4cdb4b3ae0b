"""What is known of an entry function's latency, in a line and on a page: figure, spread, pipes, bound, change.

Every figure says what it is: measured, simulated, replayed, or an estimate. The page is Markdown, with a small chart
where images render.
"""

from __future__ import annotations

import base64
import time
from typing import TYPE_CHECKING

from kernelgen_ls.work.readings import Reading, changed_since

if TYPE_CHECKING:
    from kernelgen_ls.runner.jobs.messages import Latency
    from kernelgen_ls.work.estimate import Estimate

_LINES = 5
_CHART_WIDTH, _CHART_PIPES = 260, 8


def summary(reading: Reading) -> str:
    """One line: the figure with what it is; empty when nothing is known."""
    if reading.measured is not None:
        latency = reading.measured.latency
        changed = changed_since(reading)
        difference = f" ({100 * changed:+.0f} %)" if changed is not None else ""
        kind = "" if latency.kind.value == "measured" else f" {latency.kind.value}"
        return f"{latency.median_us:.1f} us{difference}{kind}{', stale' if reading.stale else ''}"
    if reading.estimate is not None:
        return f"estimate: at least {reading.estimate.us:.1f} us"
    return ""


def page(reading: Reading, *, images: bool, now: float | None = None) -> str:
    """Markdown; empty when nothing is known of the entry function."""
    parts: list[str] = []
    if reading.measured is not None:
        parts += _measured(reading, images=images, now=time.time() if now is None else now)
    if reading.estimate is not None:
        parts.append(_estimate(reading.estimate, reading.measured.latency if reading.measured else None))
    elif reading.no_estimate:
        parts.append(f"*No estimate:* {reading.no_estimate}.")
    if not parts:
        return ""
    return "\n\n".join([f"**{reading.entry.name}**", *parts])


def _measured(reading: Reading, *, images: bool, now: float) -> list[str]:
    assert reading.measured is not None
    latency = reading.measured.latency
    stale = "  \n***Stale:*** the sources have changed since." if reading.stale else ""
    parts = [
        f"**{latency.median_us:.2f} us** {latency.kind.value} ({_how(latency)}), {_where(reading, latency, now)}{stale}"
    ]
    changed = changed_since(reading)
    if changed is not None and reading.before is not None:
        word = "slower" if changed > 0 else "faster"
        parts.append(f"{abs(changed):.1%} {word} than the one before ({reading.before.latency.median_us:.2f} us)")
    if latency.current_mhz and latency.rated_mhz and latency.current_mhz < latency.rated_mhz:
        parts.append(f"The device ran at {latency.current_mhz} of {latency.rated_mhz} MHz: the figure is too high.")
    if latency.caveat:
        parts.append(f"*{latency.caveat}*")
    if latency.pipes:
        parts.append(_chart(latency) if images else "")
        parts.append(_table(latency))
    if latency.lines:
        parts.append(_lines(latency, reading.path))
    return [part for part in parts if part]


def age(seconds: float) -> str:
    """How long ago, in words."""
    for size, unit in ((86400, "day"), (3600, "hour"), (60, "minute")):
        count = int(seconds // size)
        if count:
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "just now"


def _how(latency: Latency) -> str:
    if latency.kind.value == "simulated":
        return "one launch in the vendor's simulator, not on a device"
    return f"median of {len(latency.samples_us)}, spread {latency.spread_us:.2f} us"


def _where(reading: Reading, latency: Latency, now: float) -> str:
    assert reading.measured is not None
    facts = [f"on {reading.measured.runner}", latency.soc, f"CANN {latency.cann}" if latency.cann else ""]
    facts.append(_frequency(latency))
    facts.append(f"case {latency.case}" if latency.case else "")
    facts.append(age(now - latency.taken_at) if latency.taken_at else "")
    return ", ".join(fact for fact in facts if fact)


def _frequency(latency: Latency) -> str:
    if not latency.current_mhz:
        return ""
    return (
        f"{latency.current_mhz} MHz" if not latency.rated_mhz else f"{latency.current_mhz} of {latency.rated_mhz} MHz"
    )


def _table(latency: Latency) -> str:
    rows = ["| pipe | us | busy |", "|---|---:|---:|"]
    binding = latency.binding_pipe
    for pipe in sorted(latency.pipes, key=lambda pipe: pipe.ratio, reverse=True):
        mark = " (binds)" if pipe is binding else ""
        rows.append(f"| {pipe.name}{mark} | {pipe.us:.2f} | {pipe.ratio:.0%} |")
    return "\n".join(rows)


def _lines(latency: Latency, path: str) -> str:
    """The dearest lines, by their number in this file or with their file's name."""
    rows = ["| line | us | runs |", "|---|---:|---:|"]
    for cost in latency.lines[:_LINES]:
        place = f"{cost.line + 1}" if cost.path == path else f"{cost.path.rpartition('/')[2]}:{cost.line + 1}"
        rows.append(f"| {place} | {cost.us:.2f} | {cost.calls} |")
    return "\n".join(rows)


def _estimate(estimate: Estimate, latency: Latency | None) -> str:
    text = (
        f"*Estimate:* at least {estimate.us:.2f} us on {estimate.chip}, bound by {estimate.binding} "
        f"({'; '.join(estimate.assumptions)})"
    )
    own = latency is not None and latency.kind.value == "measured" and latency.soc == estimate.chip
    if own and latency is not None and latency.median_us >= estimate.us > 0:
        text += f". The measurement is {latency.median_us / estimate.us:.1f} times that."
    return text


def _chart(latency: Latency) -> str:
    """A bar for each pipe as an image inside the text."""
    from kernelgen_ls.report.latency_chart import pipes_svg

    svg = pipes_svg(latency, _CHART_WIDTH, most=_CHART_PIPES, figures=False)
    return f"![pipes](data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()})"
