"""Clients and jobs that mean harm: each is refused or contained, the runner lives, others' jobs go on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernelgen_ls.rpc import RpcError
from kernelgen_ls.rpc.wire import to_wire
from kernelgen_ls.runner.jobs.config import Budgets, RunnerConfig
from kernelgen_ls.runner.jobs.messages import CheckRequest, Outcome, SourceFile
from kernelgen_ls.runner.jobs.request_files import check_flags, check_path, name_files
from kernelgen_ls.workspace.tree import DEFAULT_TREE_LIMITS
from tests.unit.runner.serving import Serving, request

Serve = Callable[..., Awaitable[Serving]]


async def test_a_tree_of_a_hundred_thousand_files_is_refused_on_both_sides(serve: Serve) -> None:
    serving = await serve()
    many = tuple(SourceFile(f"{n}.h", "") for n in range(100_000))
    honest = serving.client()
    result = await honest.run(CheckRequest("0.h", many, "Ascend910B1"))
    assert result.outcome is Outcome.INFRA_ERROR and "100000 files" in result.message
    link = await serving.open()
    with pytest.raises(RpcError):
        await link.connection.call("check", to_wire(CheckRequest("0.h", many, "Ascend910B1")))
    with pytest.raises(RpcError):
        await (await serving.open()).connection.call(
            "check", to_wire(CheckRequest("0.h", many[:10_000], "Ascend910B1"))
        )
    assert (await honest.run(request("error alive"))).outcome is Outcome.COMPILE_ERROR


async def test_oversize_blobs_and_frames_end_in_errors_and_the_store_stays_bounded(serve: Serve) -> None:
    serving = await serve(RunnerConfig(workers=1, blob_bytes=1_000_000))
    link = await serving.open()
    with pytest.raises(RpcError):
        await link.connection.call("blob.put", {"hash": "0" * 64, "data": b"x" * 9_000_000})
    with pytest.raises(RpcError):
        await link.connection.call("blob.put", {"hash": "0" * 64, "data": b"x" * 17_000_000})
    client = serving.client()
    for n in range(5):
        assert (await client.run(request("pass", pad__h=f"{n}" * 400_000))).outcome is Outcome.PASSED
    assert serving.service.blobs.size <= 1_000_000


async def test_one_clients_stuck_jobs_do_not_stop_anothers(serve: Serve) -> None:
    serving = await serve(RunnerConfig(workers=2, budgets=Budgets(check=1.0)))
    hostile, honest = serving.client(), serving.client()
    started = asyncio.Event()
    stuck = [
        asyncio.create_task(hostile.run(request(f"stuck\n{n}", document=str(n)), lambda _: started.set()))
        for n in range(6)
    ]
    await started.wait()
    result = await asyncio.wait_for(honest.run(request("error honest")), 20)
    assert result.outcome is Outcome.COMPILE_ERROR
    assert sum(not task.done() for task in stuck) >= 1, "the honest job did not wait for all the others"
    for task in stuck:
        task.cancel()
    await asyncio.gather(*stuck, return_exceptions=True)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.dictionaries(
        st.sampled_from(["entry", "files", "chip", "flags", "version", "document", "kernel", "cases", "launches"]),
        st.none() | st.integers() | st.text(max_size=20) | st.lists(st.text(max_size=5) | st.integers(), max_size=3),
    ),
    st.sampled_from(["check", "verify", "measure", "blob.put", "blob.missing", "info", "idle", "auth"]),
)
def test_any_params_give_an_answer_or_an_error(params: dict[str, object], method: str) -> None:
    async def scenario() -> None:
        serving = Serving(RunnerConfig(workers=1))
        serving.pool.target = "nowhere:Nothing"  # no params get as far as a tool chain
        link = await serving.open()
        try:
            if method != "info":
                with pytest.raises(RpcError):
                    await asyncio.wait_for(link.connection.call(method, params), 20)
            assert not link.connection.closed
        finally:
            await link.stop()
            await serving.close()

    asyncio.run(scenario())


@given(st.text(max_size=60))
def test_a_path_that_passes_stays_below_its_root(path: str) -> None:
    try:
        check_path(path)
    except RpcError:
        return
    assert path and not path.startswith("/") and ".." not in path.split("/") and "\0" not in path
    assert "\\" not in path


@given(st.text(max_size=30))
def test_a_flag_that_passes_is_one_word_without_a_path_or_a_plugin(flag: str) -> None:
    try:
        check_flags([flag])
    except RpcError:
        return
    assert flag.startswith("-") and not set(flag) & set(" /;|&$`'\"\n\\") and "plugin" not in flag


@pytest.mark.parametrize("flag", ["-fplugin=x.so", "-I/etc", "-include", "@file", "-o", "-Xclang", "-load", "-D"])
@pytest.mark.parametrize("behind", ["", " -g", "\n", ",-x"])
def test_flags_that_load_read_or_write_are_refused(flag: str, behind: str) -> None:
    for given_flag in (flag + behind, "-O2" + behind if behind else flag):
        with pytest.raises(RpcError):
            check_flags([given_flag])


def test_a_hash_that_is_not_the_texts_is_refused() -> None:
    with pytest.raises(RpcError, match="hash"):
        name_files([SourceFile("k.cpp", "text", "0" * 64)], "k.cpp", DEFAULT_TREE_LIMITS, lambda _: None)
    known = evolve(SourceFile("k.cpp"), sha256="0" * 64)
    with pytest.raises(RpcError, match="not known"):
        name_files([known], "k.cpp", DEFAULT_TREE_LIMITS, lambda _: None)
