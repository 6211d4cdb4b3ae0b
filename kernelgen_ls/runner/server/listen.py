"""A runner that listens: TLS 1.3 with certificates of its authority, tokens, or both; plain TCP on loopback only."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
import ssl
from collections.abc import Mapping
from pathlib import Path

from attrs import field, frozen

from kernelgen_ls.rpc import Connection, Limits, RpcError
from kernelgen_ls.runner.server.access import Gate
from kernelgen_ls.runner.server.service import RunnerService

log = logging.getLogger(__name__)

_CONNECTIONS = 1000


@frozen
class ListenConfig:
    """Where to listen and who may come. ``users`` maps SHA-256 hashes of tokens to names; empty: no token wanted."""

    host: str
    port: int
    certificate: Path | None = None
    key: Path | None = None
    client_authority: Path | None = None
    """Certificates of this authority are wanted of every client."""
    users: Mapping[str, str] = field(factory=dict)


def parse_address(text: str) -> tuple[str, int]:
    """Host and port of ``HOST:PORT`` or ``[V6]:PORT``; raises ValueError."""
    host, colon, port = text.rpartition(":")
    if not colon or not port.isdigit() or not 0 <= int(port) <= 65535:
        raise ValueError(f"{text!r} is not HOST:PORT")
    return host.strip("[]"), int(port)


def tls_context(config: ListenConfig) -> ssl.SSLContext | None:
    """The server's TLS context; None for plain TCP, which only loopback may have.

    Raises ValueError where the configuration would let anybody in, or a file cannot be used.
    """
    if config.certificate is None:
        if not is_loopback(config.host):
            raise ValueError(f"plain TCP on {config.host} would be open to the network: give --cert and --key")
        return None
    if config.client_authority is None and not config.users:
        raise ValueError("TLS without --client-ca and without a token would let anybody in: give one of them")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    try:
        context.load_cert_chain(config.certificate, config.key)
        if config.client_authority is not None:
            context.load_verify_locations(config.client_authority)
            context.verify_mode = ssl.CERT_REQUIRED
    except (OSError, ssl.SSLError) as problem:
        raise ValueError(f"the certificates cannot be used: {problem}") from problem
    return context


class Listener:
    """Accepts connections for a service and keeps them until they end or the runner drains."""

    def __init__(self, service: RunnerService, config: ListenConfig, limits: Limits | None = None) -> None:
        self._service = service
        self._config = config
        self._limits = limits
        self._context = tls_context(config)
        self._server: asyncio.Server | None = None
        self._connections: set[Connection] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> int:
        """Listen; returns the port (which the system chose where 0 was configured)."""
        self._server = await asyncio.start_server(
            self._accept, self._config.host, self._config.port, ssl=self._context, limit=64 * 1024
        )
        port: int = self._server.sockets[0].getsockname()[1]
        log.info("listening on %s:%d, %s", self._config.host, port, "TLS" if self._context else "plain TCP")
        return port

    @property
    def connections(self) -> int:
        """How many clients are connected now."""
        return len(self._connections)

    async def stop_accepting(self) -> None:
        """Take no further connection; those there are go on."""
        if self._server is not None:
            self._server.close()

    async def close(self) -> None:
        """End everything."""
        await self.stop_accepting()
        for connection in list(self._connections):
            await connection.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        if len(self._connections) >= _CONNECTIONS:
            log.warning("refused a connection: there are %d", len(self._connections))
            writer.transport.abort()
            return
        peer = writer.get_extra_info("peername")
        name = _common_name(writer)
        gate: Gate | None = None
        handlers = self._service.handlers(lambda: (gate.user if gate else None) or name)
        if self._config.users:
            gate = Gate(self._config.users, handlers)
            handlers = gate.handlers
        connection = Connection(reader, writer, handlers, features=self._service.features, limits=self._limits)
        self._connections.add(connection)
        watching: asyncio.Task[None] | None = None
        try:
            await connection.start()
            log.info("connected: %s %s", peer, name)
            if gate is not None:
                watching = asyncio.create_task(gate.watch(connection))
            await connection.wait_closed()
            log.info("disconnected: %s: %s", peer, connection.closed_because)
        except RpcError as problem:
            log.info("refused %s: %s", peer, problem)
        finally:
            self._connections.discard(connection)
            if watching is not None:
                watching.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await watching
            await connection.close()


def _common_name(writer: asyncio.StreamWriter) -> str:
    certificate = writer.get_extra_info("peercert") or {}
    names = [value for part in certificate.get("subject", ()) for key, value in part if key == "commonName"]
    return ", ".join(names)


def is_loopback(host: str) -> bool:
    """Whether ``host`` names this machine only."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
