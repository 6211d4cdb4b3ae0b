"""Which tool chain of a runner answers which kind of job, by its configuration."""

from __future__ import annotations

from typing import Any

from kernelgen_ls.runner.jobs.config import RunnerConfig
from kernelgen_ls.runner.jobs.kinds import KINDS, JobKind
from kernelgen_ls.runner.toolchains import TOOLCHAINS


def routes(config: RunnerConfig) -> dict[str, str]:
    """The tool chain's name for each kind that one answers: as ``toolchains`` says, else ``toolchain`` if it can.

    Raises ValueError where the configuration names a tool chain or a kind that there is not, or one that cannot.
    """
    for name in (config.toolchain, *config.toolchains.values()):
        if name not in TOOLCHAINS:
            raise ValueError(f"there is no tool chain called {name!r}; there are: {', '.join(sorted(TOOLCHAINS))}")
    for kind, name in config.toolchains.items():
        if kind not in KINDS:
            raise ValueError(f"toolchains: there is no kind of job called {kind!r}; there are: {', '.join(KINDS)}")
        if not TOOLCHAINS[name].handles(kind):
            raise ValueError(f"toolchains: {name} does not {kind}; {_able(kind)} would")
    chosen = {kind: config.toolchains.get(kind, config.toolchain) for kind in KINDS}
    return {kind: name for kind, name in chosen.items() if TOOLCHAINS[name].handles(kind)}


def refusal(answered: dict[str, str], kind: JobKind[Any]) -> str:
    """What to tell whoever asks for a kind of job that none of the ``answered`` is."""
    does = " and ".join(KINDS[name].does for name in answered) or "answers nothing"
    return f"this runner only {does}: none of its tool chains would {kind.name} ({_able(kind.name)} would)"


def _able(kind: str) -> str:
    return " or ".join(name for name, row in TOOLCHAINS.items() if row.handles(kind)) or "nothing"
