"""Files that are made from others are what they would be made today."""

from __future__ import annotations

import pytest

from scripts.generators import NAMES, ROOT, stale


@pytest.mark.parametrize("name", NAMES)
def test_generated_files_are_up_to_date(name: str) -> None:
    files = ", ".join(str(path.relative_to(ROOT)) for path in stale(name))
    assert not files, f"out of date: {files}; run `make generate` and commit what it writes"


def test_every_generator_has_its_turn() -> None:
    modules = {path.stem for path in (ROOT / "scripts/generators").glob("*.py")} - {"__init__"}
    assert modules == set(NAMES)
