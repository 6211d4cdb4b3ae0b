"""Which names of the interface may stand at a place: members after an object of their class, the others elsewhere."""

from __future__ import annotations

import re

from kernelgen_ls.kernel.api import ApiEntry, all_entries, lookup
from kernelgen_ls.kernel.names import CompletionContext

_NAMESPACES = {"", "AscendC"}
_INNER = {"Reg", "Std"}
"""Namespaces in AscendC whose names stand after their own only."""

_ALIASES = {"MicroAPI": "Reg"}
_DERIVED = re.compile(r"[:,]\s*(?:public|protected)\s+(?:\w+::)*(\w+)")


def candidates(context: CompletionContext) -> tuple[ApiEntry, ...]:
    """The names that may stand there and begin as what is written, whatever its case; not the one that is written out.

    Nothing where neither a letter nor an object or a namespace stands before the place: everything would fit.
    """
    if not context.prefix and not context.receiver and not context.qualifier:
        return ()
    prefix = context.prefix.lower()
    return tuple(
        entry
        for entry in all_entries()
        if entry.name.lower().startswith(prefix) and entry.name != context.prefix and fits(entry, context)
    )


def fits(entry: ApiEntry, context: CompletionContext) -> bool:
    """Whether a name of the interface may stand there: members after a receiver of their type, others elsewhere."""
    scopes = {_last(signature.scope) for signature in entry.signatures}
    if context.receiver:
        if not context.receiver_kind:
            return bool(scopes - _NAMESPACES - _INNER)
        return not scopes.isdisjoint(with_bases(_last(context.receiver_kind.partition("<")[0])))
    if context.qualifier and _last(context.qualifier) != "AscendC":
        qualifier = _last(context.qualifier)
        return _ALIASES.get(qualifier, qualifier) in scopes
    return not scopes or bool(scopes & _NAMESPACES)


def with_bases(kind: str) -> set[str]:
    """A class of the interface and those it derives from."""
    found: set[str] = set()
    waiting = [kind]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        entry = lookup(name)
        for signature in entry.signatures if entry is not None else ():
            waiting += _DERIVED.findall(signature.text)
    return found


def _last(path: str) -> str:
    """The last part of a qualified name."""
    return path.rsplit("::", 1)[-1].strip()
