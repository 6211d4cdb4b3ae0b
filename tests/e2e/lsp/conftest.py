"""Fixtures of the server's tests: a tiny real model."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernelgen_ls.testing.make_gguf import make


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random model of real architecture, small enough to write and load in a second."""
    folder = tmp_path_factory.mktemp("model")
    path = folder / "tiny.gguf"
    make(path, "tiny", "q4_0", folder)
    return path
