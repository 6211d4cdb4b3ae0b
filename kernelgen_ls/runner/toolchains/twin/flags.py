"""How compilers are called for the twin."""

from __future__ import annotations

import sys
from pathlib import Path

from kernelgen_ls.kernel.blank import BOTH_ATTRIBUTE, DEVICE_ATTRIBUTE
from kernelgen_ls.kernel.chips import Architecture, Chip
from kernelgen_ls.runner.toolchains.configurations import chip_flags
from kernelgen_ls.runner.toolchains.twin.compilers import Compiler, Family

INCLUDE = Path(__file__).resolve().parents[2] / "include"
COMMON = ("-std=c++17", "-ffp-contract=off", "-fno-threadsafe-statics", "-w")
LINUX = sys.platform.startswith("linux")
LAZILY = ("-Wl,-z,lazy",) if LINUX else ("-Wl,-undefined,dynamic_lookup",)
_FAMILIES = {Architecture.DAV_2201: "C220", Architecture.DAV_3510: "C310"}
"""What the compiler's macros call the chips whose cube and vector cores are apart."""


def kernel_flags(compiler: Compiler, chip: Chip, include: Path, folders: list[str], cube: bool) -> list[str]:
    """The compiler and how it is called for a part of a kernel; ``include`` has our declarations."""
    return [
        *compiler.command,
        *compiler.flags,
        *COMMON,
        "-O1",
        "-g1",
        "-gdwarf-4",
        "-fPIC",
        "-shared",
        "-fno-optimize-sibling-calls",
        "-fno-strict-aliasing",
        *(() if compiler.family is Family.GCC else ("-Wno-everything",)),
        *(("-fno-exceptions",) if compiler.linker else ()),  # they need a C++ library
        f"-DKERNELGEN_TWIN={1 if cube else 2}",
        f"-D{DEVICE_ATTRIBUTE}=__aicore__",
        f"-D{BOTH_ATTRIBUTE}=__host_aicore__",
        *chip_flags(chip),
        *_core_flags(chip, cube),
        *folders,
        "-isystem",
        str(include),
        *LAZILY,
    ]


def _core_flags(chip: Chip, cube: bool) -> list[str]:
    """The macros that tell a kernel which kind of core it is compiled for."""
    family = _FAMILIES.get(chip.architecture)
    kind = "CUBE" if cube else "VEC"
    return [f"-D__DAV_{family}_{kind}__=1", f"-D__DAV_{kind}__=1"] if family else []
