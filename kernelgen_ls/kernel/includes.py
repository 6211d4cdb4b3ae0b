"""Which file an ``#include`` means, among those of its name: as compilers look for it, and as operator builds do.

The build of an operator puts what lies in ``X/op_kernel`` at ``X``, so a kernel names a sibling's header
``../norm_common/reduce.h`` that lies at ``../../norm_common/op_kernel/reduce.h``.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator

from attrs import frozen

from kernelgen_ls.kernel.roles import FOLDERS

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"(?P<quoted>[^"\n]+)"|<(?P<angled>[^>\n]+)>)', re.MULTILINE)


@frozen
class Include:
    """An ``#include`` line: the name written, whether in quotes, and where it stands."""

    name: str
    quoted: bool
    offset: int


def includes(text: str) -> Iterator[Include]:
    """Yield the ``#include`` lines of a text, in order."""
    for match in _INCLUDE.finditer(text):
        quoted = match.group("quoted")
        name = match.group("angled") if quoted is None else quoted
        yield Include(name.strip(), quoted is not None, match.start())


def fitting(name: str, includer: str, paths: Iterable[str]) -> list[str]:
    """Return those of ``paths`` that ``name``, included by the file ``includer``, may mean, the likeliest first.

    Where the name leads to one of them, nothing else is meant. Else it is one whose path ends in the name; of several
    the one that shares most folders with the includer comes first.
    """
    paths = list(paths)
    near = posixpath.normpath(posixpath.join(posixpath.dirname(includer), name))
    if near in paths:
        return [near]
    target = posixpath.normpath(posixpath.join(posixpath.dirname(_built(includer)), name))
    led = [path for path in paths if _built(path) == target]
    wanted = "/" + _named(name)
    found = led or [path for path in paths if f"/{path}".endswith(wanted) or f"/{_built(path)}".endswith(wanted)]
    return sorted(found, key=lambda path: (-shared_folders(path, includer), len(path), path))


def shared_folders(path: str, other: str) -> int:
    """Return how many leading folders two paths share."""
    count = 0
    for mine, theirs in zip(path.split("/")[:-1], other.split("/")[:-1], strict=False):
        if mine != theirs:
            break
        count += 1
    return count


def operator_folder(path: str) -> str:
    """Return the folder, with a slash, of the operator that a file lies in by its place; "" where it lies in none."""
    parts = path.split("/")[:-1]
    inner = next((index for index in range(len(parts) - 1, -1, -1) if parts[index] in FOLDERS), None)
    return "".join(f"{part}/" for part in parts[:inner]) if inner is not None else ""


def _built(path: str) -> str:
    """Where a file lies when its operator is built."""
    return "/".join(part for part in path.split("/") if part not in FOLDERS)


def _named(name: str) -> str:
    """What is left of an include's name without the steps that lead out of its folder."""
    return "/".join(part for part in posixpath.normpath(name).split("/") if part != "..")
