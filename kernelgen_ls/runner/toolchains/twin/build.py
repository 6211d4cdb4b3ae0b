"""Building a kernel for the twin: as a library that the runtime loads.

A kernel is compiled as it stands between a prelude (what the operator's build defines, see ``configurations``) and a
function that calls its entry function with an array of addresses: once for each kind of core that it runs on.
"""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from attrs import field, frozen

from kernelgen_ls.kernel.blank import strip_comments
from kernelgen_ls.kernel.chips import Chip
from kernelgen_ls.kernel.cores import (
    VECTOR_CORES,
    Cores,
    has_vector_part,
)
from kernelgen_ls.kernel.structure import Function
from kernelgen_ls.runner.execution import sandbox
from kernelgen_ls.runner.execution.ended import EndedError
from kernelgen_ls.runner.jobs.config import RunnerConfig
from kernelgen_ls.runner.jobs.messages import Outcome
from kernelgen_ls.runner.jobs.request_files import write_tree
from kernelgen_ls.runner.toolchains import Cancelled
from kernelgen_ls.runner.toolchains.source_tree import SourceTree
from kernelgen_ls.runner.toolchains.twin.choosing import Choice
from kernelgen_ls.runner.toolchains.twin.compilers import Compiler, readable
from kernelgen_ls.runner.toolchains.twin.complaints import first_error
from kernelgen_ls.runner.toolchains.twin.core_kinds import known_cores, recognised_cores
from kernelgen_ls.runner.toolchains.twin.debug_lines import LineTable, read_lines
from kernelgen_ls.runner.toolchains.twin.flags import INCLUDE, LAZILY, kernel_flags
from kernelgen_ls.runner.toolchains.twin.mending import Mending

log = logging.getLogger(__name__)

_DECLARATIONS = [path for path in sorted(INCLUDE.iterdir()) if path.name not in ("std", "utils")]
"""What a kernel includes of ours; the standard library is the compiler's own."""
_MOST_ATTEMPTS = 12
_CALL = """
template <typename A> inline A kgtwinArgument(void *given)
{
    if constexpr (std::is_pointer_v<A>) return (A)given;
    else {
        std::remove_cv_t<std::remove_reference_t<A>> value;
        ::kgtwin::readValue(&value, sizeof(value), given);
        return value;
    }
}
template <typename... A, size_t... I>
inline void kgtwinCall(void (*entry)(A...), void **given, std::index_sequence<I...>)
{
    entry(kgtwinArgument<A>(given[I])...);
}
template <typename... A> inline void kgtwinCall(void (*entry)(A...), void **given)
{
    kgtwinCall(entry, given, std::make_index_sequence<sizeof...(A)>());
}
"""


@frozen
class Part:
    """A kernel compiled for one kind of core, and which addresses its lines have."""

    path: Path
    lines: LineTable
    cube: bool = False


@frozen
class Library:
    """A kernel that can be loaded, in a part a kind of core; ``source`` is where its texts lay when it was compiled."""

    parts: tuple[Part, ...]
    source: Path
    cores: Cores = VECTOR_CORES


@frozen
class Builder:
    """Builds the configurations of one kernel in a job's folder; ``watch`` is told of every run of the compiler."""

    compiler: Compiler
    config: RunnerConfig
    folder: Path
    chip: Chip
    cancelled: Cancelled
    watch: Callable[[Sequence[str], sandbox.Finished], None] = lambda command, done: None
    needs: set[str] = field(factory=set)
    """Flags that the texts turned out to need, for whatever kind of core."""

    def write(self, tree: SourceTree) -> None:
        """Lay the declarations and the tree's texts into the folder, as a C++ compiler reads them."""
        include = self.folder / "include"
        include.mkdir()
        for path in _DECLARATIONS:
            (shutil.copytree if path.is_dir() else shutil.copy)(path, include / path.name)
        write_tree(self.folder / "src", {path: source.prepared for path, source in tree.files.items()})

    def build(self, tree: SourceTree, entry: str, kernel: Function, choice: Choice, name: str) -> Library:
        """The library of a choice. Raises :class:`EndedError`, an INFRA_ERROR where it does not compile."""
        cores = known_cores(self.chip, tree, entry, kernel, choice.configuration.prelude)
        made = [
            self._part(tree, entry, kernel, choice, name, cube)
            for cube in (False, True)
            if cores is None or (cores.cube if cube else cores.vector)
        ]
        if cores is None:
            vector = has_vector_part(strip_comments(item.text) for item in tree.reachable(entry))
            cores = recognised_cores({part.cube: part.path for part in made}, vector)
        parts = tuple(part for part in made if (cores.cube if part.cube else cores.vector))
        return Library(parts, self.folder / "src", cores)

    def _part(self, tree: SourceTree, entry: str, kernel: Function, choice: Choice, name: str, cube: bool) -> Part:
        source = self.folder / "src"
        name = f"{name}-cube" if cube else name
        unit = self.folder / f"{name}.cpp"
        library = self.folder / f"{name}.so"
        folders = [
            f"-I{source / path}"
            for path in _relative(tree.search_folders(entry), tree.root)
            if (source / path).is_dir()
        ]
        mending = Mending(self.folder, tree, entry, kernel.name, self.needs)
        flags = kernel_flags(self.compiler, self.chip, self.folder / "include", folders, cube)
        for _ in range(_MOST_ATTEMPTS):
            unit.write_text(
                _unit(source / entry, mending.called + choice.arguments, choice.configuration.prelude), encoding="utf-8"
            )
            done = self._made([*flags, *self.needs, str(unit)], library)
            if done.ok:
                return Part(library, read_lines(library), cube)
            if not mending.mend(done.output):
                break
        log.error("the twin did not compile %s:\n%s", entry, done.output)
        said = first_error(done.output).replace(f"{source}/", "")
        raise EndedError(Outcome.INFRA_ERROR, f"the twin's compiler does not take {entry}: {said}")

    def _made(self, command: list[str], library: Path) -> sandbox.Finished:
        """What the compiler says to a unit; ``library`` is there where it is content."""
        linker = self.compiler.linker
        if not linker:
            return self._run([*command, "-o", str(library)])
        part = library.with_suffix(".o")
        done = self._run([*command, "-c", "-o", str(part)])
        return self._run([*linker, "-shared", str(part), "-o", str(library), *LAZILY]) if done.ok else done

    def _run(self, argv: list[str]) -> sandbox.Finished:
        program = Path(argv[0]).resolve()
        self.compiler.prepare(self.folder)
        done = sandbox.run(
            argv,
            self.folder,
            seconds=self.config.budgets.check,
            config=self.config.sandbox,
            cancelled=self.cancelled,
            readable=readable(program),
            env=self.compiler.environment(self.folder),
        )
        self.watch(argv, done)
        if done.ended == "cancelled":
            raise EndedError(Outcome.CANCELLED, "cancelled")
        if done.ended == "timeout":
            raise EndedError(Outcome.TIMEOUT, f"compiling took longer than {self.config.budgets.check:g} s")
        if done.ended in ("refused", "disk", "processes"):
            raise EndedError(Outcome.INFRA_ERROR, done.output.strip() or f"the compiler was ended: {done.ended}")
        return done


def _relative(folders: list[str], root: str) -> list[str]:
    return [folder[len(root) :].lstrip("/") for folder in folders]


def _unit(source: Path, called: str, prelude: str) -> str:
    return (
        '#include "kernel_operator.h"\nuint64_t kernelgenTilingKey = ::kgtwin::tilingKey();\n'
        f'{prelude}#include "{source}"\n{_CALL}'
        f'extern "C" void kgtwin_entry(void **given) {{ kgtwinCall(&{called}, given); }}\n'
    )
