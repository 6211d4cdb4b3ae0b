"""Calls of functions with what they are given, in any notation."""

from __future__ import annotations

from kernelgen_ls.kernel.dtypes import find_dtype
from kernelgen_ls.kernel.formula.functions import Function, find_function
from kernelgen_ls.kernel.formula.tree import Call, Expr, FormulaError, Name, Text

_NORMS = {"layer_norm": ("weight", "bias", "eps"), "rms_norm": ("weight", "eps")}
"""What stands behind the operand where nobody says over which shape: mathematics has no ``normalized_shape``."""


def _is_weight(operand: Expr) -> bool:
    return isinstance(operand, Name) and "shape" not in operand.name


def reduction(name: str) -> str:
    """The function that goes along an axis: ``max`` is one of two tensors and one of a row."""
    function = find_function(name)
    plain = function.name if function is not None else name
    return {"maximum": "amax", "minimum": "amin", "max": "amax", "min": "amin"}.get(plain.lower(), plain)


def called(function: Function, operands: list[Expr], options: dict[str, Expr], where: tuple[str, int]) -> Call:
    """A call with its operands in front and what else was given by name.

    ``where`` is the word and where it stands. Raises ``FormulaError`` for too few or too many operands and for a
    parameter that the function does not have.
    """
    if function.many:
        if function.parameters and not operands:
            raise FormulaError(where[0], f"`{function.parameters[0]}` is not given", where[1])
        return _of_many(function, operands, options)
    norm = _NORMS.get(function.name)
    if norm is not None and len(operands) > 1 and _is_weight(operands[1]):
        options = {**dict(zip(norm, operands[1:], strict=False)), **options}
        operands = operands[:1]
    if len(operands) > function.positional:
        raise FormulaError(where[0], f"it takes at most {function.positional} operands", where[1])
    given = dict(zip(function.parameters, operands, strict=False))
    for name, value in options.items():
        if name not in function.parameters or name in given:
            raise FormulaError(where[0], f"it has no parameter `{name}`", where[1])
        given[name] = value
    required = function.parameters[: function.operands]
    missing = [name for name in required if name not in given]
    if missing:
        raise FormulaError(where[0], f"`{missing[0]}` is not given", where[1])
    rest = {name: _as_type(name, value) for name, value in given.items() if name not in required}
    args = tuple(_as_type(name, given[name]) for name in required)
    return Call(function.name, args, tuple(rest.items()))


def _as_type(name: str, value: Expr) -> Expr:
    if name == "dtype" and isinstance(value, Name) and find_dtype(value.name) is not None:
        return Text(value.name)
    return value


def _of_many(function: Function, operands: list[Expr], options: dict[str, Expr]) -> Call:
    if function.name in ("maximum", "minimum"):
        if len(operands) == 2 and "keepdim" in options:
            # Only a reduction keeps an axis: the second operand is that axis.
            options, operands = {"dim": operands[1], **options}, operands[:1]
        if len(operands) == 1 or "dim" in options:
            return Call(reduction(function.name), tuple(operands[:1]), tuple(options.items()))
        value = operands[0]
        for other in operands[1:]:
            value = Call(function.name, (value, other))
        assert isinstance(value, Call)
        return value
    if operands and isinstance(operands[0], Call) and operands[0].op == "tuple":
        if len(operands) > 1:
            options = {"dim": operands[1], **options}
        operands = list(operands[0].args)
    return Call(function.name, tuple(operands), tuple(options.items()))
