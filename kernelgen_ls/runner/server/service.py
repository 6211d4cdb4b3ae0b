"""The runner's service: jobs in, answers out, over any number of connections.

A job is validated, answered from the cache where it can be, joined to the same job where one is running, or queued
for a worker. A newer job of a document cancels the older one. Whatever goes wrong here is ``infra_error``: never a
verdict on the user's code.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import time
from collections.abc import Callable, Coroutine, Hashable
from functools import partial
from pathlib import Path
from typing import Any

from attrs import define, evolve, field

import kernelgen_ls
from kernelgen_ls.rpc import BlobStore, Call, ErrorCode, Handler, RpcError, blob_handlers
from kernelgen_ls.rpc.wire import from_wire, to_wire
from kernelgen_ls.runner.jobs.config import WORKER_CONFIG, RunnerConfig, config_to_json
from kernelgen_ls.runner.jobs.kinds import KINDS, JobKind, profile_of
from kernelgen_ls.runner.jobs.messages import (
    Job,
    JobResult,
    JobStage,
    MeasureRequest,
    Outcome,
    SourceFile,
    StageReport,
    ToolchainInfo,
)
from kernelgen_ls.runner.jobs.tree import check_flags, check_path, load_texts, name_files
from kernelgen_ls.runner.server.cache import CACHED_OUTCOMES, ResultCache, cache_key
from kernelgen_ls.runner.server.metrics import Metrics
from kernelgen_ls.runner.server.pool import BudgetSpentError, WorkerPool
from kernelgen_ls.runner.server.slots import QueueFullError
from kernelgen_ls.runner.toolchains import TOOLCHAINS

log = logging.getLogger(__name__)

FEATURES = ("check", "verify", "measure", "blob")
_PROBE_SECONDS = 120.0

OnStage = Callable[[StageReport], None]


@define(eq=False)
class _Flight:
    """One running job and everyone who waits for its answer; the last one to leave stops it."""

    task: asyncio.Task[JobResult] | None = None
    listeners: list[OnStage] = field(factory=list)
    last: StageReport | None = None

    def report(self, report: StageReport) -> None:
        self.last = report
        for listener in self.listeners:
            listener(report)


class RunnerService:
    """Serves jobs with the tool chain of its configuration; ``target`` overrides which class that is."""

    def __init__(self, config: RunnerConfig | None = None, *, target: str | None = None) -> None:
        self.config = config or RunnerConfig()
        environment = {**os.environ, WORKER_CONFIG: config_to_json(self.config)}
        start = partial(WorkerPool, target or TOOLCHAINS[self.config.toolchain], env=environment)
        self.pool = start(self.config.workers, max_waiting=self.config.max_waiting)
        # Jobs on a device queue apart: a compile must not wait behind a measurement.
        self.device_pool = start(max(1, len(self.config.devices)), max_waiting=self.config.max_waiting)
        self.cache = ResultCache(self.config.cache, disk_bytes=self.config.cache_bytes)
        self.blobs = BlobStore(self.config.blob_bytes, self.config.tree.file_bytes)
        self.metrics = Metrics()
        self.draining = False
        self._code = own_code_hash()
        self._flights: dict[str, _Flight] = {}
        self._newest: dict[Hashable, asyncio.Task[JobResult]] = {}
        self._toolchain: asyncio.Task[ToolchainInfo] | None = None

    def handlers(self, user: Callable[[], Hashable] = lambda: None) -> dict[str, Handler]:
        """The methods to serve on a connection; ``user`` gives who is at its other end, where that is known."""
        jobs: dict[str, Handler] = {kind.method: partial(self._job, kind, user) for kind in KINDS}
        return {**jobs, "info": self._info, **blob_handlers(self.blobs)}

    async def drain(self) -> None:
        """Take no new job and wait for the running ones, as long as the configuration lets them."""
        self.draining = True
        tasks = [flight.task for flight in self._flights.values() if flight.task is not None]
        if tasks:
            await asyncio.wait(tasks, timeout=self.config.drain_seconds)

    async def close(self) -> None:
        """Cancel what runs and stop the workers."""
        self.draining = True
        tasks = [flight.task for flight in self._flights.values() if flight.task is not None]
        asked = [] if self._toolchain is None else [self._toolchain]
        for task in [*tasks, *asked]:
            task.cancel()
        await asyncio.gather(*tasks, *asked, return_exceptions=True)
        await asyncio.gather(self.pool.close(), self.device_pool.close())

    # ---- methods ------------------------------------------------------------------------------------------------

    async def _info(self, call: Call) -> object:
        return {
            "version": kernelgen_ls.__version__,
            "toolchain": self.config.toolchain,
            "workers": self.config.workers,
            "running": self.pool.running + self.device_pool.running,
            "waiting": self.pool.slots.waiting + self.device_pool.slots.waiting,
            "described": to_wire(await self._described()),
        }

    async def _job(self, kind: JobKind, user: Callable[[], Hashable], call: Call) -> object:
        started = time.monotonic()
        if self.draining:
            raise RpcError(ErrorCode.SHUTTING_DOWN, "the runner is shutting down; try again in a moment")
        job = from_wire(call.params, kind.request)
        check_flags(job.flags)
        job = evolve(job, files=self._named(job.files, job.entry))
        if kind.device:
            _require_cases(job)
        connection = id(call.connection)
        document = (connection, kind.method, job.document or object())
        key = await self._key(kind, job)
        kept = None if isinstance(job, MeasureRequest) and job.fresh else self._kept(kind, key)
        if kept is not None:
            self._supersede(document)
            seconds = time.monotonic() - started
            self.metrics.job(kind.method, Outcome(kept["outcome"]), seconds, cached=True)
            return {**kept, "cached": True, "version": job.version, "seconds": seconds}
        job = evolve(job, files=load_texts(job.files, self.blobs.get))
        reports: asyncio.Queue[StageReport | None] = asyncio.Queue()
        telling = asyncio.create_task(_tell(call, reports))
        try:
            client = user() or connection
            result = await self._newest_of(document, self._answer(kind, key, job, client, reports.put_nowait))
            reports.put_nowait(None)
            await telling
        finally:
            telling.cancel()
        if result is None:
            result = kind.failed(Outcome.CANCELLED, f"a newer version of the document came while {kind.doing} it")
        seconds = time.monotonic() - started
        self.metrics.job(kind.method, result.outcome, seconds, cached=False)
        return to_wire(evolve(result, version=job.version, seconds=seconds))

    def _named(self, files: tuple[SourceFile, ...], entry: str) -> tuple[SourceFile, ...]:
        named = name_files(files, entry, self.config.tree, self.blobs.get)
        for file in named:
            if file.text is not None and file.sha256 not in self.blobs:
                self.blobs.put(file.text.encode("utf-8", "surrogatepass"))
        return named

    # ---- jobs ---------------------------------------------------------------------------------------------------

    async def _newest_of(self, document: Hashable, job: Coroutine[Any, Any, JobResult]) -> JobResult | None:
        """The job's result, or None where a newer job of the document took its place. The older one is cancelled."""
        self._supersede(document)
        task = self._newest[document] = asyncio.create_task(job)
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError:
            task.cancel()
            raise
        finally:
            if self._newest.get(document) is task:
                del self._newest[document]
        return None if task.cancelled() else task.result()

    def _supersede(self, document: Hashable) -> None:
        older = self._newest.pop(document, None)
        if older is not None:
            older.cancel()

    async def _answer(self, kind: JobKind, key: str, job: Job, client: Hashable, on_stage: OnStage) -> JobResult:
        flight = self._flights.get(key)
        if flight is None:
            flight = self._flights[key] = _Flight()
            flight.task = asyncio.create_task(self._run(kind, key, job, client, flight))
        elif flight.last is not None:
            on_stage(flight.last)
        assert flight.task is not None
        flight.listeners.append(on_stage)
        try:
            await asyncio.wait([flight.task])
            return flight.task.result()
        finally:
            flight.listeners.remove(on_stage)
            if not flight.listeners:
                flight.task.cancel()
                if self._flights.get(key) is flight:
                    del self._flights[key]

    def _kept(self, kind: JobKind, key: str) -> dict[str, Any] | None:
        """The kept result as it went over the wire: it is sent again without being read."""
        kept = self.cache.get(key, self.config.measurement_hours * 3600 if kind.ages else None)
        return kept if kept is not None and isinstance(kept.get("outcome"), str) else None

    async def _run(self, kind: JobKind, key: str, job: Job, client: Hashable, flight: _Flight) -> JobResult:
        budget = kind.budget(self.config.budgets, job)
        pool = self.device_pool if kind.device else self.pool
        try:
            answer = await pool.run(
                kind.method,
                to_wire(job),
                client=client,
                document=(client, job.document or job.entry),
                seconds=budget,
                on_wait=lambda ahead: flight.report(StageReport(JobStage.QUEUED, ahead)),
                on_start=lambda: flight.report(StageReport(JobStage.COMPILING)),
                on_progress=lambda state: flight.report(from_wire(state, StageReport)),
            )
            result = from_wire(answer, kind.result)
        except BudgetSpentError:
            return kind.failed(Outcome.TIMEOUT, f"{kind.doing} {job.entry} took longer than {budget:g} s")
        except QueueFullError as full:
            return kind.failed(Outcome.INFRA_ERROR, f"the runner is overloaded: {full}")
        except RpcError as problem:
            log.warning("%s %s: %s", kind.doing, job.entry, problem)
            return kind.failed(Outcome.INFRA_ERROR, problem.message)
        if result.outcome in CACHED_OUTCOMES:
            self.cache.put(key, to_wire(result))
        return result

    async def _key(self, kind: JobKind, job: Job) -> str:
        who = await self._described()
        versions = (self.config.toolchain, self.pool.target, self._code, who.name, who.version, who.soc, who.cann)
        return cache_key(kind.method, job.files, *profile_of(job), *versions)

    async def _described(self) -> ToolchainInfo:
        """What the tool chain says of itself, asked once; asked again where it could not say."""
        if self._toolchain is None or (self._toolchain.done() and not self._toolchain.result().name):
            self._toolchain = asyncio.create_task(self._describe())
        return await asyncio.shield(self._toolchain)

    async def _describe(self) -> ToolchainInfo:
        try:
            answer = await self.pool.run("toolchain", {}, client="", document="", seconds=_PROBE_SECONDS)
            return from_wire(answer, ToolchainInfo)
        except (RpcError, BudgetSpentError, QueueFullError) as problem:
            log.warning("the tool chain does not describe itself: %s", problem)
            return ToolchainInfo(name="", limits=str(problem))


def _require_cases(job: Job) -> None:
    if isinstance(job, MeasureRequest) and not (
        1 <= job.launches <= 1000 and 0 <= job.warm_up <= 1000 and job.case >= 0
    ):
        raise RpcError(ErrorCode.INVALID_PARAMS, "launches are 1 to 1000, warm-up launches up to 1000, cases from 0")
    cases = getattr(job, "cases", "")
    check_path(cases)
    known = {file.path for file in job.files}
    if cases not in known and not any(path.startswith(cases + "/") for path in known):
        raise RpcError(ErrorCode.INVALID_PARAMS, f"the cases {cases[:200]!r} are not in the tree")


async def _tell(call: Call, reports: asyncio.Queue[StageReport | None]) -> None:
    while (report := await reports.get()) is not None:
        await call.progress(to_wire(report))


def own_code_hash() -> str:
    """Changes with every change of this installation, so that a newer checker is never answered by an older one."""
    root = Path(kernelgen_ls.__file__).parent
    digest = hashlib.sha256(kernelgen_ls.__version__.encode())
    for folder in (root / "runner", root / "kernel"):
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                known = path.stat()
                digest.update(f"{path.relative_to(root)}:{known.st_size}:{known.st_mtime_ns}\n".encode())
    return digest.hexdigest()
