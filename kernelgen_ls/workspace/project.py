"""What a kernel belongs to, from paths alone: its operator, its host side, what a check needs.

No file is read here but through the function the caller gives. Paths are POSIX and relative to one root, the
workspace's. Three layouts are known: an operator project (``op_kernel`` beside ``op_host``, as msopgen generates it), a
CMake library of kernels (``ascendc_library``), and a lone file.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection, Container, Iterable, Iterator
from enum import Enum
from typing import Protocol

from attrs import define, field, frozen

from kernelgen_ls.folders import declared_headers
from kernelgen_ls.kernel.blank import strip_comments
from kernelgen_ls.kernel.includes import Include, includes
from kernelgen_ls.kernel.roles import FOLDERS, HEADER_SUFFIXES, HOST_FOLDER, KERNEL_FOLDER, SOURCE_SUFFIXES
from kernelgen_ls.workspace.build_files import cmake_definitions

Read = Callable[[str], str | None]
"""Gives the text of a path of the listing, or None where it cannot be read."""

_LIBRARY = re.compile(
    r"\bascendc_library\s*\(\s*[^\s)]+\s+(?:STATIC|SHARED|OBJECT)?\s*(?P<sources>[^)]*)\)", re.IGNORECASE
)
_STRUCT = re.compile(r"\b(?:BEGIN_TILING_DATA_DEF\s*\(\s*|(?:struct|class|using)\s+)(\w*Tiling\w*)")
_CLOSURE_LIMIT = 400
"""Files of one operator that are followed through includes at most."""


class Elsewhere(Protocol):
    """Who knows what an include means that is not where its name leads."""

    def find(self, include: Include, includer: str) -> str | None:
        """The file that is meant, or None where that is not certain."""

    def like(self, include: Include, includer: str) -> str | None:
        """The file that would be meant but for a slip in the name."""

    def tiling(self, structs: frozenset[str], operator: str, includer: str) -> tuple[str, ...]:
        """The headers that declare the tiling data called ``structs``, or register those of ``operator``."""


class Layout(str, Enum):
    """How a kernel's files lie."""

    OPERATOR = "operator project"
    """``op_kernel`` beside ``op_host``: what msopgen generates."""
    LIBRARY = "kernel library"
    """A CMake target of ``ascendc_library``; the host side is a program."""
    LONE = "lone file"
    """One file with everything in it; ``.asc`` files have their host program inside."""


@frozen
class Project:
    """The operator that a file belongs to. ``root`` is its folder ("" for the listing's root); paths are sorted.

    ``kernels`` are device sources and headers, ``hosts`` those of the host side; ``descriptions`` are ``api_desc.md``
    files, ``definitions`` msopgen's JSON files.
    """

    layout: Layout
    root: str
    kernels: tuple[str, ...]
    hosts: tuple[str, ...] = ()
    descriptions: tuple[str, ...] = ()
    definitions: tuple[str, ...] = ()


@frozen
class CheckFiles:
    """What a check of ``entry`` needs: the file, what it includes from the listing, and the texts of its host side."""

    entry: str
    includes: tuple[str, ...]
    hosts: tuple[str, ...]

    @property
    def all(self) -> tuple[str, ...]:
        """Every path, the entry first, each once."""
        return tuple(dict.fromkeys((self.entry, *self.includes, *self.hosts)))


def find_project(path: str, listing: Collection[str], read: Read) -> Project:
    """Return the project of the file at ``path``, whichever side it is on.

    ``listing`` holds the paths that exist; ``read`` is asked for CMake files only.
    """
    for side in FOLDERS:
        root = _before_folder(path, side)
        if root is not None:
            return _operator_project(root, listing)
    beside = posixpath.dirname(path)
    if path.endswith((".md", ".json", ".csv")) and any(_has_folder(listing, beside, side) for side in FOLDERS):
        return _operator_project(beside, listing)
    for folder in _parents(path):
        cmake = posixpath.join(folder, "CMakeLists.txt")
        text = read(cmake) if cmake in listing else None
        if text is not None and _LIBRARY.search(text):
            return _library_project(folder, listing, text)
    folder = posixpath.dirname(path)
    return Project(Layout.LONE, folder, (path,), (), *_beside(folder, listing))


def files_for_check(
    path: str,
    listing: Collection[str],
    read: Read,
    there: Container[str] | None = None,
    elsewhere: Elsewhere | None = None,
) -> tuple[CheckFiles, ...]:
    """Return what checks ``path``: one entry for a source file; for a header, each source that includes it.

    A header that no source includes is its own entry. Host files that a kernel needs are those of its operator, and
    what they include. ``there`` holds whatever may be included, which can be more than was listed; ``elsewhere`` is
    asked for what is not where it is looked for first.
    """
    project = find_project(path, listing, read)
    closures = _Closures(read, frozenset(listing) if there is None else there, elsewhere)
    on_host = path in project.hosts
    if path.endswith(HEADER_SUFFIXES):
        candidates = project.hosts if on_host else project.kernels
        sources = [source for source in candidates if source.endswith(SOURCE_SUFFIXES)]
        entries = [source for source in sources if path in closures.of(source)] or [path]
    else:
        entries = [path]
    return tuple(_check_files(entry, project, closures, on_host) for entry in entries)


def included_paths(path: str, text: str, there: Container[str], elsewhere: Elsewhere | None = None) -> tuple[str, ...]:
    """Return the paths that ``text``, the file at ``path``, includes.

    A name is looked for in ``there`` beside the file, then from each folder above it, also in its ``op_kernel`` and
    ``op_host``; then ``elsewhere`` is asked. A header that is named with a slip comes along, for whoever says so.
    """
    found = (_included(include, path, there, elsewhere) for include in includes(strip_comments(text)))
    return tuple(dict.fromkeys(included for included in found if included is not None))


def _included(include: Include, path: str, there: Container[str], elsewhere: Elsewhere | None) -> str | None:
    if include.quoted or include.name not in declared_headers():
        for folder in _search_folders(path):
            candidate = posixpath.normpath(posixpath.join(folder, include.name))
            if candidate in there:
                return candidate
    if elsewhere is None or include.name in declared_headers():
        return None
    return elsewhere.find(include, path) or elsewhere.like(include, path)


@define(eq=False)
class _Closures:
    """What files include, directly and through others; every text is looked at once."""

    read: Read
    there: Container[str]
    elsewhere: Elsewhere | None
    _direct: dict[str, tuple[str, ...]] = field(factory=dict, init=False)

    def of(self, path: str) -> tuple[str, ...]:
        """What ``path`` includes, without itself, in the order found."""
        found: dict[str, None] = {}
        waiting = [path]
        while waiting and len(found) < _CLOSURE_LIMIT:
            for included in self._includes(waiting.pop(0)):
                if included != path and included not in found:
                    found[included] = None
                    waiting.append(included)
        return tuple(found)

    def _includes(self, path: str) -> tuple[str, ...]:
        if path not in self._direct:
            text = self.read(path)
            self._direct[path] = included_paths(path, text, self.there, self.elsewhere) if text is not None else ()
        return self._direct[path]


def _check_files(entry: str, project: Project, closures: _Closures, on_host: bool) -> CheckFiles:
    hosts: dict[str, None] = {}
    for host in () if on_host else project.hosts:
        hosts.setdefault(host)
        hosts.update(dict.fromkeys(closures.of(host)))
    if not on_host:
        for header in _tiling_elsewhere(entry, closures, hosts):
            hosts.update(dict.fromkeys((header, *closures.of(header))))
        hosts.update(dict.fromkeys(_defining(entry, closures)))
    hosts.pop(entry, None)
    return CheckFiles(entry, closures.of(entry), tuple(hosts))


def _defining(entry: str, closures: _Closures) -> Iterator[str]:
    """Yield the nearest build file that defines macros for what it compiles, if there is one."""
    for folder in _parents(entry):
        path = posixpath.join(folder, "CMakeLists.txt")
        text = closures.read(path) if path in closures.there else None
        if text is not None and cmake_definitions(text):
            yield path
            return


def _tiling_elsewhere(entry: str, closures: _Closures, hosts: Iterable[str]) -> tuple[str, ...]:
    """Return the headers of the tiling data that a kernel uses and that neither it nor its host side declares."""
    if closures.elsewhere is None:
        return ()
    kernel = [closures.read(path) or "" for path in (entry, *closures.of(entry))]
    if not any("Tiling" in text or "GET_TILING_DATA" in text for text in kernel):
        return ()
    both = [*kernel, *(closures.read(path) or "" for path in hosts)]
    declared = {name for text in both for name in _STRUCT.findall(text)}
    named = frozenset(word for text in kernel for word in _around("Tiling", text)) - declared
    needs = any("GET_TILING_DATA" in text for text in kernel) and not any("TILING_DATA_CLASS" in text for text in both)
    operator = posixpath.splitext(posixpath.basename(entry))[0] if needs else ""
    return closures.elsewhere.tiling(named, operator, entry) if named or operator else ()


def _around(part: str, text: str) -> Iterator[str]:
    """The words of a text that hold ``part``: found by it, for every check looks through all of a kernel."""
    start = text.find(part)
    while start >= 0:
        end = start + len(part)
        while end < len(text) and (text[end].isalnum() or text[end] == "_"):
            end += 1
        while start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_"):
            start -= 1
        yield text[start:end]
        start = text.find(part, end)


def _search_folders(path: str) -> Iterator[str]:
    for folder in _parents(path):
        yield folder
        if posixpath.basename(folder) not in FOLDERS:
            yield posixpath.join(folder, KERNEL_FOLDER)
            yield posixpath.join(folder, HOST_FOLDER)


def _operator_project(root: str, listing: Collection[str]) -> Project:
    kernel_folder, host_folder = _join(root, KERNEL_FOLDER), _join(root, HOST_FOLDER)
    return Project(
        Layout.OPERATOR,
        root,
        tuple(sorted(_sources_under(kernel_folder, listing))),
        tuple(sorted(_sources_under(host_folder, listing))),
        *_beside(root, listing),
    )


def _library_project(folder: str, listing: Collection[str], cmake: str) -> Project:
    """Read the sources that ``ascendc_library`` lists; a variable or a glob means every source of the folder."""
    named: set[str] = set()
    for match in _LIBRARY.finditer(cmake):
        for written in match.group("sources").split():
            plain = re.sub(r"\$\{CMAKE_(?:CURRENT_)?(?:SOURCE|LIST)_DIR\}/?", "", written.strip('"'))
            candidate = posixpath.normpath(posixpath.join(folder, plain))
            if candidate in listing:
                named.add(candidate)
    if not named:
        named = {path for path in listing if posixpath.dirname(path) == folder and path.endswith(SOURCE_SUFFIXES)}
    headers = {path for path in listing if _inside(path, folder) and path.endswith(HEADER_SUFFIXES)}
    hosts = {
        path
        for path in listing
        if posixpath.dirname(path) == folder and path.endswith(SOURCE_SUFFIXES) and path not in named
    }
    return Project(
        Layout.LIBRARY, folder, tuple(sorted(named | headers)), tuple(sorted(hosts)), *_beside(folder, listing)
    )


def _beside(folder: str, listing: Collection[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the descriptions and the JSON definitions that lie in a folder."""
    here = sorted(path for path in listing if posixpath.dirname(path) == folder)
    descriptions = tuple(path for path in here if posixpath.basename(path).lower() == "api_desc.md")
    ignored = ("CMakePresets.json", "package.json", "compile_commands.json")
    definitions = tuple(path for path in here if path.endswith(".json") and posixpath.basename(path) not in ignored)
    return descriptions, definitions


def _sources_under(folder: str, listing: Iterable[str]) -> Iterator[str]:
    return (path for path in listing if _inside(path, folder) and path.endswith(SOURCE_SUFFIXES + HEADER_SUFFIXES))


def _inside(path: str, folder: str) -> bool:
    return not folder or path.startswith(folder + "/")


def _has_folder(listing: Iterable[str], root: str, name: str) -> bool:
    prefix = _join(root, name) + "/"
    return any(path.startswith(prefix) for path in listing)


def _before_folder(path: str, name: str) -> str | None:
    """Return the folder that holds the innermost folder called ``name`` on the way to ``path``; None without one."""
    parts = path.split("/")[:-1]
    for index in range(len(parts) - 1, -1, -1):
        if parts[index] == name:
            return "/".join(parts[:index])
    return None


def _parents(path: str) -> Iterator[str]:
    folder = posixpath.dirname(path)
    while True:
        yield folder
        if not folder:
            return
        folder = posixpath.dirname(folder)


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name
