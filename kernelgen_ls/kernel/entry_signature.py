"""An entry function against the one that was asked for: a parameter that is missing, another order, another type."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from kernelgen_ls.kernel.dtypes import find_dtype
from kernelgen_ls.kernel.findings import Finding, FoundBy, Location, Severity
from kernelgen_ls.kernel.structure import Function
from kernelgen_ls.kernel.syntax import Source

CODE = "generation/entry"
_ASIDE = re.compile(r"workspace|tiling", re.IGNORECASE)
_BUFFER = re.compile(
    r"SetGlobalBuffer\s*\(\s*(?:\(|reinterpret_cast\s*<)\s*__gm__\s+(?P<type>\w+)\s*\*\s*[)>]\s*\(?\s*(?P<name>\w+)"
)


def entry_differences(
    path: str,
    text: str,
    wanted: str,
    outputs: Sequence[str] = (),
    dtypes: Mapping[str, Sequence[str]] | None = None,
) -> tuple[Finding, ...]:
    """What the only entry function of ``text`` has otherwise than that of the text ``wanted``, as findings in ``path``.

    ``outputs`` are the names of the parameters that are outputs; ``dtypes`` the element types that a tensor may have,
    by name. A parameter too many, too few or in another's place is an error, one of another name or type a warning.
    Nothing is said of a text without exactly one entry function.
    """
    source, model = Source.parse(text), Source.parse(wanted).structure.entries
    entries = source.structure.entries
    if len(entries) != 1 or len(model) != 1:
        return ()
    said = (*_of_parameters(entries[0], model[0], frozenset(outputs)), *_of_types(entries[0], source, dtypes or {}))
    place = Location(path, source.range(entries[0].name_span))
    return tuple(Finding(place, severity, message, FoundBy.LINT, CODE) for severity, message in said)


def _of_parameters(entry: Function, wanted: Function, outputs: frozenset[str]) -> Iterator[tuple[Severity, str]]:
    names, expected = _tensors(entry), _tensors(wanted)
    listed = ", ".join(expected)
    for name in [name for name in expected if name not in names] if len(names) < len(expected) else ():
        kind = "output" if name in outputs else "parameter"
        yield Severity.ERROR, f"the {kind} '{name}' is missing: '{entry.name}' has to take {listed}"
    for name in [name for name in names if name not in expected] if len(names) > len(expected) else ():
        yield Severity.ERROR, f"the parameter '{name}' is none of those that '{entry.name}' has to take: {listed}"
    if len(names) != len(expected) or names == expected:
        return
    if sorted(names) == sorted(expected):
        yield Severity.ERROR, f"the parameters of '{entry.name}' are in another order than {listed}"
        return
    for name, other in zip(names, expected, strict=True):
        if name != other:
            yield Severity.WARNING, f"the parameter '{name}' stands where '{entry.name}' was to take '{other}'"


def _of_types(entry: Function, source: Source, dtypes: Mapping[str, Sequence[str]]) -> Iterator[tuple[Severity, str]]:
    used: dict[str, list[str]] = {}
    for found in _BUFFER.finditer(source.plain):
        used.setdefault(found["name"], []).append(found["type"])
    for name in _tensors(entry):
        allowed = {known.kernel for one in dtypes.get(name, ()) if (known := find_dtype(one)) is not None}
        types = [known.kernel for one in used.get(name, ()) if (known := find_dtype(one)) is not None]
        if allowed and types and len(types) == len(used[name]) and allowed.isdisjoint(types):
            yield (
                Severity.WARNING,
                f"'{name}' is taken for {types[0]}, the specification says {' or '.join(sorted(allowed))}",
            )


def _tensors(function: Function) -> list[str]:
    """The parameters that are addresses of tensors, by name and in order."""
    return [
        one.name
        for one in function.parameters
        if ("GM_ADDR" in one.type or "__gm__" in one.type) and not _ASIDE.search(one.name)
    ]
