"""The errors that travel: a code, a message for a human, and optional data."""

from __future__ import annotations

from enum import IntEnum


class ErrorCode(IntEnum):
    """The codes this project sends. The first five keep their JSON-RPC values, the last keeps the LSP's."""

    PARSE = -32700
    """The bytes are no message of this protocol; the connection ends."""
    INVALID_REQUEST = -32600
    METHOD_NOT_FOUND = -32601
    INVALID_PARAMS = -32602
    INTERNAL = -32603
    """The handler failed: a defect of the peer."""
    DISCONNECTED = -32000
    """The peer is gone; whether the call took effect is unknown."""
    TIMEOUT = -32001
    """No answer within the caller's time; the call was cancelled."""
    OVERLOADED = -32002
    """The peer runs as many calls as it is willing to."""
    TOO_LARGE = -32003
    """A message or a blob is over the limits."""
    VERSION_MISMATCH = -32004
    """The peer speaks another major version of the protocol."""
    BLOB_MISSING = -32005
    """The peer lacks content named by its hash; ``data`` is ``{"hashes": [...]}``."""
    UNAUTHORISED = -32006
    SHUTTING_DOWN = -32007
    CANCELLED = -32800


class RpcError(Exception):
    """A call failed: ``code`` is an :class:`ErrorCode` where the peer is ours, ``data`` whatever it attached."""

    def __init__(self, code: int, message: str, data: object = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data

    def __str__(self) -> str:
        try:
            name = ErrorCode(self.code).name.lower()
        except ValueError:
            name = str(self.code)
        return f"{self.message} ({name})"
