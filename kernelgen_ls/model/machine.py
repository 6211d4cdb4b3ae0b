"""What this machine has: cores that compute, memory that is free."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path


def physical_cores() -> int:
    """Cores this process may use, hyper-threads counted once, within a container's quota: the best thread count."""
    if sys.platform == "darwin":
        return _sysctl("hw.perflevel0.physicalcpu") or _sysctl("hw.physicalcpu") or os.cpu_count() or 1
    usable = _usable_cpus()
    siblings = {_first_sibling(cpu) for cpu in usable}
    return max(1, min(len(siblings), _quota() or len(siblings)))


def _usable_cpus() -> Iterable[int]:
    if hasattr(os, "sched_getaffinity"):
        return os.sched_getaffinity(0)
    return range(os.cpu_count() or 1)


def _first_sibling(cpu: int) -> int:
    listed = _read(Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list"))
    first = listed.replace("-", ",").partition(",")[0]
    return int(first) if first.isdecimal() else cpu


def _quota() -> int:
    quota, _, period = _read(Path("/sys/fs/cgroup/cpu.max")).partition(" ")
    if not (quota.isdecimal() and period.isdecimal() and int(period)):
        return 0
    return max(1, round(int(quota) / int(period)))


def available_memory() -> int:
    """Bytes that can be taken without swapping, within a container's limit; 0 where the system does not say."""
    if sys.platform == "darwin":
        return _sysctl("hw.memsize") // 2
    free = 0
    for line in _read(Path("/proc/meminfo")).splitlines():
        if line.startswith("MemAvailable:"):
            free = int(line.split()[1]) * 1024
    limit, used = (_read(Path(f"/sys/fs/cgroup/memory.{name}")) for name in ("max", "current"))
    if limit.isdecimal() and used.isdecimal():
        free = min(free, max(0, int(limit) - int(used)))
    return free


def resident_memory() -> int:
    """Resident bytes of this process; 0 where the system does not say."""
    fields = _read(Path("/proc/self/statm")).split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE") if len(fields) > 1 else 0


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""


def _sysctl(name: str) -> int:
    try:
        answer = subprocess.run(["sysctl", "-n", name], capture_output=True, text=True, timeout=5, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return 0
    return int(answer) if answer.strip().isdecimal() else 0
