"""A model and how to run it: the choice that settings and machine come to, as the worker is told of it."""

from __future__ import annotations

import os
from pathlib import Path

from attrs import frozen

from kernelgen_ls.model.messages import LoadRequest

SPIN = 1000
"""Measured with 0.6B on two cores: quiet, 23 tokens/s (0: 17, libgomp's own: 19); with three other programs for each
core, 3.9 (0: 4.6; libgomp's own: under 1)."""


@frozen
class ModelChoice:
    """A model and how to run it. The numbers' zeros and ``gpu_layers`` -1 mean: chosen by the machine.

    ``state_dir`` None keeps no states on disk. ``spin`` is libgomp's spin count: SPIN shares the cores with a
    compiler, None leaves the library's own choice.
    """

    path: Path
    context: int = 0
    gpu_layers: int = -1
    threads: int = 0
    sequences: int = 16
    state_dir: Path | None = None
    state_bytes: int = 2 << 30
    reserve: int = 0
    spin: int | None = SPIN
    starter: bool = False
    exact: bool = False

    def load_request(self) -> LoadRequest:
        """What the worker is asked to load."""
        return LoadRequest(
            path=str(self.path),
            context=self.context,
            gpu_layers=self.gpu_layers,
            threads=self.threads,
            sequences=self.sequences,
            state_dir=str(self.state_dir) if self.state_dir is not None else "",
            state_bytes=self.state_bytes,
            reserve=self.reserve,
            exact=self.exact,
        )


def worker_environment(model: ModelChoice) -> dict[str, str]:
    """The worker's environment: ggml must not start a debugger, and libgomp must not burn cores while it waits."""
    environment = dict(os.environ)
    environment["GGML_NO_BACKTRACE"] = "1"
    environment["PYTHONUNBUFFERED"] = "1"
    if model.spin is not None:
        environment["GOMP_SPINCOUNT"] = str(model.spin)
        environment["OMP_WAIT_POLICY"] = "passive"
    return environment
