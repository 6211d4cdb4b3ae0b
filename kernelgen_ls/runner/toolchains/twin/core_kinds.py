"""Which kinds of core a kernel runs on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from kernelgen_ls.kernel.blank import strip_comments
from kernelgen_ls.kernel.chips import Chip
from kernelgen_ls.kernel.cores import (
    CUBE_CORES,
    GROUPS,
    VECTOR_CORES,
    Cores,
    may_use_cube,
    stated_cores,
)
from kernelgen_ls.kernel.structure import Function
from kernelgen_ls.runner.toolchains.source_tree import SourceTree
from kernelgen_ls.runner.toolchains.twin.elf import imported_symbols

_KEY = re.compile(r"^#define TILING_KEY_VAR (?P<key>\d+)", re.MULTILINE)
_CUBE_FUNCTION = re.compile(r"^_ZN6kgtwin\d+(?:mmad|loadFractals|loadSquares|loadImage|fixpipe|matmul)")
_VECTOR_FUNCTION = re.compile(
    r"^_ZN6kgtwin\d+(?:elementwise|cast|compare|select|reduce|broadcast|gather|scatter|createIndex|transpose|softmax|sort)"
)
_SENDS = re.compile(r"^_ZN6kgtwin\d+(?:crossCore|copyOut)")
"""What a vector core may do beside a cube core without computing: it moves data, and tells others of it."""


def known_cores(chip: Chip, tree: SourceTree, entry: str, kernel: Function, prelude: str) -> Cores | None:
    """The cores that the kernel says it runs on, or that are clear without it saying so; None where neither is."""
    if not chip.cores_apart:
        return VECTOR_CORES
    texts = [strip_comments(item.text) for item in tree.reachable(entry)]
    key = _KEY.search(prelude)
    cores = stated_cores(kernel, strip_comments(tree.files[entry].text), texts, int(key["key"]) if key else 0)
    return cores or (None if may_use_cube(texts) else VECTOR_CORES)


def recognised_cores(libraries: Mapping[bool, Path], vector: bool) -> Cores:
    """Which cores a kernel runs on that does not say so: those whose units it calls, or has a ``vector`` part for.

    ``libraries`` are the kernel as a library, compiled for a vector core (False) and for a cube core (True).
    """
    called = {cube: imported_symbols(path) for cube, path in libraries.items()}
    if not any(map(_CUBE_FUNCTION.match, (*called[True], *called[False]))):
        return VECTOR_CORES
    apart = not any(map(_CUBE_FUNCTION.match, called[False])) and any(map(_SENDS.match, called[False]))
    return GROUPS if vector or apart or any(map(_VECTOR_FUNCTION.match, called[False])) else CUBE_CORES
