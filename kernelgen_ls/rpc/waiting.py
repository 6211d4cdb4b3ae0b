"""Waiting for an answer no longer than so many seconds, without losing a cancel."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

T = TypeVar("T")


async def within(seconds: float, answer: Awaitable[T]) -> T:
    """What ``answer`` gives; raises ``asyncio.TimeoutError``, and what it raises.

    ``asyncio.wait_for`` before Python 3.12 returns the answer when a cancel comes together with it, and whoever was
    cancelled goes on.
    """
    future = asyncio.ensure_future(answer)
    try:
        done, _ = await asyncio.wait({future}, timeout=seconds)
        if not done:
            raise asyncio.TimeoutError
        return future.result()
    finally:
        future.cancel()
