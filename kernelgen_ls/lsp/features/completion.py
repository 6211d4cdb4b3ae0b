"""textDocument/completion: AscendC names; with ``completion.items`` the ghost text too, for editors without it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

import attrs
from lsprotocol import types

from kernelgen_ls.kernel.roles import Role
from kernelgen_ls.lsp.features.inline_completion import ACCEPTED
from kernelgen_ls.lsp.session.documents import Document
from kernelgen_ls.lsp.session.scope import role

if TYPE_CHECKING:
    from kernelgen_ls.kernel.api import ApiEntry
    from kernelgen_ls.kernel.findings import Position
    from kernelgen_ls.kernel.names import CompletionContext
    from kernelgen_ls.kernel.syntax import Source
    from kernelgen_ls.lsp.server import KernelServer
    from kernelgen_ls.lsp.session.session import Session

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
_NAMESPACES = {"", "AscendC"}
_DERIVED = re.compile(r"[:,]\s*(?:public|protected)\s+(?:\w+::)*(\w+)")


def register(server: KernelServer) -> None:
    """Register the completion list."""
    session = server.session
    options = types.CompletionOptions(trigger_characters=[".", ":", ">"], resolve_provider=True)

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, options)
    async def completion(params: types.CompletionParams) -> types.CompletionList | None:
        document = session.documents.get(params.text_document.uri)
        if document is None or role(document) not in (Role.KERNEL, Role.HOST):
            return None
        position = document.from_client(params.position, session.documents.encoding)
        items = _api_items(session, document, position) if session.settings.api.completion else []
        if session.settings.completion.items and session.settings.completion.enabled:
            items += await _ghost_items(session, document, position)
            if not session.documents.current(document):
                return None
        return types.CompletionList(is_incomplete=len(items) >= MOST_ITEMS, items=items) if items else None

    @server.feature(types.COMPLETION_ITEM_RESOLVE)
    def resolve(item: types.CompletionItem) -> types.CompletionItem:
        from kernelgen_ls.kernel import api

        entry = api.lookup(str(item.data)) if item.data else None
        if entry is not None:
            kind = types.MarkupKind.Markdown if session.client.markdown else types.MarkupKind.PlainText
            item.documentation = types.MarkupContent(kind=kind, value=api.page(entry))
        return item


def _api_items(session: Session, document: Document, position: Position) -> list[types.CompletionItem]:
    from kernelgen_ls.kernel import api

    context = context_at(session.trees.of(document), position)
    if context is None or (not context.prefix and not context.receiver and not context.qualifier):
        return []
    span = document.range_to_client(context.range, session.documents.encoding)
    prefix = context.prefix.lower()
    found = [
        _item(entry, span)
        for entry in api.all_entries()
        if entry.name.lower().startswith(prefix) and entry.name != context.prefix and fits(entry, context)
    ]
    return found[:MOST_ITEMS]


def context_at(source: Source, position: Position) -> CompletionContext | None:
    """What is being written; a receiver's type is looked for without the unfinished line where that breaks the tree."""
    from kernelgen_ls.kernel.names import completion_at, receiver_kind

    context = completion_at(source, position)
    if context is None or not context.receiver or context.receiver_kind:
        return context
    offset = source.offset(position)
    start = source.text.rfind("\n", 0, offset) + 1
    end = source.text.find("\n", offset)
    end = len(source.text) if end < 0 else end
    whole = source.with_text(source.text[:start] + " " * (end - start) + source.text[end:])
    return attrs.evolve(context, receiver_kind=receiver_kind(whole, context.receiver, offset))


def fits(entry: ApiEntry, context: CompletionContext) -> bool:
    """Whether a name of the interface may stand there: members after a receiver of their type, others elsewhere."""
    scopes = {signature.scope.rsplit("::", 1)[-1] for signature in entry.signatures}
    if context.receiver:
        if not context.receiver_kind:
            return bool(scopes - _NAMESPACES)
        return not scopes.isdisjoint(with_bases(_base(context.receiver_kind)))
    if context.qualifier and context.qualifier.rsplit("::", 1)[-1] != "AscendC":
        return context.qualifier.rsplit("::", 1)[-1] in scopes
    return not scopes or bool(scopes & _NAMESPACES)


def with_bases(kind: str) -> set[str]:
    """A class of the interface and those it derives from."""
    from kernelgen_ls.kernel import api

    found: set[str] = set()
    waiting = [kind]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        entry = api.lookup(name)
        for signature in entry.signatures if entry is not None else ():
            waiting += _DERIVED.findall(signature.text)
    return found


def _base(kind: str) -> str:
    return kind.partition("<")[0].rsplit("::", 1)[-1].strip()


def _item(entry: ApiEntry, span: types.Range) -> types.CompletionItem:
    return types.CompletionItem(
        label=entry.name,
        kind=_KINDS[entry.kind.value],
        detail=entry.signatures[0].text if entry.signatures else None,
        sort_text=f"{'z' if entry.deprecated else 'm'}{entry.name}",
        tags=[types.CompletionItemTag.Deprecated] if entry.deprecated else None,
        text_edit=types.TextEdit(range=span, new_text=entry.name),
        data=entry.name,
    )


async def _ghost_items(session: Session, document: Document, position: Position) -> Iterable[types.CompletionItem]:
    found = await session.typing.complete(document, position, manual=False, count=1)
    if found is None:
        return []
    label = found.text.strip().partition("\n")[0]
    return [
        types.CompletionItem(
            label=label[:60],
            label_details=types.CompletionItemLabelDetails(description="KernelGen"),
            kind=types.CompletionItemKind.Snippet,
            detail=found.text,
            sort_text="a",
            filter_text=document.line(position.line)[: position.column].split()[-1:][0] if position.column else label,
            preselect=True,
            text_edit=types.TextEdit(
                range=document.range_to_client(found.range, session.documents.encoding), new_text=found.text
            ),
            command=types.Command(title="Accepted", command=ACCEPTED, arguments=[found.id]),
        )
    ]
