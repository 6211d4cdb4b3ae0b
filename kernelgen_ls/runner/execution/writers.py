"""Which core wrote which bytes of an output, as a tool chain that knows it left it beside the output's file.

A line a stretch: its first byte, the byte after its last, the core's name (``0 4096 block 3``). What nobody wrote or
several did is left out. The kernel's process may have written the file: what is not as it should be is no knowledge.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

MOST_BYTES = 4 * 1024 * 1024
"""A longer file is not read."""
NOBODY = -1
_LINE = re.compile(r"(?P<start>\d{1,15}) (?P<end>\d{1,15}) (?P<name>(?:block|vector core|cube core) \d{1,9})")


@frozen
class Writers:
    """The cores that wrote an output, and for each element which one did: an index into ``names``, or NOBODY."""

    names: tuple[str, ...]
    of: npt.NDArray[np.int32]


def writers_file(output: Path) -> Path:
    """Where that is told of the output in a file."""
    return output.with_suffix(".writers")


def writers(output: Path, count: int, size: int) -> Writers | None:
    """Who wrote the elements of an output, ``count`` of ``size`` bytes; None where that is not known."""
    import numpy as np

    path = writers_file(output)
    if path.is_symlink() or not path.is_file() or path.stat().st_size > MOST_BYTES:
        return None
    names: dict[str, int] = {}
    of = np.full(count, NOBODY, np.int32)
    for line in path.read_text(encoding="ascii", errors="replace").splitlines():
        match = _LINE.fullmatch(line)
        if match is None:
            return None
        number = names.setdefault(match["name"], len(names))
        of[-(-int(match["start"]) // size) : int(match["end"]) // size] = number
    return Writers(tuple(names), of) if names else None
