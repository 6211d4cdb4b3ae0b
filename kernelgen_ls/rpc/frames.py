"""Bytes to messages and back, with every limit checked before memory is spent. No I/O.

A frame is four bytes of big-endian length and one msgpack array: ``[0, id, method, params]`` a request,
``[1, id, error, result]`` its answer, ``[2, method, params]`` a notification. ``params`` is a map.
"""

from __future__ import annotations

import struct
from typing import Any

import msgpack
from attrs import frozen

from kernelgen_ls.rpc.errors import ErrorCode, RpcError

MAGIC = b"#!kernelgen-rpc 1\n"
"""The first bytes either side sends. Whatever comes before them (an ssh banner, a login shell's chatter) is skipped."""

PREAMBLE_LIMIT = 64 * 1024
"""Bytes of chatter tolerated before the magic line."""

_LENGTH = struct.Struct(">I")
_MAX_ID = 2**32 - 1
_MAX_METHOD = 128


@frozen
class Limits:
    """What one endpoint accepts and how long it waits. The peer learns ``frame_bytes`` and ``calls`` from hello."""

    frame_bytes: int = 16 * 1024 * 1024
    """The largest frame, in bytes, in either direction."""
    items: int = 500_000
    """Values in one message, nested ones counted: what keeps a 16 MiB frame of empty lists from becoming a gigabyte."""
    depth: int = 32
    calls: int = 64
    """Calls in flight in each direction. Our own further calls wait; a peer's further calls are refused."""
    write_buffer_bytes: int = 256 * 1024
    """Bytes written but not yet taken by the transport, beyond which writers wait."""
    start_seconds: float = 30.0
    """From opening the stream to the peer's hello."""
    heartbeat_seconds: float = 15.0
    """A ping after this long without writing; three times this long without a byte is a dead peer."""


@frozen
class Request:
    """A call that wants an answer. ``params`` is None where the peer sent something that is no map."""

    id: int
    method: str
    params: dict[str, Any] | None


@frozen
class Response:
    """The answer to the call ``id``: ``error`` is None on success."""

    id: int
    error: RpcError | None
    result: Any


@frozen
class Notification:
    """A message without an answer."""

    method: str
    params: dict[str, Any]


Message = Request | Response | Notification


def frame_length(header: bytes, limits: Limits) -> int:
    """The length a frame's four header bytes announce; raises :class:`RpcError` where it is zero or over the limit."""
    (length,) = _LENGTH.unpack(header)
    if not 0 < length <= limits.frame_bytes:
        raise RpcError(ErrorCode.PARSE, f"a frame of {length} bytes; this side takes 1 to {limits.frame_bytes}")
    return int(length)


def encode(message: Message, frame_bytes: int) -> bytes:
    """The frame of ``message``. Raises RpcError TOO_LARGE over ``frame_bytes``, INTERNAL for an unpackable value."""
    shape: list[Any]
    if isinstance(message, Request):
        shape = [0, message.id, message.method, message.params or {}]
    elif isinstance(message, Response):
        error = None
        if message.error is not None:
            error = {"code": int(message.error.code), "message": message.error.message, "data": message.error.data}
        shape = [1, message.id, error, message.result]
    else:
        shape = [2, message.method, message.params]
    try:
        body: bytes = msgpack.packb(shape, use_bin_type=True, strict_types=False)
    except (TypeError, ValueError, OverflowError, RecursionError) as problem:
        raise RpcError(ErrorCode.INTERNAL, f"a value that cannot be sent: {problem}") from problem
    if len(body) > frame_bytes:
        raise RpcError(ErrorCode.TOO_LARGE, f"a message of {len(body)} bytes; the limit is {frame_bytes}")
    return _LENGTH.pack(len(body)) + body


def decode(body: bytes, limits: Limits) -> Message:
    """The message in a frame's body. Raises RpcError PARSE for anything that is not exactly one message."""
    _measure(body, limits)
    try:
        shape = msgpack.unpackb(
            body,
            raw=False,
            strict_map_key=True,
            max_str_len=limits.frame_bytes,
            max_bin_len=limits.frame_bytes,
            max_array_len=limits.items,
            max_map_len=limits.items,
            max_ext_len=0,
        )
    except Exception as problem:
        # msgpack raises half a dozen unrelated classes for hostile bytes; each of them means the same to us.
        raise RpcError(ErrorCode.PARSE, f"not a msgpack message: {type(problem).__name__}") from problem
    return _message(shape)


def _message(shape: Any) -> Message:
    match shape:
        case [0, int(number), str(method), params] if _is_id(number) and len(method) <= _MAX_METHOD:
            return Request(number, method, params if isinstance(params, dict) else None)
        case [1, int(number), None, result] if _is_id(number):
            return Response(number, None, result)
        case [1, int(number), {"code": int(code), "message": str(text), **rest}, _] if _is_id(number):
            return Response(number, RpcError(code, text, rest.get("data")), None)
        case [2, str(method), dict(params)] if len(method) <= _MAX_METHOD:
            return Notification(method, params)
    raise RpcError(ErrorCode.PARSE, "a msgpack value that is no message of this protocol")


def _is_id(number: int) -> bool:
    return not isinstance(number, bool) and 0 <= number <= _MAX_ID


# The msgpack types by first byte: how many bytes of value follow it, or how many bytes of length.
_VALUES = {0xC0: 0, 0xC2: 0, 0xC3: 0, 0xCA: 4, 0xCB: 8, 0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8}
_VALUES |= {0xD0: 1, 0xD1: 2, 0xD2: 4, 0xD3: 8}
_BYTES = {0xC4: 1, 0xC5: 2, 0xC6: 4, 0xD9: 1, 0xDA: 2, 0xDB: 4}
_ARRAYS = {0xDC: 2, 0xDD: 4}
_MAPS = {0xDE: 2, 0xDF: 4}
_NEGATIVE_INTS, _SHORT_INTS, _SHORT_TEXTS = range(0xE0, 0x100), range(0x80), range(0xA0, 0xC0)
_AFTER = [-1] * 256
for _first in (*_SHORT_INTS, *_NEGATIVE_INTS):
    _AFTER[_first] = 0
for _first in _SHORT_TEXTS:
    _AFTER[_first] = _first & 0x1F
for _first, _width in _VALUES.items():
    _AFTER[_first] = _width
"""How many bytes a value has after its first where that alone tells; -1 for all others."""


def _measure(body: bytes, limits: Limits) -> None:
    """Walk the structure without building it: depth, number of values, lengths inside the frame, no ext types."""
    try:
        _walk(body, limits)
    except IndexError:
        raise RpcError(ErrorCode.PARSE, "a message that ends before it is whole") from None


def _walk(body: bytes, limits: Limits) -> None:
    at, end, items, left = 0, len(body), 1, 1  # left: values still to come at this level
    outer: list[int] = []
    while True:
        while not left:
            if not outer:
                if at != end:
                    raise RpcError(ErrorCode.PARSE, "bytes missing from the message, or left over after it")
                return
            left = outer.pop()
        left -= 1
        first = body[at]
        after = _AFTER[first]
        if after >= 0:
            at += 1 + after
            continue
        if first in _BYTES:
            width = _BYTES[first]
            at += 1 + width + int.from_bytes(body[at + 1 : at + 1 + width], "big")
            continue
        at, inside = _container(body, at, first)
        items += inside
        if inside > end - at or items > limits.items:
            raise RpcError(ErrorCode.PARSE, "a message with more values than it has bytes, or than allowed")
        if len(outer) >= limits.depth:
            raise RpcError(ErrorCode.PARSE, f"a message nested deeper than {limits.depth}")
        outer.append(left)
        left = inside


def _container(body: bytes, at: int, first: int) -> tuple[int, int]:
    """Where the values of an array or map begin, and how many there are (keys count)."""
    if first <= 0x8F:
        return at + 1, 2 * (first & 0x0F)
    if first <= 0x9F:
        return at + 1, first & 0x0F
    width = _ARRAYS.get(first) or _MAPS.get(first)
    if width is None:
        raise RpcError(ErrorCode.PARSE, f"a value of msgpack type 0x{first:02x}, which this protocol does not use")
    count = int.from_bytes(body[at + 1 : at + 1 + width], "big")
    return at + 1 + width, count * (2 if first in _MAPS else 1)
