"""workspace/executeCommand: commands that belong to no other feature. Their arguments are in docs/protocol.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs
from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from kernelgen_ls.kernel.findings import Severity
from kernelgen_ls.lsp.session.documents import Document

if TYPE_CHECKING:
    from kernelgen_ls.lsp.server import KernelServer
    from kernelgen_ls.lsp.session.session import Session


def register(server: KernelServer) -> None:
    """Register the commands."""
    session = server.session

    @server.command("kernelgen.completionShown")
    def shown(params: types.ExecuteCommandParams) -> None:
        if (usage := session.typing.usage) is not None:
            usage.shown(text_argument(params, 0))

    @server.command("kernelgen.completionAccepted")
    def accepted(params: types.ExecuteCommandParams) -> None:
        if (usage := session.typing.usage) is not None:
            usage.accepted(text_argument(params, 0))
            usage.save()

    @server.command("kernelgen.completionPartiallyAccepted")
    def partially_accepted(params: types.ExecuteCommandParams) -> None:
        units = argument(params, 1, int)
        if (usage := session.typing.usage) is not None:
            identifier = text_argument(params, 0)
            text = usage.text(identifier) or ""
            usage.partly_accepted(identifier, session.documents.encoding.column(text, units))

    @server.command("kernelgen.checkNow")
    async def check_now(params: types.ExecuteCommandParams) -> dict[str, int] | None:
        result = await session.checks.check_now(document_argument(session, params))
        if result is None:
            return None
        severities = [finding.severity for finding in result.findings]
        return {"errors": severities.count(Severity.ERROR), "warnings": severities.count(Severity.WARNING)}

    @server.command("kernelgen.restartModel")
    async def restart_model(params: types.ExecuteCommandParams) -> None:
        await session.typing.restart()

    @server.command("kernelgen.restartRunner")
    async def restart_runner(params: types.ExecuteCommandParams) -> None:
        await session.checks.restart()

    @server.command("kernelgen.status")
    def status(params: types.ExecuteCommandParams) -> dict[str, Any]:
        return session.status.status.payload()

    @server.command("kernelgen.stats")
    def stats(params: types.ExecuteCommandParams) -> dict[str, Any]:
        usage, requests = session.typing.usage, session.typing.stats
        return {
            "total": attrs.asdict(usage.counts) if usage else {},
            "session": attrs.asdict(requests) if requests else {},
        }


def argument(params: types.ExecuteCommandParams, index: int, kind: type[Any]) -> Any:
    """A positional argument of a command; -32602 to the client when it is missing or of another type."""
    arguments = params.arguments or []
    if index >= len(arguments) or not isinstance(arguments[index], kind) or isinstance(arguments[index], bool):
        raise JsonRpcInvalidParams(f"{params.command}: argument {index + 1} must be {kind.__name__}")
    return arguments[index]


def text_argument(params: types.ExecuteCommandParams, index: int) -> str:
    """A positional argument that is text."""
    return str(argument(params, index, str))


def document_argument(session: Session, params: types.ExecuteCommandParams) -> Document:
    """The open document whose URI is the first argument."""
    uri = text_argument(params, 0)
    document = session.documents.get(uri)
    if document is None:
        raise JsonRpcInvalidParams(f"{params.command}: {uri} is not open")
    return document


def position_argument(session: Session, params: types.ExecuteCommandParams, document: Document, index: int) -> Any:
    """The LSP position at ``index`` in code points; the document's start when it is left out."""
    from kernelgen_ls.kernel.findings import Position

    arguments = params.arguments or []
    if index >= len(arguments) or arguments[index] is None:
        return Position(0, 0)
    given = argument(params, index, dict)
    line, character = given.get("line"), given.get("character")
    if not isinstance(line, int) or not isinstance(character, int) or line < 0 or character < 0:
        raise JsonRpcInvalidParams(f"{params.command}: argument {index + 1} must be a position")
    return document.from_client(types.Position(line, character), session.documents.encoding)
