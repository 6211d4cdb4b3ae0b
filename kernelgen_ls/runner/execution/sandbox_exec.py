"""Run a program in a box: ``python -I -S sandbox_exec.py JSON ARG...``. Stands alone, so that it starts in no time.

In this order, each where the kernel allows it: new PID, network, IPC and mount namespaces (through a user namespace
where this is not root), resource limits, an unprivileged user, no new privileges, Landlock rules that leave the
file system read-only outside the job's folder and most of it unreadable. The last word on descriptor ``status_fd`` is
``exit N`` or ``signal N``; before it, ``isolation WORD...`` says which protections hold, and ``spent SECONDS BYTES``
what the program and those it waited for took of the processors, and the most memory that one of them had.

The kernel's numbers (system calls, access rights, namespaces) are from Linux' user-space headers.
"""

import ctypes
import json
import os
import resource
import signal
import sys
from typing import Any

CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = (
    0x00020000,
    0x08000000,
    0x10000000,
    0x20000000,
    0x40000000,
)
PR_SET_PDEATHSIG, PR_CAPBSET_DROP, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 24, 36, 38
LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT = 444, 445, 446
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, TRUNCATE = 1, 2, 4, 8, 1 << 14

Box = dict[str, Any]
libc = ctypes.CDLL(None, use_errno=True)


class RulesetAttr(ctypes.Structure):
    """``struct landlock_ruleset_attr``."""

    _fields_ = [("fs", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64)]


class PathBeneathAttr(ctypes.Structure):
    """``struct landlock_path_beneath_attr``."""

    _pack_ = 1
    _layout_ = "ms"
    _fields_ = [("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32)]


def unshare(network: bool) -> list[str]:
    """Leave the namespaces; returns which are new."""
    user, group = os.getuid(), os.getgid()
    wanted = CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWNS | (0 if network else CLONE_NEWNET)
    if user != 0:
        wanted |= CLONE_NEWUSER
    if libc.unshare(wanted) != 0:
        return []
    if user != 0:
        for name, text in [("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")]:
            with open(f"/proc/self/{name}", "w") as file:  # noqa: PTH123 - pathlib is slow to import
                file.write(text)
    return ["processes"] + ([] if network else ["network"])


def landlock(writable: list[str], readable: list[str], devices: list[str]) -> list[str]:
    """Deny what the lists do not allow; returns the word for it, or nothing on a kernel without Landlock."""
    abi = libc.syscall(LANDLOCK_CREATE, None, 0, 1)
    if abi < 1:
        return []
    every = (1 << 13) - 1
    every |= (1 << 13 if abi >= 2 else 0) | (TRUNCATE if abi >= 3 else 0)
    attr = RulesetAttr(every, 0, 3 if abi >= 6 else 0)
    size = 8 if abi < 4 else 16 if abi < 6 else 24
    ruleset = libc.syscall(LANDLOCK_CREATE, ctypes.byref(attr), size, 0)
    if ruleset < 0:
        return []
    files = EXECUTE | WRITE_FILE | READ_FILE | (TRUNCATE if abi >= 3 else 0)
    look = EXECUTE | READ_FILE | READ_DIR
    rules = [(path, look) for path in readable] + [(path, every) for path in writable]
    rules += [(path, READ_FILE | WRITE_FILE) for path in ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")]
    if devices:
        rules += [*((path, every) for path in devices), ("/proc", look), ("/sys", look)]
    for path, allowed in rules:
        try:
            parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            continue
        if not os.path.isdir(path):  # noqa: PTH112 - pathlib is slow to import
            allowed &= files
        rule = PathBeneathAttr(allowed, parent)
        libc.syscall(LANDLOCK_ADD, ruleset, 1, ctypes.byref(rule), 0)
        os.close(parent)
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if libc.syscall(LANDLOCK_RESTRICT, ruleset, 0) != 0:
        return []
    os.close(ruleset)
    return ["files"]


def enter(box: Box, argv: list[str], isolation: list[str]) -> None:
    """In the program's own process: limits, user, rules, and the program itself."""
    for name, value in box["limits"].items():
        number = getattr(resource, f"RLIMIT_{name}")
        hard = resource.getrlimit(number)[1]
        if hard != resource.RLIM_INFINITY:
            value = min(value, hard)
        resource.setrlimit(number, (value, value))
    for capability in range(64):
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    if box["uid"] is not None:
        os.setgroups(box["groups"])
        os.setgid(box["gid"])
        os.setuid(box["uid"])
        isolation.append("user")
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    isolation += landlock(box["writable"], box["readable"], box["devices"])
    missing = [word for word in box["required"] if word not in isolation]
    os.write(box["status_fd"], f"isolation {' '.join(isolation)}\n".encode())
    if missing:
        os.write(box["status_fd"], f"refused {' '.join(missing)}\n".encode())
        os._exit(126)
    os.close(box["status_fd"])
    try:
        os.execvpe(argv[0], argv, os.environ)  # noqa: S606 - there is no shell here on purpose
    except OSError as problem:
        os.write(2, f"{argv[0]}: {problem.strerror}\n".encode())
        os._exit(127)


def keep_house(box: Box, argv: list[str], isolation: list[str]) -> None:
    """Be process 1 of the box: start the program, say how it ended, and end whatever it left behind.

    The program itself is not process 1, for which signals such as abort's would not count.
    """
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    program = os.fork()
    if program == 0:
        enter(box, argv, isolation)
    while True:
        ended, status = os.wait()
        if ended == program:
            break
    how = f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"exit {os.WEXITSTATUS(status)}"
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    memory = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)  # in KiB elsewhere
    os.write(box["status_fd"], f"spent {used.ru_utime + used.ru_stime:.3f} {memory}\n{how}\n".encode())
    if "processes" not in isolation:
        kill_children()
    os._exit(0)


def kill_children() -> None:
    """Without a PID namespace: kill what was left behind, until nothing is."""
    for _ in range(100):
        with open(f"/proc/self/task/{os.getpid()}/children") as file:  # noqa: PTH123 - pathlib is slow to import
            left = file.read().split()
        if not left:
            return
        for child in left:
            os.kill(int(child), signal.SIGKILL)  # ours and not waited for yet, so it is still there
            os.waitpid(int(child), 0)


def stand_back() -> None:
    """Give this session the niceness that its process inherited: Linux may schedule sessions against each other."""
    nice = os.getpriority(os.PRIO_PROCESS, 0)
    if nice > 0:
        try:
            with open("/proc/self/autogroup", "w") as file:  # noqa: PTH123 - pathlib is slow to import
                file.write(f"{nice}\n")
        except OSError:
            return  # a kernel without groups by session


def main() -> None:
    """Box the program, wait for it."""
    box, argv = json.loads(sys.argv[1]), sys.argv[2:]
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    stand_back()
    try:
        isolation = unshare(box["network"]) if box["namespaces"] else []
    except OSError:
        isolation = []
    first = os.fork()
    if first == 0:
        keep_house(box, argv, isolation)
    os.waitpid(first, 0)


if __name__ == "__main__":
    main()
