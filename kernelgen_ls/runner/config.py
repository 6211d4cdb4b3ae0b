"""How a runner is set up by whoever operates it: tool chain, budgets, limits. A client changes none of it."""

from __future__ import annotations

import os
from pathlib import Path

from attrs import frozen

from kernelgen_ls.runner.tree import DEFAULT_TREE_LIMITS, TreeLimits


@frozen
class Budgets:
    """Seconds a job may run, by its kind; waiting in the queue does not count."""

    check: float = 20.0
    verify: float = 60.0
    measure: float = 120.0


@frozen
class RunnerConfig:
    """A runner's configuration. ``cache`` is a folder for results, None for memory only."""

    toolchain: str = "embedded"
    workers: int = min(8, os.cpu_count() or 1)
    budgets: Budgets = Budgets()
    tree: TreeLimits = DEFAULT_TREE_LIMITS
    cache: Path | None = None
    cache_bytes: int = 64 * 1024 * 1024
    blob_bytes: int = 256 * 1024 * 1024
    max_waiting: int = 4096
    measurement_hours: float = 24.0
    """How long a measurement answers for the same content before it is taken again."""
