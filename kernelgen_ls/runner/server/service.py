"""The runner's service: jobs in, answers out, over any number of connections.

A job is validated, answered from the cache where it can be, joined to the same job where one is running, or queued
for a worker. A newer job of a document cancels the older one. Whatever goes wrong here is ``infra_error``: never a
verdict on the user's code.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from collections.abc import Callable, Coroutine, Hashable
from functools import partial
from pathlib import Path
from typing import Any

from attrs import define, evolve, field, frozen

import kernelgen_ls
from kernelgen_ls.rpc import BlobStore, Call, ErrorCode, Handler, RpcError, blob_handlers
from kernelgen_ls.rpc.wire import from_wire, to_wire
from kernelgen_ls.runner.jobs.config import RunnerConfig
from kernelgen_ls.runner.jobs.kinds import KINDS, JobKind
from kernelgen_ls.runner.jobs.messages import (
    Job,
    JobResult,
    JobStage,
    Outcome,
    SourceFile,
    StageReport,
    ToolchainInfo,
)
from kernelgen_ls.runner.jobs.request_files import check_flags, content_key, load_texts, name_files
from kernelgen_ls.runner.server.cache import ResultCache, gives_again
from kernelgen_ls.runner.server.metrics import Metrics
from kernelgen_ls.runner.server.pool import BudgetSpentError
from kernelgen_ls.runner.server.pools import Pools
from kernelgen_ls.runner.server.routes import refusal, routes
from kernelgen_ls.runner.server.slots import QueueFullError
from kernelgen_ls.runner.toolchains import TOOLCHAINS

log = logging.getLogger(__name__)

_PROBE_SECONDS = 120.0

OnStage = Callable[[StageReport], None]
AnyJob = Job[JobResult]
Kind = JobKind[JobResult]


@frozen
class _Asked:
    """A sound job: ``key`` names its answer in the cache, ``who`` is the tool chain that it goes to."""

    kind: Kind
    job: AnyJob
    key: str
    who: ToolchainInfo


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
    """Serves jobs with the tool chains of its configuration. Raises ValueError where that names one there is not."""

    def __init__(self, config: RunnerConfig | None = None) -> None:
        self.config = config or RunnerConfig()
        self.routes = routes(self.config)
        self.pools = Pools(self.config)
        self.cache = ResultCache(self.config.cache, disk_bytes=self.config.cache_bytes)
        self.blobs = BlobStore(self.config.blob_bytes, self.config.tree.file_bytes)
        self.metrics = Metrics()
        self.draining = False
        self._code = own_code_hash()
        self._flights: dict[str, _Flight] = {}
        self._newest: dict[Hashable, asyncio.Task[JobResult]] = {}
        self._infos: dict[str, asyncio.Task[ToolchainInfo]] = {}

    def handlers(self, user: Callable[[], Hashable] = lambda: None) -> dict[str, Handler]:
        """The methods to serve on a connection; ``user`` gives who is at its other end, where that is known."""
        jobs: dict[str, Handler] = {name: partial(self._job, kind, user) for name, kind in KINDS.items()}
        return {**jobs, "info": self._info, **blob_handlers(self.blobs)}

    @property
    def features(self) -> tuple[str, ...]:
        """What to tell a peer of the methods in the hello."""
        return (*KINDS, "blob")

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
        for task in [*tasks, *self._infos.values()]:
            task.cancel()
        await asyncio.gather(*tasks, *self._infos.values(), return_exceptions=True)
        await self.pools.close()

    # ---- methods ------------------------------------------------------------------------------------------------

    async def _info(self, call: Call) -> object:
        """How busy the runner is, and who answers; described is the tool chain of the ``kind`` that was asked about."""
        kind = call.params.get("kind") if isinstance(call.params, dict) else None
        asked = self.routes.get(kind) if isinstance(kind, str) else None
        return {
            "version": kernelgen_ls.__version__,
            "toolchain": self.config.toolchain,
            "workers": self.config.workers,
            "toolchains": self.routes,
            "running": self.pools.running,
            "waiting": self.pools.waiting,
            "described": to_wire(await self._described(asked or self.config.toolchain)),
        }

    async def _job(self, kind: Kind, user: Callable[[], Hashable], call: Call) -> object:
        started = time.monotonic()
        if self.draining:
            raise RpcError(ErrorCode.SHUTTING_DOWN, "the runner is shutting down; try again in a moment")
        job = from_wire(call.params, kind.request)
        check_flags(job.flags)
        job = evolve(job, files=self._named(job.files, job.entry))
        kind.refuse(job)
        if kind.name not in self.routes:
            raise RpcError(ErrorCode.METHOD_NOT_FOUND, refusal(self.routes, kind))
        connection = id(call.connection)
        document = (connection, kind.name, job.document or object())
        who = await self._described(self.routes[kind.name])
        key = self._key(kind, job, who)
        kept = None if job.anew else self._kept(kind, key)
        if kept is not None:
            self._supersede(document)
            seconds = time.monotonic() - started
            self.metrics.job(kind.name, Outcome(kept["outcome"]), seconds, cached=True)
            return {**kept, "cached": True, "version": job.version, "seconds": seconds}
        job = evolve(job, files=load_texts(job.files, self.blobs.get))
        reports: asyncio.Queue[StageReport | None] = asyncio.Queue()
        telling = asyncio.create_task(_tell(call, reports))
        try:
            client, asked = user() or connection, _Asked(kind, job, key, who)
            result = await self._newest_of(document, self._answer(asked, client, reports.put_nowait))
            reports.put_nowait(None)
            await telling
        finally:
            telling.cancel()
        if result is None:
            result = kind.failed(Outcome.CANCELLED, f"a newer version of the document came while {kind.doing} it")
        seconds = time.monotonic() - started
        self.metrics.job(kind.name, result.outcome, seconds, cached=False)
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

    async def _answer(self, asked: _Asked, client: Hashable, on_stage: OnStage) -> JobResult:
        flight = self._flights.get(asked.key)
        if flight is None:
            flight = self._flights[asked.key] = _Flight()
            flight.task = asyncio.create_task(self._run(asked, client, flight))
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
                if self._flights.get(asked.key) is flight:
                    del self._flights[asked.key]

    def _kept(self, kind: Kind, key: str) -> dict[str, Any] | None:
        """The kept result as it went over the wire: it is sent again without being read."""
        kept = self.cache.get(key, self.config.measurement_hours * 3600 if kind.ages else None)
        return kept if kept is not None and isinstance(kept.get("outcome"), str) else None

    async def _run(self, asked: _Asked, client: Hashable, flight: _Flight) -> JobResult:
        kind, job = asked.kind, asked.job
        budget, toolchain = kind.budget(self.config.budgets, job), self.routes[kind.name]
        who = asked.who if asked.who.name else ToolchainInfo(toolchain)
        try:
            answer = await self.pools.of(toolchain, device=kind.device).run(
                kind.name,
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
            return kind.failed(Outcome.TIMEOUT, f"{kind.doing} {job.entry} took longer than {budget:g} s", who)
        except QueueFullError as full:
            return kind.failed(Outcome.INFRA_ERROR, f"the runner is overloaded: {full}")
        except RpcError as problem:
            log.warning("%s %s: %s", kind.doing, job.entry, problem)
            return kind.failed(Outcome.INFRA_ERROR, problem.message, who)
        if not result.toolchain.name:
            result = evolve(result, toolchain=who)
        if gives_again(result.outcome):
            self.cache.put(asked.key, to_wire(result))
        return result

    def _key(self, kind: Kind, job: AnyJob, who: ToolchainInfo) -> str:
        toolchain = self.routes[kind.name]
        versions = (toolchain, TOOLCHAINS[toolchain].target, self._code, who.name, who.version, who.soc, who.cann)
        return content_key(kind.name, job.files, *job.profile, *versions)

    async def _described(self, toolchain: str) -> ToolchainInfo:
        """What a tool chain says of itself, asked once; asked again where it could not say."""
        asked = self._infos.get(toolchain)
        if asked is None or (asked.done() and not asked.result().name):
            asked = self._infos[toolchain] = asyncio.create_task(self._describe(toolchain))
        return await asyncio.shield(asked)

    async def _describe(self, toolchain: str) -> ToolchainInfo:
        try:
            pool = self.pools.of(toolchain, device=False)
            answer = await pool.run("toolchain", {}, client="", document="", seconds=_PROBE_SECONDS)
            return from_wire(answer, ToolchainInfo)
        except (RpcError, BudgetSpentError, QueueFullError) as problem:
            log.warning("the tool chain %s does not describe itself: %s", toolchain, problem)
            return ToolchainInfo(name="", limits=str(problem))


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
