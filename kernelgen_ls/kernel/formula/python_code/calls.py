"""Calls of torch's and numpy's functions and methods."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from kernelgen_ls.kernel.dtypes import TORCH_METHODS, find_dtype
from kernelgen_ls.kernel.formula.calls import called
from kernelgen_ls.kernel.formula.functions import Function, find_function
from kernelgen_ls.kernel.formula.python_code.scope import Scope
from kernelgen_ls.kernel.formula.tree import Call, Expr, FormulaError, Name, Number, Text

_SAME = frozenset(
    (
        "contiguous",
        "clone",
        "detach",
        "cpu",
        "npu",
        "cuda",
        "numpy",
        "item",
        "requires_grad_",
        "double",
        "tensor",
        "scalar_tensor",
        "asarray",
        "array",
    )
)
"""What gives the same values."""
_LISTED = frozenset(("reshape", "permute", "expand", "repeat", "flip", "squeeze"))
"""What takes its sizes as a list or as so many operands."""


def converted(value: Expr, given: Sequence[Expr]) -> Expr:
    """A value whose element type is changed to the first of ``given`` that is one."""
    for one in given:
        if isinstance(one, Text) and find_dtype(one.value) is not None:
            return Call("cast", (value, one))
        if isinstance(one, Call) and one.op == "dtype":
            return value
        if isinstance(one, Call) or (isinstance(one, Name) and one.name not in ("dtype", "device")):
            return Call("cast", (value, one))
    return value


def function_called(scope: Scope, node: ast.Call, path: str, operands: list[Expr], named: dict[str, Expr]) -> Expr:
    """A call of what ``path`` names; raises ``FormulaError`` where nothing is known of that name."""
    last = path.rsplit(".", 1)[-1].removeprefix("_foreach_")
    if (last in _SAME or path in ("list", "tuple")) and operands:
        return operands[0]
    if path == "range":
        last = "arange"
    if path in ("float", "int", "bool") and len(operands) == 1:
        return (
            operands[0]
            if path == "float"
            else Call("cast", (operands[0], Text(TORCH_METHODS["long" if path == "int" else path].name)))
        )
    if last in ("max", "min") and (len(operands) == 1 or "." in path or "dim" in named):
        return _extreme(last, operands, named)
    function = find_function(last)
    if function is not None and "dtype" in named and "dtype" not in function.parameters:
        # The type of what is made; its values are exact in any.
        del named["dtype"]
    if function is None or (last.endswith("_") and not last.startswith("_")):
        raise scope.fail(node, path, "no function of this name is known")
    if last in ("var", "std") and path.split(".")[0] in ("np", "numpy", "jnp"):
        named.setdefault("correction", Number(0))
    if path.startswith("jax.") and last == "gelu":
        # There it is a truth value, and true where it is left out.
        exact = named.get("approximate") == Number(False)
        named["approximate"] = Text("none" if exact else "tanh")
    if function.name in _LISTED and len(operands) > 2:
        operands = [operands[0], Call("tuple", tuple(operands[1:]))]
    return _checked(scope, node, function, operands, named, path)


def _checked(
    scope: Scope, node: ast.Call, function: Function, operands: list[Expr], named: dict[str, Expr], path: str
) -> Expr:
    try:
        return called(function, operands, named, (path, 0))
    except FormulaError as error:
        raise scope.fail(node, path, error.found.reason) from error


def _extreme(name: str, operands: list[Expr], named: dict[str, Expr]) -> Expr:
    """``max`` and ``min``: along an axis, of all elements, or of two tensors."""
    op = "amax" if name == "max" else "amin"
    if len(operands) > 1 and not (isinstance(operands[1], Number) and isinstance(operands[1].value, int)):
        return Call("maximum" if name == "max" else "minimum", tuple(operands[:2]))
    options = dict(zip(("dim", "keepdim"), operands[1:], strict=False)) | named
    return Call(op, tuple(operands[:1]), tuple(options.items()))
