"""Waiting with a limit: the answer, no answer, and a cancel that comes together with the answer."""

from __future__ import annotations

import asyncio

import pytest

from kernelgen_ls.rpc.waiting import within


async def waiting(answer: asyncio.Future[str], seconds: float = 60.0) -> asyncio.Task[str]:
    task = asyncio.create_task(within(seconds, answer))
    await asyncio.sleep(0)
    return task


async def test_the_answer_is_given() -> None:
    answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    task = await waiting(answer)
    answer.set_result("yes")
    assert await task == "yes"


async def test_no_answer_is_a_time_out_and_nobody_waits_for_it_any_more() -> None:
    answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    with pytest.raises(asyncio.TimeoutError):
        await within(0, answer)
    assert answer.cancelled()


async def test_a_cancel_that_comes_with_the_answer_is_a_cancel() -> None:
    answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    task = await waiting(answer)
    answer.set_result("yes")
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
