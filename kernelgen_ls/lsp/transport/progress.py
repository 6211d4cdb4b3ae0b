"""Work-done progress: begin, report, end, cancel; tokens do not outlive their work."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from contextlib import asynccontextmanager

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from kernelgen_ls.lsp.transport.protocol import Protocol
from kernelgen_ls.rpc.waiting import within

logger = logging.getLogger(__name__)

CREATE_TIMEOUT = 2.0
"""Seconds a client may take to accept a token; then the work goes on without progress."""


class WorkDone:
    """One piece of work that the client shows; reports go nowhere when it cannot."""

    def __init__(self, protocol: Protocol, token: types.ProgressToken | None) -> None:
        self._protocol = protocol
        self._token = token

    def report(self, message: str, percentage: int | None = None) -> None:
        """Say where the work stands; ``percentage`` 0 to 100 where it is known."""
        if self._token is not None:
            self._protocol.progress.report(
                self._token, types.WorkDoneProgressReport(message=message, percentage=percentage)
            )


@asynccontextmanager
async def work_done(
    protocol: Protocol,
    title: str,
    *,
    supported: bool,
    token: types.ProgressToken | None = None,
    on_cancel: Callable[[], object] | None = None,
    percentage: bool = False,
) -> AsyncIterator[WorkDone]:
    """Show work from here to the end of the block.

    ``token`` is the request's own ``workDoneToken``; without one a token is made where the client is ``supported`` to
    take it. ``on_cancel`` is called when the user cancels it in the editor.
    """
    progress = protocol.progress
    if token is None and supported:
        token = await _create(protocol)
    if token is None:
        yield WorkDone(protocol, None)
        return
    cancelled: Future[None] = Future()
    if on_cancel is not None:
        cancelled.add_done_callback(lambda future: on_cancel() if future.cancelled() else None)
    progress.tokens[token] = cancelled
    progress.begin(
        token,
        types.WorkDoneProgressBegin(
            title=title, cancellable=on_cancel is not None, percentage=0 if percentage else None
        ),
    )
    try:
        yield WorkDone(protocol, token)
    finally:
        progress.end(token, types.WorkDoneProgressEnd())
        progress.tokens.pop(token, None)


async def _create(protocol: Protocol) -> str | None:
    token = str(uuid.uuid4())
    try:
        params = types.WorkDoneProgressCreateParams(token=token)
        await within(CREATE_TIMEOUT, protocol.send_request_async(types.WINDOW_WORK_DONE_PROGRESS_CREATE, params))
    except (TimeoutError, asyncio.TimeoutError, JsonRpcException):
        logger.info("the client takes no progress token")
        return None
    return token
