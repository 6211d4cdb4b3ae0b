"""The process a tool chain runs in: ``python -m kernelgen_ls.runner.worker package.module:Class``.

One job at a time, in a thread, so that the connection stays alive while native code works. The service's process
kills this one where a job ignores its cancellation or its budget; a crash here costs one job.
"""

from __future__ import annotations

import asyncio
import logging
import os
import resource
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from kernelgen_ls.rpc import Call, ErrorCode, RpcError, serve_stdio
from kernelgen_ls.runner.messages import CheckRequest
from kernelgen_ls.runner.toolchains import Cancelled, Toolchain, load
from kernelgen_ls.runner.wire import from_wire, to_wire


class Worker:
    """Serves one tool chain's jobs, one after the other."""

    def __init__(self, toolchain: Toolchain) -> None:
        self._toolchain = toolchain
        self._thread = ThreadPoolExecutor(1, "toolchain")
        self._running: asyncio.Future[dict[str, object]] | None = None

    async def check(self, call: Call) -> object:
        """``check``: a CheckRequest in, a CheckResult out."""
        request = from_wire(call.params, CheckRequest)
        return await self._run(lambda cancelled: to_wire(self._toolchain.check(request, cancelled)))

    async def idle(self, call: Call) -> object:
        """``idle``: answers once no job runs, with this process's peak memory in bytes."""
        if self._running is not None:
            await asyncio.wait([self._running])
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)

    async def _run(self, job: Callable[[Cancelled], dict[str, object]]) -> object:
        if self._running is not None and not self._running.done():
            raise RpcError(ErrorCode.OVERLOADED, "a job is running here already")
        cancelled = threading.Event()
        self._running = asyncio.get_running_loop().run_in_executor(self._thread, job, cancelled.is_set)
        try:
            return await asyncio.shield(self._running)
        except asyncio.CancelledError:
            cancelled.set()
            self._running.add_done_callback(lambda done: done.cancelled() or done.exception())
            raise


def main() -> None:
    """Serve the tool chain named on the command line until the service closes the pipe."""
    logging.basicConfig(level=logging.INFO, format="worker: %(levelname)s %(message)s")
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    worker = Worker(load(sys.argv[1]))
    asyncio.run(serve_stdio({"check": worker.check, "idle": worker.idle}))
    os._exit(0)  # without waiting for a thread that is stuck in native code


if __name__ == "__main__":
    main()
