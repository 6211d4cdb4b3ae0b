"""The lens and the command that run a kernel on its cases."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from lsprotocol import types

from kernelgen_ls.kernel.findings import Position
from kernelgen_ls.lsp.features.arguments import document_argument, position_argument, wire_position
from kernelgen_ls.lsp.features.code_lens import Lenses
from kernelgen_ls.lsp.following.verifications import Verifications
from kernelgen_ls.lsp.session.documents import Document
from kernelgen_ls.lsp.session.ports import OpenDocuments, Registrar, SettingsInForce, TalksToUser
from kernelgen_ls.runner.client.fleet import TWIN

VERIFY = "kernelgen.verify"


def register(registrar: Registrar, documents: OpenDocuments, editor: TalksToUser, verifications: Verifications) -> None:
    """Register the command."""

    @registrar.command(VERIFY)
    async def verify(params: types.ExecuteCommandParams) -> dict[str, Any]:
        from kernelgen_ls.work.running import NoCasesError
        from kernelgen_ls.work.verdicts import verdict, verdict_words

        document = document_argument(documents, params)
        given = len(params.arguments or []) > 1
        position: Position | None = position_argument(documents, params, document, 1) if given else None
        try:
            answer = await verifications.run(document, position, params.work_done_token)
        except NoCasesError as error:
            answer = str(error)
        said = answer if isinstance(answer, str) else f"{answer[0]}: {verdict_words(answer[1])}"
        # An editor that knows nothing of this server's answers is told in a message too.
        if not editor.client.status:
            editor.say(said, types.MessageType.Info, once=False)
        if isinstance(answer, str):
            return {"reason": answer}
        entry, result = answer
        one = verdict(result)
        return {"entry": entry, "verdict": one.outcome.value, "by": one.by, "cases": one.cases, "message": said}


def lenses(settings: SettingsInForce, documents: OpenDocuments, verifications: Verifications) -> Lenses:
    """The offer to run each entry function, with the verdict there is."""

    async def offered(document: Document) -> Iterable[types.CodeLens]:
        name = verifications.runner
        if not settings.now.twin.lens or (name == TWIN and sys.platform == "win32"):
            return ()
        offer = "Run on CPU" if name == TWIN else f"Run on {name}"
        return [_lens(documents, verifications, document, entry, offer) for entry in verifications.entries(document)]

    return offered


def _lens(
    documents: OpenDocuments, verifications: Verifications, document: Document, entry: Any, offer: str
) -> types.CodeLens:
    from kernelgen_ls.report.verification import verdict_brief

    result = verifications.of(document, entry.name)
    title = offer if result is None else f"{verdict_brief(result)} | {offer}"
    at = wire_position(documents, document, entry.range.start)
    command = types.Command(title=title, command=VERIFY, arguments=[document.uri, at])
    return types.CodeLens(range=document.range_to_client(entry.range, documents.encoding), command=command)
