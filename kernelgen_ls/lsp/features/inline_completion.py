"""textDocument/inlineCompletion: ghost text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kernelgen_ls.settings import CompletionTrigger

if TYPE_CHECKING:
    from kernelgen_ls.lsp.server import KernelServer

ACCEPTED = "kernelgen.completionAccepted"


def register(server: KernelServer) -> None:
    """Register ghost text."""
    session = server.session

    @server.feature(types.TEXT_DOCUMENT_INLINE_COMPLETION, types.InlineCompletionOptions())
    async def inline_completion(params: types.InlineCompletionParams) -> types.InlineCompletionList | None:
        document = session.documents.get(params.text_document.uri)
        settings = session.settings.completion
        manual = params.context.trigger_kind is types.InlineCompletionTriggerKind.Invoked
        if document is None or not settings.enabled or (settings.trigger is CompletionTrigger.MANUAL and not manual):
            return None
        position = document.from_client(params.position, session.documents.encoding)
        found = await session.typing.complete(
            document, position, manual=manual, count=settings.alternatives if manual else 1
        )
        if found is None or not session.documents.current(document):
            return None
        span = document.range_to_client(found.range, session.documents.encoding)
        command = types.Command(title="Accepted", command=ACCEPTED, arguments=[found.id])
        return types.InlineCompletionList(
            items=[
                types.InlineCompletionItem(insert_text=text, range=span, command=command)
                for text in (found.text, *found.alternatives)
            ]
        )
