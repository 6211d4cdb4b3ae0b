"""Watching the client's process: a server must not outlive the editor that started it, even when a pipe stays open."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable

POLL_SECONDS = 1.0


def exists(process_id: int) -> bool:
    """Whether there is such a process here.

    There is none when the client lives in another process namespace (an editor outside, the server in a container): its
    number then means nothing and must not be watched.
    """
    return _alive(process_id)


async def watch(process_id: int, on_gone: Callable[[], None]) -> None:
    """Call ``on_gone`` when ``process_id`` is gone."""
    while _alive(process_id):  # noqa: ASYNC110  # a foreign process sends no event, it can only be asked
        await asyncio.sleep(POLL_SECONDS)
    on_gone()


def _alive(process_id: int) -> bool:
    if sys.platform == "win32":
        return _alive_windows(process_id)
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return not _zombie(process_id)


def _zombie(process_id: int) -> bool:
    """Whether a process has ended and only waits for its parent (Linux; elsewhere False)."""
    try:
        with open(f"/proc/{process_id}/stat", "rb") as stat:  # noqa: PTH123  # one read of a kernel file, once a second
            return stat.read().rpartition(b")")[2].split()[:1] == [b"Z"]
    except OSError:
        return False


def _alive_windows(process_id: int) -> bool:
    import ctypes

    kernel32 = ctypes.windll.kernel32  # type: ignore[attr-defined,unused-ignore]  # exists on Windows alone
    synchronize = 0x00100000
    handle = kernel32.OpenProcess(synchronize, False, process_id)
    if not handle:
        return False
    still_running = kernel32.WaitForSingleObject(handle, 0) != 0
    kernel32.CloseHandle(handle)
    return bool(still_running)
