"""The table of job kinds: what client, service, worker and tool chains know of each.

A new kind is one row here, a request and a result (see ``messages``), and a tool chain that handles its name (see
``toolchains``). Whatever lies between takes it from this table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from attrs import frozen

from kernelgen_ls.kernel.roles import says_host
from kernelgen_ls.rpc import ErrorCode, RpcError
from kernelgen_ls.runner.jobs.messages import (
    NOBODY,
    CheckRequest,
    CheckResult,
    Job,
    JobResult,
    JobStage,
    MeasureRequest,
    MeasureResult,
    Outcome,
    ToolchainInfo,
    VerifyRequest,
    VerifyResult,
)
from kernelgen_ls.runner.jobs.request_files import check_path

if TYPE_CHECKING:
    # A client has no configuration of a runner, which only a POSIX system has.
    from kernelgen_ls.runner.jobs.config import Budgets

R = TypeVar("R", bound=JobResult)


def _any(job: Job[Any]) -> None:
    """Refuse nothing."""


@frozen
class JobKind(Generic[R]):
    """One kind of job. ``name`` is its method on the wire, its handler's name and its label in the metrics.

    ``does`` and ``doing`` are its verb (``checks``, ``checking``); ``stage`` is what it is about once it is compiled.
    """

    name: str
    request: type[Job[R]]
    result: type[R]
    budget: Callable[[Budgets, Any], float]
    """Seconds that a job may run."""
    does: str
    doing: str
    stage: JobStage
    refuse: Callable[[Any], None] = _any
    """Raises :class:`RpcError` INVALID_PARAMS for a request that makes no sense."""
    ages: bool = False
    """Whether a result is true only for a while, as a measurement is."""
    device: bool = False
    """Whether it runs kernels: such jobs queue apart, since none may wait behind another's measurement to compile."""

    def failed(self, outcome: Outcome, message: str, toolchain: ToolchainInfo = NOBODY, version: int = 0) -> R:
        """The result of a job without a verdict. ``toolchain`` is who was asked, if anybody was."""
        return self.result(outcome, toolchain=toolchain, version=version, message=message)


def _on_device(budgets: Budgets, job: Job[Any]) -> float:
    # Only a tree that defines its operator can be built for its tiling.
    builds = any(says_host(file.path, file.text or "") for file in job.files)
    return budgets.longest - (0.0 if builds else budgets.build)


def _require_cases(job: VerifyRequest | MeasureRequest) -> None:
    check_path(job.cases)
    known = {file.path for file in job.files}
    if job.cases not in known and not any(path.startswith(job.cases + "/") for path in known):
        raise RpcError(ErrorCode.INVALID_PARAMS, f"the cases {job.cases[:200]!r} are not in the tree")


def _require_launches(job: MeasureRequest) -> None:
    if not (1 <= job.launches <= 1000 and 0 <= job.warm_up <= 1000 and job.case >= 0):
        raise RpcError(ErrorCode.INVALID_PARAMS, "launches are 1 to 1000, warm-up launches up to 1000, cases from 0")
    _require_cases(job)


CHECK = JobKind(
    "check",
    CheckRequest,
    CheckResult,
    lambda budgets, _: budgets.check,
    does="checks",
    doing="checking",
    stage=JobStage.COMPILING,
)
VERIFY = JobKind(
    "verify",
    VerifyRequest,
    VerifyResult,
    lambda budgets, job: _on_device(budgets, job) - budgets.measure,
    does="verifies",
    doing="verifying",
    stage=JobStage.VERIFYING,
    refuse=_require_cases,
    device=True,
)
MEASURE = JobKind(
    "measure",
    MeasureRequest,
    MeasureResult,
    _on_device,
    does="measures",
    doing="measuring",
    stage=JobStage.MEASURING,
    refuse=_require_launches,
    ages=True,
    device=True,
)

KINDS: dict[str, JobKind[Any]] = {kind.name: kind for kind in (CHECK, VERIFY, MEASURE)}
"""The table: every kind by its name."""


def kind_of(job: Job[R]) -> JobKind[R]:
    """The row of a request's kind; raises KeyError with the request's class where the table has none."""
    for kind in KINDS.values():
        if kind.request is type(job):
            return cast("JobKind[R]", kind)
    raise KeyError(f"no kind of job has the request {type(job).__name__}")
