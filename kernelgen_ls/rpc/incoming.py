"""The reading half of a connection: the magic line, then frames, and when the peer last showed a sign of life."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any

from kernelgen_ls.rpc.errors import ErrorCode, RpcError
from kernelgen_ls.rpc.frames import MAGIC, PREAMBLE_LIMIT, Limits, Message, decode, frame_length

log = logging.getLogger(__name__)

_PIECE = 64 * 1024


class Incoming:
    """Messages from a stream. ``limits`` may be changed between two messages."""

    def __init__(self, reader: asyncio.StreamReader, limits: Limits) -> None:
        self.limits = limits
        self.preamble = b""
        """What came before the magic line."""
        self.last_read = time.monotonic()
        self._reader = reader

    @property
    def said(self) -> dict[str, Any] | None:
        """The end of the preamble, for an error's data: where no runner answered, it tells who did."""
        return {"preamble": self.preamble[-2000:].decode("utf-8", "replace")} if self.preamble else None

    async def skip_preamble(self) -> None:
        """Read past the magic line. Raises :class:`RpcError` DISCONNECTED where none comes."""
        seen = bytearray()
        while (at := seen.find(MAGIC)) < 0:
            if len(seen) > PREAMBLE_LIMIT:
                self.preamble = bytes(seen)
                raise RpcError(ErrorCode.DISCONNECTED, "64 KiB of chatter and no magic line", self.said)
            # One byte over the magic would be a frame's, so read no further than its line's end.
            try:
                seen += await self._reader.readuntil(b"\n")
            except asyncio.IncompleteReadError as end:
                self.preamble = bytes(seen + end.partial)
                raise RpcError(ErrorCode.DISCONNECTED, "the stream ended before its magic line", self.said) from end
            except OSError as problem:
                raise RpcError(ErrorCode.DISCONNECTED, _how_it_ended(problem), self.said) from problem
            except asyncio.LimitOverrunError as over:
                seen += await self._reader.readexactly(max(1, over.consumed))
        self.preamble = bytes(seen[:at])
        if self.preamble:
            log.info("skipped before the magic line: %r", self.preamble[:2000])

    async def message(self) -> Message:
        """The next message. Raises :class:`RpcError`: DISCONNECTED at the stream's end, PARSE for other bytes."""
        try:
            left = frame_length(await self._reader.readexactly(4), self.limits)
            pieces: list[bytes] = []
            while left:
                # In pieces, so that a large frame over a slow line counts as a sign of life while it comes.
                pieces.append(await self._reader.readexactly(min(left, _PIECE)))
                left -= len(pieces[-1])
                self.last_read = time.monotonic()
        except (asyncio.IncompleteReadError, OSError) as problem:
            raise RpcError(ErrorCode.DISCONNECTED, _how_it_ended(problem), self.said) from problem
        return decode(b"".join(pieces), self.limits)


def _how_it_ended(problem: Exception) -> str:
    if isinstance(problem, asyncio.IncompleteReadError):
        return "the peer closed the stream"
    return f"the stream broke: {problem or type(problem).__name__}"
