"""The editor at the other end: who it is, and everything that is said to it or asked of it unasked."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any

from lsprotocol import types

from kernelgen_ls.lsp.session.client import Client
from kernelgen_ls.lsp.transport.progress import WorkDone, work_done
from kernelgen_ls.lsp.transport.protocol import Protocol

logger = logging.getLogger(__name__)


class Editor:
    """Serves the editor's ports (``ports``); ``client`` is set by ``initialize``."""

    def __init__(self, protocol: Protocol) -> None:
        self._protocol = protocol
        self._said: set[str] = set()
        self.client = Client()

    def say(self, message: str, kind: types.MessageType = types.MessageType.Warning, *, once: bool = True) -> None:
        """Show one line to the user (the log has the rest); with ``once`` the same line only once a session."""
        if once and message in self._said:
            return
        self._said.add(message)
        logger.warning("%s", message)
        self._protocol.notify(types.WINDOW_SHOW_MESSAGE, types.ShowMessageParams(type=kind, message=message))

    async def choose(self, message: str, choices: Sequence[str]) -> str:
        """Show a question with one button a choice; returns the chosen one, "" when the user took none."""
        actions = [types.MessageActionItem(choice) for choice in choices]
        params = types.ShowMessageRequestParams(type=types.MessageType.Info, message=message, actions=actions)
        chosen = await self._protocol.send_request_async(types.WINDOW_SHOW_MESSAGE_REQUEST, params)
        return chosen.title if chosen is not None else ""

    def notify(self, method: str, params: dict[str, Any]) -> None:
        """Send one of this project's own notifications; only to a client that declared it."""
        self._protocol.notify(method, params)

    def publish(self, uri: str, version: int | None, diagnostics: list[types.Diagnostic]) -> None:
        """Show these diagnostics of a document in the place of all earlier ones."""
        params = types.PublishDiagnosticsParams(uri=uri, diagnostics=diagnostics, version=version)
        self._protocol.notify(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, params)

    def work_done(
        self,
        title: str,
        *,
        token: types.ProgressToken | None = None,
        on_cancel: Callable[[], object] | None = None,
        percentage: bool = False,
    ) -> AbstractAsyncContextManager[WorkDone]:
        """Show work from here to the end of the block; see ``transport.progress.work_done``."""
        return work_done(
            self._protocol,
            title,
            supported=self.client.progress,
            token=token,
            on_cancel=on_cancel,
            percentage=percentage,
        )

    async def apply_edit(self, edit: types.WorkspaceEdit, label: str) -> types.ApplyWorkspaceEditResult:
        """Ask the client to apply an edit; says whether it did."""
        params = types.ApplyWorkspaceEditParams(edit, label)
        answer: types.ApplyWorkspaceEditResult = await self._protocol.send_request_async(
            types.WORKSPACE_APPLY_EDIT, params
        )
        return answer

    async def refresh_lenses(self) -> None:
        """Ask the client to ask for the lenses again; nothing for one that cannot be asked."""
        if self.client.pulls_lens_refresh:
            await self._protocol.send_request_async(types.WORKSPACE_CODE_LENS_REFRESH, None)

    async def register(self, identifier: str, method: str, options: Any) -> None:
        """Ask the client to send ``method``. Raises ``JsonRpcException`` when it refuses."""
        registration = types.Registration(id=identifier, method=method, register_options=options)
        params = types.RegistrationParams(registrations=[registration])
        await self._protocol.send_request_async(types.CLIENT_REGISTER_CAPABILITY, params)

    async def settings(self, section: str) -> Any:
        """The client's settings of a section. Raises ``JsonRpcException`` when it refuses to tell."""
        params = types.ConfigurationParams(items=[types.ConfigurationItem(section=section)])
        answers = await self._protocol.send_request_async(types.WORKSPACE_CONFIGURATION, params)
        return answers[0] if answers else None
