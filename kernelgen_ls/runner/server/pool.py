"""The worker processes of a runner: started when needed, one job each, killed when they do not obey."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from typing import Any

from attrs import define, field

from kernelgen_ls.rpc import Child, ErrorCode, RpcError, spawn
from kernelgen_ls.runner.server.slots import FairSlots

log = logging.getLogger(__name__)

_DOCUMENTS_A_WORKER = 8
_JOBS_A_MEMORY_CHECK = 20


class BudgetSpentError(Exception):
    """The job took longer than its budget and was killed."""


@define(eq=False)
class _Worker:
    child: Child
    busy: bool = False
    jobs: int = 0
    documents: OrderedDict[Hashable, None] = field(factory=OrderedDict)
    """What it served last, newest at the end: its translation units may still be warm there."""


class WorkerPool:
    """The processes of one tool chain, named by ``target`` (``package.module:Class``).

    As many jobs run at a time as ``slots``, which other pools may share, lets.
    """

    def __init__(
        self,
        target: str,
        slots: FairSlots,
        *,
        memory_bytes: int = 2 * 1024**3,
        obey_seconds: float = 2.0,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self.target = target
        self.slots = slots
        self._memory_bytes = memory_bytes
        self._obey_seconds = obey_seconds
        self._env = env
        self._workers: list[_Worker] = []
        self._settling: set[asyncio.Task[None]] = set()
        self._closing = False

    @property
    def pids(self) -> list[int]:
        """The processes that are alive now."""
        return [worker.child.pid for worker in self._workers]

    @property
    def running(self) -> int:
        """How many jobs run now."""
        return sum(worker.busy for worker in self._workers)

    async def run(
        self,
        method: str,
        params: dict[str, Any],
        *,
        client: Hashable,
        document: Hashable,
        seconds: float,
        on_wait: Callable[[int], None] | None = None,
        on_start: Callable[[], None] | None = None,
        on_progress: Callable[[dict[str, Any]], None] | None = None,
    ) -> Any:
        """Run one job and return its answer.

        Cancelling gives up at once; the slot stays taken until the worker obeyed or was killed. Raises
        :class:`BudgetSpentError` after ``seconds`` of running, QueueFullError, and :class:`RpcError` (DISCONNECTED
        where the worker died: its message has the worker's last words).
        """
        await self.slots.take(client, on_wait)
        try:
            worker = await self._choose(document)
        except BaseException:
            self.slots.give_back()
            raise
        worker.busy = True
        if on_start is not None:
            on_start()
        obeyed = False
        try:
            answer = await worker.child.connection.call(method, params, on_progress=on_progress, timeout=seconds)
            worker.jobs += 1
            obeyed = worker.jobs % _JOBS_A_MEMORY_CHECK != 0
            return answer
        except RpcError as error:
            if error.code == ErrorCode.TIMEOUT:
                worker.child.signal(9)
                raise BudgetSpentError from error
            if error.code == ErrorCode.DISCONNECTED:
                raise RpcError(error.code, await _obituary(worker.child)) from error
            raise
        finally:
            if obeyed:
                worker.busy = False
                self.slots.give_back()
            else:
                settling = asyncio.create_task(self._settle(worker))
                self._settling.add(settling)
                settling.add_done_callback(self._settling.discard)

    async def close(self) -> None:
        """Stop every worker, running jobs included."""
        self._closing = True
        workers = list(self._workers)
        for worker in workers:
            worker.child.signal(9)  # they hold nothing that would be lost
        await asyncio.gather(*self._settling, return_exceptions=True)
        await asyncio.gather(*(worker.child.stop() for worker in workers), return_exceptions=True)
        self._workers.clear()

    async def _choose(self, document: Hashable) -> _Worker:
        idle = [w for w in self._workers if not w.busy and not w.child.connection.closed]
        chosen = next((w for w in idle if document in w.documents), None) or (idle[0] if idle else None)
        if chosen is None:
            if self._closing:
                raise RpcError(ErrorCode.SHUTTING_DOWN, "the runner is shutting down")
            argv = [sys.executable, "-m", "kernelgen_ls.runner.execution.worker", self.target]
            try:
                chosen = _Worker(await spawn(argv, env=self._env, on_stderr=_log_line))
            except OSError as problem:
                raise RpcError(ErrorCode.DISCONNECTED, f"no worker process could be started: {problem}") from problem
            self._workers.append(chosen)
        chosen.documents[document] = None
        chosen.documents.move_to_end(document)
        while len(chosen.documents) > _DOCUMENTS_A_WORKER:
            chosen.documents.popitem(last=False)
        return chosen

    async def _settle(self, worker: _Worker) -> None:
        """Make sure that the worker is idle, or that it is gone, before its slot goes to the next job."""
        try:
            keep = False
            with contextlib.suppress(RpcError):
                peak = await worker.child.connection.call("idle", timeout=self._obey_seconds)
                keep = isinstance(peak, int) and peak < self._memory_bytes
            if not keep:
                if worker in self._workers:
                    self._workers.remove(worker)
                worker.child.signal(9)
                await worker.child.stop()
        finally:
            worker.busy = False
            self.slots.give_back()


def _log_line(line: str) -> None:
    log.info("%s", line)


async def _obituary(child: Child) -> str:
    with contextlib.suppress(asyncio.TimeoutError):
        status = await asyncio.wait_for(child.wait(), 1)
        how = f"signal {-status}" if status < 0 else f"status {status}"
        last = f": {child.last_words[-1]}" if child.last_words else ""
        return f"the checking process ended unexpectedly ({how}){last}"
    return "the checking process stopped answering"
