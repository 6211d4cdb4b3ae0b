"""textDocument/completion: AscendC names; with ``completion.items`` the ghost text too, for editors without it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kernelgen_ls.kernel.roles import Role
from kernelgen_ls.lsp.features.inline_completion import ACCEPTED
from kernelgen_ls.lsp.following.typing_model import TypingModel
from kernelgen_ls.lsp.session.documents import Document, Encoding
from kernelgen_ls.lsp.session.ports import KnowsClient, OpenDocuments, Registrar, SettingsInForce
from kernelgen_ls.lsp.session.scope import role
from kernelgen_ls.lsp.session.syntax_trees import SyntaxTrees

if TYPE_CHECKING:
    from kernelgen_ls.kernel.api import ApiEntry
    from kernelgen_ls.kernel.findings import Position
    from kernelgen_ls.kernel.syntax import Source
    from kernelgen_ls.model.completion.document import Completion

_KINDS = {
    "function": types.CompletionItemKind.Function,
    "method": types.CompletionItemKind.Method,
    "class": types.CompletionItemKind.Class,
    "enum": types.CompletionItemKind.Enum,
    "constant": types.CompletionItemKind.EnumMember,
    "type": types.CompletionItemKind.TypeParameter,
    "macro": types.CompletionItemKind.Constant,
}
MOST_ITEMS = 200


def register(
    registrar: Registrar,
    settings: SettingsInForce,
    documents: OpenDocuments,
    editor: KnowsClient,
    trees: SyntaxTrees,
    typing: TypingModel,
) -> None:
    """Register the completion list."""
    options = types.CompletionOptions(trigger_characters=[".", ":", ">"], resolve_provider=True)

    @registrar.feature(types.TEXT_DOCUMENT_COMPLETION, options)
    async def completion(params: types.CompletionParams) -> types.CompletionList | None:
        document = documents.get(params.text_document.uri)
        if document is None or role(document) not in (Role.KERNEL, Role.HOST):
            return None
        position = document.from_client(params.position, documents.encoding)
        items: list[types.CompletionItem] = []
        if settings.now.api.completion:
            items = _api_items(trees.of(document), document, position, documents.encoding)
        if settings.now.completion.items and settings.now.completion.enabled:
            found = await typing.complete(document, position, manual=False, count=1)
            if not documents.current(document):
                return None
            if found is not None:
                items.append(ghost_item(found, document, position, documents.encoding))
        return types.CompletionList(is_incomplete=len(items) >= MOST_ITEMS, items=items) if items else None

    @registrar.feature(types.COMPLETION_ITEM_RESOLVE)
    def resolve(item: types.CompletionItem) -> types.CompletionItem:
        from kernelgen_ls.kernel import api

        entry = api.lookup(str(item.data)) if item.data else None
        if entry is not None:
            item.documentation = types.MarkupContent(kind=editor.client.markup, value=api.page(entry))
        return item


def _api_items(
    source: Source, document: Document, position: Position, encoding: Encoding
) -> list[types.CompletionItem]:
    from kernelgen_ls.kernel.api.candidates import candidates
    from kernelgen_ls.kernel.names import completion_at

    context = completion_at(source, position)
    if context is None:
        return []
    span = document.range_to_client(context.range, encoding)
    return [_api_item(entry, span) for entry in candidates(context)[:MOST_ITEMS]]


def _api_item(entry: ApiEntry, span: types.Range) -> types.CompletionItem:
    return types.CompletionItem(
        label=entry.name,
        kind=_KINDS[entry.kind.value],
        detail=entry.signatures[0].text if entry.signatures else None,
        sort_text=f"{'z' if entry.deprecated else 'm'}{entry.name}",
        tags=[types.CompletionItemTag.Deprecated] if entry.deprecated else None,
        text_edit=types.TextEdit(range=span, new_text=entry.name),
        data=entry.name,
    )


def ghost_item(found: Completion, document: Document, position: Position, encoding: Encoding) -> types.CompletionItem:
    """Ghost text as an entry of the list, which editors filter by what is written before the cursor."""
    words = document.line(position.line)[: position.column].split()
    label = found.text.strip().partition("\n")[0]
    return types.CompletionItem(
        label=label[:60],
        label_details=types.CompletionItemLabelDetails(description="KernelGen"),
        kind=types.CompletionItemKind.Snippet,
        detail=found.text,
        sort_text="a",
        filter_text=words[-1] if words else label,
        preselect=True,
        text_edit=types.TextEdit(range=document.range_to_client(found.range, encoding), new_text=found.text),
        command=types.Command(title="Accepted", command=ACCEPTED, arguments=[found.id]),
    )
