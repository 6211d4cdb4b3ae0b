"""Which file of a workspace an include means that is not where its name leads.

Asked in this order: the folders that the build names, then the files of that name anywhere in the workspace. What is
found there has to be the only one, or nearer than every other: a wrong header says more wrong things than none.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from functools import cached_property, lru_cache
from pathlib import Path

from attrs import define, frozen

from kernelgen_ls.folders import declared_headers
from kernelgen_ls.kernel.distance import is_slip
from kernelgen_ls.kernel.includes import Include, fitting, includes, operator_folder, shared_folders
from kernelgen_ls.kernel.opdef import snake_case
from kernelgen_ls.kernel.roles import FOLDERS, HEADER_SUFFIXES, HOST_FOLDER
from kernelgen_ls.workspace.build_files import cmake_folders, compiled_with
from kernelgen_ls.workspace.files import Files, read_file
from kernelgen_ls.workspace.index import NameIndex, index_of

_COMMANDS = ("compile_commands.json", "build/compile_commands.json")
_STRUCT = re.compile(r"\bBEGIN_TILING_DATA_DEF\s*\(\s*(\w+)")
_REGISTERED = re.compile(r"\bREGISTER_TILING_DATA_CLASS\s*\(\s*(?P<name>\w+)")
_SHARED = frozenset(("inc", "include", "common", "utils", *FOLDERS))
"""What repositories call the folders of headers that everything beside them includes."""
_INTERFACE = "kernel_operator.h"
"""Where a workspace has it, the interface itself lies there, or a stand-in of it: not what a kernel brings along."""


@define(eq=False)
class Reach:
    """What can be included from anywhere below the root of ``files``."""

    files: Files

    def find(self, include: Include, includer: str) -> str | None:
        """The file that ``include`` in ``includer`` means, or None where that is not certain."""
        name = posixpath.normpath(include.name)
        if name in declared_headers() or posixpath.basename(name) in ("", ".", ".."):
            return None
        for folder in self._folders(includer):
            path = posixpath.normpath(posixpath.join(folder, name))
            if path in self.files:
                return path
        named = (path for path in self._index.named(posixpath.basename(name)) if path in self.files)
        found = fitting(name, includer, [path for path in named if not path.startswith(self._interface)])
        return self._certain(found, name, includer)

    def _certain(self, found: list[str], name: str, includer: str) -> str | None:
        """The first of ``found`` where nothing else can be meant.

        Several files of one bare name are told apart by folders that only the build names, unless they say the same, or
        the nearest is the includer's own operator's or lies in a shared folder on the way to it.
        """
        if len(found) < 2:
            return found[0] if found else None
        shared = shared_folders(found[0], includer)
        nearer = shared > shared_folders(found[1], includer)
        own = operator_folder(includer)
        between = found[0].split("/")[shared:-1]
        if nearer and ("/" in name or (own and found[0].startswith(own)) or set(between) <= _SHARED):
            return found[0]
        return found[0] if len({self.files.text(path) for path in found}) == 1 else None

    def like(self, include: Include, includer: str) -> str | None:
        """The header that ``include`` names with a slip, where its folder holds one."""
        place = posixpath.normpath(posixpath.join(posixpath.dirname(includer), include.name))
        folder, wanted = posixpath.split(place)
        if not include.quoted or folder.startswith(("..", "/")):
            return None
        own = {posixpath.basename(other.name) for other in includes(self.files.text(includer) or "")}
        own.add(posixpath.basename(includer))
        beside = (path for path in self.files.beside(folder) if path.endswith(HEADER_SUFFIXES))
        named = ((path, posixpath.basename(path)) for path in beside)
        return next((path for path, header in named if header not in own and is_slip(wanted, header)), None)

    def tiling(self, structs: frozenset[str], operator: str, includer: str) -> tuple[str, ...]:
        """The headers that declare the tiling data called ``structs``, or register those of ``operator``.

        Of several that declare the same, the one nearest to ``includer`` is taken.
        """
        found: dict[str, str] = {}
        for name in self._index.names():
            if not name.endswith(HEADER_SUFFIXES):
                continue
            for path in self._index.named(name):
                if "tiling" not in name and f"/{HOST_FOLDER}/" not in f"/{path}":
                    continue
                declared = _declared(self.files.place(path), self.files.is_unsaved(path))
                for struct in {*(declared.structs & structs), *(declared.operators & {operator})}:
                    known = found.get(struct)
                    if known is None or shared_folders(path, includer) > shared_folders(known, includer):
                        found[struct] = path
        return tuple(dict.fromkeys(path for path in found.values() if path in self.files))

    @cached_property
    def _index(self) -> NameIndex:
        return index_of(self.files.root)

    @cached_property
    def _interface(self) -> tuple[str, ...]:
        folders = {posixpath.dirname(path) for path in self._index.named(_INTERFACE)}
        above = {posixpath.dirname(folder) for folder in folders if posixpath.basename(folder) == "include"}
        return tuple(f"{folder}/" for folder in (*folders, *(posixpath.join(folder, "impl") for folder in above)))

    def _folders(self, includer: str) -> Iterator[str]:
        """The include folders that build files say, those nearest to ``includer`` first."""
        above = list(_above(includer))
        for folder in above:
            text = self.files.text(posixpath.join(folder, "CMakeLists.txt"))
            for named in cmake_folders(text) if text else ():
                if named.startswith("@"):
                    yield from (posixpath.join(base, named[2:]) for base in above)
                else:
                    yield posixpath.join(folder, named)
        yield from self._compiled(includer, above)

    def _compiled(self, includer: str, above: list[str]) -> Iterator[str]:
        root = self.files.root.as_posix()
        for path in (posixpath.join(folder, name) for folder in above for name in _COMMANDS):
            text = self.files.text(path)
            for file, folders in compiled_with(text).items() if text else ():
                if shared_folders(file, posixpath.join(root, includer)) > len(root.split("/")):
                    yield from (folder[len(root) + 1 :] for folder in folders if f"{folder}/".startswith(f"{root}/"))


@frozen
class _Declared:
    """What a header says of tiling data: the structs, and the operators that they are registered for, as kernels."""

    structs: frozenset[str] = frozenset()
    operators: frozenset[str] = frozenset()


def _declared(place: Path, unsaved: bool) -> _Declared:
    try:
        known = place.stat()
    except OSError:
        return _Declared()
    return _Declared() if unsaved else _declared_in(place, known.st_mtime_ns, known.st_size)


@lru_cache(4096)
def _declared_in(place: Path, _changed: int, _size: int) -> _Declared:
    read = read_file(place)
    if read is None or "TILING_DATA" not in read.text:
        return _Declared()
    registered = (snake_case(match.group("name")) for match in _REGISTERED.finditer(read.text))
    return _Declared(frozenset(_STRUCT.findall(read.text)), frozenset(registered))


def _above(path: str) -> Iterator[str]:
    folder = posixpath.dirname(path)
    while folder:
        yield folder
        folder = posixpath.dirname(folder)
    yield ""
