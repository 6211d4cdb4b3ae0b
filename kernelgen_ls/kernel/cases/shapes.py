"""Which shapes an operator's inputs can have together: what its specification and its rows of test cases fix, and what
they leave open.

A dimension is free where a name stands for it, where rows differ in it, or where any shape is said to do. What is a
number everywhere stays that number: nobody has promised another.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from attrs import frozen

from kernelgen_ls.kernel.cases.rows import Row, Shape
from kernelgen_ls.kernel.constants import evaluate
from kernelgen_ls.kernel.spec.specification import SpecTensor

Sizes = Mapping[str, int]
"""What each dimension's name stands for in a case."""

_ANY = re.compile(r"任意|不限|\bany\b|\barbitrary\b|\bN-?D tensor", re.IGNORECASE)
_SAME = re.compile(r"相同|一致|同形|\bsame\b|\bidentical\b|\bas\s+`?\w+`?\s*$", re.IGNORECASE)
_SCALAR = re.compile(r"scalar|标量", re.IGNORECASE)
_ANYTHING = ("...", "*")
_UNKNOWN = ("-1", "?", "None")
"""An axis of any length that has no name: that of the same place in another input."""
_NAME = re.compile(r"[A-Za-z_]\w*")
_LAST, _FIRST, _BETWEEN, _OTHER = 512, 16, 4, 64
"""Sizes for dimensions that have names and no numbers: the last and first axes of the first input, its others, and
those that only other inputs have."""
_EVEN = ("16", "1024")
"""The axes of an input that may have any."""
_SHORTEST = 4
"""The shortest axis that a formula is tried with."""


@frozen
class Shapes:
    """The inputs' shapes as expressions over the names of dimensions; ``free`` are the names that may be any size.

    ``usual`` has a size for each name. ``main`` are the names of the first input's axes, "" for an expression.
    ``numbers`` are the names of axes that the specification gives a number. ``assumed``: nobody says a shape.
    """

    inputs: Mapping[str, tuple[str, ...]]
    main: tuple[str, ...]
    usual: Sizes
    free: frozenset[str]
    numbers: frozenset[str] = frozenset()
    assumed: bool = False

    def at(self, sizes: Sizes) -> dict[str, Shape] | None:
        """Every input's shape where the names stand for ``sizes``; None where one is no shape."""
        found: dict[str, Shape] = {}
        for name, axes in self.inputs.items():
            lengths = [evaluate(axis, dict(sizes)) for axis in axes]
            if any(length is None or length < 1 for length in lengths):
                return None
            found[name] = tuple(length for length in lengths if length is not None)
        return found

    def short(self) -> dict[str, Shape] | None:
        """Every input's shape with short axes, as long as each other only where the specification's are."""
        return self.at(self.short_sizes())

    def short_sizes(self) -> dict[str, int]:
        """What the names stand for then."""
        keys = {name: size if name in self.numbers else name for name, size in self.usual.items()}
        lengths = {key: length for length, key in enumerate(dict.fromkeys(keys.values()), _SHORTEST)}
        return {name: min(size, lengths[keys[name]]) for name, size in self.usual.items()}

    def of_row(self, row: Row) -> dict[str, Shape] | None:
        """Every input's shape in a row of test cases; None where the row has other axes than the specification."""
        first = next(iter(self.inputs))
        own = row.shapes[first]
        if len(own) != len(self.main):
            return None
        found = self.at({**self.usual, **{name: size for name, size in zip(self.main, own, strict=True) if name}})
        return None if found is None else {**found, **row.shapes}

    def odd(self) -> dict[str, int] | None:
        """Sizes with a last axis that fills no block, or with an odd number of rows; None where neither is free."""
        if self.main and self.main[-1] in self.free:
            last = self.usual[self.main[-1]]
            rows = {name: min(self.usual[name], 3) for name in self.main[:-1] if name in self.free}
            return {**self.usual, **rows, self.main[-1]: last - 3 if last > 8 else last + 1}
        rows = {name: min(self.usual[name], 7) for name in self.main[:-1][:1] if name in self.free}
        return {**self.usual, **rows} if rows else None

    def least(self) -> dict[str, int] | None:
        """Sizes of one element, or of one row; None where nothing is free."""
        free = [name for name in self.main if name in self.free]
        return {**self.usual, **dict.fromkeys(free, 1)} if free else None


def read_shapes(inputs: Sequence[SpecTensor], rows: Sequence[Row], text: str, *, told: bool) -> Shapes | str:
    """The shapes of ``inputs``, or in a word the input of which nobody says one. ``text`` is the whole description.

    A kernel that is ``told`` its shapes gets one of even sizes where nothing at all is said of any.
    """
    first = inputs[0]
    unsaid = all(tensor.shape is None for tensor in inputs)
    written = _main_axes(first, rows, text)
    assumed = written is None and unsaid and told
    if assumed:
        written = _EVEN
    if written is None:
        return first.name
    main = tuple(_axis_name(number, axis) for number, axis in enumerate(written))
    numbers = {name: int(axis) for name, axis in zip(main, written, strict=True) if axis.isdigit()}
    templates = {first.name: tuple(name or axis for name, axis in zip(main, written, strict=True))}
    for tensor in inputs[1:]:
        axes = _written_axes(tensor, rows)
        if axes is not None:
            places = enumerate(axes, len(main) - len(axes))
            templates[tensor.name] = tuple(_matched(axis, place, numbers, main) for place, axis in places)
        elif first.requirement == "dynamic" != tensor.requirement:
            # Beside lists of tensors stands a number for each of them, of which there is one.
            if not _SCALAR.search(f"{tensor.name} {tensor.description}"):
                return tensor.name
            templates[tensor.name] = ("1",)
        elif unsaid or _is_any(tensor.shape) or _SAME.search(tensor.description):
            templates[tensor.name] = templates[first.name]
        else:
            return tensor.name
    names = dict.fromkeys(name for axes in templates.values() for axis in axes for name in _NAME.findall(axis))
    usual = {name: _usual(name, main, numbers) for name in names}
    if rows and len(rows[0].shapes[first.name]) == len(main):
        usual.update({name: size for name, size in zip(main, rows[0].shapes[first.name], strict=True) if name})
    any_shape = (first.shape is None or _is_any(first.shape)) and _says_any(first, text)
    varied = {name for place, name in enumerate(main) if _varies(place, written, rows, first.name)}
    free = frozenset(name for name in names if any_shape or name not in numbers or name in varied)
    return Shapes(templates, main, usual, free, frozenset(numbers), assumed)


def _main_axes(first: SpecTensor, rows: Sequence[Row], text: str) -> tuple[str, ...] | None:
    """The first input's axes as written; those of the first row, or two, where any will do."""
    if first.shape and not _is_any(first.shape):
        return first.shape
    if first.shape == ():
        return ()
    if rows:
        return tuple(str(size) for size in rows[0].shapes[first.name])
    if _says_any(first, text):
        return _EVEN
    return None


def _written_axes(tensor: SpecTensor, rows: Sequence[Row]) -> tuple[str, ...] | None:
    """The axes that the specification or the first row gives an input."""
    if tensor.shape is not None and not _is_any(tensor.shape):
        return tensor.shape
    given = next((row.shapes[tensor.name] for row in rows if tensor.name in row.shapes), None)
    return None if given is None else tuple(map(str, given))


def _says_any(first: SpecTensor, text: str) -> bool:
    return _is_any(first.shape) or bool(_ANY.search(first.description) or re.search(r"任意形状|any shape", text, re.I))


def _is_any(shape: tuple[str, ...] | None) -> bool:
    return bool(shape) and any(axis in _ANYTHING for axis in shape or ())


def _axis_name(number: int, axis: str) -> str:
    if axis.isdigit() or axis in _UNKNOWN:
        return f"axis{number}"
    return axis if axis.isidentifier() else ""


def _matched(axis: str, place: int, numbers: Sizes, main: tuple[str, ...]) -> str:
    """An axis of another input: that of the first one which has its number, the one at its ``place`` before others."""
    if axis in _UNKNOWN:
        return main[place] if 0 <= place < len(main) and main[place] else f"axis{place}_"
    if not axis.isdigit():
        return axis
    order = (*(main[place : place + 1] if place >= 0 else ()), *main)
    return next((name for name in order if numbers.get(name) == int(axis)), axis)


def _usual(name: str, main: tuple[str, ...], numbers: Sizes) -> int:
    if name in numbers:
        return numbers[name]
    if name not in main:
        return _OTHER
    if name == main[-1]:
        return _LAST
    return _FIRST if name == main[0] else _BETWEEN


def _varies(place: int, written: tuple[str, ...], rows: Sequence[Row], first: str) -> bool:
    """Whether rows have other sizes at an axis than the specification, or than each other."""
    sizes = {row.shapes[first][place] for row in rows if len(row.shapes[first]) == len(written)}
    return len(sizes | ({int(written[place])} if written[place].isdigit() else set())) > 1
