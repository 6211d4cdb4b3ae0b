"""pygls' protocol with what it gets wrong put right.

1. Futures of notifications stayed for ever (2 KB for every keystroke): they are dropped when done.
2. Cancelling ``workspace/executeCommand`` did not reach the command: commands run in the request's own task.
3. A request with malformed parameters got no answer: it gets -32602; before ``initialize`` -32002, after
   ``shutdown`` -32600.
4. ``exit`` without ``shutdown`` ended with 0: the server's ``on_exit`` learns the right code.
5. Documents were split at form feeds and other separators that are not line ends in the protocol: the documents here
   are this project's own (``documents``).
"""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
from collections.abc import Callable
from typing import Any

from attrs import frozen
from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.protocol import LanguageServerProtocol, lsp_method

logger = logging.getLogger(__name__)

PARSE_ERROR, INVALID_REQUEST, NOT_INITIALIZED = -32700, -32600, -32002


@frozen
class _Refused:
    """A message that could not be structured; ``id`` is None for a notification."""

    id: int | str | None
    error: types.ResponseError


class Protocol(LanguageServerProtocol):
    """The protocol object of ``server.KernelServer``."""

    on_exit: Callable[[int], None] | None = None

    def feed(self, body: bytes) -> None:
        """Handle one message from the client; never raises on the client's account."""
        try:
            message = json.loads(body, object_hook=self.structure_message)
        except (ValueError, RecursionError) as error:
            logger.error("a message is not JSON: %s", error)
            self._send_response(
                None,  # type: ignore[arg-type]  # JSON-RPC wants a null id here; pygls' annotation does not know it
                error=types.ResponseError(code=PARSE_ERROR, message=f"not JSON: {error}"),
            )
            return
        self.handle_message(message)

    def structure_message(self, data: dict[str, Any]) -> Any:
        """As pygls, but a message that does not fit its type becomes an answer instead of an exception."""
        if "jsonrpc" not in data:
            return data
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            response = error.to_response_error()
            cause = error.__cause__
            detail = f"{data.get('method', 'response')}: parameters do not fit: {_first_line(cause or error)}"
            is_request = "id" in data and "method" in data
            if "id" in data and not is_request:
                self._handle_response(data["id"], None, types.ResponseError(code=response.code, message=detail))
            code = response.code if is_request else INVALID_REQUEST
            return _Refused(data["id"] if is_request else None, types.ResponseError(code=code, message=detail))

    def handle_message(self, message: Any) -> None:
        """Dispatch, after the order of initialize, shutdown and exit has been held."""
        if isinstance(message, _Refused):
            logger.warning("%s", message.error.message)
            if message.id is not None:
                self._send_response(message.id, error=message.error)
            return
        method = getattr(message, "method", None)
        if not hasattr(message, "jsonrpc"):
            logger.warning("a message that is not JSON-RPC 2.0 is ignored")
            if isinstance(message, dict) and isinstance(message.get("id"), (int, str)):
                self._refuse(message["id"], INVALID_REQUEST, "not a JSON-RPC 2.0 message")
            return
        if method is not None and method != types.EXIT:
            is_request = hasattr(message, "id")
            if self._shutdown:
                if is_request:
                    self._refuse(message.id, INVALID_REQUEST, f"{method} after shutdown")
                return
            if self._workspace is None and method != types.INITIALIZE:
                if is_request:
                    self._refuse(message.id, NOT_INITIALIZED, f"{method} before initialize")
                return
            if self._workspace is not None and method == types.INITIALIZE:
                self._refuse(message.id, INVALID_REQUEST, "initialize was answered already")
                return
        super().handle_message(message)

    def _refuse(self, msg_id: int | str, code: int, message: str) -> None:
        self._send_response(msg_id, error=types.ResponseError(code=code, message=message))

    def _execute_handler(
        self,
        msg_id: int | str,
        handler: Any,
        callback: Any,
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        super()._execute_handler(msg_id, handler, callback, args, kwargs)
        future = self._request_futures.get(msg_id)
        if future is not None:
            future.add_done_callback(lambda _: self._request_futures.pop(msg_id, None))

    def _handle_response(
        self, msg_id: int | str, result: Any | None = None, error: types.ResponseError | None = None
    ) -> None:
        self._result_types.pop(msg_id, None)
        future = self._request_futures.get(msg_id)
        if future is not None and future.done():
            self._request_futures.pop(msg_id, None)
            return
        super()._handle_response(msg_id, result, error)

    def _handle_cancel_notification(self, msg_id: int | str) -> None:
        # Cancelling what has been answered already is normal; pygls warns of it on every keystroke.
        if msg_id in self._request_futures:
            super()._handle_cancel_notification(msg_id)

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    async def lsp_workspace__execute_command(  # type: ignore[override]  # pygls types built-ins as generators
        self, params: types.ExecuteCommandParams
    ) -> Any:
        """Run a command in this request's task, so that cancelling the request cancels the command."""
        handler = self.fm.commands.get(params.command)
        if handler is None:
            raise JsonRpcInvalidParams(f"there is no command {params.command!r}")
        result = handler(params)
        return await result if inspect.isawaitable(result) else result

    @lsp_method(types.EXIT)
    def lsp_exit(self, *args: Any) -> None:  # type: ignore[override]  # pygls types built-ins as generators
        """Report the exit code; the server ends its loop in its own order."""
        if self.on_exit is not None:
            self.on_exit(0 if self._shutdown else 1)

    @lsp_method(types.SHUTDOWN)
    async def lsp_shutdown(self, *args: Any) -> None:  # type: ignore[override]  # pygls types built-ins as generators
        """Let the server close its children, then refuse whatever still runs."""
        if (handler := self.fm.features.get(types.SHUTDOWN)) is not None:
            result = handler(*args)
            if inspect.isawaitable(result):
                await result
        own: object = asyncio.current_task()
        for future in list(self._request_futures.values()):
            if future is not own and not future.done():
                future.cancel()
        self._shutdown = True

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        """Only the server's own handler: the documents are its own."""
        self._own(types.TEXT_DOCUMENT_DID_OPEN, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Only the server's own handler: the documents are its own."""
        self._own(types.TEXT_DOCUMENT_DID_CHANGE, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        """Only the server's own handler: the documents are its own."""
        self._own(types.TEXT_DOCUMENT_DID_CLOSE, params)

    def _own(self, method: str, params: Any) -> None:
        if (handler := self.fm.features.get(method)) is not None:
            handler(params)


def _first_line(error: BaseException) -> str:
    from cattrs import transform_error

    try:
        lines = transform_error(error)
        return "; ".join(lines[:3])
    except Exception:  # a diagnostic of a diagnostic: whatever fails, the plain text serves
        return str(error).splitlines()[0] if str(error) else type(error).__name__
