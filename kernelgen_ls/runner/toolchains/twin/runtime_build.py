"""Building the twin's runtime: the program that loads kernels, once for every compiler."""

from __future__ import annotations

import functools
import hashlib
import logging
import os
import platform
import subprocess
import tempfile
from pathlib import Path

from kernelgen_ls.folders import cache_folder, writing
from kernelgen_ls.runner.toolchains import UnavailableError
from kernelgen_ls.runner.toolchains.twin.compilers import Compiler
from kernelgen_ls.runner.toolchains.twin.complaints import first_error
from kernelgen_ls.runner.toolchains.twin.flags import COMMON, INCLUDE, LINUX

log = logging.getLogger(__name__)

_RUNTIME = Path(__file__).resolve().parent / "runtime"
_INTERFACE = ("state.h", "library.h")
"""What of the declarations' folder ``twin`` the runtime is compiled with."""
_RUNTIME_SECONDS = 600.0


def runtime_program(compiler: Compiler) -> Path:
    """The program that loads kernels, compiled unless an earlier process left it in the cache.

    Raises UnavailableError with the compiler's words.
    """
    return _runtime(compiler)


@functools.lru_cache(maxsize=4)
def _runtime(compiler: Compiler) -> Path:
    sources = sorted(_RUNTIME.glob("*.cpp"))
    digest = hashlib.sha256(repr((compiler.command, compiler.version, compiler.flags, _processor())).encode())
    for path in [*sources, *sorted(_RUNTIME.glob("*.h")), *(INCLUDE / "twin" / name for name in _INTERFACE)]:
        digest.update(path.read_bytes())
    folder = cache_folder() / "twin"
    kept = folder / f"runtime-{digest.hexdigest()[:32]}"
    if kept.is_file():
        return kept
    folder.mkdir(parents=True, exist_ok=True)
    exports = ("-rdynamic", "-pthread", "-ldl") if LINUX else ("-Wl,-export_dynamic",)
    argv = [*compiler.command, *compiler.flags, *COMMON, "-O2", "-fno-exceptions", "-fno-rtti", f"-I{INCLUDE}"]
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
