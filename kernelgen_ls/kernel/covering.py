"""In which order the combinations of several lists are looked at when there is no time for all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations


def covering(sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield index tuples, one index a list, each tuple once: every item of every list early, then every pair of items.

    The first is all first items. Combinations of three items and more that bring no new pair are left out. A list of
    size 0 makes no combination at all.
    """
    if 0 in sizes:
        return
    seen: set[tuple[int, ...]] = set()
    for index in range(max(sizes, default=1)):
        items = tuple(index % size for size in sizes)
        seen.add(items)
        yield items
    pairs = {pair for items in seen for pair in _pairs(items)}
    for (first, first_size), (second, second_size) in combinations(enumerate(sizes), 2):
        for index in range(first_size):
            for other in range(second_size):
                if (first, index, second, other) in pairs:
                    continue
                shift = len(seen)
                chosen = {first: index, second: other}
                items = tuple(chosen.get(axis, (shift + axis) % size) for axis, size in enumerate(sizes))
                seen.add(items)
                pairs.update(_pairs(items))
                yield items


def _pairs(items: tuple[int, ...]) -> Iterator[tuple[int, int, int, int]]:
    for (first, index), (second, other) in combinations(enumerate(items), 2):
        yield first, index, second, other
