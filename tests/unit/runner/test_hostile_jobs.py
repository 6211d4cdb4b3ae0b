"""Jobs that mean harm, through the whole service with the CANN tool chain: contained, while others' jobs go on."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from kernelgen_ls.rpc import Connection, RpcError
from kernelgen_ls.rpc.wire import to_wire
from kernelgen_ls.runner.jobs.config import Budgets, RunnerConfig, SandboxConfig
from kernelgen_ls.runner.jobs.messages import CheckRequest, JobStage, Outcome, SourceFile, StageReport, VerifyRequest
from tests.fakes.cann import PROJECT, environment, write_cann
from tests.unit.runner.serving import Serving
from tests.unit.runner.test_cann import files, kernel


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hostile")


@pytest.fixture
async def cann(home: Path, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]  # a generator of one
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    for name, value in environment(home / "cann", write_cann(home / "cann")).items():
        monkeypatch.setenv(name, value)
    sandbox = SandboxConfig(
        readable=(str(PROJECT), str(home)), file_bytes=40_000_000, processes=60, output_bytes=10_000
    )
    budgets = Budgets(check=120, verify=6)
    serving = Serving(RunnerConfig(workers=1, sandbox=sandbox, budgets=budgets), "cann")
    yield serving
    await serving.close()


HARM = {
    "forks": ("import os\nwhile True: os.fork()", Outcome.INFRA_ERROR),
    "fills the disk": (  # in small steps, as a program does that means no harm
        "import time\nfor n in range(99999):\n    open(f'{n}', 'wb').write(b'x' * 900_000)\n    time.sleep(0.001)",
        Outcome.INFRA_ERROR,
    ),
    "sleeps for ever": ("import time; time.sleep(1e9)", Outcome.TIMEOUT),
    "prints 1 GB": (
        "import sys\nfor _ in range(1000): sys.stdout.write('x' * 1_000_000)\nsys.exit('no cases')",
        None,
    ),
    "reads /etc/shadow": ("print(open('/etc/shadow').read())", Outcome.INFRA_ERROR),
    "links to /etc/shadow": ("import os; os.symlink('/etc/shadow', 'l'); print(open('l').read())", Outcome.INFRA_ERROR),
    "uses the network": ("import socket; socket.create_connection(('1.1.1.1', 80), 2)", Outcome.INFRA_ERROR),
}


async def test_jobs_that_do_harm_are_contained_while_anothers_are_answered(cann: Serving) -> None:
    """One service for all of them, as it would be: none leaves anything behind that the next could feel."""
    hostile, honest = cann.client(), cann.client()
    for what, (program, outcome) in HARM.items():
        started = asyncio.Event()
        request = VerifyRequest("op_kernel/twice.cpp", files(kernel(), program), "Ascend910B1", "twice", "cases.py")

        def tell(report: StageReport, started: asyncio.Event = started) -> None:
            if report.stage is JobStage.VERIFYING:
                started.set()

        job = asyncio.create_task(hostile.run(request, tell))
        await asyncio.wait_for(started.wait(), 120)
        text = kernel("DataCopi(yGm, local, 4);", f"// while another {what}")
        meanwhile = await honest.run(CheckRequest("op_kernel/twice.cpp", files(text), "Ascend910B1"))
        assert [finding.code for finding in meanwhile.findings] == ["bisheng/undeclared"], (what, meanwhile.message)
        result = await asyncio.wait_for(job, 120)
        allowed = {outcome} if outcome else {Outcome.INFRA_ERROR, Outcome.TIMEOUT}
        assert result.outcome in allowed, (what, result)
        assert "root:" not in result.message and len(result.message) < 1000, what
    again = await hostile.run(CheckRequest("op_kernel/twice.cpp", files(kernel()), "Ascend910B1"))
    assert again.outcome is Outcome.PASSED, "the runner lives, and bears no grudge"


@pytest.mark.parametrize(
    "path",
    ["../outside.cpp", "op_kernel/../../outside.cpp", "/etc/passwd", "C:/x.cpp", "a\\..\\b.cpp", "./k.cpp", "a//b.cpp"],
)
@pytest.mark.parametrize("method", ["check", "verify"])
async def test_a_path_that_leaves_the_tree_is_refused_and_the_connection_goes_on(path: str, method: str) -> None:
    serving = Serving(RunnerConfig(workers=1))
    try:
        connection: Connection = (await serving.open()).connection
        tree = (SourceFile("k.cpp", "pass"), SourceFile("cases.py", ""), SourceFile(path, "x"))
        message = (
            CheckRequest("k.cpp", tree, "Ascend910B1")
            if method == "check"
            else VerifyRequest("k.cpp", tree, "Ascend910B1", "k", "cases.py")
        )
        with pytest.raises(RpcError, match="does not stay inside the project"):
            await connection.call(method, to_wire(message))
        with pytest.raises(RpcError, match=r"not in the tree|does not stay"):
            await connection.call("verify", to_wire(VerifyRequest("k.cpp", tree[:2], "Ascend910B1", "k", path)))
        fine = await connection.call("check", to_wire(CheckRequest("k.cpp", tree[:1], "Ascend910B1")))
        assert fine["outcome"] == "passed"
    finally:
        await serving.close()


@pytest.mark.parametrize("include", ['"{}"', "<{}>", '"../../../../../../../../../..{}"', "FILE"])
async def test_a_kernel_cannot_include_a_file_of_the_runners_machine(tmp_path: Path, include: str) -> None:
    """Where strangers are served: not by any spelling of its name, with the checker that runs in the worker itself."""
    secret = tmp_path / "secret"
    secret.write_text("token_of_the_runner\n")
    text = (
        f'#define FILE "{secret}"\n#include "kernel_operator.h"\n'
        "enum Leak {\n#include " + include.format(secret) + "\n};\n"
        'extern "C" __global__ __aicore__ void k(GM_ADDR x) { int y = token_of_the_runnex; (void)y; }\n'
    )
    said = {}
    for confined in (False, True):
        serving = Serving(RunnerConfig(workers=1, confined=confined), "embedded")
        try:
            result = await serving.client().run(CheckRequest("a/k.cpp", (SourceFile("a/k.cpp", text),), "Ascend910B1"))
            said[confined] = " ".join(finding.message for finding in result.findings)
        finally:
            await serving.close()
    assert "token_of_the_runner'" in said[False], "else this test shows nothing"
    assert "not found" in said[True] and "token_of_the_runner'" not in said[True]
