"""Fairness and bounds of the queue."""

from __future__ import annotations

import asyncio

import pytest

from kernelgen_ls.runner.server.slots import FairSlots, QueueFullError


async def order(slots: FairSlots, clients: str) -> str:
    served: list[str] = []

    async def job(client: str) -> None:
        await slots.take(client)
        served.append(client)
        await asyncio.sleep(0)
        slots.give_back()

    await asyncio.gather(*(job(c) for c in clients))
    return "".join(served)


async def test_a_client_with_many_jobs_does_not_starve_another() -> None:
    assert await order(FairSlots(1), "aaaaaabc") == "aabcaaaa"


async def test_in_order_within_a_client_and_all_slots_return() -> None:
    slots = FairSlots(3)
    assert sorted(await order(slots, "abcabcabc")) == sorted("abcabcabc")
    assert (slots.free, slots.waiting) == (3, 0)


async def test_a_waiting_job_that_leaves_takes_no_slot_with_it() -> None:
    slots = FairSlots(1)
    await slots.take("a")
    positions: list[int] = []
    waiting = [asyncio.create_task(slots.take("b", positions.append)) for _ in range(3)]
    await asyncio.sleep(0)
    assert positions == [0, 1, 2]
    waiting[0].cancel()
    await asyncio.sleep(0)
    slots.give_back()
    waiting[1].cancel()  # at the moment of its turn
    await asyncio.gather(*waiting[:2], return_exceptions=True)
    await asyncio.wait_for(waiting[2], 60)
    slots.give_back()
    assert (slots.free, slots.waiting) == (1, 0)


async def test_the_queue_is_bounded() -> None:
    slots = FairSlots(0, max_waiting=2)
    waiting = [asyncio.create_task(slots.take("a")) for _ in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(QueueFullError):
        await slots.take("b")
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
