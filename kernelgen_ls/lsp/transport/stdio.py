"""Standard input and output as the protocol's transport.

Nothing but protocol messages may reach standard output: a stray ``print`` or a native library writing to file
descriptor 1 would corrupt the stream. So at start the real descriptors are moved away, 1 is pointed at standard error
and 0 at the null device (children must not read the client's messages either).

One thread reads whole messages, one writes them: a client that stops reading never blocks the event loop, and no
handler can starve the reader.
"""

from __future__ import annotations

import asyncio
import logging
import os
import queue
import sys
import threading
from collections.abc import Callable
from typing import BinaryIO

logger = logging.getLogger(__name__)

MAX_MESSAGE_BYTES = 256 * 1024 * 1024
"""A longer message is not a language client's; reading it would only fill the memory."""
MAX_PENDING = 256
"""Messages read ahead of the event loop; then the reader waits and the client's pipe fills."""


def take_descriptors() -> tuple[BinaryIO, BinaryIO]:
    """Move 0 and 1 away for this server alone; returns (input, output) as binary files."""
    taken_in, taken_out = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return os.fdopen(taken_in, "rb"), os.fdopen(taken_out, "wb")


class MessageReader:
    """Reads framed messages in a thread and hands their bodies to ``on_message`` on the event loop, in order."""

    def __init__(self, stream: BinaryIO, on_message: Callable[[bytes], None], on_closed: Callable[[], None]) -> None:
        self._stream = stream
        self._on_message = on_message
        self._on_closed = on_closed
        self._room = threading.Semaphore(MAX_PENDING)

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to read; ``on_closed`` is called once when the client's end closes."""
        threading.Thread(target=self._read, args=(loop,), name="lsp-reader", daemon=True).start()

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        try:
            while (body := self._read_message()) is not None:
                self._room.acquire()
                loop.call_soon_threadsafe(self._deliver, body)
            loop.call_soon_threadsafe(self._on_closed)
        except RuntimeError:
            logger.debug("the event loop ended before the client closed its end")

    def _deliver(self, body: bytes) -> None:
        self._room.release()
        self._on_message(body)

    def _read_message(self) -> bytes | None:
        """One message's body; None at the end of the stream or when it is no longer understood."""
        length: int | None = None
        while True:
            try:
                line = self._stream.readline(64 * 1024)
            except (OSError, ValueError):
                return None
            if not line:
                return None
            if not line.strip():
                if length is None:
                    continue
                body = self._stream.read(length)
                return body if len(body) == length else None
            name, _, value = line.partition(b":")
            if name.strip().lower() == b"content-length":
                length = int(value) if value.strip().isdigit() else None
                if length is None or length > MAX_MESSAGE_BYTES:
                    logger.error("unreadable or oversize Content-Length %r: the connection is given up", value[:40])
                    return None


class MessageWriter:
    """Writes in a thread, in order; ``close`` flushes."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._queue: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="lsp-writer", daemon=True)
        self._thread.start()

    def write(self, data: bytes) -> None:
        """Queue bytes; never blocks."""
        self._queue.put(data)

    def close(self, timeout: float = 2.0) -> None:
        """Wait until everything queued is written, at most ``timeout`` seconds (the client may have gone)."""
        self._queue.put(None)
        self._thread.join(timeout)

    def _run(self) -> None:
        broken = False
        while (data := self._queue.get()) is not None:
            if broken:
                continue
            try:
                self._stream.write(data)
                self._stream.flush()
            except (OSError, ValueError):
                broken = True
                logger.info("the client no longer reads")
