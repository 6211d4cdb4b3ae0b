"""A case's tiling as the operator's own op_host computes it: compiled with the machine's compiler, run in the sandbox.

What an operator calls and the twin does not define stops nothing by itself: something stands in its place that says its
name when it is called.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import frozen

from kernelgen_ls.folders import cache_folder, write_bytes
from kernelgen_ls.kernel.chips import Chip
from kernelgen_ls.kernel.opdef import OperatorDefinition
from kernelgen_ls.kernel.roles import SOURCE_SUFFIXES, has_entry, says_host
from kernelgen_ls.runner.execution import sandbox
from kernelgen_ls.runner.execution.cases import Case
from kernelgen_ls.runner.execution.ended import EndedError
from kernelgen_ls.runner.execution.sandbox import Finished, job_folder
from kernelgen_ls.runner.jobs.config import RunnerConfig
from kernelgen_ls.runner.jobs.messages import Outcome
from kernelgen_ls.runner.jobs.request_files import write_tree
from kernelgen_ls.runner.toolchains import Cancelled
from kernelgen_ls.runner.toolchains.source_tree import SourceTree
from kernelgen_ls.runner.toolchains.twin.compilers import Compiler, Family, readable
from kernelgen_ls.runner.toolchains.twin.elf import lacking_symbols
from kernelgen_ls.runner.toolchains.twin.host_request import HostTiling, NotTiled, answers, request

_INCLUDE = Path(__file__).parents[2] / "include"
_HOST_HEADERS = (
    *(
        "adv_api",
        "ascendc/host_api",
        "exe_graph",
        "graph",
        "host",
        "kernel_tiling",
        "platform",
        "register",
        "tiling",
        "twin",
    ),
    "kernelgen_host.h",
)
"""What of our declarations host code sees; the C++ library is the system's."""
_HEADER_FOLDERS = ("include", "include/twin/opbase")
"""Where a build's folder has them; the second holds what operators take from their base library."""
_FLAGS = ("-std=c++17", "-O0", "-w", "-DKERNELGEN_EXECUTE")
_API_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"](?:\w+/)*(?:opdev|aclnn|gtest)', re.MULTILINE)
"""What a file includes that offers an operator to programs, or tests it: it has no part in a tiling."""
_UNDEFINED = re.compile(r"undefined (?:reference to|symbol:) [`'\"]?(?P<symbol>[A-Za-z_]\w*)['\"]?$", re.MULTILINE)
"""A name of C in a linker's complaint; those of C++ are read from the objects, linkers show them in their long form."""
_LIBRARY = re.compile(r"_Z(?:T[VIST])?(?:N?K?S[a-z]|N10__cxxabiv1|[nd][wal])")
"""The names of the C++ library and what the language itself needs."""
_ERROR = re.compile(r"^[^\n]*\b(?:fatal )?error: (?P<message>[^\n]*)", re.MULTILINE)
_MAX_LINKS = 4
_MAX_PROCESSES = 8
_SIGNALS: dict[int, str] = {
    signal.SIGSEGV: "crashed: it reads or writes where it has no memory",
    signal.SIGFPE: "crashed: it divides by zero",
    signal.SIGABRT: "aborted",
}


@frozen
class _Build:
    """A folder in which programs of a job are made, and with what."""

    folder: Path
    compiler: Compiler
    config: RunnerConfig
    stop: Cancelled

    def run(self, argv: Sequence[str]) -> Finished:
        """The compiler in the folder, as long as a check may take. Raises :class:`EndedError` where it did not run."""
        program = Path(argv[0]).resolve()
        done = sandbox.run(
            argv,
            self.folder,
            seconds=self.config.budgets.check,
            config=self.config.sandbox,
            cancelled=self.stop,
            env=self.compiler.environment(self.folder),
            readable=readable(program),
        )
        if done.ended == "cancelled":
            raise EndedError(Outcome.CANCELLED, "cancelled")
        if done.ended == "refused":
            raise EndedError(Outcome.INFRA_ERROR, done.output)
        return done

    def compile(self, source: str, target: str, flags: Sequence[str] = ()) -> Finished:
        """One source of the folder to an object of it."""
        command = [*self.compiler.command, *_FLAGS, *self.compiler.flags, *flags]
        headers = [flag for folder in _HEADER_FOLDERS for flag in ("-isystem", folder)]
        return self.run([*command, *headers, "-c", source, "-o", target])


def host_tilings(
    texts: Mapping[str, str],
    operator: OperatorDefinition,
    cases: tuple[Case, ...],
    chip: Chip,
    compiler: Compiler,
    config: RunnerConfig,
    stop: Cancelled,
) -> tuple[HostTiling | NotTiled, ...]:
    """Each case's tiling as the op_host among ``texts`` (path to content) computes it for ``chip``, or why it has none.

    Raises :class:`EndedError` where the job is to end: cancelled, or a failure of ours.
    """
    sources = host_sources(texts)
    if not sources:
        return (NotTiled("there is no op_host that computes a tiling"),) * len(cases)
    with job_folder() as folder:
        compiler.build_library()
        compiler.prepare(folder)
        build = _Build(folder, compiler, config, stop)
        for name in _HOST_HEADERS:
            place = shutil.copytree if (_INCLUDE / name).is_dir() else shutil.copy
            (folder / "include" / name).parent.mkdir(parents=True, exist_ok=True)
            place(_INCLUDE / name, folder / "include" / name)
        write_tree(folder / "src", texts)
        objects, complaint = _compiled(build, texts, sources)
        if not objects:
            return (NotTiled(f"op_host was not compiled: {complaint}"),) * len(cases)
        objects.append(_runtime(build))
        refused = _link(build, objects)
        if refused:
            return (NotTiled(f"op_host was not linked: {refused}"),) * len(cases)
        found = _ran(build, operator, cases, chip)
        if complaint and all(isinstance(one, NotTiled) for one in found):
            return tuple(NotTiled(f"{one.reason}; {complaint}") for one in found if isinstance(one, NotTiled))
        return found


def host_sources(texts: Mapping[str, str]) -> list[str]:
    """The files of ``texts`` that are compiled to compute a tiling, by path."""
    return sorted(
        path
        for path, text in texts.items()
        if path.endswith(SOURCE_SUFFIXES)
        and (says_host(path, text) or "TilingContext" in text)
        and not has_entry(text)
        and not _API_INCLUDE.search(text)
    )


def _compiled(build: _Build, texts: Mapping[str, str], sources: list[str]) -> tuple[list[str], str]:
    """The objects of the sources that the compiler takes, and the first error of the rest."""
    tree = SourceTree.of(texts, str(build.folder / "src"))
    objects, complaints = [], []
    for number, source in enumerate(sources):
        target = f"{number}.o"
        folders = [flag for folder in tree.search_folders(source) for flag in ("-I", folder)]
        done = build.compile(f"src/{source}", target, folders)
        if done.ok:
            objects.append(target)
        else:
            complaints.append(("TilingContext" not in texts[source], f"{source}: {_first_error(done)}"))
    # What was to compute the tiling comes before what may have been only beside it.
    complaint = min(complaints)[1] if complaints else ""
    return objects, complaint


def _first_error(done: Finished) -> str:
    if done.ended == "timeout":
        return "the compiler did not come to an end"
    match = _ERROR.search(done.output)
    return match["message"][:200] if match else f"the compiler ended: {done.ended} {done.code}"


def _runtime(build: _Build) -> str:
    """The object of what host code calls, compiled where no earlier job has left it in the cache.

    It is kept by what lies in the folder, which is what is compiled: an installation may change while it is used.
    """
    digest = hashlib.sha256(repr((build.compiler.command, build.compiler.version, build.compiler.flags)).encode())
    for name in _HOST_HEADERS:
        path = build.folder / "include" / name
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file():
                digest.update(file.read_bytes())
    kept = cache_folder() / "twin" / f"host-{digest.hexdigest()[:32]}.o"
    target = build.folder / "runtime.o"
    if kept.is_file():
        shutil.copy(kept, target)
        return target.name
    done = build.compile("include/twin/host.cpp", target.name)
    if not done.ok:
        raise EndedError(Outcome.INFRA_ERROR, f"the twin's own host code was not compiled: {_first_error(done)}")
    kept.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(kept, target.read_bytes(), durable=False)
    return target.name


def _link(build: _Build, objects: list[str]) -> str:
    """Make the program of the objects, with something in the place of what they lack; one line where it cannot be."""
    symbols = lacking_symbols(build.folder / name for name in objects)
    lacking = dict.fromkeys(symbol for symbol in symbols if symbol.startswith("_Z") and not _LIBRARY.match(symbol))
    several = () if build.compiler.family is Family.ZIG else ("-Wl,--allow-multiple-definition",)
    for _ in range(_MAX_LINKS):
        if lacking:
            (build.folder / "lacking.cpp").write_text(stand_ins(list(lacking)))
            compiled = build.compile("lacking.cpp", "lacking.o")
            if not compiled.ok:
                return _first_error(compiled)
        stands = ["lacking.o"] if lacking else []
        command = [*build.compiler.command, *build.compiler.flags, *objects, *stands, "-o", "tile", *several]
        done = build.run(command)
        if done.ok:
            return ""
        undefined = dict.fromkeys(match["symbol"] for match in _UNDEFINED.finditer(done.output))
        if not undefined.keys() - lacking.keys():
            return _first_error(done)
        lacking.update(undefined)
    return "too much of what it calls is not defined"


def stand_ins(symbols: Sequence[str]) -> str:
    """The C++ text that defines ``symbols`` (as the linker names them) by functions that say their names.

    Data of a class (its table of virtual functions and what describes its type) are tables of such functions.
    """
    lines = ["namespace kernelgen { [[noreturn]] void lacks(const char *symbol); }"]
    for number, symbol in enumerate(symbols):
        function = f"kernelgen_lacking_{number}"
        label = "" if symbol.startswith("_ZT") else f' __asm__("{symbol}")'
        lines.append(f'extern "C" void {function}(){label};')
        lines.append(f'void {function}() {{ kernelgen::lacks("{symbol}"); }}')
        if not label:
            entries = ", ".join(["0", "0", *[f"reinterpret_cast<void *>({function})"] * 62])
            lines.append(f'extern "C" void *{function}_table[64] __asm__("{symbol}");')
            lines.append(f"void *{function}_table[64] = {{{entries}}};")
    return "\n".join(lines) + "\n"


def _ran(
    build: _Build, operator: OperatorDefinition, cases: tuple[Case, ...], chip: Chip
) -> tuple[HostTiling | NotTiled, ...]:
    """Each case's tiling; where one ends the process, those behind it get a new one, a few times."""
    found: tuple[HostTiling | NotTiled, ...] = ()
    for number in range(1, _MAX_PROCESSES + 1):
        reached, ended = _ran_once(build, operator, cases[len(found) :], chip)
        found += reached
        if ended is None or len(found) == len(cases):
            break
        lost = len(cases) - len(found) if ended.is_last or number == _MAX_PROCESSES else 1
        found += (NotTiled(ended.reason),) * lost
        if len(found) == len(cases):
            break
    return found


@frozen
class _Ended:
    """How a tiling function ended its process; ``is_last`` where another one would only take as long again."""

    reason: str
    is_last: bool


def _ran_once(
    build: _Build, operator: OperatorDefinition, cases: tuple[Case, ...], chip: Chip
) -> tuple[tuple[HostTiling | NotTiled, ...], _Ended | None]:
    """What one process says of the cases that it comes to, and how it ended where it did not come to them all."""
    written, readable = build.folder / "answers.txt", sorted({Path(one.file).parent for c in cases for one in c.inputs})
    written.unlink(missing_ok=True)
    (build.folder / "request.txt").write_text(request(operator, cases, chip))
    done = sandbox.run(
        [str(build.folder / "tile"), "request.txt", written.name],
        build.folder,
        seconds=build.config.budgets.verify,
        config=build.config.sandbox,
        cancelled=build.stop,
        readable=readable,
    )
    if done.ended == "cancelled":
        raise EndedError(Outcome.CANCELLED, "cancelled")
    if done.ended == "refused":
        raise EndedError(Outcome.INFRA_ERROR, done.output)
    text = "" if written.is_symlink() or not written.is_file() else written.read_text(errors="replace")
    found = answers(text, len(cases), "" if done.truncated else done.output)
    if done.ok:
        return found, None
    signalled = _SIGNALS.get(done.code, f"was ended by signal {done.code}")
    ended = {"timeout": "did not come to an end", "signal": signalled}
    reason = f"the tiling function of op_host {ended.get(done.ended, f'was ended: {done.ended} {done.code}')}"
    return found[: len(text.splitlines())], _Ended(reason, done.ended != "signal")
