"""How an operator's axes are walked: which lie together in one turn of the kernel, and where each tensor has its part.

Axes that every tensor stretches over alike are one group. The last group is what one turn computes: its elements lie
one after the other in the unified buffer. The groups before it are the rows that the cores share out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from attrs import frozen

from kernelgen_ls.kernel.formula.lowering.graph import Node, NotLoweredError

Places = tuple[int, ...]
"""Axes by their places from the last one, the first axis first."""


@frozen
class Space:
    """``rows`` are the groups of axes before the last, ``cols`` is the last; both without axes of one element.

    ``sizes`` has what is written for each axis. ``reduces``: reductions go over ``cols``.
    """

    rows: tuple[Places, ...]
    cols: Places
    sizes: Mapping[int, str]
    reduces: bool

    @property
    def is_flat(self) -> bool:
        """Whether all axes are one: the kernel may be cut anywhere."""
        return not self.rows and not self.reduces

    def is_long(self, places: Iterable[int]) -> bool:
        """Whether what stretches over ``places`` has as many elements as a turn, and not one alone."""
        return not set(self.cols).isdisjoint(places)

    def groups_of(self, places: Iterable[int]) -> tuple[bool, ...]:
        """For each group of rows whether what stretches over ``places`` goes on with it."""
        return tuple(not set(group).isdisjoint(places) for group in self.rows)

    def count(self, places: Places) -> int | None:
        """How many elements some axes have together; None where that is not a number yet."""
        result = 1
        for place in places:
            if not self.sizes[place].isdigit():
                return None
            result *= int(self.sizes[place])
        return result


def space_of(nodes: Sequence[Node], outputs: Sequence[Node]) -> Space:
    """The space of a graph's values. Raises ``NotLoweredError`` where one kernel's loops cannot walk it."""
    sizes = {dim.place: dim.size for node in nodes for dim in node.shape if not dim.is_one}
    order = tuple(sorted(sizes, reverse=True))
    reduced = {frozenset(map(int, node.detail.split(","))) for node in nodes if node.op in ("sum", "max", "min")}
    if len(reduced) > 1:
        raise NotLoweredError("reductions over different axes in one kernel")
    cols = next(iter(reduced), frozenset())
    patterns = [_pattern(place, nodes, outputs, cols) for place in order]
    groups: list[list[int]] = []
    for number, place in enumerate(order):
        if number and patterns[number] == patterns[number - 1]:
            groups[-1].append(place)
        else:
            groups.append([place])
    last = tuple(groups[-1]) if groups else ()
    if reduced and set(last) != cols:
        raise NotLoweredError("a reduction over other axes than the last ones, or beside a tensor of a part of them")
    rows = tuple(tuple(group) for group in groups[:-1])
    if len(rows) > 2:
        raise NotLoweredError("tensors that broadcast over more than two groups of axes")
    return Space(rows, last, sizes, bool(reduced))


def _pattern(place: int, nodes: Sequence[Node], outputs: Sequence[Node], reduced: frozenset[int]) -> tuple[object, ...]:
    """Who stretches over an axis, and how: equal patterns may lie in one group."""
    read = tuple(
        (place in node.places, place == 1 and node.access.parts > 1, place in index_places(node))
        for node in nodes
        if node.access is not None
    )
    return (*read, *(place in node.places for node in outputs), place in reduced)


def index_places(node: Node) -> frozenset[int]:
    """The places of the axes that indices give a tensor whose rows they pick."""
    axes = node.access.axes if node.access is not None else 0
    return frozenset(dim.place for dim in node.shape[:axes])
