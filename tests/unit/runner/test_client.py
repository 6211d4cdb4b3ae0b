"""The client alone: status, backoff, a runner that dies or cannot be reached."""

from __future__ import annotations

import asyncio
import os
import signal
import sys

import psutil
import pytest

from kernelgen_ls.rpc import Child
from kernelgen_ls.runner.client.client import RunnerClient, RunnerState, RunnerStatus, UnreachableError, local_runner
from kernelgen_ls.runner.jobs.messages import Outcome
from tests.unit.runner.serving import request

RUNNER = """
import asyncio
import scripted_toolchain  # adds its row to the table
from kernelgen_ls.rpc import serve_stdio
from kernelgen_ls.runner.jobs.config import RunnerConfig
from kernelgen_ls.runner.server.service import RunnerService

async def main():
    service = RunnerService(RunnerConfig("scripted", workers=1))
    await serve_stdio(service.handlers())
    await service.close()

asyncio.run(main())
"""


def pid_of(client: RunnerClient) -> int:
    assert isinstance(client._link, Child)
    return client._link.pid


async def test_a_killed_runner_is_an_infra_error_and_the_next_request_starts_another() -> None:
    seen: list[RunnerStatus] = []
    client = local_runner(argv=[sys.executable, "-c", RUNNER], on_status=seen.append)
    assert client.status.state is RunnerState.IDLE
    assert (await client.run(request("error one"))).outcome == Outcome.COMPILE_ERROR
    for _ in range(2):
        running = asyncio.Event()
        asking = asyncio.create_task(client.run(request("hang", version=5), lambda _, r=running: r.set()))
        await running.wait()
        os.kill(pid_of(client), signal.SIGKILL)
        result = await asking
        assert (result.outcome, result.version) == (Outcome.INFRA_ERROR, 5)
        assert (await client.run(request("error again"))).outcome == Outcome.COMPILE_ERROR
    await client.close()
    states = [status.state for status in seen]
    assert states[:3] == [RunnerState.CONNECTING, RunnerState.CONNECTED, RunnerState.UNREACHABLE]
    assert states[-2:] == [RunnerState.CONNECTED, RunnerState.CLOSED]
    assert seen[1].info["version"] and "gone" in seen[2].reason
    assert (await client.run(request("error late"))).outcome == Outcome.INFRA_ERROR


async def test_the_runners_processes_are_gone_after_close() -> None:
    client = local_runner(argv=[sys.executable, "-c", RUNNER])
    result = await client.run(request("pid"))
    processes = [psutil.Process(pid) for pid in (int(result.findings[0].message), pid_of(client))]
    await client.close()
    _, alive = await asyncio.to_thread(psutil.wait_procs, processes, 10)
    assert alive == []


async def test_a_program_that_is_no_runner_is_reported_with_its_words() -> None:
    client = local_runner(argv=[sys.executable, "-c", "raise SystemExit('no such command: runner')"])
    result = await client.run(request("pass"))
    assert result.outcome == Outcome.INFRA_ERROR and "no such command: runner" in result.message
    assert client.status.state is RunnerState.UNREACHABLE


async def test_trying_again_waits_longer_each_time_and_says_so() -> None:
    tries = 0

    async def refuse() -> Child:
        nonlocal tries
        tries += 1
        raise UnreachableError("the host is down", "Check the cable.")

    client = RunnerClient("far", refuse, backoff_seconds=(100.0, 200.0))
    first = [(await client.run(request("pass"))).message for _ in range(2)]
    assert first == ["the host is down. Check the cable."] * 2
    later = await client.run(request("pass"))
    assert tries == 2
    assert "trying again in" in later.message and "Check the cable." in later.message
    await client.restart()
    await client.run(request("pass"))
    assert tries == 3


async def test_requests_during_connecting_share_one_try() -> None:
    tries = 0
    trying, gate = asyncio.Event(), asyncio.Event()

    async def slowly() -> Child:
        nonlocal tries
        tries += 1
        trying.set()
        await gate.wait()
        raise UnreachableError("down")

    client = RunnerClient("far", slowly)
    asking = [asyncio.create_task(client.run(request("pass"))) for _ in range(10)]
    await trying.wait()
    gate.set()
    await asyncio.gather(*asking)
    assert tries == 1


async def test_a_broken_status_listener_hurts_nobody() -> None:
    def broken(_: RunnerStatus) -> None:
        raise ValueError("a defect")

    client = local_runner(argv=[sys.executable, "-c", RUNNER], on_status=broken)
    assert (await client.run(request("pass"))).outcome == Outcome.PASSED
    await client.close()


@pytest.mark.parametrize("argv", [["/nowhere/kernelgen-ls"], ["/etc/passwd"]])
async def test_a_program_that_cannot_start_is_reported(argv: list[str]) -> None:
    result = await local_runner(argv=argv).run(request("pass"))
    assert result.outcome == Outcome.INFRA_ERROR and "doctor" in result.message


async def test_closing_while_it_connects_answers_the_request() -> None:
    trying = asyncio.Event()

    async def never_there() -> Child:
        trying.set()
        await asyncio.Event().wait()
        raise AssertionError("unreachable")

    client = RunnerClient("far", never_there)
    asking = asyncio.create_task(client.run(request("pass", version=2)))
    await trying.wait()
    await client.close()
    result = await asking
    assert (result.outcome, result.version) == (Outcome.INFRA_ERROR, 2) and "closed" in result.message
