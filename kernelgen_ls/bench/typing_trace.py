"""A typing trace: a kernel with some of its lines missing, and every keystroke that writes them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from enum import Enum

from attrs import frozen

BLOCKS = 4
"""Places where lines are missing; going from one to the next is a jump."""


class Kind(str, Enum):
    """What a step does to the document."""

    APPENDED = "appended"
    """A key that writes the character (or line break with indentation) that belongs there."""
    FIRST = "first"
    """The first key after a jump."""
    WRONG = "wrong"
    """A slip."""
    DELETED = "deleted"
    """The slip taken back."""


@frozen
class Step:
    """One keystroke: ``text`` after it, the cursor at ``offset``, the change as (from, to, inserted)."""

    kind: Kind
    text: str
    offset: int
    change: tuple[int, int, str]


@frozen
class Trace:
    """``start`` is the document before the first step."""

    start: str
    steps: tuple[Step, ...]


def typing_trace(kernel: str, *, lines: int = 40, slips: float = 0.05, seed: int = 1) -> Trace:
    """Take ``lines`` lines out of ``kernel`` in ``BLOCKS`` places and type them again, places in random order.

    A line break is one key together with the indentation of the line, as editors write it. ``slips`` is the share of
    keys that are typed wrong and deleted.
    """
    randomness = random.Random(seed)
    source = kernel.rstrip("\n").split("\n")
    each = max(lines // BLOCKS, 1)
    stride = len(source) // BLOCKS
    starts = [block * stride + max((stride - each) // 2, 1) for block in range(BLOCKS)]
    missing = {start: source[start : start + each] for start in starts}
    kept: list[str | int] = []
    for number, line in enumerate(source):
        if number in missing:
            kept.append(number)
        if not any(start <= number < start + each for start in starts):
            kept.append(line)
    order = list(starts)
    randomness.shuffle(order)
    written: set[int] = set()

    def document() -> str:
        parts: list[str] = []
        for item in kept:
            parts += [item] if isinstance(item, str) else missing[item] if item in written else []
        return "\n".join(parts) + "\n"

    start_text = document()
    steps: list[Step] = []
    for block in order:
        before = _lines_before(kept, block, missing, written)
        steps += _write(document(), len("\n".join(before)), missing[block], randomness, slips)
        written.add(block)
    return Trace(start_text, tuple(steps))


def _lines_before(kept: list[str | int], block: int, missing: dict[int, list[str]], written: set[int]) -> list[str]:
    before: list[str] = []
    for item in kept:
        if item == block:
            break
        before += [item] if isinstance(item, str) else missing[item] if item in written else []
    return before


def _write(text: str, at: int, lines: list[str], randomness: random.Random, slips: float) -> Iterator[Step]:
    """The keystrokes that insert ``lines`` after the line that ends at ``at``."""
    kind = Kind.FIRST
    for key in _keys(lines):
        if randomness.random() < slips:
            wrong = randomness.choice("qzxjk")
            text = text[:at] + wrong + text[at:]
            yield Step(Kind.WRONG if kind is not Kind.FIRST else kind, text, at + 1, (at, at, wrong))
            text = text[:at] + text[at + 1 :]
            yield Step(Kind.DELETED, text, at, (at, at + 1, ""))
            kind = Kind.APPENDED
        text = text[:at] + key + text[at:]
        yield Step(kind, text, at + len(key), (at, at, key))
        at += len(key)
        kind = Kind.APPENDED


def _keys(lines: list[str]) -> Iterator[str]:
    for line in lines:
        code = line.lstrip(" ")
        yield "\n" + line[: len(line) - len(code)]
        yield from code
