"""The table of job kinds, and a tool chain for each kind in one runner."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from attrs import evolve

from kernelgen_ls.rpc.wire import to_wire
from kernelgen_ls.runner.client.client import RunnerClient, UnreachableError
from kernelgen_ls.runner.client.fleet import PooledRunner
from kernelgen_ls.runner.execution.worker import Worker
from kernelgen_ls.runner.jobs.config import Budgets, RunnerConfig, config_from_json, config_to_json, read_config
from kernelgen_ls.runner.jobs.kinds import KINDS, kind_of
from kernelgen_ls.runner.jobs.messages import (
    CheckRequest,
    CheckResult,
    Job,
    JobResult,
    JobStage,
    MeasureRequest,
    MeasureResult,
    Outcome,
    SourceFile,
    StageReport,
    VerifyRequest,
    VerifyResult,
)
from kernelgen_ls.runner.server.routes import routes
from kernelgen_ls.runner.server.service import RunnerService
from kernelgen_ls.runner.toolchains import TOOLCHAINS, load
from kernelgen_ls.runner.toolchains.replay.toolchain import RecordingToolchain, record_name
from kernelgen_ls.settings import RunnerSettings
from tests.unit.runner import invented
from tests.unit.runner.serving import Serving, request

Start = Callable[..., Serving]
CHIP = "Ascend910B1"
FILES = (SourceFile("k.cpp", "one two one"), SourceFile("cases.py", ""))
COUNT = invented.CountRequest("k.cpp", FILES, CHIP, word="one")
VERIFY = VerifyRequest("k.cpp", FILES, CHIP, "k", "cases.py")
MEASURE = MeasureRequest("k.cpp", FILES, CHIP, "k", "cases.py")


@pytest.fixture
async def start(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Start]:
    """Start a service whose tables have the invented rows too."""
    monkeypatch.setitem(KINDS, "count", invented.COUNT)
    for name, row in invented.ROWS.items():
        monkeypatch.setitem(TOOLCHAINS, name, row)
    started: list[Serving] = []

    def make(toolchain: str = "scripted", **options: object) -> Serving:
        started.append(Serving(evolve(RunnerConfig(workers=1), **options), toolchain))
        return started[-1]

    yield make
    for serving in started:
        await serving.close()


async def test_an_invented_kind_goes_all_the_way_without_anyone_between_knowing_it(
    start: Start, tmp_path: Path
) -> None:
    client = start("counting").client()
    stages: list[StageReport] = []
    result = await client.run(COUNT, stages.append)
    assert (result.outcome, result.times, result.toolchain.name) == (Outcome.PASSED, 2, "counting")
    assert "counting" in [stage.detail for stage in stages]
    assert (await client.run(evolve(COUNT, version=3))).cached
    assert (await client.run(evolve(COUNT, word="two"))).times == 1, "its own field is part of the key"

    pool = PooledRunner(
        [(RunnerSettings(name="lab"), client), (RunnerSettings(name="lab"), start("counting").client())]
    )
    assert (await pool.run(COUNT)).times == 2

    recording = RecordingToolchain(RunnerConfig(record=tmp_path), invented.Counting())
    recording.info()
    assert recording.run(COUNT).times == 2
    replayed = await start("replaying", record=tmp_path).client().run(COUNT)
    assert (replayed.times, replayed.toolchain.name, replayed.toolchain.version) == (2, "replay", "3")


async def test_each_kind_goes_to_its_own_tool_chain(start: Start) -> None:
    serving = start("embedded", toolchains={"verify": "verifying", "measure": "measuring"})
    client = serving.client()
    info = (await client.connect()).info
    assert info["toolchains"] == {"check": "embedded", "verify": "verifying", "measure": "measuring"}
    assert (info["toolchain"], info["described"]["name"]) == ("embedded", "embedded")
    checked = await client.run(CheckRequest("k.cpp", (SourceFile("k.cpp", "int x = y;\n"),), CHIP))
    assert (checked.outcome, checked.toolchain.name) == (Outcome.COMPILE_ERROR, "embedded")
    assert not serving.service.pools.of("measuring", device=True).pids, "nobody has measured"
    assert (await client.run(VERIFY)).toolchain.name == "verifying"
    measured = await client.run(MEASURE)
    assert measured.toolchain.name == "measuring" and measured.latency is not None
    assert measured.latency.samples_us == (7.0,)


async def test_what_no_tool_chain_here_answers_is_refused_and_who_would_is_named(start: Start) -> None:
    client = start("scripted").client()
    refused = await client.run(VERIFY)
    assert (refused.outcome, refused.toolchain.name) == (Outcome.INFRA_ERROR, "")
    assert "this runner only checks" in refused.message and "cann or twin or replay or record" in refused.message
    refused = await start("scripted", toolchains={"verify": "verifying"}).client().run(MEASURE)
    assert "this runner only checks and verifies" in refused.message


async def test_the_tool_chains_of_a_runner_share_its_slots(start: Start) -> None:
    client = start("scripted", toolchains={"count": "counting"}).client()
    running, queued = asyncio.Event(), asyncio.Event()
    assert (await client.run(COUNT)).times == 2  # both have said who they are
    long = asyncio.create_task(client.run(request("hang"), lambda _: running.set()))
    await running.wait()

    def tell(report: StageReport) -> None:
        if report.stage is JobStage.QUEUED:
            queued.set()

    short = asyncio.create_task(client.run(evolve(COUNT, word="two"), tell))
    await queued.wait()
    assert not short.done()
    long.cancel()
    assert (await short).times == 1


async def test_a_machine_is_asked_for_the_device_of_whoever_answers_the_kind(start: Start) -> None:
    client = start("scripted", toolchains={"measure": "measuring"}).client()
    loads = [await client.load(kind) for kind in ("", "check", "measure")]
    assert [load.soc for load in loads if load is not None] == ["", "", CHIP]


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [("dies", "counting", "a defect"), ("anonymous one", "counting", "")],
)
async def test_a_result_names_who_answered_even_where_that_failed(
    start: Start, text: str, name: str, said: str
) -> None:
    client = start("counting").client()
    result = await client.run(evolve(COUNT, files=(SourceFile("k.cpp", text),)))
    assert (result.toolchain.name, said in result.message) == (name, True)


async def test_a_job_over_its_budget_names_who_had_it(start: Start) -> None:
    result = await start("scripted", budgets=Budgets(check=0.2)).client().run(request("stuck"))
    assert (result.outcome, result.toolchain.name) == (Outcome.TIMEOUT, "scripted")


async def test_where_nobody_answered_nobody_is_named() -> None:
    async def nobody() -> None:
        raise UnreachableError("it is switched off")

    jobs: list[Job[JobResult]] = [request("pass"), VERIFY, MEASURE]
    for job in jobs:
        result = await RunnerClient("lab", nobody).run(job)  # type: ignore[arg-type]  # it gives no link
        assert (result.outcome, result.toolchain.name) == (Outcome.INFRA_ERROR, "")


@pytest.mark.parametrize(
    ("config", "said"),
    [
        (RunnerConfig("canm"), "no tool chain called 'canm'; there are: cann, embedded"),
        (RunnerConfig(toolchains={"verify": "twim"}), "no tool chain called 'twim'"),
        (
            RunnerConfig(toolchains={"verfy": "cann"}),
            "no kind of job called 'verfy'; there are: check, verify",
        ),
        (RunnerConfig(toolchains={"verify": "embedded"}), "embedded does not verify; cann or twin"),
    ],
)
def test_a_configuration_that_names_what_there_is_not_is_refused(config: RunnerConfig, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        RunnerService(config)


def test_a_configuration_file_may_name_a_tool_chain_for_each_kind(tmp_path: Path) -> None:
    file = tmp_path / "runner.json"
    file.write_text(json.dumps({"toolchain": "cann", "toolchains": {"check": "embedded"}}))
    config = read_config(file)
    assert routes(config) == {"check": "embedded", "verify": "cann", "measure": "cann"}
    assert config_from_json(config_to_json(config)) == config


@pytest.mark.parametrize("name", ["embedded", "cann", "replay", "record"])
def test_a_tool_chain_handles_what_its_row_says(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    config = config_to_json(RunnerConfig(record=tmp_path))
    monkeypatch.setenv("KERNELGEN_RUNNER_CONFIG", config)
    toolchain = load(TOOLCHAINS[name].target)
    assert sorted(toolchain.handlers) == sorted(kind for kind in KINDS if TOOLCHAINS[name].handles(kind))
    assert set(Worker(toolchain).handlers) == {*toolchain.handlers, "toolchain", "idle"}


def test_only_what_says_something_of_the_code_is_a_verdict() -> None:
    none = {Outcome.TIMEOUT, Outcome.CANCELLED, Outcome.INFRA_ERROR, Outcome.NOT_EXECUTED}
    assert {outcome for outcome in Outcome if not outcome.is_verdict} == none


JOB = {"chip", "document", "entry", "files", "flags", "version"}
RESULT = {"cached", "message", "outcome", "seconds", "toolchain", "version"}
CASES = JOB | {"cases", "kernel", "seed"}


def test_peers_of_the_same_protocol_find_the_keys_that_they_know() -> None:
    assert set(to_wire(request("pass"))) == JOB | {"foremost"}
    assert set(to_wire(VERIFY)) == CASES | {"case"}
    assert set(to_wire(MEASURE)) == CASES | {"case", "fresh", "launches", "verify", "warm_up"}
    assert set(to_wire(CheckResult(Outcome.PASSED))) == RESULT | {"coverage", "covered", "findings", "more"}
    assert set(to_wire(VerifyResult(Outcome.PASSED))) == RESULT | {
        "cases",
        "findings",
        "in_common",
        "isolation",
        "origin",
        "types",
    }
    assert set(to_wire(MeasureResult(Outcome.PASSED))) == RESULT | {"findings", "latency", "warnings"}


def test_a_record_of_before_still_answers() -> None:
    """What names a job's answer is its sources and options, in an order that must not change."""
    files = (SourceFile("k.cpp", "x"), SourceFile("cases.py", "y"))
    jobs: list[Job[JobResult]] = [
        CheckRequest("k.cpp", files, CHIP, flags=("-O2", "-g")),
        VerifyRequest("k.cpp", files, CHIP, "k", "cases.py", seed=3),
        MeasureRequest("k.cpp", files, CHIP, "k", "cases.py", case=1, launches=7, verify=False, fresh=True, version=4),
    ]
    assert [record_name(job) for job in jobs] == [
        "check-62d9ec899049f16139d8f077f099970c539be410ca01640a47e904aa0c55a3ee.json",
        "verify-96ed8fe765980f52aed49fca33372ce0873e74d339167ee869f257cc9bd78a87.json",
        "measure-37957fae71921eb5216b01f59ab1ee1b5686d3ad088322335663590014afb6fd.json",
    ]
    assert [kind_of(job).name for job in jobs] == list(KINDS)
