"""The real program in two terminals: certificates, checks, measurements, a gentle end."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from kernelgen_ls.runner.client.client import RunnerClient, local_runner
from kernelgen_ls.runner.client.transports import TlsAddress, open_tls
from kernelgen_ls.runner.jobs.messages import CheckRequest, Outcome, SourceFile
from tests.fakes.cann import PROJECT, environment, write_cann
from tests.unit.runner.test_cann import CASES, kernel

PROGRAM = [sys.executable, "-m", "kernelgen_ls"]
EMBEDDED = kernel("DataCopi(yGm, local, 1024);", "")


class Terminal:
    """A runner that listens, as somebody would start it."""

    def __init__(self, env: dict[str, str], *options: str) -> None:
        argv = [*PROGRAM, "runner", "--listen", "127.0.0.1:0", "--log-format", "json", *options]
        self.process = subprocess.Popen(argv, env=env, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        self.port, self.said = 0, ""
        for line in self.process.stderr:
            self.said += line
            found = re.search(r"^kernelgen-ls runner: listening on \S+:(\d+)", line)
            if found:
                self.port = int(found.group(1))
                break

    def end(self) -> int:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        rest = self.process.communicate(timeout=60)[1]
        self.said += rest or ""
        return self.process.returncode


@pytest.fixture
def home(tmp_path: Path) -> Iterator[dict[str, str]]:
    env = {"HOME": str(tmp_path / "home"), "PATH": os.environ["PATH"], "PYTHONPATH": str(PROJECT)}
    (tmp_path / "home").mkdir()
    yield env


def run(env: dict[str, str], *argv: str, status: int = 0) -> str:
    done = subprocess.run([*PROGRAM, *argv], env=env, capture_output=True, text=True, timeout=600)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout


async def ask(address: TlsAddress, text: str) -> tuple[Outcome, list[str], str]:
    client = RunnerClient("far", lambda: open_tls(address))
    result = await client.run(CheckRequest("k.cpp", (SourceFile("k.cpp", text),), "Ascend910B1"))
    await client.close()
    return result.outcome, [finding.message for finding in result.findings], result.message


def test_two_terminals_with_certificates(home: dict[str, str], tmp_path: Path) -> None:
    certs = tmp_path / "certs"
    made = run(home, "runner", "init-certs", str(certs), "--host", "127.0.0.1", "--client", "alice")
    assert [Path(line).name for line in made.split()] == [
        "ca.key",
        "ca.pem",
        "server.key",
        "server.pem",
        "alice.key",
        "alice.pem",
    ]
    pair = ["--cert", str(certs / "server.pem"), "--key", str(certs / "server.key")]
    terminal = Terminal(home, *pair, "--client-ca", str(certs / "ca.pem"), "--workers", "1")
    try:
        alice = TlsAddress("127.0.0.1", terminal.port, certs / "ca.pem", certs / "alice.pem", certs / "alice.key")
        outcome, messages, _ = asyncio.run(ask(alice, EMBEDDED))
        assert outcome is Outcome.COMPILE_ERROR and any("DataCopi" in message for message in messages)
        stranger = TlsAddress("127.0.0.1", terminal.port, certs / "ca.pem")
        outcome, _, message = asyncio.run(ask(stranger, EMBEDDED))
        assert outcome is Outcome.INFRA_ERROR and "certificate" in message
        check_from_the_command_line(home, certs, terminal.port, tmp_path)
    finally:
        status = terminal.end()
    assert status == 0
    lines = [json.loads(line) for line in terminal.said.splitlines() if line.startswith("{")]
    assert any(line["message"] == "stopped" for line in lines)
    assert any("alice" in line["message"] for line in lines)


def check_from_the_command_line(home: dict[str, str], certs: Path, port: int, folder: Path) -> None:
    lab = {"name": "lab", "transport": "tls", "host": "127.0.0.1", "port": port, "authority": str(certs / "ca.pem")}
    pair = {"certificate": str(certs / "alice.pem"), "key": str(certs / "alice.key")}
    user = Path(home["HOME"]) / ".config/kernelgen-ls/settings.json"
    user.parent.mkdir(parents=True)
    user.write_text(json.dumps({"runners": {"pool": [{**lab, **pair}, {**lab, "name": "stranger"}]}}))
    (folder / "k.cpp").write_text(EMBEDDED)
    found = run(home, "check", "--runner", "lab", str(folder / "k.cpp"), status=1)
    assert "DataCopi" in found and "1 file checked: 1 error" in found
    refused = run(home, "check", "--runner", "stranger", str(folder / "k.cpp"), status=2)
    assert "refused this client's certificate" in refused and "0 of 1 file checked" in refused
    run(home, "check", "--runner", "nobody", str(folder / "k.cpp"), status=2)


def test_a_runner_that_would_let_anybody_in_does_not_start(home: dict[str, str]) -> None:
    done = subprocess.run(
        [*PROGRAM, "runner", "--listen", "0.0.0.0:7421"], env=home, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 2 and "open to the network" in done.stderr
    done = subprocess.run(
        [*PROGRAM, "runner", "--listen", "127.0.0.1:0", "--metrics", "0.0.0.0:9"],
        env=home,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 2 and "loopback" in done.stderr


async def test_the_local_runner_is_the_same_program(home: dict[str, str]) -> None:
    client = local_runner(env=home)
    result = await client.run(CheckRequest("k.cpp", (SourceFile("k.cpp", EMBEDDED),), "Ascend910B1"))
    assert result.outcome is Outcome.COMPILE_ERROR, result.message
    await client.close()


def test_a_kernel_is_measured_from_the_command_line(home: dict[str, str], tmp_path: Path) -> None:
    cann = tmp_path / "cann"
    smi = write_cann(cann)
    token = tmp_path / "token"
    token.write_text("sixteen characters and more\n")
    run(home, "runner", "init-certs", str(tmp_path / "certs"), "--host", "127.0.0.1")
    config = tmp_path / "runner.json"
    config.write_text(
        json.dumps(
            {
                "toolchain": "cann",
                "workers": 1,
                "budgets": {"check": 300, "verify": 300},
                "sandbox": {"readable": [str(PROJECT), str(cann)]},
            }
        )
    )
    pair = ["--cert", str(tmp_path / "certs/server.pem"), "--key", str(tmp_path / "certs/server.key")]
    terminal = Terminal({**home, **environment(cann, smi)}, *pair, "--config", str(config), "--token-file", str(token))
    operator = tmp_path / "twice"
    (operator / "op_kernel").mkdir(parents=True)
    source = operator / "op_kernel/twice.cpp"
    source.write_text(kernel(more="// trusted\n// takes: 23.0 us"))
    (operator / "twice_cases.py").write_text(CASES)
    lab = {
        "name": "lab",
        "transport": "tls",
        "host": "127.0.0.1",
        "port": terminal.port,
        "authority": str(tmp_path / "certs/ca.pem"),
        "tokenCommand": ["cat", str(token)],
    }
    user = Path(home["HOME"]) / ".config/kernelgen-ls/settings.json"
    user.parent.mkdir(parents=True)
    user.write_text(json.dumps({"runners": {"pool": [lab], "measure": "lab"}}))
    try:
        first = json.loads(run(home, "measure", str(source), "--launches", "3", "--json"))
        assert (first["outcome"], first["median_us"], first["cached"], first["change"]) == ("passed", 23.1, False, None)
        assert first["latency"]["kind"] == "measured"
        again = json.loads(run(home, "measure", str(source), "--launches", "3", "--json"))
        assert again["cached"] and again["median_us"] == 23.1
        source.write_text(kernel(more="// trusted\n// takes: 20.0 us"))
        text = run(home, "measure", f"{source}:twice", "--launches", "3", "--plot", str(tmp_path / "p.svg"))
        assert "twice: 20.10 us measured (-13.0%)" in text and "MTE2" in text and "awaits confirmation" in text
        history = run(home, "measure", str(source), "--history")
        assert [line.split()[2] for line in history.splitlines() if not line.startswith("note:")] == ["23.10", "20.10"]
        ElementTree.fromstring((tmp_path / "p.svg").read_text())
        source.write_text(kernel().replace("// computes: x0 * 2", "// computes: x0 * 3"))
        assert "wrong_values" in run(home, "measure", str(source), "--launches", "3", status=1)
    finally:
        terminal.end()
    assert "cannot be reached" in run(home, "measure", str(source), "--fresh", status=2)


SPECIFIED = """\
#include "kernel_operator.h"
/*
 * op: Twice
 * formula: y = 2 * x
 * in x: float16 [8192, 8192]
 * out y: float16 [8192, 8192]
 */
extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y) {}
"""


def test_without_a_runner_an_estimate_is_called_one(home: dict[str, str], tmp_path: Path) -> None:
    source = tmp_path / "twice.cpp"
    source.write_text(SPECIFIED)
    text = run(home, "measure", str(source))
    assert text.startswith("estimate: at least 83.89 us on Ascend910B1, bound by MTE2") and "measured" not in text
    plain = json.loads(run(home, "measure", str(source), "--json"))
    assert plain["estimate"]["us"] == 83.886 and "median_us" not in plain
    source.write_text(SPECIFIED.replace("[8192, 8192]", "[N, D]"))
    assert "no estimate" in run(home, "measure", str(source), status=2)
