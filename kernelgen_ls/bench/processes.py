"""What the system says of a process (Linux): its memory and its processor time."""

from __future__ import annotations

import os
from pathlib import Path


def memory_mb(pid: int, field: str) -> float:
    """A process' memory in MiB from the kernel's own account (``VmRSS`` now, ``VmHWM`` at most); 0 elsewhere."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return 0.0
    sizes = [int(line.split()[1]) for line in lines if line.startswith(field + ":")]
    return round(sizes[0] / 1024, 1) if sizes else 0.0


def cpu_seconds(pid: int | None) -> float:
    """A process' processor time so far, all threads; 0 where there is none or the system does not say."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
