"""textDocument/codeAction and codeAction/resolve: fixes that the checker and the lints offer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from kernelgen_ls.kernel.findings import Fix, Position, Range
from kernelgen_ls.kernel.fixes import safe_fixes
from kernelgen_ls.lsp.following.checks import Checks, Shown
from kernelgen_ls.lsp.session.client import Client
from kernelgen_ls.lsp.session.documents import Document
from kernelgen_ls.lsp.session.ports import KnowsClient, OpenDocuments, Registrar

FIX_ALL = "source.fixAll.kernelgen"

MoreActions = Callable[[Document, Range, Shown | None], Iterable[types.CodeAction]]


def register(
    registrar: Registrar,
    documents: OpenDocuments,
    editor: KnowsClient,
    checks: Checks,
    *,
    more: MoreActions,
    on_rest: Callable[[Document, Position], None],
) -> None:
    """Register the code actions; ``more`` gives those of other features, ``on_rest`` is told where the cursor rests."""
    options = types.CodeActionOptions(
        code_action_kinds=[
            types.CodeActionKind.QuickFix,
            types.CodeActionKind.RefactorRewrite,
            types.CodeActionKind.SourceFixAll,
        ],
        resolve_provider=True,
    )

    @registrar.feature(types.TEXT_DOCUMENT_CODE_ACTION, options)
    def code_action(params: types.CodeActionParams) -> list[types.CodeAction] | None:
        document = documents.get(params.text_document.uri)
        if document is None:
            return None
        span = document.range_from_client(params.range, documents.encoding)
        # Editors ask for actions wherever the cursor comes to rest: the best hint there is of where typing goes on.
        on_rest(document, span.start)
        shown = checks.shown(document)
        actions = [*_fixes(editor.client, documents, shown, span), *more(document, span, shown)]
        return [action for action in actions if wanted(action, params.context.only)] or None

    @registrar.feature(types.CODE_ACTION_RESOLVE)
    def resolve(action: types.CodeAction) -> types.CodeAction:
        data = action.data if isinstance(action.data, dict) else {}
        document = documents.get(str(data.get("uri")))
        shown = checks.shown(document) if document is not None else None
        if shown is None or shown.document.version != data.get("version"):
            raise ContentModified("the document changed since this fix was offered")
        fix = _fix_of(shown, data)
        if fix is not None:
            action.edit = shown.view(editor.client, documents).workspace_edit(fix)
        return action


class ContentModified(JsonRpcException):
    """-32801: what the request was about is no longer there."""

    CODE = -32801
    MESSAGE = "Content modified"

    def __init__(self, message: str) -> None:
        super().__init__(message, self.CODE)


def wanted(action: types.CodeAction, only: Iterable[str | types.CodeActionKind] | None) -> bool:
    """Whether the client asked for this kind; ``source`` actions only when it did."""
    kind = str(getattr(action.kind, "value", action.kind))
    if only is None:
        return not kind.startswith("source")
    return any(kind == (prefix := str(getattr(one, "value", one))) or kind.startswith(prefix + ".") for one in only)


def _fixes(client: Client, documents: OpenDocuments, shown: Shown | None, span: Range) -> Iterable[types.CodeAction]:
    """The fixes of the findings in the lines of ``span``, then all safe ones of the document as one."""
    if shown is None:
        return
    view = shown.view(client, documents)

    def with_edit(action: types.CodeAction, fix: Fix, data: dict[str, Any]) -> types.CodeAction:
        if client.resolves_actions:
            action.data = {"uri": shown.document.uri, "version": shown.document.version, **data}
        else:
            action.edit = view.workspace_edit(fix)
        return action

    for index, finding in enumerate(shown.findings):
        if not finding.location.range.shares_lines(span):
            continue
        for number, fix in enumerate(finding.fixes):
            action = types.CodeAction(
                title=fix.title,
                kind=types.CodeActionKind.QuickFix,
                diagnostics=[view.diagnostic(finding)],
                is_preferred=fix.safe,
            )
            yield with_edit(action, fix, {"finding": index, "fix": number})
    every = safe_fixes(shown.findings)
    if every is not None:
        yield with_edit(types.CodeAction(title=every.title, kind=FIX_ALL), every, {"all": True})


def _fix_of(shown: Shown, data: dict[str, Any]) -> Fix | None:
    if data.get("all"):
        return safe_fixes(shown.findings)
    finding, fix = data.get("finding"), data.get("fix")
    if not isinstance(finding, int) or not isinstance(fix, int):
        return None
    try:
        return shown.findings[finding].fixes[fix]
    except IndexError:
        return None
