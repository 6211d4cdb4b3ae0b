"""textDocument/inlineCompletion: ghost text."""

from __future__ import annotations

from lsprotocol import types

from kernelgen_ls.lsp.following.typing_model import TypingModel
from kernelgen_ls.lsp.session.ports import OpenDocuments, Registrar, SettingsInForce
from kernelgen_ls.settings import CompletionTrigger

ACCEPTED = "kernelgen.completionAccepted"


def register(registrar: Registrar, settings: SettingsInForce, documents: OpenDocuments, typing: TypingModel) -> None:
    """Register ghost text."""

    @registrar.feature(types.TEXT_DOCUMENT_INLINE_COMPLETION, types.InlineCompletionOptions())
    async def inline_completion(params: types.InlineCompletionParams) -> types.InlineCompletionList | None:
        document = documents.get(params.text_document.uri)
        wanted = settings.now.completion
        manual = params.context.trigger_kind is types.InlineCompletionTriggerKind.Invoked
        if document is None or not wanted.enabled or (wanted.trigger is CompletionTrigger.MANUAL and not manual):
            return None
        position = document.from_client(params.position, documents.encoding)
        count = wanted.alternatives if manual else 1
        found = await typing.complete(document, position, manual=manual, count=count)
        if found is None or not documents.current(document):
            return None
        span = document.range_to_client(found.range, documents.encoding)
        command = types.Command(title="Accepted", command=ACCEPTED, arguments=[found.id])
        return types.InlineCompletionList(
            items=[
                types.InlineCompletionItem(insert_text=text, range=span, command=command)
                for text in (found.text, *found.alternatives)
            ]
        )
