"""A network that stalls, heals and breaks between a client and its runner."""

from __future__ import annotations

import asyncio
import contextlib

from kernelgen_ls.rpc import Limits
from kernelgen_ls.runner.client.client import RunnerClient, RunnerState, RunnerStatus
from kernelgen_ls.runner.client.transports import TlsAddress, open_tls
from kernelgen_ls.runner.jobs.config import RunnerConfig
from kernelgen_ls.runner.jobs.messages import Outcome
from kernelgen_ls.runner.server.listen import ListenConfig, Listener
from kernelgen_ls.runner.server.service import RunnerService
from tests.unit.runner.serving import request

BEAT = Limits(heartbeat_seconds=0.1)


class Wire:
    """A TCP relay that can be stalled, as a cut cable is: nothing arrives, nothing is closed."""

    def __init__(self, target: int) -> None:
        self.target = target
        self.flowing = asyncio.Event()
        self.flowing.set()
        self.holding = asyncio.Event()
        """Set once something arrived that is not carried on."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: list[asyncio.StreamWriter] = []
        self._server: asyncio.Server | None = None

    async def start(self) -> int:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self.flowing.wait()
        there, back = await asyncio.open_connection("127.0.0.1", self.target)
        self._writers += [writer, back]
        for source, sink in ((reader, back), (there, writer)):
            task = asyncio.create_task(self._carry(source, sink))
            self._tasks.add(task)

    async def _carry(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            await self._copy(source, sink)

    async def _copy(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        while data := await source.read(65536):
            if not self.flowing.is_set():
                self.holding.set()
            await self.flowing.wait()
            sink.write(data)
        sink.close()

    async def drop(self) -> None:
        """Reset every connection there is."""
        writers, self._writers = self._writers, []
        for writer in writers:
            writer.transport.abort()

    async def close(self) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for writer in self._writers:
            writer.close()


async def test_a_network_that_is_cut_for_longer_than_the_heartbeat_is_noticed_and_reconnected() -> None:
    service = RunnerService(RunnerConfig("scripted", workers=1))
    listener = Listener(service, ListenConfig("127.0.0.1", 0), BEAT)
    wire = Wire(await listener.start())
    address = TlsAddress("127.0.0.1", await wire.start(), plain=True)
    client = RunnerClient("far", lambda: open_tls(address, BEAT), backoff_seconds=(0.05, 0.2))
    assert (await client.run(request("error before"))).outcome is Outcome.COMPILE_ERROR

    wire.flowing.clear()
    running = asyncio.create_task(client.run(request("error during")))
    lost = await asyncio.wait_for(running, 20)
    assert lost.outcome is Outcome.INFRA_ERROR and "no sign of life" in lost.message
    assert client.status.state is RunnerState.UNREACHABLE

    wire.flowing.set()
    after = await asyncio.wait_for(client.run(request("error after")), 20)
    assert (after.outcome, after.findings[0].message) == (Outcome.COMPILE_ERROR, "after")
    await client.close()
    await wire.close()
    await listener.close()
    await service.close()


async def test_a_client_that_shall_stay_connected_comes_back_by_itself() -> None:
    service = RunnerService(RunnerConfig("scripted", workers=1))
    listener = Listener(service, ListenConfig("127.0.0.1", 0), BEAT)
    wire = Wire(await listener.start())
    address = TlsAddress("127.0.0.1", await wire.start(), plain=True)
    gone, back = asyncio.Event(), asyncio.Event()

    def watch(status: RunnerStatus) -> None:
        if status.state is RunnerState.UNREACHABLE:
            gone.set()
        elif status.state is RunnerState.CONNECTED and gone.is_set():
            back.set()

    backoff = (0.05, 0.2)
    client = RunnerClient(
        "far", lambda: open_tls(address, BEAT), on_status=watch, backoff_seconds=backoff, keep_connected=True
    )
    await client.run(request("pass"))
    wire.flowing.clear()
    await asyncio.wait_for(gone.wait(), 20)
    wire.flowing.set()
    await asyncio.wait_for(back.wait(), 20)
    after = await asyncio.wait_for(client.run(request("error after")), 20)
    assert (after.outcome, after.findings[0].message) == (Outcome.COMPILE_ERROR, "after")
    await client.close()
    await wire.close()
    await listener.close()
    await service.close()


async def test_a_network_that_stalls_for_less_is_waited_for() -> None:
    service = RunnerService(RunnerConfig("scripted", workers=1))
    listener = Listener(service, ListenConfig("127.0.0.1", 0))
    wire = Wire(await listener.start())
    address = TlsAddress("127.0.0.1", await wire.start(), plain=True)
    client = RunnerClient("far", lambda: open_tls(address))
    await client.run(request("pass"))
    wire.flowing.clear()
    running = asyncio.create_task(client.run(request("error slow")))
    await wire.holding.wait()
    assert not running.done()
    wire.flowing.set()
    assert (await asyncio.wait_for(running, 20)).outcome is Outcome.COMPILE_ERROR
    await client.close()
    await wire.close()
    await listener.close()
    await service.close()
