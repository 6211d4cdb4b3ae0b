"""What a kernel is launched with: whether the case gives all of its arguments, and its tiling as bytes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from attrs import evolve

from kernelgen_ls.kernel.dtypes import INT32, INT64, Dtype, find_dtype
from kernelgen_ls.kernel.host import HostContext, read_host
from kernelgen_ls.kernel.opdef import OperatorDefinition
from kernelgen_ls.kernel.roles import says_host
from kernelgen_ls.kernel.structure import Function, Parameter
from kernelgen_ls.runner.execution.cases import Case, CasesError, Tensor
from kernelgen_ls.runner.execution.ended import EndedError
from kernelgen_ls.runner.execution.operands import as_operands
from kernelgen_ls.runner.execution.tiling_bytes import TilingError, pack_tiling
from kernelgen_ls.runner.jobs.messages import Outcome, SourceFile

_MAKE_FIT = "make the cases fit the parameters"
_BYTE = 8


def operator_without_tiling(
    files: tuple[SourceFile, ...], kernel: Function, cases: tuple[Case, ...]
) -> OperatorDefinition | None:
    """The operator whose op_host has to compute a tiling: the kernel wants one and some case gives none."""
    wants = any("tiling" in parameter.name.lower() for parameter in kernel.parameters)
    if not wants or all(case.tiling is not None for case in cases):
        return None
    return _host(files).operator_for(kernel.name)


def in_parameters_order(kernel: Function, cases: tuple[Case, ...]) -> tuple[Case, ...]:
    """The cases with their inputs, and their outputs, in the kernel's order where all have the names of parameters."""
    places = {parameter.name: place for place, parameter in enumerate(kernel.parameters)}

    def ordered(tensors: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        if not {tensor.name for tensor in tensors} <= places.keys():
            return tensors
        return tuple(sorted(tensors, key=lambda tensor: places[tensor.name]))

    return tuple(
        evolve(
            case,
            inputs=ordered(case.inputs),
            outputs=ordered(case.outputs),
            others=tuple(evolve(one, outputs=ordered(one.outputs)) for one in case.others),
        )
        for case in cases
    )


def as_defined(
    files: tuple[SourceFile, ...], kernel: Function, cases: tuple[Case, ...], folder: Path
) -> tuple[Case, ...]:
    """The cases as the operator's definition has its operands and attributes.

    A reference takes integers and lists of them (a number of elements, a shape, axes) beside its attributes; where the
    operator declares such as an input they are tensors, in files of ``folder``.
    """
    if not any(case.attributes or any(tensor.name for tensor in case.inputs) for case in cases):
        return cases
    operator = _host(files).operator_for(kernel.name)
    if operator is None:
        return cases
    return tuple(as_operands(_with_listed_inputs(operator, case, folder), operator) for case in cases)


def _with_listed_inputs(operator: OperatorDefinition, case: Case, folder: Path) -> Case:
    inputs, attributes = list(case.inputs), dict(case.attributes or {})
    for place, operand in enumerate(operator.inputs):
        # A kernel's call has the operands first: what has no name there is known by its place.
        name = operand.name if operand.name in attributes else f"argument {place}"
        values = attributes.get(name)
        values = [values] if type(values) is int else values
        dtype = next((find_dtype(name) for name in operand.dtypes if name in (INT32.graph, INT64.graph)), None)
        if dtype is None or not isinstance(values, list) or not all(type(value) is int for value in values):
            continue
        if any(one.name == operand.name for one in operator.attributes):
            continue
        file = folder / f"listed-{len(list(folder.iterdir()))}.bin"
        size, bits = dtype.bits // 8, 2**dtype.bits
        file.write_bytes(b"".join((value % bits).to_bytes(size, "little") for value in values))
        inputs.insert(place, Tensor(dtype.name, (len(values),), str(file), operand.name))
        del attributes[name]
    return evolve(case, inputs=tuple(inputs), attributes=attributes or None)


def output_names(kernel: Function, case: Case) -> tuple[str, ...]:
    """The parameter that each output of a case is in; "" where the parameters are not one for each tensor."""
    other = ("workspace", "tiling")
    names = [one.name for one in kernel.parameters if not any(word in one.name.lower() for word in other)]
    fresh = iter(names[len(case.inputs) :] if len(names) == len(case.inputs) + len(case.outputs) else ())
    return tuple(tensor.name or next(fresh, "") for tensor in case.outputs)


def tiling_data(files: tuple[SourceFile, ...], kernel: Function, case: Case) -> bytes | None:
    """The case's tiling as the kernel reads it, None where it gives none; raises :class:`CasesError`."""
    if case.tiling is None:
        return None
    if isinstance(case.tiling.get("hex"), str):
        return bytes.fromhex(case.tiling["hex"])
    host = _host(files)
    operator = host.operator_for(kernel.name)
    kind = host.tiling_struct(operator.name if operator else "", case.tiling_key)
    if kind is None:
        raise CasesError("op_host declares no tiling struct for this kernel: give the tiling as bytes")
    try:
        return pack_tiling(kind, case.tiling.get("fields") or {}, {struct.name: struct for struct in host.structs})
    except TilingError as problem:
        raise CasesError(f"tiling of {case.name}: {problem}") from problem


def check_arguments(kernel: Function, case: Case, *, tiling: bool) -> None:
    """Hold the kernel's parameters against what the case gives: a wrong number would read other arguments' memory.

    Raises :class:`EndedError`, a NOT_EXECUTED: nothing was run.
    """
    given = len(case.inputs) + len(case.outputs) + bool(case.workspace) + tiling
    names = [parameter.name for parameter in kernel.parameters]
    if given != len(names):
        spare = [name for name in names if name in ("workspace", "usrWorkspace", "userWorkspace", "tiling")]
        what = f"give {' and '.join(spare)} in the cases file" if spare and given < len(names) else _MAKE_FIT
        raise EndedError(
            Outcome.NOT_EXECUTED,
            f"not executed: {kernel.name} takes {len(names)} arguments ({', '.join(names)}); "
            f"{case.name} gives {given}: {what}",
        )
    check_types(case, zip(kernel.parameters, (*case.inputs, *case.outputs), strict=False))


def check_types(case: Case, pairs: Iterable[tuple[Parameter, Tensor]]) -> None:
    """Hold the element types that parameters are declared with against those of the tensors that they are given.

    Bytes and integers of the same size may stand for anything. Raises :class:`EndedError`, a NOT_EXECUTED.
    """
    for parameter, tensor in pairs:
        declared, given = _element_type(parameter.type), find_dtype(tensor.dtype)
        if declared is None or given is None or declared == given or declared.bits == _BYTE:
            continue
        if declared.kind == "f" or declared.bits != given.bits or "*" not in parameter.type:
            if declared.kind in "iu" and given.kind in "iu" and declared.bits == given.bits:
                continue  # only the sign differs
            raise EndedError(
                Outcome.NOT_EXECUTED,
                f"not executed: {parameter.name} is declared {parameter.type.strip()}, {case.name} of the cases gives "
                f"it {tensor.dtype}: {_MAKE_FIT}",
            )


def _element_type(written: str) -> Dtype | None:
    """The element type that a parameter's type names; None where it is an address of anything (``GM_ADDR``)."""
    word = re.sub(r"\b(?:const|volatile|__\w+__|AscendC::)|[*&\s]", "", written)
    return find_dtype(word)


def _host(files: tuple[SourceFile, ...]) -> HostContext:
    return read_host({f.path: f.text or "" for f in files if says_host(f.path, f.text or "")})
