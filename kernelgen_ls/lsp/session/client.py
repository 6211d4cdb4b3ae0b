"""What the client at the other end can do, read once from ``initialize``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from attrs import frozen
from lsprotocol import types
from pygls.uris import to_fs_path

from kernelgen_ls.lsp.session.documents import Encoding


@frozen
class Client:
    """Capabilities as plain answers to the questions this server asks."""

    name: str = ""
    roots: tuple[Path, ...] = ()
    status: bool = False
    reasoning: bool = False
    progress: bool = False
    configuration: bool = False
    registers_configuration: bool = False
    """It tells of changed settings only after a dynamic registration of ``workspace/didChangeConfiguration``."""
    watches_files: bool = False
    """It takes a dynamic registration of ``workspace/didChangeWatchedFiles``."""
    applies_edits: bool = False
    document_changes: bool = False
    """It takes versioned document edits and file creations in a workspace edit."""
    change_annotations: bool = False
    creates_files: bool = False
    resolves_actions: bool = False
    markup: types.MarkupKind = types.MarkupKind.Markdown
    """How texts in hovers are written."""
    related_information: bool = False
    code_description: bool = False
    pulls_lens_refresh: bool = False

    @property
    def root(self) -> Path | None:
        """The first workspace folder."""
        return self.roots[0] if self.roots else None

    def root_of(self, path: Path) -> Path:
        """The innermost workspace folder that holds a file, its own folder when none does."""
        holding = [root for root in self.roots if path.is_relative_to(root)]
        return max(holding, key=lambda root: len(root.parts), default=path.parent)

    @property
    def shows_images(self) -> bool:
        """Whether its hovers show an image that stands in the text itself; no capability says so."""
        return self.name.startswith("Visual Studio Code")


def read_client(params: types.InitializeParams) -> Client:
    """The client of an ``initialize`` request."""
    capabilities = params.capabilities
    workspace, document = capabilities.workspace, capabilities.text_document
    experimental = _plain(capabilities.experimental)
    edit = workspace.workspace_edit if workspace else None
    diagnostics = document.publish_diagnostics if document else None
    hover = document.hover if document else None
    action = document.code_action if document else None
    resolve = action.resolve_support.properties if action and action.resolve_support else ()
    watched = workspace.did_change_watched_files if workspace else None
    changed = workspace.did_change_configuration if workspace else None
    lens = workspace.code_lens if workspace else None
    return Client(
        name=params.client_info.name if params.client_info else "",
        roots=_roots(params),
        status=experimental.get("kernelgenStatus") is True,
        reasoning=experimental.get("kernelgenReasoning") is True,
        progress=bool(capabilities.window and capabilities.window.work_done_progress),
        configuration=bool(workspace and workspace.configuration),
        registers_configuration=bool(changed and changed.dynamic_registration),
        watches_files=bool(watched and watched.dynamic_registration),
        applies_edits=bool(workspace and workspace.apply_edit),
        document_changes=bool(edit and (edit.document_changes or edit.resource_operations)),
        change_annotations=bool(edit and edit.change_annotation_support),
        creates_files=bool(
            edit and edit.resource_operations and types.ResourceOperationKind.Create in edit.resource_operations
        ),
        resolves_actions="edit" in resolve,
        markup=_markup(hover),
        related_information=bool(diagnostics and diagnostics.related_information),
        code_description=bool(diagnostics and diagnostics.code_description_support),
        pulls_lens_refresh=bool(lens and lens.refresh_support),
    )


def choose_encoding(params: types.InitializeParams) -> Encoding:
    """The position encoding: the client's order, as ``ServerCapabilitiesBuilder`` of pygls chooses it too."""
    general = params.capabilities.general
    for offered in (general.position_encodings if general else None) or ():
        value = offered.value if isinstance(offered, types.PositionEncodingKind) else offered
        if value in {encoding.value for encoding in Encoding}:
            return Encoding(value)
    return Encoding.UTF16


def _markup(hover: types.HoverClientCapabilities | None) -> types.MarkupKind:
    formats = hover.content_format if hover else None
    markdown = not formats or types.MarkupKind.Markdown in formats
    return types.MarkupKind.Markdown if markdown else types.MarkupKind.PlainText


def _roots(params: types.InitializeParams) -> tuple[Path, ...]:
    uris = [folder.uri for folder in params.workspace_folders or ()]
    if not uris and params.root_uri:
        uris = [params.root_uri]
    paths = [path for uri in uris if (path := to_fs_path(uri))]
    if not paths and params.root_path:
        paths = [params.root_path]
    return tuple(Path(path) for path in paths)


def _plain(value: Any) -> dict[str, Any]:
    """``experimental`` is any JSON; pygls may give it as a mapping or an object."""
    if isinstance(value, dict):
        return value
    return dict(getattr(value, "_asdict", dict)())
