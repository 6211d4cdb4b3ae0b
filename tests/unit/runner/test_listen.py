"""Listening runners: real TLS with real certificates, tokens, metrics; who is let in and who is not."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from kernelgen_ls.rpc import MAGIC
from kernelgen_ls.runner.client.client import RunnerClient, RunnerState
from kernelgen_ls.runner.client.transports import TlsAddress, open_tls
from kernelgen_ls.runner.jobs.config import RunnerConfig
from kernelgen_ls.runner.jobs.messages import Outcome
from kernelgen_ls.runner.server.access import token_hash
from kernelgen_ls.runner.server.certs import write_certificates
from kernelgen_ls.runner.server.listen import ListenConfig, Listener, parse_address, tls_context
from kernelgen_ls.runner.server.metrics import serve_metrics
from kernelgen_ls.runner.server.service import RunnerService
from tests.unit.runner.serving import request

TOKEN = "a token of more than sixteen characters"


@pytest.fixture(scope="module")
def certs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("certs")
    write_certificates(folder, ["localhost", "127.0.0.1"], ["alice"])
    write_certificates(folder / "others", ["localhost"], ["mallory"])
    return folder


class Running:
    def __init__(self, certs: Path) -> None:
        self.certs = certs
        self.service = RunnerService(RunnerConfig("scripted", workers=1))
        self.listeners: list[Listener] = []
        self.clients: list[RunnerClient] = []

    async def listen(self, **options: object) -> int:
        defaults: dict[str, object] = {
            "certificate": self.certs / "server.pem",
            "key": self.certs / "server.key",
            "client_authority": self.certs / "ca.pem",
        }
        config = ListenConfig("127.0.0.1", 0, **{**defaults, **options})  # type: ignore[arg-type]  # the test's own
        self.listeners.append(Listener(self.service, config))
        return await self.listeners[-1].start()

    def client(self, port: int, **options: object) -> RunnerClient:
        defaults: dict[str, object] = {
            "authority": self.certs / "ca.pem",
            "certificate": self.certs / "alice.pem",
            "key": self.certs / "alice.key",
        }
        address = TlsAddress("127.0.0.1", port, **{**defaults, **options})  # type: ignore[arg-type]  # the test's own
        self.clients.append(RunnerClient("far", lambda: open_tls(address)))
        return self.clients[-1]

    async def close(self) -> None:
        for client in self.clients:
            await client.close()
        for listener in self.listeners:
            await listener.close()
        await self.service.close()


@pytest.fixture
async def running(certs: Path) -> AsyncIterator[Running]:
    running = Running(certs)
    yield running
    await running.close()


async def test_a_client_with_a_certificate_is_served_over_tls_1_3(running: Running) -> None:
    client = running.client(await running.listen())
    result = await client.run(request("error far away"))
    assert [f.message for f in result.findings] == ["far away"]
    assert client.status.state is RunnerState.CONNECTED
    context = ssl.create_default_context(cafile=running.certs / "ca.pem")
    context.load_cert_chain(running.certs / "alice.pem", running.certs / "alice.key")
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    port = await running.listen()
    with pytest.raises((ssl.SSLError, ConnectionError)):
        await asyncio.open_connection("127.0.0.1", port, ssl=context)


@pytest.mark.parametrize(
    ("certificate", "said"),
    [(None, "refused this client's certificate"), ("others/mallory", "refused this client's certificate")],
)
async def test_no_certificate_or_a_strangers_is_refused(running: Running, certificate: str | None, said: str) -> None:
    pair = {
        name: certificate and running.certs / f"{certificate}.{end}"
        for name, end in [("certificate", "pem"), ("key", "key")]
    }
    client = running.client(await running.listen(), **pair)
    result = await client.run(request("pass"))
    assert result.outcome is Outcome.INFRA_ERROR and said in result.message
    assert "`certificate` and `key`" in client.status.advice


async def test_a_server_of_another_authority_is_refused_before_anything_is_sent(running: Running) -> None:
    client = running.client(await running.listen(), authority=running.certs / "others/ca.pem")
    result = await client.run(request("pass"))
    assert result.outcome is Outcome.INFRA_ERROR and "not trusted" in result.message


async def test_tokens_let_in_and_keep_out(running: Running, tmp_path: Path) -> None:
    right, wrong = tmp_path / "right", tmp_path / "wrong"
    right.write_text(TOKEN + "\n")
    wrong.write_text("x" * 20)
    port = await running.listen(client_authority=None, users={token_hash(TOKEN): "alice"})
    none = {"certificate": None, "key": None}
    assert (await running.client(port, **none, token_file=right).run(request("pass"))).outcome is Outcome.PASSED
    command = running.client(port, **none, token_command=("cat", str(right)))
    assert (await command.run(request("pass"))).outcome is Outcome.PASSED
    refused = running.client(port, **none, token_file=wrong)
    assert "does not know this token" in (await refused.run(request("pass"))).message
    assert "tokenCommand" in refused.status.advice
    without = running.client(port, **none)
    assert "wants a token" in (await without.run(request("pass"))).message
    assert "tokenCommand" in without.status.advice
    failing = running.client(port, **none, token_command=("false",))
    assert "token command" in (await failing.run(request("pass"))).message


async def test_a_stranger_gets_three_tries_and_small_frames_only(running: Running) -> None:
    port = await running.listen(client_authority=None, users={token_hash(TOKEN): "alice"})
    link = await open_tls(TlsAddress("127.0.0.1", port, authority=running.certs / "ca.pem"))
    answers = await asyncio.gather(
        *(link.connection.call("auth", {"token": f"guess {n}"}) for n in range(3)), return_exceptions=True
    )
    assert all("does not know" in str(answer) for answer in answers)
    await asyncio.wait_for(link.connection.wait_closed(), 60)
    big = await open_tls(TlsAddress("127.0.0.1", port, authority=running.certs / "ca.pem"))
    with pytest.raises(Exception, match=r"ended|closed|broke"):
        await big.connection.call("check", {"text": "x" * 10_000})
    await big.stop()


def test_plain_tcp_and_open_doors_are_refused(certs: Path) -> None:
    pair = {"certificate": certs / "server.pem", "key": certs / "server.key"}
    with pytest.raises(ValueError, match="open to the network"):
        tls_context(ListenConfig("0.0.0.0", 1))
    with pytest.raises(ValueError, match="let anybody in"):
        tls_context(ListenConfig("127.0.0.1", 1, **pair))
    with pytest.raises(ValueError, match="cannot be used"):
        tls_context(ListenConfig("127.0.0.1", 1, certs / "ca.pem", certs / "alice.key", users={"x": "y"}))
    assert tls_context(ListenConfig("127.0.0.1", 1)) is None
    assert tls_context(ListenConfig("::1", 1)) is None


async def test_plain_tcp_serves_on_loopback(running: Running) -> None:
    port = await running.listen(certificate=None, key=None, client_authority=None)
    client = running.client(port, plain=True)
    assert (await client.run(request("pass"))).outcome is Outcome.PASSED


async def test_garbage_on_the_port_hurts_nobody(running: Running) -> None:
    port = await running.listen(certificate=None, key=None, client_authority=None)
    for garbage in (b"GET / HTTP/1.1\r\n\r\n", b"\x00" * 100_000, MAGIC + b"\xff\xff\xff\xff", MAGIC + b"\0\0\0\1\xc1"):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(garbage)
        writer.write_eof()
        with contextlib.suppress(ConnectionError):  # refused so quickly that our bytes were still under way
            await asyncio.wait_for(reader.read(), 10)
        writer.close()
    client = running.client(port, plain=True)
    assert (await client.run(request("pass"))).outcome is Outcome.PASSED
    assert running.listeners[-1].connections == 1


async def test_a_draining_runner_ends_its_jobs_and_refuses_new_ones(running: Running, tmp_path: Path) -> None:
    port = await running.listen(certificate=None, key=None, client_authority=None)
    first, second = running.client(port, plain=True), running.client(port, plain=True)
    await second.run(request("pass"))
    started = asyncio.Event()
    job = asyncio.create_task(first.run(request(f"count {tmp_path / 'log'}"), lambda _: started.set()))
    await started.wait()
    draining = asyncio.create_task(running.service.drain())
    await asyncio.sleep(0)
    refused = await second.run(request("error late"))
    assert refused.outcome is Outcome.INFRA_ERROR and "shutting down" in refused.message
    await draining
    assert (await job).outcome is Outcome.PASSED


async def test_metrics_count_jobs_by_outcome(running: Running) -> None:
    port = await running.listen(certificate=None, key=None, client_authority=None)
    client = running.client(port, plain=True)
    for _ in range(2):
        await client.run(request("error x"))
    server = await serve_metrics({"/metrics": running.service.metrics.text}, "127.0.0.1", 0)
    pages = {}
    for path in ("/metrics", "/secret"):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.sockets[0].getsockname()[1])
        writer.write(f"GET {path} HTTP/1.1\r\n\r\n".encode())
        pages[path] = (await reader.read()).decode()
        writer.close()
    server.close()
    assert 'kernelgen_jobs_total{kind="check",outcome="compile_error"} 2' in pages["/metrics"]
    assert 'kernelgen_cached_total{kind="check"} 1' in pages["/metrics"]
    assert 'kernelgen_job_seconds_count{kind="check"} 2' in pages["/metrics"]
    assert pages["/secret"].startswith("HTTP/1.1 404")


def test_certificates_can_be_added_to_and_keys_are_private(certs: Path, tmp_path: Path) -> None:
    before = (certs / "ca.pem").read_bytes()
    written = write_certificates(certs, ["localhost"], ["bob", "alice"])
    assert [path.name for path in written] == ["bob.key", "bob.pem"]
    assert (certs / "ca.pem").read_bytes() == before
    assert all(path.stat().st_mode & 0o077 == 0 for path in certs.glob("*.key"))
    for name in ("../evil", "ca", "", "a/b"):
        with pytest.raises(ValueError, match="name"):
            write_certificates(tmp_path, ["localhost"], [name])


@pytest.mark.parametrize(
    ("text", "parsed"),
    [("0.0.0.0:7777", ("0.0.0.0", 7777)), ("[::1]:1", ("::1", 1)), ("host", None), ("host:99999", None), (":x", None)],
)
def test_addresses(text: str, parsed: tuple[str, int] | None) -> None:
    if parsed is None:
        with pytest.raises(ValueError, match="HOST:PORT"):
            parse_address(text)
    else:
        assert parse_address(text) == parsed


async def test_a_runner_that_is_not_there_is_told_with_advice(running: Running) -> None:
    port = await running.listen()
    await running.listeners[-1].close()
    client = running.client(port)
    assert "cannot be reached" in (await client.run(request("pass"))).message
    assert client.status.advice
