"""The commands and code actions of generation: Generate kernel, Fix with KernelGen, Fix all, Fix wrong values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lsprotocol import types

from kernelgen_ls.kernel.findings import Finding, Position, Range
from kernelgen_ls.kernel.roles import Role
from kernelgen_ls.lsp.features.arguments import document_argument, position_argument, wire_position
from kernelgen_ls.lsp.features.code_actions import MoreActions
from kernelgen_ls.lsp.following.checks import Shown
from kernelgen_ls.lsp.following.generating import Generating, Result
from kernelgen_ls.lsp.following.verifications import Verifications
from kernelgen_ls.lsp.session.documents import Document
from kernelgen_ls.lsp.session.ports import KnowsClient, OpenDocuments, Registrar, SettingsInForce, TalksToUser
from kernelgen_ls.lsp.session.scope import role
from kernelgen_ls.lsp.session.syntax_trees import SyntaxTrees
from kernelgen_ls.settings.schema import plain

GENERATE, FIX, FIX_ALL = "kernelgen.generateKernel", "kernelgen.fix", "kernelgen.fixAll"
FIX_VALUES, WRONG_VALUES = "kernelgen.fixWrongValues", "Fix wrong values with KernelGen"


def register(registrar: Registrar, documents: OpenDocuments, editor: TalksToUser, generating: Generating) -> None:
    """Register generation's commands."""

    def answer(result: Result) -> dict[str, Any]:
        # An editor that knows nothing of this server's answers is told in a message too.
        if result.reason and not editor.client.status:
            editor.say(result.reason, types.MessageType.Info, once=False)
        return {key: value for key, value in plain(result).items() if key != "reason" or value}

    @registrar.command(GENERATE)
    async def generate(params: types.ExecuteCommandParams) -> dict[str, Any]:
        document = document_argument(documents, params)
        position = position_argument(documents, params, document, 1)
        return answer(await generating.generate(document, position, params.work_done_token))

    @registrar.command(FIX)
    async def fix(params: types.ExecuteCommandParams) -> dict[str, Any]:
        document = document_argument(documents, params)
        line = position_argument(documents, params, document, 1).line
        return answer(await generating.fix(document, (line, line), params.work_done_token))

    @registrar.command(FIX_ALL)
    async def fix_all(params: types.ExecuteCommandParams) -> dict[str, Any]:
        return answer(await generating.fix(document_argument(documents, params), None, params.work_done_token))

    @registrar.command(FIX_VALUES)
    async def fix_values(params: types.ExecuteCommandParams) -> dict[str, Any]:
        return answer(await generating.correct(document_argument(documents, params), params.work_done_token))

    @registrar.command("kernelgen.cancelGeneration")
    def cancel(params: types.ExecuteCommandParams) -> bool:
        return generating.cancel()

    @registrar.command("kernelgen.showReasoning")
    def show_reasoning(params: types.ExecuteCommandParams) -> dict[str, str] | None:
        reasoning = generating.reasoning
        return {"title": reasoning.title, "text": reasoning.text} if reasoning else None


def actions(
    settings: SettingsInForce,
    documents: OpenDocuments,
    editor: KnowsClient,
    trees: SyntaxTrees,
    verifications: Verifications,
) -> MoreActions:
    """What generation adds to the code actions of a range of a document."""

    def offered(document: Document, span: Range, shown: Shown | None) -> Iterable[types.CodeAction]:
        if not settings.now.generation.enabled:
            return
        title = generation_title(trees, document, span.start)
        if title:
            at = wire_position(documents, document, span.start)
            command = types.Command(title=title, command=GENERATE, arguments=[document.uri, at])
            yield types.CodeAction(title=title, kind=types.CodeActionKind.RefactorRewrite, command=command)
        if shown is not None:
            yield from _fixes(documents, editor, shown, span)
        wrong = verifications.wrong_outputs(document)
        here = [one for one in wrong if one.range.start.line <= span.end.line and span.start.line <= one.range.end.line]
        if here:
            command = types.Command(title=WRONG_VALUES, command=FIX_VALUES, arguments=[document.uri])
            kind = types.CodeActionKind.QuickFix
            yield types.CodeAction(title=WRONG_VALUES, kind=kind, diagnostics=here, command=command)

    return offered


def _fixes(documents: OpenDocuments, editor: KnowsClient, shown: Shown, span: Range) -> Iterable[types.CodeAction]:
    """Fix the compile errors in the lines of ``span``, and all of the document where there are others."""
    document = shown.document
    view = shown.view(editor.client, documents)
    errors = [finding for finding in shown.findings if finding.is_compile_error]
    here = [finding for finding in errors if finding.location.range.shares_lines(span)]

    def action(title: str, findings: list[Finding], command: str, *arguments: Any) -> types.CodeAction:
        return types.CodeAction(
            title=title,
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[view.diagnostic(finding) for finding in findings],
            command=types.Command(title=title, command=command, arguments=[document.uri, *arguments]),
        )

    if here:
        at = wire_position(documents, document, here[0].location.range.start)
        yield action("Fix with KernelGen", here, FIX, at)
    if here and len(errors) > len(here):
        yield action(f"Fix all {len(errors)} errors with KernelGen", errors, FIX_ALL)


def generation_title(trees: SyntaxTrees, document: Document, position: Position) -> str:
    """The title of *Generate kernel* where it makes sense: on a specification's comment or an entry's signature."""
    if role(document) not in (Role.KERNEL, Role.SPECIFICATION):
        return ""
    from kernelgen_ls.kernel.spec.place import described_at

    name = described_at(trees.of(document), position, anywhere=role(document) is Role.SPECIFICATION)
    return "" if name is None else f"Generate kernel {name}".rstrip()
