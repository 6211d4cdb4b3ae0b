"""What travels between a runner and its clients: requests, stages, outcomes.

The same messages serve the local runner (a child process with the embedded tool chain) and a remote one (beside CANN
and an NPU). They are attrs classes structured by cattrs at both ends (see ``wire``); unknown keys are ignored, so that
a minor protocol version may add fields.
"""

from __future__ import annotations

from enum import Enum

from attrs import field, frozen

from kernelgen_ls.kernel.chips import DEFAULT_CHIP
from kernelgen_ls.kernel.findings import Finding


class JobStage(str, Enum):
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

    stage: JobStage
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
    chip: str = DEFAULT_CHIP.soc
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
    covered: bool = True
    """False where the tool chain did not look into the file at all: that nothing was found means nothing then."""


@frozen
class VerifyRequest:
    """Run a kernel on the cases of a Python file and compare its outputs with the file's golden ones.

    ``kernel`` is the entry function in ``entry``; ``cases`` the path of the cases file in the tree (its format is in
    ``docs/runner.md``). ``seed`` makes the inputs; the same seed makes the same inputs.
    """

    entry: str
    kernel: str
    files: tuple[SourceFile, ...]
    cases: str
    chip: str = DEFAULT_CHIP.soc
    seed: int = 0
    document: str = ""
    version: int = 0
    flags: tuple[str, ...] = ()


@frozen
class CaseResult:
    """One case's outcome; ``message`` says what differs where, in one line."""

    name: str
    outcome: Outcome
    message: str = ""


@frozen
class VerifyResult:
    """The answer to a verification: the worst outcome of its cases, or the one that kept them from running."""

    outcome: Outcome
    cases: tuple[CaseResult, ...] = ()
    findings: tuple[Finding, ...] = ()
    toolchain: ToolchainInfo = ToolchainInfo(name="cann")
    version: int = 0
    cached: bool = False
    seconds: float = 0.0
    message: str = ""


@frozen
class MeasureRequest:
    """Measure a kernel on one case: verified first unless ``verify`` is off, then launched ``launches`` times.

    ``case`` counts from 0 in the order of the cases file. ``fresh`` takes a new measurement even where one is kept.
    """

    entry: str
    kernel: str
    files: tuple[SourceFile, ...]
    cases: str
    chip: str = DEFAULT_CHIP.soc
    seed: int = 0
    case: int = 0
    launches: int = 20
    warm_up: int = 5
    verify: bool = True
    fresh: bool = False
    document: str = ""
    version: int = 0
    flags: tuple[str, ...] = ()


class LatencyKind(str, Enum):
    """What a latency is: nothing shows one as another."""

    MEASURED = "measured"
    """On a device."""
    SIMULATED = "simulated"
    """By the vendor's simulator."""
    REPLAYED = "replayed"
    """From the record of an earlier session."""


@frozen
class PipeTime:
    """How long a pipe was busy, averaged over the cores: microseconds, and the share of the kernel's time (0 to 1)."""

    name: str
    us: float
    ratio: float


@frozen
class LineCost:
    """What a line of a kernel costs in the simulator: ``line`` from 0, microseconds, how often it was run."""

    path: str
    line: int
    us: float
    calls: int = 0


@frozen
class Latency:
    """How long a kernel takes: ``samples_us`` one task duration a launch, in microseconds, warm-up left out.

    ``taken_at`` is seconds since 1970 by the runner's clock. ``current_mhz`` below ``rated_mhz`` means that the device
    was throttled and the figure is too high.
    """

    samples_us: tuple[float, ...]
    kind: LatencyKind = LatencyKind.MEASURED
    case: str = ""
    pipes: tuple[PipeTime, ...] = ()
    block_dim: int = 0
    soc: str = ""
    cann: str = ""
    device: str = ""
    current_mhz: int | None = None
    rated_mhz: int | None = None
    taken_at: float = 0.0
    lines: tuple[LineCost, ...] = ()
    """The dearest lines, where the simulator told them."""
    read_bytes: int = 0
    """The case's inputs together; with ``write_bytes`` and ``largest_bytes`` what its bound is computed from."""
    write_bytes: int = 0
    largest_bytes: int = 0
    """The largest input or output."""
    caveat: str = ""
    """What whoever reads the figure has to know of the tool chain it comes from, in one sentence."""

    @property
    def median_us(self) -> float:
        """The median of the samples; 0 where there is none."""
        ordered = sorted(self.samples_us)
        if not ordered:
            return 0.0
        middle = len(ordered) // 2
        return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2

    @property
    def spread_us(self) -> float:
        """The distance between the samples' quartiles."""
        ordered = sorted(self.samples_us)
        if len(ordered) < 2:
            return 0.0
        return ordered[(3 * (len(ordered) - 1)) // 4] - ordered[(len(ordered) - 1) // 4]

    @property
    def binding_pipe(self) -> PipeTime | None:
        """The busiest pipe."""
        return max(self.pipes, key=lambda pipe: pipe.ratio, default=None)


@frozen
class MeasureResult:
    """The answer to a measurement; ``latency`` is None unless ``outcome`` is passed."""

    outcome: Outcome
    latency: Latency | None = None
    findings: tuple[Finding, ...] = ()
    warnings: tuple[str, ...] = ()
    """What to know about the figure, one line each: throttling, few samples, an unconfirmed tool chain."""
    toolchain: ToolchainInfo = ToolchainInfo(name="cann")
    version: int = 0
    cached: bool = False
    seconds: float = 0.0
    message: str = ""


Job = CheckRequest | VerifyRequest | MeasureRequest
JobResult = CheckResult | VerifyResult | MeasureResult
