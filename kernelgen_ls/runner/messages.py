"""What travels between a runner and its clients: requests, stages, outcomes.

The same messages serve the local runner (a child process with the embedded tool chain) and a remote one (beside CANN
and an NPU). They are attrs classes structured by cattrs at both ends (see ``wire``); unknown keys are ignored, so that
a minor protocol version may add fields.
"""

from __future__ import annotations

from enum import Enum

from attrs import field, frozen

from kernelgen_ls.kernel.findings import Finding


class Stage(str, Enum):
    """Where a job stands; sent as progress."""

    CACHED = "cached"
    QUEUED = "queued"
    COMPILING = "compiling"
    VERIFYING = "verifying"
    MEASURING = "measuring"
    DONE = "done"


class Outcome(str, Enum):
    """How a job ended. Everything but ``infra_error`` and ``cancelled`` is a verdict on the user's code."""

    PASSED = "passed"
    COMPILE_ERROR = "compile_error"
    WRONG_SHAPE = "wrong_shape"
    WRONG_DTYPE = "wrong_dtype"
    WRONG_VALUES = "wrong_values"
    RUNTIME_ERROR = "runtime_error"
    TIMEOUT = "timeout"
    CANCELLED = "cancelled"
    INFRA_ERROR = "infra_error"


@frozen
class StageReport:
    """A job's progress: ``ahead`` counts the jobs before it while it is queued; ``detail`` is one line for the user."""

    stage: Stage
    ahead: int = 0
    detail: str = ""


@frozen
class SourceFile:
    """One text file of the tree that a job needs.

    ``path`` is POSIX and relative; ``text`` is the editor's unsaved text where there is one, else the file's. On the
    wire a file already known to the runner may carry only ``sha256``.
    """

    path: str
    text: str | None = None
    sha256: str = ""


@frozen
class ToolchainInfo:
    """Who answered: ``name`` is ``embedded``, ``cann`` or ``replay``; versions are as the tools state them."""

    name: str
    version: str = ""
    soc: str = ""
    cann: str = ""
    limits: str = ""
    """What this tool chain cannot see, one sentence for the user; empty for a real compiler."""


@frozen
class CheckRequest:
    """Check one file of a tree. ``document`` names the editor's document: a newer job of it cancels the older."""

    entry: str
    files: tuple[SourceFile, ...]
    chip: str = "Ascend910B1"
    document: str = ""
    version: int = 0
    """The document's version, echoed in the result."""
    flags: tuple[str, ...] = ()
    """Extra compiler flags; the runner refuses those that its allow-list does not have."""


@frozen
class CheckResult:
    """The answer to a check. ``message`` explains an ``infra_error`` or a time-out in one line."""

    outcome: Outcome
    findings: tuple[Finding, ...] = field(default=())
    toolchain: ToolchainInfo = ToolchainInfo(name="embedded")
    version: int = 0
    cached: bool = False
    seconds: float = 0.0
    message: str = ""
