"""Launching a kernel's object with ``msprof op --config`` and reading what it leaves behind.

No host program is needed: the JSON names the object, its arguments' files and how it is launched. The formats are
from public documentation and logs; columns are found by name, since their sets differ by chip.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from attrs import frozen

from kernelgen_ls.kernel.dtypes import FLOAT32, FLOAT64
from kernelgen_ls.runner.execution.cases import Case
from kernelgen_ls.runner.jobs.messages import PipeTime

_TYPE_NAMES = {dtype.name: dtype.kernel for dtype in (FLOAT32, FLOAT64)}
_PIPES = (
    *(("scalar", "scalar"), ("vec", "vector"), ("mte1", "MTE1"), ("mte2", "MTE2"), ("mte3", "MTE3")),
    *(("cube", "cube"), ("mac", "cube"), ("fixpipe", "fixpipe")),
)
_METRIC = re.compile(r"^(?P<core>ai[vc]|aicore)_(?P<pipe>\w+?)_(?P<what>time|ratio)\s*(?:\(us\))?$")


@frozen
class OpBasic:
    """One row of ``OpBasicInfo.csv``: one launch."""

    name: str
    duration_us: float
    block_dim: int
    current_mhz: int | None
    rated_mhz: int | None


def magic_of(*, uses_cube: bool, split_cores: bool) -> str:
    """The ``magic`` of an object that was compiled here: a vector kernel's, or one for both kinds of core."""
    return "RT_DEV_BINARY_MAGIC_ELF" if uses_cube or not split_cores else "RT_DEV_BINARY_MAGIC_ELF_AIVEC"


def launch_config(
    kernel: str, object_path: Path, case: Case, magic: str, tiling: Path | None, *, simulated: bool = False
) -> dict[str, Any]:
    """The JSON for ``msprof op --config``; arguments in the order inputs, outputs, workspace, tiling."""
    params: list[dict[str, Any]] = []
    for kind, tensors in (("input", case.inputs), ("output", case.outputs)):
        for number, tensor in enumerate(tensors):
            params.append(
                {
                    "param_type": kind,
                    "type": _TYPE_NAMES.get(tensor.dtype, tensor.dtype),
                    "shape": list(tensor.shape),
                    "name": f"{kind}{number}",
                    "data_path": tensor.file if kind == "input" else str(output_path(object_path.parent, number)),
                }
            )
    if case.workspace:
        params.append({"param_type": "workspace", "user_workspace_size": case.workspace})
    if tiling is not None:
        size = tiling.stat().st_size
        params.append({"param_type": "tiling", "tiling_data_size": size, "tiling_data_path": str(tiling)})
    config: dict[str, Any] = {
        "kernel_name": kernel,
        "kernel_path": str(object_path),
        "blockdim": case.block_dim,
        "mode": "ca" if simulated else "onboard",
        "device_id": 0,
        "magic": magic,
        "test_cases": [{"case_name": "case", "param_desc": params}],
    }
    if case.tiling_key is not None:
        config["tiling_key"] = case.tiling_key
    return config


def output_path(folder: Path, number: int) -> Path:
    """Where a launch leaves an output."""
    return folder / f"output-{number}.bin"


def write_config(path: Path, config: dict[str, Any]) -> None:
    """Write the JSON as msprof wants it: not writable by anybody else, its folder neither."""
    path.parent.chmod(0o700)
    path.write_text(json.dumps(config, indent=1))
    path.chmod(0o600)


def msprof_command(msprof: str, config: Path, out: Path, launches: int, warm_up: int) -> list[str]:
    """The command that launches and measures."""
    counts = [f"--launch-count={launches}", f"--warm-up={warm_up}", "--kill=on"]
    return [msprof, "op", f"--config={config}", f"--output={out}", *counts]


def read_basic(out: Path, kernel: str) -> tuple[OpBasic, ...]:
    """The kernel's launches in every ``OpBasicInfo*.csv`` below ``out``, in their order."""
    found = []
    for _, row in rows(out, "OpBasicInfo*.csv"):
        name = row.get("op name", "")
        duration = number(row.get("task duration(us)"))
        if duration is None or not re.match(rf"{re.escape(kernel)}(?:_\w+)?$", name):
            continue
        found.append(
            OpBasic(
                name,
                duration,
                int(number(row.get("block dim")) or 0),
                _whole(row.get("current freq")),
                _whole(row.get("rated freq")),
            )
        )
    return tuple(found)


def read_pipes(out: Path, duration_us: float) -> tuple[PipeTime, ...]:
    """How long each pipe was busy, averaged over the blocks of the last launch in ``PipeUtilization*.csv``."""
    times: dict[str, list[float]] = {}
    for _, row in rows(out, "PipeUtilization*.csv"):
        for column, value in row.items():
            metric = _METRIC.match(column)
            us = number(value)
            if metric is None or metric["what"] != "time" or us is None:
                continue
            pipe = next((label for part, label in _PIPES if metric["pipe"] == part), None)
            if pipe is not None:
                times.setdefault(pipe, []).append(us)
    means = {pipe: sum(values) / len(values) for pipe, values in times.items()}
    return tuple(
        PipeTime(pipe, round(us, 6), round(us / duration_us, 6) if duration_us else 0.0) for pipe, us in means.items()
    )


def rows(out: Path, pattern: str) -> Iterator[tuple[Path, dict[str, str]]]:
    """Each file and row below ``out``, by lower-case column name.

    A trailing comma makes a column without a name, which is dropped.
    """
    for path in _in_order(out.rglob(pattern)):
        with path.open(newline="", encoding="utf-8-sig", errors="replace") as file:
            for row in csv.DictReader(file):
                yield (
                    path,
                    {key.strip().lower(): (value or "").strip() for key, value in row.items() if key and key.strip()},
                )


def _in_order(paths: Iterator[Path]) -> Sequence[Path]:
    return sorted(paths, key=lambda path: [int(p) if p.isdigit() else p.lower() for p in re.split(r"(\d+)", str(path))])


def number(text: str | None) -> float | None:
    """A number; None for ``NA``, an empty cell and anything else."""
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if value == value and abs(value) != float("inf") else None


def _whole(text: str | None) -> int | None:
    value = number(text)
    return None if value is None else int(value)
