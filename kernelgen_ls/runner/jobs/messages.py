"""What travels between a runner and its clients: requests, stages, outcomes.

The same messages serve the local runner (a child process with the embedded tool chain) and a remote one (beside CANN
and an NPU). They are attrs classes structured by cattrs at both ends (see ``wire``); unknown keys are ignored, so that
a minor protocol version may add fields. Which request belongs to which result is said by its base, ``Job[Result]``;
what else there is to know of a kind of job stands in ``kinds``.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Generic, TypeVar

from attrs import evolve, field, fields, frozen

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
    """How a job, or one of its cases, ended: with a verdict on the user's code or without (``is_verdict``)."""

    PASSED = "passed"
    COMPILE_ERROR = "compile_error"
    WRONG_SHAPE = "wrong_shape"
    WRONG_DTYPE = "wrong_dtype"
    WRONG_VALUES = "wrong_values"
    RUNTIME_ERROR = "runtime_error"
    """It ran and failed; a kernel that was launched once, or a tiling function, that does not end is one of these."""
    NOT_EXECUTED = "not_executed"
    """Nothing was run to its end because whoever runs it lacks something: no word on the user's code."""
    TIMEOUT = "timeout"
    """The time was up before there was a verdict: of a check, a build, the cases file, a simulator, many launches."""
    CANCELLED = "cancelled"
    INFRA_ERROR = "infra_error"

    @property
    def is_verdict(self) -> bool:
        """Whether this says something of the user's code, rather than of the runner, its time or whoever asked.

        A time-out is none: on another machine or with more time the same code may pass. That a kernel hangs is told
        from it where it is launched, and called a ``RUNTIME_ERROR``.
        """
        return self in (
            Outcome.PASSED,
            Outcome.COMPILE_ERROR,
            Outcome.WRONG_SHAPE,
            Outcome.WRONG_DTYPE,
            Outcome.WRONG_VALUES,
            Outcome.RUNTIME_ERROR,
        )


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
    """Who answered: ``name`` is that of its row in ``toolchains.TOOLCHAINS``; versions are as the tools state them."""

    name: str
    version: str = ""
    soc: str = ""
    cann: str = ""
    limits: str = ""
    """What this tool chain cannot see, one sentence for the user; empty for a real compiler."""


NOBODY = ToolchainInfo(name="")
"""Stands where no tool chain answered: the runner was not reached, or refused."""


@frozen
class JobResult:
    """What every answer says. ``message`` explains in one line an outcome that is no verdict, and may add to others."""

    outcome: Outcome
    toolchain: ToolchainInfo = field(default=NOBODY, kw_only=True)
    """Who answered or failed to."""
    version: int = field(default=0, kw_only=True)
    """The version of the document that was asked about."""
    cached: bool = field(default=False, kw_only=True)
    seconds: float = field(default=0.0, kw_only=True)
    message: str = field(default="", kw_only=True)

    def replayed(self: R) -> R:
        """The answer as a record gives it again: what was true only when it was taken says so."""
        return self


R = TypeVar("R", bound=JobResult)
R_co = TypeVar("R_co", bound=JobResult, covariant=True)

_ASIDE: Mapping[str, bool] = {"aside": True}
"""Marks the fields of a request that do not decide its answer."""


@frozen
class Job(Generic[R_co]):
    """What every request says; ``R_co`` is what answers it. ``files`` is the tree that ``entry`` is a path of.

    ``document`` names the editor's document: a newer job of it cancels the older.
    """

    entry: str
    files: tuple[SourceFile, ...] = field(metadata=_ASIDE)
    chip: str
    """The SoC that the kernel is for, as ``kernel.chips`` names it."""
    flags: tuple[str, ...] = field(default=(), kw_only=True)
    """Extra compiler flags; the runner refuses those that its allow-list does not have."""
    document: str = field(default="", kw_only=True, metadata=_ASIDE)
    version: int = field(default=0, kw_only=True, metadata=_ASIDE)
    """The document's version, echoed in the result."""

    @property
    def anew(self) -> bool:
        """Whether a kept answer will not do."""
        return False

    @property
    def profile(self) -> tuple[str, ...]:
        """Everything beside the files that decides the answer, as text for a key."""
        decide = [getattr(self, one.name) for one in fields(type(self)) if "aside" not in one.metadata]
        return tuple(" ".join(value) if isinstance(value, tuple) else str(value) for value in decide)


@frozen
class Coverage:
    """How much of a file and of the project's headers that it includes a check could judge.

    ``lines`` are those with code in them; ``looked_at`` are those of them in which no configuration met a name that is
    declared nowhere at hand, nor one that is declared in terms of such a name.
    """

    looked_at: int = 0
    lines: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether nothing was left out."""
        return self.looked_at == self.lines

    def __add__(self, other: Coverage) -> Coverage:
        return Coverage(self.looked_at + other.looked_at, self.lines + other.lines)


@frozen
class CheckResult(JobResult):
    """The answer to a check."""

    findings: tuple[Finding, ...] = ()
    coverage: Coverage = field(factory=Coverage, kw_only=True)
    covered: bool = field(default=True, kw_only=True)
    """False where the tool chain did not look into the file at all: that nothing was found means nothing then."""
    more: bool = field(default=False, kw_only=True)
    """Whether the kernel has configurations that only a whole check looks at."""


@frozen
class CheckRequest(Job[CheckResult]):
    """Check one file of a tree; with ``foremost`` in the first of its configurations only, where these are many."""

    foremost: bool = field(default=False, kw_only=True, metadata=_ASIDE)

    @property
    def profile(self) -> tuple[str, ...]:
        """As of every job; that it is of the first configuration only is added where it is so."""
        return (*super().profile, "foremost") if self.foremost else super().profile


@frozen
class WrongValues:
    """The element that differs most from its golden one, and how an output's wrong elements are spread.

    ``output`` counts from 0 and ``name`` is the kernel's parameter that it is in, where that is known. ``got`` and
    ``expected`` are text, since JSON has neither nan nor inf; ``spread`` is in words.
    """

    output: int
    name: str
    index: tuple[int, ...]
    got: str
    expected: str
    wrong: int
    elements: int
    spread: str = ""

    def __str__(self) -> str:
        return self._said(f"{self.expected} is right", f"{'is' if self.wrong == 1 else 'are'} wrong", self.spread)

    def compared(self) -> str:
        """The same without calling it wrong, for a golden output of which nobody knows whether it is right."""
        spread = self.spread.replace("what is right", "that").replace("the wrong sign", "the other sign")
        return self._said(f"that gives {self.expected}", "differs" if self.wrong == 1 else "differ", spread)

    def _said(self, golden: str, wrong: str, spread: str) -> str:
        at = ", ".join(map(str, self.index))
        place = f"{self.name}[{at}]" if self.name else f"output {self.output} at [{at}]"
        many = f"{self.wrong} of {self.elements} elements {wrong}"
        some = f"{many}: {spread}" if spread else many
        return f"{place} is {self.got} where {golden} ({some})"


@frozen
class CaseResult:
    """One case's outcome; ``message`` says what differs where, in one line, and ``wrong`` what it is made of."""

    name: str
    outcome: Outcome
    message: str = ""
    wrong: WrongValues | None = None
    printed: tuple[str, ...] = ()
    """What the kernel printed, where that can be told: a line each, with the block that printed it."""


@frozen
class VerifyResult(JobResult):
    """The answer to a verification: the first case's outcome that is not passed, or what kept cases from running."""

    cases: tuple[CaseResult, ...] = ()
    findings: tuple[Finding, ...] = ()
    in_common: str = ""
    """What the wrong cases have in common and no right one has, in words."""
    isolation: tuple[str, ...] | None = None
    """The protections that held for every program that was run (``sandbox.Finished``); None where it is not told."""
    origin: str = field(default="", kw_only=True)
    """What the cases were made from where nobody wrote any, in words; whoever asked knows it."""
    types: int = field(default=0, kw_only=True)
    """In how many columns of element types the made cases are; 0 where somebody wrote them."""


@frozen
class VerifyRequest(Job[VerifyResult]):
    """Run a kernel on the cases of a Python file and compare its outputs with the file's golden ones.

    ``kernel`` is the entry function in ``entry``; ``cases`` the path of the cases file in the tree (its format is in
    ``docs/cases.md``). ``seed`` makes the inputs; the same seed makes the same inputs. ``case`` counts from 0; None
    is all of them.
    """

    kernel: str
    cases: str
    seed: int = 0
    case: int | None = field(default=None, metadata=_ASIDE)

    @property
    def profile(self) -> tuple[str, ...]:
        """As of every job; which case it is of is added where it is of one."""
        return super().profile if self.case is None else (*super().profile, f"case {self.case}")


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
class MeasureResult(JobResult):
    """The answer to a measurement; ``latency`` is None unless ``outcome`` is passed."""

    latency: Latency | None = None
    findings: tuple[Finding, ...] = ()
    warnings: tuple[str, ...] = ()
    """What to know about the figure, one line each: throttling, few samples, an unconfirmed tool chain."""

    def replayed(self) -> MeasureResult:
        """A measured latency called replayed; a simulated one stays that, which is no measurement either."""
        if self.latency is None or self.latency.kind is LatencyKind.SIMULATED:
            return self
        return evolve(self, latency=evolve(self.latency, kind=LatencyKind.REPLAYED))


@frozen
class MeasureRequest(Job[MeasureResult]):
    """Measure a kernel on one case: verified first unless ``verify`` is off, then launched ``launches`` times.

    ``case`` counts from 0 in the order of the cases file. ``fresh`` takes a new measurement even where one is kept.
    """

    kernel: str
    cases: str
    seed: int = 0
    case: int = 0
    launches: int = 20
    warm_up: int = 5
    verify: bool = True
    fresh: bool = field(default=False, metadata=_ASIDE)

    @property
    def anew(self) -> bool:
        """Whether a kept measurement will not do."""
        return self.fresh
