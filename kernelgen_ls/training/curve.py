"""The loss curve of a training run as an SVG, drawn without a plotting library."""

from __future__ import annotations

import math

from attrs import frozen


@frozen
class Point:
    """One report of a run: losses in nats a token; ``test`` and ``accuracy`` (held-out operators) are often absent."""

    step: int
    tokens: int
    seconds: float
    loss: float
    test: float | None = None
    accuracy: float | None = None


def _path(points: list[tuple[float, float]], colour: str) -> str:
    if not points:
        return ""
    steps = " ".join(f"{'M' if at == 0 else 'L'}{x:.1f} {y:.1f}" for at, (x, y) in enumerate(points))
    return f'<path d="{steps}" fill="none" stroke="{colour}" stroke-width="1.5"/>'


def curve_svg(points: list[Point], width: int = 720, height: int = 360) -> str:
    """Training and held-out loss (log scale) over the tokens seen."""
    left, top, right, bottom = 52, 16, 16, 40
    losses = [p.loss for p in points] + [p.test for p in points if p.test is not None]
    low = math.log(max(min(losses, default=0.1), 1e-3))
    high = math.log(max(max(losses, default=8.0), 2e-3))
    last = max((p.tokens for p in points), default=1)

    def place(tokens: int, loss: float) -> tuple[float, float]:
        x = left + (width - left - right) * tokens / last
        share = (math.log(max(loss, 1e-3)) - low) / max(high - low, 1e-6)
        return x, top + (height - top - bottom) * (1 - share)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif"'
        ' font-size="11">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for value in (8, 4, 2, 1, 0.5, 0.25, 0.12, 0.06):
        if low <= math.log(value) <= high:
            _, y = place(0, value)
            parts.append(
                f'<path d="M{left} {y:.1f}H{width - right}" stroke="#ddd"/><text x="8" y="{y + 4:.1f}">{value}</text>'
            )
    for share in (0, 0.25, 0.5, 0.75, 1):
        x = left + (width - left - right) * share
        parts.append(f'<text x="{x:.0f}" y="{height - 22}" text-anchor="middle">{last * share / 1e6:.2f} M</text>')
    parts.append(_path([place(p.tokens, p.loss) for p in points], "#1f6feb"))
    parts.append(_path([place(p.tokens, p.test) for p in points if p.test is not None], "#d1242f"))
    parts.append(
        f'<text x="{left}" y="{height - 6}">tokens; blue: training loss, red: held-out operators (nats a token)</text>'
        "</svg>"
    )
    return "\n".join(parts) + "\n"
