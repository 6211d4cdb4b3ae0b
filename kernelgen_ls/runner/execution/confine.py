"""Keeping a worker that parses strangers' sources to what it needs: an ``#include`` of any file must not read it.

The embedded checker runs in the worker itself, not in a box of its own. Where strangers are served, the worker gives
up reading everything but the interpreter, its packages and the system's libraries, for good (Landlock).
"""

from __future__ import annotations

import logging
import os
import site
import sys
import tempfile
from pathlib import Path

import kernelgen_ls
from kernelgen_ls.runner.execution import sandbox_exec
from kernelgen_ls.runner.execution.sandbox import worker_folder

log = logging.getLogger(__name__)

_SYSTEM = ("/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/localtime", "/proc/self", "/proc/meminfo")


def confine() -> bool:
    """Give up what is not needed, in this thread and all it will start; False on a system that cannot do that."""
    folder = worker_folder()
    os.environ["TMPDIR"] = str(folder)
    tempfile.tempdir = str(folder)
    packages = [*site.getsitepackages(), site.getusersitepackages(), str(Path(kernelgen_ls.__file__).parent)]
    python = [sys.prefix, sys.base_prefix, str(Path(sys.executable).resolve().parent.parent)]
    held = sandbox_exec.landlock([str(folder)], [*_SYSTEM, *python, *packages], [])
    if not held:
        log.warning("this system has no Landlock: a kernel that includes a file of this machine can read it")
    return bool(held)
