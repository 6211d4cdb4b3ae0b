"""The network cut for half a minute, with the settings that ship: ``python -m tests.e2e.runner.cut_network [SECONDS]``.

Too slow for every run of the tests, whose own version (``tests/unit/runner/test_network.py``) has a shorter heartbeat.
The real program listens with certificates, and stands behind a real sshd; a relay in between stops relaying. Every line
printed has its second. Exits with 1 where something does not come back.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from kernelgen_ls.runner.client.client import RunnerClient, RunnerState, RunnerStatus
from kernelgen_ls.runner.client.fleet import runner_client
from kernelgen_ls.runner.client.transports import SshAddress, open_ssh
from kernelgen_ls.runner.jobs.messages import CheckRequest, SourceFile
from kernelgen_ls.settings import RunnerSettings, Transport
from tests.e2e.runner.test_program import PROGRAM, Terminal, run
from tests.e2e.runner.test_ssh import make_sshd
from tests.fakes.cann import PROJECT
from tests.unit.runner.test_cann import kernel
from tests.unit.runner.test_network import Wire

STARTED = time.monotonic()


def say(text: str) -> None:
    sys.stdout.write(f"{time.monotonic() - STARTED:6.1f} s  {text}\n")
    sys.stdout.flush()


def told(name: str, back: asyncio.Event) -> Callable[[RunnerStatus], None]:
    def tell(status: RunnerStatus) -> None:
        say(f"{name}: {status.state.value}{': ' if status.reason else ''}{status.reason}")
        if status.state is RunnerState.CONNECTED:
            back.set()

    return tell


async def check(name: str, client: RunnerClient, text: str) -> bool:
    source = kernel(f"{text}(yGm, local, 1024);", "")
    result = await client.run(CheckRequest("k.cpp", (SourceFile("k.cpp", source),), "Ascend910B1"))
    right = any(text in finding.message for finding in result.findings)
    say(f"{name}: check {text}: {result.outcome.value} {result.message or result.findings[0].message}")
    return right


async def cut(name: str, client: RunnerClient, wire: Wire, back: asyncio.Event, seconds: float) -> bool:
    """First the line stands still and heals; then it stands still and every connection is lost."""
    fine = await check(name, client, "missing_before")
    say(f"{name}: cut for {seconds:g} s, then it heals")
    wire.flowing.clear()
    during = asyncio.create_task(check(name, client, "missing_during"))
    await asyncio.sleep(seconds)
    wire.flowing.set()
    say(f"{name}: healed")
    fine &= await asyncio.wait_for(during, 60)
    say(f"{name}: cut for {seconds:g} s, then every connection is reset")
    back.clear()
    wire.flowing.clear()
    lost = asyncio.create_task(check(name, client, "missing_lost"))
    await asyncio.sleep(seconds)
    await wire.drop()
    wire.flowing.set()
    say(f"{name}: reset")
    fine &= not await asyncio.wait_for(lost, 60)  # infra_error: never a verdict, never repeated
    await asyncio.wait_for(back.wait(), 60)
    say(f"{name}: back by itself")
    fine &= await check(name, client, "missing_after")
    await client.close()
    await wire.close()
    return fine


async def tls(folder: Path, seconds: float) -> bool:
    home = {"HOME": str(folder / "home"), "PATH": os.environ["PATH"], "PYTHONPATH": str(PROJECT)}
    (folder / "home").mkdir()
    certs = folder / "certs"
    await asyncio.to_thread(run, home, "runner", "init-certs", str(certs), "--host", "127.0.0.1", "--client", "alice")
    pair = [
        "--cert",
        str(certs / "server.pem"),
        "--key",
        str(certs / "server.key"),
        "--client-ca",
        str(certs / "ca.pem"),
    ]
    terminal = await asyncio.to_thread(Terminal, home, *pair, "--toolchain", "embedded", "--workers", "1")
    wire = Wire(terminal.port)
    settings = RunnerSettings(
        name="lab",
        transport=Transport.TLS,
        host="127.0.0.1",
        port=await wire.start(),
        authority=str(certs / "ca.pem"),
        certificate=str(certs / "alice.pem"),
        key=str(certs / "alice.key"),
    )
    back = asyncio.Event()
    try:
        return await cut("tls", runner_client(settings, told("tls", back)), wire, back, seconds)
    finally:
        say(f"tls: the runner ended with status {await asyncio.to_thread(terminal.end)}")


async def ssh(folder: Path, seconds: float) -> bool:
    wire = Wire(0)
    port = await wire.start()
    server = await asyncio.to_thread(make_sshd, folder, seen_at=port)
    wire.target = server.port
    program = f"env PYTHONPATH={PROJECT} {' '.join(PROGRAM)}"
    address = SshAddress("npu", program, ("-F", str(folder / "ssh_config")))
    back = asyncio.Event()
    # As fleet.runner_client makes it, but for the configuration's file.
    client = RunnerClient("npu", lambda: open_ssh(address), on_status=told("ssh", back), keep_connected=True)
    try:
        return await cut("ssh", client, wire, back, seconds)
    finally:
        await asyncio.to_thread(server.stop)


async def main(seconds: float) -> int:
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        fine = await asyncio.gather(tls(Path(one), seconds), ssh(Path(two), seconds))
    say(f"tls {'came back' if fine[0] else 'FAILED'}, ssh {'came back' if fine[1] else 'FAILED'}")
    return 0 if all(fine) else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main(float(sys.argv[1]) if len(sys.argv) > 1 else 30.0)))
