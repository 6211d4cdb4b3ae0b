"""Every public name of the AscendC interface, whether this project declares it or not: facts, no text.

The inner names of CANN stand beside them: what its headers declare for themselves, which kernels can name all the same.

``public_names.tsv`` is written by ``scripts/generate_public_names.py`` from the public documentation and headers of a
CANN developer kit. It says what a name that is not declared here may be: a name that CANN has, or a slip.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

from attrs import frozen

_MEMBERS = frozenset(("method", "field"))
_MARKS = ("-", "*", "!")


@frozen
class PublicName:
    """One thing that CANN calls ``name``.

    ``kind`` is function, method, field, struct, class, enum, enumerator, constant, type, namespace or macro; ``scope``
    the namespaces and classes around it; ``family`` the part of the interface (basic, advanced, reg, c, simt, ...);
    ``architectures`` the instruction sets (``dav-2201``) for which its pages say that it is supported, empty where no
    page says so. ``documented`` is whether a page has it, ``inner`` whether it is not meant for kernels.
    """

    name: str
    kind: str
    scope: str
    family: str
    architectures: frozenset[str] = frozenset()
    documented: bool = False
    inner: bool = False


def is_public_name(name: str, *, member: bool = False) -> bool:
    """Whether CANN publishes something of this name; methods and fields count where a ``member`` is asked for."""
    found = public_names().get(name, ())
    return any((member or one.kind not in _MEMBERS) and not one.inner for one in found)


def is_inner_name(name: str, *, member: bool = False) -> bool:
    """Whether CANN's headers call something so for themselves; what ends as their inner functions do counts too."""
    found = public_names().get(name, ())
    return name.lower().endswith("impl") or any((member or one.kind not in _MEMBERS) and one.inner for one in found)


@cache
def public_names() -> dict[str, tuple[PublicName, ...]]:
    """All of them, by name."""
    table: dict[str, tuple[PublicName, ...]] = {}
    text = resources.files(__package__).joinpath("public_names.tsv").read_text(encoding="utf-8")
    for line in text.splitlines()[1:]:
        name, kind, scope, family, architectures = line.split("\t")
        named = frozenset() if architectures in _MARKS else frozenset(architectures.split(","))
        found = PublicName(name, kind, scope, family, named, architectures not in ("-", "!"), architectures == "!")
        table[name] = (*table.get(name, ()), found)
    return table
