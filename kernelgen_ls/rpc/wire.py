"""Messages to plain maps and back. Unknown keys are ignored, so that a minor protocol version may add fields."""

from __future__ import annotations

from typing import Any, TypeVar

import attrs
import cattrs
from cattrs.preconf.msgpack import make_converter

from kernelgen_ls.rpc.errors import ErrorCode, RpcError

T = TypeVar("T")

_MOST_REASONS = 500
"""Characters: a message that is wrong all over need not be told all of it."""

_converter = make_converter()


def to_wire(message: object) -> dict[str, Any]:
    """The map of an attrs message: only maps, lists and scalars, ready for msgpack or JSON."""
    plain = _converter.unstructure(message)
    assert isinstance(plain, dict)
    return plain


def from_wire(plain: object, kind: type[T]) -> T:
    """The message of type ``kind`` in a map, or the plain value; raises :class:`RpcError` INVALID_PARAMS for others."""
    if attrs.has(kind) and not isinstance(plain, dict):
        raise RpcError(ErrorCode.INVALID_PARAMS, f"not a {kind.__name__}: {type(plain).__name__}")
    try:
        return _converter.structure(plain, kind)
    except Exception as problem:
        # cattrs raises groups of whatever the fields' own constructors raise; to the peer each means the same.
        reasons = "; ".join(cattrs.transform_error(problem))[:_MOST_REASONS]
        raise RpcError(ErrorCode.INVALID_PARAMS, f"not a {kind.__name__}: {reasons}") from problem
