"""The demo, with a tiny random model: every scene that needs no good one."""

import subprocess
import sys
from pathlib import Path

import pytest

from kernelgen_ls.testing.make_gguf import make


@pytest.mark.engine
def test_the_demo_completes_and_checks(tmp_path: Path) -> None:
    model = tmp_path / "tiny.gguf"
    make(model, "tiny", "q4_0", tmp_path)
    shown = subprocess.run(
        [sys.executable, "-m", "kernelgen_ls", "demo", "--model", str(model), "--no-generate"],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert shown.returncode == 0, shown.stdout + shown.stderr
    assert "random-qwen3-tiny ready" in shown.stdout
    assert "did you mean 'FreeTensor'" in " ".join(shown.stdout.split())
    assert "without the mistake: 0 errors" in shown.stdout
