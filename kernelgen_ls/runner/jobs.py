"""What the service knows of each kind of job: its messages, its budget, what of it is kept."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from kernelgen_ls.runner.config import Budgets
from kernelgen_ls.runner.messages import (
    CheckRequest,
    CheckResult,
    Job,
    JobResult,
    MeasureRequest,
    MeasureResult,
    Outcome,
    VerifyRequest,
    VerifyResult,
)


@frozen
class JobKind:
    """One kind of job. ``ages`` tells that a result is a measurement, which is true only for a while."""

    method: str
    request: type[Job]
    result: type[JobResult]
    budget: Callable[[Budgets], float]
    failed: Callable[[Outcome, str], JobResult]
    doing: str
    ages: bool = False
    device: bool = False


CHECK = JobKind(
    "check",
    CheckRequest,
    CheckResult,
    lambda budgets: budgets.check,
    lambda outcome, message: CheckResult(outcome, message=message),
    "checking",
)
VERIFY = JobKind(
    "verify",
    VerifyRequest,
    VerifyResult,
    lambda budgets: budgets.check + budgets.build + budgets.verify + budgets.device_wait,
    lambda outcome, message: VerifyResult(outcome, message=message),
    "verifying",
    device=True,
)
MEASURE = JobKind(
    "measure",
    MeasureRequest,
    MeasureResult,
    lambda budgets: budgets.check + budgets.build + budgets.verify + budgets.measure + budgets.device_wait,
    lambda outcome, message: MeasureResult(outcome, message=message),
    "measuring",
    ages=True,
    device=True,
)
KINDS = (CHECK, VERIFY, MEASURE)


def profile_of(job: Job) -> tuple[str, ...]:
    """Everything of a job beside its files that decides its answer, as text for the cache's key."""
    common = (job.entry, job.chip, " ".join(job.flags))
    if isinstance(job, CheckRequest):
        return common
    on_device = (*common, job.kernel, job.cases, str(job.seed))
    if isinstance(job, VerifyRequest):
        return on_device
    return (*on_device, str(job.case), str(job.launches), str(job.warm_up), str(job.verify))
