"""Two connections joined by a socket pair, and children written as text."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from kernelgen_ls.rpc import Connection, Handler, Limits


async def streams() -> tuple[tuple[asyncio.StreamReader, asyncio.StreamWriter], ...]:
    left, right = socket.socketpair()
    return await asyncio.open_connection(sock=left), await asyncio.open_connection(sock=right)


@asynccontextmanager
async def joined(
    handlers: Mapping[str, Handler],
    *,
    client: Mapping[str, Handler] | None = None,
    limits: Limits | None = None,
    client_limits: Limits | None = None,
) -> AsyncIterator[tuple[Connection, Connection]]:
    """The calling side and the serving side, hello exchanged."""
    near, far = await streams()
    caller = Connection(*near, client or {}, limits=client_limits or limits)
    server = Connection(*far, handlers, limits=limits)
    await asyncio.gather(caller.start(), server.start())
    try:
        yield caller, server
    finally:
        await caller.close()
        await server.close()


CHILD = """
import asyncio, os, sys, time
from kernelgen_ls.rpc import RpcError, serve_stdio

async def echo(call):
    return call.params

async def talk(call):
    print("a library prints to stdout")
    os.write(1, b"and another writes to descriptor 1\\n")
    return os.getpid()

async def hang(call):
    await call.progress({"stage": "hanging"})
    await asyncio.sleep(3600)

async def block(call):
    time.sleep(3600)

asyncio.run(serve_stdio({"echo": echo, "talk": talk, "hang": hang, "block": block}))
"""


def child_argv(before: str = "") -> list[str]:
    return [sys.executable, "-c", before + CHILD]
