"""One end of a connection: calls in both directions, cancellation, progress, heartbeat, over any asyncio stream pair.

Both ends are bounded: calls in flight, bytes waiting to be written, the size of a message. A peer that breaks the
protocol ends the connection and nothing else; every pending call then fails with ``ErrorCode.DISCONNECTED``.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from typing import Any

from attrs import define, field

from kernelgen_ls.rpc.errors import ErrorCode, RpcError
from kernelgen_ls.rpc.frames import MAGIC, Limits, Message, Notification, Request, Response, encode
from kernelgen_ls.rpc.hello import Hello, own_hello, parse_hello, version_mismatch
from kernelgen_ls.rpc.incoming import Incoming
from kernelgen_ls.rpc.waiting import within

log = logging.getLogger(__name__)

Handler = Callable[["Call"], Awaitable[object]]
OnProgress = Callable[[dict[str, Any]], None]
OnNotification = Callable[[dict[str, Any]], None]


@define
class Call:
    """A call being served. A cancelled one gets ``asyncio.CancelledError`` in its handler's task."""

    connection: Connection
    id: int
    method: str
    params: dict[str, Any]

    async def progress(self, state: dict[str, Any]) -> None:
        """Tell the caller how far it is; silently nothing once the connection is closed."""
        with contextlib.suppress(RpcError):
            await self.connection.notify("$/progress", {**state, "id": self.id})


@define
class _Pending:
    answer: asyncio.Future[Any]
    on_progress: OnProgress | None
    abandoned: bool = field(default=False)


class Connection:
    """Serve ``handlers`` to the peer and call the peer's. ``start`` exchanges hello; use nothing before it returned."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        handlers: Mapping[str, Handler],
        *,
        features: Sequence[str] = (),
        limits: Limits | None = None,
        on_notification: Mapping[str, OnNotification] | None = None,
    ) -> None:
        self._incoming = Incoming(reader, limits or Limits())
        self.features = tuple(features)
        self.peer: Hello | None = None
        self.closed_because: str | None = None
        self._writer = writer
        self._handlers = handlers
        self._on_notification = dict(on_notification or {})
        self._pending: dict[int, _Pending] = {}
        self._serving: dict[int, asyncio.Task[None]] = {}
        self._next_id = 0
        self._slots = asyncio.Semaphore(self.limits.calls)
        self._write_lock = asyncio.Lock()
        self._closed = asyncio.Event()
        self._background: list[asyncio.Task[None]] = []
        self._last_write = time.monotonic()

    @property
    def limits(self) -> Limits:
        """What this side accepts; setting it holds from the next message on."""
        return self._incoming.limits

    @limits.setter
    def limits(self, limits: Limits) -> None:
        self._incoming.limits = limits

    @property
    def preamble(self) -> bytes:
        """What came before the magic line."""
        return self._incoming.preamble

    # ---- life ---------------------------------------------------------------------------------------------------

    async def start(self) -> Hello:
        """Exchange hello and begin serving.

        Raises :class:`RpcError`: VERSION_MISMATCH for another major version, DISCONNECTED where the stream ended or
        no magic line came (``data`` then holds what came instead), TIMEOUT after ``limits.start_seconds``.
        """
        self._writer.transport.set_write_buffer_limits(high=self.limits.write_buffer_bytes)
        try:
            return await asyncio.wait_for(self._open(), self.limits.start_seconds)
        except asyncio.TimeoutError:
            error = RpcError(
                ErrorCode.TIMEOUT, f"no hello within {self.limits.start_seconds:.0f} s", self._incoming.said
            )
            await self._end(error.message)
            raise error from None
        except RpcError as error:
            await self._end(error.message)
            raise
        except asyncio.CancelledError:
            await self._end("start was cancelled")
            raise

    async def _open(self) -> Hello:
        await self._write(MAGIC)
        await self._send(Request(0, "hello", own_hello(self.features, self.limits)))
        self._next_id = 1
        await self._incoming.skip_preamble()
        hello = await self._incoming.message()
        if not (isinstance(hello, Request) and hello.method == "hello" and hello.params is not None):
            raise RpcError(ErrorCode.PARSE, "the peer's first message is not hello")
        self.peer = peer = parse_hello(hello.params)
        mismatch = version_mismatch(peer)
        if mismatch is not None:
            await self._send(Response(hello.id, mismatch, None))
            raise mismatch
        await self._send(Response(hello.id, None, own_hello(self.features, self.limits)))
        answer = await self._incoming.message()
        if not (isinstance(answer, Response) and answer.id == 0):
            raise RpcError(ErrorCode.PARSE, "the peer did not answer hello")
        if answer.error is not None:
            raise answer.error
        self._slots = asyncio.Semaphore(min(self.limits.calls, max(1, peer.calls)))
        self._background = [asyncio.create_task(self._read_loop()), asyncio.create_task(self._heartbeat())]
        return peer

    async def wait_closed(self) -> None:
        """Until the connection has ended, for whatever reason (``closed_because``)."""
        await self._closed.wait()

    async def close(self) -> None:
        """End the connection: pending calls fail, running handlers are cancelled. May be called any number of times."""
        await self._end("closed by this side")

    @property
    def closed(self) -> bool:
        """Whether the connection has ended."""
        return self.closed_because is not None

    # ---- calling ------------------------------------------------------------------------------------------------

    async def call(
        self,
        method: str,
        params: dict[str, Any] | None = None,
        *,
        on_progress: OnProgress | None = None,
        timeout: float | None = None,
    ) -> Any:
        """The peer's answer. Cancelling the awaiting task cancels the peer's handler.

        Raises :class:`RpcError` with the peer's code, DISCONNECTED where the peer is gone, TIMEOUT after ``timeout``
        seconds, TOO_LARGE for params over the peer's frame limit.
        """
        calling = self._call(method, params or {}, on_progress)
        if timeout is None:
            return await calling
        try:
            return await within(timeout, calling)
        except asyncio.TimeoutError:
            raise RpcError(ErrorCode.TIMEOUT, f"{method}: no answer within {timeout:g} s") from None

    async def notify(self, method: str, params: dict[str, Any] | None = None) -> None:
        """Send a message without an answer; raises :class:`RpcError` DISCONNECTED where the peer is gone."""
        await self._send(Notification(method, params or {}))

    async def _call(self, method: str, params: dict[str, Any], on_progress: OnProgress | None) -> Any:
        await self._slots.acquire()
        number = self._next_id
        self._next_id = number + 1 if number < 2**32 - 1 else 1
        pending = _Pending(asyncio.get_running_loop().create_future(), on_progress)
        try:
            frame = self._frame(Request(number, method, params))
            self._check_open()
        except RpcError:
            self._slots.release()
            raise
        self._pending[number] = pending
        try:
            await self._write(frame)
            return await pending.answer
        except RpcError:
            pending.answer.cancel()
            raise
        except asyncio.CancelledError:
            # The slot stays taken until the peer answers: its handler is still running.
            pending.abandoned = True
            pending.answer.cancel()
            self._write_now(Notification("$/cancel", {"id": number}))
            raise

    # ---- writing ------------------------------------------------------------------------------------------------

    def _frame(self, message: Message) -> bytes:
        theirs = self.peer.frame_bytes if self.peer else self.limits.frame_bytes
        return encode(message, min(theirs, self.limits.frame_bytes))

    def _check_open(self) -> None:
        if self.closed_because is not None:
            raise RpcError(
                ErrorCode.DISCONNECTED, f"the connection has ended: {self.closed_because}", self._incoming.said
            )

    async def _send(self, message: Message) -> None:
        await self._write(self._frame(message))

    async def _write(self, data: bytes) -> None:
        """Write and honour back-pressure. A cancelled writer leaves whole frames only: the write itself is atomic."""
        self._check_open()
        async with self._write_lock:
            self._check_open()
            self._last_write = time.monotonic()
            self._writer.write(data)
            try:
                await self._writer.drain()
            except (ConnectionError, OSError, RuntimeError) as problem:
                self._end_soon(f"writing failed: {problem or type(problem).__name__}")
                raise RpcError(ErrorCode.DISCONNECTED, "the peer is gone", self._incoming.said) from problem

    def _write_now(self, message: Message) -> None:
        """Write a small message without waiting; only for what is itself bounded (one a call)."""
        if self.closed_because is None:
            with contextlib.suppress(ConnectionError, OSError, RuntimeError):
                self._writer.write(self._frame(message))

    # ---- reading ------------------------------------------------------------------------------------------------

    async def _read_loop(self) -> None:
        try:
            while True:
                message = await self._incoming.message()
                if isinstance(message, Request):
                    await self._serve(message)
                elif isinstance(message, Response):
                    self._settle(message)
                else:
                    self._notified(message)
        except RpcError as problem:
            level = logging.INFO if problem.code == ErrorCode.DISCONNECTED else logging.WARNING
            log.log(level, "connection ended: %s", problem)
            self._end_soon(problem.message)

    async def _serve(self, request: Request) -> None:
        handler = self._handlers.get(request.method)
        error: RpcError | None = None
        if request.params is None:
            error = RpcError(ErrorCode.INVALID_PARAMS, f"{request.method}: params is not a map")
        elif handler is None:
            error = RpcError(ErrorCode.METHOD_NOT_FOUND, f"there is no method {request.method!r} here")
        elif request.id in self._serving:
            error = RpcError(ErrorCode.INVALID_REQUEST, f"call {request.id} is still running")
        elif len(self._serving) >= self.limits.calls:
            error = RpcError(ErrorCode.OVERLOADED, f"{self.limits.calls} calls are running already; try again later")
        if error is not None or handler is None or request.params is None:
            await self._send(Response(request.id, error, None))
            return
        call = Call(self, request.id, request.method, request.params)
        task = asyncio.create_task(self._run(handler, call), name=f"rpc:{request.method}")
        self._serving[request.id] = task
        task.add_done_callback(lambda _: self._never_ran(request))

    async def _run(self, handler: Handler, call: Call) -> None:
        error: RpcError | None = None
        result: object = None
        try:
            result = await handler(call)
        except asyncio.CancelledError:
            error = RpcError(ErrorCode.CANCELLED, f"{call.method} was cancelled")
        except RpcError as problem:
            error = problem
        except Exception as problem:
            # A defect in a handler must not end the connection; the caller is told, the log has the traceback.
            log.exception("the handler of %s failed", call.method)
            error = RpcError(ErrorCode.INTERNAL, f"{call.method}: {type(problem).__name__}: {problem}")
        try:
            frame = self._answer_frame(Response(call.id, error, result))
        finally:
            # Before the answer leaves: the caller may use the id and the slot again at once.
            self._serving.pop(call.id, None)
        with contextlib.suppress(RpcError):
            await self._write(frame)

    def _never_ran(self, request: Request) -> None:
        """Answer a call that was cancelled before its task took its first step; ``_run`` answers all others."""
        if self._serving.pop(request.id, None) is not None:
            self._write_now(
                Response(request.id, RpcError(ErrorCode.CANCELLED, f"{request.method} was cancelled"), None)
            )

    def _answer_frame(self, response: Response) -> bytes:
        try:
            return self._frame(response)
        except RpcError as problem:
            return self._frame(Response(response.id, RpcError(problem.code, problem.message), None))

    def _settle(self, response: Response) -> None:
        pending = self._pending.pop(response.id, None)
        if pending is None:
            log.warning("an answer to call %d, which is not pending", response.id)
            return
        self._slots.release()
        if pending.answer.done():
            return
        if response.error is not None:
            pending.answer.set_exception(response.error)
        else:
            pending.answer.set_result(response.result)

    def _notified(self, message: Notification) -> None:
        number = message.params.get("id")
        if message.method == "$/cancel":
            task = self._serving.get(number) if isinstance(number, int) else None
            if task is not None:
                task.cancel()
        elif message.method == "$/progress":
            pending = self._pending.get(number) if isinstance(number, int) else None
            if pending is not None and pending.on_progress is not None and not pending.abandoned:
                self._tell(pending.on_progress, message)
        elif message.method in self._on_notification:
            self._tell(self._on_notification[message.method], message)
        elif not message.method.startswith("$/"):
            log.debug("nobody listens to %r", message.method)

    @staticmethod
    def _tell(listener: OnProgress, message: Notification) -> None:
        try:
            listener(message.params)
        except Exception:
            # A listener's defect must not end the connection of everybody else.
            log.exception("a listener of %s failed", message.method)

    # ---- heartbeat and the end ----------------------------------------------------------------------------------

    async def _heartbeat(self) -> None:
        beat = self.limits.heartbeat_seconds
        tick = beat / 3
        expected = time.monotonic() + tick
        while True:
            await asyncio.sleep(tick)
            now = time.monotonic()
            if now - expected > beat:
                # We ourselves stood still (a suspended laptop): the silence says nothing of the peer.
                self._incoming.last_read = now
            expected = now + tick
            if now - self._incoming.last_read > 3 * beat:
                self._end_soon(f"no sign of life for {now - self._incoming.last_read:.0f} s")
                return
            if now - self._last_write >= beat:
                with contextlib.suppress(RpcError):
                    await asyncio.wait_for(self._ping(), tick)

    async def _ping(self) -> None:
        with contextlib.suppress(asyncio.CancelledError):
            # Being stuck behind a full pipe is no reason to end the heartbeat; the read side decides.
            await self.notify("$/ping")

    def _end_soon(self, reason: str) -> None:
        if self.closed_because is None:
            self._finish(reason)
            self._background.append(asyncio.get_running_loop().create_task(self._drain_down()))

    async def _end(self, reason: str) -> None:
        if self.closed_because is None:
            self._finish(reason)
        await self._drain_down()

    def _finish(self, reason: str) -> None:
        self.closed_because = reason
        error = RpcError(ErrorCode.DISCONNECTED, f"the connection has ended: {reason}", self._incoming.said)
        for pending in self._pending.values():
            self._slots.release()
            if not pending.answer.done():
                pending.answer.set_exception(error)
        self._pending.clear()
        current = asyncio.current_task()
        for task in [*self._serving.values(), *self._background]:
            if task is not current:
                task.cancel()
        self._writer.close()

    async def _drain_down(self) -> None:
        """Wait for handlers and the transport, but not for ever and not for ourselves."""
        current = asyncio.current_task()
        rest = [t for t in [*self._serving.values(), *self._background] if t is not current and not t.done()]
        if rest and not self._closed.is_set():
            await asyncio.wait(rest, timeout=5)
        if not self._closed.is_set():
            with contextlib.suppress(ConnectionError, OSError):
                try:
                    await asyncio.wait_for(_wait_closed(self._writer), 2)
                except asyncio.TimeoutError:
                    # The peer does not take what was written: drop it.
                    self._writer.transport.abort()
            self._closed.set()


def _wait_closed(writer: asyncio.StreamWriter) -> Coroutine[Any, Any, None]:
    return writer.wait_closed()
