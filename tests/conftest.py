"""What tests of several rooms share."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def tiny_gguf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Qwen3-shaped model of 0.8 MB with random weights, always the same, written once a session in under a second."""
    from kernelgen_ls.testing.make_gguf import make

    folder = tmp_path_factory.mktemp("tiny")
    path = folder / "tiny.gguf"
    make(path, "tiny", "f16", folder)
    return path
