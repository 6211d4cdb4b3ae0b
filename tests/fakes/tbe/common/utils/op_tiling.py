"""Stands in for CANN's module of this name: answers from what the stand-in for cmake built of op_host.

    // tiling: {"length": n, "factor": attrs["factor"]} on 4 cores, key 1, workspace 1024

``n`` is the number of elements of the first input. Only the standard library: any Python may run this.
"""

from __future__ import annotations

import json
import math
import os
import re
import struct
from pathlib import Path
from typing import Any


def do_op_tiling(
    optype: str,
    compile_info: Any,
    inputs: list[dict[str, Any]],
    outputs: list[dict[str, Any]],
    compile_info_hash: str | None = None,
    timer: list[float] | None = None,
    attrs: list[dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """The tiling of one launch."""
    library = Path(os.environ["ASCEND_CUSTOM_OPP_PATH"], "op_impl/ai_core/tbe/op_tiling/liboptiling.so")
    registered = json.loads(library.read_text())
    if optype not in registered:
        raise RuntimeError(f"no tiling function is registered for {optype}")
    operator = registered[optype]
    rule = re.search(r"// tiling: (\{.*\}) on (\d+) cores?(?:, key (\d+))?(?:, workspace (\d+))?", operator["host"])
    if rule is None:
        raise RuntimeError(f"{optype}: the tiling function returned GRAPH_FAILED")
    scope = {"n": math.prod(inputs[0]["shape"]), "attrs": {one["name"]: one["value"] for one in attrs or ()}}
    values = eval(rule[1], scope)
    fields = [values.get(name, 0) for name in operator["fields"]]
    return {
        "block_dim": int(rule[2]),
        "tiling_data": struct.pack(operator["format"], *fields),
        "tiling_key": int(rule[3] or 0),
        "workspaces": [int(rule[4])] if rule[4] else [],
        "clear_atomic": False,
    }
