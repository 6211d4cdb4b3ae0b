"""Through a real sshd with keys made here: the user's own ssh, its configuration, and everything that goes wrong."""

from __future__ import annotations

import asyncio
import getpass
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import psutil
import pytest
from attrs import define

from kernelgen_ls.runner.client.client import RunnerClient, RunnerState
from kernelgen_ls.runner.client.transports import SshAddress, open_ssh
from kernelgen_ls.runner.jobs.messages import Outcome
from tests.unit.runner.serving import request

SSHD = shutil.which("sshd") or shutil.which("/usr/sbin/sshd")
SCRIPTED = Path(__file__).parents[2] / "unit/runner"

# The program at the other end: the real service, with the tool chain that obeys the kernel's first line.
PROGRAM = """#!{python}
import asyncio, os, sys
sys.path.insert(0, {tests!r})
os.environ["PYTHONPATH"] = {tests!r}
assert sys.argv[1:] == ["runner", "--stdio"], sys.argv
from kernelgen_ls.rpc import serve_stdio
from kernelgen_ls.runner.jobs.config import RunnerConfig
from kernelgen_ls.runner.server.service import RunnerService
import scripted_toolchain  # adds its row to the table

async def main():
    service = RunnerService(RunnerConfig("scripted", workers=1))
    await serve_stdio(service.handlers())
    await service.close()

asyncio.run(main())
"""


@define
class Sshd:
    folder: Path
    port: int
    process: subprocess.Popen[bytes]

    def start(self) -> None:
        argv = [str(SSHD), "-D", "-e", "-f", str(self.folder / "sshd_config")]
        self.process = subprocess.Popen(argv, stderr=(self.folder / "sshd.log").open("ab"))
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            with socket.socket() as probe:
                probe.settimeout(0.1)
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            if self.process.poll() is not None:
                break
            time.sleep(0.02)
        raise AssertionError((self.folder / "sshd.log").read_text())

    def stop(self) -> None:
        """End the listener and every session it began."""
        children = psutil.Process(self.process.pid).children(recursive=True) if self.process.poll() is None else []
        self.process.kill()
        self.process.wait()
        for child in children:
            if child.is_running():
                child.kill()


def keygen(path: Path) -> None:
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)], check=True)


def make_sshd(tmp_path: Path, *, seen_at: int | None = None) -> Sshd:
    """A server that runs, and in the same folder the client's configuration; ``seen_at`` is the port of a relay."""
    assert SSHD is not None, "these tests want OpenSSH's server: apt-get install openssh-server"
    if os.getuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)
    for name in ("host", "user", "stranger", "other_host"):
        keygen(tmp_path / name)
    shutil.copy(tmp_path / "user.pub", tmp_path / "authorized_keys")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    (tmp_path / "sshd_config").write_text(
        f"ListenAddress 127.0.0.1:{port}\nHostKey {tmp_path}/host\nPidFile {tmp_path}/sshd.pid\nStrictModes no\n"
        f"AuthorizedKeysFile {tmp_path}/authorized_keys\nPasswordAuthentication no\nUsePAM no\n"
        "KbdInteractiveAuthentication no\nPermitRootLogin prohibit-password\n"
    )
    host_key = (tmp_path / "host.pub").read_text().split()
    seen = seen_at or port
    (tmp_path / "known_hosts").write_text(f"[127.0.0.1]:{seen} {host_key[0]} {host_key[1]}\n")
    (tmp_path / "ssh_config").write_text(
        f"Host npu\n  HostName 127.0.0.1\n  Port {seen}\n  User {getpass.getuser()}\n  IdentityFile {tmp_path}/user\n"
        f"  IdentitiesOnly yes\n  UserKnownHostsFile {tmp_path}/known_hosts\n  StrictHostKeyChecking yes\n"
    )
    program = tmp_path / "kernelgen-ls"
    program.write_text(PROGRAM.format(python=sys.executable, tests=str(SCRIPTED)))
    program.chmod(0o755)
    server = Sshd(tmp_path, port, None)  # type: ignore[arg-type]  # started on the next line
    server.start()
    return server


@pytest.fixture
def sshd(tmp_path: Path) -> Iterator[Sshd]:
    server = make_sshd(tmp_path)
    yield server
    server.stop()


@pytest.fixture
async def clients() -> AsyncIterator[list[RunnerClient]]:
    made: list[RunnerClient] = []
    yield made
    for client in made:
        await client.close()


def client(
    sshd: Sshd, clients: list[RunnerClient], *options: str, program: str = "", host: str = "npu"
) -> RunnerClient:
    config = ("-F", str(sshd.folder / "ssh_config"), *options)
    address = SshAddress(host, program or str(sshd.folder / "kernelgen-ls"), config)
    clients.append(RunnerClient("npu", lambda: open_ssh(address), backoff_seconds=(0.05, 1.0)))
    return clients[-1]


async def test_a_check_through_ssh_by_the_name_in_the_users_configuration(
    sshd: Sshd, clients: list[RunnerClient]
) -> None:
    far = client(sshd, clients)
    result = await far.run(request("error far away", version=3))
    assert (result.outcome, result.version) == (Outcome.COMPILE_ERROR, 3)
    assert [f.message for f in result.findings] == ["far away"]
    assert (await far.run(request("error far away"))).cached


async def test_a_login_shells_chatter_is_skipped(sshd: Sshd, clients: list[RunnerClient]) -> None:
    chatty = sshd.folder / "chatty"
    chatty.write_text(f"#!/bin/sh\necho 'Welcome!'\necho 'Last login: today'\nexec {sshd.folder}/kernelgen-ls \"$@\"\n")
    chatty.chmod(0o755)
    far = client(sshd, clients, program=str(chatty))
    assert (await far.run(request("error x"))).outcome is Outcome.COMPILE_ERROR


async def test_killed_in_mid_job_it_is_an_infra_error_and_the_next_job_works(
    sshd: Sshd, clients: list[RunnerClient]
) -> None:
    far = client(sshd, clients)
    running = asyncio.Event()
    job = asyncio.create_task(far.run(request("hang"), lambda _: running.set()))
    await running.wait()
    for process in psutil.Process(sshd.process.pid).children(recursive=True):
        if str(sshd.folder / "kernelgen-ls") in " ".join(process.cmdline()):
            os.kill(process.pid, signal.SIGKILL)
            break
    assert (await job).outcome is Outcome.INFRA_ERROR
    assert (await far.run(request("error again"))).outcome is Outcome.COMPILE_ERROR


async def test_when_the_host_goes_away_and_comes_back_it_reconnects(sshd: Sshd, clients: list[RunnerClient]) -> None:
    far = client(sshd, clients)
    await far.run(request("pass"))
    sshd.stop()
    away = await far.run(request("error x"))
    assert away.outcome is Outcome.INFRA_ERROR
    assert far.status.state is RunnerState.UNREACHABLE
    sshd.start()
    assert (await far.run(request("error x"))).outcome is Outcome.COMPILE_ERROR


async def test_closing_the_client_leaves_no_process_at_the_other_end(sshd: Sshd, clients: list[RunnerClient]) -> None:
    far = client(sshd, clients)
    await far.run(request("pass"))
    sessions = psutil.Process(sshd.process.pid).children(recursive=True)
    assert sessions
    await far.close()
    _, alive = await asyncio.to_thread(psutil.wait_procs, sessions, 15)
    assert alive == []


@pytest.mark.parametrize(
    ("case", "reason", "advice"),
    [
        ("unknown host key", "the host key of npu is not known", "Run `ssh npu` once"),
        ("changed host key", "the host key of npu is not known", "check the key"),
        ("wrong key", "npu refused the authentication", "ssh agent"),
        ("not installed", "kernelgen-ls is not installed on npu", "pip install"),
        ("nobody listens", "npu cannot be reached", "ssh server"),
        ("unknown name", "the host nowhere.invalid is not known", "~/.ssh/config"),
        ("another version", "protocol 2.0", "the same version"),
        ("an option as host", "is no ssh destination", "host"),
        ("no ssh", "ssh does not start", "OpenSSH"),
    ],
)
async def test_what_goes_wrong_is_told_with_what_to_do(
    sshd: Sshd, clients: list[RunnerClient], case: str, reason: str, advice: str
) -> None:
    far = client(sshd, clients)
    if case == "unknown host key":
        (sshd.folder / "known_hosts").write_text("")
    elif case == "changed host key":
        other = (sshd.folder / "other_host.pub").read_text().split()
        (sshd.folder / "known_hosts").write_text(f"[127.0.0.1]:{sshd.port} {other[0]} {other[1]}\n")
    elif case == "wrong key":
        shutil.copy(sshd.folder / "stranger.pub", sshd.folder / "authorized_keys")
    elif case == "not installed":
        far = client(sshd, clients, program="kernelgen-ls-that-is-not-there")
    elif case == "nobody listens":
        sshd.stop()
    elif case == "unknown name":
        far = client(sshd, clients, host="nowhere.invalid")
    elif case == "another version":
        speaking = (
            "import struct, sys, msgpack; body = msgpack.packb([0, 0, 'hello', {'protocol': [2, 0]}]); "
            "sys.stdout.buffer.write(b'#!kernelgen-rpc 1\\n' + struct.pack('>I', len(body)) + body); "
            "sys.stdout.flush(); sys.stdin.read()"
        )
        other = sshd.folder / "other-version"
        other.write_text(f"#!{sys.executable}\n{speaking}\n")
        other.chmod(0o755)
        far = client(sshd, clients, program=str(other))
    elif case == "an option as host":
        far = client(sshd, clients, host="-oProxyCommand=false")
    elif case == "no ssh":
        address = SshAddress("npu", ssh="/nowhere/ssh")
        far = RunnerClient("npu", lambda: open_ssh(address))
    result = await far.run(request("pass"))
    assert result.outcome is Outcome.INFRA_ERROR
    assert reason in far.status.reason, far.status
    assert advice in far.status.advice, far.status
