"""A case's tiling as the operator's own op_host computes it, asked in a process of its own."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cattrs
from attrs import evolve, frozen

from kernelgen_ls.kernel.opdef import Attribute, Operand, OperatorDefinition
from kernelgen_ls.kernel.structure import Function
from kernelgen_ls.runner.execution import sandbox
from kernelgen_ls.runner.execution.cases import Case, Tensor
from kernelgen_ls.runner.execution.ended import EndedError
from kernelgen_ls.runner.execution.sandbox import job_folder
from kernelgen_ls.runner.jobs.config import RunnerConfig
from kernelgen_ls.runner.jobs.messages import Outcome
from kernelgen_ls.runner.toolchains import Cancelled
from kernelgen_ls.runner.toolchains.cann.install import Install, build_python, python_path
from kernelgen_ls.runner.toolchains.cann.msopgen import attribute_type
from kernelgen_ls.runner.toolchains.cann.package import Package, tiling_libraries

_PROGRAM = Path(__file__).with_name("ask_op_tiling.py")
_MAX_TILING = 1024 * 1024
_MAX_WORKSPACE = 4 * 1024**3
_MIN_WORKSPACE = 32
"""What stands in the workspace's place where op_host wants none: the argument has to be there."""
_NO_PYTHON = 3


@frozen
class _Answer:
    """What ``ask_op_tiling.py`` writes: the tiling's bytes as hexadecimal digits, and how the kernel is launched."""

    tiling: str
    block_dim: int
    tiling_key: int
    workspaces: tuple[int, ...]

    @property
    def is_sound(self) -> bool:
        """Whether a kernel could be launched with it."""
        return (
            re.fullmatch(r"(?:[0-9a-f]{2})*", self.tiling) is not None
            and len(self.tiling) <= 2 * _MAX_TILING
            and 1 <= self.block_dim <= 65535
            and 0 <= self.tiling_key < 2**64
            and all(size >= 0 for size in self.workspaces)
            and sum(self.workspaces) <= _MAX_WORKSPACE
        )


class HostTiling:
    """Asks a built package's tiling functions."""

    def __init__(self, install: Install, config: RunnerConfig) -> None:
        self._install = install
        self._config = config

    def of(
        self,
        cases: tuple[Case, ...],
        operator: OperatorDefinition,
        kernel: Function,
        package: Package,
        soc: str,
        stop: Cancelled,
    ) -> tuple[Case, ...]:
        """The cases with the tiling, the blocks, the workspace and the tiling key that op_host gives them.

        What the cases file gave stays. Raises :class:`EndedError`.
        """
        lacking = [case for case in cases if case.tiling is None]
        answers = iter(self._ask([_request(operator, case) for case in lacking], operator, package, soc, stop))
        return tuple(case if case.tiling is not None else _told(case, kernel, next(answers)) for case in cases)

    def _ask(
        self, requests: list[dict[str, Any]], operator: OperatorDefinition, package: Package, soc: str, stop: Cancelled
    ) -> tuple[_Answer, ...]:
        home, environment = self._install.home, self._install.environment()
        with job_folder() as apart:
            # A copy: what is kept lies where the user that jobs run as cannot reach, and shall stay what it is.
            shutil.copytree(package.vendor, apart / "vendor", symlinks=True)
            libraries = tiling_libraries(apart / "vendor")
            request = {"operator": operator.name, "soc": soc, "libraries": list(map(str, libraries)), "cases": requests}
            (apart / "request.json").write_text(json.dumps(request))
            folders = sorted({str(path.parent) for path in libraries})
            environment["LD_LIBRARY_PATH"] = ":".join([environment["LD_LIBRARY_PATH"], *folders])
            python = build_python()
            done = sandbox.run(
                [python, str(_PROGRAM), "request.json", "tiling.json"],
                apart,
                seconds=self._config.budgets.verify,
                config=self._config.sandbox,
                cancelled=stop,
                env={**environment, **python_path(self._install), "ASCEND_CUSTOM_OPP_PATH": str(apart / "vendor")},
                readable=[home, home.resolve(), _PROGRAM, Path(python).resolve().parent.parent],
            )
            last = (done.output.strip().splitlines() or [f"{done.ended} {done.code}"])[-1][:300]
            if done.ended == "cancelled":
                raise EndedError(Outcome.CANCELLED, "cancelled")
            if done.ended == "timeout":
                raise EndedError(Outcome.RUNTIME_ERROR, "the tiling function of op_host did not end")
            if done.ended == "refused" or (done.ended == "exit" and done.code == _NO_PYTHON):
                raise EndedError(Outcome.INFRA_ERROR, last)
            if not done.ok:
                raise EndedError(Outcome.RUNTIME_ERROR, f"op_host computed no tiling: {last}")
            return _sound(apart / "tiling.json", len(requests))


def _request(operator: OperatorDefinition, case: Case) -> dict[str, Any]:
    """One case as ``ask_op_tiling.py`` takes it."""
    return {
        "name": case.name,
        "inputs": _described(operator.inputs, case.inputs),
        "outputs": _described(operator.outputs, case.outputs),
        "attributes": [_attribute(one, case.attributes or {}) for one in operator.attributes],
    }


def _told(case: Case, kernel: Function, answer: _Answer) -> Case:
    workspace = max(sum(answer.workspaces), _MIN_WORKSPACE) if _takes_workspace(kernel) else 0
    return evolve(
        case,
        tiling={"hex": answer.tiling},
        block_dim=answer.block_dim,
        tiling_key=answer.tiling_key if case.tiling_key is None else case.tiling_key,
        workspace=case.workspace or workspace,
    )


def _sound(file: Path, count: int) -> tuple[_Answer, ...]:
    """The tiling process's answers, which the user's own code may have written."""
    try:
        given = () if file.is_symlink() else cattrs.structure(json.loads(file.read_text()), tuple[_Answer, ...])
    except Exception as problem:
        # JSON's, cattrs' and the file system's errors alike mean that no answer was written.
        raise EndedError(Outcome.RUNTIME_ERROR, "op_host computed no tiling") from problem
    if len(given) != count or not all(answer.is_sound for answer in given):
        raise EndedError(Outcome.RUNTIME_ERROR, "op_host computed no sound tiling")
    return given


def _takes_workspace(kernel: Function) -> bool:
    return any("workspace" in parameter.name.lower() for parameter in kernel.parameters)


def _described(operands: tuple[Operand, ...], tensors: tuple[Tensor, ...]) -> list[dict[str, Any] | None]:
    """The tensors as op_tiling takes them; an optional operand that the case does not give is None."""
    described: list[dict[str, Any] | None] = []
    spare = len(operands) - len(tensors)
    left = list(tensors)
    for operand in operands:
        if spare > 0 and operand.requirement != "REQUIRED":
            spare -= 1
            described.append(None)
        elif left:
            tensor = left.pop(0)
            shape, layout = list(tensor.shape), _layout(operand)
            described.append(
                {
                    "name": operand.name,
                    "shape": shape,
                    "ori_shape": shape,
                    "format": layout,
                    "ori_format": layout,
                    "dtype": tensor.dtype,
                }
            )
    return described


def _layout(operand: Operand) -> str:
    first = operand.formats[0] if operand.formats else "ND"
    return first.removeprefix("ge::").removeprefix("FORMAT_")


def _attribute(attribute: Attribute, given: Mapping[str, Any]) -> dict[str, Any]:
    value = given.get(attribute.name, attribute.value)
    return {"name": attribute.name, "dtype": attribute_type(attribute.type), "value": value}
