"""Latency as a picture, for hovers and for ``kernelgen-ls measure --plot``."""

from __future__ import annotations

import html
from collections.abc import Sequence

from kernelgen_ls.report.chart import Axis, Bar, Dot, Series, bars, lines
from kernelgen_ls.runner.jobs.messages import Latency
from kernelgen_ls.work.history import Measured

_PAGE = """<!doctype html>
<html><head><meta charset="utf-8"><title>{title}</title><style>
:root {{ color-scheme: light dark; }}
body {{ font-family: sans-serif; max-width: 820px; margin: 2em auto; padding: 0 1em; }}
</style></head><body>
<h1>{title}</h1>
{history}
{pipes}</body></html>
"""


def pipes_svg(latency: Latency, width: int = 320, *, most: int | None = None, figures: bool = True) -> str:
    """A bar for each pipe, the ``most`` busiest ones: its share of the kernel's time. The binding pipe is marked."""
    binding = latency.binding_pipe
    rows = [
        Bar(
            pipe.name,
            pipe.ratio,
            f"{pipe.us:.2f} us, {pipe.ratio:.0%}" if figures else "",
            marked=pipe is binding,
        )
        for pipe in sorted(latency.pipes, key=lambda pipe: -pipe.ratio)[:most]
    ]
    return bars(rows, width)


def history_svg(entries: Sequence[Measured], width: int = 480, height: int = 200) -> str:
    """Medians over time, oldest left, with the quartiles as a band at each.

    Only figures of the same kind, chip and case are joined by a line; below the picture each line says what it is.
    """
    shown = [entry.latency for entry in entries if entry.latency.samples_us]
    dots: dict[str, list[Dot]] = {_series(latency): [] for latency in shown}
    for number, latency in enumerate(shown, 1):
        name = _series(latency)
        dots[name].append(Dot(number, latency.median_us, latency.spread_us, f"{latency.median_us:.2f} us {name}"))
    return lines(
        [Series(name, tuple(found), dotted=True) for name, found in dots.items()],
        Axis("measurement, oldest first", whole=True),
        Axis("us", from_zero=True),
        width=width,
        height=height,
        notes=list(dict.fromkeys(latency.caveat for latency in shown if latency.caveat)),
    )


def _series(latency: Latency) -> str:
    """What a figure is: only figures of one name may be compared."""
    return ", ".join(part for part in (latency.kind.value, latency.soc, latency.case) if part)


def page(title: str, entries: Sequence[Measured]) -> str:
    """An HTML page with the history and the newest measurement's pipes."""
    newest = entries[-1].latency if entries else None
    pipes = f"<h2>Pipes of the newest measurement</h2>\n{pipes_svg(newest, 480)}\n" if newest and newest.pipes else ""
    return _PAGE.format(title=html.escape(title), history=history_svg(entries, 800, 260), pipes=pipes)
