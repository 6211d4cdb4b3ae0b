"""A client under the capabilities that real editors were recorded with, for the server's tests."""

from __future__ import annotations

import asyncio
import contextlib
import json
import shlex
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, Union

from lsprotocol import types
from lsprotocol.converters import get_converter
from pytest_lsp import ClientServerConfig, LanguageClient

CLIENTS = Path(__file__).parents[2] / "clients"
NAMES = ("visual_studio_code_v1.139.1", "neovim_v0.11.4", "neovim_v0.12.4")
SERVER = [sys.executable, "-m", "kernelgen_ls", "serve", "--stdio"]


class Editor:
    """One running server and the client that speaks to it."""

    def __init__(self, client: LanguageClient, result: types.InitializeResult, root: Path) -> None:
        self.client = client
        self.result = result
        self.root = root
        self.statuses: list[dict[str, Any]] = []
        self.published: list[types.PublishDiagnosticsParams] = []
        self.applied: list[types.ApplyWorkspaceEditParams] = []
        self.reasoning: list[dict[str, Any]] = []
        self._changed = asyncio.Event()

    @property
    def encoding(self) -> str:
        return str(self.result.capabilities.position_encoding or "utf-16")

    @property
    def pid(self) -> int:
        assert self.client._server is not None
        return self.client._server.pid

    def open(self, name: str, text: str, language: str = "cpp") -> str:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        uri = path.as_uri()
        self.client.text_document_did_open(
            types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, language, 1, text))
        )
        return uri

    def change(self, uri: str, version: int, text: str) -> None:
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(version, uri),
                [types.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    def save(self, uri: str) -> None:
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(uri)))

    def close(self, uri: str) -> None:
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))

    async def command(self, name: str, *arguments: Any) -> Any:
        return await self.client.workspace_execute_command_async(types.ExecuteCommandParams(name, list(arguments)))

    async def until(self, condition: Callable[[], Any], seconds: float = 120.0) -> Any:
        """Wait until the client has been told something; fails after ``seconds``."""

        async def wait() -> Any:
            while not (found := condition()):
                self._changed.clear()
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(self._changed.wait(), 0.5)
            return found

        return await asyncio.wait_for(wait(), seconds)

    async def diagnostics(self, uri: str, version: int) -> list[types.Diagnostic]:
        """The diagnostics that were published for this version of a document."""

        def latest() -> types.PublishDiagnosticsParams | None:
            mine = [one for one in self.published if one.uri == uri and one.version == version]
            return mine[-1] if mine else None

        return list((await self.until(latest)).diagnostics)

    def units(self, text: str) -> int:
        """The length of a text in the negotiated encoding."""
        width = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[self.encoding]
        return len(text.encode(self.encoding + ("-le" if width > 1 else ""))) // width

    def told(self) -> None:
        self._changed.set()


def _read_code_actions_rightly(client: LanguageClient) -> None:
    """lsprotocol takes every code action that has a command for a command."""
    converter = client.protocol._converter

    def structure(raw: Any, _: Any) -> types.Command | types.CodeAction:
        if isinstance(raw.get("command"), str):
            return converter.structure(raw, types.Command)
        return converter.structure(raw, types.CodeAction)

    converter.register_structure_hook(Union[types.Command, types.CodeAction], structure)  # noqa: UP007  # the hook's own key


def capabilities(name: str, encoding: str = "", **experimental: bool) -> types.ClientCapabilities:
    """What an editor was recorded with; ``encoding`` is the only one it then offers."""
    raw = json.loads((CLIENTS / f"{name}.json").read_text())["capabilities"]
    if encoding:
        raw["general"]["positionEncodings"] = [encoding]
    found = get_converter().structure(raw, types.ClientCapabilities)
    found.experimental = experimental or None
    return found


@contextlib.asynccontextmanager
async def editor(
    name: str,
    root: Path,
    *,
    options: dict[str, Any] | None = None,
    env: dict[str, str] | None = None,
    configuration: dict[str, Any] | None = None,
    encoding: str = "",
) -> AsyncIterator[Editor]:
    """A server with its own configuration, cache and data folders, initialised by the editor ``name``.

    An exception in its log fails the test.
    """
    log = root / "server.log"
    command = ["/bin/sh", "-c", f'exec "$@" 2>>{shlex.quote(str(log))}', "sh", *SERVER]
    client = await ClientServerConfig(command, server_env=environment(root) | (env or {})).start()
    assert isinstance(client, LanguageClient)
    client.set_configuration(configuration or {}, section="kernelgen")
    _read_code_actions_rightly(client)
    workspace = root / "workspace"
    workspace.mkdir(exist_ok=True)
    running: list[Editor] = []

    @client.feature("kernelgen/status")
    def status(params: Any) -> None:
        running[0].statuses.append(plain(params))
        running[0].told()

    @client.feature("kernelgen/reasoning")
    def reasoning(params: Any) -> None:
        running[0].reasoning.append(plain(params))
        running[0].told()

    @client.feature(types.WORKSPACE_APPLY_EDIT)
    def apply(params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
        running[0].applied.append(params)
        running[0].told()
        return types.ApplyWorkspaceEditResult(applied=True)

    @client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def register(params: types.RegistrationParams) -> None:
        pass

    @client.feature(types.WORKSPACE_CODE_LENS_REFRESH)
    def refresh_lenses(params: None) -> None:
        pass

    del client.protocol.fm.features[types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS]

    @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def published(params: types.PublishDiagnosticsParams) -> None:
        running[0].published.append(params)
        running[0].told()

    client.capabilities = capabilities(name, encoding, kernelgenStatus=True, kernelgenReasoning=True)
    result = await client.initialize_async(
        types.InitializeParams(
            capabilities=client.capabilities,
            workspace_folders=[types.WorkspaceFolder(workspace.as_uri(), "workspace")],
            root_uri=workspace.as_uri(),
            initialization_options=options or {},
        )
    )
    running.append(Editor(client, result, workspace))
    client.initialized(types.InitializedParams())
    try:
        yield running[0]
    finally:
        await client.shutdown_session()
        await client.stop()
    assert "Traceback" not in (said := log.read_text(encoding="utf-8")), said


def environment(root: Path) -> dict[str, str]:
    """The environment of a server that touches nothing of the developer's."""
    import os

    folders = {f"XDG_{kind}_HOME": str(root / kind.lower()) for kind in ("CONFIG", "CACHE", "DATA", "STATE")}
    return {**os.environ, **folders, "PYTHONUNBUFFERED": "1"}


def plain(params: Any) -> Any:
    """pygls gives unknown parameters as nested named tuples."""
    if hasattr(params, "_asdict"):
        return {name: plain(value) for name, value in params._asdict().items()}
    if isinstance(params, list):
        return [plain(item) for item in params]
    return params
