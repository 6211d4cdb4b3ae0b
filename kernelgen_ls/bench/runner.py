"""``kernelgen-ls bench runner``: many clients against one runner, and whether every answer is the right one.

Each client checks its own kernel again and again, most of the time unchanged, as editors do. Every text misspells a
name that no other text has, so that an answer that went to the wrong client shows.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import click
from attrs import asdict, frozen

from kernelgen_ls.bench.processes import memory_mb
from kernelgen_ls.bench.times import percentile
from kernelgen_ls.folders import write_json
from kernelgen_ls.kernel.chips import DEFAULT_CHIP
from kernelgen_ls.runner.client.client import RunnerClient
from kernelgen_ls.runner.client.transports import TlsAddress, open_tls
from kernelgen_ls.runner.jobs.messages import CheckRequest, CheckResult, Outcome, SourceFile

_KERNEL = """\
#include "kernel_operator.h"
using namespace AscendC;
// {filler}
class KernelBench {{
public:
    __aicore__ inline KernelBench() {{}}
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y)
    {{
        xGm.SetGlobalBuffer((__gm__ half *)x, 1024);
        yGm.SetGlobalBuffer((__gm__ half *)y, 1024);
        pipe.InitBuffer(inQueue, 2, 2048);
        pipe.InitBuffer(outQueue, 2, 2048);
    }}
    __aicore__ inline void Process()
    {{
        LocalTensor<half> in = inQueue.AllocTensor<half>();
        DataCopy(in, xGm, 1024);
        inQueue.EnQue(in);
        in = inQueue.DeQue<half>();
        LocalTensor<half> out = outQueue.AllocTensor<half>();
        Exp(out, in, {name});
        outQueue.EnQue(out);
        inQueue.FreeTensor(in);
        out = outQueue.DeQue<half>();
        DataCopy(yGm, out, 1024);
        outQueue.FreeTensor(out);
    }}

private:
    TPipe pipe;
    TQue<QuePosition::VECIN, 2> inQueue;
    TQue<QuePosition::VECOUT, 2> outQueue;
    GlobalTensor<half> xGm, yGm;
}};
extern "C" __global__ __aicore__ void bench(GM_ADDR x, GM_ADDR y)
{{
    KernelBench op;
    op.Init(x, y);
    op.Process();
}}
"""


@frozen
class Answer:
    """One answer: milliseconds as the client saw it."""

    milliseconds: float
    outcome: Outcome
    cached: bool
    right: bool


@frozen
class Report:
    """What the run showed; times in milliseconds, memory in MiB."""

    clients: int
    checks: int
    answers: int
    lost: int
    crossed: int
    outcomes: dict[str, int]
    cached: int
    cached_p50_ms: float
    cached_p99_ms: float
    fresh_p50_ms: float
    fresh_p99_ms: float
    runner_peak_mib: float
    runner_and_workers_peak_mib: float
    seconds: float


@click.command()
@click.option("--clients", default=200, show_default=True, type=click.IntRange(1, 2000))
@click.option("--checks", default=20, show_default=True, type=click.IntRange(1, 1000), help="Checks of each client.")
@click.option(
    "--distinct", default=2, show_default=True, type=click.IntRange(1), help="Different texts of each client."
)
@click.option("--pause", default=1.0, show_default=True, type=click.FloatRange(0), help="Seconds between two checks.")
@click.option("--json", "output", type=click.Path(path_type=Path), help="Write the report there.")
def runner(clients: int, checks: int, distinct: int, pause: float, output: Path | None) -> None:
    """Many clients against one runner on this machine, with the embedded checker."""
    report = asyncio.run(_run(clients, checks, distinct, pause))
    for name, value in asdict(report).items():
        shown = f"{value:,.1f}" if isinstance(value, float) else str(value)
        click.echo(f"{name.replace('_', ' '):>28}  {shown}")
    if output is not None:
        write_json(output, asdict(report))
    if report.lost or report.crossed:
        raise SystemExit(1)


async def _run(clients: int, checks: int, distinct: int, pause: float) -> Report:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = int(probe.getsockname()[1])
    argv = [sys.executable, "-m", "kernelgen_ls", "runner", "--listen", f"127.0.0.1:{port}", "--no-cache"]
    with tempfile.TemporaryFile() as said:
        process = await asyncio.create_subprocess_exec(*argv, stderr=said)
        try:
            await _answers_at(port, process)
            memory: list[tuple[float, float]] = []
            watching = asyncio.create_task(_watch_memory(process.pid, memory))
            started = time.monotonic()
            lists = await asyncio.gather(*(_client(n, port, checks, distinct, pause, clients) for n in range(clients)))
            seconds = time.monotonic() - started
            watching.cancel()
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
            await process.wait()
    return _report([answer for answers in lists for answer in answers], clients, checks, memory, seconds)


async def _answers_at(port: int, process: asyncio.subprocess.Process) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.returncode is None:
        with contextlib.suppress(OSError):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.close()
            return
        await asyncio.sleep(0.1)
    raise click.ClickException("the runner did not start")


async def _client(number: int, port: int, checks: int, distinct: int, pause: float, clients: int) -> list[Answer]:
    client = RunnerClient(f"client {number}", lambda: open_tls(TlsAddress("127.0.0.1", port, plain=True)))
    answers = []
    await asyncio.sleep(pause * number / clients)  # people do not save in step
    for turn in range(checks):
        name = f"unknown_{number}_{min(turn, distinct - 1)}"
        text = _KERNEL.format(name=name, filler="x" * 2000)
        files = (SourceFile("bench.cpp", text),)
        request = CheckRequest("bench.cpp", files, DEFAULT_CHIP.soc, document="bench.cpp", version=turn)
        asked = time.perf_counter()
        result = await client.run(request)
        milliseconds = (time.perf_counter() - asked) * 1000
        answers.append(Answer(milliseconds, result.outcome, result.cached, _is_right(result, name, turn)))
        await asyncio.sleep(pause)
    await client.close()
    return answers


def _is_right(result: CheckResult, name: str, version: int) -> bool:
    """Whether the answer speaks of this text and of no other."""
    said = " ".join(finding.message for finding in result.findings)
    return result.version == version and name in said and said.count("unknown_") == said.count(name)


async def _watch_memory(pid: int, samples: list[tuple[float, float]]) -> None:
    while True:
        samples.append(await asyncio.to_thread(_resident_mib, pid))
        await asyncio.sleep(0.5)


def _resident_mib(pid: int) -> tuple[float, float]:
    """The most memory the process had resident, and it with its children now (0 where /proc does not tell)."""
    own = memory_mb(pid, "VmHWM")
    children = Path(f"/proc/{pid}/task/{pid}/children")
    try:
        rest = [memory_mb(int(child), "VmRSS") for child in children.read_text().split()]
    except OSError:
        rest = []
    return own, own + sum(rest)


def _report(
    answers: list[Answer], clients: int, checks: int, memory: list[tuple[float, float]], seconds: float
) -> Report:
    verdicts = [answer for answer in answers if answer.outcome is Outcome.COMPILE_ERROR]
    cached = sorted(answer.milliseconds for answer in verdicts if answer.cached)
    fresh = sorted(answer.milliseconds for answer in verdicts if not answer.cached)
    return Report(
        clients,
        checks,
        len(answers),
        clients * checks - len(verdicts),
        sum(not answer.right for answer in verdicts),
        dict(Counter(answer.outcome.value for answer in answers)),
        len(cached),
        percentile(cached, 0.5),
        percentile(cached, 0.99),
        percentile(fresh, 0.5),
        percentile(fresh, 0.99),
        max((own for own, _ in memory), default=0.0),
        max((together for _, together in memory), default=0.0),
        seconds,
    )
