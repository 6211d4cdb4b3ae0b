"""A service in this process and clients joined to it by socket pairs."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

from attrs import define, evolve

from kernelgen_ls.rpc import Connection
from kernelgen_ls.runner.client.client import RunnerClient
from kernelgen_ls.runner.jobs.config import RunnerConfig
from kernelgen_ls.runner.jobs.messages import CheckRequest, SourceFile
from kernelgen_ls.runner.server.pool import WorkerPool
from kernelgen_ls.runner.server.service import RunnerService


@define
class SocketLink:
    connection: Connection

    async def stop(self) -> None:
        await self.connection.close()


class Serving:
    def __init__(self, config: RunnerConfig, toolchain: str = "scripted") -> None:
        self.service = RunnerService(evolve(config, toolchain=toolchain))
        self.servers: list[Connection] = []
        self.clients: list[RunnerClient] = []

    @property
    def pool(self) -> WorkerPool:
        """The processes that check."""
        return self.service.pools.of(self.service.config.toolchain, device=False)

    async def open(self) -> SocketLink:
        left, right = socket.socketpair()
        near = Connection(*await asyncio.open_connection(sock=left), {})
        far = Connection(*await asyncio.open_connection(sock=right), self.service.handlers())
        self.servers.append(far)
        await asyncio.gather(near.start(), far.start())
        return SocketLink(near)

    def client(self, **options: Any) -> RunnerClient:
        self.clients.append(RunnerClient("test", self.open, **options))
        return self.clients[-1]

    async def close(self) -> None:
        for client in self.clients:
            await client.close()
        for server in self.servers:
            await server.close()
        await self.service.close()


def request(text: str, *, document: str = "", version: int = 0, entry: str = "k.cpp", **others: str) -> CheckRequest:
    files = [SourceFile(entry, text), *(SourceFile(name.replace("__", "/"), body) for name, body in others.items())]
    return CheckRequest(entry, tuple(files), "Ascend910B1", document=document, version=version)
