"""How a runner is set up by whoever operates it: tool chain, budgets, limits, users. A client changes none of it.

The configuration file is JSON with the names of ``RunnerConfig``'s fields; ``docs/runner.md`` shows one.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import cattrs
from attrs import evolve, field, frozen

from kernelgen_ls.workspace.tree import DEFAULT_TREE_LIMITS, TreeLimits


@frozen
class Budgets:
    """Seconds a phase may run; waiting in the queue does not count."""

    check: float = 20.0
    verify: float = 60.0
    measure: float = 120.0
    build: float = 1200.0
    """All steps of building a project, which together take minutes; only where op_host has to compute a tiling."""
    device_wait: float = 600.0
    """How long a job waits for a device that another job uses."""

    @property
    def longest(self) -> float:
        """The longest that any job may run: one that builds its project, verifies and measures."""
        return self.check + self.build + self.verify + self.measure + self.device_wait


@frozen
class SandboxConfig:
    """What the programs of a job (compilers, cases, kernels) may use; sizes in bytes."""

    memory_bytes: int = 8 * 1024**3
    file_bytes: int = 1024**3
    """The largest file a job may write, and all its files together."""
    processes: int = 256
    output_bytes: int = 256 * 1024
    """Kept of what a program prints: its tail."""
    user: str = ""
    """Run jobs as this user where the runner itself is root; empty: ``nobody``."""
    readable: tuple[str, ...] = ()
    """Further folders that jobs may read."""
    required: bool = False
    """Refuse jobs where the kernel cannot isolate them, rather than running them with resource limits only."""


@frozen
class RunnerConfig:
    """A runner's configuration. ``cache`` is a folder for results, None for memory only."""

    toolchain: str = "embedded"
    """Answers every kind of job that it handles and ``toolchains`` does not name.

    A runner that is told none, on the command line or in its file, takes ``cann`` where that is installed.
    """
    toolchains: dict[str, str] = field(factory=dict)
    """Which tool chain answers a kind of job, by the kind's name; every other kind is ``toolchain``'s."""
    workers: int = min(8, os.cpu_count() or 1)
    nice: int = 0
    """How far the workers stand back for the service itself (``--listen`` uses 5): cached answers stay quick."""
    confined: bool = False
    """Workers can read no file of this machine but their own, if their tool chain needs no other (``--listen``)."""
    devices: tuple[int, ...] = (0,)
    """The NPUs that jobs may use, by their number."""
    budgets: Budgets = Budgets()
    sandbox: SandboxConfig = SandboxConfig()
    tree: TreeLimits = DEFAULT_TREE_LIMITS
    cache: Path | None = None
    cache_bytes: int = 64 * 1024 * 1024
    build_bytes: int = 2 * 1024**3
    """Built projects that are kept in the cache's folder, all together."""
    blob_bytes: int = 256 * 1024 * 1024
    max_waiting: int = 4096
    measurement_hours: float = 24.0
    """How long a measurement answers for the same content before it is taken again."""
    drain_seconds: float = 30.0
    """How long running jobs may go on after SIGTERM."""
    users: dict[str, str] = field(factory=dict)
    """Who may connect with a token: its SHA-256 to the user's name."""
    record: Path | None = None
    """The record that the ``replay`` tool chain answers from and ``record`` writes."""


_converter = cattrs.Converter(forbid_extra_keys=True)
_converter.register_structure_hook(Path, lambda value, _: Path(str(value)).expanduser())


def read_config(path: Path, default_toolchain: str = "embedded") -> RunnerConfig:
    """The configuration in a JSON file; raises ValueError that names what is wrong with it.

    ``default_toolchain`` is taken where the file names none.
    """
    try:
        plain = json.loads(path.read_text(encoding="utf-8"))
        config = _converter.structure(plain, RunnerConfig)
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as problem:
        raise ValueError(f"{path}: {problem}") from problem
    except Exception as problem:
        # cattrs raises groups of whatever the fields' own constructors raise; each is the operator's mistake.
        raise ValueError(f"{path}: {'; '.join(cattrs.transform_error(problem))}") from problem
    if config.sandbox.user and not _is_user(config.sandbox.user):
        raise ValueError(f"{path}: sandbox.user: this machine has no user {config.sandbox.user!r}")
    return config if "toolchain" in plain else evolve(config, toolchain=default_toolchain)


def _is_user(name: str) -> bool:
    if sys.platform == "win32":
        return False
    import pwd  # Unix only

    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


def config_to_json(config: RunnerConfig) -> str:
    """The configuration as a worker process is handed it; ``config_from_json`` reads it."""
    converter = cattrs.Converter()
    converter.register_unstructure_hook(Path, str)
    return json.dumps(converter.unstructure(config))


def config_from_json(text: str) -> RunnerConfig:
    """What ``config_to_json`` wrote."""
    return _converter.structure(json.loads(text), RunnerConfig)


WORKER_CONFIG = "KERNELGEN_RUNNER_CONFIG"
"""The environment variable in which a worker process finds its configuration."""


def worker_config() -> RunnerConfig:
    """The configuration of the runner that started this worker process; the defaults outside of one."""
    text = os.environ.get(WORKER_CONFIG)
    return config_from_json(text) if text else RunnerConfig()
