"""Building for the twin: its runtime, once for every compiler, and a kernel as a library that the runtime loads.

A kernel is compiled as it stands between a prelude (what the operator's build defines, see ``configurations``) and a
function that calls its entry function with an array of addresses: once for each kind of core that it runs on.
"""

from __future__ import annotations

import functools
import hashlib
import logging
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from attrs import field, frozen

from kernelgen_ls.folders import cache_folder, writing
from kernelgen_ls.kernel.blank import BOTH_ATTRIBUTE, DEVICE_ATTRIBUTE, strip_comments
from kernelgen_ls.kernel.chips import Architecture, Chip
from kernelgen_ls.kernel.cores import (
    CUBE_CORES,
    GROUPS,
    VECTOR_CORES,
    Cores,
    has_vector_part,
    may_use_cube,
    stated_cores,
)
from kernelgen_ls.kernel.host_half import host_half
from kernelgen_ls.kernel.structure import Function
from kernelgen_ls.runner.execution import sandbox
from kernelgen_ls.runner.execution.ended import EndedError
from kernelgen_ls.runner.jobs.config import RunnerConfig
from kernelgen_ls.runner.jobs.messages import Outcome
from kernelgen_ls.runner.jobs.request_files import write_tree
from kernelgen_ls.runner.toolchains import Cancelled, UnavailableError
from kernelgen_ls.runner.toolchains.configurations import chip_flags
from kernelgen_ls.runner.toolchains.source_tree import SourceTree
from kernelgen_ls.runner.toolchains.twin.aggregates import without_defaulted_constructors
from kernelgen_ls.runner.toolchains.twin.choosing import Choice
from kernelgen_ls.runner.toolchains.twin.class_specialisations import without_class_specialisations
from kernelgen_ls.runner.toolchains.twin.compilers import Compiler, Family, readable
from kernelgen_ls.runner.toolchains.twin.debug_lines import LineTable, read_lines
from kernelgen_ls.runner.toolchains.twin.elf import imported_symbols

log = logging.getLogger(__name__)

_HERE = Path(__file__).resolve().parent
_INCLUDE = _HERE.parents[1] / "include"
_RUNTIME = _HERE / "runtime"
_DECLARATIONS = [path for path in sorted(_INCLUDE.iterdir()) if path.name not in ("std", "utils")]
"""What a kernel includes of ours; the standard library is the compiler's own."""
_INTERFACE = ("state.h", "library.h")
"""What of the declarations' folder ``twin`` the runtime is compiled with."""
_COMMON = ("-std=c++17", "-ffp-contract=off", "-fno-threadsafe-statics", "-w")
_RUNTIME_SECONDS = 600.0
_LINUX = sys.platform.startswith("linux")
_LAZILY = ("-Wl,-z,lazy",) if _LINUX else ("-Wl,-undefined,dynamic_lookup",)
_FIRST_ERROR = re.compile(r"^(?P<where>.*?):?\s*(?:fatal )?error: (?P<message>.*)$", re.MULTILINE)
_MISSING = re.compile(
    r"fatal error: (?P<name>[\w./-]+): No such file|fatal error: '(?P<other>[\w./-]+)' file not found"
)
_MOST_ATTEMPTS = 12
_IN_CLASS = re.compile(
    r"^(?P<path>[^:\n]+):(?P<line>\d+):(?P<column>\d+): error: explicit specialization in non-namespace", re.MULTILINE
)
_PERMISSIVE = "-fpermissive"
"""Takes a call in a template of what nobody declares here (CANN's own headers do), as long as nothing comes to it."""
_UNDECLARED = re.compile(r"error: there are no arguments to .* that depend on a template parameter")
_IN_CONSTANT = "called in a constant expression"
_FROM_BRACES = "<brace-enclosed initializer list>"
_CONSTRAINTS = "-fconcepts"
"""Has requires clauses, and leaves the rest as C++17 has it."""
_NEWER = "-std=c++20"
"""Has constant constructors that leave a member to their body, as clang lets C++17 have them."""
_RENAMED = "{}_kernel"
"""What an entry function is called whose own name is one of the C library's."""
_CONFLICT = "conflicting declaration of C function"
_KEY = re.compile(r"^#define TILING_KEY_VAR (?P<key>\d+)", re.MULTILINE)
_FAMILIES = {Architecture.DAV_2201: "C220", Architecture.DAV_3510: "C310"}
"""What the compiler's macros call the chips whose cube and vector cores are apart."""
_CUBE_FUNCTION = re.compile(r"^_ZN6kgtwin\d+(?:mmad|loadFractals|loadSquares|loadImage|fixpipe|matmul)")
_VECTOR_FUNCTION = re.compile(
    r"^_ZN6kgtwin\d+(?:elementwise|cast|compare|select|reduce|broadcast|gather|scatter|createIndex|transpose|softmax|sort)"
)
_SENDS = re.compile(r"^_ZN6kgtwin\d+(?:crossCore|copyOut)")
"""What a vector core may do beside a cube core without computing: it moves data, and tells others of it."""
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


def runtime_program(compiler: Compiler) -> Path:
    """The program that loads kernels, compiled unless an earlier process left it in the cache.

    Raises UnavailableError with the compiler's words.
    """
    return _runtime(compiler)


@functools.lru_cache(maxsize=4)
def _runtime(compiler: Compiler) -> Path:
    sources = sorted(_RUNTIME.glob("*.cpp"))
    digest = hashlib.sha256(repr((compiler.command, compiler.version, compiler.flags, _processor())).encode())
    for path in [*sources, *sorted(_RUNTIME.glob("*.h")), *(_INCLUDE / "twin" / name for name in _INTERFACE)]:
        digest.update(path.read_bytes())
    folder = cache_folder() / "twin"
    kept = folder / f"runtime-{digest.hexdigest()[:32]}"
    if kept.is_file():
        return kept
    folder.mkdir(parents=True, exist_ok=True)
    exports = ("-rdynamic", "-pthread", "-ldl") if _LINUX else ("-Wl,-export_dynamic",)
    argv = [*compiler.command, *compiler.flags, *_COMMON, "-O2", "-fno-exceptions", "-fno-rtti", f"-I{_INCLUDE}"]
    with writing(kept, durable=False) as part, tempfile.TemporaryDirectory() as objects:
        commands = [[*argv, *map(str, sources), "-o", str(part), *exports]]
        if compiler.linker:
            names = [f"{source.stem}.o" for source in sources]
            commands = [[*argv, "-c", str(source), "-o", name] for source, name in zip(sources, names, strict=True)]
            commands.append([*compiler.linker, *names, "-o", str(part), *exports, "-lunwind"])
        for command in commands:
            done = subprocess.run(
                command,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=_RUNTIME_SECONDS,
                env={**os.environ, **compiler.environment(folder)},
                cwd=objects,
            )
            if done.returncode != 0:
                break
        if done.returncode != 0 or not part.is_file():
            log.error("the twin's runtime was not compiled:\n%s", done.stderr)
            raise UnavailableError(f"{compiler.name} cannot build the twin's runtime: {first_error(done.stderr)}")
        part.chmod(0o755)
    return kept


def _processor() -> str:
    """What ``-march=native`` means here: a cache may be shared between machines."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return platform.processor()
    return "\n".join(sorted({line for line in lines if line.startswith(("model name", "flags", "Features"))}))


def first_error(output: str) -> str:
    """The first error of a compiler's output in one line."""
    match = _FIRST_ERROR.search(output)
    if match is None:
        return (output.strip().splitlines() or ["it said nothing"])[0][:300]
    where = match["where"].strip()
    return f"{where + ': ' if where else ''}{match['message']}"[:300]


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
        cores = self._stated(tree, entry, kernel, choice)
        made = [
            self._part(tree, entry, kernel, choice, name, cube)
            for cube in (False, True)
            if cores is None or (cores.cube if cube else cores.vector)
        ]
        if cores is None:
            cores = _recognised(made, has_vector_part(strip_comments(item.text) for item in tree.reachable(entry)))
        parts = tuple(part for part in made if (cores.cube if part.cube else cores.vector))
        return Library(parts, self.folder / "src", cores)

    def _stated(self, tree: SourceTree, entry: str, kernel: Function, choice: Choice) -> Cores | None:
        """The cores that the kernel says it runs on, or that are clear without it saying so."""
        if not self.chip.cores_apart:
            return VECTOR_CORES
        texts = [strip_comments(item.text) for item in tree.reachable(entry)]
        key = _KEY.search(choice.configuration.prelude)
        cores = stated_cores(kernel, strip_comments(tree.files[entry].text), texts, int(key["key"]) if key else 0)
        return cores or (None if may_use_cube(texts) else VECTOR_CORES)

    def _part(self, tree: SourceTree, entry: str, kernel: Function, choice: Choice, name: str, cube: bool) -> Part:
        source, called = self.folder / "src", kernel.name
        name = f"{name}-cube" if cube else name
        unit = self.folder / f"{name}.cpp"
        library = self.folder / f"{name}.so"
        folders = [
            f"-I{source / path}"
            for path in _relative(tree.search_folders(entry), tree.root)
            if (source / path).is_dir()
        ]
        if not _named(kernel.name).search((source / entry).read_text(encoding="utf-8")):
            called = _RENAMED.format(kernel.name)  # as the other kind of core had to have it
        stripped = False
        for _ in range(_MOST_ATTEMPTS):
            unit.write_text(
                _unit(source / entry, called + choice.arguments, choice.configuration.prelude), encoding="utf-8"
            )
            done = self._made([*self._flags(folders, cube), *self.needs, str(unit)], library)
            if done.ok:
                return Part(library, read_lines(library), cube)
            if _CONFLICT in done.output and called == kernel.name:
                called = _RENAMED.format(kernel.name)
                _rename(source / entry, kernel.name, called)
            elif (absent := _MISSING.search(done.output)) and self._stand_in(absent["name"] or absent["other"], tree):
                continue
            elif _constrain(done.output, source):
                self.needs.add(_CONSTRAINTS)
            elif _NEWER not in self.needs and _IN_CONSTANT in done.output:
                self.needs.add(_NEWER)
            elif _NEWER in self.needs and _FROM_BRACES in done.output and _make_aggregates(source):
                continue
            elif _PERMISSIVE not in self.needs and _only_lacks_declarations(done.output):
                self.needs.add(_PERMISSIVE)
            elif stripped or not self._without_host(tree, entry):
                break
            else:
                stripped = True
                if called != kernel.name:  # in a text that is the tree's again
                    _rename(source / entry, kernel.name, called)
        log.error("the twin did not compile %s:\n%s", entry, done.output)
        said = first_error(done.output).replace(f"{source}/", "")
        raise EndedError(Outcome.INFRA_ERROR, f"the twin's compiler does not take {entry}: {said}")

    def _stand_in(self, name: str, tree: SourceTree) -> bool:
        """An empty header in the place of one of CANN's own that nobody has here; whether that is new.

        One that the kernel names in quotes and without a folder is the kernel's own, and missing.
        """
        path = self.folder / "include" / name
        quoted = (one for item in tree.files.values() for one in item.includes if one.quoted and one.name == name)
        if (
            ("/" not in name and any(quoted))
            or path.exists()
            or ".." in path.parts
            or not path.resolve().is_relative_to((self.folder / "include").resolve())
        ):
            return False
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        return True

    def _without_host(self, tree: SourceTree, entry: str) -> bool:
        """Blank what of the kernel's files only the host runs, which is no part of it; whether there was any."""
        half = host_half({item.path: item.text for item in tree.reachable(entry)})
        for path, spans in half.items():
            text = tree.files[path].prepared
            for span in spans:
                blank = re.sub(r"[^\n]", " ", text[span.start : span.end])
                text = text[: span.start] + blank + text[span.end :]
            (self.folder / "src" / path).write_text(text, encoding="utf-8")
        return bool(half)

    def _flags(self, folders: list[str], cube: bool) -> list[str]:
        return [
            *self.compiler.command,
            *self.compiler.flags,
            *_COMMON,
            "-O1",
            "-g1",
            "-gdwarf-4",
            "-fPIC",
            "-shared",
            "-fno-optimize-sibling-calls",
            "-fno-strict-aliasing",
            *(() if self.compiler.family is Family.GCC else ("-Wno-everything",)),
            *(("-fno-exceptions",) if self.compiler.linker else ()),  # they need a C++ library
            f"-DKERNELGEN_TWIN={1 if cube else 2}",
            f"-D{DEVICE_ATTRIBUTE}=__aicore__",
            f"-D{BOTH_ATTRIBUTE}=__host_aicore__",
            *chip_flags(self.chip),
            *self._core_flags(cube),
            *folders,
            "-isystem",
            str(self.folder / "include"),
            *_LAZILY,
        ]

    def _core_flags(self, cube: bool) -> list[str]:
        """The macros that tell a kernel which kind of core it is compiled for."""
        family = _FAMILIES.get(self.chip.architecture)
        kind = "CUBE" if cube else "VEC"
        return [f"-D__DAV_{family}_{kind}__=1", f"-D__DAV_{kind}__=1"] if family else []

    def _made(self, command: list[str], library: Path) -> sandbox.Finished:
        """What the compiler says to a unit; ``library`` is there where it is content."""
        linker = self.compiler.linker
        if not linker:
            return self._run([*command, "-o", str(library)])
        part = library.with_suffix(".o")
        done = self._run([*command, "-c", "-o", str(part)])
        return self._run([*linker, "-shared", str(part), "-o", str(library), *_LAZILY]) if done.ok else done

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


def _constrain(output: str, source: Path) -> bool:
    """Rewrite the specialisations below ``source`` that the compiler refuses where they stand; whether it could."""
    places: dict[Path, set[tuple[int, int]]] = {}
    for match in _IN_CLASS.finditer(output):
        path = Path(os.path.normpath(match["path"]))
        if path.is_relative_to(source):
            places.setdefault(path, set()).add((int(match["line"]), int(match["column"])))
    changed = False
    for path, found in places.items():
        text = path.read_text(encoding="utf-8")
        starts = [0, *(match.end() for match in re.finditer("\n", text))]
        new = without_class_specialisations(text, [starts[line - 1] + column - 1 for line, column in found])
        path.write_text(new, encoding="utf-8")
        changed |= new != text
    return changed


def _make_aggregates(source: Path) -> bool:
    """Let braces set members of classes below ``source`` that are no aggregates in newer C++; whether it could."""
    changed = False
    for path in sorted(path for path in source.rglob("*") if path.is_file()):
        text = path.read_text(encoding="utf-8")
        new = without_defaulted_constructors(text)
        path.write_text(new, encoding="utf-8")
        changed |= new != text
    return changed


def _only_lacks_declarations(output: str) -> bool:
    """Whether the compiler complains of nothing but calls in templates of functions that are not declared."""
    errors = [line for line in output.splitlines() if "error: " in line]
    return bool(errors) and all(map(_UNDECLARED.search, errors))


def _recognised(parts: list[Part], vector: bool) -> Cores:
    """Which cores a kernel runs on that does not say so: those whose units it calls, or has a ``vector`` part for."""
    called = {part.cube: imported_symbols(part.path) for part in parts}
    if not any(map(_CUBE_FUNCTION.match, (*called[True], *called[False]))):
        return VECTOR_CORES
    apart = not any(map(_CUBE_FUNCTION.match, called[False])) and any(map(_SENDS.match, called[False]))
    return GROUPS if vector or apart or any(map(_VECTOR_FUNCTION.match, called[False])) else CUBE_CORES


def _relative(folders: list[str], root: str) -> list[str]:
    return [folder[len(root) :].lstrip("/") for folder in folders]


def _unit(source: Path, called: str, prelude: str) -> str:
    return (
        '#include "kernel_operator.h"\nuint64_t kernelgenTilingKey = ::kgtwin::tilingKey();\n'
        f'{prelude}#include "{source}"\n{_CALL}'
        f'extern "C" void kgtwin_entry(void **given) {{ kgtwinCall(&{called}, given); }}\n'
    )


def _rename(path: Path, name: str, new: str) -> None:
    """Call an entry function otherwise: its name is one of the C library's."""
    path.write_text(_named(name).sub(new, path.read_text(encoding="utf-8")), encoding="utf-8")


def _named(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.:>]){re.escape(name)}(?=\s*\()")
