"""Ask a runner, wherever it is; a runner's failure is an outcome, never an exception.

:func:`local_runner` keeps a child process: started at the first request, started again after it died. A request that
met a dying runner is answered with ``infra_error`` and not repeated, since it may be what killed it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from enum import Enum
from pathlib import Path
from typing import Any, Protocol, TypeVar

from attrs import evolve, field, frozen

from kernelgen_ls import folders
from kernelgen_ls.rpc import Child, Connection, ErrorCode, RpcError, send_blobs, spawn
from kernelgen_ls.rpc.wire import from_wire, to_wire
from kernelgen_ls.runner.jobs.kinds import JobKind, kind_of
from kernelgen_ls.runner.jobs.messages import (
    NOBODY,
    Job,
    JobResult,
    JobStage,
    Outcome,
    SourceFile,
    StageReport,
    ToolchainInfo,
)
from kernelgen_ls.runner.jobs.request_files import text_hash

log = logging.getLogger(__name__)

OnStage = Callable[[StageReport], None]
R = TypeVar("R", bound=JobResult)

_INLINE_BYTES = 4 * 1024 * 1024
"""Texts that the runner lacks travel inside the request up to this much together, and as blobs beyond."""
_INFO_SECONDS = 150.0
"""A runner answers its first call only when its compiler has been probed."""
_PATIENCE_SECONDS = 2.0
"""A request waits this long for the next try to connect; where that is further away it is answered at once."""
_SETTLED_SECONDS = 10.0
"""A runner that lived this long was well: the waiting between tries starts from the beginning."""
_FILES = 20_000
_HASHES_REMEMBERED = 100_000


class RunnerState(str, Enum):
    """Where a client stands with its runner."""

    IDLE = "idle"
    """Not asked for yet; it starts with the first request."""
    CONNECTING = "connecting"
    CONNECTED = "connected"
    UNREACHABLE = "unreachable"
    CLOSED = "closed"


@frozen
class RunnerStatus:
    """What to tell the user of a runner: ``reason`` says what is wrong, ``advice`` what to do about it."""

    name: str
    state: RunnerState
    reason: str = ""
    advice: str = ""
    info: dict[str, Any] = field(factory=dict)
    """What the runner said of itself when it was reached (``version``, ``toolchain``, ``workers``...)."""


@frozen
class RunnerLoad:
    """How busy a runner is: its jobs, running and waiting, how many it runs at a time, and its device's SoC."""

    jobs: int
    workers: int
    soc: str = ""


@frozen
class _Info:
    """What a runner answers to ``info``, as far as the load goes."""

    running: int = 0
    waiting: int = 0
    workers: int = 1
    described: ToolchainInfo = NOBODY

    @property
    def load(self) -> RunnerLoad:
        return RunnerLoad(self.running + self.waiting, max(1, self.workers), self.described.soc)


class UnreachableError(Exception):
    """No connection to the runner: ``reason`` and ``advice`` are each one line for the user."""

    def __init__(self, reason: str, advice: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.advice = advice


class Link(Protocol):
    """An open way to a runner."""

    @property
    def connection(self) -> Connection:
        """The connection, hello exchanged."""
        ...

    async def stop(self) -> object:
        """Close it and whatever carries it."""
        ...


OpenLink = Callable[[], Awaitable[Link]]
"""Reaches the runner or raises :class:`UnreachableError`."""


class RunnerClient:
    """One runner: requests, status, reconnection with backoff."""

    def __init__(
        self,
        name: str,
        open_link: OpenLink,
        *,
        on_status: Callable[[RunnerStatus], None] | None = None,
        backoff_seconds: tuple[float, float] = (0.5, 60.0),
        keep_connected: bool = False,
    ) -> None:
        """``keep_connected``: after a lost connection try again by itself, not only with the next request."""
        self.on_status = on_status
        self.status = RunnerStatus(name, RunnerState.IDLE)
        self._open_link = open_link
        self._link: Link | None = None
        self._connecting: asyncio.Task[Link] | None = None
        self._sent: set[str] = set()
        self._backoff = backoff_seconds
        self._linked_at = 0.0
        self._failures = 0
        self._not_before = 0.0
        self._watching: set[asyncio.Task[None]] = set()
        self._retrying: set[asyncio.Task[None]] = set()
        self._keep_connected = keep_connected

    @property
    def name(self) -> str:
        """The name the user knows this runner by."""
        return self.status.name

    async def run(self, job: Job[R], on_stage: OnStage | None = None) -> R:
        """The runner's answer. Where it fails, an INFRA_ERROR with one line that says why; never an exception.

        Cancelling the awaiting task cancels the job.
        """
        kind = kind_of(job)
        result = await self._ask(kind, job, on_stage)
        if isinstance(result, str):
            return kind.failed(Outcome.INFRA_ERROR, result, version=job.version)
        if result.cached and on_stage is not None:
            # The runner sends no stage with a kept answer, so that such an answer is one message.
            on_stage(StageReport(JobStage.CACHED))
        return result

    async def connect(self) -> RunnerStatus:
        """Try to reach the runner now; returns where it stands then."""
        with contextlib.suppress(UnreachableError):
            await self._connected()
        return self.status

    async def load(self, kind: str = "") -> RunnerLoad | None:
        """How busy the runner is, by its own word; None where it cannot be reached.

        The device is that of the tool chain that answers ``kind`` there, the name of a kind of job.
        """
        try:
            link = await self._connected()
            info = await link.connection.call("info", {"kind": kind}, timeout=_INFO_SECONDS)
            return from_wire(info, _Info).load
        except (UnreachableError, RpcError):
            return None

    async def close(self) -> None:
        """End the connection and the child, if any; later requests are answered with ``infra_error``."""
        self._set(RunnerState.CLOSED)
        for task in [*self._retrying, *([self._connecting] if self._connecting else [])]:
            task.cancel()
        link, self._link = self._link, None
        if link is not None:
            await link.stop()
        # Those that see a lost child off; they end by themselves, and must not leave one behind.
        await asyncio.gather(*self._watching, return_exceptions=True)

    async def restart(self) -> None:
        """Drop the connection, so that the next request opens a new one at once."""
        self._failures, self._not_before = 0, 0.0
        link, self._link = self._link, None
        if link is not None:
            await link.stop()

    # ---- asking -------------------------------------------------------------------------------------------------

    async def _ask(self, kind: JobKind[R], job: Job[R], on_stage: OnStage | None) -> R | str:
        """The answer, or one line that says why there is none."""
        if len(job.files) > _FILES:
            return f"the project has {len(job.files)} files; {_FILES} are the most that are sent to a runner"
        link: Link | None = None
        try:
            link = await self._connected()
            return from_wire(await self._send(link, kind.name, job, on_stage), kind.result)
        except UnreachableError as problem:
            return f"{problem.reason}. {problem.advice}".strip() if problem.advice else problem.reason
        except RpcError as problem:
            if link is not None and link.connection.closed:
                self._lost(link)
            return problem.message

    async def _send(self, link: Link, method: str, job: Job[R], on_stage: OnStage | None) -> Any:
        named = [evolve(f, sha256=text_hash(f.text)) if f.text is not None else f for f in job.files]
        for attempt in range(3):
            # The runner's store is a cache: where it has dropped something since, everything is sent again.
            lacking = {f.sha256 for f in named} - (self._sent if attempt == 0 else set())
            await self._send_large(link, named, lacking)
            light = tuple(f if f.sha256 in lacking else evolve(f, text=None) for f in named)
            try:
                answer = await link.connection.call(
                    method, to_wire(evolve(job, files=light)), on_progress=_listener(on_stage)
                )
            except RpcError as error:
                if error.code != ErrorCode.BLOB_MISSING:
                    raise
                self._sent.clear()
                continue
            self._remember(f.sha256 for f in named)
            return answer
        raise RpcError(
            ErrorCode.BLOB_MISSING, "the runner does not keep the sources it is sent: its store is too small"
        )

    async def _send_large(self, link: Link, files: Iterable[SourceFile], lacking: set[str]) -> None:
        """Where the request would grow too large, send the lacking texts ahead, taking them out of ``lacking``."""
        texts = {f.sha256: f.text for f in files if f.sha256 in lacking and f.text is not None}
        if sum(map(len, texts.values())) > _INLINE_BYTES:
            await send_blobs(link.connection, {n: t.encode("utf-8", "surrogatepass") for n, t in texts.items()})
            lacking -= set(texts)

    def _remember(self, names: Iterable[str]) -> None:
        if len(self._sent) > _HASHES_REMEMBERED:
            self._sent.clear()
        self._sent.update(names)

    # ---- connecting ---------------------------------------------------------------------------------------------

    async def _connected(self) -> Link:
        if self.status.state is RunnerState.CLOSED:
            raise UnreachableError("the runner was closed")
        if self._link is not None:
            if not self._link.connection.closed:
                return self._link
            self._lost(self._link)
        if self._connecting is None:
            wait = self._not_before - time.monotonic()
            if wait > _PATIENCE_SECONDS:
                raise UnreachableError(f"{self.status.reason}; trying again in {wait:.0f} s", self.status.advice)
            self._connecting = asyncio.create_task(self._connect())
            self._connecting.add_done_callback(self._connect_done)
        connecting = self._connecting
        try:
            return await asyncio.shield(connecting)
        except asyncio.CancelledError:
            if connecting.cancelled():
                raise UnreachableError("the runner was closed") from None
            raise

    def _connect_done(self, task: asyncio.Task[Link]) -> None:
        self._connecting = None
        if not task.cancelled():
            task.exception()  # whoever waits for it has it; nobody may be waiting any more

    async def _connect(self) -> Link:
        await asyncio.sleep(max(0.0, self._not_before - time.monotonic()))
        self._set(RunnerState.CONNECTING)
        self._sent.clear()
        try:
            link = await self._open_link()
        except UnreachableError as problem:
            self._failed(problem.reason, problem.advice)
            raise
        except (RpcError, OSError) as problem:
            self._failed(str(problem), "")
            raise UnreachableError(str(problem)) from problem
        try:
            info = await link.connection.call("info", timeout=_INFO_SECONDS)
        except RpcError as problem:
            await link.stop()
            advice = "Set the runner's `tokenCommand`." if problem.code == ErrorCode.UNAUTHORISED else ""
            self._failed(problem.message, advice)
            raise UnreachableError(problem.message, advice) from problem
        except asyncio.CancelledError:
            await link.stop()
            raise
        self._link, self._linked_at = link, time.monotonic()
        self._set(RunnerState.CONNECTED, info=info if isinstance(info, dict) else {})
        _start(self._watch(link), self._watching)
        return link

    async def _watch(self, link: Link) -> None:
        await link.connection.wait_closed()
        self._lost(link)
        await link.stop()

    def _lost(self, link: Link) -> None:
        if self._link is link:
            self._link = None
            if time.monotonic() - self._linked_at > _SETTLED_SECONDS:
                self._failures = 0
            self._failed(f"the runner is gone: {link.connection.closed_because}", "")
            if self._keep_connected:
                _start(self._reconnect(), self._retrying)

    async def _reconnect(self) -> None:
        """Try until it is reached, waiting longer after each failure."""
        while self._link is None and self.status.state is not RunnerState.CLOSED:
            await asyncio.sleep(max(self._backoff[0], self._not_before - time.monotonic()))
            with contextlib.suppress(UnreachableError):
                await self._connected()

    def _failed(self, reason: str, advice: str) -> None:
        """Wait longer with each failure in a row, but never before the first new try."""
        first, longest = self._backoff
        wait = 0.0 if self._failures == 0 else min(longest, first * 2 ** (self._failures - 1))
        self._failures += 1
        self._not_before = time.monotonic() + wait
        self._set(RunnerState.UNREACHABLE, reason, advice)

    def _set(
        self, state: RunnerState, reason: str = "", advice: str = "", info: Mapping[str, Any] | None = None
    ) -> None:
        if self.status.state is RunnerState.CLOSED:
            return
        self.status = RunnerStatus(self.name, state, reason, advice, dict(info or {}))
        if self.on_status is not None:
            try:
                self.on_status(self.status)
            except Exception:
                # A listener's defect must not break the connection.
                log.exception("a listener of the runner's status failed")


def _start(work: Coroutine[Any, Any, None], tasks: set[asyncio.Task[None]]) -> None:
    """Run ``work`` beside everything else, held in ``tasks`` while it runs."""
    task = asyncio.create_task(work)
    tasks.add(task)
    task.add_done_callback(tasks.discard)


def _listener(on_stage: OnStage | None) -> Callable[[dict[str, Any]], None] | None:
    if on_stage is None:
        return None

    def listen(state: dict[str, Any]) -> None:
        with contextlib.suppress(RpcError):  # a stage of a newer minor version
            on_stage(from_wire(state, StageReport))

    return listen


def cache_folder() -> Path:
    """Where a runner keeps results on this machine."""
    return folders.cache_folder() / "results"


def local_runner(
    *,
    argv: list[str] | None = None,
    on_status: Callable[[RunnerStatus], None] | None = None,
    env: Mapping[str, str] | None = None,
) -> RunnerClient:
    """A client of a runner in a child process on this machine, with the embedded tool chain."""
    command = argv or [sys.executable, "-m", "kernelgen_ls", "runner", "--stdio", "--toolchain", "embedded"]

    async def open_child() -> Child:
        try:
            return await spawn(command, env=env)
        except OSError as problem:
            raise UnreachableError(
                f"the local runner does not start: {problem}", "Run `kernelgen-ls doctor`."
            ) from problem

    return RunnerClient("local", open_child, on_status=on_status)
