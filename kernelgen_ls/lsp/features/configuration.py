"""workspace/didChangeConfiguration and didChangeWorkspaceFolders: what the editor's user set, whose settings hold."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import attrs
from lsprotocol import types
from pygls.uris import to_fs_path

from kernelgen_ls.lsp.session.configuration import Configuration
from kernelgen_ls.lsp.session.editor import Editor
from kernelgen_ls.lsp.session.ports import Registrar


def register(
    registrar: Registrar, configuration: Configuration, editor: Editor, *, on_folders: Callable[[], None]
) -> None:
    """Register the notifications; ``on_folders`` is called when the workspace has other folders than before."""

    @registrar.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def did_change_configuration(params: types.DidChangeConfigurationParams) -> None:
        await configuration.told(params.settings)

    @registrar.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def did_change_workspace_folders(params: types.DidChangeWorkspaceFoldersParams) -> None:
        gone, fresh = (
            [Path(path) for folder in folders if (path := to_fs_path(folder.uri))]
            for folders in (params.event.removed, params.event.added)
        )
        kept = tuple(root for root in editor.client.roots if root not in gone)
        editor.client = attrs.evolve(editor.client, roots=(*kept, *(root for root in fresh if root not in kept)))
        # Which files belong to an operator, and whose settings hold, goes by the folders.
        configuration.reread()
        on_folders()
