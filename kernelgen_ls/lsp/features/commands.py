"""workspace/executeCommand: commands that belong to no other feature. Their arguments are in docs/protocol.md."""

from __future__ import annotations

from typing import Any

import attrs
from lsprotocol import types

from kernelgen_ls.kernel.findings import Severity
from kernelgen_ls.lsp.features.arguments import argument, document_argument, text_argument
from kernelgen_ls.lsp.features.inline_completion import ACCEPTED
from kernelgen_ls.lsp.following.checks import Checks
from kernelgen_ls.lsp.following.typing_model import TypingModel
from kernelgen_ls.lsp.session.ports import Board, OpenDocuments, Registrar


def register(registrar: Registrar, documents: OpenDocuments, board: Board, typing: TypingModel, checks: Checks) -> None:
    """Register the commands."""

    @registrar.command("kernelgen.completionShown")
    def shown(params: types.ExecuteCommandParams) -> None:
        if (usage := typing.usage) is not None:
            usage.shown(text_argument(params, 0))

    @registrar.command(ACCEPTED)
    def accepted(params: types.ExecuteCommandParams) -> None:
        if (usage := typing.usage) is not None:
            usage.accepted(text_argument(params, 0))
            usage.save()

    @registrar.command("kernelgen.completionPartiallyAccepted")
    def partially_accepted(params: types.ExecuteCommandParams) -> None:
        units = argument(params, 1, int)
        if (usage := typing.usage) is not None:
            identifier = text_argument(params, 0)
            text = usage.text(identifier) or ""
            usage.partly_accepted(identifier, documents.encoding.column(text, units))

    @registrar.command("kernelgen.checkNow")
    async def check_now(params: types.ExecuteCommandParams) -> dict[str, int] | None:
        result = await checks.check_now(document_argument(documents, params))
        if result is None:
            return None
        severities = [finding.severity for finding in result.findings]
        return {"errors": severities.count(Severity.ERROR), "warnings": severities.count(Severity.WARNING)}

    @registrar.command("kernelgen.restartModel")
    async def restart_model(params: types.ExecuteCommandParams) -> None:
        await typing.restart()

    @registrar.command("kernelgen.restartRunner")
    async def restart_runner(params: types.ExecuteCommandParams) -> None:
        await checks.restart()

    @registrar.command("kernelgen.status")
    def status(params: types.ExecuteCommandParams) -> dict[str, Any]:
        return board.status.payload()

    @registrar.command("kernelgen.stats")
    def stats(params: types.ExecuteCommandParams) -> dict[str, Any]:
        usage, requests = typing.usage, typing.stats
        return {
            "total": attrs.asdict(usage.counts) if usage else {},
            "session": attrs.asdict(requests) if requests else {},
        }
