"""What the client shows of every file: what its own check found, what the checks of others and runs found in it.

A kernel's class stands in a header that nobody may have open. What is wrong there is shown there, with the kernel
through which it was found as related information; it goes with the kernel's next check, or when the kernel is closed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import attrs
from lsprotocol import types

from kernelgen_ls.kernel.changes import changed_span
from kernelgen_ls.lsp.session.documents import Document
from kernelgen_ls.lsp.session.ports import OpenDocuments, Publishes


class Published:
    """Sends the diagnostics of each URI, of its own check and of others', whenever one of them changes."""

    def __init__(self, documents: OpenDocuments, editor: Publishes) -> None:
        self._documents = documents
        self._editor = editor
        self._own: dict[str, list[types.Diagnostic]] = {}
        self._lent: dict[str, dict[str, list[types.Diagnostic]]] = {}
        self._hidden: dict[str, set[str]] = {}
        """The lenders whose findings in a file its own check has again."""

    def show(self, document: Document, diagnostics: list[types.Diagnostic]) -> None:
        """Show what a document's own check found."""
        self._own[document.uri] = diagnostics
        self._send(document.uri, document.version)

    def withdraw(self, uri: str) -> None:
        """Show nothing of a document's own check any more."""
        self._own.pop(uri, None)
        self._hidden.pop(uri, None)
        self._send(uri)

    def lend(self, lender: str, diagnostics: Mapping[str, list[types.Diagnostic]]) -> None:
        """Show what ``lender`` found, by URI, and nothing older of it: a document's check in other files, or a run."""
        before = [uri for uri, lenders in self._lent.items() if lender in lenders]
        for uri in before:
            self._return(uri, lender)
        for uri, found in diagnostics.items():
            self._lent.setdefault(uri, {})[lender] = found
            self._hidden.get(uri, set()).discard(lender)
        for uri in dict.fromkeys((*before, *diagnostics)):
            self._send(uri)

    def supersede(self, uri: str, lenders: Iterable[str]) -> None:
        """Hide what the checks of ``lenders`` found in a file that was just checked through them itself.

        It is shown again when the file's own check is withdrawn, unless the file has been edited.
        """
        self._hidden.setdefault(uri, set()).update(lenders)

    def edited(self, before: Document, after: Document) -> None:
        """Withdraw what others found on lines that an edit touched, and move the rest along."""
        for lender in self._hidden.pop(after.uri, ()):
            self._return(after.uri, lender)
        lent = self._lent.get(after.uri)
        if lent:
            for lender, found in lent.items():
                lent[lender] = list(_kept(found, before, after))
            self._send(after.uri)

    def _return(self, uri: str, lender: str) -> None:
        lenders = self._lent.get(uri, {})
        lenders.pop(lender, None)
        if not lenders:
            self._lent.pop(uri, None)

    def _send(self, uri: str, version: int | None = None) -> None:
        hidden = self._hidden.get(uri, ())
        lent = (one for lender, found in self._lent.get(uri, {}).items() if lender not in hidden for one in found)
        shown: dict[object, types.Diagnostic] = {}
        for one in (*self._own.get(uri, ()), *lent):
            place = (one.range.start.line, one.range.start.character, one.range.end.line, one.range.end.character)
            shown.setdefault((place, one.message), one)
        document = self._documents.get(uri)
        current = document.version if document is not None else None
        self._editor.publish(uri, version if version is not None else current, list(shown.values()))


def line_moves(before: Document, after: Document) -> tuple[range, int]:
    """The lines of ``before`` that an edit touched, and by how many lines it moved what stands below them."""
    start, old_end, new_end = changed_span(before.text, after.text)
    first, last = before.position(start).line, before.position(old_end).line
    return range(first, last + 1), after.position(new_end).line - last


def _kept(found: Iterable[types.Diagnostic], before: Document, after: Document) -> Iterable[types.Diagnostic]:
    touched, moved = line_moves(before, after)
    for one in found:
        span = one.range
        if span.end.line < touched.start:
            yield one
        elif span.start.line >= touched.stop:
            start = types.Position(span.start.line + moved, span.start.character)
            end = types.Position(span.end.line + moved, span.end.character)
            yield attrs.evolve(one, range=types.Range(start, end))
