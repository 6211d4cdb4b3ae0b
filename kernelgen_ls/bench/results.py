"""Results of a long run, a line of JSON each, so that a run that was killed goes on where it stopped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def result_lines(path: Path) -> Iterator[dict[str, Any]]:
    """What each line of ``path`` holds; a line that a kill cut is as if it were not there, and so is the file."""
    for line in path.read_text("utf-8").splitlines() if path.is_file() else ():
        try:
            raw = json.loads(line)
        except ValueError:
            continue
        yield raw


def add_result(path: Path, result: dict[str, Any]) -> None:
    """Write a line more, apart from half a line that a kill may have left."""
    cut = path.is_file() and path.stat().st_size > 0 and not path.read_bytes().endswith(b"\n")
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{chr(10) if cut else ''}{json.dumps(result)}\n")
