r"""Formulas of elements as formulas of whole tensors: ``y_i = x_i - \max_j x_j`` is ``y = x - amax(x, dim=-1)``.

Mathematics writes elements and sums with indices; a tree has operations on whole tensors. One index a tensor means any
shape, two and more name the axes. A sum of products over the index that two tensors share is a matrix product.
"""

from __future__ import annotations

from attrs import define, field

from kernelgen_ls.kernel.formula.functions import FUNCTIONS
from kernelgen_ls.kernel.formula.notation.reader import WHOLE
from kernelgen_ls.kernel.formula.tree import Call, Expr, FormulaError, Name, Number, Text, names_in

_SUMMED = "*"
"""Stands for an axis that was summed and kept, one element long."""
_BOUND = ("index", "start", "end")


@define
class Wholes:
    """Turns the trees of one equation into trees without indices; ``target`` are the indices of its left side.

    ``sizes`` gets the names that bounds of sums gave to the number of elements, and what computes it.
    """

    target: tuple[str, ...]
    sizes: dict[str, Expr] = field(factory=dict)
    left: tuple[str, ...] = ()
    """The indices that the last tree has and ``target`` has not."""
    visited: dict[tuple[Expr, tuple[str, ...]], tuple[Expr, tuple[str, ...]]] = field(factory=dict)
    """What was found of a tree where indices stood: a sum is visited as a product first."""

    def of(self, expr: Expr) -> Expr:
        """The tree on whole tensors. Raises ``FormulaError`` where indices have no such meaning."""
        value, indices = self._visit(expr, self.target)
        target = self.target
        if not (_whole(indices) and _whole(target)):
            # `y[i] = x[i, :]` and `y[i, :] = x[i]` are about rows.
            indices, target = _without_wholes(indices), _without_wholes(target)
        summed = tuple(Number(at - len(indices)) for at, index in enumerate(indices) if index == _SUMMED)
        if summed:
            value = Call("squeeze", (value,), (("dim", Call("tuple", summed)),))
            indices = tuple(index for index in indices if index != _SUMMED)
        self.left = indices if not target else ()
        if target and indices and indices != target:
            value = _aligned(value, indices, target)
        return value

    def _visit(self, expr: Expr, context: tuple[str, ...]) -> tuple[Expr, tuple[str, ...]]:
        """The tree without indices, and which index each of its axes has; no index where it has any shape."""
        if not isinstance(expr, Call):
            return expr, ()
        found = self.visited.get((expr, context))
        if found is None:
            found = self.visited[expr, context] = self._call(expr, context)
        return found

    def _call(self, expr: Call, context: tuple[str, ...]) -> tuple[Expr, tuple[str, ...]]:
        if expr.op == "at":
            return self._element(expr)
        if expr.option("index") is not None and (expr.op in FUNCTIONS and FUNCTIONS[expr.op].reduces):
            return self._reduced(expr, context)
        if expr.op in FUNCTIONS and FUNCTIONS[expr.op].reduces and expr.option("dim") is None:
            body, found = self._visit(expr.args[0], context)
            if _whole(found):
                return _over_wholes(expr, body, found)
        visited = [self._visit(arg, context) for arg in expr.args]
        options = tuple((name, self._visit(value, context)[0]) for name, value in expr.options)
        indices = self._common([found for _, found in visited if found], context)
        args = tuple(_fitted(value, found, indices) for value, found in visited)
        return Call(expr.op, args, options), indices

    def _element(self, expr: Call) -> tuple[Expr, tuple[str, ...]]:
        base, *places = expr.args
        names: list[str] = []
        inner, outer = self._visit(base, ())
        for place in places:
            if isinstance(place, Call) and place.op == "at":
                row, found = self._visit(place, ())
                rest = [one.name for one in places[1:] if isinstance(one, Name)]
                if outer or names or len(rest) < len(places) - 1:
                    raise FormulaError(_first_name(base), "only rows are understood that an index of its own picks")
                return Call("take", (inner, row), (("dim", Number(0)),)), (*found, *rest)
            assert isinstance(place, Name)
            names.append(place.name)
        indices = (*outer, *names)
        if len(set(indices)) < len(indices):
            raise FormulaError("".join(indices), "a diagonal is not understood")
        return inner, indices

    def _common(self, found: list[tuple[str, ...]], context: tuple[str, ...]) -> tuple[str, ...]:
        """The indices of what combines tensors with these indices."""
        different = list(dict.fromkeys(found))
        if not different:
            return ()
        first = different[0]
        if all(not _clash(other, first) for other in different):
            return max(different, key=lambda one: sum(index != _SUMMED for index in one))
        letters = {index for one in different for index in one if index != _SUMMED}
        if any(_SUMMED in one for one in different) or not letters <= set(context):
            raise FormulaError("".join(first), "which axes these indices mean is not clear")
        return tuple(index for index in context if index in letters)

    def _reduced(self, expr: Call, context: tuple[str, ...]) -> tuple[Expr, tuple[str, ...]]:
        index = expr.option("index")
        assert isinstance(index, Text)
        rest = tuple((name, value) for name, value in expr.options if name not in _BOUND)
        if expr.op == "sum" and (product := self._product(expr.args[0], index.value, context)) is not None:
            return product
        body, indices = self._visit(expr.args[0], (*context, index.value))
        if index.value in names_in(body):
            raise FormulaError(index.value, "the index is used as a number: only elements of tensors are summed")
        if not indices and isinstance(expr.option("end"), Number):
            raise FormulaError(index.value, "nothing has the index that this goes over")
        self._count(expr, body, indices, index.value)
        if len(indices) > 1 and index.value in indices:
            place = indices.index(index.value)
            kept = (*indices[:place], _SUMMED, *indices[place + 1 :])
            options = (("dim", Number(place - len(indices))), ("keepdim", Number(True)), *rest)
            return Call(expr.op, (body,), options), kept
        if indices and indices != (index.value,):
            raise FormulaError(index.value, "nothing has the index that this goes over")
        return Call(expr.op, (body,), rest), ()

    def _count(self, expr: Call, body: Expr, indices: tuple[str, ...], index: str) -> None:
        """A sum from 1 to N says what N is."""
        end, start = expr.option("end"), expr.option("start")
        if isinstance(end, Call) and end.op == "sub" and end.args[1] == Number(1) and start == Number(0):
            end = end.args[0]
        elif start not in (Number(1), None):
            return
        if isinstance(end, Name):
            place = indices.index(index) - len(indices) if len(indices) > 1 and index in indices else None
            options = (("dim", Number(place)),) if place is not None else ()
            self.sizes.setdefault(end.name, Call("size", (body,), options))

    def _product(self, body: Expr, index: str, context: tuple[str, ...]) -> tuple[Expr, tuple[str, ...]] | None:
        """The matrix product that a sum of products is, times what does not have its index; None for another sum."""
        summed: list[tuple[Expr, tuple[str, ...]]] = []
        outside: list[Expr] = []
        for factor in _factors(body):
            if index not in _names(factor):
                outside.append(factor)
                continue
            value, indices = self._visit(factor, (*context, index))
            if index not in indices or _SUMMED in indices:
                return None
            summed.append((value, indices))
        if len(summed) != 2 or len(summed[0][1]) < 2:
            return None
        value, indices = _matmul(summed[0], summed[1], index)
        for factor in outside:
            other, found = self._visit(factor, context)
            common = self._common([one for one in (indices, found) if one], context)
            value = Call("mul", (_fitted(value, indices, common), _fitted(other, found, common)))
            indices = common
        return value, indices


def _whole(indices: tuple[str, ...]) -> bool:
    """Whether an index goes along all of an axis."""
    return any(index.startswith(WHOLE) for index in indices)


def _without_wholes(indices: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(index for index in indices if not index.startswith(WHOLE))


def _over_wholes(expr: Call, body: Expr, indices: tuple[str, ...]) -> tuple[Expr, tuple[str, ...]]:
    """A reduction of ``x[i, :]``: it goes over the axes that are there as a whole."""
    dims = tuple(Number(at - len(indices)) for at, index in enumerate(indices) if index.startswith(WHOLE))
    dim: Expr = dims[0] if len(dims) == 1 else Call("tuple", dims)
    options = (("dim", dim), ("keepdim", Number(True)), *expr.options)
    return Call(expr.op, (body,), options), tuple(_SUMMED if index.startswith(WHOLE) else index for index in indices)


def _matmul(
    first: tuple[Expr, tuple[str, ...]], second: tuple[Expr, tuple[str, ...]], index: str
) -> tuple[Expr, tuple[str, ...]]:
    left, rows = first
    right, columns = second
    if index not in rows[-2:] or (len(columns) > 1 and (rows[:-2] != columns[:-2] or index not in columns[-2:])):
        raise FormulaError(index, "a sum over this index is no matrix product")
    if rows[-1] != index:
        left, rows = _swapped(left, rows)
    if len(columns) == 1:
        return Call("matmul", (left, right)), rows[:-1]
    if columns[-2] != index:
        right, columns = _swapped(right, columns)
    return Call("matmul", (left, right)), (*rows[:-1], columns[-1])


def _factors(expr: Expr) -> list[Expr]:
    if isinstance(expr, Call) and expr.op in ("mul", "matmul"):
        return [factor for arg in expr.args for factor in _factors(arg)]
    return [expr]


def _names(expr: Expr) -> set[str]:
    """Every name and index in a tree."""
    return set(names_in(expr))


def _fitted(value: Expr, indices: tuple[str, ...], common: tuple[str, ...]) -> Expr:
    return _aligned(value, indices, common) if indices and _clash(indices, common) else value


def _swapped(value: Expr, indices: tuple[str, ...]) -> tuple[Expr, tuple[str, ...]]:
    return Call("transpose", (value,)), (*indices[:-2], indices[-1], indices[-2])


def _clash(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two tensors' axes differ: an axis that was summed and kept fits any."""
    if len(one) != len(other):
        return True
    return any(a != b and _SUMMED not in (a, b) for a, b in zip(one, other, strict=True))


def _aligned(value: Expr, indices: tuple[str, ...], target: tuple[str, ...]) -> Expr:
    """A tensor with these indices as one that broadcasts with ``target``."""
    if not set(indices) <= set(target):
        missing = next(index for index in indices if index not in target)
        raise FormulaError(missing, "this index is not on the left side")
    order = [index for index in target if index in indices]
    if len(order) == 2 and tuple(order) != indices:
        value = Call("transpose", (value,))
    elif tuple(order) != indices:
        raise FormulaError("".join(indices), "the order of these indices is not understood")
    last = target.index(order[-1])
    if order != list(target[last - len(order) + 1 : last + 1]):
        raise FormulaError("".join(indices), "the places of these indices are not understood")
    for _ in range(len(target) - 1 - last):
        value = Call("unsqueeze", (value, Number(-1)))
    return value


def _first_name(expr: Expr) -> str:
    if isinstance(expr, Name):
        return expr.name
    return next((_first_name(arg) for arg in expr.args), "") if isinstance(expr, Call) else ""
