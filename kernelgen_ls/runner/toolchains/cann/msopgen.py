"""msopgen, which makes the frame of an operator project: where it is, what it wants to know, what it leaves behind."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from kernelgen_ls.kernel.dtypes import FLOAT16, find_dtype
from kernelgen_ls.kernel.opdef import Operand, OperatorDefinition
from kernelgen_ls.kernel.roles import FOLDERS
from kernelgen_ls.runner.toolchains.cann.install import Install

_MSOPGEN = ("python/site-packages/bin/msopgen", "bin/msopgen", "tools/msopgen/bin/msopgen")
_ATTRIBUTE_TYPES = {"Int": "int", "Float": "float", "Bool": "bool", "String": "string", "ListInt": "list_int"}


def find_msopgen(install: Install) -> str | None:
    """The program of an installation, else the one on the search path."""
    inside = [install.home / path for path in _MSOPGEN]
    return next((str(path) for path in inside if path.is_file()), shutil.which("msopgen"))


def host_type(dtype: str) -> str:
    """``ge::DT_FLOAT16`` as op_tiling calls it."""
    known = find_dtype(dtype)
    return known.name if known is not None else dtype.removeprefix("ge::").removeprefix("DT_").lower()


def attribute_type(kind: str) -> str:
    """An attribute's type in the operator's definition as msopgen and op_tiling call it."""
    return _ATTRIBUTE_TYPES.get(kind, re.sub(r"(?<!^)(?=[A-Z])", "_", kind).lower())


def operator_json(operator: OperatorDefinition) -> dict[str, object]:
    """What ``msopgen gen -i`` wants to know of an operator; the user's own op_host takes the generated one's place."""
    return {
        "op": operator.name,
        "language": "cpp",
        "input_desc": [_msopgen_tensor(one) for one in operator.inputs],
        "output_desc": [_msopgen_tensor(one) for one in operator.outputs],
        "attr": [
            {
                "name": one.name,
                "param_type": "required" if one.required else "optional",
                "type": attribute_type(one.type),
                **({} if one.default is None else {"default_value": one.default}),
            }
            for one in operator.attributes
        ],
    }


def _msopgen_tensor(operand: Operand) -> dict[str, object]:
    types = [_msopgen_type(dtype) for dtype in operand.dtypes or (FLOAT16.graph,)]
    formats = [name.removeprefix("ge::").removeprefix("FORMAT_") for name in operand.formats]
    return {
        "name": operand.name,
        "param_type": operand.requirement.lower(),
        "format": formats or ["ND"] * len(types),
        "type": types,
    }


def _msopgen_type(dtype: str) -> str:
    known = find_dtype(dtype)
    return (known.msopgen if known is not None else "") or host_type(dtype)


def drop_samples(project: Path) -> None:
    """Remove the sources that msopgen wrote as samples: the user's own are what is built."""
    for folder in FOLDERS:
        for path in (project / folder).glob("*"):
            if path.suffix in (".cpp", ".h") and not path.is_symlink():
                path.unlink()
