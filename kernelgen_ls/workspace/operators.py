"""The operator that a file belongs to, as everything that works on it sees it: editor, terminal and runner alike."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from attrs import frozen

from kernelgen_ls.kernel.roles import FOLDERS, HEADER_SUFFIXES, HOST_FOLDER, KERNEL_FOLDER, SOURCE_SUFFIXES
from kernelgen_ls.workspace.files import Files
from kernelgen_ls.workspace.includes import Reach
from kernelgen_ls.workspace.project import (
    CheckFiles,
    Layout,
    Project,
    files_for_check,
    find_project,
)

MAX_LISTED = 2_000
"""Files of an operator's folder that are looked at; more is no operator's folder."""
MAX_FOLDERS, MAX_DEPTH = 200, 5
_ALL_FOLDERS, _ALL_DEPTH = 20_000, 64
"""What an operator's own two folders, and a whole tree that is sent, may have: more than anybody's."""
DESCRIBING = (".md", ".json", ".csv")
"""What describes an operator rather than being part of it."""
_CASES = (".py", ".csv")
"""What a kernel is run on."""
VALIDATION = "validation"
"""The folder with an operator's rows of test cases and its reference code, in NPUKernelBench's layout."""
_DESCRIPTION = "api_desc.md"
_FOLDERS_ABOVE = 2
"""So far above an operator's folder its description may lie: beside the folder, or beside one that holds several."""
_MARKS = (".git", ".kernelgen.json")
"""What lies in the folder that a repository begins with."""


@frozen
class Operator:
    """One file with what surrounds it. Paths are POSIX and relative to the root of ``files``.

    ``checks`` has one entry for a source file, one for each source that includes it for a header; ``listing`` is what
    lies in the operator's folder and directly in those above it. ``above`` are the files that describe the operator
    from a folder above its own.
    """

    files: Files
    entry: str
    project: Project
    checks: tuple[CheckFiles, ...]
    listing: frozenset[str] = frozenset()
    above: tuple[str, ...] = ()

    @property
    def prefix(self) -> str:
        """What stands before the paths of the operator's own files: its folder and a slash, or nothing."""
        return f"{self.project.root}/" if self.project.root else ""

    @property
    def folder(self) -> Path:
        """The operator's folder on this machine."""
        return self.files.place(self.project.root) if self.project.root else self.files.root

    @property
    def own_entry(self) -> str:
        """The file's path relative to the operator's folder."""
        return self.entry.removeprefix(self.prefix)

    @property
    def text(self) -> str:
        """The file's text."""
        return self.files.text(self.entry) or ""

    @property
    def hosts(self) -> dict[str, str]:
        """The texts of the host side, by path."""
        return self._texts(self.project.hosts)

    def needed(self, check: CheckFiles) -> dict[str, str]:
        """The texts that one check needs, by path, the entry first."""
        return self._texts(check.all)

    def outside(self) -> dict[str, str]:
        """The texts that the operator includes from outside its folder, by path."""
        own = self.prefix
        paths = (path for check in self.checks for path in check.all if own and not path.startswith(own))
        return self._texts(dict.fromkeys(paths))

    def belonging(self, most: int | None = None) -> dict[str, str]:
        """Everything that belongs to the operator, descriptions and cases too, by path relative to its folder.

        ``most``: up to so many files and one more, however deep they lie; else what was listed. Beside a lone file
        other operators may lie: of the code there only what the file includes is its own, and of the folders below
        only cases. What describes the operator from above is given as if it lay in the operator's folder.
        """
        included = {path for check in self.checks for path in check.all}
        found: dict[str, str] = {}
        listing = self.listing if most is None else frozenset(islice(self._everything(), most + 1))
        for path in sorted({*listing, *included}):
            if not path.startswith(self.prefix):
                continue
            relative = path.removeprefix(self.prefix)
            if self._is_lone and path not in included and not _beside_a_lone_file(relative):
                continue
            text = self.files.text(path)
            if text is not None:
                found[relative] = text
        above = posixpath.commonpath(map(posixpath.dirname, self.above)) if self.above else ""
        for path, text in self._texts(self.above).items():
            found.setdefault(path.removeprefix(above).removeprefix("/"), text)
        return found

    def _everything(self) -> tuple[str, ...]:
        return self.files.walk(self.project.root, folders=_ALL_FOLDERS, depth=_ALL_DEPTH)

    @property
    def _is_lone(self) -> bool:
        return self.project.layout is Layout.LONE

    def _texts(self, paths: Mapping[str, None] | Sequence[str]) -> dict[str, str]:
        read = ((path, self.files.text(path)) for path in paths)
        return {path: text for path, text in read if text is not None}


def _beside_a_lone_file(relative: str) -> bool:
    return relative.endswith(_CASES if "/" in relative else (*DESCRIBING, *_CASES))


def operator_of(place: Path, folders: Sequence[Path] = (), unsaved: Mapping[Path, str] | None = None) -> Operator:
    """The operator of the file at ``place``, which need not be on disk where ``unsaved`` has its text.

    ``folders`` are those of the workspace (an editor's), or the one that a terminal stands in. Reads the disk: call it
    in a thread.
    """
    return operator_in(Files(workspace_root(place, folders), unsaved or {}), place)


def named_place(written: str | Path) -> Path:
    """Where the file or folder lies that a user names: absolute, without ``..``; a link is followed to its own place.

    Folders on the way stay as they are written: they may be linked into the workspace on purpose.
    """
    place = Path(os.path.abspath(written))  # noqa: PTH100  # resolve() would follow the linked folders too
    return Path(os.path.realpath(place)) if place.is_symlink() else place


def operator_in(files: Files, place: Path) -> Operator:
    """The operator of the file at ``place``, which lies below the root of ``files``."""
    entry = files.path(place)
    files.admit(entry)
    listing = frozenset({entry, *islice(_around(files, place), MAX_LISTED)})
    project = find_project(entry, listing, files.text)
    checks = files_for_check(entry, listing, files.text, files, Reach(files))
    above = _describing(files, project, listing) if project.layout is Layout.OPERATOR else ()
    return Operator(files, entry, project, checks, listing, above)


def _describing(files: Files, project: Project, listing: frozenset[str]) -> tuple[str, ...]:
    """The files that describe an operator from the nearest folder above its own that has a description.

    Its own description comes first, and a folder above that is an operator's too describes that one.
    """
    if project.descriptions:
        return ()
    folder = project.root
    for _ in range(_FOLDERS_ABOVE):
        if not folder:
            break
        folder = posixpath.dirname(folder)
        beside = files.beside(folder)
        if not any(posixpath.basename(path).lower() == _DESCRIPTION for path in beside):
            continue
        if any(files.beside(posixpath.join(folder, side)) for side in FOLDERS):
            break
        found = (*beside, *files.beside(posixpath.join(folder, VALIDATION)))
        return tuple(path for path in found if path.endswith((*DESCRIBING, *_CASES)))
    return ()


def alone(place: Path, text: str) -> Operator:
    """A text that has no place on disk, with nothing around it; without a suffix it counts as a kernel's."""
    entry = place.name if place.suffix in (*SOURCE_SUFFIXES, *HEADER_SUFFIXES) else f"{place.name}.asc"
    files = Files(place.parent, {place.parent / entry: text})
    return Operator(files, entry, Project(Layout.LONE, "", (entry,)), (CheckFiles(entry, (), ()),), frozenset({entry}))


def operator_at(folder: Path, folders: Sequence[Path] = ()) -> Operator:
    """The operator in a folder, seen from its only kernel, from what describes it or from its host side.

    Raises FileNotFoundError where the folder holds none of these.
    """
    folder = named_place(folder)
    folder = folder.parent if folder.name in FOLDERS else folder
    root = workspace_root(folder / "any", folders)
    files = Files(root)
    base = files.path(folder)
    paths = list(files.walk("" if base == "." else base, folders=MAX_FOLDERS, depth=1))
    kernels = [path for path in paths if path.endswith(SOURCE_SUFFIXES) and path.split("/")[-2:-1] == [KERNEL_FOLDER]]
    describing = [path for path in paths if _describes(path, files)]
    hosts = [path for path in paths if path.endswith(SOURCE_SUFFIXES) and path.split("/")[-2:-1] == [HOST_FOLDER]]
    chosen = kernels if len(kernels) == 1 else [*describing, *hosts, *kernels]
    if not chosen:
        raise FileNotFoundError(
            f"{folder} holds no operator: no kernel in op_kernel, no definition in op_host and no api_desc.md"
        )
    return operator_in(files, files.place(chosen[0]))


def _describes(path: str, files: Files) -> bool:
    if posixpath.basename(path).lower() == "api_desc.md":
        return True
    return path.endswith(".json") and '"op"' in (files.text(path) or "")


def workspace_root(place: Path, folders: Sequence[Path] = ()) -> Path:
    """The folder that includes of the file at ``place`` are looked for in, whoever asks.

    That is the outermost of: its operator's folder, those of ``folders`` that hold it, its repository.
    """
    candidates = [operator_folder(place), *(folder for folder in folders if place.is_relative_to(folder))]
    repository = next((folder for folder in place.parents if any((folder / mark).exists() for mark in _MARKS)), None)
    if repository is not None:
        candidates.append(repository)
    return min(candidates, key=lambda folder: len(folder.parts))


def operator_folder(place: Path) -> Path:
    """The folder of the operator that ``place`` belongs to: the one with op_kernel or op_host, else the file's own."""
    return next((folder.parent for folder in place.parents if folder.name in FOLDERS), place.parent)


def _around(files: Files, place: Path) -> Iterator[str]:
    """The operator's folder with everything below it, then what lies directly in each folder above."""
    folder = operator_folder(place).relative_to(files.root).as_posix()
    folder = "" if folder == "." else folder
    for side in FOLDERS:  # first: however much lies beside them, what is compiled is never left out
        yield from files.walk(posixpath.join(folder, side), folders=_ALL_FOLDERS, depth=_ALL_DEPTH, asked=folder)
    yield from files.walk(folder, folders=MAX_FOLDERS, depth=MAX_DEPTH)
    while folder:
        folder = posixpath.dirname(folder)
        yield from files.beside(folder)
