"""The first call in each direction: protocol version, features, limits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from kernelgen_ls.rpc.errors import ErrorCode, RpcError
from kernelgen_ls.rpc.frames import Limits

PROTOCOL = (1, 0)
"""Major and minor version. Another major version is refused; a minor one may add methods and keys."""

_DEFAULT = Limits()


@frozen
class Hello:
    """What the peer said of itself."""

    protocol: tuple[int, int]
    features: tuple[str, ...] = ()
    frame_bytes: int = _DEFAULT.frame_bytes
    calls: int = _DEFAULT.calls


def own_hello(features: Sequence[str], limits: Limits) -> dict[str, Any]:
    """The params of our own hello."""
    own = {"frame_bytes": limits.frame_bytes, "calls": limits.calls}
    return {"protocol": list(PROTOCOL), "features": list(features), "limits": own}


def parse_hello(params: dict[str, Any]) -> Hello:
    """The peer's hello; keys that are missing or odd have their defaults. Raises PARSE without a version."""
    match params.get("protocol"):
        case [int(major), int(minor)]:
            protocol = (major, minor)
        case other:
            raise RpcError(ErrorCode.PARSE, f"hello without a protocol version: {other!r}"[:200])
    features, limits = params.get("features"), params.get("limits")
    named = limits if isinstance(limits, dict) else {}
    return Hello(
        protocol,
        tuple(f for f in features if isinstance(f, str)) if isinstance(features, list) else (),
        _positive(named.get("frame_bytes"), _DEFAULT.frame_bytes),
        _positive(named.get("calls"), _DEFAULT.calls),
    )


def version_mismatch(peer: Hello) -> RpcError | None:
    """The error for a peer of another major version, None for one of ours."""
    if peer.protocol[0] == PROTOCOL[0]:
        return None
    theirs, ours = f"{peer.protocol[0]}.{peer.protocol[1]}", f"{PROTOCOL[0]}.{PROTOCOL[1]}"
    message = f"the peer speaks protocol {theirs}, this side {ours}: install the same kernelgen-ls on both"
    return RpcError(ErrorCode.VERSION_MISMATCH, message, {"peer": theirs, "own": ours})


def _positive(value: object, default: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else default
