"""What a part may ask of its session: settings, documents, background work, status, the editor, each as a protocol.

A part or a feature names in its constructor or its ``register`` which of these it needs and gets nothing else; the
classes behind them are put together in ``wiring``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, Protocol, TypeVar

from lsprotocol import types

from kernelgen_ls.lsp.session.client import Client
from kernelgen_ls.lsp.session.documents import Document, Encoding
from kernelgen_ls.lsp.session.status import Status
from kernelgen_ls.lsp.transport.progress import WorkDone
from kernelgen_ls.settings import Settings

Handler = TypeVar("Handler", bound=Callable[..., Any])


class Registrar(Protocol):
    """Where a feature says what it answers."""

    def feature(self, feature_name: str, options: Any | None = None) -> Callable[[Handler], Handler]:
        """Decorate the function that handles a method of the protocol; ``options`` are what ``initialize`` offers."""
        ...

    def command(self, command_name: str) -> Callable[[Handler], Handler]:
        """Decorate the function that a ``workspace/executeCommand`` of this name runs."""
        ...


class SettingsInForce(Protocol):
    """The settings that hold."""

    @property
    def now(self) -> Settings:
        """Those of this moment: another object after every change."""
        ...

    def on_change(self, listener: Callable[[Settings, Settings], None]) -> None:
        """Call ``listener(old, new)`` whenever they change."""
        ...


class OpenDocuments(Protocol):
    """The open documents, to be read."""

    @property
    def encoding(self) -> Encoding:
        """What the client's columns count."""
        ...

    def get(self, uri: str) -> Document | None:
        """The current version of an open document."""
        ...

    def at(self, path: Path) -> Document | None:
        """The open document of a file."""
        ...

    def current(self, document: Document) -> bool:
        """Whether nothing was edited since ``document`` was taken."""
        ...

    def __iter__(self) -> Iterator[Document]:
        """The current version of each."""
        ...


class Background(Protocol):
    """Work that goes on beside requests."""

    def spawn(self, work: Coroutine[Any, Any, Any], name: str) -> asyncio.Task[Any]:
        """Run ``work`` until it or the session ends; its failure is logged under ``name``, never silent."""
        ...


class Board(Protocol):
    """The status that the editors' status bar shows."""

    @property
    def status(self) -> Status:
        """What holds now."""
        ...

    def update(self, **changes: Any) -> None:
        """Change parts of the status (fields of ``Status``)."""
        ...


class KnowsClient(Protocol):
    """Who the client is and what it can do."""

    @property
    def client(self) -> Client:
        """As it is now: its folders may change."""
        ...


class Says(Protocol):
    """Speaks to the user."""

    def say(self, message: str, kind: types.MessageType = ..., *, once: bool = ...) -> None:
        """Show one line (a warning unless ``kind`` says otherwise); with ``once`` the same only once a session."""
        ...


class ShowsWork(Protocol):
    """Shows the progress of long work."""

    def work_done(
        self,
        title: str,
        *,
        token: types.ProgressToken | None = ...,
        on_cancel: Callable[[], object] | None = ...,
        percentage: bool = ...,
    ) -> AbstractAsyncContextManager[WorkDone]:
        """Show work from here to the end of the block; see ``transport.progress.work_done``."""
        ...


class TalksToUser(KnowsClient, Says, Protocol):
    """Knows the client and speaks to the user."""


class Publishes(TalksToUser, Protocol):
    """Shows diagnostics."""

    def publish(self, uri: str, version: int | None, diagnostics: list[types.Diagnostic]) -> None:
        """Show these diagnostics of a document in the place of all earlier ones."""
        ...


class ReportsWork(TalksToUser, ShowsWork, Protocol):
    """Speaks to the user and shows the progress of long work."""


class AppliesEdits(ReportsWork, Protocol):
    """Offers what a long piece of work has made."""

    async def choose(self, message: str, choices: Sequence[str]) -> str:
        """Show a question with one button a choice; returns the chosen one, "" when the user took none."""
        ...

    def notify(self, method: str, params: dict[str, Any]) -> None:
        """Send one of this project's own notifications; only to a client that declared it."""
        ...

    async def apply_edit(self, edit: types.WorkspaceEdit, label: str) -> types.ApplyWorkspaceEditResult:
        """Ask the client to apply an edit; says whether it did."""
        ...


class ShowsLenses(KnowsClient, ShowsWork, Protocol):
    """Shows lenses."""

    async def refresh_lenses(self) -> None:
        """Ask the client to ask for the lenses again; nothing for one that cannot be asked."""
        ...


class TakesRegistrations(TalksToUser, Protocol):
    """Can be asked to tell more than it does by itself."""

    async def register(self, identifier: str, method: str, options: Any) -> None:
        """Ask the client to send ``method``. Raises ``JsonRpcException`` when it refuses."""
        ...


class HasSettings(TakesRegistrations, Protocol):
    """Keeps settings of the user's."""

    async def settings(self, section: str) -> Any:
        """The client's settings of a section. Raises ``JsonRpcException`` when it refuses to tell."""
        ...
