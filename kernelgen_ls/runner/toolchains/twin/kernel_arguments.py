"""What each parameter of a kernel is given of a case: an input, an output, both, a list of tensors, nothing."""

from __future__ import annotations

import math

from attrs import evolve, frozen

from kernelgen_ls.kernel.opdef import Operand, OperatorDefinition
from kernelgen_ls.kernel.structure import Function
from kernelgen_ls.runner.execution.arguments import check_types
from kernelgen_ls.runner.execution.cases import Case, Tensor
from kernelgen_ls.runner.execution.ended import EndedError
from kernelgen_ls.runner.jobs.messages import Outcome
from kernelgen_ls.runner.toolchains.twin.host_request import operand_tensors

_WIDEST = 8
"""Bytes of the widest element: an output of an unknown shape has at most as many elements as the largest tensor."""

_SHAPES = 4096
"""Bytes for the shapes that a kernel leaves of outputs whose length only computing tells."""


@frozen
class Piece:
    """One tensor in global memory: what the kernel reads there, the number of the output it is, or both.

    ``cleared`` is one that has zeros where nothing is read.
    """

    tensor: Tensor
    input: Tensor | None = None
    output: int | None = None
    cleared: bool = False


@frozen
class Given:
    """What a parameter is given. ``listed``: the address of a list of the pieces; without pieces a null pointer.

    ``same`` names the parameter whose address it is given, ``spare`` are bytes that nobody looks at; where there is one
    of them nothing else counts.
    """

    name: str
    pieces: tuple[Piece, ...] = ()
    listed: bool = False
    tiling: bool = False
    workspace: bool = False
    same: str = ""
    spare: int = 0


def kernel_arguments(
    kernel: Function, operator: OperatorDefinition | None, case: Case, *, tiling: bool
) -> tuple[Given, ...]:
    """What ``kernel`` is launched with: inputs, then outputs, in the order of the operator's definition or the case's.

    An output that has the name of an input's parameter is written there. Raises :class:`EndedError`, a
    NOT_EXECUTED, where the parameters are others than the case has tensors, in number or type.
    """
    names = [parameter.name for parameter in kernel.parameters]
    special = {name for name in names if "workspace" in name.lower() or (tiling and "tiling" in name.lower())}
    plain = [name for name in names if name not in special]
    found = _of_operator(plain, operator, case) or _of_case(plain, case) or _in_place(plain, operator, case)
    if found is None:
        raise EndedError(
            Outcome.NOT_EXECUTED,
            f"not executed: {kernel.name} takes {_counted('argument', plain)}; {case.name} of the cases gives "
            f"{_counted('input', [one.name for one in case.inputs])} and "
            f"{_counted('output', [one.name for one in case.outputs])}: make the cases fit the parameters",
        )
    types = {one.name: one for one in kernel.parameters}
    check_types(case, ((types[one.name], piece.tensor) for one in found if not one.listed for piece in one.pieces))
    given = iter(found)
    return tuple(
        Given(name, tiling=True)
        if name in special and "tiling" in name.lower()
        else Given(name, workspace=True)
        if name in special
        else next(given)
        for name in names
    )


def _counted(what: str, names: list[str]) -> str:
    shown = ", ".join(filter(None, names))
    return f"{len(names)} {what}{'' if len(names) == 1 else 's'}" + (f" ({shown})" if shown else "")


def _of_case(names: list[str], case: Case) -> list[Given] | None:
    """A tensor a parameter; by their names where they have those of parameters, else in order."""
    own = {tensor.name for tensor in case.inputs}
    by_name = len(own) == len(case.inputs) and own <= set(names)
    read = [tensor.name for tensor in case.inputs] if by_name else names[: len(case.inputs)]
    fresh = [(number, tensor) for number, tensor in enumerate(case.outputs) if tensor.name not in read]
    if len(case.inputs) + len(fresh) != len(names):
        return None
    pieces = {name: Piece(tensor, tensor) for name, tensor in zip(read, case.inputs, strict=True)}
    if not fresh and not any(tensor.name for tensor in case.outputs):
        return None
    for number, tensor in enumerate(case.outputs):
        if tensor.name in read:
            pieces[tensor.name] = Piece(tensor, pieces[tensor.name].input, number)
    rest = [name for name in names if name not in read]
    if all(tensor.name in rest for _, tensor in fresh):
        pieces |= {tensor.name: Piece(tensor, None, number) for number, tensor in fresh}
    else:
        pieces |= {name: Piece(tensor, None, number) for name, (number, tensor) in zip(rest, fresh, strict=True)}
    return [Given(name, (pieces[name],)) for name in names]


def _in_place(names: list[str], operator: OperatorDefinition | None, case: Case) -> list[Given] | None:
    """For an operator without outputs: each golden output is what the first input of its type and size becomes."""
    if operator is None or operator.outputs or len(names) != len(operator.inputs):
        return None
    inputs = operand_tensors(operator.inputs, case.inputs)
    pieces = [Piece(tensor, tensor) for _, tensors in inputs for tensor in tensors]
    if len(pieces) != len(case.inputs):
        return None
    for number, tensor in enumerate(case.outputs):
        like = (i for i, one in enumerate(pieces) if one.output is None and _alike(one.tensor, tensor))
        place = next(like, None)
        if place is None:
            return None
        pieces[place] = Piece(pieces[place].tensor, pieces[place].input, number)
    left = iter(pieces)
    return [
        _given(name, operand, tuple(next(left) for _ in tensors))
        for name, (operand, tensors) in zip(names, inputs, strict=True)
    ]


def _alike(one: Tensor, other: Tensor) -> bool:
    return (one.dtype, one.size_bytes) == (other.dtype, other.size_bytes)


def _of_operator(names: list[str], operator: OperatorDefinition | None, case: Case) -> list[Given] | None:
    """An operand a parameter: lists for dynamic ones, nothing for optional ones that the case leaves out.

    An output that is called as an input is that input, changed in its place; one that the case has no golden values for
    is written all the same, and so are the shapes of outputs that only computing tells.
    """
    if operator is None or not operator.outputs:
        return None
    known = len(operator.inputs) + len(operator.outputs)
    shapes = names[known:]
    if len(names) < known or not all("shape" in name.lower() for name in shapes):
        return None
    inputs = operand_tensors(operator.inputs, case.inputs)
    outputs = operand_tensors(operator.outputs, case.outputs)
    if sum(len(taken) for _, taken in (*inputs, *outputs)) != len(case.inputs) + len(case.outputs):
        return None
    found = list[Given]()
    spare = max((math.prod(tensor.shape) * _WIDEST for tensor in (*case.inputs, *case.outputs)), default=0) + _WIDEST
    for name, (operand, tensors) in zip(names, inputs, strict=False):
        found.append(_given(name, operand, tuple(Piece(tensor, tensor) for tensor in tensors)))
    for name, (operand, tensors) in zip(names[len(inputs) : known], outputs, strict=True):
        pieces = tuple(Piece(tensor, None, case.outputs.index(tensor), operand.cleared) for tensor in tensors)
        place = next((i for i, (one, _) in enumerate(inputs) if one.name == operand.name), None)
        changed = None if place is None else _changed(found[place], pieces)
        if place is not None and changed is not None:
            found[place] = changed
            found.append(Given(name, same=changed.name))
        elif not pieces and operand.requirement == "REQUIRED":
            found.append(Given(name, spare=spare))
        else:
            found.append(_given(name, operand, pieces))
    return [*found, *(Given(name, spare=_SHAPES) for name in shapes)]


def _changed(given: Given, outputs: tuple[Piece, ...]) -> Given | None:
    """An input that the outputs are written to; None where they are not of its types and sizes."""
    pairs = list(zip(given.pieces, outputs, strict=False))
    if len(pairs) != max(len(given.pieces), len(outputs)) or not all(_alike(a.tensor, b.tensor) for a, b in pairs):
        return None
    return evolve(given, pieces=tuple(evolve(one, output=output.output) for one, output in pairs))


def _given(name: str, operand: Operand, pieces: tuple[Piece, ...]) -> Given:
    return Given(name, pieces, listed=operand.requirement == "DYNAMIC")
