"""Ask an operator's own op_host for tilings: ``python ask_op_tiling.py REQUEST OUT``. Runs in the sandbox, alone.

``REQUEST`` is JSON: the operator's type, the SoC, ``libraries`` (the built package's tiling libraries) and the tensors
and attributes of each case. CANN's Python interface to tiling functions, ``tbe.common.utils.op_tiling``, does the rest;
what comes out is JSON, and whoever reads it trusts none of it. Exit status 3: CANN's Python packages are at fault.
"""

import ctypes
import importlib
import json
import sys
from typing import Any


def say(line: str) -> None:
    """One line for whoever started this: the last one is shown where it fails."""
    sys.stdout.write(f"{line}\n")


def load(library: str) -> None:
    """Have a library register its tiling functions; where it does not load, op_tiling's own search may find it."""
    try:
        ctypes.CDLL(library, ctypes.RTLD_GLOBAL)
    except OSError as problem:
        say(f"{library}: {problem}")


def main() -> int:
    """Write the tilings of the cases to ``OUT``."""
    with open(sys.argv[1]) as file:  # noqa: PTH123 - runs in CANN's own Python, whatever that has
        request = json.load(file)
    try:
        op_tiling = importlib.import_module("tbe.common.utils.op_tiling")
    except ImportError as problem:
        say(f"CANN's Python packages cannot be used: {problem}")
        return 3
    try:
        importlib.import_module("tbe.common.platform").set_current_compile_soc_info(request["soc"])
    except Exception as problem:
        # Whatever that raises, the tiling function may still do without the platform; if not, this says why.
        say(f"the platform is not set: {problem}")
    for library in request["libraries"]:
        load(library)
    answers = []
    for case in request["cases"]:
        result: dict[str, Any] = op_tiling.do_op_tiling(
            request["operator"], {}, case["inputs"], case["outputs"], attrs=case["attributes"]
        )
        say(f"{case['name']}: {result}")
        answers.append(
            {
                "tiling": bytes(result["tiling_data"]).hex(),
                "block_dim": int(result["block_dim"]),
                "tiling_key": int(result.get("tiling_key") or 0),
                "workspaces": [int(size) for size in result.get("workspaces") or ()],
            }
        )
    with open(sys.argv[2], "w") as file:  # noqa: PTH123 - as above
        json.dump(answers, file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
