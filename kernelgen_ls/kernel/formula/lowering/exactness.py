"""Whether the whole numbers that a kernel computes in float stay exact there: beyond 2^24 a float skips some.

What is computed of integer inputs alone is followed with its least and greatest value. Where it is stored as float,
the last bits that a float lacks are no error; where two such numbers are subtracted or compared, or the result is an
int32_t, they are.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from attrs import define, field

from kernelgen_ls.kernel.formula.lowering.graph import ENDS, WHOLE_FLOAT, Node, NotLoweredError, Scalar, Value

_COMPARED = frozenset({"lt", "le", "gt", "ge", "eq", "ne"})
_ALIKE = frozenset({"same", "max", "min", "floor", "ceil", "trunc", "rint"})
"""Operations whose result is between the ends of what they read."""
_ARITHMETIC = frozenset({"add", "sub", "mul", "maximum", "minimum", "abs", "relu", "select", "sum", *_ALIKE})
"""What gives integers of integers."""
_LONGEST_ROW = 1 << 16
"""More elements of a row, which is summed as a whole, no unified buffer holds."""
_Ends = tuple[float, float]
_ALL: _Ends = (-math.inf, math.inf)


def check_exact(nodes: Sequence[Node], kinds: Mapping[str, str], stored: Iterable[Node]) -> None:
    """Raises ``NotLoweredError`` where whole numbers are computed in float that may be wrong there.

    ``kinds`` are the inputs' by name, ``stored`` are the values that become int32_t.
    """
    ranges = _Ranges(kinds)
    for node in nodes:
        ranges.add(node)
    if any(node.number in ranges.inexact for node in stored):
        raise NotLoweredError("whole numbers beyond 2^24 that are computed in float, where they are not exact")


@define
class _Ranges:
    """The ends of values by their numbers; ``integers`` are those of integer inputs, ``inexact`` what they blur."""

    kinds: Mapping[str, str]
    ends: dict[int, _Ends] = field(factory=dict)
    integers: set[int] = field(factory=set)
    inexact: set[int] = field(factory=set)

    def add(self, node: Node) -> None:
        """Follow one value, behind those that it is computed from."""
        args = node.args[1:] if node.op == "select" else node.args
        ends = self.ends[node.number] = self._ends_of(node, [self._ends(arg) for arg in args])
        kind = self.kinds[node.access.tensor] if node.access is not None else ""
        is_truth = node.is_truth or node.op == "number"
        if kind in ENDS or is_truth or self._is_integral(node, args):
            self.integers.add(node.number)
        blurred = any(isinstance(arg, Node) and arg.number in self.inexact for arg in args)
        if (blurred or node.number in self.integers) and not is_truth and _is_beyond(ends):
            self.inexact.add(node.number)
        if node.op in ("add", "sub") and all(map(self._is_large, args)):
            raise NotLoweredError("a difference of whole numbers beyond 2^24, which are not exact in float")
        if node.op in _COMPARED and all(map(self._is_large, args)):
            raise NotLoweredError("a comparison of whole numbers beyond 2^24, which are not exact in float")

    def _is_large(self, value: Value) -> bool:
        """Whether a value may be a whole number that a float misses."""
        if isinstance(value, Scalar):
            return value.number is not None and abs(value.number) >= WHOLE_FLOAT // 2
        return value.number in self.integers and value.number in self.inexact

    def _is_integral(self, node: Node, args: Sequence[Value]) -> bool:
        first = args[0] if args else None
        if node.op in _ALIKE and isinstance(first, Node) and first.op == "div":
            args = first.args  # a quotient that is rounded
        return node.op in _ARITHMETIC and all(map(self._is_integer, args))

    def _is_integer(self, value: Value) -> bool:
        if isinstance(value, Node):
            return value.number in self.integers
        return value.number is not None and float(value.number).is_integer()

    def _ends(self, value: Value) -> _Ends:
        if isinstance(value, Node):
            return self.ends[value.number]
        return _ALL if value.number is None else (value.number, value.number)

    def _ends_of(self, node: Node, args: Sequence[_Ends]) -> _Ends:
        if node.op == "input" and node.access is not None:
            return ENDS.get(self.kinds[node.access.tensor], _ALL)
        if node.is_truth or node.op in ("number", "sign"):
            return (-1, 1)
        if node.op == "through":
            low, high = ENDS.get(node.detail, _ALL)
            return max(low, args[0][0]), min(high, args[0][1])
        if node.op == "div":
            return self._quotient(*args)
        return _combined(node.op, args)

    def _quotient(self, above: _Ends, below: _Ends) -> _Ends:
        least = below[0] if below[0] > 0 else -below[1] if below[1] < 0 else 0
        if not least or not all(map(math.isfinite, above)):
            return _ALL
        most = max(map(abs, above)) / least
        return -most, most


def _combined(op: str, args: Sequence[_Ends]) -> _Ends:
    if op in ("maximum", "minimum"):
        choose = max if op == "maximum" else min
        return choose(one[0] for one in args), choose(one[1] for one in args)
    if op == "select":
        return min(one[0] for one in args), max(one[1] for one in args)
    if op in _ALIKE:
        return args[0]
    if not all(math.isfinite(end) for one in args for end in one):
        return _ALL
    if op in ("add", "sub", "mul"):
        (low, high), (other_low, other_high) = args
        if op == "mul":
            products = [one * other for one in (low, high) for other in (other_low, other_high)]
            return min(products), max(products)
        return (low + other_low, high + other_high) if op == "add" else (low - other_high, high - other_low)
    if op in ("abs", "relu"):
        return 0, max(abs(args[0][0]), abs(args[0][1]))
    if op == "sum":
        return args[0][0] * _LONGEST_ROW, args[0][1] * _LONGEST_ROW
    return _ALL


def _is_beyond(ends: _Ends) -> bool:
    return ends[0] < -WHOLE_FLOAT or ends[1] > WHOLE_FLOAT
