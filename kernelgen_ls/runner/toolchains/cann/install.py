"""A CANN installation: where it is, what it is, and which flags its compiler takes.

Versions are no guide to flags: an empty kernel is compiled with each known style, and the one that works is kept.
Written from public documentation; not confirmed on hardware yet, which ``UNCONFIRMED`` says wherever it is used.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from attrs import frozen

from kernelgen_ls.folders import cache_folder, write_json
from kernelgen_ls.kernel.chips import Architecture, Chip, find_chip
from kernelgen_ls.runner.execution import sandbox
from kernelgen_ls.runner.execution.sandbox import job_folder
from kernelgen_ls.runner.jobs.config import SandboxConfig
from kernelgen_ls.runner.toolchains import UnavailableError

UNCONFIRMED = "This tool chain follows CANN's documented command lines and formats; it awaits confirmation on hardware."
_PROBE_SECONDS = 60.0
_HOMES = ("/usr/local/Ascend/ascend-toolkit/latest", "/usr/local/Ascend/latest", "~/Ascend/ascend-toolkit/latest")
_INCLUDES = (
    *("compiler/tikcpp", "compiler/tikcpp/tikcfw", "compiler/tikcpp/tikcfw/impl", "compiler/tikcpp/tikcfw/interface"),
    *("include", "include/ascendc", "asc", "asc/include", "asc/impl"),
)
_EMPTY_KERNEL = '#include "kernel_operator.h"\nextern "C" __global__ __aicore__ void kernelgen_probe(GM_ADDR x) {}\n'


@frozen
class FlagStyle:
    """One way to ask bisheng for a device object."""

    name: str
    language: str

    def flags(self, architecture: Architecture, core: str) -> list[str]:
        """The flags for an architecture; ``core`` is ``vec`` or ``cube``, which the older style compiles apart."""
        if self.name == "npu-arch":
            return ["-x", self.language, f"--npu-arch={architecture.value}", "-std=c++17", "-O2"]
        old = {
            Architecture.DAV_2201: f"dav-c220-{core}",
            Architecture.DAV_2002: "dav-m200",
            Architecture.DAV_3002: "dav-m300",
            Architecture.DAV_1001: "dav-c100",
        }.get(architecture, architecture.value)
        tuned = [
            "-cce-aicore-stack-size=0x8000",
            "-cce-aicore-function-stack-size=0x8000",
            "-cce-aicore-record-overflow=true",
            "-cce-aicore-addr-transform",
            "-cce-aicore-dcci-insert-for-scalar=false",
        ]
        backend = [part for option in tuned for part in ("-mllvm", option)]
        kind = [f"--cce-aicore-arch={old}", "--cce-aicore-only", "--cce-auto-sync"]
        return ["-x", self.language, *kind, "-std=c++17", "-O3", *backend]


STYLES = (FlagStyle("npu-arch", "asc"), FlagStyle("npu-arch", "cce"), FlagStyle("cce-arch", "cce"))


def simulator_libraries(home: Path, soc: str) -> Path:
    """Where an installation has the simulator of a SoC; its libraries have to be found before all others."""
    return home / "tools/simulator" / soc / "lib"


@frozen
class Install:
    """What was found: ``version`` as CANN's own files state it, ``soc`` as ``npu-smi`` names the device, if any."""

    home: Path
    bisheng: Path
    version: str
    soc: str
    style: FlagStyle

    @property
    def includes(self) -> list[str]:
        """``-I`` flags for the folders of AscendC's headers that are there."""
        return [f"-I{self.home / folder}" for folder in _INCLUDES if (self.home / folder).is_dir()]

    @property
    def msprof(self) -> str:
        """The profiler of this installation."""
        inside = [self.home / "tools/profiler/bin/msprof", self.home / "bin/msprof"]
        return next((str(path) for path in inside if path.is_file()), shutil.which("msprof") or "msprof")

    @property
    def chip(self) -> Chip | None:
        """The device's chip, where there is a device and the chip is known."""
        return find_chip(self.soc) if self.soc else None

    def simulates(self, soc: str) -> bool:
        """Whether this installation has the simulator of a SoC."""
        return simulator_libraries(self.home, soc).is_dir()

    def environment(self) -> dict[str, str]:
        """The variables that CANN's own ``set_env.sh`` exports, for this installation."""
        home = str(self.home)
        libraries = [f"{home}/lib64", f"{home}/lib64/plugin", "/usr/local/Ascend/driver/lib64/driver"]
        libraries.append("/usr/local/Ascend/driver/lib64/common")
        return {
            "ASCEND_HOME_PATH": home,
            "ASCEND_TOOLKIT_HOME": home,
            "ASCEND_OPP_PATH": f"{home}/opp",
            "LD_LIBRARY_PATH": ":".join(libraries),
            "PATH": f"{self.bisheng.parent}:{home}/bin:{os.environ.get('PATH', os.defpath)}",
        }


class NoCannError(UnavailableError):
    """There is no usable CANN here; the message says what to do."""


def find_install(config: SandboxConfig, environ: Mapping[str, str] | None = None) -> Install:
    """Find CANN by its environment variables or in its usual places and probe its compiler.

    Raises :class:`NoCannError`. The probe's answer is remembered on disk for as long as the compiler stays the same.
    """
    environ = os.environ if environ is None else environ
    for home, bisheng in _candidates(environ):
        soc = read_soc(environ, config)
        style = _remembered_style(bisheng) or _probe(home, bisheng, find_chip(soc) if soc else None, config)
        _remember_style(bisheng, style)
        return Install(home, bisheng, read_version(home), soc, style)
    raise NoCannError("CANN was not found: install its toolkit and source its set_env.sh before starting the runner")


def has_cann(environ: Mapping[str, str] | None = None) -> bool:
    """Whether a compiler of CANN lies where ``find_install`` looks; it is not tried."""
    return any(True for _ in _candidates(os.environ if environ is None else environ))


def _candidates(environ: Mapping[str, str]) -> Iterator[tuple[Path, Path]]:
    named = [environ[name] for name in ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME") if environ.get(name)]
    for home in [Path(h).expanduser() for h in [*named, *_HOMES]]:
        for bisheng in _compilers(home):
            if bisheng.is_file():
                yield home, bisheng


def _compilers(home: Path) -> Iterator[Path]:
    for folder in (f"{platform.machine()}-linux/ccec_compiler/bin", "compiler/ccec_compiler/bin", "bin"):
        yield home / folder / "bisheng"


def read_version(home: Path) -> str:
    """The version that an installation's files state; "" where none does."""
    machine = platform.machine()
    for name in (f"{machine}-linux/ascend_toolkit_install.info", "ascend_toolkit_install.info", "version.cfg"):
        file = home / name
        if file.is_file():
            match = re.search(r"^\s*\w*version\w*\s*=\s*\[?([\w.]+)", file.read_text(errors="replace"), re.I | re.M)
            if match:
                return match.group(1)
    file = home / "compiler/version.info"
    match = re.search(r"^Version=([\w.]+)", file.read_text(errors="replace"), re.M) if file.is_file() else None
    return match.group(1) if match else ""


def read_soc(environ: Mapping[str, str], config: SandboxConfig) -> str:
    """The first device's SoC by ``npu-smi info -m``, such as ``Ascend910B1``; "" where there is no device."""
    smi = shutil.which("npu-smi", path=environ.get("PATH"))
    if smi is None:
        return ""
    with job_folder() as folder:
        done = sandbox.run([smi, "info", "-m"], folder, seconds=20, config=config, devices=_every_device())
    return parse_soc(done.output) if done.ok else ""


def _every_device() -> list[int]:
    """The NPUs whose device files are here: ``npu-smi`` asks each."""
    return sorted(int(path.name[7:]) for path in Path("/dev").glob("davinci*") if path.name[7:].isdigit())


def parse_soc(output: str) -> str:
    """The SoC in ``npu-smi info -m``'s table: its rows end with the chip's name (``Ascend 910B1``, ``Mcu`` is none)."""
    for line in output.splitlines():
        match = re.search(r"\bAscend\s*(\d{3}\w*(?:-\d)?)\s*$", line.strip())
        if match:
            return f"Ascend{match.group(1)}"
    return ""


def _probe(home: Path, bisheng: Path, chip: Chip | None, config: SandboxConfig) -> FlagStyle:
    architecture = chip.architecture if chip else Architecture.DAV_2201
    said = ""
    for style in STYLES:
        install = Install(home, bisheng, "", "", style)
        with job_folder() as folder:
            (folder / "probe.cpp").write_text(_EMPTY_KERNEL)
            argv = [
                str(bisheng),
                "-c",
                "probe.cpp",
                "-o",
                "probe.o",
                *style.flags(architecture, "vec"),
                *install.includes,
            ]
            done = sandbox.run(
                argv,
                folder,
                seconds=_PROBE_SECONDS,
                config=config,
                env=install.environment(),
                readable=[home, home.resolve()],
            )
        if done.ok:
            return style
        lines = done.output.strip().splitlines()
        said = next((line for line in lines if "error:" in line), lines[-1] if lines else said)
    raise NoCannError(f"the compiler {bisheng} does not compile an empty kernel: {said or 'it says nothing'}")


def _probe_file(bisheng: Path) -> tuple[Path, str]:
    known = bisheng.stat()
    return cache_folder() / "cann-flags.json", f"{bisheng}:{known.st_size}:{known.st_mtime_ns}"


def _remembered_style(bisheng: Path) -> FlagStyle | None:
    file, key = _probe_file(bisheng)
    try:
        name, language = json.loads(file.read_text())[key]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return next((style for style in STYLES if (style.name, style.language) == (name, language)), None)


def _remember_style(bisheng: Path, style: FlagStyle) -> None:
    file, key = _probe_file(bisheng)
    try:
        write_json(file, {key: [style.name, style.language]}, durable=False)
    except OSError:
        return  # the next start probes again


def python_path(install: Install) -> dict[str, str]:
    """Where CANN's own Python packages are."""
    return {"PYTHONPATH": f"{install.home}/python/site-packages:{install.home}/opp/built-in/op_impl/ai_core/tbe"}


def build_python() -> str:
    """The Python that CANN's packages are for: the system's, as its own build takes it."""
    return shutil.which("python3") or sys.executable
