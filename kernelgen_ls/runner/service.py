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
from pathlib import Path
from typing import Any

from attrs import define, evolve, field

import kernelgen_ls
from kernelgen_ls.rpc import BlobStore, Call, Handler, RpcError, blob_handlers
from kernelgen_ls.runner.cache import CACHED_OUTCOMES, ResultCache, cache_key
from kernelgen_ls.runner.config import RunnerConfig
from kernelgen_ls.runner.messages import CheckRequest, CheckResult, Outcome, SourceFile, Stage, StageReport
from kernelgen_ls.runner.pool import BudgetSpentError, WorkerPool
from kernelgen_ls.runner.slots import QueueFullError
from kernelgen_ls.runner.toolchains import TOOLCHAINS
from kernelgen_ls.runner.tree import check_flags, resolve
from kernelgen_ls.runner.wire import from_wire, to_wire

log = logging.getLogger(__name__)

FEATURES = ("check", "blob")

OnStage = Callable[[StageReport], None]


@define(eq=False)
class _Flight:
    """One running job and everyone who waits for its answer; the last one to leave stops it."""

    task: asyncio.Task[CheckResult] | None = None
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
        self.pool = WorkerPool(
            target or TOOLCHAINS[self.config.toolchain], self.config.workers, max_waiting=self.config.max_waiting
        )
        self.cache = ResultCache(self.config.cache, disk_bytes=self.config.cache_bytes)
        self.blobs = BlobStore(self.config.blob_bytes, self.config.tree.file_bytes)
        self._code = own_code_hash()
        self._flights: dict[str, _Flight] = {}
        self._newest: dict[Hashable, asyncio.Task[CheckResult]] = {}

    def handlers(self) -> dict[str, Handler]:
        """The methods to serve on a connection."""
        return {"check": self._check, "info": self._info, **blob_handlers(self.blobs)}

    async def close(self) -> None:
        """Cancel what runs and stop the workers."""
        tasks = [flight.task for flight in self._flights.values() if flight.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.pool.close()

    # ---- methods ------------------------------------------------------------------------------------------------

    async def _info(self, call: Call) -> object:
        return {
            "version": kernelgen_ls.__version__,
            "toolchain": self.config.toolchain,
            "workers": self.config.workers,
            "running": self.pool.running,
            "waiting": self.pool.slots.waiting,
        }

    async def _check(self, call: Call) -> object:
        started = time.monotonic()
        request = from_wire(call.params, CheckRequest)
        check_flags(request.flags)
        request = evolve(request, files=self._resolve(request.files, request.entry))
        client = id(call.connection)
        reports: asyncio.Queue[StageReport | None] = asyncio.Queue()
        telling = asyncio.create_task(_tell(call, reports))
        try:
            document = (client, request.document or object())
            result = await self._newest_of(document, self._answer(request, client, reports.put_nowait))
            reports.put_nowait(None)
            await telling
        finally:
            telling.cancel()
        if result is None:
            result = CheckResult(Outcome.CANCELLED, message="a newer version of the document is being checked")
        return to_wire(evolve(result, version=request.version, seconds=time.monotonic() - started))

    def _resolve(self, files: tuple[SourceFile, ...], entry: str) -> tuple[SourceFile, ...]:
        whole = resolve(files, entry, self.config.tree, self._known_text)
        for file in whole:
            if file.text is not None and file.sha256 not in self.blobs:
                self.blobs.put(file.text.encode("utf-8", "surrogatepass"))
        return whole

    def _known_text(self, name: str) -> str | None:
        data = self.blobs.get(name)
        return None if data is None else data.decode("utf-8", "surrogatepass")

    # ---- jobs ---------------------------------------------------------------------------------------------------

    async def _newest_of(self, document: Hashable, job: Coroutine[Any, Any, CheckResult]) -> CheckResult | None:
        """The job's result, or None where a newer job of the document took its place. The older one is cancelled."""
        task = asyncio.create_task(job)
        older = self._newest.get(document)
        if older is not None:
            older.cancel()
        self._newest[document] = task
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError:
            task.cancel()
            raise
        finally:
            if self._newest.get(document) is task:
                del self._newest[document]
        return None if task.cancelled() else task.result()

    async def _answer(self, request: CheckRequest, client: Hashable, on_stage: OnStage) -> CheckResult:
        key = self._key(request)
        kept = self.cache.get(key)
        if kept is not None:
            on_stage(StageReport(Stage.CACHED))
            return evolve(from_wire(kept, CheckResult), cached=True)
        flight = self._flights.get(key)
        if flight is None:
            flight = self._flights[key] = _Flight()
            flight.task = asyncio.create_task(self._run(key, request, client, flight))
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

    async def _run(self, key: str, request: CheckRequest, client: Hashable, flight: _Flight) -> CheckResult:
        budget = self.config.budgets.check
        try:
            answer = await self.pool.run(
                "check",
                to_wire(request),
                client=client,
                document=(client, request.document or request.entry),
                seconds=budget,
                on_wait=lambda ahead: flight.report(StageReport(Stage.QUEUED, ahead)),
                on_start=lambda: flight.report(StageReport(Stage.COMPILING)),
            )
            result = from_wire(answer, CheckResult)
        except BudgetSpentError:
            return CheckResult(Outcome.TIMEOUT, message=f"checking {request.entry} took longer than {budget:g} s")
        except QueueFullError as full:
            return CheckResult(Outcome.INFRA_ERROR, message=f"the runner is overloaded: {full}")
        except RpcError as problem:
            log.warning("%s: %s", request.entry, problem)
            return CheckResult(Outcome.INFRA_ERROR, message=problem.message)
        if result.outcome in CACHED_OUTCOMES:
            self.cache.put(key, to_wire(result))
        return result

    def _key(self, request: CheckRequest) -> str:
        profile = (request.entry, request.chip, *request.flags, self.config.toolchain, self.pool.target, self._code)
        return cache_key("check", request.files, *profile)


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
