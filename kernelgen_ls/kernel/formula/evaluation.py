"""What a formula gives: its outputs in float64, the golden that a kernel's own are compared with.

Nothing is rounded but where the formula casts. numpy is imported only when something is evaluated.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from kernelgen_ls.kernel.formula.tree import Assignment, Call, Expr, Formula, Name, Number, Text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.generic]

_LONGEST_LIST = 1000
_DEEPEST_LIST = 1
_MOST_ELEMENTS = 1 << 26
_MOST_AXES = 8
Scalar = float | int | bool | str | None


class NotEvaluatedError(Exception):
    """A formula that has no value for these inputs: shapes that do not fit, an input or attribute that is missing."""


def evaluate(
    formula: Formula, arrays: Mapping[str, Array], attributes: Mapping[str, Scalar] | None = None
) -> dict[str, NDArray[np.float64]]:
    """The outputs of a formula by name, in its order, as float64 arrays.

    ``arrays`` are its inputs of any element type, ``attributes`` its attributes' values. Raises ``NotEvaluatedError``.
    """
    import numpy as np

    values: dict[str, Any] = {name: _widened(array) for name, array in arrays.items()}
    values.update({name: _value(value, {}) for name, value in formula.defaults})
    values.update(attributes or {})
    values.update({f"dtype of {name}": array.dtype.name for name, array in arrays.items()})
    with np.errstate(all="ignore"):
        for assignment in formula.assignments:
            values[assignment.name] = _given(assignment, values)
        for one in formula.same:
            _agree(one.name, values.get(one.name), _given(one, values))
    return {name: np.asarray(_sound(values[name]), dtype=np.float64) for name in formula.outputs}


def _agree(name: str, one: Any, other: Any) -> None:
    """Raise where two sides of an equation are far apart: one of them is not what it was taken for.

    Forms that are equal in mathematics differ near the ends of the numbers, and an approximation differs a little.
    """
    import numpy as np

    if isinstance(one, NotEvaluatedError) or isinstance(other, NotEvaluatedError) or np.size(one) != np.size(other):
        return
    first, second = (np.ravel(np.asarray(side, np.float64)) for side in (one, other))
    sound = np.isfinite(first) & np.isfinite(second)
    apart = np.abs(first - second)[sound] > 0.05 * (1 + np.abs(first[sound]))
    if apart.any():
        raise NotEvaluatedError(f"the sides of the equation of `{name}` give different values")


def output_shapes(
    formula: Formula, shapes: Mapping[str, tuple[int, ...]], attributes: Mapping[str, Scalar] | None = None
) -> dict[str, tuple[int, ...]]:
    """The shapes of a formula's outputs for inputs of these shapes. Raises ``NotEvaluatedError``."""
    import numpy as np

    inputs = {name: np.zeros(shape) for name, shape in shapes.items()}
    return {name: array.shape for name, array in evaluate(formula, inputs, attributes).items()}


def _sound(value: Any) -> Any:
    if isinstance(value, NotEvaluatedError):
        raise value
    return value


def _widened(array: Array) -> Any:
    import numpy as np

    array = np.asarray(array)
    if array.dtype.kind == "c":
        raise NotEvaluatedError("complex numbers are not computed")
    return array if array.dtype.kind in "b" else array.astype(np.float64)


def _given(assignment: Assignment, values: Mapping[str, Any]) -> Any:
    """Its value, or why it has none: that matters only where it is read, a way that is not taken may have none."""
    try:
        return _value(assignment.value, values)
    except NotEvaluatedError as error:
        return error
    except (ValueError, IndexError, TypeError, OverflowError, MemoryError) as error:
        return NotEvaluatedError(f"{assignment.name}: {error}")


def _chosen(expr: Call, values: Mapping[str, Any]) -> Any:
    """The one way that a condition on attributes takes; the other is not computed."""
    condition, then, other = expr.args
    return _value(then if bool(_value(condition, values)) else other, values)


def _value(expr: Expr, values: Mapping[str, Any]) -> Any:
    from kernelgen_ls.kernel.formula.numeric import NUMERIC

    if isinstance(expr, Number):
        return expr.value
    if isinstance(expr, Text):
        return expr.value or None
    if isinstance(expr, Name):
        if expr.name not in values:
            raise NotEvaluatedError(f"`{expr.name}` has no value")
        return _sound(values[expr.name])
    assert isinstance(expr, Call)
    if expr.op == "choose":
        return _chosen(expr, values)
    if expr.op == "dtype":
        return values.get(f"dtype of {expr.args[0].name}") if isinstance(expr.args[0], Name) else None
    if expr.op == "is_none":
        return isinstance(expr.args[0], Name) and values.get(expr.args[0].name) is None
    args = [_value(arg, values) for arg in expr.args]
    options = {name: _value(value, values) for name, value in expr.options}
    return _bounded(NUMERIC[expr.op](*args, **options))


def _bounded(value: Any, depth: int = 0) -> Any:
    """The value; raises ``NotEvaluatedError`` for one that grows with each line that reads it: ``a = [a, a]``."""
    if isinstance(value, tuple):
        if len(value) > _LONGEST_LIST or depth > _DEEPEST_LIST:
            raise NotEvaluatedError("a list that is too long")
        for one in value:
            _bounded(one, depth + 1)
    elif getattr(value, "size", 0) > _MOST_ELEMENTS or getattr(value, "ndim", 0) > _MOST_AXES:
        raise NotEvaluatedError("a tensor that is too large")
    return value
