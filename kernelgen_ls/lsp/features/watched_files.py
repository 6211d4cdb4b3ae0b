"""workspace/didChangeWatchedFiles."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.uris import to_fs_path

from kernelgen_ls.lsp.following.watch import GLOB
from kernelgen_ls.settings import PROJECT_FILE

if TYPE_CHECKING:
    from kernelgen_ls.lsp.server import KernelServer
    from kernelgen_ls.lsp.session.session import Session


def register(server: KernelServer) -> None:
    """Register the notification; the client is asked for it in ``ask``."""
    session = server.session

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def did_change_watched_files(params: types.DidChangeWatchedFilesParams) -> None:
        paths = [Path(path) for change in params.changes if (path := to_fs_path(change.uri))]
        opened = {document.path for document in session.documents}
        session.watch.changed([path for path in paths if path not in opened])


async def ask(session: Session) -> None:
    """Ask the client to watch, where it can."""
    if not session.client.watches_files:
        return
    options = types.DidChangeWatchedFilesRegistrationOptions(
        watchers=[
            types.FileSystemWatcher(glob_pattern=GLOB),
            types.FileSystemWatcher(glob_pattern=f"**/{PROJECT_FILE}"),
        ]
    )
    try:
        await session.server.client_register_capability_async(
            types.RegistrationParams(
                registrations=[
                    types.Registration(
                        id="kernelgen-files",
                        method=types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
                        register_options=options,
                    )
                ]
            )
        )
    except JsonRpcException as error:
        session.say(f"The editor does not watch files ({error}): changes outside it show at the next save.")
