"""The runners of the user's settings: by name, several machines under one name, the least loaded first.

Settings say where runners are; only the user's own configuration may (``settings.RunnerSettings``). What takes jobs is
``JobRunner``, so that a farm behind another engine can stand where a single machine stands.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol, TypeVar

from kernelgen_ls.kernel.chips import find_chip
from kernelgen_ls.runner.client.client import OnStage, RunnerClient, RunnerLoad, RunnerStatus, local_runner
from kernelgen_ls.runner.client.transports import SshAddress, TlsAddress, open_ssh, open_tls
from kernelgen_ls.runner.jobs.kinds import JobKind, kind_of
from kernelgen_ls.runner.jobs.messages import Job, JobResult, Outcome
from kernelgen_ls.settings import RunnerSettings, RunnersSettings, Transport

DEFAULT_PORT = 7420
"""Where a listening runner is looked for when the settings name no port."""

TWIN = "twin"
"""The runner on this machine that runs kernels on its processor; no setting has to name it."""

_BUILT_IN = {"local", TWIN}

_ASK_SECONDS = 3.0
"""How long several runners of one name are asked how busy they are; who says nothing is taken last."""

_GRACE_SECONDS = 0.1
"""How long a check waits for the others once one that is free has answered."""

_KNOWN_SECONDS = 5.0
"""How long what a runner said, or that it said nothing, holds for further checks; a job on a device asks afresh."""

OnStatus = Callable[[RunnerStatus], None]
R = TypeVar("R", bound=JobResult)


class JobRunner(Protocol):
    """Whatever takes jobs: one machine, several under one name, or a farm."""

    async def run(self, job: Job[R], on_stage: OnStage | None = None) -> R:
        """The job's answer; never raises for a runner's failure."""
        ...

    async def close(self) -> None:
        """End every connection."""
        ...


def runner_client(settings: RunnerSettings, on_status: OnStatus | None = None) -> RunnerClient:
    """The client of one configured runner; it connects with its first request."""
    name = settings.name or settings.host or "local"
    if settings.transport is Transport.LOCAL:
        # Whatever this machine has: CANN where it is installed, the embedded checker elsewhere.
        chosen = ["--toolchain", TWIN] if settings.name == TWIN else []
        command = [sys.executable, "-m", "kernelgen_ls", "runner", "--stdio", *chosen]
        return local_runner(argv=command, on_status=on_status)
    if settings.transport is Transport.SSH:
        options = ("-p", str(settings.port)) if settings.port else ()
        ssh = SshAddress(settings.host, settings.program, options)
        return RunnerClient(name, lambda: open_ssh(ssh), on_status=on_status, keep_connected=True)
    tls = TlsAddress(
        settings.host,
        settings.port or DEFAULT_PORT,
        _path(settings.authority),
        _path(settings.certificate),
        _path(settings.key),
        None,
        settings.token_command,
    )
    return RunnerClient(name, lambda: open_tls(tls), on_status=on_status, keep_connected=True)


class PooledRunner:
    """Several runners under one name. A job goes to the least loaded of those that have the chip it asks for.

    One that cannot be reached is passed over while another can.
    """

    def __init__(self, members: list[tuple[RunnerSettings, RunnerClient]]) -> None:
        self._members = members
        self._load = {id(client): 0 for _, client in members}
        self._said: dict[int, tuple[float, RunnerLoad | None]] = {}

    async def run(self, job: Job[R], on_stage: OnStage | None = None) -> R:
        """The answer of the least loaded runner; an INFRA_ERROR where none has the chip or answers."""
        kind = kind_of(job)
        client = await self._choose(kind, job.chip)
        if client is None:
            return kind.failed(Outcome.INFRA_ERROR, self._none(job.chip), version=job.version)
        with _Loaded(self._load, client):
            return await client.run(job, on_stage)

    async def close(self) -> None:
        """End every connection."""
        await asyncio.gather(*(client.close() for _, client in self._members))

    async def _choose(self, kind: JobKind[R], chip: str) -> RunnerClient | None:
        """Whom to ask: by the settings' chips, then by what each says of itself; None where no chip fits."""
        fitting = [client for settings, client in self._members if _has_chip(settings.soc, chip)]
        if len(fitting) < 2:
            return next(iter(fitting), None)
        loads = await self._loads(fitting, kind)
        ranked = []
        for number, (client, load) in enumerate(zip(fitting, loads, strict=True)):
            if load is not None and kind.device and not _has_chip(load.soc, chip):
                continue
            # Its own word counts what others sent; ours what is on its way there.
            jobs = max(self._load[id(client)], load.jobs if load else 0) / (load.workers if load else 1)
            ranked.append((load is None, jobs, number, client))
        return min(ranked, key=lambda item: item[:3])[3] if ranked else None

    async def _loads(self, clients: list[RunnerClient], kind: JobKind[R]) -> list[RunnerLoad | None]:
        """What each says of itself; None of one that said nothing in time.

        For a check, which is short, what was known a moment ago will do, and who is slow is not waited for.
        """
        fresh, now = kind.device, time.monotonic()
        known = {} if fresh else {key: load for key, (at, load) in self._said.items() if now - at < _KNOWN_SECONDS}
        asking = {id(one): asyncio.create_task(one.load(kind.name)) for one in clients if id(one) not in known}
        try:
            await _answers(
                set(asking.values()), _ASK_SECONDS if fresh else _GRACE_SECONDS, have=any(map(_is_free, known.values()))
            )
            for key, task in asking.items():
                known[key] = _answer(task)
                self._said[key] = (time.monotonic(), known[key])
        finally:
            for task in asking.values():
                task.cancel()
        return [known[id(client)] for client in clients]

    def _none(self, chip: str) -> str:
        return f"no runner called {self._members[0][0].name!r} has a {chip}; they have other chips"


async def _answers(asked: set[asyncio.Task[RunnerLoad | None]], grace: float, *, have: bool) -> None:
    """Wait until all have answered, or ``grace`` has passed since there is one that can start the job at once.

    ``have`` tells that there is one already, among those that need not be asked.
    """
    until = time.monotonic() + (grace if have else _ASK_SECONDS)
    waiting = asked
    while waiting and (left := until - time.monotonic()) > 0:
        done, waiting = await asyncio.wait(waiting, timeout=left, return_when=asyncio.FIRST_COMPLETED)
        if not have and any(_is_free(_answer(task)) for task in done):
            have, until = True, min(until, time.monotonic() + grace)


def _is_free(load: RunnerLoad | None) -> bool:
    return load is not None and load.jobs < load.workers


def _answer(task: asyncio.Task[RunnerLoad | None]) -> RunnerLoad | None:
    """What a runner said; None where it has said nothing yet."""
    return task.result() if task.done() else None


class _Loaded:
    def __init__(self, load: dict[int, int], client: RunnerClient) -> None:
        self._load, self._key = load, id(client)

    def __enter__(self) -> None:
        self._load[self._key] += 1

    def __exit__(self, *_: object) -> None:
        self._load[self._key] -= 1


class Fleet:
    """All runners of the settings, each found by its name."""

    def __init__(self, settings: RunnersSettings, on_status: OnStatus | None = None) -> None:
        self._settings = settings
        self._on_status = on_status
        self._made: dict[str, PooledRunner] = {}

    def named(self, name: str) -> PooledRunner:
        """The runner, or runners, called ``name``. Raises KeyError with the names that there are."""
        if name not in self._made:
            members = [settings for settings in self._settings.pool if settings.name == name]
            if not members and name in _BUILT_IN:
                members = [RunnerSettings(name=name)]
            if not members:
                known = ", ".join(sorted({s.name for s in self._settings.pool} | _BUILT_IN))
                raise KeyError(f"the settings have no runner called {name!r}; there are: {known}")
            self._made[name] = PooledRunner([(member, runner_client(member, self._on_status)) for member in members])
        return self._made[name]

    async def close(self) -> None:
        """End every connection."""
        await asyncio.gather(*(runner.close() for runner in self._made.values()))


def _has_chip(soc: str, wanted: str) -> bool:
    if not soc:
        return True
    mine, theirs = find_chip(soc), find_chip(wanted)
    return soc == wanted if mine is None or theirs is None else mine.architecture is theirs.architecture


def _path(text: str) -> Path | None:
    return Path(text).expanduser() if text else None
