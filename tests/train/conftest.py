"""The tests of the training itself: they need torch, which `make test-train` installs.

Where it is not installed they are left out and the run says so at its end; a run of these alone then finds no test,
which pytest counts as a failure.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

HERE = find_spec("torch") is not None
collect_ignore_glob = [] if HERE else ["test_*.py"]


def pytest_terminal_summary(terminalreporter: Any) -> None:
    if not HERE:
        terminalreporter.section("the training")
        terminalreporter.line(
            "torch is not installed: nothing in tests/train was tested; `make test-train` does it all"
        )
