"""What jobs' programs can do, and what they cannot, with real programs."""

from __future__ import annotations

import os
import socket
import sys
import tempfile
import textwrap
import time
from pathlib import Path

import psutil
import pytest
from attrs import evolve

from kernelgen_ls.runner.execution import sandbox
from kernelgen_ls.runner.execution.sandbox import Finished, job_folder
from kernelgen_ls.runner.jobs.config import SandboxConfig

CONFIG = SandboxConfig(memory_bytes=2 * 1024**3, file_bytes=3_000_000, processes=30, output_bytes=1000)


def python(program: str, *, seconds: float = 120, config: SandboxConfig = CONFIG, interpreter: str = "") -> Finished:
    with job_folder() as folder:
        argv = [interpreter or sys.executable, "-I", "-c", textwrap.dedent(program)]
        return sandbox.run(argv, folder, seconds=seconds, config=config)


def test_a_program_runs_and_its_output_and_status_come_back() -> None:
    done = python("import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)")
    assert (done.ended, done.code, done.ok) == ("exit", 3, False)
    assert sorted(done.output.split()) == ["err", "out"]
    assert python("open('f', 'w').write('x'); print(open('f').read())").output == "x\n"


def test_a_signal_is_told_apart_from_a_status() -> None:
    done = python("import os; os.abort()")
    assert (done.ended, done.code) == ("signal", 6)


def test_everything_is_isolated_where_the_system_can() -> None:
    assert {"processes", "network", "files"} <= set(python("pass").isolation)


@pytest.mark.parametrize("path", ["/etc/shadow", "/root/.bashrc", "/home", "/tmp", str(Path(__file__).parent)])
def test_what_is_not_the_jobs_cannot_be_read(path: str) -> None:
    done = python(f"import os; print(os.listdir({path!r}) if os.path.isdir({path!r}) else open({path!r}).read())")
    assert done.code == 1 and ("PermissionError" in done.output or "FileNotFoundError" in done.output)


def test_packages_that_another_environment_lends_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    with tempfile.TemporaryDirectory() as lent:
        place = Path(lent, "site-packages")
        place.mkdir()
        (place / "lent.py").write_text("NAME = 'lent'")
        Path(lent).chmod(0o755)
        program = f"import sys; sys.path.append({str(place)!r}); import lent; print(lent.NAME)"
        assert "ModuleNotFoundError" in python(program).output
        monkeypatch.setattr(sys, "path", [*sys.path, str(place)])
        assert python(program).output == "lent\n"


@pytest.mark.parametrize("path", ["/tmp/kernelgen-escape", "/dev/shm/kernelgen-escape", "../kernelgen-escape"])
def test_nothing_is_written_outside_the_jobs_folder(path: str) -> None:
    done = python(f"open({path!r}, 'w').write('x')")
    assert done.code == 1 and "PermissionError" in done.output
    assert not Path(path).exists()


def test_links_do_not_lead_out() -> None:
    done = python("import os; os.symlink('/etc/shadow', 'link'); print(open('link').read())")
    assert done.code == 1 and "PermissionError" in done.output


def test_there_is_no_network_not_even_this_machine() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        done = python(f"import socket; socket.create_connection(('127.0.0.1', {port}), 2)")
    assert done.code == 1 and ("Network is unreachable" in done.output or "refused" in done.output)


class Clock:
    """The sandbox's ``time``: an hour passes once a program in a job's folder has written ``started``."""

    sleep = staticmethod(time.sleep)

    def monotonic(self) -> float:
        started = any(sandbox._jobs_root().glob(f"{os.getpid()}-*/started"))
        return time.monotonic() + (3600 if started else 0)


def test_a_program_that_sleeps_for_ever_is_ended_with_all_it_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "time", Clock())
    mark = f"kernelgen-{os.getpid()}-sleeper"
    program = f"""
        import os, sys, time
        if os.fork() == 0:
            os.setsid()
            os.execv({sys.executable!r}, [{sys.executable!r}, "-c", "import time; time.sleep(3600)", {mark!r}])
        print("started", flush=True)
        open("started", "w").close()
        time.sleep(3600)
    """
    done = python(program, seconds=600)
    assert done.ended == "timeout" and done.output == "started\n"
    wait_for_the_end_of(mark)


def test_what_a_program_leaves_behind_ends_with_it() -> None:
    mark = f"kernelgen-{os.getpid()}-left"
    program = f"""
        import os
        if os.fork() == 0:
            os.setsid()
            os.execv({sys.executable!r}, [{sys.executable!r}, "-c", "import time; time.sleep(3600)", {mark!r}])
    """
    assert python(program).ok
    wait_for_the_end_of(mark)


def wait_for_the_end_of(mark: str) -> None:
    """Returns once no process has ``mark`` among its arguments; fails after a minute."""
    until = time.monotonic() + 60
    while _running(mark):
        assert time.monotonic() < until, "it still runs"
        time.sleep(0.02)


def _running(mark: str) -> bool:
    return any(mark in (process.info["cmdline"] or ()) for process in psutil.process_iter(["cmdline"]))


def test_a_program_that_prints_without_end_is_kept_to_its_tail() -> None:
    done = python("import sys\nfor _ in range(1000): sys.stdout.write('x' * 100_000)\nprint('the end')")
    assert done.ok and done.truncated
    assert len(done.output) <= 1000 and done.output.endswith("the end\n")


def test_a_program_that_fills_the_disk_is_stopped() -> None:
    one_file = python("open('f', 'wb').write(b'x' * 10_000_000)")
    assert not one_file.ok and ("File too large" in one_file.output or one_file.code == 25)
    many = python("import time\nfor n in range(10000): open(f'{n}', 'wb').write(b'x' * 500_000); time.sleep(0.01)")
    assert many.ended == "disk"


def test_a_program_that_forks_without_end_is_limited() -> None:
    program = """
        import os, time
        made = 0
        try:
            while made < 2000:
                if os.fork() == 0:
                    time.sleep(3600)
                made += 1
        except OSError as problem:
            print("refused", made, problem.strerror)
    """
    done = python(program, interpreter="/usr/bin/python3")
    assert done.ok and done.output.startswith("refused") and int(done.output.split()[1]) <= 60


def test_forking_without_end_is_stopped_for_root_too() -> None:
    """The kernel's limit on processes does not hold for root; who runs as root here, since only root can reach it."""
    program = """
        import os, time
        while True:
            try:
                os.fork()
            except OSError:
                time.sleep(0.1)
    """
    done = python(program, seconds=60)
    assert done.ended == "processes" or not done.ok
    assert done.ended != "timeout" or os.getuid() != 0


def test_a_program_that_eats_memory_is_limited() -> None:
    done = python("x = bytearray(4 * 1024**3)")
    assert done.code == 1 and "MemoryError" in done.output


def test_the_runners_environment_stays_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "hush")
    assert "hush" not in python("import os; print(dict(os.environ))").output


def test_cancelling_ends_the_program() -> None:
    with job_folder() as folder:
        argv = [sys.executable, "-c", "import time; open('started', 'w').close(); time.sleep(3600)"]
        done = sandbox.run(argv, folder, seconds=600, config=CONFIG, cancelled=(folder / "started").exists)
    assert done.ended == "cancelled"


def test_a_program_that_is_not_there_says_so() -> None:
    with job_folder() as folder:
        done = sandbox.run(["/nowhere/bisheng"], folder, seconds=5, config=CONFIG)
    assert (done.code, done.output) == (127, "/nowhere/bisheng: No such file or directory\n")


def test_isolation_can_be_required(monkeypatch: pytest.MonkeyPatch) -> None:
    box = sandbox._box
    monkeypatch.setattr(sandbox, "_box", lambda *a: {**box(*a), "namespaces": False})
    assert python("pass").ok
    refused = python("pass", config=evolve(CONFIG, required=True))
    assert refused.ended == "refused" and "network" in refused.output


def test_folders_of_dead_workers_are_removed_and_those_of_living_ones_kept() -> None:
    with job_folder() as mine:
        dead = mine.parent / "999999999-dead"
        dead.mkdir()
        assert sandbox.remove_orphans() >= 1
        assert mine.exists() and not dead.exists()
    assert not mine.exists()
