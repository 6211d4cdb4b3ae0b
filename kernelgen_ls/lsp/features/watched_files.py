"""workspace/didChangeWatchedFiles, from a client that was asked to watch."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types
from pygls.uris import to_fs_path

from kernelgen_ls.lsp.following.watch import FileWatch
from kernelgen_ls.lsp.session.ports import Registrar


def register(registrar: Registrar, watch: FileWatch) -> None:
    """Register the notification."""

    @registrar.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def did_change_watched_files(params: types.DidChangeWatchedFilesParams) -> None:
        watch.changed([Path(path) for change in params.changes if (path := to_fs_path(change.uri))])
