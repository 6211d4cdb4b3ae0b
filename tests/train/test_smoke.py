"""All of the training, from nothing to a measured model file, on a toy."""

from __future__ import annotations

import subprocess
import sys


def test_every_step_of_the_training_works_together() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "kernelgen_ls", "train", "smoke"],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    said = " ".join(done.stderr.split())
    assert done.returncode == 0, said
    assert "llama.cpp equals PyTorch on 3 of 3 prompts" in said
    assert "next line, exact" in said
