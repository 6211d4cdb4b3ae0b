"""The compiler that comes as a Python package, on a machine that has no other."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.mark.skipif(importlib.util.find_spec("ziglang") is None, reason="the extra [twin] is not installed")
def test_an_example_is_right_with_the_compiler_of_the_extra_alone(tmp_path: Path) -> None:
    kept = {name: value for name, value in os.environ.items() if name not in ("CXX", "PATH")}
    done = subprocess.run(
        [sys.executable, "-m", "kernelgen_ls", "verify", str(EXAMPLES / "leaky_relu")],
        env={**kept, "PATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "right on the twin: 7 cases" in done.stdout
