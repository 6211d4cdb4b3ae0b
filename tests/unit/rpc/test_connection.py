"""Two endpoints over a socket pair: calls, cancellation, progress, limits, and peers that misbehave."""

from __future__ import annotations

import asyncio
import struct
import time
from typing import Any

import msgpack
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernelgen_ls.rpc import MAGIC, BlobStore, Call, Connection, ErrorCode, Limits, RpcError, blob_handlers, send_blobs
from tests.unit.rpc.pair import joined, streams


async def echo(call: Call) -> object:
    return call.params


async def forever(call: Call) -> object:
    await asyncio.Event().wait()
    return None


def frame(value: object) -> bytes:
    body: bytes = msgpack.packb(value)
    return struct.pack(">I", len(body)) + body


def frames(raw: bytes) -> list[Any]:
    """The values of the whole frames in ``raw``."""
    found = []
    while len(raw) >= 4 and len(raw) >= 4 + (size := struct.unpack(">I", raw[:4])[0]):
        found.append(msgpack.unpackb(raw[4 : 4 + size]))
        raw = raw[4 + size :]
    return found


async def answers_to(reader: asyncio.StreamReader, numbers: set[int]) -> dict[int, Any]:
    """What a peer answers these calls, as it stands in the frames behind its greeting."""
    raw = b""
    while True:
        found = {value[1]: value for value in frames(raw.removeprefix(MAGIC)) if value[0] == 1 and value[1] in numbers}
        if found.keys() == numbers:
            return found
        raw += await asyncio.wait_for(reader.read(4096), 60)


HELLO = MAGIC + frame([0, 0, "hello", {"protocol": [1, 0], "features": [], "limits": {}, "later": 1}])
WELCOME = frame([1, 0, None, {}])


async def test_calls_go_both_ways() -> None:
    async def ask_back(call: Call) -> object:
        return await call.connection.call("echo", {"from": call.params["who"]})

    async with joined({"ask": ask_back, "echo": echo}, client={"echo": echo}) as (near, _):
        assert await near.call("echo", {"π": [1, 2.5, None, b"\x00", "文"]}) == {"π": [1, 2.5, None, b"\x00", "文"]}
        assert await near.call("ask", {"who": "near"}) == {"from": "near"}


async def test_many_calls_at_once_get_their_own_answers() -> None:
    async def slowly(call: Call) -> object:
        for _ in range(call.params["n"] % 7):
            await asyncio.sleep(0)
        return call.params["n"]

    async with joined({"slowly": slowly}, limits=Limits(calls=5)) as (near, _):
        answers = await asyncio.gather(*(near.call("slowly", {"n": n}) for n in range(500)))
    assert answers == list(range(500))


async def test_errors_of_a_handler_reach_the_caller() -> None:
    async def refuse(call: Call) -> object:
        raise RpcError(ErrorCode.UNAUTHORISED, "not you", {"who": "you"})

    async def fail(call: Call) -> object:
        return {}["missing"]

    async def unsendable(call: Call) -> object:
        return object()

    async with joined({"refuse": refuse, "fail": fail, "unsendable": unsendable, "echo": echo}) as (near, _):
        for method, code in [
            ("refuse", ErrorCode.UNAUTHORISED),
            ("fail", ErrorCode.INTERNAL),
            ("unsendable", ErrorCode.INTERNAL),
            ("nowhere", ErrorCode.METHOD_NOT_FOUND),
        ]:
            with pytest.raises(RpcError) as raised:
                await near.call(method)
            assert raised.value.code == code
        assert await near.call("echo", {"still": "here"}) == {"still": "here"}


async def test_progress_arrives_before_the_answer_and_a_broken_listener_hurts_nobody() -> None:
    async def work(call: Call) -> object:
        for step in range(3):
            await call.progress({"step": step})
        return "done"

    seen: list[int] = []

    def listen(state: dict[str, Any]) -> None:
        seen.append(state["step"])
        raise ValueError("a defect of the listener")

    async with joined({"work": work}) as (near, _):
        assert await near.call("work", on_progress=listen) == "done"
    assert seen == [0, 1, 2]


async def test_cancelling_the_caller_cancels_the_handler() -> None:
    started, stopped = asyncio.Event(), asyncio.Event()

    async def hang(call: Call) -> object:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        return None

    async with joined({"hang": hang, "echo": echo}) as (near, _):
        calling = asyncio.create_task(near.call("hang"))
        await started.wait()
        calling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await calling
        await asyncio.wait_for(stopped.wait(), 60)
        assert await near.call("echo", {"a": 1}) == {"a": 1}


async def test_calls_cancelled_at_once_give_their_slots_back() -> None:
    async with joined({"forever": forever, "echo": echo}, limits=Limits(calls=3)) as (near, _):
        for _ in range(50):
            calling = asyncio.create_task(near.call("forever"))
            await asyncio.sleep(0)
            calling.cancel()
            await asyncio.gather(calling, return_exceptions=True)
        answers = await asyncio.wait_for(asyncio.gather(*(near.call("echo", {"n": n}) for n in range(3))), 60)
    assert answers == [{"n": 0}, {"n": 1}, {"n": 2}]


async def test_a_cancel_in_the_same_packet_as_its_call_is_answered() -> None:
    near, far = await streams()
    server = Connection(*far, {"forever": forever})
    near[1].write(HELLO + WELCOME)
    await server.start()
    near[1].write(frame([0, 7, "forever", {}]) + frame([2, "$/cancel", {"id": 7}]))
    answers = await answers_to(near[0], {7})
    await server.close()
    near[1].close()
    assert answers[7][2]["code"] == ErrorCode.CANCELLED


async def test_a_timeout_is_an_error_and_cancels_the_handler() -> None:
    async with joined({"forever": forever}) as (near, _):
        with pytest.raises(RpcError) as raised:
            await near.call("forever", timeout=0.01)
    assert raised.value.code == ErrorCode.TIMEOUT


async def test_a_dead_peer_fails_every_pending_call() -> None:
    async with joined({"forever": forever}) as (near, far):
        calls = [asyncio.create_task(near.call("forever")) for _ in range(10)]
        await asyncio.sleep(0)
        await far.close()
        outcomes = await asyncio.gather(*calls, return_exceptions=True)
        assert all(isinstance(o, RpcError) and o.code == ErrorCode.DISCONNECTED for o in outcomes)
        with pytest.raises(RpcError) as late:
            await near.call("forever")
        assert late.value.code == ErrorCode.DISCONNECTED


async def test_outstanding_calls_are_bounded_by_the_smaller_side() -> None:
    running = peak = 0

    async def count(call: Call) -> object:
        nonlocal running, peak
        running += 1
        peak = max(peak, running)
        await asyncio.sleep(0)
        running -= 1
        return None

    async with joined({"count": count}, limits=Limits(calls=4), client_limits=Limits(calls=50)) as (near, _):
        await asyncio.gather(*(near.call("count") for _ in range(60)))
    assert 1 <= peak <= 4


async def test_a_peer_that_calls_too_much_is_refused_not_queued() -> None:
    near, far = await streams()
    server = Connection(*far, {"forever": forever}, limits=Limits(calls=2))
    near[1].write(HELLO + WELCOME)
    await server.start()
    near[1].write(b"".join(frame([0, n, "forever", {}]) for n in range(1, 6)))
    answers = await answers_to(near[0], {3, 4, 5})
    await server.close()
    near[1].close()
    assert all("are running already" in answer[2]["message"] for answer in answers.values())


async def test_back_pressure_stops_a_writer_whose_peer_does_not_read() -> None:
    near, far = await streams()
    server = Connection(*far, {}, limits=Limits(write_buffer_bytes=1024))
    near[1].write(HELLO + WELCOME)
    await server.start()
    sent = 0

    async def flood() -> None:
        nonlocal sent
        while True:
            await server.notify("n", {"data": b"x" * 100_000})
            sent += 1

    flooding = asyncio.create_task(flood())
    for _ in range(200):
        await asyncio.sleep(0)
    assert sent < 100 and not flooding.done()
    flooding.cancel()
    await asyncio.gather(flooding, return_exceptions=True)
    await server.close()
    near[1].close()


@pytest.mark.parametrize(
    "chatter", [b"", b"Welcome to Ubuntu!\n\n", b"no newline", b"\xff\x00" * 9000, b"x\n" * 30_000]
)
async def test_chatter_before_the_magic_line_is_skipped(chatter: bytes) -> None:
    near, far = await streams()
    server = Connection(*far, {"echo": echo})
    near[1].write(chatter + HELLO + WELCOME)
    await server.start()
    assert server.preamble == chatter
    await server.close()
    near[1].close()


async def test_endless_chatter_is_not_read_for_ever() -> None:
    near, far = await streams()
    server = Connection(*far, {})
    near[1].write(b"chatter " * 20_000)
    with pytest.raises(RpcError) as refused:
        await server.start()
    assert refused.value.code == ErrorCode.DISCONNECTED
    assert "chatter" in str(refused.value.data)
    near[1].close()


async def test_another_major_version_is_refused_with_both_versions() -> None:
    near, far = await streams()
    server = Connection(*far, {})
    near[1].write(MAGIC + frame([0, 0, "hello", {"protocol": [2, 3]}]))
    with pytest.raises(RpcError) as refused:
        await server.start()
    assert refused.value.code == ErrorCode.VERSION_MISMATCH
    assert "2.3" in refused.value.message and "1.0" in refused.value.message
    assert b"2.3" in await near[0].read()
    near[1].close()


async def test_a_peer_that_never_speaks_is_given_up() -> None:
    near, far = await streams()
    with pytest.raises(RpcError) as refused:
        await Connection(*far, {}, limits=Limits(start_seconds=0.05)).start()
    assert refused.value.code == ErrorCode.TIMEOUT
    near[1].close()


async def test_a_silent_peer_is_declared_dead_by_the_heartbeat() -> None:
    near, far = await streams()
    server = Connection(*far, {}, limits=Limits(heartbeat_seconds=0.02))
    near[1].write(HELLO + WELCOME)
    await server.start()
    await asyncio.wait_for(server.wait_closed(), 60)
    assert "no sign of life" in str(server.closed_because)
    near[1].close()


async def test_two_idle_peers_keep_each_other_alive() -> None:
    beat = 0.1
    async with joined({"echo": echo}, limits=Limits(heartbeat_seconds=beat)) as (near, far):
        longer_than_a_silent_peer_lives = time.monotonic() + 4 * beat
        while min(near._incoming.last_read, far._incoming.last_read) < longer_than_a_silent_peer_lives:
            assert not near.closed and not far.closed
            await asyncio.sleep(beat / 10)
        assert await near.call("echo", {"n": 1}) == {"n": 1}


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.binary(max_size=60) | st.builds(frame, st.lists(st.integers(0, 3) | st.text(max_size=3))), max_size=6)
)
def test_no_bytes_make_an_endpoint_raise_or_answer_the_wrong_call(packets: list[bytes]) -> None:
    async def scenario() -> None:
        near, far = await streams()
        problems: list[Any] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: problems.append(context))
        server = Connection(*far, {"echo": echo})
        near[1].write(HELLO + WELCOME)
        await server.start()
        pending = asyncio.create_task(server.call("never-answered"))
        near[1].write(b"".join(packets))
        near[1].write_eof()
        await asyncio.wait_for(server.wait_closed(), 60)
        outcome = (await asyncio.gather(pending, return_exceptions=True))[0]
        # Only the exact answer [1, 1, ...] may settle call 1; these packets never have that shape.
        assert isinstance(outcome, RpcError) and outcome.code == ErrorCode.DISCONNECTED
        await server.close()
        near[1].close()
        assert problems == []

    asyncio.run(scenario())


async def test_only_missing_blobs_travel_and_wrong_names_are_refused() -> None:
    store = BlobStore(max_bytes=1000, max_blob=600)
    async with joined(blob_handlers(store)) as (near, _):
        blobs = {store_name(text): text for text in (b"a" * 100, b"b" * 100)}
        assert await send_blobs(near, blobs) == 200
        assert await send_blobs(near, blobs) == 0
        with pytest.raises(RpcError) as wrong:
            await near.call("blob.put", {"hash": store_name(b"c"), "data": b"d"})
        assert wrong.value.code == ErrorCode.INVALID_PARAMS
        with pytest.raises(RpcError) as large:
            await send_blobs(near, {store_name(b"e" * 601): b"e" * 601})
        assert large.value.code == ErrorCode.TOO_LARGE
        for n in range(20):
            await send_blobs(near, {store_name(bytes([n]) * 300): bytes([n]) * 300})
    assert store.size <= 1000


def store_name(data: bytes) -> str:
    return BlobStore().put(data)


async def test_a_stall_of_ones_own_is_not_taken_for_a_dead_peer() -> None:
    """As after a laptop's sleep: both sides find that much time has passed without a byte."""
    async with joined({"echo": echo}, limits=Limits(heartbeat_seconds=0.05)) as (near, far):
        await asyncio.sleep(0.02)
        time.sleep(0.5)  # noqa: ASYNC251 - the whole process stands still, which is the point
        await asyncio.sleep(0.03)
        assert await near.call("echo", {"n": 1}) == {"n": 1}
        assert not far.closed
