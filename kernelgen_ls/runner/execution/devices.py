"""One job at a time on a device, across all runners of a machine: a lock file for each NPU.

A runner behind ``ssh`` is a process of its own for every user, so the lock cannot live in a runner's memory.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

_TICK_SECONDS = 0.02


class DeviceBusyError(Exception):
    """No device became free in time, or the job was cancelled while it waited."""


@contextlib.contextmanager
def device(
    numbers: Sequence[int], seconds: float, cancelled: Callable[[], bool], on_wait: Callable[[], None]
) -> Iterator[int]:
    """Hold one of the devices, whichever is free first; gives its number.

    ``on_wait`` is called once where none is free. Raises :class:`DeviceBusyError` after ``seconds`` or when
    ``cancelled``. A process that dies gives its device back.
    """
    import fcntl  # Unix only

    deadline = time.monotonic() + seconds
    told = False
    while True:
        for number in numbers:
            lock = _open(number)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(lock)
                continue
            try:
                yield number
            finally:
                os.close(lock)
            return
        if not told:
            told = True
            on_wait()
        if cancelled():
            raise DeviceBusyError("cancelled while waiting for a device")
        if time.monotonic() > deadline:
            raise DeviceBusyError(f"no device was free for {seconds:g} s")
        time.sleep(_TICK_SECONDS)


def _open(number: int) -> int:
    path = Path(tempfile.gettempdir()) / f"kernelgen-device-{number}.lock"
    with contextlib.suppress(FileExistsError):
        created = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_NOFOLLOW, 0o666)
        os.fchmod(created, 0o666)  # whatever the umask: another user's runner waits for the same device
        return created
    return os.open(path, os.O_RDWR | os.O_NOFOLLOW)
