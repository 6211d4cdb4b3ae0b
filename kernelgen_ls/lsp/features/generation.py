"""The commands and code actions of generation: Generate kernel, Fix with KernelGen, Fix all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from kernelgen_ls.kernel.findings import Position, Range
from kernelgen_ls.kernel.roles import Role
from kernelgen_ls.lsp.features.code_actions import overlaps
from kernelgen_ls.lsp.features.commands import document_argument, position_argument
from kernelgen_ls.lsp.following.checks import Shown
from kernelgen_ls.lsp.following.generating import Result, is_compile_error
from kernelgen_ls.lsp.session import convert
from kernelgen_ls.lsp.session.documents import Document
from kernelgen_ls.lsp.session.scope import role
from kernelgen_ls.settings.schema import plain

if TYPE_CHECKING:
    from kernelgen_ls.lsp.server import KernelServer
    from kernelgen_ls.lsp.session.session import Session

GENERATE, FIX, FIX_ALL = "kernelgen.generateKernel", "kernelgen.fix", "kernelgen.fixAll"


def register(server: KernelServer) -> None:
    """Register generation."""
    session = server.session

    @server.command(GENERATE)
    async def generate(params: types.ExecuteCommandParams) -> dict[str, Any]:
        document = document_argument(session, params)
        position = position_argument(session, params, document, 1)
        return answer(session, await session.generating.generate(document, position, params.work_done_token))

    @server.command(FIX)
    async def fix(params: types.ExecuteCommandParams) -> dict[str, Any]:
        document = document_argument(session, params)
        line = position_argument(session, params, document, 1).line
        return answer(session, await session.generating.fix(document, (line, line), params.work_done_token))

    @server.command(FIX_ALL)
    async def fix_all(params: types.ExecuteCommandParams) -> dict[str, Any]:
        document = document_argument(session, params)
        return answer(session, await session.generating.fix(document, None, params.work_done_token))

    @server.command("kernelgen.cancelGeneration")
    def cancel(params: types.ExecuteCommandParams) -> bool:
        return session.generating.cancel()

    @server.command("kernelgen.showReasoning")
    def show_reasoning(params: types.ExecuteCommandParams) -> dict[str, str] | None:
        reasoning = session.generating.reasoning
        return {"title": reasoning.title, "text": reasoning.text} if reasoning else None

    session.more_actions.append(lambda document, span, shown: actions(session, document, span, shown))


def answer(session: Session, result: Result) -> dict[str, Any]:
    """A command's answer; an editor that knows nothing of this server's answers is told in a message too."""
    if result.reason and not session.client.status:
        session.say(result.reason, types.MessageType.Info, once=False)
    return {key: value for key, value in plain(result).items() if key != "reason" or value}


def actions(session: Session, document: Document, span: Range, shown: Shown | None) -> Iterable[types.CodeAction]:
    """What generation offers for a range of a document."""
    if not session.settings.generation.enabled:
        return
    title = generation_title(session, document, span.start)
    if title:
        yield types.CodeAction(
            title=title,
            kind=types.CodeActionKind.RefactorRewrite,
            command=types.Command(
                title=title, command=GENERATE, arguments=[document.uri, wire_position(session, document, span.start)]
            ),
        )
    found = [finding for finding in shown.findings if is_compile_error(finding)] if shown else []
    if shown is None or not found:
        return
    view = convert.View(session.client, session.documents, shown.sources, shown.document)
    here = [finding for finding in found if overlaps(finding, span)]
    if here:
        at = wire_position(session, document, here[0].location.range.start)
        yield types.CodeAction(
            title="Fix with KernelGen",
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[view.diagnostic(finding) for finding in here],
            command=types.Command(title="Fix with KernelGen", command=FIX, arguments=[document.uri, at]),
        )
    if here and len(found) > len(here):
        all_title = f"Fix all {len(found)} errors with KernelGen"
        yield types.CodeAction(
            title=all_title,
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[view.diagnostic(finding) for finding in found],
            command=types.Command(title=all_title, command=FIX_ALL, arguments=[document.uri]),
        )


def generation_title(session: Session, document: Document, position: Position) -> str:
    """The title of *Generate kernel* where it makes sense: on a specification's comment or an entry's signature."""
    if role(document) not in (Role.KERNEL, Role.SPECIFICATION):
        return ""
    from kernelgen_ls.kernel.spec.comment import comment_at
    from kernelgen_ls.kernel.spec.sources import gather

    source = session.trees.of(document)
    offset = source.offset(position)
    entries = [one for one in source.structure.entries if one.span.start <= offset <= one.body.start]
    if role(document) is Role.KERNEL and not entries:
        comment = comment_at(source, position)
        above = comment is not None and document.line(position.line).lstrip().startswith(("//", "/*", "*"))
        if not above:
            return ""
    name = gather(source, position).name
    return f"Generate kernel {name}".rstrip()


def wire_position(session: Session, document: Document, position: Position) -> dict[str, int]:
    """A position as a command's argument."""
    at = document.to_client(position, session.documents.encoding)
    return {"line": at.line, "character": at.character}
