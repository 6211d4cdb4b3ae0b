"""The service through a real client, with real worker processes and a tool chain that obeys the file's first line."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from attrs import evolve

from kernelgen_ls.rpc import RpcError
from kernelgen_ls.rpc.wire import to_wire
from kernelgen_ls.runner.jobs.config import Budgets, RunnerConfig
from kernelgen_ls.runner.jobs.kinds import MEASURE, VERIFY
from kernelgen_ls.runner.jobs.messages import JobStage, MeasureRequest, Outcome, SourceFile, StageReport, VerifyRequest
from kernelgen_ls.workspace.tree import TreeLimits
from tests.unit.runner.serving import Serving, request

Serve = Callable[..., Awaitable[Serving]]


async def test_a_check_gives_findings_and_its_stages(serve: Serve) -> None:
    client = (await serve()).client()
    stages: list[StageReport] = []
    result = await client.run(request("error misspelt\n", version=7), stages.append)
    assert (result.outcome, result.version, result.cached) == (Outcome.COMPILE_ERROR, 7, False)
    assert [f.message for f in result.findings] == ["misspelt"]
    assert [s.stage for s in stages] == [JobStage.COMPILING]
    again = await client.run(request("error misspelt\n", version=8), stages.append)
    assert (again.findings, again.version, again.cached) == (result.findings, 8, True)
    assert stages[-1].stage == JobStage.CACHED


async def test_results_survive_on_disk_but_not_a_damaged_file(serve: Serve, tmp_path: Path) -> None:
    config = RunnerConfig(workers=1, cache=tmp_path / "cache")
    await (await serve(config)).client().run(request("error kept"))
    kept = await (await serve(config)).client().run(request("error kept"))
    assert kept.cached and kept.findings[0].message == "kept"
    (entry,) = (tmp_path / "cache").iterdir()
    entry.write_bytes(b"\xff damaged")
    fresh = await (await serve(config)).client().run(request("error kept"))
    assert not fresh.cached and fresh.findings[0].message == "kept"


async def test_everything_that_decides_the_answer_is_in_the_key(serve: Serve) -> None:
    client = (await serve()).client()
    base = request("error x", tiling__h="a")
    await client.run(base)
    for other in (
        request("error x", tiling__h="b"),
        request("error x", tilinh__h="a"),
        evolve(base, chip="Ascend310P3"),
        evolve(base, flags=("-O2",)),
    ):
        assert not (await client.run(other)).cached
    assert (await client.run(evolve(base, document="elsewhere", version=3))).cached


async def test_a_newer_version_cancels_the_older_job(serve: Serve) -> None:
    client = (await serve(RunnerConfig(workers=1))).client()
    running = asyncio.Event()
    older = asyncio.create_task(client.run(request("hang", document="d", version=1), lambda _: running.set()))
    await running.wait()
    newer = await client.run(request("error new", document="d", version=2))
    assert (newer.outcome, newer.version) == (Outcome.COMPILE_ERROR, 2)
    assert ((await older).outcome, (await older).version) == (Outcome.CANCELLED, 1)


async def test_a_save_storm_ends_with_the_newest_and_runs_two_jobs_at_most(serve: Serve) -> None:
    serving = await serve(RunnerConfig(workers=2))
    client = serving.client()
    peak = 0

    def count(_: StageReport) -> None:
        nonlocal peak
        peak = max(peak, serving.pool.running)

    saves = [client.run(request(f"error {n}", document="d", version=n), count) for n in range(50)]
    results = await asyncio.gather(*saves)
    assert results[-1].outcome == Outcome.COMPILE_ERROR and results[-1].findings[0].message == "49"
    assert all(r.outcome in (Outcome.CANCELLED, Outcome.COMPILE_ERROR) for r in results)
    assert 1 <= peak <= 2


async def test_equal_jobs_run_once_and_one_leaving_does_not_stop_the_others(serve: Serve, tmp_path: Path) -> None:
    serving = await serve(RunnerConfig(workers=2))
    clients = [serving.client() for _ in range(4)]
    log = tmp_path / "log"
    job = request(f"count {log}")
    await asyncio.gather(*(c.run(request("pass")) for c in clients))
    tasks = [asyncio.create_task(c.run(job)) for c in clients]
    await asyncio.sleep(0)
    tasks[0].cancel()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert all(not isinstance(r, BaseException) and r.outcome is Outcome.PASSED for r in results[1:])
    assert log.read_text().count("run") == 1


async def test_a_cancelled_request_frees_its_worker(serve: Serve) -> None:
    client = (await serve(RunnerConfig(workers=1))).client()
    running = asyncio.Event()
    asking = asyncio.create_task(client.run(request("hang"), lambda _: running.set()))
    await running.wait()
    asking.cancel()
    assert (await client.run(request("error after"))).outcome == Outcome.COMPILE_ERROR


async def test_a_job_that_ignores_its_cancellation_is_killed(serve: Serve) -> None:
    serving = await serve(RunnerConfig(workers=1))
    serving.pool._obey_seconds = 0.05
    client = serving.client()
    running = asyncio.Event()
    asking = asyncio.create_task(client.run(request("stuck"), lambda _: running.set()))
    await running.wait()
    asking.cancel()
    assert (await client.run(request("error after"))).outcome == Outcome.COMPILE_ERROR


async def test_a_job_over_its_budget_is_a_timeout_and_not_cached(serve: Serve) -> None:
    serving = await serve(RunnerConfig(workers=1, budgets=Budgets(check=0.2)))
    client = serving.client()
    for _ in range(2):
        result = await client.run(request("stuck"))
        assert (result.outcome, result.cached) == (Outcome.TIMEOUT, False)
        assert "k.cpp" in result.message
    serving.service.config = RunnerConfig(workers=1)
    assert (await client.run(request("error after"))).outcome == Outcome.COMPILE_ERROR


def test_only_a_job_with_an_op_host_gets_the_time_of_a_build() -> None:
    budgets = Budgets(check=1, verify=2, measure=4, build=8, device_wait=16)
    kernel, host = SourceFile("op_kernel/k.cpp", ""), SourceFile("op_host/k.cpp", "")
    for files, build in (((kernel,), 0), ((kernel, host), 8)):
        verify = VerifyRequest("op_kernel/k.cpp", files, "Ascend910B1", "k", "cases.py")
        assert VERIFY.budget(budgets, verify) == 1 + build + 2 + 16
        measure = MeasureRequest("op_kernel/k.cpp", files, "Ascend910B1", "k", "cases.py")
        assert MEASURE.budget(budgets, measure) == 1 + build + 2 + 4 + 16


@pytest.mark.parametrize(("text", "said"), [("die", "last words"), ("raise", "a defect of the tool chain")])
async def test_a_crash_is_an_infra_error_and_the_next_job_works(serve: Serve, text: str, said: str) -> None:
    client = (await serve(RunnerConfig(workers=1))).client()
    result = await client.run(request(text, version=4))
    assert (result.outcome, result.version, result.findings) == (Outcome.INFRA_ERROR, 4, ())
    assert said in result.message
    assert (await client.run(request("error after"))).outcome == Outcome.COMPILE_ERROR


async def test_killing_the_worker_in_mid_job_is_an_infra_error_and_the_next_job_works(serve: Serve) -> None:
    serving = await serve(RunnerConfig(workers=1))
    client = serving.client()
    running = asyncio.Event()
    asking = asyncio.create_task(client.run(request("hang"), lambda _: running.set()))
    await running.wait()
    os.kill(serving.pool.pids[0], signal.SIGKILL)
    result = await asking
    assert result.outcome == Outcome.INFRA_ERROR and "signal 9" in result.message
    assert (await client.run(request("error after"))).outcome == Outcome.COMPILE_ERROR


async def test_a_document_returns_to_its_worker(serve: Serve) -> None:
    client = (await serve(RunnerConfig(workers=2))).client()

    async def pid(document: str, salt: int) -> str:
        return (await client.run(request(f"pid\n{salt}", document=document))).findings[0].message

    homes = dict(zip("ab", await asyncio.gather(pid("a", 10), pid("b", 20)), strict=True))
    assert homes["a"] != homes["b"]
    for salt in range(1, 4):
        assert await pid("b", 20 + salt) == homes["b"]
        assert await pid("a", 10 + salt) == homes["a"]


async def test_only_what_changed_travels_and_a_forgetful_store_is_sent_it_again(serve: Serve) -> None:
    serving = await serve()
    client = serving.client()
    header = "// h\n" * 100
    first = await client.run(request("error 1", h__h=header))
    sent: list[list[str | None]] = []
    answer = serving.service._job

    async def spy(kind, user, call):  # type: ignore[no-untyped-def]  # stands in for a bound method
        sent.append([f.get("text") for f in call.params["files"]])
        return await answer(kind, user, call)

    serving.service._job = spy  # type: ignore[method-assign]  # to see what travels
    await client.restart()
    await client.run(request("error 1", h__h=header))
    await client.run(request("error 2", h__h=header))
    assert sent == [["error 1", header], ["error 2", None]]
    serving.service.blobs._blobs.clear()
    again = await client.run(request("error 3", h__h=header))
    assert first.outcome == again.outcome == Outcome.COMPILE_ERROR
    assert sent[2:] == [["error 3", None], ["error 3", header]]


async def test_a_large_tree_goes_as_blobs(serve: Serve) -> None:
    client = (await serve()).client()
    big = {f"d__f{n}__h": "x" * 1_500_000 for n in range(8)}
    assert (await client.run(request("error big", **big))).outcome == Outcome.COMPILE_ERROR


@pytest.mark.parametrize(
    "path",
    ["../x", "/etc/passwd", "a/../../x", "", ".", "a//b", "a\\b", "c:/x", "a\x00b", "a\nb", "x" * 300, "d/" * 40 + "x"],
)
async def test_paths_that_leave_the_tree_are_refused(serve: Serve, path: str) -> None:
    client = (await serve()).client()
    job = evolve(request("pass"), files=(SourceFile("k.cpp", "pass"), SourceFile(path, "x")))
    result = await client.run(job)
    assert result.outcome == Outcome.INFRA_ERROR and "relative" in result.message


async def test_trees_that_make_no_sense_are_refused(serve: Serve) -> None:
    client = (
        await serve(RunnerConfig(workers=1, tree=TreeLimits(files=100, file_bytes=1000, total_bytes=3000)))
    ).client()
    file = SourceFile("k.cpp", "pass")
    for files, said in [
        ((file, file), "twice"),
        ((SourceFile("other.cpp", "pass"),), "entry"),
        ((file, SourceFile("k.cpp/x", "")), "inside another file"),
        ((file, SourceFile("big.h", "x" * 1001)), "1000"),
        ((file, *(SourceFile(f"{n}.h", "x" * 900) for n in range(4))), "3000"),
        ((file, *(SourceFile(f"{n}.h", "") for n in range(100))), "101 files"),
    ]:
        result = await client.run(evolve(request("pass"), files=files))
        assert result.outcome == Outcome.INFRA_ERROR and said in result.message
    flagged = await client.run(evolve(request("pass"), flags=("-fplugin=/tmp/evil.so",)))
    assert flagged.outcome == Outcome.INFRA_ERROR and "not allowed" in flagged.message
    assert (await client.run(evolve(request("pass"), flags=("-O2", "-DN=3", "-Wall")))).outcome == Outcome.PASSED


async def test_a_client_of_a_newer_minor_version_may_send_more_keys(serve: Serve) -> None:
    serving = await serve()
    link = await serving.open()
    plain = {**to_wire(request("pass")), "later": {"a": 1}}
    assert (await link.connection.call("check", plain))["outcome"] == "passed"
    for damaged in (
        {},
        {**plain, "files": 3},
        {**plain, "entry": []},
        {**plain, "files": [{"path": 1, "text": b"\xff"}]},
    ):
        with pytest.raises(RpcError):
            await link.connection.call("check", damaged)
    await link.stop()


async def test_workers_stand_back_for_the_service_among_sessions_too(serve: Serve) -> None:
    """A worker is a session of its own; where Linux weighs sessions, its processes' niceness alone does nothing."""
    serving = await serve(RunnerConfig(workers=1, nice=5))
    await serving.client().run(request("pass"))
    (pid,) = serving.pool.pids
    assert os.getpriority(os.PRIO_PROCESS, pid) == 5
    assert _group_niceness(pid) in (None, 5)


def _group_niceness(pid: int) -> int | None:
    """The niceness of a process's session; None where the kernel does not weigh sessions."""
    group = Path(f"/proc/{pid}/autogroup")
    return int(group.read_text().split()[-1]) if group.exists() else None
