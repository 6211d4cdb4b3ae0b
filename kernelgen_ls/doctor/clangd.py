"""The ``.clangd`` fragment that makes clangd understand kernels, for those who run it beside this server."""

from __future__ import annotations

from pathlib import Path

import kernelgen_ls
from kernelgen_ls.kernel.chips import Chip
from kernelgen_ls.runner.toolchains.configurations import chip_flags

BEGIN, END = "# kernelgen-ls: begin", "# kernelgen-ls: end"


def fragment(chip: Chip) -> str:
    """A YAML document for ``.clangd``; it applies to kernels and their host side alone."""
    include = Path(kernelgen_ls.__file__).parent / "runner" / "include"
    added = [
        "-xc++",
        "-std=c++17",
        "-nostdinc",
        "-nostdinc++",
        f"-isystem{include}",
        f"-isystem{include / 'std'}",
        *chip_flags(chip),
        "-Wno-ignored-attributes",
        "-Wno-unknown-attributes",
        "-Wno-undefined-inline",
    ]
    lines = [
        BEGIN,
        "If:",
        "  PathMatch: [.*/op_kernel/.*, .*/op_host/.*, .*\\.asc, .*\\.cce]",
        "CompileFlags:",
        "  Add:",
        *(f'    - "{flag}"' for flag in added),
        "  Remove: [--cce-*, -xcce, -xasc, --npu-*, -O*]",
        "Diagnostics:",
        "  # The kernel's own diagnostics come from kernelgen-ls: shown twice they would only be noise.",
        '  Suppress: ["*"]',
        END,
    ]
    return "\n".join(lines) + "\n"


def merged(existing: str, new: str) -> str:
    """``existing`` with this project's part replaced, or added as a further YAML document."""
    if BEGIN in existing and END in existing:
        before, _, rest = existing.partition(BEGIN)
        return before + new + rest.partition(END)[2].removeprefix("\n")
    if existing.strip():
        return existing.rstrip() + "\n---\n" + new
    return new
