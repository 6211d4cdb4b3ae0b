"""The process a tool chain runs in: ``python -m kernelgen_ls.runner.execution.worker package.module:Class``.

One job at a time, in a thread, so that the connection stays alive while native code works. The service's process
kills this one where a job ignores its cancellation or its budget; a crash here costs one job.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from kernelgen_ls.rpc import Call, ErrorCode, Handler, RpcError, serve_stdio
from kernelgen_ls.rpc.wire import from_wire, to_wire
from kernelgen_ls.runner.jobs.config import worker_config
from kernelgen_ls.runner.jobs.kinds import KINDS
from kernelgen_ls.runner.jobs.messages import StageReport
from kernelgen_ls.runner.toolchains import Cancelled, OnStage, Toolchain, load

Work = Callable[[Cancelled, OnStage], object]


class Worker:
    """Serves one tool chain's jobs, one after the other."""

    def __init__(self, toolchain: Toolchain) -> None:
        self._toolchain = toolchain
        self._thread = ThreadPoolExecutor(1, "toolchain")
        self._running: asyncio.Future[dict[str, Any]] | None = None
        jobs = {name: partial(self._job, name) for name in toolchain.handlers}
        self.handlers: dict[str, Handler] = {**jobs, "toolchain": self._info, "idle": self._idle}

    async def _job(self, kind: str, call: Call) -> object:
        job, handler = from_wire(call.params, KINDS[kind].request), self._toolchain.handlers[kind]
        return await self._run(call, lambda cancelled, on_stage: handler(job, cancelled, on_stage))

    async def _info(self, call: Call) -> object:
        return await self._run(call, lambda _cancelled, _on_stage: self._toolchain.info())

    async def _idle(self, call: Call) -> object:
        """Answer once no job runs, with this process's peak memory in bytes."""
        if self._running is not None:
            await asyncio.wait([self._running])
        return _peak_bytes()

    async def _run(self, call: Call, work: Work) -> object:
        if self._running is not None and not self._running.done():
            raise RpcError(ErrorCode.OVERLOADED, "a job is running here already")
        loop = asyncio.get_running_loop()
        cancelled = threading.Event()

        def tell(report: StageReport) -> None:
            loop.call_soon_threadsafe(lambda: loop.create_task(call.progress(to_wire(report))))

        self._running = loop.run_in_executor(self._thread, lambda: to_wire(work(cancelled.is_set, tell)))
        try:
            return await asyncio.shield(self._running)
        except asyncio.CancelledError:
            cancelled.set()
            self._running.add_done_callback(lambda done: done.cancelled() or done.exception())
            raise


def _peak_bytes() -> int:
    """The most memory that this process ever had resident; 0 on Windows, where nobody counts it for us."""
    if sys.platform == "win32":
        return 0
    import resource  # Unix only

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def collect_rarely() -> None:
    """Let the collector of cycles look at less and less often.

    A job makes thousands of objects that stay until the next one replaces them, hardly any of them in cycles.
    """
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def _leave_no_core() -> None:
    if sys.platform != "win32":
        import resource  # Unix only

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _stand_back(nice: int) -> None:
    """Leave the processor to the service whenever it has a kept answer to give.

    A session of its own is a group of its own where Linux schedules by groups; there only the group's niceness counts
    against other sessions (sched(7), "The autogroup feature").
    """
    if sys.platform == "win32":
        return
    os.nice(nice)
    if nice:
        with contextlib.suppress(OSError):
            Path("/proc/self/autogroup").write_text(f"{nice}\n")
    if nice and hasattr(os, "SCHED_BATCH"):
        with contextlib.suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def main() -> None:
    """Serve the tool chain named on the command line until the service closes the pipe."""
    logging.basicConfig(level=logging.INFO, format="worker: %(levelname)s %(message)s")
    _leave_no_core()
    config = worker_config()
    _stand_back(config.nice)
    if config.confined:
        from kernelgen_ls.runner.execution.confine import confine  # Linux only

        confine()
    worker = Worker(load(sys.argv[1]))
    collect_rarely()
    asyncio.run(serve_stdio(worker.handlers))
    os._exit(0)  # without waiting for a thread that is stuck in native code


if __name__ == "__main__":
    main()
