"""Reading values of settings: from JSON to typed fields, with a problem for each value that is not taken."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, cast, get_args, get_origin

import attrs

from kernelgen_ls.settings.definition import PREFIX, About, Origin, Problem, Settings, camel, sections


class _BadValueError(Exception):
    """The message says what was expected."""


def read_layer(raw: Mapping[str, Any], base: Settings, origin: Origin) -> tuple[Settings, tuple[Problem, ...]]:
    """Lay ``raw`` over ``base``; see ``settings.read``."""
    problems: list[Problem] = []
    changes: dict[str, dict[str, Any]] = {}
    known = sections()
    for section_name, key, value in flat(raw):
        name = f"{section_name}.{key}" if key else section_name
        section = known.get(section_name)
        fields = {camel(f.name): f for f in attrs.fields(section)} if section else {}
        field = fields.get(key)
        if field is None:
            problems.append(Problem(name, f"there is no setting '{PREFIX}.{name}'."))
            continue
        about: About = field.metadata["about"]
        if value is None:
            continue
        if origin is Origin.PROJECT and about.origin is Origin.USER:
            problems.append(
                Problem(
                    name,
                    f"'{PREFIX}.{name}' in a project's file is refused: a repository must not choose it. "
                    "Set it in your own configuration.",
                )
            )
            continue
        try:
            changes.setdefault(section_name, {})[field.name] = _value(field.type, value, about)
        except _BadValueError as bad:
            kept = getattr(getattr(base, section_name), field.name)
            problems.append(Problem(name, f"'{PREFIX}.{name}': {bad}; {_shown(kept)} is kept."))
    evolved = {name: attrs.evolve(getattr(base, name), **values) for name, values in changes.items()}
    return attrs.evolve(base, **evolved), tuple(problems)


def flat(raw: Mapping[str, Any]) -> list[tuple[str, str, Any]]:
    """(section, key, value) triples of a nested or dotted mapping, the prefix removed."""
    found: list[tuple[str, str, Any]] = []
    for name, value in raw.items():
        if name == PREFIX and isinstance(value, Mapping):
            found += flat(value)
            continue
        section, _, key = name.removeprefix(f"{PREFIX}.").partition(".")
        if key:
            found.append((section, key, value))
        elif isinstance(value, Mapping):
            found += [(section, str(inner), inner_value) for inner, inner_value in value.items()]
        elif value is not None:
            found.append((section, "", value))
    return found


def _shown(value: Any) -> str:
    if isinstance(value, Enum):
        return repr(value.value)
    return repr(value)


def _value(kind: Any, raw: Any, about: About) -> Any:
    if kind is bool:
        if not isinstance(raw, bool):
            raise _BadValueError(f"true or false expected, not {raw!r}")
        return raw
    if kind in (int, float):
        return _number(kind, raw, about)
    if kind is str:
        if not isinstance(raw, str):
            raise _BadValueError(f"text expected, not {raw!r}")
        return _accepted(raw, about)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _choice(kind, raw)
    if get_origin(kind) is tuple:
        if not isinstance(raw, (list, tuple)):
            raise _BadValueError(f"a list expected, not {raw!r}")
        return tuple(_value(get_args(kind)[0], item, about) for item in raw)
    if attrs.has(kind):
        return _object(kind, raw)
    if not isinstance(raw, Mapping):
        raise _BadValueError(f"an object expected, not {raw!r}")
    return {str(name): _value(get_args(kind)[1], value, about) for name, value in raw.items()}


def _accepted(raw: str, about: About) -> str:
    if about.accept is not None:
        try:
            about.accept(raw)
        except ValueError as unknown:
            raise _BadValueError(str(unknown)) from None
    return raw


def _number(kind: type, raw: Any, about: About) -> Any:
    if isinstance(raw, bool) or not isinstance(raw, (int, float)) or (kind is int and raw != raw // 1):
        raise _BadValueError(f"a {'whole ' if kind is int else ''}number expected, not {raw!r}")
    if about.minimum is not None and raw < about.minimum:
        raise _BadValueError(f"{raw} is less than {about.minimum:g}")
    if about.maximum is not None and raw > about.maximum:
        raise _BadValueError(f"{raw} is more than {about.maximum:g}")
    if raw != raw:
        raise _BadValueError("a number expected, not NaN")
    return kind(raw)


def _choice(kind: type[Enum], raw: Any) -> Enum:
    for member in kind:
        if member.value == raw:
            return member
    raise _BadValueError(f"one of {', '.join(repr(m.value) for m in kind)} expected, not {raw!r}")


def _object(kind: type[Any], raw: Any) -> Any:
    if not isinstance(raw, Mapping):
        raise _BadValueError(f"an object expected, not {raw!r}")
    fields = {camel(f.name): f for f in attrs.fields(cast(Any, attrs.resolve_types(kind)))}
    values = {}
    for name, value in raw.items():
        if name not in fields:
            raise _BadValueError(f"unknown key {name!r} (known: {', '.join(fields)})")
        field = fields[name]
        try:
            values[field.name] = _value(field.type, value, field.metadata["about"])
        except _BadValueError as bad:
            raise _BadValueError(f"{name}: {bad}") from None
    return kind(**values)
