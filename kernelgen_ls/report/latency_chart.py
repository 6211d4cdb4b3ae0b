"""Latency as a picture: small SVG charts without any library, for hovers and for ``kernelgen-ls measure --plot``."""

from __future__ import annotations

import html
from collections.abc import Sequence

from kernelgen_ls.runner.jobs.messages import Latency
from kernelgen_ls.work.history import Measured

_STYLE = "font-family='sans-serif' font-size='11'"
_BAR, _BOUND, _LINE = "#4c8bf5", "#d9822b", "#8a8f98"
_SERIES = (_BAR, _BOUND, "#2e9e6b", "#a259c4", "#c94f6d", "#7a8b2f")


def pipes_svg(latency: Latency, width: int = 320) -> str:
    """A bar for each pipe: its share of the kernel's time. The binding pipe has another colour."""
    rows = sorted(latency.pipes, key=lambda pipe: -pipe.ratio)
    parts = []
    binding = latency.binding_pipe
    for number, pipe in enumerate(rows):
        y = 4 + number * 18
        length = max(1.0, min(1.0, pipe.ratio) * (width - 150))
        colour = _BOUND if pipe == binding else _BAR
        parts.append(
            f"<text x='4' y='{y + 11}' fill='{_LINE}'>{html.escape(pipe.name)}</text>"
            f"<rect x='60' y='{y}' width='{length:.1f}' height='14' fill='{colour}'/>"
            f"<text x='{64 + length:.1f}' y='{y + 11}' fill='{_LINE}'>{pipe.us:.2f} us, {pipe.ratio:.0%}</text>"
        )
    return _svg(width, 8 + 18 * len(rows), parts)


def history_svg(entries: Sequence[Measured], width: int = 480, height: int = 160) -> str:
    """Medians over time, oldest left, with the quartiles as a band at each.

    Only figures of the same kind, chip and case are joined by a line; below the picture each line says what it is.
    """
    shown = [entry.latency for entry in entries if entry.latency.samples_us]
    if not shown:
        return _svg(width, 24, [f"<text x='4' y='16' fill='{_LINE}'>nothing was measured</text>"])
    top = max(latency.median_us + latency.spread_us for latency in shown) or 1.0
    step = (width - 70) / max(1, len(shown) - 1)

    def y(us: float) -> float:
        return 10 + (height - 30) * (1 - us / top)

    names = list(dict.fromkeys(_series(latency) for latency in shown))
    colours = {name: _SERIES[number % len(_SERIES)] for number, name in enumerate(names)}
    points: dict[str, list[str]] = {name: [] for name in names}
    parts = []
    for number, latency in enumerate(shown):
        x, middle, name = 55 + number * step, y(latency.median_us), _series(latency)
        half = latency.spread_us / 2
        points[name].append(f"{x:.1f},{middle:.1f}")
        parts.append(
            f"<line x1='{x:.1f}' x2='{x:.1f}' y1='{y(latency.median_us + half):.1f}' "
            f"y2='{y(max(0.0, latency.median_us - half)):.1f}' stroke='{_LINE}'/>"
            f"<circle cx='{x:.1f}' cy='{middle:.1f}' r='3' fill='{colours[name]}'>"
            f"<title>{latency.median_us:.2f} us {html.escape(name)}</title></circle>"
        )
    lines = [f"<polyline points='{' '.join(points[name])}' fill='none' stroke='{colours[name]}'/>" for name in names]
    parts.append(f"<text x='4' y='{y(top) + 4:.1f}' fill='{_LINE}'>{top:.1f} us</text>")
    parts.append(f"<text x='4' y='{y(0) + 4:.1f}' fill='{_LINE}'>0</text>")
    notes = [*names, *dict.fromkeys(latency.caveat for latency in shown if latency.caveat)]
    parts += [
        f"<text x='55' y='{height + 12 + 16 * number}' fill='{colours.get(note, _LINE)}'>{html.escape(note)}</text>"
        for number, note in enumerate(notes)
    ]
    return _svg(width, height + 4 + 16 * len(notes), [*lines, *parts])


def _series(latency: Latency) -> str:
    """What a figure is: only figures of one name may be compared."""
    return ", ".join(part for part in (latency.kind.value, latency.soc, latency.case) if part)


def page(title: str, entries: Sequence[Measured]) -> str:
    """An HTML page with the history and the newest measurement's pipes."""
    newest = entries[-1].latency if entries else None
    pipes = pipes_svg(newest) if newest and newest.pipes else ""
    return (
        f"<!doctype html><html><head><meta charset='utf-8'><title>{html.escape(title)}</title></head>"
        f"<body style='font-family:sans-serif'><h1>{html.escape(title)}</h1>{history_svg(entries, 800, 240)}"
        f"<h2>Pipes of the newest measurement</h2>{pipes}</body></html>\n"
    )


def _svg(width: int, height: int, parts: Sequence[str]) -> str:
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}' "
        f"viewBox='0 0 {width} {height}' {_STYLE}>{''.join(parts)}</svg>"
    )
