"""One job at a time on a device, whoever runs it."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from kernelgen_ls.runner.execution.devices import DeviceBusyError, device

HOLDER = """
import sys
from kernelgen_ls.runner.execution.devices import device
with device([int(sys.argv[1])], 5, lambda: False, lambda: None) as number:
    print(number, flush=True)
    sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def own_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))


def never() -> bool:
    return False


def test_another_process_waits_and_a_dead_one_gives_the_device_back() -> None:
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, "7"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"7\n"
    waited: list[str] = []
    with pytest.raises(DeviceBusyError, match="no device"), device([7], 0.1, never, lambda: waited.append("waiting")):
        pass
    assert waited == ["waiting"]
    with device([7, 8], 5, never, lambda: None) as other:
        assert other == 8
    holder.kill()
    holder.communicate()
    with device([7], 5, never, lambda: None) as mine:
        assert mine == 7


def test_waiting_ends_when_the_job_is_cancelled() -> None:
    waiting = device([3], 60, lambda: True, lambda: None)
    with device([3], 5, never, lambda: None), pytest.raises(DeviceBusyError, match="cancelled"), waiting:
        pass


def test_a_link_in_the_locks_place_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "victim").write_text("")
    (tmp_path / "kernelgen-device-5.lock").symlink_to(tmp_path / "victim")
    with pytest.raises(OSError, match="symbolic"), device([5], 1, never, lambda: None):
        pass
