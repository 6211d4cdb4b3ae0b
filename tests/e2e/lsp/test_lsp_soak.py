"""A small soak: edits, cancels and killed workers leave the server right. The long one is ``bench soak``."""

from pathlib import Path

import pytest

from kernelgen_ls.bench.soak import run


@pytest.mark.engine
async def test_edits_cancels_and_kills_leave_the_server_right(tiny_model: Path) -> None:
    report = await run(tiny_model, edits=240, cancels=20, kills=2, seed=3)
    assert report.wrong == ()
    assert (report.kills, report.requests) == (2, 60)
