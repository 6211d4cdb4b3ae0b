"""The lens and the commands that run a kernel on its cases, and write the cases that nobody wrote."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from lsprotocol import types

from kernelgen_ls.kernel.findings import Position
from kernelgen_ls.lsp.features.arguments import document_argument, position_argument, wire_position
from kernelgen_ls.lsp.features.code_lens import Lenses
from kernelgen_ls.lsp.following.verifications import Verifications
from kernelgen_ls.lsp.session.convert import uri_of
from kernelgen_ls.lsp.session.documents import Document
from kernelgen_ls.lsp.session.ports import OpenDocuments, Registrar, SettingsInForce, TalksToUser
from kernelgen_ls.runner.client.fleet import TWIN

VERIFY, WRITE_CASES = "kernelgen.verify", "kernelgen.writeCases"


def register(registrar: Registrar, documents: OpenDocuments, editor: TalksToUser, verifications: Verifications) -> None:
    """Register the commands."""

    def position(params: types.ExecuteCommandParams, document: Document) -> Position | None:
        return position_argument(documents, params, document, 1) if len(params.arguments or []) > 1 else None

    def told(said: str, answer: dict[str, Any]) -> dict[str, Any]:
        # An editor that knows nothing of this server's answers is told in a message too.
        if not editor.client.status:
            editor.say(said, types.MessageType.Info, once=False)
        return answer

    @registrar.command(VERIFY)
    async def verify(params: types.ExecuteCommandParams) -> dict[str, Any]:
        from kernelgen_ls.work.verdicts import verdict, verdict_words

        document = document_argument(documents, params)
        answer = await verifications.run(document, position(params, document), params.work_done_token)
        if isinstance(answer, str):
            return told(answer, {"reason": answer})
        entry, result = answer
        one, said = verdict(result), f"{entry}: {verdict_words(result)}"
        plain = {"entry": entry, "verdict": one.outcome.value, "by": one.by, "cases": one.cases, "message": said}
        return told(said, {**plain, "madeFrom": one.made_from})

    @registrar.command(WRITE_CASES)
    async def write_cases(params: types.ExecuteCommandParams) -> dict[str, Any]:
        document = document_argument(documents, params)
        written = await verifications.write_cases(document, position(params, document))
        if isinstance(written, str):
            return told(written, {"reason": written})
        return told(f"The cases are in {written}: edit them there.", {"uri": uri_of(written)})


def lenses(settings: SettingsInForce, documents: OpenDocuments, verifications: Verifications) -> Lenses:
    """The offer to run each entry function, with the verdict there is."""

    async def offered(document: Document) -> Iterable[types.CodeLens]:
        title = offer(verifications) if settings.now.twin.lens else ""
        if not title:
            return ()
        return [_lens(documents, verifications, document, entry, title) for entry in verifications.entries.of(document)]

    return offered


def offer(verifications: Verifications) -> str:
    """What running a kernel on its cases is called, after where that is; "" where nothing can."""
    name = verifications.runner
    if name == TWIN:
        return "Run on CPU" if sys.platform == "linux" else ""
    return f"Run on {name}"


def _lens(
    documents: OpenDocuments, verifications: Verifications, document: Document, entry: Any, offered: str
) -> types.CodeLens:
    from kernelgen_ls.report.verification import verdict_brief

    result = verifications.of(document, entry.name)
    title = offered if result is None else f"{verdict_brief(result)} | {offered}"
    at = wire_position(documents, document, entry.range.start)
    command = types.Command(title=title, command=VERIFY, arguments=[document.uri, at])
    return types.CodeLens(range=document.range_to_client(entry.range, documents.encoding), command=command)
