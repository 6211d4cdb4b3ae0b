"""The worker processes of all of a runner's tool chains: a pool for each, made when it is first asked for."""

from __future__ import annotations

import asyncio
import os

from attrs import evolve

from kernelgen_ls.rpc import ErrorCode, RpcError
from kernelgen_ls.runner.jobs.config import WORKER_CONFIG, RunnerConfig, config_to_json
from kernelgen_ls.runner.server.pool import WorkerPool
from kernelgen_ls.runner.server.slots import FairSlots
from kernelgen_ls.runner.toolchains import TOOLCHAINS


class Pools:
    """Pools by tool chain, which share the runner's slots.

    Jobs on a device queue apart, in slots and processes of their own: a compile must not wait behind a measurement.
    """

    def __init__(self, config: RunnerConfig) -> None:
        self._config = config
        self._slots = {
            False: FairSlots(config.workers, config.max_waiting),
            True: FairSlots(max(1, len(config.devices)), config.max_waiting),
        }
        self._made: dict[tuple[str, bool], WorkerPool] = {}
        self._closed = False

    def of(self, toolchain: str, *, device: bool) -> WorkerPool:
        """The pool that runs a tool chain's jobs; its processes start with their first job.

        Raises :class:`RpcError` SHUTTING_DOWN once the pools are closed.
        """
        if self._closed:
            raise RpcError(ErrorCode.SHUTTING_DOWN, "the runner is shutting down")
        if (toolchain, device) not in self._made:
            row = TOOLCHAINS[toolchain]
            config = evolve(self._config, confined=self._config.confined and row.confinable)
            environment = {**os.environ, WORKER_CONFIG: config_to_json(config)}
            pool = WorkerPool(row.target, self._slots[device], env=environment)
            self._made[toolchain, device] = pool
        return self._made[toolchain, device]

    @property
    def running(self) -> int:
        """How many jobs run now."""
        return sum(pool.running for pool in self._made.values())

    @property
    def waiting(self) -> int:
        """How many jobs wait for their turn."""
        return sum(slots.waiting for slots in self._slots.values())

    async def close(self) -> None:
        """Stop every worker, running jobs included."""
        self._closed = True
        await asyncio.gather(*(pool.close() for pool in self._made.values()))
