"""Children over pipes: clean wire, clear failures, no orphans."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import textwrap

import psutil
import pytest

from kernelgen_ls.rpc import ErrorCode, Limits, RpcError, spawn
from tests.unit.rpc.pair import child_argv


async def test_a_child_that_prints_does_not_spoil_the_wire() -> None:
    heard: list[str] = []
    child = await spawn(child_argv("print('chatter before the magic line')\n"), on_stderr=heard.append)
    assert await child.connection.call("talk") == child.pid
    assert child.connection.preamble == b"chatter before the magic line\n"
    assert await child.stop() == 0
    assert "and another writes to descriptor 1" in heard


async def test_a_killed_child_fails_its_calls() -> None:
    child = await spawn(child_argv())
    hanging = asyncio.Event()
    calling = asyncio.create_task(child.connection.call("hang", on_progress=lambda _: hanging.set()))
    await hanging.wait()
    os.kill(child.pid, signal.SIGKILL)
    with pytest.raises(RpcError) as raised:
        await calling
    assert raised.value.code == ErrorCode.DISCONNECTED
    assert await child.wait() == -signal.SIGKILL
    await child.stop()


async def test_a_child_stuck_in_native_code_is_stopped_all_the_same() -> None:
    child = await spawn(child_argv())
    calling = asyncio.create_task(child.connection.call("block"))
    await asyncio.sleep(0)
    assert await child.stop() != 0
    with pytest.raises(RpcError):
        await calling


async def test_a_program_that_is_not_ours_is_named_by_its_own_words() -> None:
    argv = [sys.executable, "-c", "import sys; sys.exit('No module named kernelgen_ls')"]
    with pytest.raises(RpcError) as raised:
        await spawn(argv, limits=Limits(start_seconds=20))
    assert raised.value.code == ErrorCode.DISCONNECTED
    assert "No module named kernelgen_ls" in raised.value.message
    with pytest.raises(OSError, match="nowhere"):
        await spawn(["/nowhere/at-all"])


async def test_a_child_ends_when_its_parent_is_killed() -> None:
    parent = textwrap.dedent(
        f"""
        import asyncio
        from kernelgen_ls.rpc import spawn

        async def main():
            child = await spawn({child_argv()!r})
            print(child.pid, flush=True)
            asyncio.create_task(child.connection.call("block"))
            await asyncio.sleep(3600)

        asyncio.run(main())
        """
    )
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", parent, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    child = psutil.Process(int(await process.stdout.readline()))
    process.kill()
    await process.wait()
    await asyncio.to_thread(child.wait, 10)
