"""Messages to maps and back. Unknown keys are ignored, so that a minor protocol version may add fields."""

from __future__ import annotations

from typing import Any, TypeVar

import cattrs

from kernelgen_ls.rpc import ErrorCode, RpcError

T = TypeVar("T")

_converter = cattrs.Converter()


def to_wire(message: object) -> dict[str, Any]:
    """The map of an attrs message: only maps, lists and scalars, ready for msgpack or JSON."""
    plain = _converter.unstructure(message)
    assert isinstance(plain, dict)
    return plain


def from_wire(plain: object, kind: type[T]) -> T:
    """The message of type ``kind`` in a map; raises :class:`RpcError` INVALID_PARAMS where it is none."""
    if not isinstance(plain, dict):
        raise RpcError(ErrorCode.INVALID_PARAMS, f"not a {kind.__name__}: {type(plain).__name__}")
    try:
        return _converter.structure(plain, kind)
    except Exception as problem:
        # cattrs raises groups of whatever the fields' own constructors raise; to the peer each means the same.
        reasons = "; ".join(cattrs.transform_error(problem))[:500]
        raise RpcError(ErrorCode.INVALID_PARAMS, f"not a {kind.__name__}: {reasons}") from problem
