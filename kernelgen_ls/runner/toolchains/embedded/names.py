"""Which declared name an undeclared one looks like: one or two slips away, close enough to be called an error."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from kernelgen_ls.folders import DECLARATIONS, declared_headers
from kernelgen_ls.kernel.api.public_names import is_inner_name, is_public_name, public_names
from kernelgen_ls.kernel.distance import distance, is_slip

_WORD = re.compile(r"\b[A-Za-z_]\w{2,}\b")
_OF_THE_HOST = frozenset(
    ("acl", "aclnn", "exe_graph", "graph", "host", "platform", "register", "tiling", "kernelgen_host.h")
)
"""What of our declarations a kernel has nothing of."""
_OF_NEW_CHIPS = "layout.h"
"""Common words that we declare for new chips only; the interface has them for others too."""
_COMMENT = re.compile(r"//[^\n]*")


@lru_cache(4096)
def suggest(name: str, scope: str) -> tuple[str, ...]:
    """The declared names that ``name`` is a slip of, best first; ``scope`` "#include" means header names."""
    if scope == "#include":
        return tuple(sorted(other for other in declared_headers() if is_slip(name, other)))
    candidates, limit = _names(), 1 if len(name) <= 5 else 2
    if not name[0].isupper():  # a variable's name: only its letters' case may be wrong
        return tuple(sorted(other for other in candidates if other.casefold() == name.casefold()))
    near = [(distance(name, other, limit), other) for other in candidates if abs(len(other) - len(name)) <= limit]
    return tuple(other for close, other in sorted(near) if close <= limit and other != name)[:3]


def is_lacking(name: str, owner: str = "", *, host: bool = False) -> bool:
    """Whether CANN's interface has ``name`` and our declarations do not; as a member of the class ``owner``, if given.

    What only the host's headers declare is lacking on the device, unless ``host``.
    What CANN's headers declare for themselves counts too.
    """
    if not owner:
        return (is_inner_name(name) or is_public_name(name)) and name not in _spelled(host=host)
    scopes = (found.scope for found in public_names().get(name, ()))
    return any(scope.rsplit("::", 1)[-1] == owner for scope in scopes)


@cache
def _spelled(*, host: bool) -> frozenset[str]:
    return frozenset(spelled(host=host))


@cache
def _names() -> frozenset[str]:
    """Every identifier that our kernel and host declarations spell, which begins like a name of the interface."""
    return frozenset(name for name in _words() if name[0].isupper() and not name.isupper())


def spelled(*, host: bool = True) -> Iterator[str]:
    """Every identifier in our declarations, those of the standard library among them, again and again."""
    for path in DECLARATIONS.rglob("*.h"):
        folder = path.relative_to(DECLARATIONS).parts[0]
        if folder == "twin" or (not host and (folder in _OF_THE_HOST or path.name == _OF_NEW_CHIPS)):
            continue
        yield from _WORD.findall(_COMMENT.sub("", path.read_text(encoding="utf-8")))


def _words() -> Iterator[str]:
    for path in DECLARATIONS.rglob("*.h"):
        if "std" not in path.relative_to(DECLARATIONS).parts:
            yield from _WORD.findall(_COMMENT.sub("", path.read_text(encoding="utf-8")))
