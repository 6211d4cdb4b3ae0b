"""What the service knows of each kind of job: its messages, its budget, what of it is kept."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from kernelgen_ls.kernel.roles import says_host
from kernelgen_ls.runner.jobs.config import Budgets
from kernelgen_ls.runner.jobs.messages import (
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
    budget: Callable[[Budgets, Job], float]
    failed: Callable[[Outcome, str], JobResult]
    doing: str
    ages: bool = False
    device: bool = False


def _on_device(budgets: Budgets, job: Job) -> float:
    # Only a tree that defines its operator can be built for its tiling.
    builds = any(says_host(file.path, file.text or "") for file in job.files)
    return budgets.longest - (0.0 if builds else budgets.build)


CHECK = JobKind(
    "check",
    CheckRequest,
    CheckResult,
    lambda budgets, _: budgets.check,
    lambda outcome, message: CheckResult(outcome, message=message),
    "checking",
)
VERIFY = JobKind(
    "verify",
    VerifyRequest,
    VerifyResult,
    lambda budgets, job: _on_device(budgets, job) - budgets.measure,
    lambda outcome, message: VerifyResult(outcome, message=message),
    "verifying",
    device=True,
)
MEASURE = JobKind(
    "measure",
    MeasureRequest,
    MeasureResult,
    _on_device,
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
