"""Small SVG charts, drawn without a plotting library: bars, and lines over axes.

They have no background and colours of middling lightness, so that they read on light and on dark; every text is
escaped after it was cut to the room there is. Sizes are in pixels, a text's width is estimated.
"""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Sequence

from attrs import evolve, field, frozen

TEXT, GRID, BAND = "#7d848f", "#7d848f", "#8a919c"
PLAIN, MARKED = "#4c86d8", "#d9822b"
SERIES = (PLAIN, MARKED, "#2e9e6b", "#a66bd0", "#cf5672", "#869a34")
"""Colours of lines, in order."""

_FONT = 11
_LINE = 16
_WIDE_FROM = 0x2E80
"""Characters from here on (CJK and what follows) are as wide as they are high."""


@frozen
class Bar:
    """A row: ``share`` of the full length (0 to 1), ``label`` behind it; the one row that matters is ``marked``."""

    name: str
    share: float
    label: str = ""
    marked: bool = False


@frozen
class Dot:
    """A point; ``spread`` is the height of the band through it, ``title`` what a pointer on it shows."""

    x: float
    y: float
    spread: float = 0.0
    title: str = ""


@frozen
class Series:
    """Dots of one name, joined by a line in the order in which they stand; ``dotted`` draws the dots too."""

    name: str
    dots: tuple[Dot, ...]
    dotted: bool = False


@frozen
class Axis:
    """``title`` names the quantity and its unit. A ``logarithmic`` one takes positive values alone."""

    title: str
    logarithmic: bool = False
    from_zero: bool = False
    whole: bool = False
    """Only whole numbers are marked."""
    text: Callable[[float], str] = field(default="{:g}".format)


def bars(rows: Sequence[Bar], width: int = 320) -> str:
    """Rows of bars under each other, the names at the left."""
    names = min(max((_width(row.name) for row in rows), default=0.0), width * 0.4)
    labels = max((_width(row.label) for row in rows), default=0.0)
    left = math.ceil(names) + 8
    room = max(1.0, width - left - (labels + 6 if labels else 0) - 2)
    parts = []
    for number, row in enumerate(rows):
        y = 2 + number * 18
        colour = MARKED if row.marked else PLAIN
        length = max(1.0, room * min(max(row.share, 0.0), 1.0))
        parts.append(_text(0, y + 11, _fitted(row.name, names)))
        parts.append(f'<rect x="{left}" y="{y}" width="{length:.1f}" height="14" rx="2" fill="{colour}"/>')
        if row.label:
            parts.append(_text(left + length + 6, y + 11, row.label))
    return _svg(width, 2 + 18 * len(rows), parts)


def lines(
    series: Sequence[Series], x: Axis, y: Axis, *, width: int = 480, height: int = 200, notes: Sequence[str] = ()
) -> str:
    """Lines over axes with round numbers; below them a legend and ``notes``; where there is no dot it says so.

    What is no finite number, or not positive on a logarithmic axis, is left out.
    """
    least = 0.0 if y.logarithmic else -math.inf
    series = [evolve(one, dots=tuple(dot for dot in one.dots if least < dot.y < math.inf)) for one in series]
    dots = [dot for one in series for dot in one.dots]
    if not dots:
        return _svg(width, 24, [_text(4, 16, "nothing was measured")])
    across = _Scale.of(x, [dot.x for dot in dots])
    up = _Scale.of(y, [value for dot in dots for value in (dot.y - dot.spread / 2, dot.y + dot.spread / 2)])
    frame = _Frame(width, height, 8 + max(_width(y.text(tick)) for tick in up.ticks))
    parts = [*frame.horizontals(up, y), *frame.verticals(across, x)]
    for number, one in enumerate(series):
        parts += _drawn(one, SERIES[number % len(SERIES)], frame, across, up)
    below = height + 4
    for number, one in enumerate(series):
        parts.append(
            f'<path d="M{frame.left:.0f} {below + 7}h14" stroke="{SERIES[number % len(SERIES)]}" stroke-width="3"/>'
        )
        parts.append(_text(frame.left + 20, below + 11, _fitted(one.name, width - frame.left - 20)))
        below += _LINE
    for note in notes:
        parts.append(_text(frame.left, below + 11, _fitted(note, width - frame.left)))
        below += _LINE
    return _svg(width, below + 4, parts)


def round_ticks(low: float, high: float, most: int = 6) -> tuple[float, ...]:
    """About ``most`` numbers from ``low`` or below to ``high`` or above, 1, 2 or 5 times a power of ten apart."""
    if high - low <= 1e-12 * max(abs(low), abs(high), 1.0):
        high = low + max(abs(low), 1.0)
    step = 10.0 ** math.floor(math.log10((high - low) / most))
    factor = next(factor for factor in (1, 2, 5, 10, 20, 50) if _steps(low, high, step * factor) <= most)
    step *= factor
    first = math.floor(low / step + 1e-9)
    return tuple(float(f"{(first + number) * step:.12g}") for number in range(_steps(low, high, step) + 1))


def round_powers(low: float, high: float) -> tuple[float, ...]:
    """Numbers of the form 1, 2 or 5 times a power of ten that lie around ``low`` to ``high``; both are positive."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    found = [factor * 10.0**power for power in range(first, last + 1) for factor in (1, 2, 5)]
    below = max((one for one in found if one <= low * 1.000001), default=found[0])
    above = min((one for one in found if one >= high * 0.999999), default=found[-1])
    return tuple(float(f"{one:.6g}") for one in found if below <= one <= above)


def _steps(low: float, high: float, step: float) -> int:
    return math.ceil(high / step - 1e-9) - math.floor(low / step + 1e-9)


@frozen
class _Scale:
    """Where values lie between 0 and 1."""

    ticks: tuple[float, ...]
    low: float
    high: float
    logarithmic: bool

    @classmethod
    def of(cls, axis: Axis, values: Sequence[float]) -> _Scale:
        low, high = min(values), max(values)
        if axis.logarithmic:
            ticks = round_powers(min(value for value in values if value > 0), high)
            if len(ticks) < 2:
                ticks = (ticks[0], ticks[0] * 2)
            return cls(ticks, ticks[0], ticks[-1], True)
        if axis.whole:
            ticks = tuple(tick for tick in round_ticks(low, high) if tick == int(tick) and low <= tick <= high)
            return cls(ticks or (low,), low, high, False)
        ticks = round_ticks(0.0 if axis.from_zero else low, high)
        return cls(ticks, ticks[0], ticks[-1], False)

    def share(self, value: float) -> float:
        if self.low == self.high:
            return 0.5
        value = min(max(value, self.low), self.high)
        if not self.logarithmic:
            return (value - self.low) / (self.high - self.low)
        least = math.log(self.low)
        return (math.log(value) - least) / (math.log(self.high) - least)


@frozen
class _Frame:
    """The place of the drawing within the picture."""

    width: int
    height: int
    left: float

    _TOP, _RIGHT, _BOTTOM = 22, 14, 34

    def x(self, share: float) -> float:
        return self.left + (self.width - self.left - self._RIGHT) * share

    def y(self, share: float) -> float:
        return self._TOP + (self.height - self._TOP - self._BOTTOM) * (1 - share)

    def horizontals(self, scale: _Scale, axis: Axis) -> list[str]:
        """The lines across with their numbers, and the axis' title above them."""
        parts = [_text(0, 11, axis.title)]
        for tick in scale.ticks:
            y = self.y(scale.share(tick))
            parts.append(
                f'<path d="M{self.left:.1f} {y:.1f}H{self.width - self._RIGHT}" stroke="{GRID}" stroke-opacity="0.25"/>'
            )
            parts.append(_text(self.left - 6, y + 4, axis.text(tick), "end"))
        return parts

    def verticals(self, scale: _Scale, axis: Axis) -> list[str]:
        """The numbers below, as many as have room, and the axis' title under them."""
        parts = []
        free = -math.inf
        for tick in scale.ticks:
            x, text = self.x(scale.share(tick)), axis.text(tick)
            half = _width(text) / 2
            if x - half < free:
                continue
            parts.append(_text(min(x, self.width - half), self.height - self._BOTTOM + 15, text, "middle"))
            free = x + half + 8
        parts.append(_text(self.left, self.height - 3, axis.title))
        return parts


def _drawn(series: Series, colour: str, frame: _Frame, across: _Scale, up: _Scale) -> list[str]:
    places = [(frame.x(across.share(dot.x)), frame.y(up.share(dot.y))) for dot in series.dots]
    joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    bands = [
        f'<path d="M{x:.1f} {frame.y(up.share(dot.y + dot.spread / 2)):.1f}'
        f'V{frame.y(up.share(dot.y - dot.spread / 2)):.1f}" stroke="{BAND}" stroke-width="2" stroke-opacity="0.6"/>'
        for dot, (x, _) in zip(series.dots, places, strict=True)
        if dot.spread
    ]
    line = f'<polyline points="{joined}" fill="none" stroke="{colour}" stroke-width="1.5" stroke-linejoin="round"/>'
    if not series.dotted and len(places) > 1:
        return [*bands, line]
    circles = [
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"><title>{html.escape(dot.title)}</title></circle>'
        for dot, (x, y) in zip(series.dots, places, strict=True)
    ]
    return [*bands, line, *circles]


def _width(text: str) -> float:
    return sum(_FONT if ord(character) >= _WIDE_FROM else 0.58 * _FONT for character in text)


def _fitted(text: str, room: float) -> str:
    """``text``, cut with an ellipsis where it is wider than ``room``."""
    if _width(text) <= room + 0.01:
        return text
    while text and _width(text) + _FONT > room:
        text = text[:-1]
    return text + "\N{HORIZONTAL ELLIPSIS}"


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    place = f' text-anchor="{anchor}"' if anchor != "start" else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{place} fill="{TEXT}">{html.escape(text)}</text>'


def _svg(width: int, height: float, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height:.0f}" '
        f'viewBox="0 0 {width} {height:.0f}" font-family="sans-serif" font-size="{_FONT}">{"".join(parts)}</svg>'
    )
