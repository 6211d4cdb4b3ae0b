"""The kernels of ``seeded/`` that carry their own defects, with inputs and golden outputs."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.unit.twin.seeding import Array, Subject

HERE = Path(__file__).with_name("seeded")
Made = tuple[list[Array], list[Array]]


def _normal(rng: np.random.Generator, *shape: int, dtype: type = np.float32) -> Array:
    return rng.standard_normal(shape).astype(dtype)


def _ragged(rng: np.random.Generator) -> Made:
    x, bias = _normal(rng, 37, 203), _normal(rng, 37)
    return [x, bias], [x * 3 + bias[:, None]]


def _placed(rng: np.random.Generator) -> Made:
    x = _normal(rng, 3 * 4096, dtype=np.float16)
    return [x], [(np.exp(-x.astype(np.float32)) + x).astype(np.float16)]


def _totals(rng: np.random.Generator) -> Made:
    x = _normal(rng, 4, 2048)
    total, peak, part = np.zeros(8, np.float32), np.zeros(8, np.float32), np.zeros((4, 8), np.float32)
    part[:, 0] = x.sum(-1)
    total[0], peak[0] = x.sum(dtype=np.float64), x.max()
    return [x], [total, peak, part]


def _reversed(rng: np.random.Generator) -> Made:
    x = rng.integers(-1000, 1000, (2, 16, 128)).astype(np.int32)
    return [x], [x[:, ::-1].copy()]


def _picking(rng: np.random.Generator) -> Made:
    x, table, index = _normal(rng, 2 * 512), _normal(rng, 256), rng.integers(0, 256, 2 * 512).astype(np.int32)
    return [x, table, index], [np.where(x > 0, table[index], x)]


def _by_hand(rng: np.random.Generator) -> Made:
    x = _normal(rng, 4, 1024)
    total = np.zeros(8, np.float32)
    total[0] = x.sum(dtype=np.float64)
    return [x], [x * 2, total]


def _relay(rng: np.random.Generator) -> Made:
    x = _normal(rng, 6, 64)
    y = x * 2
    sums = np.full((3, 8), np.nan, np.float32)
    sums[:, 0] = y[::2, 0] + y[1::2, 0]
    y[1::2, 0] = np.roll(sums[:, 0], -1)
    return [x], [y, sums]


def _rounds(rng: np.random.Generator) -> Made:
    x = _normal(rng, 5, 512)
    counts = np.full((5, 8), -1, np.int32)
    counts[:, 0] = (x > 0).sum(-1)
    return [x], [x + np.arange(5, dtype=np.float32)[:, None], counts]


def _neighbours(rng: np.random.Generator) -> Made:
    x = _normal(rng, 6, 512)
    return [x], [np.roll(x, -1, axis=0) * 6]


def _texts(*names: str) -> dict[str, str]:
    return {name: (HERE / name).read_text(encoding="utf-8") for name in names}


SEEDED = [
    Subject("by_hand", _texts("by_hand.cpp"), 4, _by_hand),
    Subject("ragged", _texts("ragged.cpp", "ragged.h"), 4, _ragged),
    Subject("placed", _texts("placed.cpp"), 3, _placed),
    Subject("totals", _texts("totals.cpp"), 4, _totals, workspace=1024),
    Subject("reversed_rows", _texts("shuffle.cpp"), 2, _reversed, workspace=1 << 16, kernel="reversed_rows"),
    Subject("relay", _texts("relay.cpp"), 3, _relay),
    Subject("rounds", _texts("rounds.cpp"), 5, _rounds, workspace=1024),
    Subject("neighbours", _texts("neighbours.cpp"), 6, _neighbours, workspace=6 * 512 * 4),
    Subject("picking", _texts("picking.cpp"), 2, _picking),
]
