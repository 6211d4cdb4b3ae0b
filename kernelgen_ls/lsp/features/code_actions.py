"""textDocument/codeAction and codeAction/resolve: fixes that the checker and the lints offer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from kernelgen_ls.kernel.findings import Finding, Fix, Range
from kernelgen_ls.lsp.following.checks import Shown
from kernelgen_ls.lsp.session import convert
from kernelgen_ls.lsp.session.documents import Document

if TYPE_CHECKING:
    from kernelgen_ls.lsp.server import KernelServer
    from kernelgen_ls.lsp.session.session import Session

FIX_ALL = "source.fixAll.kernelgen"

MoreActions = Callable[[Document, Range, Shown | None], Iterable[types.CodeAction]]
"""What other features (generation) add for a range of a document."""


def register(server: KernelServer) -> None:
    """Register the code actions."""
    session = server.session
    options = types.CodeActionOptions(
        code_action_kinds=[
            types.CodeActionKind.QuickFix,
            types.CodeActionKind.RefactorRewrite,
            types.CodeActionKind.SourceFixAll,
        ],
        resolve_provider=True,
    )

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, options)
    def code_action(params: types.CodeActionParams) -> list[types.CodeAction] | None:
        document = session.documents.get(params.text_document.uri)
        if document is None:
            return None
        span = document.range_from_client(params.range, session.documents.encoding)
        # Editors ask for actions wherever the cursor comes to rest: the best hint there is of where typing goes on.
        session.typing.moved(document, span.start)
        session.typing.rested(document, span.start)
        shown = session.checks.shown(document)
        actions = [*_fixes(session, shown, span), *_fix_all(session, shown)]
        for more in session.more_actions:
            actions += more(document, span, shown)
        return [action for action in actions if wanted(action, params.context.only)] or None

    @server.feature(types.CODE_ACTION_RESOLVE)
    def resolve(action: types.CodeAction) -> types.CodeAction:
        data = action.data if isinstance(action.data, dict) else {}
        document = session.documents.get(str(data.get("uri")))
        shown = session.checks.shown(document) if document is not None else None
        if shown is None or shown.document.version != data.get("version"):
            raise ContentModified("the document changed since this fix was offered")
        fix = _fix_of(shown, data)
        if fix is not None:
            action.edit = _view(session, shown).workspace_edit(fix)
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


def overlaps(finding: Finding, span: Range) -> bool:
    """Whether a finding stands in the lines of ``span``."""
    where = finding.location.range
    return where.start.line <= span.end.line and span.start.line <= where.end.line


def _fixes(session: Session, shown: Shown | None, span: Range) -> Iterable[types.CodeAction]:
    if shown is None:
        return
    view = _view(session, shown)
    for index, finding in enumerate(shown.findings):
        if not overlaps(finding, span):
            continue
        for number, fix in enumerate(finding.fixes):
            action = types.CodeAction(
                title=fix.title,
                kind=types.CodeActionKind.QuickFix,
                diagnostics=[view.diagnostic(finding)],
                is_preferred=fix.safe,
            )
            yield _with_edit(session, shown, action, fix, {"finding": index, "fix": number})


def _fix_all(session: Session, shown: Shown | None) -> Iterable[types.CodeAction]:
    fix = safe_fixes(shown) if shown is not None else None
    if shown is not None and fix is not None:
        action = types.CodeAction(title=fix.title, kind=FIX_ALL)
        yield _with_edit(session, shown, action, fix, {"all": True})


def safe_fixes(shown: Shown) -> Fix | None:
    """Every safe fix of a document as one, overlapping ones left out; None when there is none."""
    edits: list[Any] = []
    for finding in shown.findings:
        for fix in finding.fixes[:1]:
            if fix.safe and not any(_collide(new, old) for new in fix.edits for old in edits):
                edits += fix.edits
    return Fix("Apply every safe fix", tuple(edits), safe=True) if edits else None


def _collide(left: Any, right: Any) -> bool:
    if left.path != right.path:
        return False
    if left.range == right.range:
        return True
    return bool(left.range.start < right.range.end and right.range.start < left.range.end)


def _with_edit(
    session: Session, shown: Shown, action: types.CodeAction, fix: Fix, data: dict[str, Any]
) -> types.CodeAction:
    if session.client.resolves_actions:
        action.data = {"uri": shown.document.uri, "version": shown.document.version, **data}
    else:
        action.edit = _view(session, shown).workspace_edit(fix)
    return action


def _fix_of(shown: Shown, data: dict[str, Any]) -> Fix | None:
    if data.get("all"):
        return safe_fixes(shown)
    finding, fix = data.get("finding"), data.get("fix")
    if not isinstance(finding, int) or not isinstance(fix, int):
        return None
    try:
        return shown.findings[finding].fixes[fix]
    except IndexError:
        return None


def _view(session: Session, shown: Shown) -> convert.View:
    return convert.View(session.client, session.documents, shown.sources, shown.document)
