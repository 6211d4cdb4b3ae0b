"""A CANN installation for tests: ``bisheng``, ``npu-smi`` and ``msprof`` that speak as the real ones are documented to.

``bisheng`` really checks: it runs the embedded checker behind bisheng's command line and prints in its format. The
object it writes holds the kernel's text, from which ``msprof`` takes what the kernel computes:

    // computes: x0 * 2          (numpy, over the inputs x0, x1... and the tiling bytes t)
    // takes: 12.5 us            (each launch a little more than the last)
    // frequency: 800 of 1800
    // faults: 507035            // hangs           // writes nothing

``msopgen``, the ``cmake`` on the path, the package it makes and ``tbe.common.utils.op_tiling`` stand in for the build
of a whole project (see ``cann_project``).
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import stat
import sys
from pathlib import Path

PROJECT = Path(__file__).parents[2]


def write_cann(
    home: Path,
    *,
    style: str = "npu-arch",
    soc: str = "Ascend 910B1",
    version: str = "8.3.RC1",
    wrapped: bool = False,
    simulator: str = "",
) -> Path:
    """Write the installation below ``home``; returns the folder with ``npu-smi`` for ``PATH``."""
    compilers = home / f"{platform.machine()}-linux/ccec_compiler/bin"
    for folder in (compilers, home / "bin", home / "compiler/tikcpp/tikcfw", home / "include"):
        folder.mkdir(parents=True, exist_ok=True)
    (home / f"{platform.machine()}-linux/ascend_toolkit_install.info").write_text(
        f"package_name=x\nversion={version}\n"
    )
    (home / "fake.json").write_text(json.dumps({"style": style, "soc": soc, "wrapped": wrapped}))
    _program(compilers / "bisheng", "bisheng", home)
    _program(home / "bin/msprof", "msprof", home)
    if simulator:
        (home / "tools/simulator" / simulator / "lib").mkdir(parents=True, exist_ok=True)
    packages = home / "python/site-packages"
    (packages / "bin").mkdir(parents=True, exist_ok=True)
    _program(packages / "bin/msopgen", "msopgen", home)
    for module in ("common/utils/op_tiling.py", "common/platform.py"):
        (packages / "tbe" / module).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(PROJECT / "tests/fakes/tbe" / module, packages / "tbe" / module)
    smi = home / "smi"
    smi.mkdir(exist_ok=True)
    _program(smi / "cmake", "cmake", home)
    if soc:
        _program(smi / "npu-smi", "npu_smi", home)
    return smi


def _program(path: Path, function: str, home: Path) -> None:
    module = "cann_project" if function in ("msopgen", "cmake") else "cann_programs"
    # -B: nothing may be written beside the sources. The shebang names the tests' own interpreter.
    path.write_text(
        f"#!{sys.executable} -B\nimport sys\nsys.path.insert(0, {str(PROJECT)!r})\n"
        f"from tests.fakes.{module} import {function}\nsys.exit({function}({str(home)!r}, sys.argv[1:]))\n"
    )
    path.chmod(path.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)


def environment(home: Path, smi: Path) -> dict[str, str]:
    """What ``set_env.sh`` would have exported."""
    return {"ASCEND_HOME_PATH": str(home), "PATH": f"{smi}:{os.environ['PATH']}"}
