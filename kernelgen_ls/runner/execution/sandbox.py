"""Run the programs of a job (compilers, cases, kernels) boxed in, with a budget, and come back whatever they do.

``run`` blocks; tool chains call it from their worker process. What a program prints is kept to its tail, what it
writes is watched, and when it ends everything it started ends too.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from attrs import frozen

from kernelgen_ls.runner.jobs.config import SandboxConfig

if TYPE_CHECKING:
    import pwd

_LAUNCHER = Path(__file__).with_name("sandbox_exec.py")
_TICK_SECONDS = 0.02
_DISK_TICK_SECONDS = 0.2
_PACKAGES = ("site-packages", "dist-packages")
_SYSTEM = (
    *("/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d"),
    *("/etc/alternatives", "/etc/localtime", "/etc/ascend_install.info", "/etc/nsswitch.conf", "/etc/passwd"),
    *("/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/sys/vm", "/proc/sys/kernel", "/sys/devices"),
)

_DRIVER_FILES = ("/dev/davinci_manager", "/dev/devmm_svm", "/dev/hisi_hdc")

PROTECTIONS = ("processes", "network", "files")
"""What isolates a program from this machine, and is required where a configuration says so."""

Ended = Literal["exit", "signal", "timeout", "cancelled", "disk", "processes", "refused"]


@frozen
class Spent:
    """What a program took: seconds of the processors, and the most bytes of memory."""

    cpu_seconds: float = 0.0
    memory_bytes: int = 0


UNMEASURED = Spent()


@frozen
class Finished:
    """How a program ended: ``code`` is its exit status or the signal's number.

    ``output`` is standard output and standard error together, the tail of it where ``truncated``. ``isolation`` names
    the protections that held: ``processes``, ``network``, ``user``, ``files``.
    """

    ended: Ended
    code: int
    output: str
    truncated: bool
    seconds: float
    isolation: tuple[str, ...]
    spent: Spent = UNMEASURED

    @property
    def ok(self) -> bool:
        """Whether it ended by itself with status 0."""
        return self.ended == "exit" and self.code == 0


@contextlib.contextmanager
def job_folder() -> Iterator[Path]:
    """An empty folder for one job; ``run`` hands it to the user that a program runs as. Removed at the end."""
    root = _jobs_root()
    root.mkdir(parents=True, exist_ok=True, mode=0o711)
    if root.lstat().st_uid != os.getuid():
        raise PermissionError(f"{root} belongs to another user; remove it")
    folder = Path(tempfile.mkdtemp(prefix=f"{os.getpid()}-", dir=root))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def worker_folder() -> Path:
    """A folder of this worker's own for as long as it lives; ``remove_orphans`` removes it afterwards."""
    root = _jobs_root()
    root.mkdir(parents=True, exist_ok=True, mode=0o711)
    return Path(tempfile.mkdtemp(prefix=f"{os.getpid()}-", dir=root))


def remove_orphans() -> int:
    """Remove the folders of jobs whose worker process is gone; returns how many."""
    removed = 0
    root = _jobs_root()
    for folder in root.iterdir() if root.is_dir() else ():
        owner = folder.name.partition("-")[0]
        if owner.isdigit() and not Path(f"/proc/{owner}").exists():
            shutil.rmtree(folder, ignore_errors=True)
            removed += 1
    return removed


def run(
    argv: Sequence[str],
    folder: Path,
    *,
    seconds: float,
    config: SandboxConfig,
    cancelled: Callable[[], bool] = lambda: False,
    env: Mapping[str, str] | None = None,
    readable: Sequence[Path] = (),
    devices: Sequence[int] | None = None,
    stdin: bytes = b"",
    where: Path | None = None,
) -> Finished:
    """Run ``argv`` in ``folder`` (or in ``where`` below it), the only place it may write to.

    ``readable`` are folders it may read beside the system's own; ``devices`` are the NPUs whose device files it may
    use (none where it is None). There is no
    network. Everything it started is killed when it ends, when ``seconds`` have passed, when ``cancelled`` says so, or
    when its files outgrow the configuration.
    """
    started = time.monotonic()
    status_read, status_write = os.pipe()
    user = _user(argv[0], config)
    _hand_over(folder, user)
    box = _box(user, folder, config, readable, devices, status_write)
    with tempfile.TemporaryFile() as given:
        given.write(stdin)
        given.seek(0)
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(_LAUNCHER), json.dumps(box), *argv],
            cwd=where or folder,
            env=_environment(folder, env or {}),
            stdin=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=(status_write,),
            start_new_session=True,
        )
    os.close(status_write)
    assert process.stdout is not None
    try:
        tail = _Tail(config.output_bytes)
        ended = _watch(process, tail, folder, started + seconds, config, cancelled)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
    with os.fdopen(status_read, "r") as status:
        said = dict(line.rstrip("\n").partition(" ")[::2] for line in status)
    isolation = tuple(said.get("isolation", "").split())
    elapsed = time.monotonic() - started
    output = tail.text()
    if ended is not None:
        return Finished(ended, 0, output, tail.truncated, elapsed, isolation)
    if "refused" in said:
        message = f"this machine cannot isolate a job's {said['refused']}, which the runner's configuration requires"
        return Finished("refused", 0, message, False, elapsed, isolation)
    how: Ended = "signal" if "signal" in said else "exit"
    cpu, _, memory = said.get("spent", "0 0").partition(" ")
    spent = Spent(float(cpu), int(memory))
    return Finished(how, int(said.get(how, "1")), output, tail.truncated, elapsed, isolation, spent)


class _Tail:
    """The last bytes of a stream."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._data = bytearray()
        self.truncated = False

    def add(self, data: bytes) -> None:
        self._data += data
        if len(self._data) > 2 * self._size:
            self.truncated = True
            del self._data[: -self._size]

    def text(self) -> str:
        if len(self._data) > self._size:
            self.truncated = True
            del self._data[: -self._size]
        return self._data.decode("utf-8", "replace")


def _watch(
    process: subprocess.Popen[bytes],
    tail: _Tail,
    folder: Path,
    deadline: float,
    config: SandboxConfig,
    cancelled: Callable[[], bool],
) -> Ended | None:
    """Read until the program has ended; the reason where it has to be ended."""
    assert process.stdout is not None
    os.set_blocking(process.stdout.fileno(), False)
    next_look = time.monotonic() + _DISK_TICK_SECONDS
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        open_ = True
        while True:
            if open_ and selector.select(_TICK_SECONDS):
                data = process.stdout.read(65536)
                open_ = bool(data) or data is None
                tail.add(data or b"")
            elif process.poll() is not None:
                return None
            elif not open_:
                time.sleep(_TICK_SECONDS)
            now = time.monotonic()
            if cancelled():
                return "cancelled"
            if now > deadline:
                return "timeout"
            if now > next_look:
                if _size(folder, config.file_bytes) > config.file_bytes:
                    return "disk"
                if _processes_in_box(process.pid) > config.processes:
                    return "processes"
                next_look = now + _DISK_TICK_SECONDS


def _processes_in_box(launcher: int) -> int:
    """How many processes there are in the box's PID namespace; 0 where it has none.

    The kernel's own limit does not hold for root, as which a program runs that only root can reach.
    """
    with contextlib.suppress(OSError):
        box = Path(f"/proc/{launcher}/ns/pid_for_children").readlink()
        if box == Path("/proc/self/ns/pid").readlink():
            return 0
        name = str(box)
        count = 0
        for entry in os.scandir("/proc"):
            if entry.name.isdigit():
                with contextlib.suppress(OSError):
                    count += os.readlink(f"{entry.path}/ns/pid") == name  # noqa: PTH115 - a look at every process
        return count
    return 0


def _size(folder: Path, enough: int) -> int:
    """Bytes in ``folder``; stops counting beyond ``enough`` (a hundred thousand files count as that much too)."""
    total = files = 0
    for root, _, names in os.walk(folder):
        for name in names:
            files += 1
            with contextlib.suppress(OSError):
                total += os.lstat(os.path.join(root, name)).st_size  # noqa: PTH118 - a walk over many files
            if total > enough or files > 100_000:
                return enough + 1
    return total


def _box(
    user: pwd.struct_passwd | None,
    folder: Path,
    config: SandboxConfig,
    readable: Sequence[Path],
    devices: Sequence[int] | None,
    status: int,
) -> dict[str, object]:
    python = {Path(sys.prefix), Path(sys.base_prefix), Path(sys.executable).resolve().parent.parent}
    python |= {Path(place) for place in sys.path if Path(place).name in _PACKAGES}  # those that a .pth file adds too
    read = [*_SYSTEM, *map(str, python), *map(str, readable), *config.readable]
    return {
        "uid": user.pw_uid if user else None,
        "gid": user.pw_gid if user else None,
        "groups": os.getgrouplist(user.pw_name, user.pw_gid) if user else [],
        "limits": {
            "AS": config.memory_bytes,
            "CORE": 0,
            "FSIZE": config.file_bytes,
            "NOFILE": 1024,
            "NPROC": config.processes if user else _own_processes() + config.processes,
        },
        "writable": [str(folder)],
        "readable": read,
        "devices": [] if devices is None else device_files(devices),
        "network": False,
        "namespaces": True,
        "required": list(PROTECTIONS) if config.required else [],
        "status_fd": status,
    }


def device_files(numbers: Sequence[int]) -> list[str]:
    """The driver's files for some NPUs, as the driver's documents name them: each device's own and the common ones."""
    return [*(f"/dev/davinci{number}" for number in numbers), *_DRIVER_FILES]


def _user(program: str, config: SandboxConfig) -> pwd.struct_passwd | None:
    """Whom ``program`` runs as where this is root; None: whoever this is.

    A program that only root can reach runs as root, without any capability and behind the same rules.
    """
    if os.getuid() != 0 or not _reachable_by_all(program):
        return None
    import pwd  # Unix only

    if config.user:
        return pwd.getpwnam(config.user)
    with contextlib.suppress(KeyError):  # a system without ``nobody``
        return pwd.getpwnam("nobody")
    return None


def _hand_over(folder: Path, user: pwd.struct_passwd | None) -> None:
    if os.getuid() == 0:
        uid, gid = (user.pw_uid, user.pw_gid) if user else (0, 0)
        for root, folders, files in os.walk(folder):
            for name in [root, *(f"{root}/{each}" for each in [*folders, *files])]:
                os.chown(name, uid, gid, follow_symlinks=False)


def _reachable_by_all(program: str) -> bool:
    path = shutil.which(program)
    if path is None:
        return True
    real = Path(path).resolve()
    return all(part.stat().st_mode & 0o001 for part in [real, *real.parents, *Path(path).absolute().parents])


def _own_processes() -> int:
    """How many tasks this user runs already: the kernel counts them all against the limit."""
    mine = os.getuid()
    count = 0
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                if entry.stat().st_uid == mine:
                    count += len(os.listdir(f"{entry.path}/task"))  # noqa: PTH208 - a look at every process
    return count


def _environment(folder: Path, env: Mapping[str, str]) -> dict[str, str]:
    """No more of the runner's own environment than its search path: no token, no agent, no home."""
    base = {"PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8", "HOME": str(folder), "TMPDIR": str(folder)}
    return {**base, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", **env}


def _jobs_root() -> Path:
    return Path(tempfile.gettempdir()) / f"kernelgen-jobs-{os.getuid()}"
