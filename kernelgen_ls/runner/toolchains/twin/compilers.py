"""Which C++ compiler of this machine the twin uses, and how it is called.

A compiler fits that makes a library of a program of five lines: C++17, the standard library, and a half that computes.
Among g++ that is version 12 and later, among clang version 15 and later.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from enum import Enum
from pathlib import Path

from attrs import frozen

from kernelgen_ls.folders import cache_folder, write_bytes
from kernelgen_ls.runner.toolchains import UnavailableError

_NAMES = (
    *("c++", "g++", "clang++"),
    *(f"g++-{version}" for version in range(16, 11, -1)),
    *(f"clang++-{version}" for version in range(22, 14, -1)),
)
_PROBE = """\
#include <cmath>
#include <type_traits>
static_assert(sizeof(_Float16) == 2 && !std::is_same_v<_Float16, float>, "a half is a type of its own");
template <typename T> T half_of(T value) { return value / 2; }
extern "C" float probe(float value) { return half_of(static_cast<_Float16>(value)) + std::sqrt(half_of(value)); }
"""
_HOST_PROGRAM = "#include <string>\nint main(int count, char **given) { return std::string(given[0]).size() == 0; }\n"
_PROBE_SECONDS = 60
_LIBRARY_SECONDS = 900
_ELSEWHERE = {
    "win32": "on Windows, install and start kernelgen-ls inside WSL (wsl --install)",
    "darwin": "on macOS, in a Linux container or virtual machine, since macOS cannot isolate a kernel",
}
"""Where the twin runs on systems whose programs the sandbox cannot box in."""
_ZIG = "zig"
_NATIVE = "-march=native"
_COMMON = ("-std=c++17", "-fPIC", "-x", "c++")


class Family(Enum):
    """Whose options a compiler takes."""

    GCC = "gcc"
    CLANG = "clang"
    ZIG = "zig"
    """clang with a C++ library of its own, from the Python package ``ziglang``."""


@frozen
class Compiler:
    """A C++ compiler that was tried: ``command`` is how its command line begins.

    ``flags`` belong to every compilation, ``version`` is its own first line about itself (part of a cache's key).
    """

    command: tuple[str, ...]
    family: Family
    version: str
    flags: tuple[str, ...]

    @property
    def name(self) -> str:
        """What messages call it."""
        return self.version if self.family is Family.ZIG else self.command[0]

    @property
    def linker(self) -> tuple[str, ...]:
        """How the command line begins that links objects which need no C++ library; () where it is the compiler's.

        zig's compiler would first build a library of its own, which takes minutes.
        """
        return (*self.command[:-1], "cc", *self.flags) if self.family is Family.ZIG else ()

    def environment(self, cache: Path) -> dict[str, str]:
        """What it needs in its environment, with ``cache`` as the folder for what it keeps between compilations."""
        if self.family is not Family.ZIG:
            return {}
        return {"ZIG_GLOBAL_CACHE_DIR": str(cache / _ZIG), "ZIG_LOCAL_CACHE_DIR": str(cache / "zig-local")}

    def prepare(self, folder: Path) -> None:
        """Put into a job's ``folder`` what the compiler has built of its own libraries so far on this machine."""
        kept = cache_folder() / "twin" / _ZIG
        if self.family is Family.ZIG and kept.is_dir() and not (folder / _ZIG).exists():
            shutil.copytree(kept, folder / _ZIG, ignore=shutil.ignore_patterns("tmp"))

    def build_library(self) -> None:
        """Let the compiler build the C++ library that host programs are linked with, once a machine.

        Raises :class:`UnavailableError` with the compiler's words.
        """
        folder = cache_folder() / "twin"
        built = folder / f"built-{hashlib.sha256(repr((self.version, self.flags)).encode()).hexdigest()[:16]}"
        if self.family is not Family.ZIG or built.exists():
            return
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as place:
            done = subprocess.run(
                [*self.command, *self.flags, "-x", "c++", "-", "-o", str(Path(place, "program"))],
                input=_HOST_PROGRAM,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=_LIBRARY_SECONDS,
                env={**os.environ, **self.environment(folder)},
            )
        if done.returncode != 0:
            raise UnavailableError(f"{self.name} cannot build its C++ library: {done.stderr.strip()[-300:]}")
        write_bytes(built, b"", durable=False)


def readable(program: Path) -> list[Path]:
    """What of the machine a compilation has to read: the installation that ``program`` lies in, never a home."""
    above = program.parent.parent
    installed = program.parent.name == "bin" and above not in (Path.home(), Path(above.anchor))
    return [above if installed else program.parent]


def find_compiler() -> Compiler:
    """The first that fits: ``$CXX``, one of the system's, the one of the extra ``[twin]``.

    Tried once a process. Raises :class:`UnavailableError` that says what to install, or where the twin runs instead.
    """
    if sys.platform in _ELSEWHERE:
        raise UnavailableError(f"the twin runs on Linux: {_ELSEWHERE[sys.platform]}")
    return _found(os.environ.get("CXX", ""), os.environ.get("PATH", os.defpath))


@functools.lru_cache(maxsize=8)
def _found(wanted: str, path: str) -> Compiler:
    tried: dict[Path, str] = {}
    for command in _candidates(wanted):
        program = shutil.which(command[0], path=path)
        if program is None or Path(program).resolve() in tried:
            continue
        found = _probed([program, *command[1:]])
        if isinstance(found, Compiler):
            return found
        tried[Path(program).resolve()] = f"{shlex.join(command)}: {found}"
    if importlib.util.find_spec("ziglang") is not None:
        return _zig()
    raise UnavailableError(_advice(list(tried.values())))


def _candidates(wanted: str) -> list[list[str]]:
    """The command lines to try, best first."""
    given = shlex.split(wanted)
    return [*([given] if given else []), *([name] for name in _NAMES)]


def _advice(tried: Sequence[str]) -> str:
    said = f" ({tried[0]})" if tried else ""
    return (
        f"no C++ compiler here can build a kernel{said}: install g++ 12 or clang 15 or later, or let $CXX name one, or "
        "take the compiler that comes as a Python package: pip install 'kernelgen-ls[twin]'"
    )


def _probed(command: list[str]) -> Compiler | str:
    """The compiler at ``command``, or one line that says why it does not fit."""
    version = _said([*command, "--version"])
    if version is None:
        return "it does not say its version"
    family = Family.CLANG if "clang" in version.lower() else Family.GCC
    fixed = ("-fno-gnu-unique",) if family is Family.GCC else ()
    reason = ""
    for native in ((_NATIVE,), ()):
        flags = (*native, *fixed)
        reason = _compiles(command, flags)
        if not reason:
            return Compiler(tuple(command), family, version.strip().splitlines()[0], flags)
    return reason


def _compiles(command: list[str], flags: tuple[str, ...]) -> str:
    """Why ``command`` makes no library of the probe: one line; "" where it does."""
    with tempfile.TemporaryDirectory() as folder:
        argv = [*command, *_COMMON, *flags, "-shared", "-o", str(Path(folder, "probe.so")), "-"]
        try:
            done = subprocess.run(
                argv, input=_PROBE, capture_output=True, text=True, errors="replace", timeout=_PROBE_SECONDS, cwd=folder
            )
        except (OSError, subprocess.TimeoutExpired) as problem:
            return str(problem)[:200]
    if done.returncode == 0:
        return ""
    lines = [line for line in done.stderr.splitlines() if "error" in line] or done.stderr.splitlines()
    return lines[0].strip()[:200] if lines else f"it ended with status {done.returncode}"


def _said(argv: list[str], env: Mapping[str, str] | None = None) -> str | None:
    try:
        done = subprocess.run(argv, capture_output=True, text=True, errors="replace", timeout=_PROBE_SECONDS, env=env)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 and done.stdout.strip() else None


def _zig() -> Compiler:
    """The compiler of the Python package, not tried: what it is made of is what the package's version says."""
    from importlib.metadata import version

    command = (sys.executable, "-m", "ziglang", "c++")
    return Compiler(command, Family.ZIG, f"ziglang {version('ziglang')}", (_NATIVE, "-fno-sanitize=all"))
