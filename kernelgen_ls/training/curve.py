"""The loss curve of a training run."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from kernelgen_ls.report.chart import Axis, Dot, Series, lines


@frozen
class Point:
    """One report of a run: losses in nats a token; ``test`` and ``accuracy`` (held-out operators) are often absent."""

    step: int
    tokens: int
    seconds: float
    loss: float
    test: float | None = None
    accuracy: float | None = None


def curve_svg(points: Sequence[Point], width: int = 720, height: int = 360) -> str:
    """Training and held-out loss (log scale) over the tokens seen."""
    learned = tuple(Dot(point.tokens, _positive(point.loss)) for point in points)
    held_out = tuple(Dot(point.tokens, _positive(point.test)) for point in points if point.test is not None)
    series = [Series("training", learned), Series("held-out operators", held_out)]
    across = Axis("tokens", from_zero=True, text=lambda tokens: f"{tokens / 1e6:g} M" if tokens else "0")
    up = Axis("loss, nats a token", logarithmic=True)
    return lines([one for one in series if one.dots], across, up, width=width, height=height) + "\n"


def _positive(loss: float) -> float:
    return max(loss, 1e-3)
