"""Reaching a runner elsewhere: through the user's own ``ssh``, or over TLS to one that listens.

Every failure is told with what to do about it. Addresses come from the user's own settings, never from a project.
"""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import Sequence
from pathlib import Path

from attrs import field, frozen

from kernelgen_ls.rpc import Child, Connection, ErrorCode, Limits, RpcError, spawn
from kernelgen_ls.runner.client.client import UnreachableError
from kernelgen_ls.runner.server.access import read_token

_SSH_OPTIONS = ("-T", "-o", "BatchMode=yes", "-o", "ServerAliveInterval=15", "-o", "ServerAliveCountMax=3")
_CONNECT_SECONDS = 20.0


@frozen
class SshAddress:
    """``host`` as ``ssh`` takes it (a name of its configuration too); ``program`` is what to run there."""

    host: str
    program: str = "kernelgen-ls"
    options: tuple[str, ...] = ()
    """Further arguments for ``ssh``, before the host."""
    ssh: str = "ssh"


@frozen
class TlsAddress:
    """A listening runner. ``authority`` None trusts the system's; ``server_name`` is checked in its certificate."""

    host: str
    port: int
    authority: Path | None = None
    certificate: Path | None = None
    key: Path | None = None
    token_file: Path | None = None
    token_command: tuple[str, ...] = field(default=())
    plain: bool = False
    """Plain TCP, which a runner on this machine's loopback takes."""


@frozen
class SocketLink:
    """A connection over a socket."""

    connection: Connection

    async def stop(self) -> None:
        """Close it."""
        await self.connection.close()


# What ssh and the shell behind it say, and what to do about it.
_SSH_TROUBLE: Sequence[tuple[str, str, str]] = (
    (
        r"host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED",
        "the host key of {host} is not known",
        "Run `ssh {host}` once in a terminal and check the key.",
    ),
    (
        r"permission denied|too many authentication failures|no supported authentication",
        "{host} refused the authentication",
        "Load a key into your ssh agent or name one in ~/.ssh/config; passwords cannot be asked for here.",
    ),
    (
        r"command not found|not found|no such file or directory|unrecognized command",
        "kernelgen-ls is not installed on {host}",
        "Install it there (`pip install` of a clone, docs/runner.md), or set the runner's `program` to its full path.",
    ),
    (
        r"could not resolve hostname|name or service not known",
        "the host {host} is not known",
        "Check the runner's `host` against ~/.ssh/config.",
    ),
    (
        r"connection refused|timed out|no route to host|network is unreachable|connection reset|broken pipe",
        "{host} cannot be reached",
        "Check the network and that its ssh server runs.",
    ),
)


async def open_ssh(address: SshAddress) -> Child:
    """Start ``ssh`` and the runner behind it; raises :class:`UnreachableError`."""
    if not address.host or address.host.startswith("-"):
        raise UnreachableError(f"{address.host!r} is no ssh destination", "Set the runner's `host`.")
    remote = f"exec {address.program} runner --stdio"
    argv = [address.ssh, *_SSH_OPTIONS, *address.options, "--", address.host, remote]
    said: list[str] = []
    try:
        return await spawn(argv, limits=Limits(start_seconds=60), on_stderr=said.append)
    except OSError as problem:
        raise UnreachableError(f"ssh does not start: {problem}", "Install an OpenSSH client.") from problem
    except RpcError as problem:
        raise explain_ssh(address.host, problem, "\n".join(said)) from problem


def explain_ssh(host: str, error: RpcError, said: str) -> UnreachableError:
    """What to tell the user when ``ssh`` ended before a hello; ``said`` is its standard error."""
    if error.code == ErrorCode.VERSION_MISMATCH:
        return UnreachableError(
            f"{host}: {error.message}", "Install the same version of kernelgen-ls on both machines."
        )
    preamble = error.data.get("preamble", "") if isinstance(error.data, dict) else ""
    for pattern, reason, advice in _SSH_TROUBLE:
        if re.search(pattern, f"{said}\n{preamble}", re.IGNORECASE):
            last = said.strip().splitlines()[-1:] or [str(preamble).strip()[-200:]]
            return UnreachableError(f"{reason.format(host=host)} ({last[0]})", advice.format(host=host))
    return UnreachableError(f"{host}: {error.message}", "")


async def open_tls(address: TlsAddress, limits: Limits | None = None) -> SocketLink:
    """Connect, check the certificate, authenticate; raises :class:`UnreachableError`."""
    where = f"{address.host}:{address.port}"
    token = await _token(address)
    try:
        context = None if address.plain else _context(address)
        reader, writer = await asyncio.wait_for(
            asyncio.open_connection(address.host, address.port, ssl=context), _CONNECT_SECONDS
        )
    except asyncio.TimeoutError:
        raise UnreachableError(f"{where} does not answer", "Check the network and the runner's port.") from None
    except ssl.SSLCertVerificationError as problem:
        advice = "Set the runner's `authority` to the authority's ca.pem, and its `host` to a name in the certificate."
        raise UnreachableError(
            f"{where}: the certificate is not trusted: {problem.verify_message}", advice
        ) from problem
    except ssl.SSLError as problem:
        raise UnreachableError(f"{where}: no TLS 1.3 connection: {problem.reason}", "") from problem
    except OSError as problem:
        raise UnreachableError(f"{where} cannot be reached: {problem}", "Check that the runner runs.") from problem
    connection = Connection(reader, writer, {}, limits=limits)
    try:
        await connection.start()
        if token is not None:
            await connection.call("auth", {"token": token}, timeout=_CONNECT_SECONDS)
    except RpcError as problem:
        await connection.close()
        raise _explain_tls(where, problem, address.plain) from problem
    except asyncio.CancelledError:
        await connection.close()
        raise
    return SocketLink(connection)


def _context(address: TlsAddress) -> ssl.SSLContext:
    try:
        context = ssl.create_default_context(cafile=address.authority)
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        if address.certificate is not None:
            context.load_cert_chain(address.certificate, address.key)
    except OSError as problem:
        raise UnreachableError(
            f"the certificate files cannot be used: {problem}", "Check `authority`, `certificate` and `key`."
        ) from problem
    return context


async def _token(address: TlsAddress) -> str | None:
    if address.token_file is None and not address.token_command:
        return None
    try:
        return await asyncio.to_thread(read_token, address.token_file, address.token_command)
    except ValueError as problem:
        raise UnreachableError(str(problem), "Check the runner's token settings.") from problem


def _explain_tls(where: str, error: RpcError, plain: bool) -> UnreachableError:
    if error.code == ErrorCode.UNAUTHORISED:
        return UnreachableError(f"{where}: {error.message}", "Set the runner's `tokenCommand`.")
    if error.code == ErrorCode.VERSION_MISMATCH:
        return UnreachableError(
            f"{where}: {error.message}", "Install the same version of kernelgen-ls on both machines."
        )
    if error.code == ErrorCode.DISCONNECTED and not plain and not error.data:
        # In TLS 1.3 the server judges the client's certificate after the client's side of the handshake is done.
        advice = "Set the runner's `certificate` and `key` to files that its authority issued."
        return UnreachableError(f"{where} refused this client's certificate ({error.message})", advice)
    return UnreachableError(f"{where}: {error.message}", "")
