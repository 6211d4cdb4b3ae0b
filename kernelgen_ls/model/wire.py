"""Messages to and from plain maps: what the RPC carries between the engine and its worker."""

from __future__ import annotations

from typing import Any, TypeVar

import cattrs
from cattrs.preconf.msgpack import make_converter

T = TypeVar("T")

_converter = make_converter()


class BadMessageError(ValueError):
    """What arrived is no message of the expected type; the text says which field."""


def to_wire(message: object) -> Any:
    """The message as maps, lists, text and numbers."""
    return _converter.unstructure(message)


def from_wire(raw: Any, kind: type[T]) -> T:
    """The message that ``raw`` spells. Raises :class:`BadMessageError`."""
    try:
        return _converter.structure(raw, kind)
    except (cattrs.BaseValidationError, cattrs.StructureHandlerNotFoundError, ValueError, TypeError, KeyError) as error:
        problems = "; ".join(cattrs.transform_error(error)) if isinstance(error, cattrs.BaseValidationError) else error
        raise BadMessageError(f"not a {kind.__name__}: {problems}") from error
