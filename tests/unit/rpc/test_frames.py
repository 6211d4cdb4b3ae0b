"""Bytes in, messages out: no bytes do anything but give a message or an RpcError."""

from __future__ import annotations

import struct
import tracemalloc
from typing import Any

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelgen_ls.rpc import ErrorCode, Limits, RpcError
from kernelgen_ls.rpc.frames import Message, Notification, Request, Response, decode, encode, frame_length

LIMITS = Limits(frame_bytes=1 << 20, items=1000, depth=8)

scalars = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False) | st.text()
values = st.recursive(
    scalars | st.binary(max_size=300),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=20), inner, max_size=5),
    max_leaves=20,
)
maps = st.dictionaries(st.text(max_size=20), values, max_size=5)
ids = st.integers(0, 2**32 - 1)
messages = (
    st.builds(Request, ids, st.text(max_size=20), maps)
    | st.builds(Response, ids, st.none(), values)
    | st.builds(Notification, st.text(max_size=20), maps)
)


@given(messages)
def test_what_is_encoded_decodes_to_itself(message: Message) -> None:
    limits = Limits()
    frame = encode(message, limits.frame_bytes)
    assert frame_length(frame[:4], limits) == len(frame) - 4
    assert decode(frame[4:], limits) == message


@given(ids, st.integers(-(2**31), 2**31 - 1), st.text(), values)
def test_errors_travel_whole(number: int, code: int, text: str, data: Any) -> None:
    limits = Limits()
    answer = decode(encode(Response(number, RpcError(code, text, data), None), limits.frame_bytes)[4:], limits)
    assert isinstance(answer, Response) and answer.error is not None
    assert (answer.id, answer.error.code, answer.error.message, answer.error.data) == (number, code, text, data)


@settings(max_examples=500)
@given(st.binary(min_size=0, max_size=400))
def test_any_bytes_give_a_message_or_a_parse_error(body: bytes) -> None:
    try:
        message = decode(body, LIMITS)
    except RpcError as error:
        assert error.code == ErrorCode.PARSE
    else:
        assert isinstance(message, Request | Response | Notification)


@settings(max_examples=300)
@given(messages, st.data())
def test_a_damaged_frame_gives_a_message_or_a_parse_error(message: Message, data: st.DataObject) -> None:
    body = bytearray(encode(message, 1 << 20)[4:])
    for _ in range(data.draw(st.integers(1, 4))):
        body[data.draw(st.integers(0, len(body) - 1))] = data.draw(st.integers(0, 255))
    try:
        decode(bytes(body), Limits(frame_bytes=1 << 20))
    except RpcError as error:
        assert error.code == ErrorCode.PARSE


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"\x91" * 2000 + b"\xc0", id="deep nesting"),
        pytest.param(b"\xdd\xff\xff\xff\xff", id="an array of four billion"),
        pytest.param(b"\xdf\x7f\xff\xff\xff", id="a map of two billion"),
        pytest.param(b"\xdb\xff\xff\xff\xffabc", id="a string of four billion bytes"),
        pytest.param(b"\xdc\x07\xd0" + b"\x90" * 2000, id="more values than allowed"),
        pytest.param(msgpack.packb([2, "m", {"t": msgpack.ExtType(5, b"x")}]), id="an extension type"),
        pytest.param(msgpack.packb([2, "m", {1: 2}]), id="a key that is no string"),
        pytest.param(b"\x93\x02\xa1m\x81\xa1\xff\xc0", id="a string that is not UTF-8"),
        pytest.param(msgpack.packb([2, "m", {}]) + b"\xc0", id="bytes after the message"),
        pytest.param(msgpack.packb([3, 1, "m", {}]), id="an unknown kind"),
        pytest.param(msgpack.packb([0, -1, "m", {}]), id="a negative id"),
        pytest.param(msgpack.packb([0, True, "m", {}]), id="an id that is a boolean"),
        pytest.param(msgpack.packb([0, 1, "m" * 200, {}]), id="an endless method name"),
        pytest.param(msgpack.packb([1, 1, {"code": "x", "message": "m"}, None]), id="an error without a code"),
    ],
)
def test_refused(body: bytes) -> None:
    with pytest.raises(RpcError) as refused:
        decode(body, LIMITS)
    assert refused.value.code == ErrorCode.PARSE


def test_lengths_are_checked_before_anything_is_read() -> None:
    for length in (0, LIMITS.frame_bytes + 1, 2**32 - 1):
        with pytest.raises(RpcError):
            frame_length(struct.pack(">I", length), LIMITS)


def test_a_large_frame_of_tiny_values_costs_no_more_than_the_limits() -> None:
    limits = Limits()
    body = b"\xdd" + struct.pack(">I", limits.frame_bytes - 5) + b"\x90" * (limits.frame_bytes - 5)
    tracemalloc.start()
    with pytest.raises(RpcError):
        decode(body, limits)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < limits.frame_bytes


@pytest.mark.parametrize("value", [object(), {1, 2}, 2**80, "\ud800"])
def test_a_value_that_cannot_be_sent_is_an_error_of_the_sender(value: object) -> None:
    with pytest.raises(RpcError) as refused:
        encode(Notification("m", {"v": value}), 1 << 20)
    assert refused.value.code == ErrorCode.INTERNAL


def test_a_message_over_the_limit_is_not_sent() -> None:
    with pytest.raises(RpcError) as refused:
        encode(Notification("m", {"v": b"x" * 2000}), 1000)
    assert refused.value.code == ErrorCode.TOO_LARGE
