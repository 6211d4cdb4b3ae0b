"""Connections over pipes: start a child and talk to it, or be the child.

A child leads its own process group, so that stopping it stops what it started, and ends itself when its parent is
gone. The child's own standard output is not the wire: libraries that print reach standard error.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from attrs import define, field

from kernelgen_ls.rpc.connection import Connection, Handler, OnNotification
from kernelgen_ls.rpc.errors import RpcError
from kernelgen_ls.rpc.frames import Limits

log = logging.getLogger(__name__)

_STDERR_LINE = 8 * 1024
_GRACE_SECONDS = 2.0


@define(eq=False)
class Child:
    """A started child: its connection and its end."""

    connection: Connection
    process: asyncio.subprocess.Process
    last_words: list[str] = field(factory=list)
    """The last lines of its standard error, oldest first: what to show when it died."""
    _stderr: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int:
        """The child's process id, which is also its process group."""
        return self.process.pid

    async def wait(self) -> int:
        """Until the child has ended; its exit status, negative for a signal."""
        return await self.process.wait()

    async def stop(self) -> int:
        """Close the connection, then insist: the exit status once the child and its process group are gone."""
        await self.connection.close()
        for sign in (None, signal.SIGTERM, signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM):
            if sign is not None:
                self.signal(sign)
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self.process.wait(), _GRACE_SECONDS)
                break
        self.signal(signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM)
        if self._stderr is not None:
            await asyncio.wait([self._stderr], timeout=1)
            self._stderr.cancel()
        return await self.process.wait()

    def signal(self, number: int) -> None:
        """Send a signal to the child's whole process group; nothing where it is gone."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                self.process.send_signal(number)
            else:
                os.killpg(self.process.pid, number)


async def spawn(
    argv: Sequence[str],
    *,
    handlers: Mapping[str, Handler] | None = None,
    env: Mapping[str, str] | None = None,
    cwd: str | Path | None = None,
    limits: Limits | None = None,
    features: Sequence[str] = (),
    on_notification: Mapping[str, OnNotification] | None = None,
    on_stderr: Callable[[str], None] | None = None,
) -> Child:
    """Start ``argv`` and exchange hello with it over its pipes.

    ``on_stderr`` gets each line the child writes to standard error (they go to the log otherwise). Raises OSError
    where the program cannot be started, and :class:`RpcError` where it is not one of ours; it is stopped then, and the
    error's message ends with its last words.
    """
    process = await asyncio.create_subprocess_exec(
        *argv,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=dict(env) if env is not None else None,
        cwd=cwd,
        start_new_session=True,
    )
    assert process.stdin and process.stdout and process.stderr
    connection = Connection(
        process.stdout,
        process.stdin,
        handlers or {},
        features=features,
        limits=limits,
        on_notification=on_notification,
    )
    child = Child(connection, process)
    child._stderr = asyncio.create_task(_read_stderr(process.stderr, child, on_stderr or _log_line))
    try:
        await connection.start()
    except RpcError as error:
        await child.stop()
        raise RpcError(error.code, " ".join([error.message, *child.last_words[-3:]]).strip(), error.data) from error
    except asyncio.CancelledError:
        await child.stop()
        raise
    return child


def _log_line(line: str) -> None:
    log.info("child: %s", line)


async def _read_stderr(stream: asyncio.StreamReader, child: Child, on_line: Callable[[str], None]) -> None:
    rest = b""
    while chunk := await stream.read(_STDERR_LINE):
        *lines, rest = (rest + chunk).split(b"\n")
        if len(rest) > _STDERR_LINE:
            lines, rest = [*lines, rest], b""
        for line in lines:
            _hear(line, child, on_line)
    if rest:
        _hear(rest, child, on_line)


def _hear(line: bytes, child: Child, on_line: Callable[[str], None]) -> None:
    text = line.decode("utf-8", "replace").rstrip()
    child.last_words.append(text)
    del child.last_words[:-20]
    try:
        on_line(text)
    except Exception:
        # A listener's defect must not stop the reading: a full stderr pipe would block the child.
        log.exception("a listener of a child's standard error failed")


async def serve_stdio(
    handlers: Mapping[str, Handler],
    *,
    features: Sequence[str] = (),
    limits: Limits | None = None,
    on_notification: Mapping[str, OnNotification] | None = None,
    on_start: Callable[[Connection], None] | None = None,
) -> None:
    """Be the child: serve ``handlers`` over standard input and output until the peer closes them.

    Takes the two descriptors away first: afterwards standard output is standard error and standard input is empty,
    so that nothing a library prints reaches the wire. Raises :class:`RpcError` where hello fails.
    """
    incoming, outgoing = _take_stdio()
    _end_with_parent()
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=64 * 1024, loop=loop)
    protocol = asyncio.StreamReaderProtocol(reader, loop=loop)
    await loop.connect_read_pipe(lambda: protocol, os.fdopen(incoming, "rb", 0))
    write_transport, write_protocol = await loop.connect_write_pipe(
        lambda: asyncio.StreamReaderProtocol(asyncio.StreamReader(loop=loop), loop=loop),
        os.fdopen(outgoing, "wb", 0),
    )
    writer = asyncio.StreamWriter(write_transport, write_protocol, None, loop)
    connection = Connection(reader, writer, handlers, features=features, limits=limits, on_notification=on_notification)
    await connection.start()
    if on_start is not None:
        on_start(connection)
    await connection.wait_closed()


def _take_stdio() -> tuple[int, int]:
    sys.stdout.flush()
    incoming, outgoing = os.dup(0), os.dup(1)
    os.set_inheritable(incoming, False)
    os.set_inheritable(outgoing, False)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return incoming, outgoing


def _end_with_parent() -> None:
    """End this process soon after its parent ended, even where native code holds the event loop."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        time.sleep(_GRACE_SECONDS)
        os._exit(1)

    if sys.platform != "win32":
        threading.Thread(target=watch, name="parent-watch", daemon=True).start()
