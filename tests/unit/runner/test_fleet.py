"""Several machines under one name: who gets a job, and what happens while some of them cannot be reached."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from attrs import evolve

from kernelgen_ls.runner.client import fleet
from kernelgen_ls.runner.client.client import Link, RunnerClient, RunnerLoad, UnreachableError
from kernelgen_ls.runner.client.fleet import PooledRunner
from kernelgen_ls.runner.jobs.config import RunnerConfig
from kernelgen_ls.runner.jobs.messages import Outcome
from kernelgen_ls.settings import RunnerSettings
from tests.unit.runner.serving import Serving, request

Serve = Callable[..., Awaitable[Serving]]


async def nobody() -> Link:
    raise UnreachableError("it is switched off", "Switch it on.")


async def test_a_machine_that_is_off_is_passed_over_while_another_is_on(serve: Serve) -> None:
    off = RunnerClient("lab", nobody)
    pool = PooledRunner([(RunnerSettings(name="lab"), off), (RunnerSettings(name="lab"), (await serve()).client())])
    for text in ("error one", "error two", "error three"):
        assert (await pool.run(request(text))).outcome is Outcome.COMPILE_ERROR
    alone = PooledRunner([(RunnerSettings(name="lab"), off), (RunnerSettings(name="lab"), RunnerClient("lab", nobody))])
    result = await alone.run(request("pass"))
    assert result.outcome is Outcome.INFRA_ERROR and "switched off" in result.message


async def test_a_machine_that_others_keep_busy_is_left_to_them(serve: Serve) -> None:
    busy, idle = await serve(RunnerConfig(workers=1)), await serve(RunnerConfig(workers=1))
    others, running = busy.client(), asyncio.Event()
    job = asyncio.create_task(others.run(request("hang"), lambda _: running.set()))
    await running.wait()
    pool = PooledRunner([(RunnerSettings(name="lab"), busy.client()), (RunnerSettings(name="lab"), idle.client())])
    mine = await asyncio.wait_for(pool.run(request("pid")), 20)
    assert int(mine.findings[0].message) in idle.pool.pids
    job.cancel()
    await asyncio.gather(job, return_exceptions=True)


async def test_a_job_goes_to_a_machine_with_its_chip(serve: Serve) -> None:
    first, second = await serve(), await serve()
    lab = RunnerSettings(name="lab")
    pool = PooledRunner(
        [(evolve(lab, soc="Ascend310P3"), first.client()), (evolve(lab, soc="Ascend910B1"), second.client())]
    )
    assert int((await pool.run(request("pid"))).findings[0].message) in second.pool.pids
    wanted = evolve(request("pid"), chip="Ascend310P1")
    assert int((await pool.run(wanted)).findings[0].message) in first.pool.pids
    nowhere = await pool.run(evolve(request("pid"), chip="Ascend310B1"))
    assert nowhere.outcome is Outcome.INFRA_ERROR and "Ascend310B1" in nowhere.message


async def silence() -> Link:
    await asyncio.sleep(3600)
    raise AssertionError


async def test_a_machine_that_swallows_packets_is_waited_for_by_no_check(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fleet, "_ASK_SECONDS", 3600.0)
    served = await serve()
    asked: list[None] = []

    class Counting(RunnerClient):
        async def load(self, kind: str = "") -> RunnerLoad | None:
            asked.append(None)
            return await super().load(kind)

    lab = RunnerSettings(name="lab")
    pool = PooledRunner([(lab, RunnerClient("lab", silence)), (lab, Counting("lab", served.open))])
    await pool.run(request("error: the worker has started"))
    for text in ("error one", "error two", "error three"):
        assert (await pool.run(request(text))).outcome is Outcome.COMPILE_ERROR
    assert len(asked) == 1, "what it said a moment ago still holds"
    await pool.close()
