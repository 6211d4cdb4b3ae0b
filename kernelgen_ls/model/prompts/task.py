"""What a generation is about, before any profile words it: the operator, its cases, the chip, the files' templates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import frozen

from kernelgen_ls.kernel.chips import Chip
from kernelgen_ls.kernel.findings import Finding
from kernelgen_ls.settings import GenerationMode


@frozen
class GeneratedFile:
    """One file the model wrote, or is shown. ``path`` is POSIX and relative to the operator's folder."""

    path: str
    text: str


@frozen
class TaskTensor:
    """An input or output: ``dtype`` as PyTorch spells it (``float16``); ``shape`` empty where it is not fixed.

    ``dtypes`` are all that it may have. ``vector`` marks a weight of one axis (gamma, beta, indices) beside inputs of
    more axes.
    """

    name: str
    dtype: str = ""
    shape: tuple[int, ...] = ()
    vector: bool = False
    dtypes: tuple[str, ...] = ()


@frozen
class GenerationTask:
    """One operator to write. ``kernel`` is its snake-case name: that of the file and of the entry function.

    ``mode`` is never ``auto`` here. ``kernel_template`` is the kernel file to start from, with its entry function as
    the project has it; ``host_template`` and ``tiling_template`` are wanted for ``full`` alone.
    """

    operator: str
    kernel: str
    mode: GenerationMode
    api_desc: str
    cases: str
    chip: Chip
    kernel_template: str
    host_template: str = ""
    tiling_template: str = ""
    formula: str = ""
    inputs: tuple[TaskTensor, ...] = ()
    outputs: tuple[TaskTensor, ...] = ()
    attributes: tuple[tuple[str, str], ...] = ()
    kernel_file: str = ""
    """Path of the kernel's file where it is not ``op_kernel/<kernel>.cpp``."""

    @property
    def kernel_path(self) -> str:
        """Where the kernel goes."""
        return self.kernel_file or self.usual_kernel_path

    @property
    def usual_kernel_path(self) -> str:
        """Where msopgen would have put it, which is what the prompts ask for."""
        return f"op_kernel/{self.kernel}.cpp"

    @property
    def host_paths(self) -> tuple[str, ...]:
        """The files that ``full`` asks for beside the kernel."""
        if self.mode is not GenerationMode.FULL:
            return ()
        return (f"op_host/{self.kernel}_tiling.h", f"op_host/{self.kernel}.cpp")


@frozen
class RepairTask:
    """Files with errors, and what is known about them.

    ``findings`` are errors in the order of the files, the first ones first; ``signatures`` the declarations of the
    APIs that the erroneous lines use; ``kernel_path`` the file that a ``<kernel_impl>`` block means. ``mismatches``
    are lines on a run with wrong outputs, of a kernel that compiles, and ``formula`` what it should have computed,
    where that is known.
    """

    kernel_path: str
    files: tuple[GeneratedFile, ...]
    findings: tuple[Finding, ...]
    signatures: tuple[str, ...] = ()
    mismatches: tuple[str, ...] = ()
    formula: str = ""


def hardware_ini(chip: Chip) -> str:
    """The ``hardware.txt`` of a chip: an ini of three sections, sizes in bytes."""
    return "\n".join(
        (
            "[version]",
            f"SoC_version={chip.soc}",
            f"Short_SoC_version=Ascend{chip.config_name.removeprefix('ascend').upper()}",
            "[SoCInfo]",
            f"ai_core_cnt={chip.cube_cores}",
            f"cube_core_cnt={chip.cube_cores}",
            f"vector_core_cnt={chip.vector_cores}",
            "[AICoreSpec]",
            f"ub_size={chip.ub_bytes}",
        )
    )


def case_series(case: Mapping[str, str]) -> str:
    """One test case, laid out like a printed pandas Series."""
    names, values = list(case), [str(value) for value in case.values()]
    left, right = max(map(len, names), default=0), max(map(len, values), default=0)
    lines = [f"{name:<{left}}    {value:>{right}}" for name, value in zip(names, values, strict=True)]
    return "\n".join([*lines, "Name: 0, dtype: object"])


def case_table(names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Several test cases, laid out like a printed pandas DataFrame, whole (never shortened with dots)."""
    widths = [max(len(name), *(len(str(row[column])) for row in rows)) for column, name in enumerate(names)]
    index = len(str(max(len(rows) - 1, 0)))
    head = " " * index + "".join(f"  {name:>{width}}" for name, width in zip(names, widths, strict=True))
    body = [
        f"{number:<{index}}" + "".join(f"  {value!s:>{width}}" for value, width in zip(row, widths, strict=True))
        for number, row in enumerate(rows)
    ]
    return "\n".join([head, *body])
